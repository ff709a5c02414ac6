package measure

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// probes are the works that measure a roofline, for arithmetic in units.
func probes(s suite.Size, caps target.Caps, units []string) []suite.Work {
	n := [...]int{1 << 27, 1 << 22, 1 << 12}[s]
	list := []suite.Work{copyProbe(n), sumProbe(n)}
	if slices.Contains(units, "f32") {
		list = append(list, fmaProbe(s))
	}
	for _, unit := range units {
		list = append(list, dotProbe(s, caps, unit))
	}
	return list
}

var copyMap = weft.NewMap("copy", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0] })

// copyProbe reads and writes a vector.
func copyProbe(n int) suite.Work {
	x := suite.Operand{Elem: weft.F32, Shape: []int{n}}
	return suite.Work{
		Name: "copy", Inputs: []suite.Operand{x}, Output: x, Bytes: 2 * x.Bytes(),
		Run:  func(out *weft.Tensor, in []*weft.Tensor) error { return copyMap.Into(out, in[0]) },
		Want: func(in []suite.Values, i int) (want, bound float64) { return in[0](i), 0 },
	}
}

// sumProbe reads a matrix of rows of 4096 numbers, and writes little.
func sumProbe(n int) suite.Work {
	x, y := suite.Operand{Elem: weft.F32, Shape: []int{n / 4096, 4096}}, suite.Operand{Elem: weft.F32, Shape: []int{n / 4096}}
	return suite.Work{
		Name: "sum", Inputs: []suite.Operand{x}, Output: y, Bytes: x.Bytes() + y.Bytes(), Terms: 4096,
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.SumInto(out, in[0], ops.Axis(1)) },
		Want: func(in []suite.Values, i int) (want, bound float64) {
			magnitudes := 0.0
			for j := range 4096 {
				x := in[0](i*4096 + j)
				want += x
				magnitudes += math.Abs(x)
			}
			return want, bounds.Sum(weft.F32, 4096, want, magnitudes)
		},
	}
}

// fmaConfig is how the kernel of multiply-adds works: on tiles of so many elements, with as many loops of unrolled steps.
type fmaConfig struct{ Tile, Loops, Threads int }

const unrolled = 16

// fmaKernel repeats x = x/2 + 1/2, which ends at 1, on independent elements in registers.
var fmaKernel = weft.NewKernel("fma_probe", func(k *tile.Builder, cfg fmaConfig) {
	x, out := k.In("x", weft.F32, 1), k.Out("out", weft.F32, 1)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(out, cfg.Tile)
	v := k.Var(x.Block(cfg.Tile).Load(at...))
	for range k.Range(cfg.Loops) {
		step := v.Get()
		for range unrolled {
			step = step.FMA(0.5, 0.5)
		}
		v.Set(step)
	}
	out.Block(cfg.Tile).Store(v.Get(), at...)
})

func fmaProbe(s suite.Size) suite.Work {
	x := suite.Operand{Elem: weft.F32, Shape: []int{[...]int{1 << 22, 1 << 18, 1 << 12}[s]}}
	cfg := fmaConfig{Tile: 2048, Loops: [...]int{256, 16, 4}[s], Threads: 256}
	return suite.Work{
		Name: "fma f32", Inputs: []suite.Operand{x}, Output: x, Unit: "f32",
		Flop: 2 * float64(x.Len()) * float64(cfg.Loops*unrolled), Bytes: 2 * x.Bytes(),
		Run:  func(out *weft.Tensor, in []*weft.Tensor) error { return fmaKernel.Launch(cfg, in[0], out) },
		Want: func([]suite.Values, int) (want, bound float64) { return 1, 1e-6 },
	}
}

// dotConfig is how the kernel of products works: in tiles as the op's rule chooses them for large matrices.
type dotConfig struct {
	Elem, Out       weft.DType
	BM, BN, BK      int
	Threads, Stages int
	Precision       tile.Precision
	Loops           int
}

// dotKernel multiplies the same blocks of a [BM,2·BK] and b [2·BK,BN] alternately, which caches hold, for every tile of out.
var dotKernel = weft.NewKernel("dot_probe", func(k *tile.Builder, cfg dotConfig) {
	a, b, out := k.In("a", cfg.Elem, 2), k.In("b", cfg.Elem, 2), k.Out("out", cfg.Out, 2)
	k.Schedule(tile.Schedule{Threads: cfg.Threads, Stages: cfg.Stages})
	at := k.ProgramTile(out, cfg.BM, cfg.BN)
	sum := k.Var(k.Zeros(cfg.Out, cfg.BM, cfg.BN))
	for i := range k.Range(cfg.Loops) {
		half := i.And(1)
		sum.Set(tile.Dot(a.Block(cfg.BM, cfg.BK).Load(0, half), b.Block(cfg.BK, cfg.BN).Load(half, 0), sum.Get(), cfg.Precision))
	}
	out.Block(cfg.BM, cfg.BN).Store(sum.Get(), at...)
})

func dotProbe(s suite.Size, caps target.Caps, unit string) suite.Work {
	cfg := dotConfig{Out: weft.F32, Loops: [...]int{128, 16, 4}[s]}
	draw := suite.Draw{}
	switch unit {
	case "f32":
		cfg.Elem = weft.F32
	case "tf32":
		cfg.Elem, cfg.Precision = weft.F32, tile.TF32
	case "tf32x3":
		cfg.Elem, cfg.Precision = weft.F32, tile.TF32x3
	case "f16":
		cfg.Elem, cfg.Precision = weft.F16, tile.Float32Accumulate
	case "bf16":
		cfg.Elem, cfg.Precision = weft.BF16, tile.Float32Accumulate
	case "i8":
		cfg.Elem, cfg.Out, draw = weft.I8, weft.I32, suite.Draw{Lo: -128, Hi: 128}
	}
	side := [...]int{4096, 512, 64}[s]
	tiles := kernels.MatMulConfigFor(caps, cfg.Elem, side, side, side)
	cfg.BM, cfg.BN, cfg.BK, cfg.Threads, cfg.Stages = tiles.BM, tiles.BN, tiles.BK, tiles.Threads, tiles.Stages
	a, b := suite.Operand{Elem: cfg.Elem, Shape: []int{cfg.BM, 2 * cfg.BK}, Draw: draw}, suite.Operand{Elem: cfg.Elem, Shape: []int{2 * cfg.BK, cfg.BN}, Draw: draw}
	out := suite.Operand{Elem: cfg.Out, Shape: []int{max(side, cfg.BM), max(side, cfg.BN)}}
	terms := cfg.Loops * cfg.BK
	return suite.Work{
		Name: "dot " + unit, Inputs: []suite.Operand{a, b}, Output: out, Unit: unit, Terms: 2 * cfg.BK,
		Flop: 2 * float64(out.Len()) * float64(terms), Bytes: out.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return dotKernel.Launch(cfg, in[0], in[1], out) },
		Want: func(in []suite.Values, i int) (want, bound float64) {
			row, column, magnitudes := i/out.Shape[1]%cfg.BM, i%out.Shape[1]%cfg.BN, 0.0
			for k := range 2 * cfg.BK {
				x := in[0](row*2*cfg.BK+k) * in[1](k*cfg.BN+column) * float64(cfg.Loops/2)
				want += x
				magnitudes += math.Abs(x)
			}
			if cfg.Elem == weft.I8 {
				return want, 0
			}
			return want, bounds.MatMul(weft.F32, cfg.Precision, terms, want, magnitudes)
		},
	}
}
