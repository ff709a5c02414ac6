package spirv

import "encoding/binary"

// Instructions and capabilities of 16-bit floats and of subgroups.
const (
	opExtension     = 10
	opExecutionMode = 16
	opCapability    = 17
	opTypeVoid      = 19 // the first of the types
	opTypeFloat     = 22
	opTypeVector    = 23
	opTypeFunction  = 33 // the last of them
	opDecorate      = 71
	opFConvert      = 115

	capabilityFloat16             = 9
	capabilityVote                = 62 // the first of those of subgroups but for the basic one, which built-in values need, too
	capabilityQuad                = 68 // the last of them
	capabilityUniformAndStorage16 = 4434
	capabilityNearest             = 4467

	modeNearest             = 4462
	decorationNoContraction = 42
)

// UsesSubgroups reports whether a module exchanges values between the threads of
// subgroups, by the words that Words returns.
func UsesSubgroups(words []uint32) bool {
	for at := headerWords; at+1 < len(words) && words[at]&0xffff == opCapability; at += 2 {
		if c := words[at+1]; c >= capabilityVote && c <= capabilityQuad {
			return true
		}
	}
	return false
}

// exactHalves makes the conversions to 16-bit floats of a module that has such what WGSL
// takes them for. They round to the nearest, ties to even: Vulkan leaves their direction
// open otherwise; devices without that mode get no such module. And they do round: Mesa
// takes f32(f16(x)) for x unless NoContraction forbids it. The compiler also declares
// 16-bit uniforms, of which there are none.
func exactHalves(m module) module {
	half, found := halfTypes(m)
	if !found {
		return m
	}
	out := module{header: m.header}
	var modes, decorations [][]uint32
	for _, inst := range m.code {
		if op(inst) == opFConvert && half[inst[1]] {
			decorations = append(decorations, []uint32{3<<16 | opDecorate, inst[2], decorationNoContraction})
		}
	}
	// The sections of a module: capabilities, extensions, ..., entry points, their modes,
	// ..., decorations, types.
	extended, decorated := false, false
	for _, inst := range m.code {
		switch {
		case op(inst) == opCapability && inst[1] == capabilityUniformAndStorage16:
			continue
		case op(inst) == opCapability:
		case !extended:
			out.code = append(out.code, []uint32{2<<16 | opCapability, capabilityNearest}, extension("SPV_KHR_float_controls"))
			extended = true
		case op(inst) == opEntryPoint:
			modes = append(modes, []uint32{4<<16 | opExecutionMode, inst[2], modeNearest, 16})
		case modes != nil:
			out.code = append(out.code, modes...)
			modes = nil
		}
		if isType := op(inst) >= opTypeVoid && op(inst) <= opTypeFunction; isType && !decorated {
			out.code = append(out.code, decorations...)
			decorated = true
		}
		out.code = append(out.code, inst)
	}
	return out
}

// halfTypes are the 16-bit floats and their vectors.
func halfTypes(m module) (types map[uint32]bool, found bool) {
	types = map[uint32]bool{}
	for _, inst := range m.code {
		switch op(inst) {
		case opTypeFloat:
			types[inst[1]] = inst[2] == 16
		case opTypeVector:
			types[inst[1]] = types[inst[2]]
		}
		found = found || op(inst) == opCapability && inst[1] == capabilityFloat16
	}
	return types, found
}

// extension is the instruction that declares an extension.
func extension(name string) []uint32 {
	text := append([]byte(name), make([]byte, 4-len(name)%4)...)
	inst := []uint32{(1+uint32(len(text))/4)<<16 | opExtension}
	for i := 0; i < len(text); i += 4 {
		inst = append(inst, binary.LittleEndian.Uint32(text[i:]))
	}
	return inst
}
