package ops

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// SoftmaxConfig is what the kernels of Softmax are built for.
type SoftmaxConfig struct {
	Elem    weft.DType
	Rank    int // dimensions after merging, 2 to 5; the last one holds a row
	Rows    int // rows of one program, a power of two
	Cols    int // elements of a row in one tile, a power of two
	Threads int // of a workgroup; 0 lets the compiler choose
}

// block is the tile that a program works on at a time.
func (cfg SoftmaxConfig) block() []int {
	block := make([]int, cfg.Rank)
	for d := range block {
		block[d] = 1
	}
	block[cfg.Rank-2], block[cfg.Rank-1] = cfg.Rows, cfg.Cols
	return block
}

// SoftmaxKernel holds a whole row in one tile; its views are x and out.
var SoftmaxKernel = weft.NewKernel("softmax", describeSoftmax)

// SoftmaxOnlineKernel walks rows of any length tile by tile, twice: once for the
// largest element and the sum of exponentials, which it corrects whenever it
// meets a larger element, and once to write. Its views are x and out.
var SoftmaxOnlineKernel = weft.NewKernel("softmax_online", describeSoftmaxOnline)

// lowest is where the search for a row's largest element starts. It is finite so
// that rows that begin with -infinity do not meet -inf - -inf; a row of nothing
// else has the sum 0 and becomes 0/0, NaN.
const lowest = -math.MaxFloat32

func describeSoftmax(k *tile.Builder, cfg SoftmaxConfig) {
	x, out, block, at := softmaxViews(k, cfg)
	row := cfg.Rank - 1
	v := x.Load(at...).Cast(dtype.F32)
	e := v.Sub(v.MaxOver(row).Max(lowest)).Exp()
	out.Block(block...).Store(e.Div(e.Sum(row)).Cast(cfg.Elem), at...)
}

func describeSoftmaxOnline(k *tile.Builder, cfg SoftmaxConfig) {
	x, out, block, at := softmaxViews(k, cfg)
	row := cfg.Rank - 1
	load := func(i *tile.Value) *tile.Value {
		at[row] = i
		return x.Load(at...).Cast(dtype.F32)
	}
	steps := k.CDiv(out.Dim(row), cfg.Cols)
	one := cfg.block()
	one[row] = 1
	largest, sum := k.Var(k.Full(dtype.F32, lowest, one...)), k.Var(k.Zeros(dtype.F32, one...))
	for i := range k.Range(steps) {
		v := load(i)
		top := largest.Get().Max(v.MaxOver(row))
		sum.Set(sum.Get().Mul(largest.Get().Sub(top).Exp()).Add(v.Sub(top).Exp().Sum(row)))
		largest.Set(top)
	}
	for i := range k.Range(steps) {
		e := load(i).Sub(largest.Get()).Exp()
		out.Block(block...).Store(e.Div(sum.Get()).Cast(cfg.Elem), at...)
	}
}

// softmaxViews declares what both kernels share: the views, and a grid of one
// program for each block of rows.
func softmaxViews(k *tile.Builder, cfg SoftmaxConfig) (x tile.Block, out *tile.View, block []int, at []tile.Operand) {
	in := k.In("x", cfg.Elem, cfg.Rank)
	out = k.Out("out", cfg.Elem, cfg.Rank)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	block = cfg.block()
	grid := cfg.block()
	grid[cfg.Rank-1] = 0 // a program has whole rows
	return in.Block(block...).Fill(math.Inf(-1)), out, block, k.ProgramTile(out, grid...)
}

// Softmax returns exp(x) / sum(exp(x)) over the last dimension of x, of F32, F16 or
// BF16, computed in F32 and safe from overflow. A row that holds NaN, +infinity or
// nothing but -infinity becomes NaN.
//
// Errors: ErrShape for a tensor without dimensions, ErrUnsupported for other
// element types or more than 5 dimensions that do not merge, ErrClosed.
func Softmax(x *weft.Tensor) (*weft.Tensor, error) {
	if err := checkOperands("softmax", dtype.Type.IsFloat, operand{"x", x}); err != nil {
		return nil, err
	}
	return into(x.Device(), x.DType(), x.Shape(), func(out *weft.Tensor) error { return SoftmaxInto(out, x) })
}

