package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
)

func openServer(t *testing.T, temperature float64, seed uint64) *server {
	t.Helper()
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	m, err := newModel(dev, weft.F32)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(m, temperature, seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.step.Close() })
	return s
}

// drawn are requests of all sizes that a sequence has room for, among them a prompt of one token.
func drawn(rng *rand.Rand, n int) (list []*request) {
	for range n {
		r := &request{prompt: make([]int32, 1+rng.IntN(rng.IntN(40)+1))}
		for i := range r.prompt {
			r.prompt[i] = rng.Int32N(vocab)
		}
		r.most = 1 + rng.IntN(most*pageSize+1-len(r.prompt))
		list = append(list, r)
	}
	return list
}

func TestRun(t *testing.T) {
	if err := run(""); err != nil {
		t.Error(err)
	}
}

// Requests that share steps with others, in pages that had others' rows, get the tokens that they get alone; no page is lost.
func TestTogetherAsAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := openServer(t, 0, 0)
	for _, l := range s.layers { // rows that no sequence has are not seen
		for _, x := range []*weft.Tensor{l.keys, l.values} {
			if err := x.Fill(1e30); err != nil {
				t.Fatal(err)
			}
		}
	}
	list := drawn(rng, 9)
	steps, err := s.serve(list)
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for i, r := range list {
		written += len(r.tokens)
		alone := &request{prompt: r.prompt, most: r.most}
		if _, err := openServer(t, 0, 0).serve([]*request{alone}); err != nil {
			t.Fatal(err)
		}
		if len(r.tokens) != r.most || !slices.Equal(r.tokens, alone.tokens) {
			t.Errorf("request %d of %d tokens: %v, alone %v", i, len(r.prompt), r.tokens, alone.tokens)
		}
	}
	if steps >= written {
		t.Errorf("%d steps for %d tokens", steps, written)
	}
	slices.Sort(s.free)
	if s.free = slices.Compact(s.free); len(s.free) != pages {
		t.Errorf("%d pages are free, of %d", len(s.free), pages)
	}
}

// Each token that a step chooses is the one after all before it when they are read at once.
func TestStepsAsPrompt(t *testing.T) {
	r := &request{prompt: []int32{3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 89, 79, 32, 38, 46, 26, 43}, most: 12}
	if _, err := openServer(t, 0, 0).serve([]*request{r}); err != nil {
		t.Fatal(err)
	}
	s := openServer(t, 0, 0)
	for i := range r.tokens {
		next := &request{prompt: slices.Concat(r.prompt, r.tokens[:i]), most: 1}
		if _, err := s.serve([]*request{next}); err != nil {
			t.Fatal(err)
		}
		if next.tokens[0] != r.tokens[i] {
			t.Errorf("token %d: %d, read at once %d", i, r.tokens[i], next.tokens[0])
		}
	}
	if sorted := slices.Sorted(slices.Values(r.tokens)); len(slices.Compact(sorted)) < 4 {
		t.Errorf("tokens %v are too alike to show a difference", r.tokens)
	}
}

// Drawn tokens are the same for a seed, and others for another one.
func TestDraws(t *testing.T) {
	var texts [3][]int32
	for i, seed := range []uint64{1, 1, 2} {
		r := &request{prompt: []int32{7, 8}, most: 30}
		if _, err := openServer(t, 0.8, seed).serve([]*request{r}); err != nil {
			t.Fatal(err)
		}
		texts[i] = r.tokens
	}
	if !slices.Equal(texts[0], texts[1]) || slices.Equal(texts[0], texts[2]) {
		t.Errorf("by seeds 1, 1 and 2: %v", texts)
	}
}

func TestRefused(t *testing.T) {
	s := openServer(t, 0, 0)
	for _, r := range []*request{{most: 1}, {prompt: []int32{1}}, {prompt: make([]int32, most*pageSize), most: 2}} {
		if _, err := s.serve([]*request{r}); err == nil {
			t.Errorf("a prompt of %d tokens and %d more: no error", len(r.prompt), r.most)
		}
	}
	full := &request{prompt: make([]int32, most*pageSize), most: 1}
	if _, err := s.serve([]*request{full}); err != nil || len(full.tokens) != 1 {
		t.Errorf("a sequence of all its pages: %v, %v", full.tokens, err)
	}
}
