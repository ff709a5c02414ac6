package tile_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// faulty is a description with one error, on the line that at was set to.
type faulty struct {
	name     string
	kind     error
	says     string // part of the message
	describe func(k *tile.Builder, at *int)
}

var faults = []faulty{
	{"shapes", fault.ErrShape, "f32[4] and f32[8]", func(k *tile.Builder, at *int) {
		x, y := k.Zeros(dtype.F32, 4), k.Zeros(dtype.F32, 8)
		*at = line(1)
		x.Add(y)
	}},
	{"element types", fault.ErrKernel, "f32 and i32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Float(1).Add(k.Int(1))
	}},
	{"exp of an integer", fault.ErrKernel, "want floats", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Int(1).Exp()
	}},
	{"negated unsigned", fault.ErrKernel, "signed numbers", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Const(dtype.U32, 1).Neg()
	}},
	{"element beyond a tile", fault.ErrShape, "index 4 is outside of dimension 0 of f32[4]", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 4).At(4)
	}},
	{"too few indices", fault.ErrShape, "an index for each dimension", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 4, 2).At(1)
	}},
	{"element of a scalar", fault.ErrShape, "want a tile", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Float(1).At()
	}},
	{"words of 4 bits", fault.ErrKernel, "want words of u8 or u32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.I32, 4).Unpack4(0, dtype.I8)
	}},
	{"too few to pack", fault.ErrShape, "at least 8 elements", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.I8, 4).Pack4(0, dtype.U32)
	}},
	{"a program's number without a grid", fault.ErrKernel, "declares no grid", func(k *tile.Builder, at *int) {
		y := k.Out("y", dtype.I32, 1)
		*at = line(1)
		y.Block(4).Store(k.ProgramID(0), 0)
	}},
	{"an output that is never stored", fault.ErrKernel, "view y: it is an output, and nothing is stored to it", func(k *tile.Builder, at *int) {
		x := k.In("x", dtype.F32, 1)
		*at = line(1)
		k.Out("y", dtype.F32, 1)
		k.Grid(k.CDiv(x.Dim(0), 4))
		x.Block(4).Load(k.ProgramID(0)).Add(1)
	}},
	{"two grids", fault.ErrKernel, "the grid is declared at tile/errors_test.go:", func(k *tile.Builder, at *int) {
		x := k.InOut("x", dtype.F32, 1)
		k.Grid(k.CDiv(x.Dim(0), 4))
		*at = line(1)
		k.Grid(1)
	}},
	{"tiles after a grid", fault.ErrKernel, "TileID and ProgramTile declare it, too", func(k *tile.Builder, at *int) {
		x := k.InOut("x", dtype.F32, 1)
		k.Grid(k.CDiv(x.Dim(0), 4))
		*at = line(1)
		k.TileID(x.Dim(0), 1)
	}},
	{"a requirement of programs", fault.ErrKernel, "cannot be computed before the launch", func(k *tile.Builder, at *int) {
		k.Grid(2)
		*at = line(1)
		k.Require(k.ProgramID(0).Lt(2))
	}},
	{"a requirement in a branch", fault.ErrKernel, "within a loop or a branch", func(k *tile.Builder, at *int) {
		x := k.In("x", dtype.F32, 1)
		k.If(x.Dim(0).Gt(1), func() {
			*at = line(1)
			k.Require(x.Dim(0).Lt(2))
		})
	}},
	{"no requirement", fault.ErrKernel, "the condition is nil", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Require(nil)
	}},
	{"a requirement that is a number", fault.ErrKernel, "want a scalar bool", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Require(k.Int(1))
	}},
	{"order of bools", fault.ErrKernel, "bool has no order", func(k *tile.Builder, at *int) {
		b := k.Const(dtype.Bool, 1)
		*at = line(1)
		b.Lt(b)
	}},
	{"constant out of range", fault.ErrKernel, "300 is not a value of u8", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Const(dtype.U8, 300)
	}},
	{"fraction as integer", fault.ErrKernel, "0.5 is not a value of i32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Int(3).Add(0.5)
	}},
	{"odd tile", fault.ErrShape, "powers of two", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 3)
	}},
	{"huge tile", fault.ErrShape, "want at most 1048576", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2048, 1024)
	}},
	{"rank of a tile", fault.ErrShape, "want at most 5", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 1, 1, 1, 1, 1, 1)
	}},
	{"splat of a tile", fault.ErrKernel, "splat", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2).Splat(2)
	}},
	{"broadcast", fault.ErrShape, "neither equal nor 1", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2, 4).Broadcast(4, 4)
	}},
	{"reduction axis", fault.ErrKernel, "axis 2", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2, 4).Sum(2)
	}},
	{"reshape", fault.ErrShape, "as many elements", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2, 4).Reshape(16)
	}},
	{"reshape to a scalar", fault.ErrShape, "want At", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 1, 1).Reshape()
	}},
	{"reshape of a scalar", fault.ErrShape, "want Splat", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Float(1).Reshape(1)
	}},
	{"permutation", fault.ErrShape, "does not order", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2, 4).Permute(0, 0)
	}},
	{"transpose of a row", fault.ErrShape, "does not order", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2).Transpose()
	}},
	{"expand", fault.ErrKernel, "axis 3 of f32[2,4], expanded", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2, 4).Expand(3)
	}},
	{"join", fault.ErrShape, "want one shape", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2, 4).Join(k.Zeros(dtype.F32, 4, 2))
	}},
	{"places of another shape", fault.ErrShape, "a place for each of its elements", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2, 4).Reorder(k.Arange(8))
	}},
	{"places of floats", fault.ErrKernel, "is f32[8], want i32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 8).Reorder(k.Zeros(dtype.F32, 8))
	}},
	{"ranks of floats", fault.ErrKernel, "is f32[8], want a tile of i32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 8).Rank(8, 4)
	}},
	{"ranks in runs of another length", fault.ErrKernel, "runs of 16 elements of i32[8]", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Arange(8).Rank(16, 4)
	}},
	{"ranks by no bits", fault.ErrKernel, "0 bits, want 1 to 16", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Arange(8).Rank(8, 0)
	}},
	{"elements at places of floats", fault.ErrKernel, "are f32[4], want i32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Arange(8).Take(k.Zeros(dtype.F32, 4))
	}},
	{"elements of a scalar", fault.ErrShape, "want a tile and a tile of places", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Int(8).Take(k.Arange(8))
	}},
	{"bins of floats", fault.ErrKernel, "are f32[8], want i32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 8).Histogram(16, 1)
	}},
	{"weights of halves", fault.ErrKernel, "want i32, u32 or f32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Arange(8).Histogram(16, k.Zeros(dtype.F16, 8))
	}},
	{"weights of another shape", fault.ErrShape, "a weight for each of its elements", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Arange(8).Histogram(16, k.Zeros(dtype.I32, 2, 4))
	}},
	{"bins that are no power of two", fault.ErrShape, "powers of two", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Arange(8).Histogram(100, 1)
	}},
	{"split", fault.ErrShape, "the last of size 2", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2, 4).Split()
	}},
	{"iota", fault.ErrKernel, "axis 2 of i32[2,4], which has rank 2", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Iota(2, 2, 4)
	}},
	{"bitcast", fault.ErrKernel, "cannot be taken as bits of", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2).Bitcast(dtype.F16)
	}},
	{"isnan", fault.ErrKernel, "want floats", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Int(2).IsNaN()
	}},
	{"any of numbers", fault.ErrKernel, "want bool", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2, 4).Any(0)
	}},
	{"argmax of a scalar", fault.ErrKernel, "axis 0 of f32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Float(1).ArgMax(0)
	}},
	{"scan axis", fault.ErrKernel, "axis 2 of", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.F32, 2, 4).CumSum(2)
	}},
	{"scan of bool", fault.ErrKernel, "want numbers", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Zeros(dtype.Bool, 2, 4).CumSum(0)
	}},
	{"tiles to reduce", fault.ErrShape, "tiles of one shape", func(k *tile.Builder, at *int) {
		x, y := k.Zeros(dtype.F32, 2, 4), k.Zeros(dtype.I32, 4, 2)
		*at = line(1)
		tile.Reduce([]*tile.Value{x, y}, 0, func(x, y []*tile.Value) []*tile.Value { return x })
	}},
	{"combined values", fault.ErrKernel, "returns 1 value for 2", func(k *tile.Builder, at *int) {
		x := k.Zeros(dtype.F32, 2, 4)
		*at = line(1)
		tile.Reduce([]*tile.Value{x, x}, 0, func(x, y []*tile.Value) []*tile.Value { return x[:1] })
	}},
	{"combined type", fault.ErrKernel, "value 0 that the combine returns is bool, want f32", func(k *tile.Builder, at *int) {
		x := k.Zeros(dtype.F32, 2, 4)
		*at = line(1)
		tile.Scan([]*tile.Value{x}, 0, func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{x[0].Lt(y[0])} })
	}},
	{"nothing combined", fault.ErrKernel, "value 0 that the combine returns is nothing", func(k *tile.Builder, at *int) {
		x := k.Zeros(dtype.F32, 2, 4)
		*at = line(1)
		tile.Scan([]*tile.Value{x}, 0, func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{nil} })
	}},
	{"identities", fault.ErrKernel, "2 identities given for 1 tile,", func(k *tile.Builder, at *int) {
		x := k.Zeros(dtype.F32, 2, 4)
		*at = line(1)
		tile.ScanExclusive([]*tile.Value{x}, []tile.Operand{1, 2}, 0, func(x, y []*tile.Value) []*tile.Value { return x })
	}},
	{"exclusive scan without an identity", fault.ErrKernel, "needs an identity", func(k *tile.Builder, at *int) {
		x := k.Zeros(dtype.F32, 4)
		*at = line(1)
		tile.Scan([]*tile.Value{x}, 0, func(x, y []*tile.Value) []*tile.Value { return x }, tile.Exclusive)
	}},
	{"tile in a combine", fault.ErrKernel, "want a scalar", func(k *tile.Builder, at *int) {
		x := k.Zeros(dtype.F32, 2, 4)
		tile.Reduce([]*tile.Value{x}, 0, func(a, b []*tile.Value) []*tile.Value {
			*at = line(1)
			x.Neg()
			return a
		})
	}},
	{"load in a combine", fault.ErrKernel, "want element-wise ops", func(k *tile.Builder, at *int) {
		x := k.In("x", dtype.F32, 1)
		tile.Reduce([]*tile.Value{k.Zeros(dtype.F32, 4)}, 0, func(a, b []*tile.Value) []*tile.Value {
			*at = line(1)
			x.Block(4).Load(0)
			return a
		})
	}},
	{"combine's value outside", fault.ErrKernel, "outside", func(k *tile.Builder, at *int) {
		var kept *tile.Value
		tile.Reduce([]*tile.Value{k.Zeros(dtype.F32, 4)}, 0, func(a, b []*tile.Value) []*tile.Value {
			kept = a[0]
			return b
		})
		*at = line(1)
		kept.Neg()
	}},
	{"dot shapes", fault.ErrShape, "want shapes [M,K], [K,N], [M,N]", func(k *tile.Builder, at *int) {
		x := k.Zeros(dtype.F32, 4, 8)
		*at = line(1)
		tile.Dot(x, x, x, tile.IEEE)
	}},
	{"dot of batches", fault.ErrShape, "or [B,M,K]", func(k *tile.Builder, at *int) {
		x, y := k.Zeros(dtype.F32, 2, 4, 4), k.Zeros(dtype.F32, 4, 4, 4)
		*at = line(1)
		tile.Dot(x, y, x, tile.IEEE)
	}},
	{"dot precision", fault.ErrKernel, "precision ieee is not for operands of f16", func(k *tile.Builder, at *int) {
		x, acc := k.Zeros(dtype.F16, 4, 4), k.Zeros(dtype.F32, 4, 4)
		*at = line(1)
		tile.Dot(x, x, acc, tile.IEEE)
	}},
	{"dot of bytes", fault.ErrKernel, "i8 or u8 and an i32 acc", func(k *tile.Builder, at *int) {
		x, acc := k.Zeros(dtype.I8, 4, 4), k.Zeros(dtype.F32, 4, 4)
		*at = line(1)
		tile.Dot(x, x, acc, tile.IEEE)
	}},
	{"precision of bytes", fault.ErrKernel, "precision tf32 is not for operands of i8", func(k *tile.Builder, at *int) {
		x, acc := k.Zeros(dtype.I8, 4, 4), k.Zeros(dtype.I32, 4, 4)
		*at = line(1)
		tile.Dot(x, x, acc, tile.TF32)
	}},
	{"no such precision", fault.ErrKernel, "precision invalid", func(k *tile.Builder, at *int) {
		x := k.Zeros(dtype.F32, 4, 4)
		*at = line(1)
		tile.Dot(x, x, x, tile.Precision(9))
	}},
	{"dot accumulator", fault.ErrKernel, "f32 acc", func(k *tile.Builder, at *int) {
		x := k.Zeros(dtype.F16, 4, 4)
		*at = line(1)
		tile.Dot(x, x, x, tile.Float32Accumulate)
	}},
	{"load of an output", fault.ErrKernel, "want In or InOut to read it", func(k *tile.Builder, at *int) {
		y := k.Out("y", dtype.F32, 1)
		*at = line(1)
		y.Block(4).Load(0)
	}},
	{"store to an input", fault.ErrKernel, "want Out or InOut to write it", func(k *tile.Builder, at *int) {
		x := k.In("x", dtype.F32, 1)
		*at = line(1)
		x.Block(4).Store(k.Float(1), 0)
	}},
	{"store of another type", fault.ErrKernel, "cast it", func(k *tile.Builder, at *int) {
		y := k.Out("y", dtype.F16, 1)
		*at = line(1)
		y.Block(4).Store(k.Float(1), 0)
	}},
	{"store of nothing", fault.ErrKernel, "is nil", func(k *tile.Builder, at *int) {
		y := k.Out("y", dtype.F32, 1)
		*at = line(1)
		y.Block(4).Store(nil, 0)
	}},
	{"coordinates", fault.ErrShape, "1 coordinate,", func(k *tile.Builder, at *int) {
		x := k.In("x", dtype.F32, 2)
		*at = line(1)
		x.Block(4, 4).Load(0)
	}},
	{"coordinate type", fault.ErrKernel, "want a scalar i32", func(k *tile.Builder, at *int) {
		x := k.In("x", dtype.F32, 1)
		*at = line(1)
		x.Block(4).Load(k.Float(0))
	}},
	{"fill out of range", fault.ErrKernel, "fill -Inf is not a value of i8", func(k *tile.Builder, at *int) {
		x := k.In("x", dtype.I8, 1)
		*at = line(1)
		x.Block(4).Fill(math.Inf(-1)).Load(0)
	}},
	{"view rank", fault.ErrKernel, "1 to 5", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.In("x", dtype.F32, 6)
	}},
	{"view name", fault.ErrKernel, "declared twice", func(k *tile.Builder, at *int) {
		k.Scalar("x", dtype.F32)
		*at = line(1)
		k.In("x", dtype.F32, 1)
	}},
	{"bad name", fault.ErrKernel, "want a letter", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.In("a b", dtype.F32, 1)
	}},
	{"scalar type", fault.ErrKernel, "i32, u32 or f32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Scalar("s", dtype.F16)
	}},
	{"axis of a view", fault.ErrKernel, "axis 1 of view x of rank 1", func(k *tile.Builder, at *int) {
		x := k.In("x", dtype.F32, 1)
		*at = line(1)
		x.Dim(1)
	}},
	{"axis of the grid", fault.ErrKernel, "axis 3", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.ProgramID(3)
	}},
	{"operand", fault.ErrKernel, "string", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Int(1).Add("2")
	}},
	{"threads", fault.ErrKernel, "power of two", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Schedule(tile.Schedule{Threads: 96})
	}},
	{"stages", fault.ErrKernel, "-1 stages", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Schedule(tile.Schedule{Stages: -1})
	}},
	{"group", fault.ErrKernel, "group of 0", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Schedule(tile.Schedule{Order: tile.Order{Kind: tile.GroupedRows}})
	}},
	{"group without groups", fault.ErrKernel, "group of 8", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Schedule(tile.Schedule{Order: tile.Order{Group: 8}})
	}},
	{"order", fault.ErrKernel, "order invalid", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Schedule(tile.Schedule{Order: tile.Order{Kind: 9}})
	}},
	{"late order", fault.ErrKernel, "is changed after its use", func(k *tile.Builder, at *int) {
		k.TileID(3, 4)
		*at = line(1)
		k.Schedule(tile.Schedule{Order: tile.Order{Kind: tile.ColumnMajor}})
	}},
	{"negative split", fault.ErrKernel, "split into -2", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Schedule(tile.Schedule{SplitK: -2})
	}},
	{"split of nothing", fault.ErrKernel, "divides no reduction", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Schedule(tile.Schedule{SplitK: 2})
		k.TileID(3, 4)
	}},
	{"split of a full grid", fault.ErrKernel, "third dimension", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Schedule(tile.Schedule{SplitK: 2})
		k.Grid(1, 2, 3)
		k.SplitID()
	}},
	{"split into several of nothing", fault.ErrKernel, "split into several, but the kernel divides no reduction", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.SplitInto(k.Out("x", dtype.F32, 1).Dim(0))
		k.TileID(3, 4)
	}},
	{"split twice", fault.ErrKernel, "split already", func(k *tile.Builder, at *int) {
		k.Schedule(tile.Schedule{SplitK: 2})
		*at = line(1)
		k.SplitInto(3)
	}},
	{"late split", fault.ErrKernel, "changed after its use", func(k *tile.Builder, at *int) {
		n := k.Out("x", dtype.F32, 1).Dim(0)
		k.SplitInto(n)
		k.SplitID()
		*at = line(1)
		k.SplitInto(n)
	}},
	{"split of the program", fault.ErrKernel, "cannot be computed before the launch", func(k *tile.Builder, at *int) {
		n := k.ProgramID(0).Add(1)
		*at = line(1)
		k.SplitInto(n)
	}},
	{"accumulated halves", fault.ErrUnsupported, "x of f16", func(k *tile.Builder, at *int) {
		k.Schedule(tile.Schedule{SplitK: 2})
		x := k.Out("x", dtype.F16, 1)
		k.SplitID()
		*at = line(1)
		x.Block(4).Accumulate(k.Zeros(dtype.F16, 4), 0)
	}},
	{"accumulated input", fault.ErrKernel, "want Out or InOut to write it", func(k *tile.Builder, at *int) {
		k.Schedule(tile.Schedule{SplitK: 2})
		x := k.In("x", dtype.F32, 1)
		k.SplitID()
		*at = line(1)
		x.Block(4).Accumulate(k.Zeros(dtype.F32, 4), 0)
	}},
	{"grid dimensions", fault.ErrKernel, "1 to 3", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Grid()
	}},
	{"grid of the program", fault.ErrKernel, "cannot be computed before the launch", func(k *tile.Builder, at *int) {
		n := k.ProgramID(0).Add(1)
		*at = line(1)
		k.Grid(n)
	}},
	{"grid of a float", fault.ErrKernel, "want i32", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Grid(k.Float(2))
	}},
	{"grid in a loop", fault.ErrKernel, "within a loop", func(k *tile.Builder, at *int) {
		for range k.Range(2) {
			*at = line(1)
			k.Grid(1)
		}
	}},
	{"grid of an index", fault.ErrKernel, "varies within the kernel", func(k *tile.Builder, at *int) {
		var index *tile.Value
		for i := range k.Range(2) {
			index = i
		}
		*at = line(1)
		k.Grid(index)
	}},
	{"step", fault.ErrKernel, "want more than 0", func(k *tile.Builder, at *int) {
		*at = line(1)
		for range k.RangeStep(0, 4, 0) {
		}
	}},
	{"bound", fault.ErrKernel, "want i32", func(k *tile.Builder, at *int) {
		*at = line(1)
		for range k.Range(k.Float(3)) {
		}
	}},
	{"break", fault.ErrKernel, "left by break", func(k *tile.Builder, at *int) {
		*at = line(1)
		for range k.Range(4) {
			break
		}
		k.Int(1)
	}},
	{"break of an inner loop", fault.ErrKernel, "left by break", func(k *tile.Builder, at *int) {
		for range k.Range(4) {
			*at = line(1)
			for range k.Range(4) {
				break
			}
		}
	}},
	{"escaping value", fault.ErrKernel, "carry it out with a Var", func(k *tile.Builder, at *int) {
		var v *tile.Value
		for i := range k.Range(4) {
			v = i.Add(1)
		}
		*at = line(1)
		v.Mul(2)
	}},
	{"escaping variable", fault.ErrKernel, "carry it out with a Var", func(k *tile.Builder, at *int) {
		var v *tile.Var
		for i := range k.Range(4) {
			v = k.Var(i)
			v.Set(v.Get().Add(1))
		}
		*at = line(1)
		v.Get().Mul(2)
	}},
	{"variable's type", fault.ErrShape, "the variable is f32[4]", func(k *tile.Builder, at *int) {
		v := k.Var(k.Zeros(dtype.F32, 4))
		*at = line(1)
		v.Set(k.Zeros(dtype.F32, 8))
	}},
	{"variable without value", fault.ErrKernel, "the initial value is nil", func(k *tile.Builder, at *int) {
		*at = line(1)
		k.Var(nil).Get().Add(1)
	}},
	{"only the first error", fault.ErrKernel, "want floats", func(k *tile.Builder, at *int) {
		*at = line(1)
		v := k.Int(1).Exp()
		for range k.Range(v) {
			v.Add(v.Maximum(3)).Sum(4)
		}
		k.Out("y", dtype.I32, 1).Block(1).Store(v, v)
		k.Grid()
	}},
}

