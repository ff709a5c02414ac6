package docs_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// The op of ops.md: the Euclidean norm of each row.

// rowNormConfig is what the kernel of RowNorm is built for.
type rowNormConfig struct {
	Elem    weft.DType
	Cols    int // elements of a row in one tile, a power of two
	Threads int // of a workgroup; 0 lets the compiler choose
}

// rowNormKernel has a program for each row; its views are x and, as a column, out.
var rowNormKernel = weft.NewKernel("row_norm", func(k *tile.Builder, cfg rowNormConfig) {
	x, out := k.In("x", cfg.Elem, 2), k.Out("out", cfg.Elem, 2)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	k.Grid(x.Dim(0))
	row := k.ProgramID(0)
	squares := k.Var(k.Zeros(weft.F32, 1, cfg.Cols))
	for i := range k.Range(k.CDiv(x.Dim(1), cfg.Cols)) {
		v := x.Block(1, cfg.Cols).Load(row, i).Cast(weft.F32)
		squares.Set(v.FMA(v, squares.Get()))
	}
	out.Block(1, 1).Store(squares.Get().Sum(1).Sqrt().Cast(cfg.Elem), row, 0)
})

// rowNormConfigFor is the launch rule.
func rowNormConfigFor(caps target.Caps, elem weft.DType, columns int) rowNormConfig {
	if caps.WholeTiles {
		return rowNormConfig{Elem: elem, Cols: pow2.Ceil(min(columns, 1<<14))}
	}
	threads := caps.FitThreads(256)
	return rowNormConfig{Elem: elem, Cols: pow2.Ceil(min(columns, 4*threads)), Threads: threads}
}

// rowNormSpace lists configs to choose from, the launch rule's first.
func rowNormSpace(caps target.Caps, elem weft.DType, columns int) []rowNormConfig {
	rule := rowNormConfigFor(caps, elem, columns)
	list := []rowNormConfig{rule}
	for threads := 64; threads <= caps.MaxThreads && threads <= 1024; threads *= 2 {
		for perThread := 1; perThread <= 16; perThread *= 2 {
			if cfg := (rowNormConfig{elem, threads * perThread, threads}); cfg != rule && cfg.Cols < 2*columns {
				list = append(list, cfg)
			}
		}
	}
	return list
}

// RowNorm returns the Euclidean norm of each row of x, a matrix of F32, F16 or BF16, as a column.
// Squares are summed in F32.
//
// Errors: ErrShape for another rank, ErrArgument for nil, ErrUnsupported for other element types, ErrClosed.
func RowNorm(x *weft.Tensor) (*weft.Tensor, error) {
	if err := checkRowNorm(x); err != nil {
		return nil, err
	}
	out, err := weft.Empty(x.Device(), x.DType(), x.Dim(0), 1)
	if err != nil {
		return nil, err
	}
	cfg := rowNormConfigFor(x.Device().Caps(), x.DType(), max(x.Dim(1), 1))
	if err := rowNormKernel.Launch(cfg, x, out); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

func checkRowNorm(x *weft.Tensor) error {
	switch {
	case x == nil:
		return fault.New(weft.ErrArgument, "row_norm", "the tensor is nil").For("x")
	case x.Rank() != 2:
		return fault.New(weft.ErrShape, "row_norm", "shape %v, want a matrix", x.Shape()).For("x")
	case !x.DType().IsFloat():
		return fault.New(weft.ErrUnsupported, "row_norm", "element type %v", x.DType()).For("x")
	}
	return nil
}

// rowNormBound is the largest error of the norm of n elements, given the exact one: n roundings of the sum of
// squares in F32 in any order, halved by the root; the root itself, for which GPUs may take 3 units; and one
// rounding to the element type.
func rowNormBound(elem weft.DType, n int, norm float64) float64 {
	f32 := (float64(n)/2 + 4) * weft.F32.Epsilon() * norm
	return f32 + elem.Epsilon()*(norm+f32) + 0x1p-24
}

// Any device and config, odd sizes, any views.
func TestRowNorm(t *testing.T) {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.BF16} {
		for _, shape := range [][2]int{{1, 1}, {3, 7}, {65, 33}, {2, 70_001}, {4, 0}, {0, 4}} {
			rows, columns := shape[0], shape[1]
			data := make([]float64, rows*columns)
			for i := range data {
				data[i] = rng.NormFloat64()
			}
			x := need(weft.FromFloats(dev, elem, data, columns, rows)).T() // a view: the elements of a column are contiguous
			exact, got := need(weft.ToFloats(x)), need(weft.ToFloats(need(RowNorm(x))))
			for row := range rows {
				norm := 0.0
				for _, v := range exact[row*columns : (row+1)*columns] {
					norm = math.Hypot(norm, v)
				}
				if bound := rowNormBound(elem, columns, norm); !(math.Abs(got[row]-norm) <= bound) {
					t.Errorf("%v %v: row %d is %v, want %v within %v", elem, shape, row, got[row], norm, bound)
				}
			}
		}
	}
	for _, bad := range []*weft.Tensor{nil, need(weft.Zeros(dev, weft.F32, 3)), need(weft.Zeros(dev, weft.I32, 3, 3))} {
		if _, err := RowNorm(bad); err == nil {
			t.Errorf("%v is no error", bad)
		}
	}
	for _, name := range []string{"h200", "webgpu"} {
		caps := preset(name)
		for _, cfg := range rowNormSpace(caps, weft.F16, 1000) {
			stagesOf(t, need(rowNormKernel.Build(cfg)), caps, []int{77, 1000}, []int{77, 1}) // it compiles
		}
	}
}
