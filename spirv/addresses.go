package spirv

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/simt"
)

// Kernels that reach more of a buffer than a device binds have pointers instead of bindings (SPV_KHR_physical_storage_buffer): two words of the uniform
// block after the scalar parameters are the address of a buffer, and an access is at that address plus the element's distance, in 64 bits.

// declareAddresses declares what modules with addresses need.
func (w *writer) declareAddresses() {
	if w.kernel.DeviceAddresses {
		w.needs("PhysicalStorageBufferAddresses", "SPV_KHR_physical_storage_buffer")
	}
}

var u64 = simt.Scalar(dtype.U64)

// addressed is a pointer to an element of a buffer as an array of a type.
func (w *writer) addressed(b *simt.Buffer, t simt.Type, at string) string {
	w.needsStorage(t)
	to := w.pure("", "OpUConvert", u64, at)
	to = w.pure("", "OpShiftLeftLogical", u64, to, w.int(pow2.Log2(t.Width*t.Elem.Size())))
	to = w.pure("", "OpIAdd", u64, w.address(b), to)
	return w.pureAs("OpConvertUToPtr", w.pointer("PhysicalStorageBuffer", w.typ(t)), to)
}

// address is that of a buffer.
func (w *writer) address(b *simt.Buffer) string {
	return w.atStart(b, b.Name+"_address", func(id string) []string {
		word, block := w.pointer("Uniform", w.typ(u32)), w.paramBlock()
		var halves [2]string
		var lines []string
		for i := range halves {
			at := w.id("")
			halves[i] = w.id("")
			lines = append(lines,
				instruction(at, fmt.Sprintf("OpAccessChain %s %s %s", word, block, w.int(len(w.kernel.Words)+2*w.binding(b)+i))),
				instruction(halves[i], "OpLoad "+w.typ(u32)+" "+at))
		}
		pair := w.id("")
		return append(lines,
			instruction(pair, fmt.Sprintf("OpCompositeConstruct %s %s %s", w.typ(simt.Type{Elem: dtype.U32, Width: 2}), halves[0], halves[1])),
			instruction(id, "OpBitcast "+w.typ(u64)+" "+pair))
	})
}

// binding is the number of a buffer.
func (w *writer) binding(b *simt.Buffer) int { return slices.Index(w.kernel.Buffers, b) }

// aligned adds to the memory operands of an access, which may be none, that it is at a multiple of its size.
func aligned(operands string, t simt.Type) string {
	size := t.Width * t.Elem.Size()
	if operands == "" {
		return fmt.Sprintf(" Aligned %d", size)
	}
	names, scope, _ := strings.Cut(strings.TrimSpace(operands), " ")
	return fmt.Sprintf(" Aligned|%s %d %s", names, size, scope)
}
