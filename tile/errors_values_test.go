package tile_test

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// valueFaults are errors of ops that compute values: element types, shapes, axes.
var valueFaults = []faulty{
	{"shapes", fault.ErrShape, "f32[4] and f32[8]", func(k *tile.Builder, at *tile.Pos) {
		x, y := k.Zeros(dtype.F32, 4), k.Zeros(dtype.F32, 8)
		*at = here(1)
		x.Add(y)
	}},
	{"element types", fault.ErrKernel, "f32 and i32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Float(1).Add(k.Int(1))
	}},
	{"exp of an integer", fault.ErrKernel, "want floats", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Int(1).Exp()
	}},
	{"negated unsigned", fault.ErrKernel, "signed numbers", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Const(dtype.U32, 1).Neg()
	}},
	{"element beyond a tile", fault.ErrShape, "index 4 is outside of dimension 0 of f32[4]", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 4).At(4)
	}},
	{"too few indices", fault.ErrShape, "an index for each dimension", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 4, 2).At(1)
	}},
	{"element of a scalar", fault.ErrShape, "want a tile", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Float(1).At()
	}},
	{"words of 4 bits", fault.ErrKernel, "want words of u8 or u32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.I32, 4).Unpack4(0, dtype.I8)
	}},
	{"too few to pack", fault.ErrShape, "at least 8 elements", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.I8, 4).Pack4(0, dtype.U32)
	}},
	{"order of bools", fault.ErrKernel, "bool has no order", func(k *tile.Builder, at *tile.Pos) {
		b := k.Const(dtype.Bool, 1)
		*at = here(1)
		b.Lt(b)
	}},
	{"constant out of range", fault.ErrKernel, "300 is not a value of u8", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Const(dtype.U8, 300)
	}},
	{"fraction as integer", fault.ErrKernel, "0.5 is not a value of i32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Int(3).Add(0.5)
	}},
	{"odd tile", fault.ErrShape, "powers of two", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 3)
	}},
	{"huge tile", fault.ErrShape, "want at most 1048576", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2048, 1024)
	}},
	{"rank of a tile", fault.ErrShape, "want at most 5", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 1, 1, 1, 1, 1, 1)
	}},
	{"splat of a tile", fault.ErrKernel, "splat", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2).Splat(2)
	}},
	{"broadcast", fault.ErrShape, "neither equal nor 1", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2, 4).Broadcast(4, 4)
	}},
	{"reduction axis", fault.ErrKernel, "axis 2", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2, 4).Sum(2)
	}},
	{"reshape", fault.ErrShape, "as many elements", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2, 4).Reshape(16)
	}},
	{"reshape to a scalar", fault.ErrShape, "want At", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 1, 1).Reshape()
	}},
	{"reshape of a scalar", fault.ErrShape, "want Splat", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Float(1).Reshape(1)
	}},
	{"permutation", fault.ErrShape, "does not order", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2, 4).Permute(0, 0)
	}},
	{"transpose of a row", fault.ErrShape, "does not order", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2).Transpose()
	}},
	{"expand", fault.ErrKernel, "axis 3 of f32[2,4], expanded", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2, 4).Expand(3)
	}},
	{"join", fault.ErrShape, "want one shape", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2, 4).Join(k.Zeros(dtype.F32, 4, 2))
	}},
	{"places of another shape", fault.ErrShape, "a place for each of its elements", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2, 4).Reorder(k.Arange(8))
	}},
	{"places of floats", fault.ErrKernel, "is f32[8], want i32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 8).Reorder(k.Zeros(dtype.F32, 8))
	}},
	{"ranks of floats", fault.ErrKernel, "is f32[8], want a tile of i32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 8).Rank(8, 4)
	}},
	{"ranks in runs of another length", fault.ErrKernel, "runs of 16 elements of i32[8]", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Arange(8).Rank(16, 4)
	}},
	{"ranks by no bits", fault.ErrKernel, "0 bits, want 1 to 16", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Arange(8).Rank(8, 0)
	}},
	{"elements at places of floats", fault.ErrKernel, "are f32[4], want i32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Arange(8).Take(k.Zeros(dtype.F32, 4))
	}},
	{"elements of a scalar", fault.ErrShape, "want a tile and a tile of places", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Int(8).Take(k.Arange(8))
	}},
	{"bins of floats", fault.ErrKernel, "are f32[8], want i32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 8).Histogram(16, 1)
	}},
	{"weights of halves", fault.ErrKernel, "want i32, u32 or f32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Arange(8).Histogram(16, k.Zeros(dtype.F16, 8))
	}},
	{"weights of another shape", fault.ErrShape, "a weight for each of its elements", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Arange(8).Histogram(16, k.Zeros(dtype.I32, 2, 4))
	}},
	{"bins that are no power of two", fault.ErrShape, "powers of two", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Arange(8).Histogram(100, 1)
	}},
	{"split", fault.ErrShape, "the last of size 2", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2, 4).Split()
	}},
	{"iota", fault.ErrKernel, "axis 2 of i32[2,4], which has rank 2", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Iota(2, 2, 4)
	}},
	{"bitcast", fault.ErrKernel, "cannot be taken as bits of", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2).Bitcast(dtype.F16)
	}},
	{"isnan", fault.ErrKernel, "want floats", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Int(2).IsNaN()
	}},
	{"any of numbers", fault.ErrKernel, "want bool", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2, 4).Any(0)
	}},
	{"argmax of a scalar", fault.ErrKernel, "axis 0 of f32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Float(1).ArgMax(0)
	}},
	{"scan axis", fault.ErrKernel, "axis 2 of", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.F32, 2, 4).CumSum(2)
	}},
	{"scan of bool", fault.ErrKernel, "want numbers", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Zeros(dtype.Bool, 2, 4).CumSum(0)
	}},
	{"tiles to reduce", fault.ErrShape, "tiles of one shape", func(k *tile.Builder, at *tile.Pos) {
		x, y := k.Zeros(dtype.F32, 2, 4), k.Zeros(dtype.I32, 4, 2)
		*at = here(1)
		tile.Reduce([]*tile.Value{x, y}, 0, func(x, y []*tile.Value) []*tile.Value { return x })
	}},
	{"combined values", fault.ErrKernel, "returns 1 value for 2", func(k *tile.Builder, at *tile.Pos) {
		x := k.Zeros(dtype.F32, 2, 4)
		*at = here(1)
		tile.Reduce([]*tile.Value{x, x}, 0, func(x, y []*tile.Value) []*tile.Value { return x[:1] })
	}},
	{"combined type", fault.ErrKernel, "value 0 that the combine returns is bool, want f32", func(k *tile.Builder, at *tile.Pos) {
		x := k.Zeros(dtype.F32, 2, 4)
		*at = here(1)
		tile.Scan([]*tile.Value{x}, 0, func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{x[0].Lt(y[0])} })
	}},
	{"nothing combined", fault.ErrKernel, "value 0 that the combine returns is nothing", func(k *tile.Builder, at *tile.Pos) {
		x := k.Zeros(dtype.F32, 2, 4)
		*at = here(1)
		tile.Scan([]*tile.Value{x}, 0, func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{nil} })
	}},
	{"identities", fault.ErrKernel, "2 identities given for 1 tile,", func(k *tile.Builder, at *tile.Pos) {
		x := k.Zeros(dtype.F32, 2, 4)
		*at = here(1)
		tile.ScanExclusive([]*tile.Value{x}, []tile.Operand{1, 2}, 0, func(x, y []*tile.Value) []*tile.Value { return x })
	}},
	{"exclusive scan without an identity", fault.ErrKernel, "needs an identity", func(k *tile.Builder, at *tile.Pos) {
		x := k.Zeros(dtype.F32, 4)
		*at = here(1)
		tile.Scan([]*tile.Value{x}, 0, func(x, y []*tile.Value) []*tile.Value { return x }, tile.Exclusive)
	}},
	{"tile in a combine", fault.ErrKernel, "want a scalar", func(k *tile.Builder, at *tile.Pos) {
		x := k.Zeros(dtype.F32, 2, 4)
		tile.Reduce([]*tile.Value{x}, 0, func(a, b []*tile.Value) []*tile.Value {
			*at = here(1)
			x.Neg()
			return a
		})
	}},
	{"load in a combine", fault.ErrKernel, "want element-wise ops", func(k *tile.Builder, at *tile.Pos) {
		x := k.In("x", dtype.F32, 1)
		tile.Reduce([]*tile.Value{k.Zeros(dtype.F32, 4)}, 0, func(a, b []*tile.Value) []*tile.Value {
			*at = here(1)
			x.Block(4).Load(0)
			return a
		})
	}},
	{"combine's value outside", fault.ErrKernel, "outside", func(k *tile.Builder, at *tile.Pos) {
		var kept *tile.Value
		tile.Reduce([]*tile.Value{k.Zeros(dtype.F32, 4)}, 0, func(a, b []*tile.Value) []*tile.Value {
			kept = a[0]
			return b
		})
		*at = here(1)
		kept.Neg()
	}},
	{"dot shapes", fault.ErrShape, "want shapes [M,K], [K,N], [M,N]", func(k *tile.Builder, at *tile.Pos) {
		x := k.Zeros(dtype.F32, 4, 8)
		*at = here(1)
		tile.Dot(x, x, x, tile.IEEE)
	}},
	{"dot of batches", fault.ErrShape, "or [B,M,K]", func(k *tile.Builder, at *tile.Pos) {
		x, y := k.Zeros(dtype.F32, 2, 4, 4), k.Zeros(dtype.F32, 4, 4, 4)
		*at = here(1)
		tile.Dot(x, y, x, tile.IEEE)
	}},
	{"dot precision", fault.ErrKernel, "precision ieee is not for operands of f16", func(k *tile.Builder, at *tile.Pos) {
		x, acc := k.Zeros(dtype.F16, 4, 4), k.Zeros(dtype.F32, 4, 4)
		*at = here(1)
		tile.Dot(x, x, acc, tile.IEEE)
	}},
	{"dot of bytes", fault.ErrKernel, "i8 or u8 and an i32 acc", func(k *tile.Builder, at *tile.Pos) {
		x, acc := k.Zeros(dtype.I8, 4, 4), k.Zeros(dtype.F32, 4, 4)
		*at = here(1)
		tile.Dot(x, x, acc, tile.IEEE)
	}},
	{"precision of bytes", fault.ErrKernel, "precision tf32 is not for operands of i8", func(k *tile.Builder, at *tile.Pos) {
		x, acc := k.Zeros(dtype.I8, 4, 4), k.Zeros(dtype.I32, 4, 4)
		*at = here(1)
		tile.Dot(x, x, acc, tile.TF32)
	}},
	{"no such precision", fault.ErrKernel, "precision invalid", func(k *tile.Builder, at *tile.Pos) {
		x := k.Zeros(dtype.F32, 4, 4)
		*at = here(1)
		tile.Dot(x, x, x, tile.Precision(9))
	}},
	{"dot accumulator", fault.ErrKernel, "f32 acc", func(k *tile.Builder, at *tile.Pos) {
		x := k.Zeros(dtype.F16, 4, 4)
		*at = here(1)
		tile.Dot(x, x, x, tile.Float32Accumulate)
	}},
	{"operand", fault.ErrKernel, "string", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Int(1).Add("2")
	}},
}
