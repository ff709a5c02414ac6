package cstyle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// registers are the element types of values.
var registers = []dtype.Type{dtype.Bool, dtype.I32, dtype.U32, dtype.F32}

// arity of an element-wise kind.
func arity(k simt.Kind) int {
	switch {
	case k < simt.Add:
		return 1
	case k < simt.Select:
		return 2
	}
	return 3
}

// elementwise builds a kernel that applies one kind to width elements a thread:
// its operands come from buffers "x", "y" and "z", its results go to "out". It
// returns nil if the kind does not take or give these types.
func elementwise(kind simt.Kind, from, to dtype.Type, index, width int) *simt.Kernel {
	b := start("op", 64)
	at := b.Binary(simt.Mul, b.Binary(simt.Add, b.Binary(simt.Mul, group(b, 0), b.Int(64)), thread(b)), b.Int(width))
	op := &simt.Op{Kind: kind, Index: index}
	for i := range arity(kind) {
		e := from
		if kind == simt.Select && i == 0 {
			e = dtype.Bool
		}
		buf := input("xyz"[i:i+1], e)
		b.Kernel.Buffers = append(b.Kernel.Buffers, buf)
		op.Args = append(op.Args, b.Load(buf, at, nil, width, 0))
	}
	out := output("out", to)
	b.Kernel.Buffers = append(b.Kernel.Buffers, out)
	b.Store(out, at, b.Emit(op, simt.Type{Elem: to, Width: width}), nil)
	if simt.Verify(b.Kernel) != nil {
		return nil
	}
	return b.Kernel
}

// variant is one element-wise kind on one combination of types.
type variant struct {
	kind     simt.Kind
	from, to dtype.Type
	index    int
}

func (v variant) String() string {
	if v.kind == simt.Round16 {
		return fmt.Sprintf("%v_%v", v.kind, dtype.Type(v.index))
	}
	return fmt.Sprintf("%v_%v_%v", v.kind, v.from, v.to)
}

// variants lists every combination that the verifier lets pass.
func variants() []variant {
	var all []variant
	for kind := simt.Invalid; kind < simt.NumKinds; kind++ {
		if !kind.IsElementwise() {
			continue
		}
		for _, from := range registers {
			for _, to := range registers {
				for _, index := range []int{int(dtype.F16), int(dtype.BF16)} {
					v := variant{kind, from, to, index}
					if kind != simt.Round16 {
						v.index = 0
					}
					if !slices.Contains(all, v) && elementwise(kind, from, to, v.index, 1) != nil {
						all = append(all, v)
					}
				}
			}
		}
	}
	return all
}

// TestVariants keeps the list from being empty by mistake.
func TestVariants(t *testing.T) {
	seen := map[simt.Kind]bool{}
	for _, v := range variants() {
		seen[v.kind] = true
	}
	for kind := simt.Neg; kind <= simt.FMA; kind++ {
		if !seen[kind] {
			t.Errorf("no variant of %v", kind)
		}
	}
}

func variantKernels(widths ...int) map[string]*simt.Kernel {
	kernels := map[string]*simt.Kernel{}
	for _, v := range variants() {
		for _, width := range widths {
			kernels[fmt.Sprintf("%v_x%d", v, width)] = elementwise(v.kind, v.from, v.to, v.index, width)
		}
	}
	return kernels
}

// TestElementwise passes every element-wise kind on every type and width
// through the compilers.
func TestElementwise(t *testing.T) {
	t.Run("wgsl", func(t *testing.T) { checkWGSL(t, variantKernels(1, 2, 4)) })
	t.Run("cuda", func(t *testing.T) { checkCUDA(t, variantKernels(1, 4)) })
}
