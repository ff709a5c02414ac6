package axis

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// What is told of values that index arithmetic is made of.
func TestAxisFactsTold(t *testing.T) {
	x := axistest.Strided(t, []int{96}, []int{1}, 0)
	for _, c := range []struct {
		name  string
		value func(k *tile.Builder, x *tile.View) *tile.Value
		want  string
	}{
		{"arange", func(k *tile.Builder, _ *tile.View) *tile.Value { return k.Arange(64) }, "c=64 d=1073741824 k=1 [0,63]"},
		{"program id", func(k *tile.Builder, _ *tile.View) *tile.Value { return k.ProgramID(0) }, "c=1 d=1 k=1 [0,134152191] *16<x.0"},
		{"no program id", func(k *tile.Builder, _ *tile.View) *tile.Value { return k.ProgramID(2) }, "c=1 d=1073741824 k=1 [0,0]"},
		{"size", func(_ *tile.Builder, x *tile.View) *tile.Value { return x.Dim(0) }, "c=1 d=32 k=1 [0,2146435071]"},
		{"offsets", func(k *tile.Builder, _ *tile.View) *tile.Value { return k.ProgramID(0).Mul(64).Add(k.Arange(64)) }, "c=64 d=64 k=1 [-2147483648,2147483647]"},
		{"odd offsets", func(k *tile.Builder, _ *tile.View) *tile.Value { return k.Arange(64).Add(2) }, "c=64 d=2 k=1 [2,65]"},
		{"row of a pair", func(k *tile.Builder, _ *tile.View) *tile.Value { return k.Arange(64).Div(8) }, "c=1 d=1 k=8 [0,7]"},
		{"column of a pair", func(k *tile.Builder, _ *tile.View) *tile.Value { return k.Arange(64).Rem(8) }, "c=8 d=8 k=1 [0,7]"},
		{"bits", func(k *tile.Builder, _ *tile.View) *tile.Value { return k.Arange(64).Shr(3).Shl(4) }, "c=1 d=16 k=8 [0,112]"},
		{"mask", func(k *tile.Builder, x *tile.View) *tile.Value { return k.Arange(64).Lt(x.Dim(0)) }, "c=1 d=1 k=32 [0,1]"},
		{"mask that holds", func(k *tile.Builder, _ *tile.View) *tile.Value { return k.Arange(64).Lt(64) }, "c=1 d=1 k=64 [1,1]"},
		{"table", func(k *tile.Builder, _ *tile.View) *tile.Value {
			return k.Iota(0, 16, 1).Mul(32).Add(k.Iota(1, 1, 32))
		}, "c=1,32 d=1,32 k=1,1 [0,511]"},
		{"swizzle", func(k *tile.Builder, _ *tile.View) *tile.Value { return k.Arange(64).Xor(20) }, "c=4 d=4 k=1 [0,63]"},
		{"promises", func(k *tile.Builder, x *tile.View) *tile.Value {
			n := k.Scalar("n", dtype.I32).MultipleOf(8)
			k.Assume(n.Gt(0).And(n.Le(1024)))
			return n.Add(0)
		}, "c=1 d=8 k=1 [1,1024]"},
		{"contiguous", func(k *tile.Builder, x *tile.View) *tile.Value { return x.Block(64).Load(0).Contiguous(4).Add(8) }, "c=4 d=4 k=1 [-2147483648,2147483647]"},
		{"loop index", func(k *tile.Builder, x *tile.View) *tile.Value {
			var v *tile.Value
			for i := range k.RangeStep(0, k.CDiv(x.Dim(0), 16), 4) {
				v = i.Add(0)
			}
			return v
		}, "c=1 d=4 k=1 [0,134152191]"},
		{"carried", func(k *tile.Builder, x *tile.View) *tile.Value {
			v := k.Var(k.Arange(32))
			for range k.Range(x.Dim(0)) {
				v.Set(v.Get().Add(32))
			}
			return v.Get()
		}, "c=32 d=32 k=1 [-2147483648,2147483647]"},
	} {
		var v *tile.Value
		k := axistest.Build(t, "told", func(k *tile.Builder) {
			in := k.In("x", dtype.I32, 1)
			k.Grid(k.CDiv(in.Dim(0), 16))
			v = c.value(k, in)
		})
		if got := Analyse(k, FactsOf([]layout.Layout{x}, []int{0})).Of(v).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Blocks that cover a dimension are within another one of which the kernel requires that it is as long.
func TestRequiredSizes(t *testing.T) {
	sized := axistest.Strided(t, []int{96}, []int{1}, 0)
	for _, c := range []struct {
		name    string
		require func(k *tile.Builder, x, y, z *tile.View)
		within  bool
	}{
		{"nothing", func(_ *tile.Builder, _, _, _ *tile.View) {}, false},
		{"the size", func(k *tile.Builder, x, y, _ *tile.View) { k.Require(x.Dim(0).Eq(y.Dim(0))) }, true},
		{"the size, the other way round", func(k *tile.Builder, x, y, _ *tile.View) { k.Require(y.Dim(0).Eq(x.Dim(0))) }, true},
		{"two sizes at once", func(k *tile.Builder, x, y, z *tile.View) {
			k.Require(z.Dim(0).Eq(8).And(x.Dim(0).Eq(y.Dim(0))))
		}, true},
		{"by a third", func(k *tile.Builder, x, y, z *tile.View) {
			k.Require(x.Dim(0).Eq(z.Dim(0)))
			k.Require(z.Dim(0).Eq(y.Dim(0)))
		}, true},
		{"the same twice", func(k *tile.Builder, x, y, _ *tile.View) {
			k.Require(x.Dim(0).Eq(y.Dim(0)))
			k.Require(y.Dim(0).Eq(x.Dim(0)))
		}, true},
		{"another one", func(k *tile.Builder, x, _, z *tile.View) { k.Require(x.Dim(0).Eq(z.Dim(0))) }, false},
		{"a number", func(k *tile.Builder, x, _, _ *tile.View) { k.Require(x.Dim(0).Eq(96)) }, false},
		{"no more than", func(k *tile.Builder, x, y, _ *tile.View) { k.Require(x.Dim(0).Le(y.Dim(0))) }, false},
		{"one or the other", func(k *tile.Builder, x, y, z *tile.View) {
			k.Require(z.Dim(0).Eq(8).Or(x.Dim(0).Eq(y.Dim(0))))
		}, false},
		{"a promise", func(k *tile.Builder, x, y, _ *tile.View) { k.Assume(x.Dim(0).Eq(y.Dim(0))) }, false},
		{"it after an exit", func(k *tile.Builder, x, y, z *tile.View) {
			k.Exit(z.Dim(0).Eq(0))
			k.Require(x.Dim(0).Eq(y.Dim(0)))
		}, false},
	} {
		var load *tile.Op
		k := axistest.Build(t, "required", func(k *tile.Builder) {
			x, z, y := k.In("x", dtype.F32, 1), k.In("z", dtype.F32, 1), k.Out("y", dtype.F32, 1)
			c.require(k, x, y, z)
			at := k.ProgramTile(y, 32)
			v := x.Block(32).Load(at...)
			load = v.Op()
			y.Block(32).Store(v, at...)
		})
		a := Analyse(k, FactsOf([]layout.Layout{sized, sized, sized}, []int{0, 1, 2}))
		if got := a.Proven[load][0] != ""; got != c.within {
			t.Errorf("a kernel that requires %s: a block is known to be within: %v, want %v", c.name, got, c.within)
		}
	}
}
