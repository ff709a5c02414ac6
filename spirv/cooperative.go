package spirv

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Cooperative matrices (SPV_KHR_cooperative_matrix) are values of a module of the Vulkan memory model. There the accesses that barriers order
// say so themselves: those to shared memory and those to buffers through which threads exchange values.

// isCooperative reports whether the kernel has cooperative matrices.
func (w *writer) isCooperative() bool { return len(w.kernel.Cooperative) > 0 }

// declareCooperative declares what modules with cooperative matrices need.
func (w *writer) declareCooperative() {
	if w.isCooperative() {
		w.needs("CooperativeMatrixKHR", "SPV_KHR_cooperative_matrix")
	}
	if w.isExplicit() {
		w.needs("VulkanMemoryModel", "SPV_KHR_vulkan_memory_model")
		w.needs("VulkanMemoryModelDeviceScope", "")
	}
}

// isExplicit reports whether the module has the Vulkan memory model: cooperative matrices and atomic ops that order other accesses ask for it, and pointers
// cannot be declared coherent.
func (w *writer) isExplicit() bool { return w.isCooperative() || w.kernel.DeviceAddresses || w.orders }

// exchanged are the memory operands of an access to memory through which threads exchange values: "" where the memory model needs none.
// Scope is the id of who sees what is stored to a buffer, "" for shared memory, whose barriers say so.
func (w *writer) exchanged(operand, scope string) string {
	switch {
	case !w.isExplicit():
		return ""
	case scope == "":
		return " NonPrivatePointer"
	}
	return fmt.Sprintf(" %s|NonPrivatePointer %s", operand, scope)
}

// bufferAccess are the memory operands of a load or a store of a type in a buffer.
func (w *writer) bufferAccess(op *simt.Op, t simt.Type) string {
	text := ""
	if w.coherent[op.Buffer].needed() {
		operand := "MakePointerVisible"
		if op.Kind == simt.Store {
			operand = "MakePointerAvailable"
		}
		text = w.exchanged(operand, w.word(deviceScope))
	}
	if w.kernel.DeviceAddresses {
		text = aligned(text, t)
	}
	return text
}

// sharedAccess are those of a shared array.
func (w *writer) sharedAccess() string { return w.exchanged("", "") }

// element is the type of a matrix's elements.
func (w *writer) element(e dtype.Type) string {
	if e != dtype.BF16 {
		return w.typ(simt.Scalar(e))
	}
	w.needs("BFloat16TypeKHR", "SPV_KHR_bfloat16")
	w.needs("BFloat16CooperativeMatrixKHR", "")
	return w.global("bf16", "OpTypeFloat 16 BFloat16KHR")
}

// elements is the type of a matrix's elements: sums of unsigned products, which are I32 elsewhere, are unsigned.
func (w *writer) elements(t simt.Type) dtype.Type {
	if t.Elem == dtype.I32 && t.Matrix.Of == dtype.U8 {
		return dtype.U32
	}
	return t.Elem
}

// matrix is the id of a type of matrices.
func (w *writer) matrix(t simt.Type) string {
	m, elem := t.Matrix, w.elements(t)
	name := fmt.Sprintf("matrix_%v_%v_%dx%d", m.Use, elem, m.Rows, m.Columns)
	return w.global(name, fmt.Sprintf("OpTypeCooperativeMatrixKHR %s %s %s %s %s", w.element(elem), w.word(subgroupScope),
		w.word(uint32(m.Rows)), w.word(uint32(m.Columns)), w.word(uint32(m.Use-simt.MatrixA))))
}

// matrixConstant is a matrix with one number in all elements.
func (w *writer) matrixConstant(t simt.Type, x float64) string {
	typ := w.matrix(t)
	if x == 0 {
		return w.global(typ[1:]+"_0", "OpConstantNull "+typ)
	}
	elem := w.elements(t)
	if elem == dtype.U32 {
		x = float64(uint32(int32(x)))
	}
	name, _ := number(simt.Register(elem), x)
	return w.global(typ[1:]+"_"+name, "OpConstantComposite "+typ+" "+w.constant(simt.Scalar(elem), x))
}

// The memory layouts of loads and stores.
const (
	rowMajor    = 0
	columnMajor = 1
)

// matrixAccess is the pointer and the further operands of a CooperativeLoad or a CooperativeStore.
func (w *writer) matrixAccess(op *simt.Op) (place string, operands []string) {
	a, layout := w.shared[op.Shared], uint32(rowMajor)
	if op.Transpose {
		layout = columnMajor
	}
	each := a.per * a.t.Width
	place = w.pureAs("OpAccessChain", w.pointer("Workgroup", w.typ(a.t)), a.id, w.quotient(op.Args[0], each))
	return place, []string{w.word(layout), w.word(uint32(op.Pitch/each)) + w.sharedAccess()}
}

