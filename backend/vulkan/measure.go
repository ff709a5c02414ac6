//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"fmt"
	"strings"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/target"
)

// A driver may offer matrices that it multiplies by shuffles and arithmetic of its own. So the rate of each product is measured against that of
// multiply-adds of its sums' type, which kernels use otherwise, and those that gain nothing are not used.

// slower is why a row is not used.
const slower = "multiply-adds were measured to be as fast"

// The size of a measurement: workgroups of some subgroups, each of which does rounds of steps operations that do not wait for each other.
type effort struct{ groups, subgroups, rounds, times int }

// usualEffort takes a tenth of a millisecond to a few of them on GPUs.
var usualEffort = effort{groups: 1024, subgroups: 4, rounds: 256, times: 3}

const independent = 4 // accumulators of a subgroup, or of a thread

// rate runs a kernel of so many operations a few times and tells the operations per second of the fastest run.
func (e effort) rate(d *device, src backend.Source, in, out int, operations float64) (float64, error) {
	t, err := newTrial(d, src, make([]byte, in), make([]byte, out))
	if err != nil {
		return 0, err
	}
	defer t.close()
	best := time.Duration(0)
	for range e.times + 1 { // the first one warms up
		start := time.Now()
		if err := t.launch(e.groups); err != nil {
			return 0, err
		}
		if took := time.Since(start); best == 0 || took < best {
			best = took
		}
	}
	return operations / best.Seconds(), nil
}

// products is the rate of a row's matrices.
func (e effort) products(d *device, m *target.CooperativeMatrix) (float64, error) {
	threads := e.subgroups * m.Threads
	operations := 2 * float64(m.M*m.N*m.K) * float64(independent*e.rounds) * float64(e.groups*e.subgroups)
	sums := m.M * m.N * m.C.Size()
	in := max(m.M*m.K*m.A.Size(), m.K*m.N*m.B.Size(), independent*sums)
	return e.rate(d, productsSource(m, threads, e), in, e.groups*e.subgroups*sums, operations)
}

// multiplyAdds is the rate of multiply-adds of a type.
func (e effort) multiplyAdds(d *device, elem dtype.Type, subgroup int) (float64, error) {
	threads := e.subgroups * subgroup
	operations := 2 * float64(independent*e.rounds) * float64(threads*e.groups)
	return e.rate(d, multiplyAddsSource(elem, threads, e), 4*max(threads, independent), 4*threads*e.groups, operations)
}

// drop marks the rows whose matrices are no faster than multiply-adds.
func (e effort) drop(d *device, rows []target.CooperativeMatrix) {
	plain := map[dtype.Type]float64{}
	for i := range rows {
		m := &rows[i]
		if m.Opaque != "" {
			continue
		}
		sums := dtype.F32
		if m.C.IsInt() {
			sums = dtype.U32
		}
		if _, known := plain[sums]; !known {
			rate, err := e.multiplyAdds(d, sums, m.Threads)
			if err != nil {
				logging.Logger().Debug("multiply-adds are not measured", "type", sums, "error", err)
			}
			plain[sums] = rate
		}
		rate, err := e.products(d, m)
		logging.Logger().Debug("cooperative matrices measured", "matrices", m, "rate", rate, "multiply-adds", plain[sums], "error", err)
		switch {
		case err != nil:
			m.Opaque = fmt.Sprintf("the kernel that measures them: %v", err)
		case rate <= plain[sums]:
			m.Opaque = slower
		}
		if m.Opaque != "" {
			m.FragmentA, m.FragmentB, m.FragmentC = target.Fragment{}, target.Fragment{}, target.Fragment{}
		}
	}
}

// The text of both kernels around what they do in each round. They read words from binding 0 and write words to binding 1.
const (
	measureDecorations = `OpDecorate %thread BuiltIn LocalInvocationIndex
OpDecorate %group BuiltIn WorkgroupId
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
`
	measureTypes = `%bool = OpTypeBool
%uint3 = OpTypeVector %uint 3
%to_group = OpTypePointer Input %uint3
%to_thread = OpTypePointer Input %uint
%group = OpVariable %to_group Input
%thread = OpVariable %to_thread Input
%in = OpVariable %to_out StorageBuffer
%one = OpConstant %uint 1
`
	measureStart = `%main = OpFunction %void None %function
%start = OpLabel
%t = OpLoad %uint %thread
%position = OpLoad %uint3 %group
%g = OpCompositeExtract %uint %position 0
`
	measureLoop = `OpBranch %header
%header = OpLabel
%round = OpPhi %uint %zero %start %next_round %body
`
	measureBody = `%more = OpULessThan %bool %round %rounds
OpLoopMerge %done %body None
OpBranchConditional %more %body %done
%body = OpLabel
`
	measureDone = `%next_round = OpIAdd %uint %round %one
OpBranch %header
%done = OpLabel
`
)

// writer writes instructions, numbered where they are alike.
type writer struct{ strings.Builder }

func (w *writer) each(n int, format string) {
	for i := range n {
		fmt.Fprintln(w, strings.NewReplacer("#", fmt.Sprint(i)).Replace(format))
	}
}

func (w *writer) constant(name string, n int) {
	fmt.Fprintf(w, "%%%s = OpConstant %%uint %d\n", name, n)
}

