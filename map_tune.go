package weft

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tune"
)

// config is the config of a call for tensors through merged layouts, the output last.
func (c *mapCall) config(tensors []*Tensor, layouts []layout.Layout) elementwise.Config {
	last := tensors[len(tensors)-1]
	dev := last.mem.dev
	p := elementwise.NewProblem(c.name, c.elem, last.elem, layouts)
	if layouts[len(layouts)-1].Len() == 0 {
		return elementwise.Tune.Pick(dev.Caps(), p)
	}
	return elementwise.Tune.PickOrTune(dev, p, func() (*tune.Trial[elementwise.Config], error) { return c.trial(p, tensors, layouts) })
}

// trial makes tensors like those of the call, with numbers of their own, for races of its configs.
func (c *mapCall) trial(p elementwise.Problem, tensors []*Tensor, layouts []layout.Layout) (trial *tune.Trial[elementwise.Config], err error) {
	dev := tensors[0].mem.dev
	var held []*Tensor
	free := func() {
		for _, t := range held {
			t.Close()
		}
	}
	defer func() {
		if err != nil {
			free()
		}
	}()
	keep := func(t *Tensor, err error) (*Tensor, error) {
		if err == nil {
			held = append(held, t)
		}
		return t, err
	}
	views := make([]TensorView, len(tensors))
	for i, t := range tensors {
		l, n, err := tune.ViewOf(layouts[i]).Layout()
		if err != nil {
			return nil, err
		}
		memory, err := keep(Empty(dev, t.elem, n))
		if err == nil {
			err = scramble(memory, uint64(i)) // the output, too, for what is between its elements
		}
		if err != nil {
			return nil, err
		}
		views[i] = TensorView{Tensor: memory, Layout: l}
	}
	words := slices.Clone(c.words)
	t := &mapTrial{views: views, run: func(cfg elementwise.Config) error {
		cfg.Numbers = c.numbers
		return c.Kernel.launchWords(cfg, slices.Clone(words), views)
	}, rule: elementwise.Tune.Rule(dev.Caps(), p)}
	out := t.out()
	if t.want, err = keep(Empty(dev, out.elem, out.Len())); err != nil {
		return nil, err
	}
	if err := t.expect(); err != nil {
		return nil, err
	}
	trial = &tune.Trial[elementwise.Config]{Run: t.run, Check: t.check, Renew: t.renew, Close: free}
	if dev.Info().Kind == backend.GPU {
		if t, err := keep(Empty(dev, F32, tune.FlushBytes/4)); err == nil {
			trial.Flush = func() error { return t.Fill(0) }
		}
	}
	return trial, nil
}

// mapTrial runs a map on views, the output last, and compares with what the rule's config computes.
type mapTrial struct {
	views []TensorView
	run   func(elementwise.Config) error
	rule  elementwise.Config
	want  *Tensor // of the whole memory of the output
	draws uint64  // of the numbers in all views so far
}

func (t *mapTrial) out() *Tensor { return t.views[len(t.views)-1].Tensor }

// start runs a config on an output that holds something else.
func (t *mapTrial) start(cfg elementwise.Config) error {
	if err := scramble(t.out(), uint64(len(t.views)-1)+t.draws); err != nil {
		return err
	}
	return t.run(cfg)
}

// expect computes what the output should be.
func (t *mapTrial) expect() error {
	if err := t.start(t.rule); err != nil {
		return err
	}
	return t.want.CopyFrom(t.out())
}

// renew draws other numbers.
func (t *mapTrial) renew() error {
	t.draws += uint64(len(t.views))
	for i, v := range t.views[:len(t.views)-1] {
		if err := scramble(v.Tensor, uint64(i)+t.draws); err != nil {
			return err
		}
	}
	return t.expect()
}

func (t *mapTrial) check(cfg elementwise.Config) error {
	if err := t.start(cfg); err != nil {
		return err
	}
	return sameBytes(t.out(), t.want)
}

// scramble fills a dense vector with random numbers from -1 to 1, or small integers, that repeat.
func scramble(t *Tensor, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 5))
	x := make([]float64, min(t.Len(), 1<<16+1))
	for i := range x {
		if x[i] = 2*rng.Float64() - 1; !t.elem.IsFloat() {
			x[i] = float64(rng.IntN(2)) // which is in every type
		}
	}
	drawn, err := FromFloats(t.mem.dev, t.elem, x)
	if err != nil {
		return fmt.Errorf("%w: %w", tune.ErrNotNow, err) // no copies from the host while launches are recorded
	}
	defer drawn.Close()
	return t.CopyRepeated(drawn)
}

// sameBytes compares the memory of two dense vectors: all of it, or where that is long pieces at regular distances, both ends among
// them. Element by element configs compute the very same.
func sameBytes(got, want *Tensor) error {
	const piece, pieces = 1 << 16, 64
	total := got.mem.buf.Bytes()
	step := max(piece, (total-piece)/(pieces-1))
	for at := int64(0); at < total; at += step {
		n := min(piece, total-at)
		if at+step >= total {
			at, n = max(0, total-piece), min(piece, total)
		}
		a, b := make([]byte, n), make([]byte, n)
		if err := got.mem.buf.Download(at, a); err != nil {
			return err
		}
		if err := want.mem.buf.Download(at, b); err != nil {
			return err
		}
		if !bytes.Equal(a, b) {
			return fmt.Errorf("%w: in the %d bytes from %d on", tune.ErrWrong, n, at)
		}
	}
	return nil
}