// loadMatrix prints a CooperativeLoad.
func (w *writer) loadMatrix(op *simt.Op) error {
	w.comment(op)
	place, operands := w.matrixAccess(op)
	out := op.Result()
	w.set(out, w.emit(out.Hint, "OpCooperativeMatrixLoadKHR", w.matrix(out.Type), append([]string{place}, operands...)...))
	return nil
}

// storeMatrix prints a CooperativeStore.
func (w *writer) storeMatrix(op *simt.Op) error {
	w.comment(op)
	place, operands := w.matrixAccess(op)
	w.line("OpCooperativeMatrixStoreKHR %s %s %s", place, w.of(op.Args[1]), strings.Join(operands, " "))
	return nil
}

// multiply prints a CooperativeMulAdd.
func (w *writer) multiply(op *simt.Op) error {
	w.comment(op)
	operands := w.all(op.Args)
	if op.Args[0].Type.Elem.IsSigned() && op.Args[0].Type.Elem.IsInt() {
		operands = append(operands, "MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR|MatrixCSignedComponentsKHR|MatrixResultSignedComponentsKHR")
	}
	out := op.Result()
	w.set(out, w.emit(out.Hint, "OpCooperativeMatrixMulAddKHR", w.matrix(out.Type), operands...))
	return nil
}

// extractElement is an element of a matrix, as registers hold it.
func (w *writer) extractElement(t simt.Type, id string, lane int) string {
	elem := w.elements(t)
	x := w.pureAs("OpCompositeExtract", w.element(elem), id, strconv.Itoa(lane))
	switch {
	case elem == dtype.BF16:
		return w.pure("", "OpFConvert", simt.Scalar(dtype.F32), x)
	case elem != t.Elem:
		return w.bitcast(simt.Scalar(elem), simt.Scalar(t.Elem), x)
	case elem == simt.Register(elem):
		return x
	}
	return w.widen(t.Elem, 1, x)
}

// composeMatrix makes a matrix of a thread's elements.
func (w *writer) composeMatrix(op *simt.Op) string {
	t := op.Result().Type
	elements := make([]string, len(op.Args))
	for i, v := range op.Args {
		elements[i] = w.matrixElement(t, v)
	}
	id := w.pureAs("OpCompositeConstruct", w.matrix(t), elements[0])
	for i, x := range elements[1:] {
		id = w.pureAs("OpCompositeInsert", w.matrix(t), x, id, strconv.Itoa(i+1))
	}
	return id
}

// matrixElement is a register's value as an element of a matrix.
func (w *writer) matrixElement(t simt.Type, v *simt.Value) string {
	x, e := w.of(v), t.Elem
	if simt.Register(e) == e {
		return w.bitcast(simt.Scalar(e), simt.Scalar(w.elements(t)), x)
	}
	if rounded := roundedTo(e, v); rounded != nil && w.caps.F16 && w.caps.F16Nearest { // which need not be widened in between
		vector := rounded.Result().Type
		half := w.half(w.inMemory(e, vector.Width), w.of(rounded.Args[0]))
		if vector.Width == 1 {
			return half
		}
		return w.pureAs("OpCompositeExtract", w.element(e), half, strconv.Itoa(v.Op.Lane))
	}
	if words := unpackedFrom(e, v); words != nil && w.caps.F16 {
		vector := words.Result().Type
		return w.pureAs("OpCompositeExtract", w.element(e), w.bitcast(words.Args[0].Type, w.inMemory(e, vector.Width), w.of(words.Args[0])), strconv.Itoa(v.Op.Lane))
	}
	x = w.narrow(e, v, x)
	if e == dtype.BF16 {
		x = w.pureAs("OpBitcast", w.element(e), x)
	}
	return x
}

// unpackedFrom is the Unpack of F16 of which a value is an element; nil if it is none.
func unpackedFrom(e dtype.Type, v *simt.Value) *simt.Op {
	if e != dtype.F16 || v.Op == nil || v.Op.Kind != simt.Extract {
		return nil
	}
	if op := v.Op.Args[0].Op; op != nil && op.Kind == simt.Unpack && op.Elem == e {
		return op
	}
	return nil
}

// roundedTo is the Round16 to F16 that a value is, or an element of; nil if it is none.
func roundedTo(e dtype.Type, v *simt.Value) *simt.Op {
	op := v.Op
	if op != nil && op.Kind == simt.Extract {
		op = op.Args[0].Op
	}
	if e != dtype.F16 || op == nil || op.Kind != simt.Round16 || op.Elem != e {
		return nil
	}
	return op
}
