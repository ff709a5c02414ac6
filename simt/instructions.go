package simt

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// MatrixInstruction is a row of the table of matrix instructions: what one of them computes, who executes it, and how the elements of
// its operands are distributed over registers and threads. It adds a @ b to c in pieces of Rows × Columns elements of c.
type MatrixInstruction struct {
	Name          string // as the field has it
	Threads       int    // that execute it together
	Rows, Columns int    // of a piece of c
	MostColumns   int    // of the pieces next to each other that one execution has
	Bytes         int    // of a row of a and of a column of b
	Sums          map[dtype.Type]dtype.Type
	A, B, C       Fragment
	Cooperative   bool // its operands are cooperative matrices, see cooperative.go
	Opaque        bool // of which only the device knows how they are distributed
	SharedA       bool // a may be in shared memory instead of registers
	SharedB       bool // b is in shared memory
}

// Fragment is how a matrix is distributed over the registers and the threads of an instruction: what each bit of a register's, and of a thread's, number adds to
// an element's place. Of a that is its row and its word of 32 bits in the row, of b its column and its word in the column, and of c its row and its column.
// Of cooperative matrices the numbers of elements take the place of those of words.
type Fragment struct{ Registers, Threads [][2]int }

// TakesSums reports whether threads have the elements of a that they have of sums, so that sums become an operand without moving. Matrices of a may be
// several of c next to each other.
func (m *MatrixInstruction) TakesSums() bool {
	switch {
	case m.Opaque:
		return false
	case !m.Cooperative:
		return true
	}
	held := slices.DeleteFunc(slices.Clone(m.A.Registers), func(by [2]int) bool { return by[1] >= m.Columns })
	return slices.Equal(m.A.Threads, m.C.Threads) && len(held) == len(m.C.Registers) &&
		!slices.ContainsFunc(held, func(by [2]int) bool { return !slices.Contains(m.C.Registers, by) })
}

// WarpMMA is executed by a warp (PTX ISA, mma.sync.m16n8), and WarpgroupMMA by four (PTX ISA, wgmma).
var (
	WarpMMA = &MatrixInstruction{
		Name: "mma.sync", Threads: WarpThreads, Rows: 16, Columns: 8, MostColumns: 8, Bytes: 32, Sums: matrixSums,
		A: Fragment{[][2]int{{8, 0}, {0, 4}}, [][2]int{{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}}},
		B: Fragment{[][2]int{{0, 4}}, [][2]int{{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}}},
		C: Fragment{[][2]int{{0, 1}, {8, 0}}, [][2]int{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
	}
	WarpgroupMMA = &MatrixInstruction{
		Name: "wgmma", Threads: 4 * WarpThreads, Rows: 64, Columns: 8, MostColumns: 256, Bytes: 32, Sums: matrixSums, SharedA: true, SharedB: true,
		A: Fragment{[][2]int{{8, 0}, {0, 4}}, [][2]int{{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}, {16, 0}, {32, 0}}},
		C: Fragment{[][2]int{{0, 1}, {8, 0}}, [][2]int{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}, {16, 0}, {32, 0}}},
	}
)

// MatrixInstructions lists the table.
var MatrixInstructions = []*MatrixInstruction{WarpMMA, WarpgroupMMA}

// matrixSums is the element type of sums by that of operands.
var matrixSums = map[dtype.Type]dtype.Type{
	dtype.F16: dtype.F32, dtype.BF16: dtype.F32, dtype.F32: dtype.F32, dtype.I8: dtype.I32, dtype.U8: dtype.I32,
}

// Instruction is the row of an op that multiplies matrices, nil for others.
func (op *Op) Instruction() *MatrixInstruction {
	switch op.Kind {
	case MMA:
		return WarpMMA
	case GroupMMA:
		return WarpgroupMMA
	}
	return nil
}

// Held is how many registers of a thread hold a fragment.
func (f Fragment) Held() int { return 1 << len(f.Registers) }

// At is the place of what a register of a thread holds, counted from 0 each.
func (f Fragment) At(register, thread int) (across, along int) {
	for bit, by := range f.Registers {
		across, along = across^register>>bit&1*by[0], along^register>>bit&1*by[1]
	}
	for bit, by := range f.Threads {
		across, along = across^thread>>bit&1*by[0], along^thread>>bit&1*by[1]
	}
	return across, along
}
