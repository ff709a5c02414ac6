//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
)

// Vulkan does not say which threads hold which elements of a cooperative matrix. So a kernel loads a matrix of the numbers of its rows, and one of the
// numbers of its columns, and stores each thread's components. What comes out is a Fragment if it is linear.

// matrixType is a type of cooperative matrices.
type matrixType struct {
	elem          dtype.Type
	use           matrixUse
	rows, columns int
}

// matrixUse is the operand that a matrix can be, as SPIR-V numbers them.
type matrixUse int

const (
	useA matrixUse = iota
	useB
	useC
)

func (t matrixType) String() string {
	return fmt.Sprintf("%v %d×%d (%c)", t.elem, t.rows, t.columns, "abc"[t.use])
}

// element is how SPIR-V declares elements of a type, and how it makes words of the small numbers that they are.
type element struct {
	declaration string
	words       string   // instructions from %_x to %_w
	most        int      // all integers up to it are exact
	needs       []string // capabilities
}

var elements = map[dtype.Type]element{
	dtype.F16:  {"OpTypeFloat 16", "%_w = OpConvertFToU %uint %_x", 1 << 11, []string{"Float16"}},
	dtype.BF16: {"OpTypeFloat 16 BFloat16KHR", "%_f = OpFConvert %float %_x\n%_w = OpConvertFToU %uint %_f", 1 << 8, []string{"BFloat16TypeKHR", "BFloat16CooperativeMatrixKHR"}},
	dtype.F32:  {"OpTypeFloat 32", "%_w = OpConvertFToU %uint %_x", 1 << 24, nil},
	dtype.I8:   {"OpTypeInt 8 1", "%_w = OpSConvert %uint %_x", 1<<7 - 1, []string{"Int8"}},
	dtype.U8:   {"OpTypeInt 8 0", "%_w = OpUConvert %uint %_x", 1<<8 - 1, []string{"Int8"}},
	dtype.I32:  {"OpTypeInt 32 1", "%_w = OpBitcast %uint %_x", 1<<31 - 1, nil},
	dtype.U32:  {"", "%_w = OpCopyObject %uint %_x", 1<<31 - 1, nil},
}

// spirvHead begins a module with matrices of some types. The ids of element and matrix types are %elem and %matrix with the
// number of the type, of its rows, columns and use %rows, %columns and %use with it.
func spirvHead(entry string, threads int, list []matrixType, variables ...string) (head, types string) {
	var h, t strings.Builder
	capabilities := []string{"Shader", "VulkanMemoryModel", "CooperativeMatrixKHR", "StorageBuffer8BitAccess", "StorageBuffer16BitAccess"}
	declared := map[dtype.Type]int{}
	for i, m := range list {
		e := elements[m.elem]
		if _, again := declared[m.elem]; !again {
			declared[m.elem] = i
			capabilities = append(capabilities, e.needs...)
			if e.declaration != "" && m.elem != dtype.F32 {
				fmt.Fprintf(&t, "%%elem%d = %s\n", i, e.declaration)
			}
		}
		fmt.Fprintf(&t, "%%rows%d = OpConstant %%uint %d\n%%columns%d = OpConstant %%uint %d\n%%use%d = OpConstant %%uint %d\n", i, m.rows, i, m.columns, i, m.use)
		fmt.Fprintf(&t, "%%matrix%d = OpTypeCooperativeMatrixKHR %s %%subgroup %%rows%d %%columns%d %%use%d\n", i, elementID(m.elem, declared[m.elem]), i, i, i)
	}
	fmt.Fprintln(&h, "; Version: 1.6")
	seen := map[string]bool{}
	for _, c := range capabilities {
		if !seen[c] {
			fmt.Fprintln(&h, "OpCapability", c)
		}
		seen[c] = true
	}
	fmt.Fprintln(&h, `OpExtension "SPV_KHR_cooperative_matrix"`)
	if seen["BFloat16TypeKHR"] {
		fmt.Fprintln(&h, `OpExtension "SPV_KHR_bfloat16"`)
	}
	fmt.Fprintf(&h, "OpMemoryModel Logical Vulkan\nOpEntryPoint GLCompute %%main %q %s\nOpExecutionMode %%main LocalSize %d 1 1\n", entry, strings.Join(variables, " "), threads)
	return h.String(), t.String()
}

// elementID is the id of an element type, which no other type may declare alike.
func elementID(e dtype.Type, first int) string {
	switch e {
	case dtype.F32:
		return "%float"
	case dtype.U32:
		return "%uint"
	}
	return fmt.Sprintf("%%elem%d", first)
}

// commonTypes follow the decorations of every module.
const commonTypes = `%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%zero = OpConstant %uint 0
%subgroup = OpConstant %uint 3
%words = OpTypeRuntimeArray %uint
%out_block = OpTypeStruct %words
%to_out = OpTypePointer StorageBuffer %out_block
%to_word = OpTypePointer StorageBuffer %uint
%out = OpVariable %to_out StorageBuffer
`

// outDecorations are those of the buffer of words at a binding.
func outDecorations(binding int) string {
	return fmt.Sprintf("OpDecorate %%out DescriptorSet 0\nOpDecorate %%out Binding %d\nOpDecorate %%out_block Block\nOpMemberDecorate %%out_block 0 Offset 0\nOpDecorate %%words ArrayStride 4\n", binding)
}

