package spirv

import "github.com/gogpu/naga/spirv"

const (
	opTrue  = 41
	opFalse = 42
)

// flatten turns the branches that the compiler makes of && and || into selections:
//
//	if a { v = b } else { v = false }
//
// where b costs a few instructions that nothing can go wrong with. WGSL lets && leave out its
// second operand, but a mask of which each load has one splits a kernel into as many blocks, and
// drivers keep loads within their blocks: they do not issue the next one before the branch.
func flatten(m module) module {
	for _, inst := range m.code {
		if op(inst) == spirv.OpPhi { // names a block that may go; the compiler makes none
			return m
		}
	}
	f := flattener{safe: safePointers(m), truths: map[uint32]uint32{}, loads: map[uint32]int{}, stores: map[uint32]int{}}
	for _, inst := range m.code {
		switch op(inst) {
		case opTrue, opFalse:
			f.truths[inst[2]] = inst[1]
		case spirv.OpLoad:
			f.loads[inst[3]]++
		case spirv.OpStore:
			f.stores[inst[1]]++
		}
	}
	code, changed := f.pass(m.code)
	for changed { // what is within has become flat
		code, changed = f.pass(code)
	}
	return module{header: m.header, code: code}
}

type flattener struct {
	safe          map[uint32]bool
	truths        map[uint32]uint32 // constants true and false, with their type
	loads, stores map[uint32]int    // of each variable
}

// safePointers are pointers that can be read whenever one likes: into a kernel's parameters and
// built-in variables, by access chains or as a whole.
func safePointers(m module) map[uint32]bool {
	types, pointers := map[uint32]bool{}, map[uint32]bool{}
	for _, inst := range m.code {
		switch op(inst) {
		case spirv.OpTypePointer:
			class := spirv.StorageClass(inst[2])
			types[inst[1]] = class == spirv.StorageClassInput || class == spirv.StorageClassUniform
		case spirv.OpVariable:
			pointers[inst[2]] = types[inst[1]] || spirv.StorageClass(inst[3]) == spirv.StorageClassFunction
		case spirv.OpAccessChain:
			pointers[inst[2]] = types[inst[1]]
		}
	}
	return pointers
}

// pass flattens the innermost branches of a kind once.
func (f *flattener) pass(code [][]uint32) (out [][]uint32, changed bool) {
	for i := 0; i < len(code); i++ {
		flat, n := f.branch(code[i:])
		if n == 0 {
			out = append(out, code[i])
			continue
		}
		out, changed = append(out, flat...), true
		i += n - 1
	}
	return out, changed
}

// side is one side of a branch: harmless instructions and then one store.
type side struct {
	code            [][]uint32
	variable, value uint32
}

// branch flattens the branch that code starts with, up to the load of what it stored, and says how many instructions
// that took; 0 for none.
func (f *flattener) branch(code [][]uint32) (flat [][]uint32, n int) {
	if len(code) < 2 || op(code[0]) != spirv.OpSelectionMerge || op(code[1]) != spirv.OpBranchConditional {
		return nil, 0
	}
	merge, cond, yes, no := code[0][1], code[1][1], code[1][2], code[1][3]
	n = 2
	var sides [2]side
	for i, label := range []uint32{yes, no} {
		s, used := f.side(code[n:], label, merge)
		if used == 0 {
			return nil, 0
		}
		sides[i], n = s, n+used
	}
	kind, variable := max(f.truths[sides[0].value], f.truths[sides[1].value]), sides[0].variable
	switch {
	case kind == 0 || variable != sides[1].variable || f.stores[variable] != 2 || f.loads[variable] != 1:
		return nil, 0
	case n+1 >= len(code) || op(code[n]) != spirv.OpLabel || code[n][1] != merge || op(code[n+1]) != spirv.OpLoad || code[n+1][3] != variable:
		return nil, 0
	}
	flat = append(append(flat, sides[0].code...), sides[1].code...)
	return append(flat, instruction(spirv.OpSelect, kind, code[n+1][2], cond, sides[0].value, sides[1].value)), n + 2
}

// side takes a side of a branch apart; n is 0 if it is not harmless.
func (f *flattener) side(code [][]uint32, label, merge uint32) (s side, n int) {
	if len(code) == 0 || op(code[0]) != spirv.OpLabel || code[0][1] != label {
		return s, 0
	}
	for n = 1; n < len(code) && f.harmless(code[n]); n++ {
		s.code = append(s.code, code[n])
	}
	if n+1 >= len(code) || len(s.code) > mostFlattened || op(code[n]) != spirv.OpStore || op(code[n+1]) != spirv.OpBranch || code[n+1][1] != merge {
		return s, 0
	}
	s.variable, s.value = code[n][1], code[n][2]
	return s, n + 2
}

// mostFlattened is how many instructions are worth more than a branch.
const mostFlattened = 24

// harmless reports whether an instruction may be executed for nothing.
func (f *flattener) harmless(inst []uint32) bool {
	switch o := op(inst); {
	case o == spirv.OpLoad:
		return f.safe[inst[3]]
	case o == spirv.OpAccessChain:
		return f.safe[inst[2]]
	default: // vectors and their parts, conversions, sums and products, truths and comparisons, shifts and bits
		return o == 80 || o == 81 || o >= 109 && o <= 124 || o >= 126 && o <= 133 || o >= 164 && o <= 191 || o >= 194 && o <= 200
	}
}
