package lower

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// affine combines maps x ↦ a·x + b: associative and not commutative.
func affine(x, y []*tile.Value) []*tile.Value {
	return []*tile.Value{x[0].Mul(y[0]), y[0].Mul(x[1]).Add(y[1])}
}

// online combines maxima and sums of exponentials relative to them.
func online(x, y []*tile.Value) []*tile.Value {
	top := x[0].Maximum(y[0])
	return []*tile.Value{top, x[1].Mul(x[0].Sub(top).Exp()).Add(y[1].Mul(y[0].Sub(top).Exp()))}
}

// welford combines counts, means and sums of squares of deviations.
func welford(x, y []*tile.Value) []*tile.Value {
	n := x[0].Add(y[0])
	delta := y[1].Sub(x[1])
	share := y[0].Div(n)
	return []*tile.Value{n, x[1].Add(delta.Mul(share)), x[2].Add(y[2]).Add(delta.Mul(delta).Mul(x[0]).Mul(share))}
}

// combineCase is a kernel's description from a tile [rows, columns] to one that
// broadcasts to that shape.
type combineCase struct {
	name string
	elem dtype.Type
	tol  float64
	f    func(k *tile.Builder, v *tile.Value, axis int) *tile.Value
}

func runCombines(t *testing.T, cases []combineCase, shapes [][3]int) {
	for _, s := range shapes {
		rows, columns, threads := s[0], s[1], s[2]
		for axis := range 2 {
			for i, c := range cases {
				k := axistest.Build(t, "combine", func(k *tile.Builder) {
					k.Schedule(tile.Schedule{Threads: threads})
					k.Grid(1)
					x, y := k.In("x", c.elem, 2), k.Out("y", c.elem, 2)
					y.Block(rows, columns).Store(c.f(k, x.Block(rows, columns).Load(0, 0), axis), 0, 0)
				})
				form := []string{"rows", "columns", "odd offset"}[i%3]
				t.Run(fmt.Sprintf("%s/%v axis %d/%s", c.name, s, axis, form), func(t *testing.T) {
					l := matrices(t, max(1, rows-1), max(1, columns-3))[form]
					_, h := l.Bounds()
					differential(t, k, []int{h + 1, h + 1}, []tensor{{l, 0}, {l, 1}}, false, c.tol)
				})
			}
		}
	}
}

var combineShapes = [][3]int{{8, 16, 1}, {16, 16, 8}, {4, 64, 64}, {64, 8, 128}, {1, 256, 256}, {16, 8, 512}}

func TestReduce(t *testing.T) {
	t.Parallel()
	runCombines(t, []combineCase{
		{"prod", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value { return v.Or(1).Prod(axis) }},
		{"prod of i8", dtype.I8, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value { return v.Or(1).Prod(axis) }},
		{"any", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			return k.Where(v.Gt(90).Any(axis), v.Maximum(0), 7)
		}},
		{"all", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			return k.Where(v.Gt(-97).All(axis), v.Maximum(0), 7)
		}},
		{"argmax", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value { return v.Shr(4).ArgMax(axis) }},
		{"argmin", dtype.F32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			return v.Mul(2).Floor().ArgMin(axis).Cast(dtype.F32)
		}},
		{"argmax of bf16", dtype.BF16, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			return v.ArgMax(axis).Cast(dtype.BF16)
		}},
		{"online", dtype.F32, 1e-5, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			r := tile.Reduce([]*tile.Value{v, k.Full(dtype.F32, 1, v.Type().Shape...)}, axis, online)
			return v.Sub(r[0]).Exp().Div(r[1])
		}},
		{"welford", dtype.F32, 1e-5, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			r := tile.Reduce([]*tile.Value{k.Full(dtype.F32, 1, v.Type().Shape...), v, k.Zeros(dtype.F32, v.Type().Shape...)}, axis, welford)
			return v.Sub(r[1]).Mul(r[2].Div(r[0]).Add(1e-3).Rsqrt())
		}},
		{"scalar from outside", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			n := k.Float(3).Cast(dtype.I32).Add(k.ProgramID(0))
			return tile.Reduce([]*tile.Value{v}, axis, func(x, y []*tile.Value) []*tile.Value {
				return []*tile.Value{x[0].Add(y[0]).Add(n)}
			})[0]
		}},
	}, combineShapes)
}

// Threads that exchange totals through shared memory take no more of it than there is, however many runs they have and numbers these combine.
func TestScanFitsSharedMemory(t *testing.T) {
	t.Parallel()
	const n, threads = 1 << 13, 512 // several runs a thread, whose totals are of two numbers
	line, err := layout.Contiguous(n)
	if err != nil {
		t.Fatal(err)
	}
	k := axistest.Build(t, "scan", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads})
		k.Grid(1)
		x, y := k.In("x", dtype.I32, 1), k.Out("y", dtype.I32, 1)
		v := x.Block(n).Load(0)
		y.Block(n).Store(tile.Scan([]*tile.Value{v, v.Xor(99)}, 0, affine)[1], 0)
	})
	for _, bytes := range []int{8 << 10, 16 << 10, 32 << 10} {
		targets := map[string]target.Caps{"wgsl": {Language: target.WGSL, MaxThreads: threads, SharedBytes: bytes}}
		for _, c := range cases(t, targets, k, []int{n, n}, []tensor{{line, 0}, {line, 1}}, false, 0) {
			if err := c.run(c.kernel); err != nil {
				t.Errorf("%d bytes: %v", bytes, err)
			}
		}
	}
}

func TestScan(t *testing.T) {
	t.Parallel()
	runCombines(t, []combineCase{
		{"sum", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value { return v.CumSum(axis) }},
		{"exclusive sum", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value { return v.CumSum(axis, tile.Exclusive) }},
		{"sum of f32", dtype.F32, 1e-5, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value { return v.CumSum(axis) }},
		{"prod of u8", dtype.U8, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value { return v.Or(1).CumProd(axis) }},
		{"exclusive max of f16", dtype.F16, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value { return v.CumMax(axis, tile.Exclusive) }},
		{"max of i8", dtype.I8, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			return v.CumMax(axis).Maximum(v.CumMax(axis, tile.Exclusive).Add(1))
		}},
		{"reverse sum", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value { return v.CumSum(axis, tile.Reverse) }},
		{"reverse exclusive min", dtype.I8, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			return v.CumMin(axis, tile.Reverse, tile.Exclusive).Minimum(v.CumMin(axis))
		}},
		{"reverse affine", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			return tile.Scan([]*tile.Value{v, v.Xor(99)}, axis, affine, tile.Reverse)[1]
		}},
		{"reverse exclusive affine", dtype.U32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			return tile.ScanExclusive([]*tile.Value{v, v.Xor(99)}, []tile.Operand{1, 0}, axis, affine, tile.Reverse)[1]
		}},
		{"affine", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			return tile.Scan([]*tile.Value{v, v.Xor(99)}, axis, affine)[1]
		}},
		{"exclusive affine", dtype.U32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			r := tile.ScanExclusive([]*tile.Value{v, v.Xor(99)}, []tile.Operand{1, 0}, axis, affine)
			return r[0].Mul(5).Add(r[1])
		}},
		{"both axes", dtype.I32, 0, func(k *tile.Builder, v *tile.Value, axis int) *tile.Value {
			return v.CumSum(axis).CumMax(1 - axis).Reshape(v.Type().Len()).CumSum(0).Reshape(v.Type().Shape...)
		}},
	}, combineShapes)
}
