//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/target"
)

// Vulkan leaves open in which direction a conversion from F32 to BF16 rounds, and has no execution mode for it. So a kernel is asked once.

// rounders holds what the kernel said, by fingerprint.
var rounders sync.Map

// roundsBFloats reports whether a device that takes SPIR-V converts F32 to BF16 to the nearest, ties to even.
func roundsBFloats(d *device) bool {
	if d.caps.Language != target.SPIRV || !d.phys.has(bfloat16s) {
		return false
	}
	if known, ok := rounders.Load(d.caps.Fingerprint); ok {
		return known.(bool)
	}
	ok, err := askRounding(d, "%bfloats = OpFConvert %bfloat4 %floats")
	rounders.Store(d.caps.Fingerprint, err == nil && ok)
	return err == nil && ok
}

// askRounding converts numbers by instructions from %floats to %bfloats and compares the results.
func askRounding(d *device, convert string) (bool, error) {
	numbers := roundedNumbers()
	var in []byte
	for _, n := range numbers {
		in = binary.LittleEndian.AppendUint32(in, n)
	}
	words, err := ask(d, roundingSource(convert, len(numbers)/4, d.caps.KeepsNaN.Has(dtype.F32)), in, len(numbers))
	if err != nil {
		return false, err
	}
	for i, n := range numbers {
		if !isRounded(n, words[i]) {
			return false, nil
		}
	}
	return true, nil
}

// roundedNumbers are the bits of numbers at, next to and between those of BF16: of both signs, normal and not, up to infinity and NaN.
func roundedNumbers() (list []uint32) {
	for _, high := range []uint32{0, 1, 2, 0x7f, 0x80, 0x81, 0x3f7f, 0x3f80, 0x3f81, 0x3faa, 0x42fe, 0x42ff, 0x7f7e, 0x7f7f, 0x7f80, 0x7fff} {
		for _, low := range []uint32{0, 1, 0x7fff, 0x8000, 0x8001, 0xffff} {
			list = append(list, high<<16|low, (high|0x8000)<<16|low)
		}
	}
	return list
}

// isRounded reports whether a word is an F32 as BF16. A NaN may be any, and what is not a normal number may become 0.
func isRounded(from, to uint32) bool {
	const sign, exponent = 0x8000, 0x7f80
	want := uint32(dtype.ToBFloat16(math.Float32frombits(from)))
	switch {
	case want&^sign > exponent:
		return to <= 0xffff && to&^sign > exponent
	case from>>16&exponent == 0:
		return to == want || to == from>>16&sign
	}
	return to == want
}

// roundingSource converts four numbers a thread.
func roundingSource(convert string, threads int, keepsNaN bool) backend.Source {
	var w writer
	capability, mode := "", ""
	if keepsNaN { // as in kernels
		capability = "OpCapability SignedZeroInfNanPreserve\nOpExtension \"SPV_KHR_float_controls\"\n"
		mode = "OpExecutionMode %main SignedZeroInfNanPreserve 32\n"
	}
	fmt.Fprintf(&w, `; Version: 1.6
OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability Int16
OpCapability BFloat16TypeKHR
%sOpExtension "SPV_KHR_bfloat16"
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %%main "rounding" %%thread %%in %%out
OpExecutionMode %%main LocalSize %d 1 1
%s`, capability, threads, mode)
	w.WriteString(strings.Replace(measureDecorations, "OpDecorate %group BuiltIn WorkgroupId\n", "", 1) + outDecorations(1) + commonTypes + `%to_thread = OpTypePointer Input %uint
%thread = OpVariable %to_thread Input
%in = OpVariable %to_out StorageBuffer
%bfloat = OpTypeFloat 16 BFloat16KHR
%bfloat4 = OpTypeVector %bfloat 4
%short = OpTypeInt 16 0
%short4 = OpTypeVector %short 4
%uint4 = OpTypeVector %uint 4
%float4 = OpTypeVector %float 4
`)
	w.constant("four", 4)
	w.each(4, "%number# = OpConstant %uint #")
	w.WriteString("%main = OpFunction %void None %function\n%start = OpLabel\n%t = OpLoad %uint %thread\n%first = OpIMul %uint %t %four\n")
	w.each(4, "%at# = OpIAdd %uint %first %number#\n%from# = OpAccessChain %to_word %in %zero %at#\n%word# = OpLoad %uint %from#")
	w.WriteString("%words4 = OpCompositeConstruct %uint4 %word0 %word1 %word2 %word3\n%floats = OpBitcast %float4 %words4\n" + convert +
		"\n%shorts = OpBitcast %short4 %bfloats\n%results = OpUConvert %uint4 %shorts\n")
	w.each(4, "%result# = OpCompositeExtract %uint %results #\n%to# = OpAccessChain %to_word %out %zero %at#\nOpStore %to# %result#")
	w.WriteString("OpReturn\nOpFunctionEnd\n")
	return measured("rounding", w.String(), threads)
}
