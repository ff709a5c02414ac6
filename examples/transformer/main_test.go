package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

const (
	prompt = 19
	tokens = 9
	batch  = 3
)

// The example finds its own results right.
func TestRun(t *testing.T) {
	for _, a := range []arguments{
		{elem: "f32", batch: 1}, {elem: "f16", bits: 4, batch: 3}, {elem: "bf16", bits: 8, batch: 2, temperature: 0.8},
	} {
		a.device, a.size, a.prompt, a.tokens = "cpu", "tiny", prompt, tokens
		if err := run(a); err != nil {
			t.Errorf("%+v: %v", a, err)
		}
	}
	good := arguments{device: "cpu", size: "tiny", elem: "f32", prompt: prompt, tokens: 2, batch: 1}
	for want, spoil := range map[string]func(a *arguments){
		`-size "2b", want`: func(a *arguments) { a.size = "2b" }, `-dtype "i8", want`: func(a *arguments) { a.elem = "i8" }, "-bits 3, want": func(a *arguments) { a.bits = 3 },
		"-prompt 0,": func(a *arguments) { a.prompt = 0 }, "-tokens 1 ": func(a *arguments) { a.tokens = 1 }, "-batch 0, want": func(a *arguments) { a.batch = 0 },
		"-prompt 9223372036854775807,": func(a *arguments) { a.prompt = math.MaxInt }, "-tokens 100000000000 ": func(a *arguments) { a.tokens = 100e9 }, "-batch 1000000000000, want": func(a *arguments) { a.batch = 1e12 },
		"-temperature -1, want": func(a *arguments) { a.temperature = -1 }, "-temperature NaN, want": func(a *arguments) { a.temperature = math.NaN() },
		`-text "a cat" with -size tiny,`: func(a *arguments) { a.text, a.given = "a cat", []string{"text"} }, fmt.Sprintf("-prompt %d with", prompt): func(a *arguments) { a.size, a.given = stories, []string{"prompt"} },
	} {
		a := good
		spoil(&a)
		if err := run(a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error with %q", err, want)
		}
	}
}

// open makes a generator on the CPU.
func open(t *testing.T, elem weft.DType, bits int) *generator {
	t.Helper()
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	m, err := newModel(dev, sizes["tiny"], elem, bits, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGenerator(m, batch, prompt, tokens, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// floats are the logits of a generator.
func (g *generator) floats(t *testing.T) []float64 {
	t.Helper()
	x, err := weft.ToFloats(g.logits)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Every step of decoding gives the logits of a pass over all tokens so far: within 1e-4 of their size in F32, of which sums over
// keys in another order take a part, and 0.02 and 0.1 in F16 and BF16, which round between all ops.
func TestStepsAreLastRows(t *testing.T) {
	for elem, bound := range map[weft.DType]float64{weft.F32: 1e-4, weft.F16: 0.02, weft.BF16: 0.1} {
		g := open(t, elem, 0)
		if err := g.start(); err != nil {
			t.Fatal(err)
		}
		for i := range tokens - 1 {
			if err := g.step(); err != nil {
				t.Fatal(err)
			}
			got := g.floats(t)
			if err := g.read(g.logits, prompt+i+1); err != nil {
				t.Fatal(err)
			}
			if d := distance(got, g.floats(t)); !(d <= bound) {
				t.Errorf("%v, step %d: logits differ by %.2g, want at most %.2g", elem, i, d, bound)
			}
		}
	}
}

// A captured step writes the tokens that a launched one writes, in any order of both.
func TestReplaysAreLaunches(t *testing.T) {
	for _, temperature := range []float64{0, 1.5} {
		var texts [3][]int32
		for way := range texts {
			g := open(t, weft.F32, 0)
			g.temperature = temperature
			if err := g.start(); err != nil {
				t.Fatal(err)
			}
			recording, err := g.capture()
			if err != nil {
				t.Fatal(err)
			}
			for i := range tokens - 1 {
				if way == 0 || way == 1 && i%2 == 0 {
					err = g.step()
				} else {
					err = recording.Replay()
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			for i := range batch {
				ids, err := g.written(i)
				if err != nil {
					t.Fatal(err)
				}
				texts[way] = append(texts[way], ids...)
			}
			if err := recording.Close(); err != nil {
				t.Error(err)
			}
		}
		if !slices.Equal(texts[0], texts[1]) || !slices.Equal(texts[0], texts[2]) {
			t.Errorf("temperature %v: launched %v, in turn %v, replayed %v", temperature, texts[0], texts[1], texts[2])
		}
		seen := slices.Clone(texts[0])
		slices.Sort(seen)
		if n := len(slices.Compact(seen)); n < batch*tokens/2 {
			t.Errorf("temperature %v: %d different tokens, too few to show a difference: %v", temperature, n, texts[0])
		}
	}
}

// Quantised weights give the logits of the numbers that they stand for, within 1e-4 of their size in F32 and 0.02 in F16, which
// rounds sums of another order.
func TestQuantised(t *testing.T) {
	for _, bits := range []int{4, 8} {
		for elem, bound := range map[weft.DType]float64{weft.F32: 1e-4, weft.F16: 0.02} {
			g := open(t, elem, bits)
			whole := *g.m
			whole.layers = slices.Clone(g.m.layers)
			matrices := []*matrix{&whole.head}
			for i := range whole.layers {
				matrices = append(matrices, whole.layers[i].matrices()...)
			}
			for _, w := range matrices {
				dense, err := ops.Dequantize(w.low.T(), elem)
				if err != nil {
					t.Fatal(err)
				}
				*w = matrix{dense: dense}
			}
			if err := g.read(g.logits, prompt); err != nil {
				t.Fatal(err)
			}
			got := g.floats(t)
			g.m = &whole
			if err := g.read(g.logits, prompt); err != nil {
				t.Fatal(err)
			}
			if d := distance(got, g.floats(t)); !(d <= bound) {
				t.Errorf("%v in %d bits: logits differ by %.2g, want at most %.2g", elem, bits, d, bound)
			}
		}
	}
}