// lengthsSource stores how many components a thread has of a matrix of each type.
func lengthsSource(list []matrixType, threads int) backend.Source {
	var b strings.Builder
	head, types := spirvHead("lengths", threads, list, "%out")
	b.WriteString(head + outDecorations(0) + commonTypes + types)
	for i := range list {
		fmt.Fprintf(&b, "%%at%d = OpConstant %%uint %d\n", i, i)
	}
	b.WriteString("%main = OpFunction %void None %function\n%start = OpLabel\n")
	for i := range list {
		fmt.Fprintf(&b, "%%length%d = OpCooperativeMatrixLengthKHR %%uint %%matrix%d\n%%to%d = OpAccessChain %%to_word %%out %%zero %%at%d\nOpStore %%to%d %%length%d\n", i, i, i, i, i, i)
	}
	b.WriteString("OpReturn\nOpFunctionEnd\n")
	return backend.Source{Language: target.SPIRV, Text: b.String(), Entry: "lengths", Threads: threads, Bindings: []backend.Binding{{Name: "out", Access: backend.Write}}}
}

// fragmentSource stores the components of two matrices of a type, one after the other in a buffer: word 2(cT+t) is component c of thread t of T of the
// first, and the next word of the second.
func fragmentSource(m matrixType, components, threads int) backend.Source {
	var b strings.Builder
	e, id := elements[m.elem], elementID(m.elem, 0)
	head, types := spirvHead("fragment", threads, []matrixType{m}, "%thread", "%in", "%out")
	b.WriteString(head + outDecorations(1))
	fmt.Fprintf(&b, `OpDecorate %%thread BuiltIn LocalInvocationIndex
OpDecorate %%in DescriptorSet 0
OpDecorate %%in Binding 0
OpDecorate %%in NonWritable
OpDecorate %%in_block Block
OpMemberDecorate %%in_block 0 Offset 0
OpDecorate %%array ArrayStride %d
`, m.elem.Size())
	b.WriteString(commonTypes + types)
	fmt.Fprintf(&b, `%%array = OpTypeRuntimeArray %s
%%in_block = OpTypeStruct %%array
%%to_in = OpTypePointer StorageBuffer %%in_block
%%to_elem = OpTypePointer StorageBuffer %s
%%to_thread = OpTypePointer Input %%uint
%%in = OpVariable %%to_in StorageBuffer
%%thread = OpVariable %%to_thread Input
%%row_major = OpConstant %%uint 0
%%second = OpConstant %%uint %d
%%one = OpConstant %%uint 1
`, id, id, m.rows*m.columns)
	for c := range components {
		fmt.Fprintf(&b, "%%from%d = OpConstant %%uint %d\n", c, c*threads)
	}
	b.WriteString(`%main = OpFunction %void None %function
%start = OpLabel
%t = OpLoad %uint %thread
%at_first = OpAccessChain %to_elem %in %zero %zero
%at_second = OpAccessChain %to_elem %in %zero %second
%first = OpCooperativeMatrixLoadKHR %matrix0 %at_first %row_major %columns0
%next = OpCooperativeMatrixLoadKHR %matrix0 %at_second %row_major %columns0
`)
	for c := range components {
		fmt.Fprintf(&b, "%%item%d = OpIAdd %%uint %%t %%from%d\n%%even%d = OpIAdd %%uint %%item%d %%item%d\n%%odd%d = OpIAdd %%uint %%even%d %%one\n", c, c, c, c, c, c, c)
		for _, which := range [][2]string{{"even", "first"}, {"odd", "next"}} {
			name := fmt.Sprintf("%s%d", which[0], c)
			fmt.Fprintf(&b, "%%%s_x = OpCompositeExtract %s %%%s %d\n%s\n", name, id, which[1], c, strings.ReplaceAll(e.words, "%_", "%"+name+"_"))
			fmt.Fprintf(&b, "%%%s_to = OpAccessChain %%to_word %%out %%zero %%%s\nOpStore %%%s_to %%%s_w\n", name, name, name, name)
		}
	}
	b.WriteString("OpReturn\nOpFunctionEnd\n")
	return backend.Source{Language: target.SPIRV, Text: b.String(), Entry: "fragment", Threads: threads,
		Bindings: []backend.Binding{{Name: "in", Access: backend.Read}, {Name: "out", Access: backend.Write}}}
}

// fragmentOf finds the fragment of a matrix of which at tells the row and the column of each component of each thread of a
// subgroup, or says why there is none.
func fragmentOf(m matrixType, components, threads int, at func(component, thread int) [2]int) (f target.Fragment, opaque string) {
	if pow2.Floor(components) != components {
		return f, fmt.Sprintf("a thread has %d components of %v", components, m)
	}
	for bit := 1; bit < components; bit *= 2 {
		f.Components = append(f.Components, at(bit, 0))
	}
	for bit := 1; bit < threads; bit *= 2 {
		f.Threads = append(f.Threads, at(0, bit))
	}
	seen := map[[2]int]bool{}
	for t := range threads {
		for c := range components {
			got := at(c, t)
			seen[got] = true
			if row, column := f.At(c, t); got != [2]int{row, column} {
				return target.Fragment{}, fmt.Sprintf("component %d of thread %d of %v is element %v, not %v as the bits of their numbers say", c, t, m, got, [2]int{row, column})
			}
		}
	}
	if len(seen) != m.rows*m.columns {
		return target.Fragment{}, fmt.Sprintf("threads have %d elements of %v", len(seen), m)
	}
	return f, ""
}
