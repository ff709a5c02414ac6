package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// hideConstants makes opaque copies of the second constants of (x & a) ^ b of words in loops: drivers cannot know what the copies are.
//
// A GPU has an instruction for both ops, which has room for one constant of 32 bits, and takes the other one from a register. NVIDIA's compiler of SPIR-V (seen in 580.159)
// prefers two instructions with a constant each; b of a register makes it one. (The loop of a product with weights of 4 bits has 128 logical ops for 4096 of them, and 64 then.)
func hideConstants(r *Context) {
	if r.Caps.Language != target.WGSL && r.Caps.Language != target.SPIRV || r.Caps.Registers == target.SoftwareRegisters {
		return
	}
	size := slices.IndexFunc(r.Kernel.Words, func(w simt.Word) bool { return w.Size })
	if size < 0 {
		return
	}
	e := simt.Edit(r.Kernel)
	h := &hidden{Editor: e, size: size, copies: map[float64]*simt.Value{}}
	h.block(r.Kernel.Body, false)
	ops := e.Take()
	at := slices.IndexFunc(r.Kernel.Body.Ops, func(op *simt.Op) bool { return op.Kind != simt.Const })
	r.Kernel.Body.Ops = slices.Insert(r.Kernel.Body.Ops, max(at, 0), ops...)
}

// hidden are the opaque copies of a kernel's constants.
type hidden struct {
	*simt.Editor
	size   int // a word of the launch that is a size
	zero   *simt.Value
	copies map[float64]*simt.Value
}

// block replaces constants of a block in a loop, or of the loops in it.
func (h *hidden) block(b *simt.Block, inLoop bool) {
	for _, op := range b.Ops {
		for _, body := range op.Blocks() {
			h.block(body, inLoop || op.Kind.IsLoop())
		}
		if !inLoop || op.Kind != simt.Xor || op.Args[1].Type != simt.Scalar(dtype.U32) {
			continue
		}
		masked, isConst := op.Args[0].Op, false
		if masked != nil && masked.Kind == simt.And {
			_, isConst = simt.ConstOf(masked.Args[1])
		}
		if x, ok := simt.ConstOf(op.Args[1]); ok && isConst {
			op.Args[1] = h.copy(x)
		}
	}
}

// copy is an opaque copy of a constant. Neither a size nor the number of a thread has the highest bit, which is known of sizes to weft alone.
func (h *hidden) copy(x float64) *simt.Value {
	if h.copies[x] != nil {
		return h.copies[x]
	}
	word := simt.Scalar(dtype.U32)
	if h.zero == nil {
		index := simt.Scalar(dtype.I32)
		bits := h.Binary(simt.Xor, h.Emit(&simt.Op{Kind: simt.Param, Word: h.size}, index), h.Emit(&simt.Op{Kind: simt.ThreadID}, index))
		h.zero = h.Binary(simt.Shr, h.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{bits}}, word), h.Const(word, 31))
	}
	h.copies[x] = h.Name("opaque", h.Binary(simt.Xor, h.zero, h.Const(word, x)))
	return h.copies[x]
}
