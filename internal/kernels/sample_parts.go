package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Where there are fewer rows than a device has room for, several programs share a row: each has some of its lanes. A round is then two launches, since all programs of
// a row have to know the token before they count what is above it:
//
//	SampleTops    the largest logit of each part
//	SampleSums    the sums of weights of the lanes
//	SampleDraw    the token by these sums, and how many tokens each lane has above it
//	SampleSums    lists these tokens, if the list has room for them; else their sums
//	...
//	SampleRest    goes on alone, where a row's tokens are not listed after that
//	SampleListed  goes on with the list
//
// All programs of a row draw the token, each by itself: to find the part, the lane of that and the place in that takes less than another launch. A launch reads the
// state of a row in one buffer and writes it into another.

// Parts is how many programs share a row.
func (cfg SampleConfig) Parts() int { return sampleLanes / max(cfg.Lanes, 1) }

// samplePart is a part of a row.
type samplePart struct {
	*sampleRow
	parts     *tile.View
	part, row *tile.Value
}

// newPart declares the logits and what each part has a number of, which is the key of its largest logit until a token is drawn, and then how many tokens are above that.
func newPart(k *tile.Builder, cfg SampleConfig, declare func(name string, elem weft.DType, rank int) *tile.View) *samplePart {
	s := &sampleRow{k: k, cfg: cfg, logits: k.In("logits", cfg.Elem, cfg.Rank)}
	parts := declare("parts", dtype.I32, cfg.Rank)
	k.Schedule(tile.Schedule{Threads: cfg.PartThreads})
	row := s.place(parts, nil)
	return &samplePart{s, parts, s.at[cfg.Rank-1].(*tile.Value), row}
}

// numbersOfParts are those of all parts of the row.
func (s *samplePart) numbersOfParts() *tile.Value {
	all := s.one()
	all[s.cfg.Rank-1] = s.cfg.Parts()
	return s.parts.Block(all...).Load(s.element(s.k.Int(0))...).Reshape(s.cfg.Parts())
}

// setNumber stores that of this one.
func (s *samplePart) setNumber(n *tile.Value) { s.parts.Block(s.one()...).Store(n, s.at...) }

// each calls f with all tiles [Depth,Lanes] of the part, and the indices of their elements.
func (s *samplePart) each(f func(v, index *tile.Value)) {
	k, depth, n := s.k, s.cfg.Depth, s.cfg.Lanes
	first := k.Iota(0, depth, n).Mul(sampleLanes).Add(k.Iota(1, depth, n)).Add(s.part.Mul(n))
	for i := range k.Range(k.CDiv(s.logits.Dim(s.cfg.Rank-1), sampleLanes*depth)) {
		index := first.Add(i.Mul(sampleLanes * depth))
		f(s.logits.At(s.element(index)...).Fill(math.Inf(-1)).Gather(), index)
	}
}

// SampleTops is the kernel that finds the key of the largest logit of each part, or that of NaN: views are the logits [...,V] and the numbers of parts [...,P] of I32.
var SampleTops = weft.NewKernel("sample_tops", func(k *tile.Builder, cfg SampleConfig) {
	s := newPart(k, cfg, k.Out)
	top := k.Var(k.Full(dtype.I32, math.MinInt32, cfg.Depth, cfg.Lanes))
	s.each(func(v, _ *tile.Value) { top.Set(top.Get().Maximum(s.key(v))) })
	s.setNumber(top.Get().Reshape(cfg.Depth * cfg.Lanes).Max(0).At(0))
})

// SampleSumsConfig is what SampleSums is built for.
type SampleSumsConfig struct {
	SampleConfig
	First bool // before any token is drawn
}

// SampleSums is the kernel that sums the weights above the last token, or lists those tokens. Its views are the logits, the numbers of parts, if there is a token how many
// are above it in each lane [rows,1024] and the state that SampleDraw leaves, or else with cfg.Stepped the steps; and it writes the sums of parts
// [rows,3,P], of which the last ones are the numbers of tokens, those of lanes [rows,2,1024], the list and a state. Its scalars are the factor and before the first token the
// stream's first counter.
var SampleSums = weft.NewKernel("sample_sums", describeSampleSums)

func describeSampleSums(k *tile.Builder, cfg SampleSumsConfig) {
	s := newPart(k, cfg.SampleConfig, k.In)
	if cfg.First {
		s.first()
		return
	}
	numbers, from := k.In("numbers", dtype.I32, 2), k.In("from", dtype.U32, 2)
	sums, lanes := k.InOut("sums", dtype.U32, 3), k.InOut("lanes", dtype.U32, 3)
	list, state := k.InOut("list", dtype.I32, 2), k.InOut("state", dtype.U32, 2)
	s.scale = k.Scalar("scale", dtype.F32)
	words := s.words(from, s.row)
	pivot := words.integer(wordPivot)
	s.top = words[wordTop].Bitcast(dtype.F32)
	open := words.integer(wordStatus).Eq(sampleOpen)
	parts := s.numbersOfParts()
	count := parts.Sum(0).At(0)
	few := count.Le(cfg.List)
	words[wordStatus] = k.Where(open.And(few), k.Int(sampleListed), words.integer(wordStatus))
	words[wordCount] = k.Where(open, count, words.integer(wordCount))
	k.If(s.part.Eq(0), func() { s.store(state, words[:], s.row) })
	k.If(open.And(few), func() {
		before := k.Where(k.Arange(cfg.Parts()).Lt(s.part), parts, 0).Sum(0).At(0)
		s.list(list, before, numbers.Block(1, cfg.Lanes).Load(s.row, s.part).Reshape(cfg.Lanes), pivot)
	})
	k.If(open.And(few.Not()), func() { s.sum(sums, lanes, pivot) })
}

