package spirv

// The opcodes and the storage class that the clearing is made of.
const (
	opConstantNull      = 46
	opFunction          = 54
	opVariable          = 59
	opStore             = 62
	opControlBarrier    = 224
	opSelectionMerge    = 247
	opLabel             = 248
	opBranch            = 249
	opBranchConditional = 250

	classWorkgroup = 4
)

// dropClearing removes the code that zeroes workgroup memory.
//
// WGSL promises zeroed workgroup variables, so the compiler starts an entry
// point that uses any with
//
//	if all(local_invocation_id == 0) { var1 = null; var2 = null; ... }
//	workgroupBarrier()
//
// One thread clearing tens of KiB costs more than a small kernel does, and
// drivers take seconds to compile stores of whole arrays. weft's kernels write
// shared memory before they read it, so the condition becomes a jump past the
// stores and the barrier goes. The compiler puts the clearing before all code
// of the module's author, so only the first branch of a function can be it.
func dropClearing(m module) module {
	nulls, shared := map[uint32]bool{}, map[uint32]bool{}
	for _, inst := range m.code {
		switch {
		case op(inst) == opConstantNull:
			nulls[inst[2]] = true
		case op(inst) == opVariable && inst[3] == classWorkgroup:
			shared[inst[2]] = true
		}
	}
	isClear := func(inst []uint32) bool {
		return op(inst) == opStore && shared[inst[1]] && nulls[inst[2]]
	}

	out := module{header: m.header}
	first := false // no branch of the function was seen yet
	for i := 0; i < len(m.code); i++ {
		inst := m.code[i]
		switch op(inst) {
		case opFunction:
			first = true
		case opSelectionMerge:
			if n := clearing(m.code[i:], isClear); first && n > 0 {
				merge := inst[1]
				out.code = append(out.code,
					[]uint32{2<<16 | opBranch, merge},
					[]uint32{2<<16 | opLabel, merge})
				i += n - 1
				first = false
				continue
			}
			first = false
		case opBranch, opBranchConditional:
			first = false
		}
		out.code = append(out.code, inst)
	}
	return out
}

// clearing counts the instructions from the merge declaration to the barrier
// if code starts with the clearing, and is 0 if it does not.
func clearing(code [][]uint32, isClear func([]uint32) bool) int {
	at := func(i int, want uint32) bool { return i < len(code) && op(code[i]) == want }
	if !at(0, opSelectionMerge) || !at(1, opBranchConditional) || !at(2, opLabel) {
		return 0
	}
	n := 3
	for n < len(code) && isClear(code[n]) {
		n++
	}
	if n == 3 || !at(n, opBranch) || !at(n+1, opLabel) || !at(n+2, opControlBarrier) {
		return 0
	}
	return n + 3
}
