package simt

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
)

// TestHoldsHighBits: a float whose low 16 bits are masked off is a BF16, but no F16; others may be neither.
func TestHoldsHighBits(t *testing.T) {
	b := NewBuilder("k", 8)
	as := func(v *Value, e dtype.Type) *Value {
		return b.Emit(&Op{Kind: Bitcast, Args: []*Value{v}}, Scalar(e))
	}
	masked := func(mask uint32) *Value {
		return as(b.Binary(And, as(b.Emit(&Op{Kind: ThreadID}, Scalar(dtype.I32)), dtype.U32), b.Const(Scalar(dtype.U32), float64(mask))), dtype.F32)
	}
	for mask, want := range map[uint32]bool{0xffff0000: true, 0x7fff0000: true, 0xffff8000: false, 1: false} {
		v := masked(mask)
		if got := v.Holds(dtype.BF16); got != want {
			t.Errorf("with the mask %#x: %v", mask, got)
		}
		if v.Holds(dtype.F16) {
			t.Errorf("with the mask %#x it is an F16", mask)
		}
	}
}
