package lower

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// longs are kernels on 64-bit integers: each makes of two tiles one.
var longs = map[string]func(k *tile.Builder, x, y *tile.Value) *tile.Value{
	"arithmetic": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		return x.Mul(y).Add(x.Div(y)).Sub(x.Rem(y)).Xor(x.Div(0)).Add(x.Minimum(y)).Xor(x.Maximum(y))
	},
	"bits": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		return x.Shl(y).Xor(x.Shr(y)).Add(x.And(y).Or(1 << 40)).Xor(y.Not()).Sub(x.Shr(37))
	},
	"powers of two": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		return x.Div(8).Add(y.Rem(1 << 20)).Mul(1).Add(x.Rem(1 << 40)).Add(y.Div(1 << 62))
	},
	"constants": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		large := 1<<62 + 1
		return x.Add(large).Xor(y.Sub(large - 3)).Add(k.Full(x.Type().Elem, 1<<53, 16, 32).Add(1).Mul(x))
	},
	"compare": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		return k.Where(x.Lt(y).And(x.Ne(3)).Or(x.Ge(1<<60)), x, y.Add(1))
	},
	"casts": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		e := x.Type().Elem
		sum := x.Cast(dtype.I32).Cast(e).Add(y.Cast(dtype.U32).Cast(e)).Xor(x.Cast(dtype.I8).Cast(e)).Add(y.Cast(dtype.U8).Cast(e))
		return sum.Add(x.Cast(dtype.F32).Cast(e)).Add(x.Cast(dtype.Bool).Cast(e)).Add(k.Iota(1, 16, 32).Cast(e).Shl(33)).Add(x.Cast(dtype.BF16).Cast(e))
	},
	"bitcast": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		return x.Bitcast(dtype.I64).Shr(5).Bitcast(dtype.U64).Add(y.Bitcast(dtype.U64)).Bitcast(x.Type().Elem)
	},
	"reductions": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		return x.Sum(0).Add(y.Max(1)).Xor(x.Min(0)).Add(y.Prod(1)).Add(x.ArgMax(1).Cast(x.Type().Elem)).Add(y.ArgMin(0).Cast(x.Type().Elem))
	},
	"scans": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		return x.CumSum(1).Add(y.CumProd(0, tile.Exclusive)).Xor(x.CumMax(1, tile.Exclusive).Add(y.CumMin(0, tile.Exclusive|tile.Reverse)))
	},
	"moves": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		a, b := x.Reshape(16, 16, 2).Split()
		return b.Join(a).Reshape(32, 16).Transpose().Add(y)
	},
	"loop": func(k *tile.Builder, x, y *tile.Value) *tile.Value {
		sum := k.Var(x)
		for i := range k.Range(3) {
			sum.Set(sum.Get().Mul(3).Add(y).Add(i.Cast(x.Type().Elem)))
		}
		return sum.Get()
	},
}

func longKernel(name string, e dtype.Type) func(k *tile.Builder) {
	return func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 64})
		x, y, out := k.In("x", e, 2), k.In("y", e, 2), k.Out("out", e, 2)
		v := longs[name](k, x.Block(16, 32).Load(0, 0), y.Block(16, 32).Fill(5).Load(0, 0))
		out.Block(16, 32).Store(v, 0, 0)
	}
}

// TestLong compares every bit with the interpreter's.
func TestLong(t *testing.T) {
	for name := range longs {
		for _, e := range []dtype.Type{dtype.I64, dtype.U64} {
			t.Run(fmt.Sprint(name, " ", e), func(t *testing.T) {
				k := axistest.Build(t, "long", longKernel(name, e))
				for _, form := range []string{"padded", "columns", "odd offset"} {
					l := matrices(t, 15, 30)[form]
					_, h := l.Bounds()
					differential(t, k, []int{h + 2, h + 2, h + 2}, []tensor{{l, 0}, {l, 1}, {l, 2}}, false, 0)
				}
			})
		}
	}
}

// TestLongPoints gathers and scatters 64-bit elements, one by one and as tiles.
func TestLongPoints(t *testing.T) {
	k := axistest.Build(t, "points", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 32})
		x, y := k.In("x", dtype.I64, 1), k.InOut("y", dtype.I64, 1)
		i := k.Arange(64)
		v := x.At(i.Mul(3)).Mask(i.Ne(5)).Fill(-1 << 40).Gather().Add(x.At(2).Gather())
		y.At(i.Xor(1)).Scatter(v)
		y.At(70).Scatter(y.At(3).Gather().Sub(math.MaxInt64))
	})
	l := axistest.Strided(t, []int{90}, []int{1}, 0)
	differential(t, k, []int{90, 90}, []tensor{{l, 0}, {l, 1}}, false, 0)
}

// Where the target has no integers of 64 bits, the error names op, type and line.
func TestLongRefused(t *testing.T) {
	caps := target.Caps{Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10}
	for name, describe := range map[string]func(k *tile.Builder){
		"load": longKernel("compare", dtype.I64),
		"cast": func(k *tile.Builder) {
			x := k.InOut("x", dtype.I32, 1)
			x.Block(8).Store(x.Block(8).Load(0).Cast(dtype.U64).Shr(1).Cast(dtype.I32), 0)
		},
		"const": func(k *tile.Builder) { // within a combine
			x := k.InOut("x", dtype.I32, 1)
			sum := tile.Reduce([]*tile.Value{x.Block(8).Load(0)}, 0, func(a, b []*tile.Value) []*tile.Value {
				return []*tile.Value{a[0].Add(k.Const(dtype.I64, 3).Cast(dtype.I32))}
			})
			x.Block(8).Store(sum[0], 0)
		},
		"unused": func(k *tile.Builder) { k.In("x", dtype.I64, 1) },
	} {
		k := axistest.Build(t, name, describe)
		_, err := Lower(k, axis.Generic(k), caps)
		if !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "long_test.go:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
