package lower

import (
	"maps"
	"testing"

	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// CheckLibraryKernel runs a kernel of the library, which this package's own tests cannot import, on dense
// square arguments: it computes what the interpreter does, without races, at the
// costs that its accesses to shared memory state, and needs each of its barriers. It
// returns the bytes of shared memory by target.
func CheckLibraryKernel(t *testing.T, k *tile.Func, side int, tol float64, scalars ...uint32) map[string]int {
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
	targets := maps.Clone(lowertest.Targets)
	for name, caps := range targets {
		caps.Int64, caps.Float64 = true, true
		targets[name] = caps
	}
	for _, c := range cases(t, targets, k, sizes, args, false, tol, scalars...) {
		needEveryBarrier(t, c)
		bytes[c.target] = c.kernel.SharedBytes()
	}
	return bytes
}

// CheckLibraryClusters runs a product of the library on dense arguments of given shapes, in all schedules of a device with clusters: each workgroup copies
// for its cluster.
func CheckLibraryClusters(t *testing.T, k *tile.Func, tol float64, shapes ...[]int) {
	t.Helper()
	if l := checkOnHopper(t, k, tol, nil, shapes); l.kernel.Cluster != 2 {
		t.Fatalf("clusters of %d: %v", l.kernel.Cluster, l.notes)
	}
}

// CheckLibraryCopies runs a kernel of the library on dense arguments of given shapes, in all schedules of a device with tensor maps: a thread of its own copies
// as many operands as are wanted, if any, and warpgroups multiply, by a left operand that stays in shared memory. What arguments hold is random, unless fill
// changes it.
func CheckLibraryCopies(t *testing.T, k *tile.Func, tol float64, copied int, fill func(buffers [][]byte), shapes [][]int, scalars ...uint32) {
	t.Helper()
	checkCopies(t, checkOnHopper(t, k, tol, fill, shapes, scalars...), copied)
}

// CheckLibraryHidden does so for attention whose keys and values spoil changes, where the arrays that copies fill have so many stages.
func CheckLibraryHidden(t *testing.T, k *tile.Func, tol float64, copied, stages int, spoil func(buffers [][]byte), shapes [][]int, scalars ...uint32) {
	t.Helper()
	l := checkOnHopper(t, k, tol, spoil, shapes, scalars...)
	checkCopies(t, l, copied)
	for _, s := range l.kernel.Shared {
		if s.Stages > 0 && s.Stages != stages {
			t.Errorf("%s has %d stages, want %d", s.Name, s.Stages, stages)
		}
	}
}

func checkCopies(t *testing.T, l lowering, copied int) {
	t.Helper()
	arrays := map[*simt.Shared]bool{}
	simt.Walk(l.kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.TensorCopy {
			arrays[op.Shared] = true
		}
	})
	ofWarps := 0 // in loops with a count
	simt.Walk(l.kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.For {
			ofWarps += lowertest.Count(&simt.Func{Body: op.Body}, simt.MMA)
		}
	})
	if len(arrays) != copied || (l.kernel.Producers > 0) != (copied > 0) || ofWarps > 0 {
		t.Fatalf("%d operands come by tensor maps, want %d; %d products of warps: %v", len(arrays), copied, ofWarps, l.notes)
	}
	left := map[string]int{}
	if leftOperands(l.kernel.Body, nil, left); left["invariant"] == 0 || left["staged"] > left["invariant"] { // products of a first iteration are before the loop
		t.Fatalf("left operands are %v: %v", left, l.notes)
	}
}

func checkOnHopper(t *testing.T, k *tile.Func, tol float64, spoil func(buffers [][]byte), shapes [][]int, scalars ...uint32) lowering {
	t.Helper()
	return checkOn(t, hopper(), k, tol, spoil, shapes, scalars...)
}

// CheckLibraryOn runs a kernel of the library on dense arguments of given shapes, in all schedules of a device, and returns it as the device executes it, with
// the notes.
func CheckLibraryOn(t *testing.T, caps target.Caps, k *tile.Func, tol float64, shapes [][]int, scalars ...uint32) (*simt.Func, []string) {
	t.Helper()
	l := checkOn(t, caps, k, tol, nil, shapes, scalars...)
	return l.kernel, l.notes
}

// CheckViewsOn is CheckLibraryOn for arguments that have all of their memory, in some order.
func CheckViewsOn(t *testing.T, caps target.Caps, k *tile.Func, tol float64, views []layout.Layout, scalars ...uint32) *simt.Func {
	t.Helper()
	return checkViews(t, caps, k, tol, nil, views, scalars...).kernel
}

// CheckFilledOn is CheckViewsOn for arguments that fill changes.
func CheckFilledOn(t *testing.T, caps target.Caps, k *tile.Func, tol float64, fill func(buffers [][]byte), views []layout.Layout) (*simt.Func, []string) {
	t.Helper()
	l := checkViews(t, caps, k, tol, fill, views)
	return l.kernel, l.notes
}

func checkOn(t *testing.T, caps target.Caps, k *tile.Func, tol float64, spoil func(buffers [][]byte), shapes [][]int, scalars ...uint32) lowering {
	t.Helper()
	var views []layout.Layout
	for _, shape := range shapes {
		l, err := layout.Contiguous(shape...)
		if err != nil {
			t.Fatal(err)
		}
		views = append(views, l)
	}
	return checkViews(t, caps, k, tol, spoil, views, scalars...)
}

func checkViews(t *testing.T, caps target.Caps, k *tile.Func, tol float64, spoil func(buffers [][]byte), views []layout.Layout, scalars ...uint32) lowering {
	t.Helper()
	var args []tensor
	var sizes []int
	for i, l := range views {
		args, sizes = append(args, tensor{l, i}), append(sizes, l.Len())
	}
	l := casesOf(t, map[string]target.Caps{"device": caps}, k, sizes, args, false, tol, spoil, scalars...)[0]
	if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
		t.Errorf("%v\n%v", err, l.kernel)
	}
	return l
}
