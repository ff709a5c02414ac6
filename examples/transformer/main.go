package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"math"
	"slices"
	"time"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
	"github.com/weftgpu/weft/examples/internal/timing"
)

// arguments are the flags.
type arguments struct {
	device, size, elem, text    string
	bits, prompt, tokens, batch int
	temperature                 float64
	seed                        uint64
	given                       []string // the names of the flags that were given
}

func main() {
	var a arguments
	flag.StringVar(&a.device, "device", "", "such as cuda or vulkan:1; the best one if empty")
	flag.StringVar(&a.size, "size", "", "stories, which is trained, tiny, 1b or 8b; by the kind of device if empty")
	flag.StringVar(&a.elem, "dtype", "", "f32, f16 or bf16; by the kind of device if empty")
	flag.IntVar(&a.bits, "bits", 0, "of the weights, 8 or 4; 0 for those of -dtype")
	flag.IntVar(&a.prompt, "prompt", 64, "tokens of the prompt")
	flag.StringVar(&a.text, "text", "Once upon a time", "that stories begins with, in place of -prompt")
	flag.IntVar(&a.tokens, "tokens", 32, "tokens to write, 2 at least")
	flag.IntVar(&a.batch, "batch", 1, "texts that are written at once")
	flag.Float64Var(&a.temperature, "temperature", 0, "of the distribution that tokens are drawn from; 0 for the most probable ones")
	flag.Uint64Var(&a.seed, "seed", 1, "of weights, prompts and tokens")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	flag.Visit(func(f *flag.Flag) { a.given = append(a.given, f.Name) })
	if err := run(a); err != nil {
		log.Fatal(err)
	}
}

// stories is the size of the model that is trained.
const stories = "stories"

// perLayer is how many roundings of a layer add up in the largest of all logits' differences, as a part of the logits' root mean
// square: a step and a pass over the whole text round differently. (8b in f16 on an H100: 7 of them; 1b on a CPU: 6.) Sums of F32
// are in another order, too.
const perLayer, leastRounding = 24, 0x1p-16

// mostTokens are those of all texts together, with their prompts.
const mostTokens = 1 << 24

var elems = map[string]weft.DType{"f32": weft.F32, "f16": weft.F16, "bf16": weft.BF16}

// check refuses flags before weights are made for them.
func (a arguments) check() error {
	_, float := elems[a.elem]
	switch _, known := sizes[a.size]; {
	case !known && a.size != stories:
		return fmt.Errorf("-size %q, want stories, tiny, 1b or 8b", a.size)
	case a.size == stories && slices.Contains(a.given, "prompt"):
		return fmt.Errorf("-prompt %d with -size stories, which begins with -text", a.prompt)
	case a.size != stories && slices.Contains(a.given, "text"):
		return fmt.Errorf("-text %q with -size %s, which has no words: -size stories does", a.text, a.size)
	case !float:
		return fmt.Errorf("-dtype %q, want f32, f16 or bf16", a.elem)
	case a.bits != 0 && a.bits != 4 && a.bits != 8:
		return fmt.Errorf("-bits %d, want 0, 4 or 8", a.bits)
	case a.prompt < 1 || a.tokens < 2 || a.batch < 1:
		return fmt.Errorf("-prompt %d, -tokens %d and -batch %d, want at least 1, 2 and 1", a.prompt, a.tokens, a.batch)
	case a.prompt > mostTokens || a.tokens > mostTokens || a.batch > mostTokens/(a.prompt+a.tokens):
		return fmt.Errorf("-prompt %d, -tokens %d and -batch %d, want at most %d tokens in all texts", a.prompt, a.tokens, a.batch, mostTokens)
	case !(a.temperature >= 0 && a.temperature <= math.MaxFloat32):
		return fmt.Errorf("-temperature %v, want 0 or a positive number", a.temperature)
	}
	return nil
}

