package arm64

import (
	"encoding/binary"
	"testing"

	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// Every operation of loops has an instruction. Those that are fused over another operand than the addend are of machines that say so.
func TestOperations(t *testing.T) {
	other := map[vector.Op]bool{vector.MulThenAdd: true, vector.MulByThenAdd: true, vector.MulThenSubIn: true, vector.MulByThenSubIn: true}
	for op := range vector.Ops {
		if a := (&Asm{}); !other[op] || a.FusesAny() {
			if op < vector.SqrtF {
				a.Three(op, 1, 2, 3)
			} else {
				a.Two(op, 1, 2)
			}
			if last := binary.LittleEndian.Uint32(a.code[len(a.code)-4:]); last < 1<<24 {
				t.Errorf("operation %d is %08x, no instruction on vectors", op, last)
			}
		}
	}
}
