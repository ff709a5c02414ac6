package tile

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/fault"
)

// GridAt computes the kernel's grid for the sizes of its views (sizes[view][axis]) and
// its scalar parameters' bits, and checks what the kernel requires of them. A size or a result
// beyond 2^31-1, and a group of an Order with more tiles, is fault.ErrLimit, a requirement that does not hold fault.ErrShape, and a loop
// whose step is not positive fault.ErrKernel; negative dimensions count as 0.
func (k *Func) GridAt(sizes [][]int, scalars []uint32) ([3]int, error) {
	grid := [3]int{1, 1, 1}
	h := host{sizes: sizes, scalars: scalars, known: map[*Value]int64{}}
	if err := k.check(&h); err != nil {
		return grid, err
	}
	h.overflow = false
	for axis, v := range k.Grid {
		if v == nil {
			continue
		}
		n := h.eval(v)
		if h.overflow {
			return grid, fault.New(fault.ErrLimit, k.Name, "dimension %d of the grid is beyond 2^31-1", axis).At(v.op.Pos.String())
		}
		grid[axis] = max(0, int(n))
	}
	if grid[0] == 0 || grid[1] == 0 || grid[2] == 0 {
		return grid, nil
	}
	for _, v := range k.groups {
		if n := h.eval(v); n > math.MaxInt32 {
			return grid, fault.New(fault.ErrLimit, k.Name, "a group of the order %v has %d tiles, want at most 2^31-1: give the order a smaller Group", k.Schedule.Order, n).
				At(v.op.Pos.String())
		}
	}
	return grid, nil
}

// GridPos is the line that declares the largest dimension of a grid; for the parts of a split reduction it is the schedule's line.
func (k *Func) GridPos(grid [3]int) Pos {
	var pos Pos
	most := 0
	for axis, v := range k.Grid {
		if v != nil && grid[axis] > most {
			most, pos = grid[axis], v.op.Pos
		}
	}
	return pos
}

// GridReadsScalars reports whether the grid, or what a launch checks, depends on scalar parameters and not only on sizes.
func (k *Func) GridReadsScalars() bool {
	seen := map[*Value]bool{}
	var reads func(v *Value) bool
	reads = func(v *Value) bool {
		if v == nil || seen[v] {
			return false
		}
		seen[v] = true
		return v.op.Kind == OpArg || slices.ContainsFunc(v.op.Args, reads)
	}
	return slices.ContainsFunc(k.Grid[:], reads) || slices.ContainsFunc(k.groups, reads) || slices.ContainsFunc(k.hostChecked(), func(op *Op) bool {
		return reads(hostOperand(op))
	})
}

// host evaluates scalar integer expressions in 64 bits and notes results that
// do not fit 32.
type host struct {
	sizes    [][]int
	scalars  []uint32
	known    map[*Value]int64 // each value is computed once
	overflow bool
}

func (h *host) eval(v *Value) int64 {
	if x, ok := h.known[v]; ok {
		return x
	}
	op := v.op
	args := make([]int64, len(op.Args))
	for i, a := range op.Args {
		args[i] = h.eval(a)
	}
	var x int64
	switch op.Kind {
	case OpConst:
		x = int64(op.Number)
	case OpDim:
		x = int64(h.sizes[op.View.Index][op.Axis])
	case OpArg:
		x = int64(int32(h.scalars[op.Scalar.Index]))
	case OpMultipleOf:
		x = args[0]
	case OpSelect:
		x = args[2]
		if args[0] != 0 {
			x = args[1]
		}
	case OpFMA:
		x = args[0]*args[1] + args[2]
	default:
		x = EvalInt(op.Kind, args[0], args[1])
	}
	if x > math.MaxInt32 || x < math.MinInt32 {
		h.overflow = true
	}
	h.known[v] = x
	return x
}

// EvalInt applies a binary or comparing op to signed integers with the meaning
// that the package comment gives; comparisons return 0 or 1. The result is not
// wrapped to 32 bits. It panics for other kinds.
func EvalInt(kind Kind, x, y int64) int64 {
	truth := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch kind {
	case OpAdd:
		return x + y
	case OpSub:
		return x - y
	case OpMul:
		return x * y
	case OpDiv:
		if y == 0 {
			return x
		}
		return x / y
	case OpRem:
		if y == 0 {
			return 0
		}
		return x % y
	case OpMulHi:
		return int64(uint64(uint32(x)) * uint64(uint32(y)) >> 32)
	case OpMin:
		return min(x, y)
	case OpMax:
		return max(x, y)
	case OpAnd:
		return x & y
	case OpOr:
		return x | y
	case OpXor:
		return x ^ y
	case OpShl:
		return x << (uint64(y) & 31)
	case OpShr:
		return x >> (uint64(y) & 31)
	case OpEq:
		return truth(x == y)
	case OpNe:
		return truth(x != y)
	case OpLt:
		return truth(x < y)
	case OpLe:
		return truth(x <= y)
	case OpGt:
		return truth(x > y)
	case OpGe:
		return truth(x >= y)
	}
	panic("weft: tile.EvalInt of " + kind.String())
}