// first is SampleSums before there is a token.
func (s *samplePart) first() {
	k, cfg := s.k, s.cfg
	var steps *tile.View
	rows := k.Int(1)
	if cfg.Stepped {
		steps = k.In("steps", dtype.I32, cfg.Rank)
		for d := range cfg.Rank - 1 {
			k.Require(steps.Dim(d).Eq(s.parts.Dim(d)))
			rows = rows.Mul(s.parts.Dim(d))
		}
	}
	sums, lanes, state := k.Out("sums", dtype.U32, 3), k.Out("lanes", dtype.U32, 3), k.InOut("state", dtype.U32, 2)
	s.scale = k.Scalar("scale", dtype.F32)
	first := wordScalars(k, "first")
	top := s.numbersOfParts().Max(0).At(0)
	bits := s.setTop(top)
	k.If(s.part.Eq(0), func() {
		if steps != nil {
			first = skipped(first, steps.At(s.element(k.Int(0))...).Gather(), rows)
		}
		r := newRounds(k, k.Where(s.distributed(top), k.Int(sampleOpen), sampleDecided), nil, nil)
		s.store(state, r.words(bits, counterOf(first, s.row), k.Int(0)), s.row)
	})
	s.sum(sums, lanes, k.Int(math.MinInt32))
}

// sum stores the sums of the weights above a pivot, and of the numbers of those.
func (s *samplePart) sum(sums, lanes *tile.View, pivot *tile.Value) {
	k, cfg := s.k, s.cfg
	zeros := func(elem weft.DType) *tile.Var { return k.Var(k.Zeros(elem, cfg.Depth, cfg.Lanes)) }
	hi, lo, numbers := zeros(dtype.U32), zeros(dtype.U32), zeros(dtype.I32)
	s.each(func(v, _ *tile.Value) {
		w, above := s.weight(v, pivot)
		sum := lo.Get().Add(w)
		hi.Set(hi.Get().Add(sum.Lt(w).Cast(dtype.U32)))
		lo.Set(sum)
		numbers.Set(numbers.Get().Add(above.Cast(dtype.I32)))
	})
	r := tile.Reduce([]*tile.Value{hi.Get(), lo.Get(), numbers.Get()}, 0, func(a, b []*tile.Value) []*tile.Value {
		return append(wide64{}.sum(a[:2], b[:2]), a[2].Add(b[2]))
	})
	for i := range 2 {
		lanes.Block(1, 1, cfg.Lanes).Store(r[i].Reshape(1, 1, cfg.Lanes), s.row, i, s.part)
	}
	total, count := wide64{r[0].Reshape(cfg.Lanes), r[1].Reshape(cfg.Lanes)}.over(r[2].Reshape(cfg.Lanes))
	for i, x := range []*tile.Value{total.hi, total.lo, count.Bitcast(dtype.U32)} {
		sums.At(s.row, i, s.part).Scatter(x)
	}
}

// list stores the tokens above a pivot, lane by lane, given how many tokens of other parts go before and how many each lane has.
func (s *samplePart) list(list *tile.View, before, numbers, pivot *tile.Value) {
	k, cfg := s.k, s.cfg
	add := func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{x[0].Add(y[0])} }
	place := k.Var(tile.ScanExclusive([]*tile.Value{numbers}, []tile.Operand{0}, 0, add)[0].Add(before).Reshape(1, cfg.Lanes))
	s.each(func(v, index *tile.Value) {
		above := s.key(v).Gt(pivot)
		one := above.Cast(dtype.I32)
		in := tile.ScanExclusive([]*tile.Value{one}, []tile.Operand{0}, 0, add)[0]
		list.At(s.row, place.Get().Broadcast(cfg.Depth, cfg.Lanes).Add(in)).Mask(above).Scatter(index)
		place.Set(place.Get().Add(one.Sum(0)))
	})
}

// SampleDraw is the kernel that draws a token by the sums. Its views are the logits, the numbers of parts, the sums of parts and lanes and the state that SampleSums leaves,
// and, of rows that are filtered, how many tokens of each lane are above the one that is drawn, and a state, or else out [...,1]. Its scalars are those of Sample without
// the stream's first counter.
var SampleDraw = weft.NewKernel("sample_draw", describeSampleDraw)