// SoftmaxInto writes the softmax of x over its last dimension into out, which may
// be the very view that is x.
//
// Errors: as for Softmax, and ErrUnsupported if out repeats elements or overlaps x
// without being the same view.
func SoftmaxInto(out, x *weft.Tensor) error {
	if err := checkOperands("softmax", dtype.Type.IsFloat, operand{"x", x}, operand{"out", out}); err != nil {
		return err
	}
	if x.Rank() == 0 {
		return fault.New(weft.ErrShape, "softmax", "a scalar has no rows").For("x")
	}
	if !slices.Equal(out.Shape(), x.Shape()) {
		return fault.New(weft.ErrShape, "softmax", "shape %v, want %v", out.Shape(), x.Shape()).For("out")
	}
	if x.Overlaps(out) && !sameElements(x.Layout(), out.Layout()) {
		return fault.New(weft.ErrUnsupported, "softmax", "out overlaps it and is not the same view").For("x")
	}
	if x.Len() == 0 {
		return nil
	}
	layouts, err := mergedRows(x.Layout(), out.Layout())
	if err != nil {
		return err
	}
	cfg, online := SoftmaxConfigFor(x.Device().Caps(), x.DType(), layouts[1])
	kernel := SoftmaxKernel
	if online {
		kernel = SoftmaxOnlineKernel
	}
	return kernel.LaunchViews(cfg, nil, weft.View{Tensor: x, Layout: layouts[0]}, weft.View{Tensor: out, Layout: layouts[1]})
}

// mergedRows merges all dimensions but the last where they are one run in both
// layouts, which are not empty.
func mergedRows(ls ...layout.Layout) ([]layout.Layout, error) {
	rows := make([]layout.Layout, len(ls))
	last := ls[0].Rank() - 1
	for i, l := range ls {
		rows[i], _ = l.Select(last, 0)
	}
	rows = layout.CoalesceTogether(rows...)
	if rows[0].Rank() > 4 {
		return nil, fault.New(weft.ErrUnsupported, "softmax", "shape %v has more than 5 dimensions that do not merge", ls[0].Shape()).For("x")
	}
	for i, l := range ls {
		shape := append(rows[i].Shape(), l.Size(last))
		strides := append(rows[i].Strides(), l.Stride(last))
		var err error
		if rows[i], err = layout.Strided(shape, strides, l.Offset()); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// softmaxWidest is the longest row that is held in one tile.
func softmaxWidest(caps target.Caps) int {
	if caps.Language == target.TileIR {
		return 1 << 16
	}
	return 8192
}

// SoftmaxConfigFor chooses the config for merged rows, and whether they are so long
// that they take SoftmaxOnlineKernel.
func SoftmaxConfigFor(caps target.Caps, elem weft.DType, rows layout.Layout) (cfg SoftmaxConfig, online bool) {
	last := rows.Rank() - 1
	cfg = SoftmaxConfig{Elem: elem, Rank: rows.Rank(), Cols: pow2.Ceil(rows.Size(last))}
	if widest := softmaxWidest(caps); cfg.Cols > widest {
		cfg.Cols, online = widest/2, true
	}
	area := 1 << 15 // elements of one program
	if caps.Language != target.TileIR {
		area = 1024
		cfg.Threads = min(max(cfg.Cols/8, 128), 256)
		if caps.MaxThreads > 0 {
			cfg.Threads = min(cfg.Threads, pow2.Floor(caps.MaxThreads))
		}
	}
	if !online {
		cfg.Rows = area / cfg.Cols
	}
	cfg.Rows = max(1, min(cfg.Rows, pow2.Ceil(rows.Size(last-1))))
	return cfg, online
}

// SoftmaxBound is the largest error of one element of a row of cols elements whose
// largest and smallest differ by spread, given the exact element: the difference
// to the largest is rounded and scales with the exponential, whose own error is
// that of GPUs' native ones, sums in F32 may go in any order, and the result is
// rounded to the element type, where it may be too small for a normal number.
func SoftmaxBound(elem weft.DType, cols int, spread, element float64) float64 {
	relative := (16+4*spread)*dtype.F32.Epsilon() + sumBound(cols)
	return element*(relative+elem.Epsilon()*(1+relative)) + smallest(elem)
}
