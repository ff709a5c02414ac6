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
// most. (FlashInfer samples like this, with floats: Ye et al., FlashInfer, 2025.) With cfg.List the rounds end when few tokens are left: see SampleListed. Then a
// list [rows,cfg.List] of I32 and a state [rows,SampleWords] of U32 are views before out.
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
	var list, state *tile.View
	if cfg.List > 0 {
		list, state = k.InOut("list", dtype.I32, 2), k.Out("state", dtype.U32, 2)
	}
	out := k.Out("out", dtype.I32, cfg.Rank)
	s.scale = k.Scalar("scale", dtype.F32)
	key, first := streamScalars(k)
	var most, share *tile.Value
	if cfg.Filtered {
		most, share = k.Scalar("k", dtype.I32), k.Scalar("p", dtype.U32)
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	row := s.place(out, steps)
	if steps != nil {
		rows := k.Int(1)
		for d := range s.at[:cfg.Rank-1] {
			rows = rows.Mul(out.Dim(d))
		}
		first = skipped(first, steps.At(s.at...).Gather(), rows)
	}
	counter := counterOf(first, row)

	top := s.largest()
	bits := s.setTop(top)
	one := s.one()
	if !cfg.Filtered {
		all := s.above(k.Int(math.MinInt32))
		token := s.draw(all, k.Int(math.MinInt32), s.random(key, counter, k.Int(0)))
		out.Block(one...).Store(k.Where(s.distributed(top), token, -1), s.at...)
		return
	}
	r := newRounds(k, k.Where(s.distributed(top), k.Int(sampleOpen), sampleDecided), most, share)
	s.goOn(r, key, counter, bits, row, list, state, out)
}

// goOn draws until a token is kept, or until those above the last one fit into the list, if there is one.
func (s *sampleRow) goOn(r *sampleRounds, key, counter [2]*tile.Value, top, row *tile.Value, list, state, out *tile.View) {
	numbers, count := s.rounds(r, func(round *tile.Value) wide64 { return s.random(key, counter, round) })
	out.Block(s.one()...).Store(r.drawn.Get(), s.at...)
	if list != nil {
		s.store(state, r.words(top, counter, count), row)
		s.k.If(r.status.Get().Eq(sampleListed), func() { s.list(list, row, numbers, r.pivot.Get()) })
	}
}

// setTop sets the largest logit by its key, and returns its bits.
func (s *sampleRow) setTop(key *tile.Value) (bits *tile.Value) {
	k, negative := s.k, key.Lt(0)
	bits = k.Where(negative, k.Int(0).Sub(key), key).Bitcast(dtype.U32).Or(k.Where(negative, k.Const(dtype.U32, 1<<31), 0))
	s.top = bits.Bitcast(dtype.F32)
	return bits
}

// one is a block of an element in as many dimensions as the logits have.
func (s *sampleRow) one() []int {
	one := make([]int, s.cfg.Rank)
	for d := range one {
		one[d] = 1
	}
	return one
}

// place finds the row of a program, and its number.
func (s *sampleRow) place(out, steps *tile.View) (row *tile.Value) {
	k := s.k
	for d := range s.cfg.Rank - 1 {
		k.Require(s.logits.Dim(d).Eq(out.Dim(d)))
		if steps != nil {
			k.Require(steps.Dim(d).Eq(out.Dim(d)))
		}
	}
	s.at = k.ProgramTile(out, s.one()...)
	row = k.Int(0)
	for d, at := range s.at[:s.cfg.Rank-1] {
		row = row.Mul(out.Dim(d)).Add(at)
	}
	return row
}

// distributed reports whether a row with a largest logit has a distribution: not one with NaN, whose key is
// beyond infinity's, or infinity, or of -infinity alone.
func (s *sampleRow) distributed(top *tile.Value) *tile.Value {
	return top.Lt(infinityBits).And(top.Gt(-infinityBits))
}

// rounds draws until a token is kept, or until those above the last one fit into the list. Each round reads the logits above the token that was drawn before:
// to decide whether that is kept, and to draw from them if not. The first one reads all. It returns how many tokens each lane has above the last one, and all.
func (s *sampleRow) rounds(r *sampleRounds, random func(round *tile.Value) wide64) (inLanes, all *tile.Value) {
	k := s.k
	numbers, count := k.Var(k.Zeros(dtype.I32, sampleLanes)), k.Var(k.Int(0))
	for range k.While(func() *tile.Value { return r.status.Get().Eq(sampleOpen) }) {
		if s.cfg.List > 0 {
			k.If(r.round.Get().Ne(0), func() {
				numbers.Set(s.numbers(r.pivot.Get()))
				count.Set(numbers.Get().Sum(0).At(0))
				r.status.Set(k.Where(count.Get().Le(s.cfg.List), k.Int(sampleListed), sampleOpen))
			})
		}
		k.If(r.status.Get().Eq(sampleOpen), func() {
			larger := s.above(r.pivot.Get())
			r.decide(larger.total, larger.count, func() (token, key *tile.Value) {
				token = s.draw(larger, r.pivot.Get(), random(r.round.Get()))
				return token, s.key(s.logits.At(s.element(token)...).Gather())
			})
		})
	}
	return numbers.Get(), count.Get()
}

// element are the coordinates of elements of the row.
func (s *sampleRow) element(index *tile.Value) (list []tile.Operand) {
	list = append(list, s.at...)
	list[s.cfg.Rank-1] = index
	return list
}

// each calls f with each element of every lane, several at a time, and its number in the lane.
func (s *sampleRow) each(f func(v, number *tile.Value)) {
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
		for u, v := range loaded {
			f(v.Reshape(sampleLanes), i.Mul(s.cfg.Unroll).Add(u))
		}
	}
}

// key is an integer for each logit that orders them.
func (s *sampleRow) key(v *tile.Value) *tile.Value { return v.Cast(dtype.F32).OrderKey(math.MaxInt32) }

// largest is the key of the largest logit, or that of NaN if there is one.
func (s *sampleRow) largest() *tile.Value {
	top := s.k.Var(s.k.Full(dtype.I32, math.MinInt32, sampleLanes))
	s.each(func(v, _ *tile.Value) { top.Set(top.Get().Maximum(s.key(v))) })
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
	s.each(func(v, _ *tile.Value) {
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
	lane, rest := l.sum.find(random.mulHi(l.total))
	return s.inLane(lane, rest, pivot)
}

// inLane is the token of a lane at a place among its weights above a pivot.
func (s *sampleRow) inLane(lane *tile.Value, rest wide64, pivot *tile.Value) *tile.Value {
	k := s.k
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

// counterOf is the counter of Philox that a row has, of a stream's first one.
func counterOf(first [2]*tile.Value, row *tile.Value) [2]*tile.Value {
	low := row.Cast(dtype.U32).Add(first[0])
	return [2]*tile.Value{low, first[1].Add(low.Lt(first[0]).Cast(dtype.U32))}
}

// random is the random number of a row's counter and a round, which is the third word.
func (s *sampleRow) random(key, counter [2]*tile.Value, round *tile.Value) wide64 {
	words := Philox([4]*tile.Value{counter[0], counter[1], round.Cast(dtype.U32), s.k.Const(dtype.U32, 0)}, key)
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