func TestErrors(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			var at int
			k, err := tile.Build("faulty", func(k *tile.Builder) { f.describe(k, &at) })
			if err == nil {
				t.Fatalf("built\n%v", k)
			}
			wantError(t, err, f.kind, tile.Pos{File: "tile/errors_test.go", Line: at})
			if !strings.Contains(err.Error(), f.says) {
				t.Errorf("error %q does not say %q", err, f.says)
			}
		})
	}
}

// What one kernel made is of no use in another.
func TestOtherKernel(t *testing.T) {
	var view *tile.View
	var value *tile.Value
	build(t, "first", func(k *tile.Builder) {
		view, value = k.InOut("x", dtype.I32, 1), k.Int(1)
	})
	for name, use := range map[string]func(k *tile.Builder){
		"operand":    func(k *tile.Builder) { k.Int(1).Add(value) },
		"receiver":   func(k *tile.Builder) { value.Add(k.Int(1)) },
		"grid":       func(k *tile.Builder) { k.Grid(value) },
		"bound":      func(k *tile.Builder) { k.Range(value)(func(*tile.Value) bool { return true }) },
		"coordinate": func(k *tile.Builder) { k.In("x", dtype.F32, 1).Block(1).Load(value) },
		"dim":        func(k *tile.Builder) { k.Grid(view.Dim(0)) },
		"load":       func(k *tile.Builder) { view.Block(1).Load(0).Add(k.Int(1)) },
		"store":      func(k *tile.Builder) { view.Block(1).Store(k.Int(1), 0) },
		"variable":   func(k *tile.Builder) { k.Var(k.Int(1)).Set(value); k.Var(value).Get().Neg() },
	} {
		_, err := tile.Build("second", use)
		if err == nil || !strings.Contains(err.Error(), "another kernel") {
			t.Errorf("%s: error %v, want one about another kernel", name, err)
		}
	}
}

