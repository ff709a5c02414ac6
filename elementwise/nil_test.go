package elementwise

import (
	"errors"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// machines are a GPU, the interpreter, and nothing that is known.
var machines = []target.Caps{{Language: target.CUDA, MaxThreads: 1024, SharedBytes: 48 << 10, Registers: 255}, {Language: target.TileIR, WholeTiles: true}, {}}

// Without layouts there is nothing to merge, to cross or to copy, and the config is that of a scalar.
func TestNoLayouts(t *testing.T) {
	if got := Merge(nil); got != nil {
		t.Errorf("no layouts merge into %v", got)
	}
	if d := Crossing(nil); d != -1 {
		t.Errorf("no layouts cross along dimension %d", d)
	}
	if p := NewProblem("m", dtype.F32, dtype.F32, nil); p.Inputs != 0 || p.In != p.To {
		t.Errorf("the problem of no layouts is %+v", p)
	}
	for _, caps := range machines {
		for _, elem := range []dtype.Type{dtype.Invalid, dtype.F32} {
			if got, want := ConfigFor(caps, elem, elem), ConfigFor(caps, elem, elem, layout.Layout{}); got != want {
				t.Errorf("the config of no layouts is %+v, want that of a scalar: %+v", got, want)
			}
			for cfg := range Configs(caps, elem, elem) {
				if cfg.Rank != 0 {
					t.Errorf("a config of no layouts has %d dimensions", cfg.Rank)
				}
			}
			if _, _, ok := Squares(caps, elem, nil); ok {
				t.Error("no layouts consist of squares")
			}
			if _, _, ok := Squares(caps, elem, make([]layout.Layout, 1)); ok {
				t.Error("one layout consists of squares")
			}
		}
	}
}

// What is no dimension of a layout, or no number of elements to a word, gives no layout of words.
func TestWordsOfNothing(t *testing.T) {
	rows, err := layout.Contiguous(4, 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]int{{-1, 2}, {2, 2}, {1, 0}, {1, -2}, {1, 3}} {
		if l, ok := Words(rows, c[0], c[1]); ok || !l.Equal(rows) {
			t.Errorf("words of %d elements along dimension %d: %v, %v", c[1], c[0], l, ok)
		}
	}
	if _, ok := Words(layout.Layout{}, 0, 2); ok {
		t.Error("a scalar has words of 2 elements")
	}
	if l, ok := Halves(layout.Layout{}); !ok || l.Len() != 2 {
		t.Errorf("the halves of a scalar are %v, %v", l, ok)
	}
}

// A config that is zero or of no rank is an error of the kernel.
func TestPoorConfigs(t *testing.T) {
	for _, describe := range []func(*tile.Builder, Config){DescribeCopy, DescribeCopySquares} {
		for _, cfg := range []Config{{}, {Rank: -1}, {Rank: MaxRank + 1}, {Elem: dtype.F32, Out: dtype.F32, Rank: 1}} {
			if _, err := tile.Build("copy", func(k *tile.Builder) { describe(k, cfg) }); !errors.Is(err, fault.ErrKernel) && !errors.Is(err, fault.ErrShape) {
				t.Errorf("%+v: %v, want ErrKernel or ErrShape", cfg, err)
			}
		}
	}
	for _, caps := range machines {
		for _, cfg := range []Config{{}, {Rank: -1}, {Rank: MaxRank + 1}, {Rank: 2}} {
			if err := Tune.Legal(caps, Problem{}, cfg); cfg.Rank != 0 && err == nil {
				t.Errorf("%+v is legal for a problem of nothing", cfg)
			}
		}
		Tune.Work(caps, Problem{}, Tune.Rule(caps, Problem{}))
		Tune.Work(caps, Problem{}, Config{Rank: 2})
	}
}
