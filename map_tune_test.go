package weft_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// addMap and shared layouts for the tests below.
var addMap = weft.NewMap("add", []string{"a", "b"}, func(in []*tile.Value) *tile.Value { return in[0].Add(in[1]) })

func mapLayouts(t *testing.T) map[string][]layout.Layout {
	l, err := layout.Contiguous(300, 500)
	if err != nil {
		t.Fatal(err)
	}
	m, err := layout.Contiguous(500, 300)
	if err != nil {
		t.Fatal(err)
	}
	flat, err := layout.Contiguous(100_003)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]layout.Layout{"dense": {flat, flat, flat}, "crossed": {l, m.Transpose(), l}}
}

// What is legal, the compiler accepts, the rule's choice among it.
func TestLegalMapConfigsCompile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for name, layouts := range mapLayouts(t) {
		for _, preset := range target.Presets() {
			for _, elem := range []weft.DType{weft.F32, weft.F16, weft.U8} {
				p := elementwise.NewProblem("add", elem, elem, layouts)
				ranked, rule := elementwise.Tune.Rank(preset.Caps, p), elementwise.Tune.Rule(preset.Caps, p)
				if err := elementwise.Tune.Legal(preset.Caps, p, rule); err != nil || len(ranked) < 3 {
					t.Errorf("%s on %s: %d configs; %+v: %v", name, preset.Name, len(ranked), rule, err)
					continue
				}
				for _, cfg := range []elementwise.Config{rule, ranked[rng.IntN(len(ranked))]} {
					k, err := addMap.Kernel.Build(cfg)
					if err == nil {
						facts := axis.FactsOf(layouts, []int{0, 1, 2})
						_, err = compile.Emit(k, facts, preset.Caps)
					}
					if err != nil {
						t.Errorf("%s on %s: %+v: %v", name, preset.Name, cfg, err)
					}
				}
			}
		}
	}
}

// Maps are raced like ops: with numbers among their inputs, in place, and crossed.
func TestMapsAreRaced(t *testing.T) {
	t.Setenv("WEFT_CACHE", "off")
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	races := 0
	defer tune.Auto(context.Background(), tune.Options{Exact: true, Again: true, Trials: 4, Done: func(e tune.Entry) {
		if e.Op == "map" {
			races++
		}
	}})()
	x, err := weft.Full(dev, weft.I32, 3, 90, 70)
	if err != nil {
		t.Fatal(err)
	}
	turned, err := weft.Full(dev, weft.I32, 4, 70, 90)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		in   []weft.TensorOrNumber
		want int32
	}{"numbers": {[]weft.TensorOrNumber{x, 5}, 8}, "crossed": {[]weft.TensorOrNumber{x, turned.T()}, 7}, "itself": {[]weft.TensorOrNumber{x, x}, 6}} {
		before := races
		y, err := addMap.Apply(c.in...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := weft.ToSlice[int32](y)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if v != c.want {
				t.Fatalf("%s: element %d is %d, want %d", name, i, v, c.want)
			}
		}
		if races == before {
			t.Errorf("%s: no race", name)
		}
	}
	if err := addMap.Into(x, x, 1); err != nil {
		t.Fatal(err)
	}
	if got, err := weft.ToSlice[int32](x); err != nil || got[0] != 4 || got[len(got)-1] != 4 {
		t.Errorf("in place: %v, %v", got[0], err)
	}
}
