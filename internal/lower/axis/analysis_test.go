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

// Points are known to be within a view where their indices are at least 0 and less than its size.
func TestPointsWithin(t *testing.T) {
	sized := axistest.Strided(t, []int{96}, []int{1}, 0)
	for _, c := range []struct {
		name          string
		index         func(k *tile.Builder, x, y *tile.View) *tile.Value
		read, written bool
	}{
		{"any index", func(k *tile.Builder, _, _ *tile.View) *tile.Value { return k.Arange(32) }, false, false},
		{"up to the last element", func(k *tile.Builder, x, _ *tile.View) *tile.Value {
			k.Assume(x.Dim(0).Ge(1))
			return k.Arange(32).Minimum(x.Dim(0).Sub(1))
		}, true, false},
		{"the same as a sum", func(k *tile.Builder, x, _ *tile.View) *tile.Value {
			k.Assume(x.Dim(0).Gt(0))
			return k.Arange(32).Minimum(x.Dim(0).Add(-1))
		}, true, false},
		{"which there may not be", func(k *tile.Builder, x, _ *tile.View) *tile.Value { return k.Arange(32).Minimum(x.Dim(0).Sub(1)) }, false, false},
		{"up to the size", func(k *tile.Builder, x, _ *tile.View) *tile.Value {
			k.Assume(x.Dim(0).Ge(1))
			return k.Arange(32).Minimum(x.Dim(0))
		}, false, false},
		{"less than 0", func(k *tile.Builder, x, _ *tile.View) *tile.Value {
			k.Assume(x.Dim(0).Ge(1))
			return k.Arange(32).Sub(1).Minimum(x.Dim(0).Sub(1))
		}, false, false},
		{"clamped", func(k *tile.Builder, x, _ *tile.View) *tile.Value {
			k.Assume(x.Dim(0).Ge(1))
			return k.Arange(32).Sub(1).Clamp(0, x.Dim(0).Sub(1))
		}, true, false},
		{"up to the last element of another view", func(k *tile.Builder, _, y *tile.View) *tile.Value {
			k.Assume(y.Dim(0).Ge(1))
			return k.Arange(32).Minimum(y.Dim(0).Sub(1))
		}, false, true},
		{"of another view that is as long", func(k *tile.Builder, x, y *tile.View) *tile.Value {
			k.Require(x.Dim(0).Eq(y.Dim(0)))
			k.Assume(y.Dim(0).Ge(1))
			return k.Arange(32).Minimum(y.Dim(0).Sub(1))
		}, true, true},
	} {
		var gather, scatter *tile.Op
		k := axistest.Build(t, "within", func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, 1), k.Out("y", dtype.F32, 1)
			k.ProgramTile(y, 32)
			at := c.index(k, x, y)
			v := x.At(at).Gather()
			gather = v.Op()
			y.At(at).Scatter(v)
		})
		for _, op := range k.Body.Ops {
			if op.Kind == tile.OpScatter {
				scatter = op
			}
		}
		a := Analyse(k, FactsOf([]layout.Layout{sized, sized}, []int{0, 1}))
		for op, want := range map[*tile.Op]bool{gather: c.read, scatter: c.written} {
			if got := a.Proven[op][0] != ""; got != want {
				t.Errorf("%s: points of a %v are known to be within: %v, want %v", c.name, op.Kind, got, want)
			}
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
