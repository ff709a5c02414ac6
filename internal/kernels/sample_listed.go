package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Long rows are read once for each round of Sample, though after a few rounds hardly any token is above the last one. So these are listed, in the order in which the
// sum of weights goes, and a second kernel goes on from where the first one was, with the list in registers.

// What is known of a row's token.
const (
	sampleDecided = iota // it is the last one that was drawn, or there is none
	sampleOpen
	sampleListed // the tokens above the last one are listed
)

// The words of a row's state: what is known, the last token's key, the number of the round, the limit of the weights above, the largest logit, the
// counter of random numbers, how many tokens are listed, and the last token.
const (
	wordStatus = iota
	wordPivot
	wordRound
	wordLimit   // two
	wordTop     = wordLimit + 2
	wordCounter = wordTop + 1 // two
	wordCount   = wordCounter + 2
	wordDrawn   = wordCount + 1
	SampleWords = wordDrawn + 1
)

// sampleWords are the words.
type sampleWords [SampleWords]*tile.Value

// words loads those of a row.
func (s *sampleRow) words(state *tile.View, row *tile.Value) (w sampleWords) {
	for i := range w {
		w[i] = state.At(row, i).Gather()
	}
	return w
}

func (w *sampleWords) integer(i int) *tile.Value { return w[i].Bitcast(dtype.I32) }

func (w *sampleWords) counter() [2]*tile.Value {
	return [2]*tile.Value{w[wordCounter], w[wordCounter+1]}
}

// rounds are where they were.
func (w *sampleWords) rounds(k *tile.Builder, most, share *tile.Value) *sampleRounds {
	r := newRounds(k, w.integer(wordStatus), most, share)
	r.pivot.Set(w.integer(wordPivot))
	r.round.Set(w.integer(wordRound))
	r.hi.Set(w[wordLimit])
	r.lo.Set(w[wordLimit+1])
	r.drawn.Set(w.integer(wordDrawn))
	return r
}

// sampleRounds is where the rounds of a row are.
type sampleRounds struct {
	k                                   *tile.Builder
	status, pivot, round, hi, lo, drawn *tile.Var
	most, share                         *tile.Value
}

func newRounds(k *tile.Builder, status, most, share *tile.Value) *sampleRounds {
	none := k.Const(dtype.U32, 0)
	return &sampleRounds{k, k.Var(status), k.Var(k.Int(math.MinInt32)), k.Var(k.Int(0)), k.Var(none), k.Var(none), k.Var(k.Int(-1)), most, share}
}

// decide ends the rounds if the last token is kept, given the weights and the number of those above it, or draws another one.
func (r *sampleRounds) decide(mass wide64, count *tile.Value, draw func() (token, key *tile.Value)) {
	k, first := r.k, r.round.Get().Eq(0)
	all := mass.share(r.share)
	limit := wide64{k.Where(first, all.hi, r.hi.Get()), k.Where(first, all.lo, r.lo.Get())}
	r.hi.Set(limit.hi)
	r.lo.Set(limit.lo)
	few := count.Lt(r.most).And(mass.less(limit).Or(r.share.Eq(0)))
	kept := few.And(first.Not())
	r.status.Set(k.Where(kept, k.Int(sampleDecided), r.status.Get()))
	k.If(kept.Not(), func() {
		token, key := draw()
		r.drawn.Set(token)
		r.pivot.Set(key)
	})
	r.round.Set(r.round.Get().Add(1))
}

// words are the state.
func (r *sampleRounds) words(top *tile.Value, counter [2]*tile.Value, count *tile.Value) []*tile.Value {
	return []*tile.Value{r.status.Get(), r.pivot.Get(), r.round.Get(), r.hi.Get(), r.lo.Get(), top, counter[0], counter[1], count, r.drawn.Get()}
}

// numbers are how many logits of each lane have keys above a pivot.
func (s *sampleRow) numbers(pivot *tile.Value) *tile.Value {
	n := s.k.Var(s.k.Zeros(dtype.I32, sampleLanes))
	s.each(func(v, _ *tile.Value) { n.Set(n.Get().Add(s.key(v).Gt(pivot).Cast(dtype.I32))) })
	return n.Get()
}

// store stores words of a row's state.
func (s *sampleRow) store(state *tile.View, words []*tile.Value, row *tile.Value) {
	for i, w := range words {
		state.At(row, i).Scatter(w.Bitcast(dtype.U32))
	}
}

// list stores the tokens above a pivot, lane by lane, given how many each lane has.
func (s *sampleRow) list(list *tile.View, row, numbers, pivot *tile.Value) {
	k := s.k
	add := func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{x[0].Add(y[0])} }
	place := k.Var(tile.ScanExclusive([]*tile.Value{numbers}, []tile.Operand{0}, 0, add)[0])
	s.each(func(v, number *tile.Value) {
		above := s.key(v).Gt(pivot)
		list.At(row, place.Get()).Mask(above).Scatter(k.Arange(sampleLanes).Add(number.Mul(sampleLanes)))
		place.Set(place.Get().Add(above.Cast(dtype.I32)))
	})
}

// SampleListed is the kernel that goes on where Sample listed tokens: a program for each row. Its views are those of Sample without the steps, and its scalars the
// factor, the words of a stream's key and what filters.
var SampleListed = weft.NewKernel("sample_listed", describeSampleListed)

func describeSampleListed(k *tile.Builder, cfg SampleConfig) {
	s := &sampleRow{k: k, cfg: cfg, logits: k.In("logits", cfg.Elem, cfg.Rank)}
	list, state := k.In("list", dtype.I32, 2), k.In("state", dtype.U32, 2)
	out := k.InOut("out", dtype.I32, cfg.Rank)
	s.scale = k.Scalar("scale", dtype.F32)
	key := wordScalars(k, "key")
	most, share := k.Scalar("k", dtype.I32), k.Scalar("p", dtype.U32)
	k.Schedule(tile.Schedule{Threads: cfg.ListThreads})
	row := s.place(out, nil)
	words := s.words(state, row)
	k.If(words.integer(wordStatus).Eq(sampleListed), func() {
		words[wordStatus] = k.Int(sampleOpen).Bitcast(dtype.U32)
		r := words.rounds(k, most, share)
		s.top = words[wordTop].Bitcast(dtype.F32)
		s.listed(r, list, row, words.integer(wordCount), func(round *tile.Value) wide64 { return s.random(key, words.counter(), round) })
		out.Block(s.one()...).Store(r.drawn.Get(), s.at...)
	})
}

// listed is rounds with the tokens of a list.
func (s *sampleRow) listed(r *sampleRounds, list *tile.View, row, count *tile.Value, random func(round *tile.Value) wide64) {
	k, n := s.k, s.cfg.List
	there := k.Arange(n).Lt(count)
	v := s.logits.At(s.element(list.At(row, k.Arange(n)).Mask(there).Gather())...).Mask(there).Gather()
	keys := k.Where(there, s.key(v), math.MinInt32)
	weights, _ := s.weight(v, k.Int(math.MinInt32))
	for range k.While(func() *tile.Value { return r.status.Get().Eq(sampleOpen) }) {
		above := keys.Gt(r.pivot.Get())
		larger := wide64{k.Zeros(dtype.U32, n), k.Where(above, weights, 0)}
		mass, count := larger.over(above.Cast(dtype.I32))
		r.decide(mass, count, func() (token, key *tile.Value) {
			i, _ := larger.find(random(r.round.Get()).mulHi(mass))
			token = list.At(row, i).Gather()
			return token, s.key(s.logits.At(s.element(token)...).Gather())
		})
	}
}
