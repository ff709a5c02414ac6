package tile_test

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// programFaults are errors of what a kernel declares, of its accesses to memory, of loops and branches.
var programFaults = []faulty{
	{"a program's number without a grid", fault.ErrKernel, "declares no grid", func(k *tile.Builder, at *tile.Pos) {
		y := k.Out("y", dtype.I32, 1)
		*at = here(1)
		y.Block(4).Store(k.ProgramID(0), 0)
	}},
	{"an output that is never stored", fault.ErrKernel, "view y: it is an output, and nothing is stored to it", func(k *tile.Builder, at *tile.Pos) {
		x := k.In("x", dtype.F32, 1)
		*at = here(1)
		k.Out("y", dtype.F32, 1)
		k.Grid(k.CDiv(x.Dim(0), 4))
		x.Block(4).Load(k.ProgramID(0)).Add(1)
	}},
	{"two grids", fault.ErrKernel, "the grid is declared at tile/errors_program_test.go:", func(k *tile.Builder, at *tile.Pos) {
		x := k.InOut("x", dtype.F32, 1)
		k.Grid(k.CDiv(x.Dim(0), 4))
		*at = here(1)
		k.Grid(1)
	}},
	{"tiles after a grid", fault.ErrKernel, "TileID and ProgramTile declare it, too", func(k *tile.Builder, at *tile.Pos) {
		x := k.InOut("x", dtype.F32, 1)
		k.Grid(k.CDiv(x.Dim(0), 4))
		*at = here(1)
		k.TileID(x.Dim(0), 1)
	}},
	{"a requirement of programs", fault.ErrKernel, "cannot be computed before the launch", func(k *tile.Builder, at *tile.Pos) {
		k.Grid(2)
		*at = here(1)
		k.Require(k.ProgramID(0).Lt(2))
	}},
	{"a requirement in a branch", fault.ErrKernel, "within a loop or a branch", func(k *tile.Builder, at *tile.Pos) {
		x := k.In("x", dtype.F32, 1)
		k.If(x.Dim(0).Gt(1), func() {
			*at = here(1)
			k.Require(x.Dim(0).Lt(2))
		})
	}},
	{"no requirement", fault.ErrKernel, "the condition is nil", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Require(nil)
	}},
	{"a requirement that is a number", fault.ErrKernel, "want a scalar bool", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Require(k.Int(1))
	}},
	{"load of an output", fault.ErrKernel, "want In or InOut to read it", func(k *tile.Builder, at *tile.Pos) {
		y := k.Out("y", dtype.F32, 1)
		*at = here(1)
		y.Block(4).Load(0)
	}},
	{"store to an input", fault.ErrKernel, "want Out or InOut to write it", func(k *tile.Builder, at *tile.Pos) {
		x := k.In("x", dtype.F32, 1)
		*at = here(1)
		x.Block(4).Store(k.Float(1), 0)
	}},
	{"store of another type", fault.ErrKernel, "cast it", func(k *tile.Builder, at *tile.Pos) {
		y := k.Out("y", dtype.F16, 1)
		*at = here(1)
		y.Block(4).Store(k.Float(1), 0)
	}},
	{"store of nothing", fault.ErrKernel, "is nil", func(k *tile.Builder, at *tile.Pos) {
		y := k.Out("y", dtype.F32, 1)
		*at = here(1)
		y.Block(4).Store(nil, 0)
	}},
	{"coordinates", fault.ErrShape, "1 coordinate,", func(k *tile.Builder, at *tile.Pos) {
		x := k.In("x", dtype.F32, 2)
		*at = here(1)
		x.Block(4, 4).Load(0)
	}},
	{"coordinate type", fault.ErrKernel, "want a scalar i32", func(k *tile.Builder, at *tile.Pos) {
		x := k.In("x", dtype.F32, 1)
		*at = here(1)
		x.Block(4).Load(k.Float(0))
	}},
	{"fill out of range", fault.ErrKernel, "fill -Inf is not a value of i8", func(k *tile.Builder, at *tile.Pos) {
		x := k.In("x", dtype.I8, 1)
		*at = here(1)
		x.Block(4).Fill(math.Inf(-1)).Load(0)
	}},
	{"view rank", fault.ErrKernel, "1 to 5", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.In("x", dtype.F32, 6)
	}},
	{"view name", fault.ErrKernel, "declared twice", func(k *tile.Builder, at *tile.Pos) {
		k.Scalar("x", dtype.F32)
		*at = here(1)
		k.In("x", dtype.F32, 1)
	}},
	{"bad name", fault.ErrKernel, "want a letter", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.In("a b", dtype.F32, 1)
	}},
	{"scalar type", fault.ErrKernel, "i32, u32 or f32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Scalar("s", dtype.F16)
	}},
	{"axis of a view", fault.ErrKernel, "axis 1 of view x of rank 1", func(k *tile.Builder, at *tile.Pos) {
		x := k.In("x", dtype.F32, 1)
		*at = here(1)
		x.Dim(1)
	}},
	{"axis of the grid", fault.ErrKernel, "axis 3", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.ProgramID(3)
	}},
	{"threads", fault.ErrKernel, "power of two", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Schedule(tile.Schedule{Threads: 96})
	}},
	{"stages", fault.ErrKernel, "-1 stages", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Schedule(tile.Schedule{Stages: -1})
	}},
	{"group", fault.ErrKernel, "group of 0", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Schedule(tile.Schedule{Order: tile.Order{Kind: tile.GroupedRows}})
	}},
	{"group without groups", fault.ErrKernel, "group of 8", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Schedule(tile.Schedule{Order: tile.Order{Group: 8}})
	}},
	{"order", fault.ErrKernel, "order invalid", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Schedule(tile.Schedule{Order: tile.Order{Kind: 9}})
	}},
	{"late order", fault.ErrKernel, "is changed after its use", func(k *tile.Builder, at *tile.Pos) {
		k.TileID(3, 4)
		*at = here(1)
		k.Schedule(tile.Schedule{Order: tile.Order{Kind: tile.ColumnMajor}})
	}},
	{"negative split", fault.ErrKernel, "split into -2", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Schedule(tile.Schedule{SplitK: -2})
	}},
	{"split of nothing", fault.ErrKernel, "divides no reduction", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Schedule(tile.Schedule{SplitK: 2})
		k.TileID(3, 4)
	}},
	{"split of a full grid", fault.ErrKernel, "third dimension", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Schedule(tile.Schedule{SplitK: 2})
		k.Grid(1, 2, 3)
		k.SplitID()
	}},
	{"split into several of nothing", fault.ErrKernel, "split into several, but the kernel divides no reduction", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.SplitInto(k.Out("x", dtype.F32, 1).Dim(0))
		k.TileID(3, 4)
	}},
	{"split twice", fault.ErrKernel, "split already", func(k *tile.Builder, at *tile.Pos) {
		k.Schedule(tile.Schedule{SplitK: 2})
		*at = here(1)
		k.SplitInto(3)
	}},
	{"late split", fault.ErrKernel, "changed after its use", func(k *tile.Builder, at *tile.Pos) {
		n := k.Out("x", dtype.F32, 1).Dim(0)
		k.SplitInto(n)
		k.SplitID()
		*at = here(1)
		k.SplitInto(n)
	}},
	{"split of the program", fault.ErrKernel, "cannot be computed before the launch", func(k *tile.Builder, at *tile.Pos) {
		n := k.ProgramID(0).Add(1)
		*at = here(1)
		k.SplitInto(n)
	}},
	{"accumulated halves", fault.ErrUnsupported, "x of f16", func(k *tile.Builder, at *tile.Pos) {
		k.Schedule(tile.Schedule{SplitK: 2})
		x := k.Out("x", dtype.F16, 1)
		k.SplitID()
		*at = here(1)
		x.Block(4).Accumulate(k.Zeros(dtype.F16, 4), 0)
	}},
	{"accumulated input", fault.ErrKernel, "want Out or InOut to write it", func(k *tile.Builder, at *tile.Pos) {
		k.Schedule(tile.Schedule{SplitK: 2})
		x := k.In("x", dtype.F32, 1)
		k.SplitID()
		*at = here(1)
		x.Block(4).Accumulate(k.Zeros(dtype.F32, 4), 0)
	}},
	{"grid dimensions", fault.ErrKernel, "1 to 3", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Grid()
	}},
	{"grid of the program", fault.ErrKernel, "cannot be computed before the launch", func(k *tile.Builder, at *tile.Pos) {
		n := k.ProgramID(0).Add(1)
		*at = here(1)
		k.Grid(n)
	}},
	{"grid of a float", fault.ErrKernel, "want i32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Grid(k.Float(2))
	}},
	{"grid in a loop", fault.ErrKernel, "within a loop", func(k *tile.Builder, at *tile.Pos) {
		for range k.Range(2) {
			*at = here(1)
			k.Grid(1)
		}
	}},
	{"grid of an index", fault.ErrKernel, "varies within the kernel", func(k *tile.Builder, at *tile.Pos) {
		var index *tile.Value
		for i := range k.Range(2) {
			index = i
		}
		*at = here(1)
		k.Grid(index)
	}},
	{"step", fault.ErrKernel, "want more than 0", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		for range k.RangeStep(0, 4, 0) {
		}
	}},
	{"bound", fault.ErrKernel, "want i32", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		for range k.Range(k.Float(3)) {
		}
	}},
	{"break", fault.ErrKernel, "left by break", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		for range k.Range(4) {
			break
		}
		k.Int(1)
	}},
	{"break of an inner loop", fault.ErrKernel, "left by break", func(k *tile.Builder, at *tile.Pos) {
		for range k.Range(4) {
			*at = here(1)
			for range k.Range(4) {
				break
			}
		}
	}},
	{"escaping value", fault.ErrKernel, "carry it out with a Var", func(k *tile.Builder, at *tile.Pos) {
		var v *tile.Value
		for i := range k.Range(4) {
			v = i.Add(1)
		}
		*at = here(1)
		v.Mul(2)
	}},
	{"escaping variable", fault.ErrKernel, "carry it out with a Var", func(k *tile.Builder, at *tile.Pos) {
		var v *tile.Var
		for i := range k.Range(4) {
			v = k.Var(i)
			v.Set(v.Get().Add(1))
		}
		*at = here(1)
		v.Get().Mul(2)
	}},
	{"variable's type", fault.ErrShape, "the variable is f32[4]", func(k *tile.Builder, at *tile.Pos) {
		v := k.Var(k.Zeros(dtype.F32, 4))
		*at = here(1)
		v.Set(k.Zeros(dtype.F32, 8))
	}},
	{"variable without value", fault.ErrKernel, "the initial value is nil", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		k.Var(nil).Get().Add(1)
	}},
	{"only the first error", fault.ErrKernel, "want floats", func(k *tile.Builder, at *tile.Pos) {
		*at = here(1)
		v := k.Int(1).Exp()
		for range k.Range(v) {
			v.Add(v.Maximum(3)).Sum(4)
		}
		k.Out("y", dtype.I32, 1).Block(1).Store(v, v)
		k.Grid()
	}},
}
