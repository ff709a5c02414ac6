package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Sample is the kernel of Sample: a program for each row. Its views are logits [...,V], with cfg.Stepped
// steps [...,1] of I32, and out [...,1]; its scalars are the factor that makes steps of weight of differences of logits, the words of a stream, and
// for rows that are filtered how many of the largest logits are kept, and which share of the weights in
// steps of 2^-32, 0 for all.
//
// All but the difference of two logits and its product with the factor is counted in integers, so that what
// is drawn is the same wherever these two are rounded to the nearest. A weight is 2^(31-d), where d is the
// difference of a logit to the largest in units of log2, rounded down to steps of 2^-20; sums of weights
// are exact, in 64 bits, and so do not depend on tiles and threads. internal/reference has the same in Go.
//
// Nothing is sorted. A token is drawn from all, and kept if few enough tokens, or a small enough share of
// the weights, are above it; if not, another one is drawn from those above. The tokens that would be kept
// have the same odds in every round as among themselves, so that this draws from them alone. Each round
// reads the row once, and the expected number of rounds grows with the logarithm of the row's length at
// most. (FlashInfer samples like this, with floats: Ye et al., FlashInfer, 2025.)
//
// The sum of weights goes by lanes: lane l has tokens l, l+1024, ... The token is where the running sum,
// lane by lane, exceeds a random number.
var Sample = weft.NewKernel("sample", describeSample)

// sampleLanes is the number of lanes. What is drawn depends on it.
const sampleLanes = 1024

// sampleRow is the row of one program.
type sampleRow struct {
	k      *tile.Builder
	cfg    SampleConfig
	logits *tile.View
	at     []tile.Operand // of the row
	scale  *tile.Value
	top    *tile.Value // the largest logit
}

