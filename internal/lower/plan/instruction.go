package plan

import (
	"fmt"
	"sync"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Instruction is the matrix instruction of single warps or subgroups for a product, nil with the reason if a device has none. Where cooperative matrices
// are of BF16 and not of F32, operands of F32 are taken in two parts of BF16 (see BFloatParts), which is more than TF32 asks for and less than TF32x3 does.
func Instruction(caps target.Caps, d Dot) (m *simt.MatrixInstruction, reason string) {
	elem := d.Elem
	if d.inBFloats(caps) {
		elem = dtype.BF16
	}
	switch {
	case elem != d.Elem && !worthParts(caps.Facts()):
		return nil, "three products of bf16 matrices are not known to be faster than multiply-adds of f32"
	case caps.MatrixTypes() == 0:
		return nil, "the device has no matrix instructions"
	case d.Elem == dtype.F32 && d.IEEE:
		return nil, "matrix instructions round operands of f32, and the precision is ieee"
	case !caps.MatrixTypes().Has(elem):
		return nil, fmt.Sprintf("the device has no matrix instructions for %v", elem)
	case caps.Matrix.Has(elem):
		return simt.WarpMMA, ""
	}
	row := caps.CooperativeFor(elem)
	if d.Batch && d.N < row.N {
		row = caps.Narrower(row, d.N)
	}
	switch shared := SharedElem(elem); {
	case row.Unknown != "" && row.M*row.N < row.Threads:
		return nil, fmt.Sprintf("%d threads have %d×%d elements", row.Threads, row.M, row.N)
	case caps.Language == target.WGSL && row.Unknown == "":
		return nil, "subgroup matrices of WGSL have no elements"
	case caps.Language == target.WGSL && elem != shared && (elem != dtype.F16 || !caps.F16):
		return nil, fmt.Sprintf("shared arrays of WGSL have no elements of %v", elem)
	}
	return cooperative(row), ""
}

// inBFloats reports whether operands can only be taken in two parts of BF16: in SPIR-V, which has shared arrays of these.
func (d Dot) inBFloats(caps target.Caps) bool {
	types := caps.MatrixTypes()
	return d.Elem == dtype.F32 && !d.IEEE && !d.Split && types.Has(dtype.BF16) && !types.Has(dtype.F32) && caps.Language == target.SPIRV
}

// worthParts reports whether matrices of BF16 are known to multiply more than three times as fast as ordinary units.
func worthParts(m *target.Machine) bool {
	return m.Matrix.F16*m.Matrix.WarpShare() > 3*m.Flops
}

// BFloatParts reports whether an instruction multiplies operands of a type in two parts of BF16, which are as many bytes: the operand rounded to BF16, and
// what that leaves. Three products of parts are added up; the product of what both leave is dropped.
func BFloatParts(m *simt.MatrixInstruction, elem dtype.Type) bool {
	return m != nil && m.Cooperative && elem == dtype.F32 && m.Sums[dtype.BF16] != 0
}

// MatrixElem is the type of the elements that an instruction multiplies for operands of a type.
func MatrixElem(m *simt.MatrixInstruction, elem dtype.Type) dtype.Type {
	if BFloatParts(m, elem) {
		return dtype.BF16
	}
	return elem
}

// instructions holds the one instruction of the process for a row of cooperative matrices, by what that prints.
var instructions sync.Map

// cooperative is the instruction of a row of cooperative matrices.
func cooperative(row target.CooperativeMatrix) *simt.MatrixInstruction {
	key := fmt.Sprintf("%#v", row)
	if m, ok := instructions.Load(key); ok {
		return m.(*simt.MatrixInstruction)
	}
	m := &simt.MatrixInstruction{
		Name: fmt.Sprintf("%dx%dx%d", row.M, row.N, row.K), Cooperative: true,
		Threads: row.Threads, Rows: row.M, Columns: row.N, MostColumns: row.N, Bytes: row.K * row.A.Size(),
		Sums: map[dtype.Type]dtype.Type{row.A: sums(row)},
		A:    fragment(row.FragmentA, 0), B: fragment(row.FragmentB, 1), C: fragment(row.FragmentC, 0),
	}
	if row.Unknown != "" {
		m.MakeOpaque(row.A)
	}
	stored, _ := instructions.LoadOrStore(key, m)
	return stored.(*simt.MatrixInstruction)
}

// sums is the type in which kernels have a row's sums: unsigned ones have the bits of I32.
func sums(row target.CooperativeMatrix) dtype.Type {
	if row.C == dtype.U32 {
		return dtype.I32
	}
	return row.C
}

// fragment numbers elements by the dimension that is not summed, 0 for rows, and then the other.
func fragment(f target.Fragment, across int) simt.Fragment {
	swapped := func(list [][2]int) (out [][2]int) {
		for _, by := range list {
			out = append(out, [2]int{by[across], by[1-across]})
		}
		return out
	}
	return simt.Fragment{Registers: swapped(f.Components), Threads: swapped(f.Threads)}
}

// PartBytes is the most bytes that a row has, along K, of a part in which an operand of cooperative matrices is staged.
const PartBytes = 64

// PartDepth is how many of depth elements along K the parts have in which an operand of cooperative matrices is staged that is contiguous along K. Rows of
// 64 bytes take half as many lines of a cache as rows of 32. There are two parts at least, so that one can be filled while the other is read, of at most 32
// bytes for each thread.
func PartDepth(m *simt.MatrixInstruction, elem dtype.Type, depth, rows, threads int) int {
	const each = 32
	part, size := min(depth, m.Bytes/elem.Size()), elem.Size()
	for 4*part <= depth && 2*part*size <= PartBytes && 2*part*rows*size <= each*threads {
		part *= 2
	}
	return part
}
