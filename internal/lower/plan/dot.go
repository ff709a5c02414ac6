package plan

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Dot is a product of tiles, [M,K] by [K,N], that is added to accumulators.
type Dot struct {
	Elem    dtype.Type // of the operands
	IEEE    bool       // operands of F32 are not rounded
	Split   bool       // operands of F32 are taken in two parts, see tile.TF32x3
	Batch   bool       // of matrices of a batch, whose operands are in registers
	M, N, K int
	Columns int // of the N that a tile has, those that may be other than zeros; 0 for all
}

// MostColumns is the most columns of an instruction of warpgroups.
func MostColumns() int { return simt.WarpgroupMMA.MostColumns }

// Sums is how many sums may be other than zeros.
func (d Dot) Sums() int {
	if d.Columns > 0 {
		return d.M * d.Columns
	}
	return d.M * d.N
}

// NoInstruction says why a device has no matrix instruction for the product, whatever its size, "" if it has one.
func (d Dot) NoInstruction(caps target.Caps) (reason string) {
	m, reason := Instruction(caps, d)
	if reason == "" && m.Cooperative && d.Split {
		return "cooperative matrices are not of operands in two parts of TF32"
	}
	return reason
}

// NoMatrix says why no matrix instruction computes the product in so many threads, "" if one does; 0 are as many as it takes.
func (d Dot) NoMatrix(caps target.Caps, threads int) (reason string) {
	if reason := d.NoInstruction(caps); reason != "" {
		return reason
	}
	m, _ := Instruction(caps, d)
	step := m.Bytes / MatrixElem(m, d.Elem).Size()
	switch {
	case threads > 0 && threads < m.Threads:
		return fmt.Sprintf("%d threads do not fill a warp of %d", threads, m.Threads)
	case d.M < m.Rows || d.N < m.Columns || d.K < step:
		return fmt.Sprintf("%d×%d×%d is smaller than the %d×%d×%d of an instruction", d.M, d.N, d.K, m.Rows, m.Columns, step)
	}
	return ""
}

// ByWarpgroups reports whether warpgroups can compute the product in so many threads: each has 64 of its rows or several times as many, and
// all of its columns.
func (d Dot) ByWarpgroups(caps target.Caps, threads int) bool {
	w := simt.WarpgroupMMA
	return caps.WarpGroups && threads > 0 && threads%w.Threads == 0 && d.M >= w.Rows*threads/w.Threads && d.N <= w.MostColumns && d.K >= w.Bytes/d.Elem.Size()
}

// ReadsLines reports whether warpgroups read an operand from shared memory in swizzle rows of n elements each: those of elements that are
// not of 16 bits K-major.
func ReadsLines(elem dtype.Type, n, rows int, kMajor bool) bool {
	return n*elem.Size() >= simt.LineBytes && rows >= lineRows && (elem.Size() == 2 || kMajor)
}

// LoadsWords reports whether threads load the words of an MN-major left operand for warpgroups, because the instruction cannot: words need no
// transposing. Swizzle rows have n elements each.
func LoadsWords(elem dtype.Type, split bool, n, rows int) bool {
	return Words(elem, split) && n*elem.Size() >= simt.LineBytes && rows >= lineRows
}

// Words reports whether elements are words that threads can load for warpgroups; split says that they are taken in two parts.
func Words(elem dtype.Type, split bool) bool { return elem.Size() == 4 && !split }

// TakesOrder reports whether warpgroups multiply an operand, the left one (0) or the right one (1), that is K-major or not.
func (d Dot) TakesOrder(which int, kMajor bool) bool {
	return d.Elem.Size() == 2 || kMajor || which == 0 && Words(d.Elem, d.Split)
}

// NoProducers says why warpgroups cannot multiply what tensor maps copy, whatever the tiles, "" if they can.
func (d Dot) NoProducers(caps target.Caps) (reason string) {
	switch reason = d.NoInstruction(caps); {
	case reason != "":
		return reason
	case !caps.TensorMaps || !caps.WarpGroups:
		return "the device has no tensor maps, or the operands do not suit them"
	case d.Split:
		return "threads split the operands"
	}
	return ""
}

// StageBytes is what both operands take in shared memory: in their own type for matrix instructions, else as registers hold them.
func (d Dot) StageBytes(caps target.Caps, threads int) int {
	elem := d.Elem
	if d.NoMatrix(caps, threads) != "" {
		elem = SharedElem(elem)
	}
	return (d.M + d.N) * d.K * elem.Size()
}

// spareRegisters are what a thread needs in addition to accumulators that cannot leave their registers, for addresses, masks and matrix instructions:
// ptxas asked for 26 where the accumulators were 128.
const spareRegisters = 32

// NoRegisters says why accumulators of matrix instructions, so many of each of some groups of threads, leave a thread or a compute unit too few registers, ""
// if there are enough. All threads start with as many registers, those of producers too, which go with several groups.
func NoRegisters(caps target.Caps, accumulators, threads, groups int) (reason string) {
	each, all := accumulators/max(threads, 1)+spareRegisters, threads
	if groups > 1 {
		all = groups*threads + simt.WarpgroupMMA.Threads
	}
	if caps.Registers > 0 && threads > 0 && each > caps.Registers || accumulators > 0 && all*each > caps.Facts().Registers {
		return fmt.Sprintf("%d accumulators leave %d threads fewer than %d registers each", accumulators, threads, spareRegisters)
	}
	return ""
}