func describeSample(k *tile.Builder, cfg SampleConfig) {
	s := &sampleRow{k: k, cfg: cfg, logits: k.In("logits", cfg.Elem, cfg.Rank)}
	var steps *tile.View
	if cfg.Stepped {
		steps = k.In("steps", dtype.I32, cfg.Rank)
	}
	out := k.Out("out", dtype.I32, cfg.Rank)
	s.scale = k.Scalar("scale", dtype.F32)
	key, first := streamScalars(k)
	var most, share *tile.Value
	if cfg.Filtered {
		most, share = k.Scalar("k", dtype.I32), k.Scalar("p", dtype.U32)
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	one := make([]int, cfg.Rank)
	for d := range one {
		one[d] = 1
		if d < cfg.Rank-1 {
			k.Require(s.logits.Dim(d).Eq(out.Dim(d)))
			if steps != nil {
				k.Require(steps.Dim(d).Eq(out.Dim(d)))
			}
		}
	}
	s.at = k.ProgramTile(out, one...)
	row, rows := k.Int(0), k.Int(1)
	for d, at := range s.at[:cfg.Rank-1] {
		row, rows = row.Mul(out.Dim(d)).Add(at), rows.Mul(out.Dim(d))
	}
	if steps != nil {
		first = skipped(first, steps.At(s.at...).Gather(), rows)
	}

	top := s.largest()
	negative := top.Lt(0)
	bits := k.Where(negative, k.Int(0).Sub(top), top).Bitcast(dtype.U32).Or(k.Where(negative, k.Const(dtype.U32, 1<<31), 0))
	s.top = bits.Bitcast(dtype.F32)
	drawn := k.Var(k.Int(-1))
	if !cfg.Filtered {
		all := s.above(k.Int(math.MinInt32))
		token := s.draw(all, k.Int(math.MinInt32), s.random(key, first, row, k.Int(0)))
		drawn.Set(k.Where(s.distributed(top), token, -1))
	} else {
		s.filtered(drawn, top, most, share, func(round *tile.Value) wide64 { return s.random(key, first, row, round) })
	}
	out.Block(one...).Store(drawn.Get(), s.at...)
}

// distributed reports whether a row with a largest logit has a distribution: not one with NaN, whose key is
// beyond infinity's, or infinity, or of -infinity alone.
func (s *sampleRow) distributed(top *tile.Value) *tile.Value {
	return top.Lt(infinityBits).And(top.Gt(-infinityBits))
}

// filtered draws until a token is kept. Each round reads the logits above the token that was drawn before:
// to decide whether that is kept, and to draw from them if not. The first one reads all.
func (s *sampleRow) filtered(drawn *tile.Var, top, most, share *tile.Value, random func(round *tile.Value) wide64) {
	k, none := s.k, s.k.Const(dtype.U32, 0)
	undecided := k.Var(k.Where(s.distributed(top), k.Int(1), 0))
	pivot, round, hi, lo := k.Var(k.Int(math.MinInt32)), k.Var(k.Int(0)), k.Var(none), k.Var(none)
	for range k.While(func() *tile.Value { return undecided.Get().Ne(0) }) {
		larger := s.above(pivot.Get())
		first, mass := round.Get().Eq(0), larger.total
		all := mass.share(share)
		limit := wide64{k.Where(first, all.hi, hi.Get()), k.Where(first, all.lo, lo.Get())}
		hi.Set(limit.hi)
		lo.Set(limit.lo)
		few := larger.count.Lt(most).And(mass.less(limit).Or(share.Eq(0)))
		kept := few.And(first.Not())
		undecided.Set(k.Where(kept, k.Int(0), 1))
		k.If(kept.Not(), func() {
			token := s.draw(larger, pivot.Get(), random(round.Get()))
			drawn.Set(token)
			pivot.Set(s.key(s.logits.At(s.element(token)...).Gather()))
		})
		round.Set(round.Get().Add(1))
	}
}

// element are the coordinates of elements of the row.
func (s *sampleRow) element(index *tile.Value) (list []tile.Operand) {
	list = append(list, s.at...)
	list[s.cfg.Rank-1] = index
	return list
}

// each calls f with each element of every lane, several at a time.
func (s *sampleRow) each(f func(v *tile.Value)) {
	axis := s.cfg.Rank - 1
	block := make([]int, s.cfg.Rank)
	for d := range block {
		block[d] = 1
	}
	block[axis] = sampleLanes
	for i := range s.k.Range(s.k.CDiv(s.logits.Dim(axis), sampleLanes*s.cfg.Unroll)) {
		loaded := make([]*tile.Value, s.cfg.Unroll)
		for u := range loaded {
			loaded[u] = s.logits.Block(block...).Fill(math.Inf(-1)).Load(s.element(i.Mul(s.cfg.Unroll).Add(u))...)
		}
		for _, v := range loaded {
			f(v.Reshape(sampleLanes))
		}
	}
}

// key is an integer for each logit that orders them.
func (s *sampleRow) key(v *tile.Value) *tile.Value { return v.Cast(dtype.F32).OrderKey(math.MaxInt32) }

// largest is the key of the largest logit, or that of NaN if there is one.
func (s *sampleRow) largest() *tile.Value {
	top := s.k.Var(s.k.Full(dtype.I32, math.MinInt32, sampleLanes))
	s.each(func(v *tile.Value) { top.Set(top.Get().Maximum(s.key(v))) })
	return top.Get().Max(0).At(0)
}

// weight is that of each logit whose key is above a pivot, and 0 of others. It also returns which ones are.
func (s *sampleRow) weight(v, pivot *tile.Value) (w, above *tile.Value) {
	above = s.key(v).Gt(pivot)
	steps := s.k.Sub(s.top, v.Cast(dtype.F32)).Mul(s.scale).Cast(dtype.U32)
	halvings := steps.Shr(20)
	f := fixed{s.k, v.Type().Shape}
	// 2^-x up to x = 1, in Q31: interpolation at Chebyshev's points, exact to 2^-27.9
	w = f.horner(steps.Shl(12), 2147483645, -1488521945, 515877823, -119165869, 20572593, -2739202, 234782)
	return s.k.Where(above.And(halvings.Lt(32)), w.Shr(halvings), 0), above
}

// lanes are the weights in each lane.
type lanes struct {
	sum   wide64
	total wide64      // of all lanes
	count *tile.Value // of elements
}

// above are the weights of the logits whose keys are above a pivot.
func (s *sampleRow) above(pivot *tile.Value) lanes {
	k := s.k
	hi, lo, numbers := k.Var(k.Zeros(dtype.U32, sampleLanes)), k.Var(k.Zeros(dtype.U32, sampleLanes)), k.Var(k.Zeros(dtype.I32, sampleLanes))
	s.each(func(v *tile.Value) {
		w, above := s.weight(v, pivot)
		sum := lo.Get().Add(w)
		hi.Set(hi.Get().Add(sum.Lt(w).Cast(dtype.U32)))
		lo.Set(sum)
		numbers.Set(numbers.Get().Add(above.Cast(dtype.I32)))
	})
	sum := wide64{hi.Get(), lo.Get()}
	total, count := sum.over(numbers.Get())
	return lanes{sum, total, count}
}

// draw is the token at a random place, a number of 64 bits, among those above a pivot, whose weights are given.
func (s *sampleRow) draw(l lanes, pivot *tile.Value, random wide64) *tile.Value {
	k := s.k
	lane, rest := l.sum.find(random.mulHi(l.total))
	token, hi, lo := k.Var(k.Int(-1)), k.Var(rest.hi), k.Var(rest.lo)
	deep := s.cfg.Deep
	for i := range k.Range(k.CDiv(s.logits.Dim(s.cfg.Rank-1), sampleLanes*deep)) {
		first := i.Mul(deep)
		index := k.Arange(deep).Add(first).Mul(sampleLanes).Add(lane)
		v := s.logits.At(s.element(index)...).Fill(math.Inf(-1)).Gather()
		w, _ := s.weight(v, pivot)
		n, rest := wide64{k.Zeros(dtype.U32, deep), w}.find(wide64{hi.Get(), lo.Get()})
		open := token.Get().Lt(0)
		here := open.And(n.Lt(deep))
		hi.Set(k.Where(open, rest.hi, hi.Get()))
		lo.Set(k.Where(open, rest.lo, lo.Get()))
		token.Set(k.Where(here, first.Add(n).Mul(sampleLanes).Add(lane), token.Get()))
	}
	return token.Get()
}

// random is the random number of a row and a round. Each row has a counter of Philox; rounds are its third word.
func (s *sampleRow) random(key, first [2]*tile.Value, row, round *tile.Value) wide64 {
	k := s.k
	low := row.Cast(dtype.U32).Add(first[0])
	carry := low.Lt(first[0]).Cast(dtype.U32)
	words := Philox([4]*tile.Value{low, first[1].Add(carry), round.Cast(dtype.U32), k.Const(dtype.U32, 0)}, key)
	return wide64{words[0], words[1]}
}

// skipped is the counter that is n times a number of steps, of I32, after the first one: modulo 2^62, since
// each counter has four numbers of a stream of 2^64.
func skipped(first [2]*tile.Value, steps, n *tile.Value) [2]*tile.Value {
	k := steps.Builder()
	each := n.Bitcast(dtype.U32)
	by := product64(steps.Bitcast(dtype.U32), each)
	by.hi = by.hi.Sub(k.Where(steps.Lt(0), each, 0)) // steps were taken for 2^32 more
	sum := wide64{first[1], first[0]}.add(by)
	return [2]*tile.Value{sum.lo, sum.hi.And(1<<30 - 1)}
}
