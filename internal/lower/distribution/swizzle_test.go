package distribution

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
)

// TestSwizzledRows: threads that load a piece, and those that store rows, meet in no bank.
func TestSwizzledRows(t *testing.T) {
	for _, elem := range []dtype.Type{dtype.F16, dtype.F32, dtype.I8} {
		size := elem.Size()
		for _, width := range []int{16, 32, 64, 128, 256} {
			for along := range 2 {
				shape := []int{64, 64}
				shape[along] = width
				for _, direct := range []bool{true, size != 4} {
					at := SwizzledRows(shape, along, size, direct)
					if !at.IsInjective() || !at.IsSurjective() {
						t.Fatalf("%v along %d: %v", shape, along, at)
					}
					if width*size < 16 || !direct {
						continue
					}
					var addresses []int
					for row := range 8 {
						c := []int{0, 0}
						c[1-along] = row
						addresses = append(addresses, at.Eval(c...)[0]*size)
					}
					if n, err := layout.Wavefronts(addresses, 16); err != nil || n != 1 {
						t.Errorf("%v of %v along %d: a matrix takes %d wavefronts, %v", shape, elem, along, n, err)
					}
				}
			}
		}
	}
}