// Verify finds what a pass over the IR broke.
func TestVerify(t *testing.T) {
	for name, damage := range map[string]func(k *tile.Func){
		"order":         func(k *tile.Func) { ops := k.Body.Ops; ops[0], ops[len(ops)-1] = ops[len(ops)-1], ops[0] },
		"kind":          func(k *tile.Func) { find(k, tile.OpDot).Kind = tile.OpFMA },
		"no kind":       func(k *tile.Func) { find(k, tile.OpDot).Kind = tile.NumKinds },
		"arity":         func(k *tile.Func) { op := find(k, tile.OpDot); op.Args = op.Args[:2] },
		"nil operand":   func(k *tile.Func) { find(k, tile.OpDot).Args[1] = nil },
		"view":          func(k *tile.Func) { find(k, tile.OpLoad).View = nil },
		"foreign view":  func(k *tile.Func) { v := *find(k, tile.OpLoad).View; find(k, tile.OpLoad).View = &v },
		"access":        func(k *tile.Func) { k.Views[0].Access = tile.Out },
		"result":        func(k *tile.Func) { find(k, tile.OpDot).Out = nil },
		"yield":         func(k *tile.Func) { b := find(k, tile.OpFor).Body; b.Ops = b.Ops[:len(b.Ops)-1] },
		"yielded":       func(k *tile.Func) { find(k, tile.OpYield).Args = nil },
		"body":          func(k *tile.Func) { find(k, tile.OpFor).Body = nil },
		"carried":       func(k *tile.Func) { op := find(k, tile.OpFor); op.Body.Args = op.Body.Args[:1] },
		"yield outside": func(k *tile.Func) { k.Body.Ops = append(k.Body.Ops, &tile.Op{Kind: tile.OpYield}) },
		"scalar":        func(k *tile.Func) { k.Scalars = nil },
	} {
		k := build(t, "matmul", matmulKernel)
		damage(k)
		if err := tile.Verify(k); err == nil {
			t.Errorf("%s: the damaged kernel verifies", name)
		}
	}
}

// find returns the first op of a kind, loops included.
func find(k *tile.Func, kind tile.Kind) *tile.Op {
	var in func(r *tile.Region) *tile.Op
	in = func(r *tile.Region) *tile.Op {
		for _, op := range r.Ops {
			if op.Kind == kind {
				return op
			}
			if op.Body != nil {
				if found := in(op.Body); found != nil {
					return found
				}
			}
		}
		return nil
	}
	return in(k.Body)
}
