package gemm

import (
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
	"github.com/weftgpu/weft/tile/interp/internal/squares"
)

// BF16 are multiplied as pairs of neighbours along k where the processor has instructions for these: AMX, or AVX-512 BF16. Rows of a are such pairs as they are.

// leastBFloatRows is for how many rows it pays to make pairs of b.
const leastBFloatRows = 4

// addBFloats multiplies as many steps along k as there are instructions for, and returns how many that are.
func (w *Multiplier) addBFloats(m, n, k int, a, b Matrix, c unsafe.Pointer, ldc int) int {
	pairs := k / 2
	if !processor.BFloats && !processor.Tiles || a.Elem != dtype.BF16 || b.Elem != dtype.BF16 || !a.byRows() || m < leastBFloatRows || pairs == 0 {
		return 0
	}
	w.c = grown(w.c, pairs*n)
	switch {
	case b.byRows():
		if !w.pairsAcross(n, 2*pairs, b, w.c) {
			return 0
		}
	case b.byColumns():
		squares.Transpose(unsafe.Pointer(&w.c[0]), 4*n, b.At, b.Col, n, pairs, 4)
	default:
		return 0
	}
	a.Elem, a.Col = f32, 4 // words, of two elements
	y, done := Dense(w.c, n), 0
	if steps := pairs / tileRows; processor.Tiles && steps > 0 && w.addTiles(m, n, steps, a, y, c, ldc) {
		done = steps * tileRows
	}
	if done < pairs && processor.BFloats && w.outer(m, n, pairs-done, a.Offset(0, done), y.Offset(done, 0), c, ldc, dtype.U32) {
		done = pairs
	}
	return 2 * done
}