func run(a arguments) error {
	dev, err := weft.Open(a.device)
	if err != nil {
		return err
	}
	defer dev.Close()
	if dev.Info().Kind.String() == "gpu" {
		a.size, a.elem = cmp.Or(a.size, "1b"), cmp.Or(a.elem, "f16")
	}
	a.size, a.elem = cmp.Or(a.size, "tiny"), cmp.Or(a.elem, "f32")
	if err := a.check(); err != nil {
		return err
	}
	shape, elem := sizes[a.size], elems[a.elem]
	var m *model
	var words *tokenizer
	if a.size == stories {
		if m, err = readModel(dev, storiesModel, elem, a.bits); err == nil {
			words, err = readTokenizer(storiesTokens, m.vocab)
		}
	} else {
		m, err = newModel(dev, shape, elem, a.bits, a.seed)
	}
	if err != nil {
		return err
	}
	shape = m.size
	parameters, held := m.weights()
	types := a.elem
	if a.bits != 0 {
		types = fmt.Sprintf("%s, matrices in %d bits", a.elem, a.bits)
	}
	fmt.Printf("%v: %s, %d layers of width %d, %s: %.1f million parameters, %.1f MB of weights\n",
		dev, a.size, shape.layers, shape.width, types, float64(parameters)/1e6, float64(held)/1e6)

	var g *generator
	if words != nil {
		ids := words.encode(a.text)
		a.prompt = len(ids)
		g, err = newTexts(m, a.batch, a.prompt, a.tokens, a.seed, func() []int32 { return ids })
	} else {
		g, err = newGenerator(m, a.batch, a.prompt, a.tokens, a.seed)
	}
	if err != nil {
		return err
	}
	g.words = words
	g.temperature = a.temperature
	if err := g.start(); err != nil { // compiles
		return err
	}
	return g.report(a)
}

// report times reading and writing, and checks what was written.
func (g *generator) report(a arguments) error {
	dev := g.m.dev
	took, err := timing.Fastest(dev, func() error { return g.read(g.logits, g.prompt) })
	if err != nil {
		return err
	}
	fmt.Printf("prefill: %d tokens in %v, %.1f tokens/s\n", a.batch*a.prompt, took.Round(time.Microsecond), float64(a.batch*a.prompt)/took.Seconds())

	step, err := g.capture()
	if err != nil {
		return err
	}
	defer step.Close()
	times, err := g.times(a.tokens-1, func() error { return step.Replay() })
	if err != nil {
		return err
	}
	first := times[0]
	times = times[min(1, len(times)-1):] // a driver may compile as it runs the first
	slices.Sort(times)
	took = times[len(times)/2]
	fmt.Printf("decode: %d steps of %d kernels, captured; the first %v, the others %v each (median; the slowest %v), %.1f tokens/s\n",
		a.tokens-1, step.Launches(), first.Round(time.Microsecond), took.Round(time.Microsecond), times[len(times)-1].Round(time.Microsecond), float64(a.batch)/took.Seconds())

	for i := range min(a.batch, 4) {
		ids, err := g.written(i)
		if err != nil {
			return err
		}
		if g.words != nil {
			fmt.Printf("text %d: %s%s\n", i, a.text, g.words.decode(ids))
			continue
		}
		fmt.Printf("tokens of text %d: %v\n", i, ids[:min(len(ids), 12)])
	}
	return g.check()
}

// times are those of n steps, in their order, which follow one another without waiting for the host.
func (g *generator) times(n int, step func() error) ([]time.Duration, error) {
	var events []weft.Event
	for i := range n + 1 {
		if i > 0 {
			if err := step(); err != nil {
				return nil, err
			}
		}
		e, err := g.m.dev.Record()
		if err != nil {
			return nil, err
		}
		defer e.Close()
		events = append(events, e)
	}
	var times []time.Duration
	for i, e := range events[1:] {
		took, err := e.Since(events[i])
		if err != nil {
			return nil, err
		}
		times = append(times, took)
	}
	return times, nil
}

// check compares the logits of the last step with those of one pass over all tokens before it.
func (g *generator) check() error {
	got, err := weft.ToFloats(g.logits)
	if err != nil {
		return err
	}
	if err := g.read(g.logits, g.capacity-1); err != nil {
		return err
	}
	want, err := weft.ToFloats(g.logits)
	if err != nil {
		return err
	}
	d := distance(got, want)
	if bound := perLayer * float64(len(g.m.layers)) * max(g.m.elem.Epsilon(), leastRounding); !(d <= bound) {
		return fmt.Errorf("logits of the last step are %.2g of their size from those of one pass, want at most %.2g", d, bound)
	}
	fmt.Printf("logits of the last step are within %.1e of those of one pass over the text\n", d)
	return nil
}

// distance is the largest difference, as a part of the root mean square of what is wanted.
func distance(got, want []float64) float64 {
	var worst, squares float64
	for i, w := range want {
		worst = max(worst, math.Abs(got[i]-w)) // NaN if one is
		squares += w * w
	}
	return worst / math.Sqrt(squares/float64(len(want)))
}