// accumulate has accumulators %first0... of a type go through the loop and makes %sum of them: no compiler finds that they are alike, nor that one is
// not used.
func (w *writer) accumulate(kind, step, add string) {
	w.WriteString(measureLoop)
	w.each(independent, "%v# = OpPhi "+kind+" %first# %start %w# %body")
	w.WriteString(measureBody)
	w.each(independent, step)
	w.WriteString(measureDone + "%sum0 = OpCopyObject " + kind + " %v0\n")
	for i := 1; i < independent; i++ {
		fmt.Fprintf(w, "%%sum%d = %s %s %%sum%d %%v%d\n", i, add, kind, i-1, i)
	}
}

// measured is the source of a kernel.
func measured(entry, text string, threads int) backend.Source {
	return backend.Source{Language: target.SPIRV, Text: text, Entry: entry, Threads: threads,
		Bindings: []backend.Binding{{Name: "in", Access: backend.Read}, {Name: "out", Access: backend.Write}}}
}

// signs are the operands of a product of integers.
func signs(m *target.CooperativeMatrix) string {
	var list []string
	for _, s := range []struct {
		signed bool
		name   string
	}{{m.A == dtype.I8, "MatrixA"}, {m.B == dtype.I8, "MatrixB"}, {m.C == dtype.I32, "MatrixC"}, {m.Result == dtype.I32, "MatrixResult"}} {
		if s.signed {
			list = append(list, s.name+"SignedComponentsKHR")
		}
	}
	return strings.Join(list, "|")
}

// productsSource multiplies two matrices again and again. Matrices are rows of words.
func productsSource(m *target.CooperativeMatrix, threads int, e effort) backend.Source {
	list := operands(m)
	words := func(t matrixType) int { return t.columns * t.elem.Size() / 4 } // of a row
	var w writer
	head, types := spirvHead("products", threads, list[:], "%thread", "%group", "%in", "%out")
	w.WriteString(head + measureDecorations + outDecorations(1) + commonTypes + types + measureTypes)
	w.constant("rounds", e.rounds)
	w.constant("threads", m.Threads)
	w.constant("subgroups", e.subgroups)
	w.constant("words_of_sums", m.M*words(list[useC]))
	for i, t := range list {
		w.constant(fmt.Sprintf("stride%d", i), words(t))
	}
	for i := range independent {
		w.constant(fmt.Sprintf("offset%d", i), i*m.M*words(list[useC]))
	}
	w.WriteString(measureStart + "%from = OpAccessChain %to_word %in %zero %zero\n")
	w.each(2, "%m# = OpCooperativeMatrixLoadKHR %matrix# %from %zero %stride#")
	w.each(independent, "%at# = OpAccessChain %to_word %in %zero %offset#\n%first# = OpCooperativeMatrixLoadKHR %matrix2 %at# %zero %stride2")
	add := "OpFAdd"
	if m.C.IsInt() {
		add = "OpIAdd"
	}
	w.accumulate("%matrix2", "%w# = OpCooperativeMatrixMulAddKHR %matrix2 %m0 %m1 %v# "+signs(m), add)
	w.WriteString(`%s = OpUDiv %uint %t %threads
%gs = OpIMul %uint %g %subgroups
%n = OpIAdd %uint %gs %s
%at = OpIMul %uint %n %words_of_sums
%to = OpAccessChain %to_word %out %zero %at
`)
	fmt.Fprintf(&w, "OpCooperativeMatrixStoreKHR %%to %%sum%d %%zero %%stride2\nOpReturn\nOpFunctionEnd\n", independent-1)
	return measured("products", w.String(), threads)
}

// multiplyAddsSource multiplies and adds numbers of F32 or U32 again and again.
func multiplyAddsSource(elem dtype.Type, threads int, e effort) backend.Source {
	kind, step, add := "%uint", "%u# = OpIMul %uint %v# %x\n%w# = OpIAdd %uint %u# %x", "OpIAdd"
	if elem == dtype.F32 {
		kind, step, add = "%float", "%w# = OpExtInst %float %glsl Fma %v# %x %x", "OpFAdd"
	}
	var w writer
	fmt.Fprintf(&w, `; Version: 1.6
OpCapability Shader
OpCapability VulkanMemoryModel
%%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %%main "multiply_adds" %%thread %%group %%in %%out
OpExecutionMode %%main LocalSize %d 1 1
`, threads)
	w.WriteString(measureDecorations + outDecorations(1) + commonTypes + measureTypes)
	w.constant("rounds", e.rounds)
	w.constant("threads", threads)
	w.each(independent, "%number# = OpConstant %uint #")
	w.WriteString(measureStart + "%at_x = OpAccessChain %to_word %in %zero %t\n%x_word = OpLoad %uint %at_x\n%x = OpBitcast " + kind + " %x_word\n")
	w.each(independent, "%from# = OpAccessChain %to_word %in %zero %number#\n%word# = OpLoad %uint %from#\n%first# = OpBitcast "+kind+" %word#")
	w.accumulate(kind, step, add)
	fmt.Fprintf(&w, `%%sum_word = OpBitcast %%uint %%sum%d
%%gt = OpIMul %%uint %%g %%threads
%%n = OpIAdd %%uint %%gt %%t
%%to = OpAccessChain %%to_word %%out %%zero %%n
OpStore %%to %%sum_word
OpReturn
OpFunctionEnd
`, independent-1)
	return measured("multiply_adds", w.String(), threads)
}
