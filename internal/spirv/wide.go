package spirv

import (
	"slices"

	"github.com/gogpu/naga/spirv"
)

// opUMulExtended gives both halves of a product.
const opUMulExtended = 151

// In the table below, names of operands: the parameters, two constants, and from there on results by line.
const (
	paramX = -1 - iota
	paramY
	low16
	by16
)

// mulhi is the function that stands for the high 32 bits of a product in WGSL, which has none.
var mulhi = []struct {
	op   spirv.OpCode
	x, y int
}{
	{spirv.OpBitwiseAnd, paramX, low16},       // 0
	{spirv.OpShiftRightLogical, paramX, by16}, // 1
	{spirv.OpBitwiseAnd, paramY, low16},       // 2
	{spirv.OpIMul, 1, 2},                      // 3
	{spirv.OpBitwiseAnd, paramY, low16},       // 4
	{spirv.OpIMul, 0, 4},                      // 5
	{spirv.OpShiftRightLogical, 5, by16},      // 6
	{spirv.OpIAdd, 3, 6},                      // 7
	{spirv.OpShiftRightLogical, paramY, by16}, // 8
	{spirv.OpIMul, 0, 8},                      // 9
	{spirv.OpBitwiseAnd, 7, low16},            // 10
	{spirv.OpIAdd, 9, 10},                     // 11
	{spirv.OpShiftRightLogical, paramY, by16}, // 12
	{spirv.OpIMul, 1, 12},                     // 13
	{spirv.OpShiftRightLogical, 7, by16},      // 14
	{spirv.OpIAdd, 13, 14},                    // 15
	{spirv.OpShiftRightLogical, 11, by16},     // 16
	{spirv.OpIAdd, 15, 16},                    // 17
}

// wideProducts gives such functions the one instruction that SPIR-V has for them.
func wideProducts(m module) module {
	constants := map[uint32]int{} // by their value
	for _, inst := range m.code {
		if op(inst) == spirv.OpConstant && len(inst) == 4 {
			constants[inst[2]] = int(inst[3])
		}
	}
	out := module{header: slices.Clone(m.header)}
	types := len(m.code) // where functions begin
	var structs [][]uint32
	for i := 0; i < len(m.code); i++ {
		inst := m.code[i]
		if op(inst) == spirv.OpFunction {
			types = min(types, len(out.code))
			if isMulhi(m.code[i:], constants) {
				kind, x, y := inst[1], m.code[i+1][2], m.code[i+2][2]
				pair := out.header[3]
				out.header[3] += 3
				structs = append(structs, instruction(spirv.OpTypeStruct, pair, kind, kind))
				out.code = append(out.code, m.code[i:i+4]...)
				out.code = append(out.code,
					instruction(opUMulExtended, pair, pair+1, x, y),
					instruction(spirv.OpCompositeExtract, kind, pair+2, pair+1, 1),
					instruction(spirv.OpReturnValue, pair+2))
				i += 4 + len(mulhi)
				continue
			}
		}
		out.code = append(out.code, inst)
	}
	if structs != nil {
		out.code = slices.Insert(out.code, types, structs...)
	}
	return out
}

// isMulhi reports whether code starts with a function as in the table.
func isMulhi(code [][]uint32, constants map[uint32]int) bool {
	const head = 4 // the function, its parameters, a label
	if len(code) < head+len(mulhi)+2 || op(code[1]) != spirv.OpFunctionParameter || op(code[2]) != spirv.OpFunctionParameter || op(code[3]) != spirv.OpLabel {
		return false
	}
	is := func(id uint32, name int) bool {
		switch name {
		case paramX:
			return id == code[1][2]
		case paramY:
			return id == code[2][2]
		case low16:
			return constants[id] == 0xffff
		case by16:
			return constants[id] == 16
		}
		return id == code[head+name][2]
	}
	for i, want := range mulhi {
		inst := code[head+i]
		if op(inst) != want.op || len(inst) != 5 || inst[1] != code[0][1] || !is(inst[3], want.x) || !is(inst[4], want.y) {
			return false
		}
	}
	end := code[head+len(mulhi)]
	return op(end) == spirv.OpReturnValue && end[1] == code[head+len(mulhi)-1][2] && op(code[head+len(mulhi)+1]) == spirv.OpFunctionEnd
}
