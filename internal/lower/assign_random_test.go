package lower

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/internal/lower/lowertest"
)

// TestRandomAssignments runs random kernels: every op finds its operands in the distribution
// in which it works, or lowering or the results would show it.
func TestRandomAssignments(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		k, layouts := lowertest.RandomTiles(t, 8)
		var args []tensor
		var sizes []int
		for i, l := range layouts {
			_, end := l.Bounds()
			args, sizes = append(args, tensor{l, i}), append(sizes, end+1)
		}
		differential(outer, k, sizes, args, false, 0)
	})
}
