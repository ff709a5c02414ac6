package spirv

import (
	"encoding/binary"
	"slices"

	"github.com/gogpu/naga/spirv"
)

// What package spirv of the compiler has no name for.
const (
	capabilityPreserve      = 4466
	capabilityNearest       = 4467
	capabilityCooperative   = 6022 // CooperativeMatrixKHR
	decorationNoContraction = 42
)

// modePreserve is the execution mode that keeps infinities, NaN and the signs of zeros, modeNearest that of rounding to
// the nearest, ties to even.
const (
	modePreserve = uint32(spirv.ExecutionModeSignedZeroInfNanPreserve)
	modeNearest  = uint32(spirv.ExecutionModeRoundingModeRTE)
)

// UsesSubgroups reports whether a module exchanges values between the threads of
// subgroups, or has them hold matrices together, by the words that Words returns.
func UsesSubgroups(words []uint32) bool {
	for at := headerWords; at+1 < len(words) && op(words[at:]) == spirv.OpCapability; at += 2 {
		// All but the basic one, which built-in values need, too.
		c := spirv.Capability(words[at+1])
		if c >= spirv.CapabilityGroupNonUniformVote && c <= spirv.CapabilityGroupNonUniformQuad || c == capabilityCooperative {
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
	var decorations [][]uint32
	for _, inst := range m.code {
		if op(inst) == spirv.OpFConvert && half[inst[1]] {
			decorations = append(decorations, instruction(spirv.OpDecorate, inst[2], decorationNoContraction))
		}
	}
	out, decorated := module{header: m.header}, false
	for _, inst := range m.code {
		if op(inst) == spirv.OpCapability && spirv.Capability(inst[1]) == spirv.CapabilityUniformAndStorageBuffer16BitAccess {
			continue
		}
		if isType := op(inst) >= spirv.OpTypeVoid && op(inst) <= spirv.OpTypeFunction; isType && !decorated {
			out.code = append(out.code, decorations...)
			decorated = true
		}
		out.code = append(out.code, inst)
	}
	return ask(out, capabilityNearest, modeNearest, 16)
}

// KeepInfinities adds to a module, by the words that Words returns, that F32 has infinities, NaN and zeros with signs. Vulkan
// lets a driver take it otherwise that there are none: Mesa 26 takes abs(x - infinity) for x - infinity then.
func KeepInfinities(words []uint32) []uint32 {
	m, err := split(words)
	if err != nil {
		return words // which Words would not return
	}
	return ask(m, capabilityPreserve, modePreserve, 32).words()
}

// ask adds a capability of SPV_KHR_float_controls to a module, and its mode for floats of some bits to the entry points.
func ask(m module, capability, mode, bits uint32) module {
	controls := extension("SPV_KHR_float_controls")
	known := slices.ContainsFunc(m.code, func(inst []uint32) bool { return slices.Equal(inst, controls) })
	out, declared := module{header: m.header}, false
	var modes [][]uint32
	// The sections of a module: capabilities, extensions, ..., entry points, their modes, ..., decorations, types.
	for _, inst := range m.code {
		if op(inst) != spirv.OpCapability && !declared {
			out.code = append(out.code, instruction(spirv.OpCapability, capability))
			if !known {
				out.code = append(out.code, controls)
			}
			declared = true
		}
		if op(inst) == spirv.OpEntryPoint {
			modes = append(modes, instruction(spirv.OpExecutionMode, inst[2], mode, bits))
		} else {
			out.code = append(out.code, modes...)
			modes = nil
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
		case spirv.OpTypeFloat:
			types[inst[1]] = inst[2] == 16
		case spirv.OpTypeVector:
			types[inst[1]] = types[inst[2]]
		}
		found = found || op(inst) == spirv.OpCapability && spirv.Capability(inst[1]) == spirv.CapabilityFloat16
	}
	return types, found
}

// extension is the instruction that declares an extension.
func extension(name string) []uint32 {
	text := append([]byte(name), make([]byte, 4-len(name)%4)...)
	words := make([]uint32, len(text)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(text[4*i:])
	}
	return instruction(spirv.OpExtension, words...)
}
