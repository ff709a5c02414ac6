package lower

import (
	"testing"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// CheckLibraryKernel runs a kernel of the library, which this package's own tests cannot import, on dense
// square arguments: it computes what the interpreter does, without races, at the
// costs that its accesses to shared memory state, and needs each of its barriers. It
// returns the bytes of shared memory by target.
func CheckLibraryKernel(t *testing.T, k *tile.Kernel, side int, tol float64) map[string]int {
	t.Helper()
	form, err := layout.Contiguous(side, side)
	if err != nil {
		t.Fatal(err)
	}
	var args []tensor
	var sizes []int
	for i := range k.Views {
		args, sizes = append(args, tensor{form, i}), append(sizes, side*side)
	}
	bytes := map[string]int{}
	for _, c := range cases(t, targets, k, sizes, args, false, tol) {
		needEveryBarrier(t, c)
		bytes[c.target] = c.kernel.SharedBytes()
	}
	return bytes
}

// CheckLibraryClusters runs a product of the library on dense arguments of given shapes, in all schedules of a device with clusters: each workgroup copies
// for its cluster.
func CheckLibraryClusters(t *testing.T, k *tile.Kernel, tol float64, shapes ...[]int) {
	t.Helper()
	var args []tensor
	var sizes []int
	for i, shape := range shapes {
		l, err := layout.Contiguous(shape...)
		if err != nil {
			t.Fatal(err)
		}
		args, sizes = append(args, tensor{l, i}), append(sizes, l.Len())
	}
	l := cases(t, map[string]target.Caps{"hopper": hopper()}, k, sizes, args, false, tol)[0]
	if l.kernel.Cluster != 2 {
		t.Fatalf("clusters of %d: %v", l.kernel.Cluster, l.notes)
	}
	if err := l.run(readBack(t, l.kernel)); err != nil {
		t.Errorf("%v\n%v", err, l.kernel)
	}
}
