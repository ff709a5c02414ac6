package spirv

import "github.com/gogpu/naga/spirv"

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
		case op(inst) == spirv.OpConstantNull:
			nulls[inst[2]] = true
		case op(inst) == spirv.OpVariable && inst[3] == uint32(spirv.StorageClassWorkgroup):
			shared[inst[2]] = true
		}
	}
	isClear := func(inst []uint32) bool {
		return op(inst) == spirv.OpStore && shared[inst[1]] && nulls[inst[2]]
	}

	out := module{header: m.header}
	first := false // no branch of the function was seen yet
	for i := 0; i < len(m.code); i++ {
		inst := m.code[i]
		switch op(inst) {
		case spirv.OpFunction:
			first = true
		case spirv.OpSelectionMerge:
			if n := clearing(m.code[i:], isClear); first && n > 0 {
				merge := inst[1]
				out.code = append(out.code,
					instruction(spirv.OpBranch, merge),
					instruction(spirv.OpLabel, merge))
				i += n - 1
				first = false
				continue
			}
			first = false
		case spirv.OpBranch, spirv.OpBranchConditional:
			first = false
		}
		out.code = append(out.code, inst)
	}
	return out
}

// clearing counts the instructions from the merge declaration to the barrier
// if code starts with the clearing, and is 0 if it does not.
func clearing(code [][]uint32, isClear func([]uint32) bool) int {
	at := func(i int, want spirv.OpCode) bool { return i < len(code) && op(code[i]) == want }
	if !at(0, spirv.OpSelectionMerge) || !at(1, spirv.OpBranchConditional) || !at(2, spirv.OpLabel) {
		return 0
	}
	n := 3
	for n < len(code) && isClear(code[n]) {
		n++
	}
	if n == 3 || !at(n, spirv.OpBranch) || !at(n+1, spirv.OpLabel) || !at(n+2, spirv.OpControlBarrier) {
		return 0
	}
	return n + 3
}