func describeSampleDraw(k *tile.Builder, cfg SampleConfig) {
	s := newPart(k, cfg, k.InOut)
	sums, lanes, from := k.In("sums", dtype.U32, 3), k.In("lanes", dtype.U32, 3), k.In("from", dtype.U32, 2)
	var numbers, state, out *tile.View
	if cfg.Filtered {
		numbers, state = k.InOut("numbers", dtype.I32, 2), k.InOut("state", dtype.U32, 2)
	} else {
		out = k.InOut("out", dtype.I32, cfg.Rank)
		for d := range cfg.Rank - 1 {
			k.Require(s.parts.Dim(d).Eq(out.Dim(d)))
		}
	}
	s.scale = k.Scalar("scale", dtype.F32)
	key := wordScalars(k, "key")
	words := s.words(from, s.row)
	s.top = words[wordTop].Bitcast(dtype.F32)
	draw := func(r *sampleRounds, mass wide64) (token *tile.Value) {
		return s.drawn(sums, lanes, r.pivot.Get(), s.random(key, words.counter(), r.round.Get()).mulHi(mass))
	}
	if !cfg.Filtered {
		k.If(s.part.Eq(0), func() {
			r := newRounds(k, words.integer(wordStatus), nil, nil)
			k.If(r.status.Get().Eq(sampleOpen), func() {
				mass, _ := s.total(sums)
				r.drawn.Set(draw(r, mass))
			})
			out.At(s.element(k.Int(0))...).Scatter(r.drawn.Get())
		})
		return
	}
	r := words.rounds(k, k.Scalar("k", dtype.I32), k.Scalar("p", dtype.U32))
	k.If(r.status.Get().Eq(sampleOpen), func() {
		mass, count := s.total(sums)
		r.decide(mass, count, func() (token, key *tile.Value) {
			token = draw(r, mass)
			return token, s.key(s.logits.At(s.element(token)...).Gather())
		})
	})
	k.If(s.part.Eq(0), func() {
		s.store(state, r.words(words[wordTop], words.counter(), words[wordCount]), s.row)
	})
	k.If(r.status.Get().Eq(sampleOpen), func() { s.count(numbers, r.pivot.Get()) })
}

// sums are those of all parts.
func (s *samplePart) sums(sums *tile.View) (w wide64, numbers *tile.Value) {
	n := s.cfg.Parts()
	load := func(i int) *tile.Value { return sums.Block(1, 1, n).Load(s.row, i, 0).Reshape(n) }
	return wide64{load(0), load(1)}, load(2).Bitcast(dtype.I32)
}

func (s *samplePart) total(sums *tile.View) (mass wide64, count *tile.Value) {
	w, numbers := s.sums(sums)
	return w.over(numbers)
}

// drawn is the token at a place among the weights above a pivot.
func (s *samplePart) drawn(sums, lanes *tile.View, pivot *tile.Value, place wide64) *tile.Value {
	n := s.cfg.Lanes
	parts, _ := s.sums(sums)
	part, rest := parts.find(place)
	load := func(i int) *tile.Value { return lanes.Block(1, 1, n).Load(s.row, i, part).Reshape(n) }
	lane, rest := wide64{load(0), load(1)}.find(rest)
	return s.inLane(part.Mul(n).Add(lane), rest, pivot)
}

// count stores how many tokens are above a pivot.
func (s *samplePart) count(numbers *tile.View, pivot *tile.Value) {
	k, cfg := s.k, s.cfg
	n := k.Var(k.Zeros(dtype.I32, cfg.Depth, cfg.Lanes))
	s.each(func(v, _ *tile.Value) { n.Set(n.Get().Add(s.key(v).Gt(pivot).Cast(dtype.I32))) })
	in := n.Get().Sum(0)
	numbers.Block(1, cfg.Lanes).Store(in.Reshape(1, cfg.Lanes), s.row, s.part)
	s.setNumber(in.Reshape(cfg.Lanes).Sum(0).At(0))
}

// SampleRest is the kernel that goes on with rows that are not listed: a program for each. Its views are the logits, the list, the state and out [...,1], and its scalars
// those of SampleDraw.
var SampleRest = weft.NewKernel("sample_rest", func(k *tile.Builder, cfg SampleConfig) {
	s := &sampleRow{k: k, cfg: cfg, logits: k.In("logits", cfg.Elem, cfg.Rank)}
	list, state := k.InOut("list", dtype.I32, 2), k.InOut("state", dtype.U32, 2)
	out := k.InOut("out", dtype.I32, cfg.Rank)
	s.scale = k.Scalar("scale", dtype.F32)
	key := wordScalars(k, "key")
	most, share := k.Scalar("k", dtype.I32), k.Scalar("p", dtype.U32)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	row := s.place(out, nil)
	words := s.words(state, row)
	s.top = words[wordTop].Bitcast(dtype.F32)
	r := words.rounds(k, most, share)
	k.If(r.status.Get().Ne(sampleListed), func() { s.goOn(r, key, words.counter(), words[wordTop], row, list, state, out) })
})
