package weft

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// mapProblem is what the config of a map depends on: its function, by name, and its tensors in merged dimensions. Of the
// inputs the first that crosses the output counts (see crossing), or the first of all.
type mapProblem struct {
	Map       string
	Elem, Out DType
	Inputs    int // that are tensors
	In, To    tune.View
}

func newMapProblem(name string, elem, out DType, layouts []layout.Layout) mapProblem {
	last := len(layouts) - 1
	p := mapProblem{name, elem, out, last, tune.ViewOf(layouts[0]), tune.ViewOf(layouts[last])}
	for _, l := range layouts[:last] {
		if crossing([]layout.Layout{l}) >= 0 {
			p.In = tune.ViewOf(l)
			break
		}
	}
	return p
}

// layouts are some of the input's and the output's kind.
func (p mapProblem) layouts() []layout.Layout {
	in, _, _ := p.In.Layout() // sizes of tensors that there are
	to, _, _ := p.To.Layout()
	return []layout.Layout{in, to}
}

var mapTune = &tune.Space[mapProblem, MapConfig]{
	Op: "map",
	List: func(caps target.Caps, p mapProblem) iter.Seq[MapConfig] {
		return MapConfigs(caps, p.Elem, p.Out, p.layouts()...)
	},
	Legal: func(caps target.Caps, p mapProblem, cfg MapConfig) error {
		if cfg.Elem != p.Elem || cfg.Out != p.Out || cfg.Rank != int(p.To.Rank) || cfg.Numbers != 0 {
			return fmt.Errorf("it is for %v to %v in %d dimensions", cfg.Elem, cfg.Out, cfg.Rank)
		}
		return cfg.legal(caps, crossing(p.layouts()) >= 0)
	},
	Rule: func(caps target.Caps, p mapProblem) MapConfig {
		return MapConfigFor(caps, p.Elem, p.Out, p.layouts()...)
	},
	Work: func(_ target.Caps, p mapProblem, cfg MapConfig) tune.Work { return cfg.work(p) },
	Bucket: func(p mapProblem) mapProblem {
		p.In, p.To = p.In.Bucket(), p.To.Bucket()
		return p
	},
}

// legal says why a config is refused.
func (cfg MapConfig) legal(caps target.Caps, crossed bool) error {
	area := 1
	for d, n := range cfg.Block {
		switch {
		case d >= cfg.Rank && n != 0:
			return fmt.Errorf("a block %v in %d dimensions", cfg.Block, cfg.Rank)
		case d < cfg.Rank && (n <= 0 || n&(n-1) != 0 || n > 1<<16):
			return fmt.Errorf("a side of %d is no power of two up to 2^16", n)
		case d < cfg.Rank:
			area = min(area*n, 1<<20)
		}
	}
	n := cfg.Threads
	switch {
	case caps.Language == target.TileIR && n != 0:
		return fmt.Errorf("%d threads, the interpreter has none", n)
	case caps.Language == target.TileIR && area > 1<<16, caps.Language != target.TileIR && area > 1<<15:
		return fmt.Errorf("a tile of %d elements", area)
	case caps.Language != target.TileIR && (n <= 0 || caps.FitThreads(n) != n || n&(n-1) != 0):
		return fmt.Errorf("%d threads", n)
	case crossed && caps.SharedBytes > 0 && area*sharedBytes(cfg.Elem) > caps.SharedBytes:
		return fmt.Errorf("a tile of %d elements does not fit %d bytes of shared memory", area, caps.SharedBytes)
	}
	return nil
}

// work is what a config makes a machine do.
func (cfg MapConfig) work(p mapProblem) tune.Work {
	programs, area := 1, 1
	for d := range cfg.Rank {
		area *= cfg.Block[d]
		programs *= (p.To.Size[d] + cfg.Block[d] - 1) / cfg.Block[d]
	}
	elements := float64(programs * area)
	w := tune.Work{
		Programs: programs, Threads: cfg.Threads, Flops: 8 * elements,
		Memory: elements * float64(p.Inputs*cfg.Elem.Size()+cfg.Out.Size()),
	}
	w.Cache = w.Memory
	if cfg.Threads > 0 {
		each := max(area/cfg.Threads, 1)
		w.Registers, w.Flight = 16+each*max(p.Inputs, 1), each*cfg.Elem.Size()
		w.Access = min(vectorBytes, each*cfg.Elem.Size(), int(p.To.Align)*cfg.Elem.Size())
	}
	if crossing(p.layouts()) >= 0 {
		w.Staged = 2 * elements * float64(sharedBytes(cfg.Elem))
	}
	return w
}

// config is the config of a call for tensors through merged layouts, the output last.
func (c *mapCall) config(tensors []*Tensor, layouts []layout.Layout) MapConfig {
	last := tensors[len(tensors)-1]
	dev := last.mem.dev
	p := newMapProblem(c.name, c.elem, last.elem, layouts)
	if layouts[len(layouts)-1].Len() == 0 {
		return mapTune.Pick(dev.Caps(), p)
	}
	return mapTune.PickOrTune(dev, p, func() (*tune.Trial[MapConfig], error) { return c.trial(p, tensors, layouts) })
}

// trial makes tensors like those of the call, with numbers of their own, for races of its configs.
func (c *mapCall) trial(p mapProblem, tensors []*Tensor, layouts []layout.Layout) (trial *tune.Trial[MapConfig], err error) {
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
			err = scramble(memory, uint64(i)) // the output, too, for what lies between its elements
		}
		if err != nil {
			return nil, err
		}
		views[i] = TensorView{memory, l}
	}
	words := slices.Clone(c.words)
	run := func(cfg MapConfig) error {
		cfg.Numbers = c.numbers
		return c.Kernel.launchWords(cfg, slices.Clone(words), views)
	}
	out := views[len(views)-1].Tensor
	if err := run(mapTune.Rule(dev.Caps(), p)); err != nil {
		return nil, err
	}
	want, err := keep(out.To(dev))
	if err != nil {
		return nil, err
	}
	check := func(cfg MapConfig) error {
		if err := scramble(out, uint64(len(views)-1)); err != nil {
			return err
		}
		if err := run(cfg); err != nil {
			return err
		}
		return sameBytes(out, want)
	}
	trial = &tune.Trial[MapConfig]{Run: run, Check: check, Close: free}
	if dev.Info().Kind == backend.GPU {
		if t, err := keep(Empty(dev, F32, tune.FlushBytes/4)); err == nil {
			trial.Flush = func() error { return t.Fill(0) }
		}
	}
	return trial, nil
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
