package main

import (
	"cmp"
	"math/rand/v2"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// advance writes the tokens into the texts, and moves on to the next position: what the host does otherwise.
var advance = weft.NewKernel("advance", func(k *tile.Builder, block int) {
	ids, texts := k.In("ids", weft.I32, 1), k.InOut("texts", weft.I32, 2)
	positions, lengths := k.InOut("positions", weft.I32, 1), k.InOut("lengths", weft.I32, 1)
	at := k.ProgramTile(ids, block)
	next := positions.Block(block).Load(at...).Add(1)
	texts.At(ids.Block(block).Indices(0, at[0]), next).Scatter(ids.Block(block).Load(at...))
	positions.Block(block).Store(next, at...)
	lengths.Block(block).Store(next.Add(1), at...)
})

// generator is a model that writes texts.
type generator struct {
	scope
	prompt, capacity int
	temperature      float64    // 0 for the most probable token
	words            *tokenizer // nil if tokens mean nothing
	stream           ops.Stream // of random numbers, used further with each position

	texts     *weft.Tensor // [batch,capacity] of I32: the prompts, and what follows them
	ids       *weft.Tensor // [batch]: the newest tokens, whose keys are not in the caches yet
	positions *weft.Tensor // [batch]: theirs
	lengths   *weft.Tensor // [batch]: how many keys there are with theirs
	zeros     *weft.Tensor // [batch]: the positions of whole texts
	logits    *weft.Tensor // [batch,vocab] of F32, so that they are seldom equal
	caches    []*weft.Tensor
	one       *buffers // of one row
	oneAt     place
	oneCaches []cache
}

// newGenerator draws prompts for a batch, with room for some more tokens.
func newGenerator(m *model, batch, prompt, tokens int, seed uint64) (*generator, error) {
	rng := rand.New(rand.NewPCG(seed, 3))
	drawn := make([]int32, prompt)
	return newTexts(m, batch, prompt, tokens, seed, func() []int32 {
		for i := range drawn {
			drawn[i] = rng.Int32N(int32(m.vocab))
		}
		return drawn
	})
}

// newTexts makes texts of a batch that begin with given tokens, with room for some more.
func newTexts(m *model, batch, prompt, tokens int, seed uint64, given func() []int32) (*generator, error) {
	g := &generator{scope: scope{m: m}, prompt: prompt, capacity: prompt + tokens, stream: ops.Stream{Seed: seed + 1}}
	texts := make([]int32, batch*g.capacity)
	for i := range batch {
		copy(texts[i*g.capacity:], given())
	}
	g.texts = g.keep(weft.FromSlice(m.dev, texts, batch, g.capacity))
	for _, t := range []**weft.Tensor{&g.ids, &g.positions, &g.lengths, &g.zeros} {
		*t = g.keep(weft.Zeros(m.dev, weft.I32, batch))
	}
	g.logits = g.keep(weft.Empty(m.dev, weft.F32, batch, m.vocab))
	g.one = g.buffers(batch, 1)
	for range m.layers {
		both := g.keep(weft.Zeros(m.dev, m.elem, batch, 2*m.groups, g.capacity, m.headSize))
		g.caches = append(g.caches, both)
		g.oneCaches = append(g.oneCaches, g.cache(both, g.capacity))
	}
	g.oneAt = place{g.positions, []ops.AttentionOption{ops.KeyLengths(g.lengths)}}
	return g, g.err
}

// read computes the logits of what follows the first n tokens of the texts, and fills the caches.
func (g *generator) read(logits *weft.Tensor, n int) error {
	s := scope{m: g.m}
	defer s.close()
	b := s.buffers(g.ids.Dim(0), n)
	var caches []cache
	for _, c := range g.caches {
		caches = append(caches, s.cache(c, n))
	}
	ids := s.slice(g.texts, 1, 0, n)
	if s.err != nil {
		return s.err
	}
	return g.m.forward(logits, ids, b, caches, place{g.zeros, []ops.AttentionOption{ops.Causal()}})
}

// start reads the prompts and chooses the first tokens.
func (g *generator) start() error {
	return cmp.Or(
		g.read(g.logits, g.prompt),
		g.positions.Fill(g.prompt-1),
		g.lengths.Fill(g.prompt),
		g.choose(g.ids),
		g.moveOn(g.ids),
	)
}

// next computes the logits of what follows the newest tokens.
func (g *generator) next(ids *weft.Tensor) error {
	row, err := ids.Unsqueeze(1)
	if err != nil {
		return err
	}
	defer row.Close()
	return g.m.forward(g.logits, row, g.one, g.oneCaches, g.oneAt)
}

// choose scope tokens of logits.
func (g *generator) choose(ids *weft.Tensor) error {
	if g.temperature == 0 {
		return ops.ArgMaxInto(ids, g.logits, ops.Axis(1))
	}
	return ops.SampleInto(ids, g.logits, g.stream, ops.Temperature(g.temperature), ops.SampleSteps(g.positions))
}

// moveOn appends the tokens to the texts.
func (g *generator) moveOn(ids *weft.Tensor) error {
	return advance.Launch(32, ids, g.texts, g.positions, g.lengths)
}

// step is a step of decoding, launched op by op.
func (g *generator) step() error {
	return cmp.Or(g.next(g.ids), g.choose(g.ids), g.moveOn(g.ids))
}

// capture records a step of decoding. It begins with ids, which is all that the recorder has to be told: what
// recorded launches write is the recorder's, too.
func (g *generator) capture() (*weft.Recording, error) {
	return g.m.dev.Capture(func(rec *weft.Recorder) error {
		ids := rec.Use(g.ids)
		return cmp.Or(g.next(ids), g.choose(ids), g.moveOn(ids))
	})
}

// written are the tokens after the prompt of a text.
func (g *generator) written(batch int) ([]int32, error) {
	all, err := weft.ToSlice[int32](g.texts)
	if err != nil {
		return nil, err
	}
	return all[batch*g.capacity+g.prompt : (batch+1)*g.capacity], nil
}
