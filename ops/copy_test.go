package ops_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
)

// The kernels of copies.
var (
	copyKernel  = weft.NewKernel("copy", elementwise.DescribeCopy)
	copySquares = weft.NewKernel("copy_squares", elementwise.DescribeCopySquares)
)

// copied compiles the copy that a launch chooses between two layouts.
func copied(t *testing.T, caps target.Caps, elem weft.DType, from, to layout.Layout) (elementwise.Config, *compile.Artifact) {
	t.Helper()
	cfg := elementwise.ConfigFor(caps, elem, elem, from, to)
	k, err := copyKernel.Build(cfg)
	return cfg, emitted(t, k, err, caps, from, to)
}

// transposition is the copy of a transposed matrix of bytes, in squares of 4 x 4.
func transposition(t *testing.T, caps target.Caps) *compile.Artifact {
	return inSquares(t, caps, 4)
}

// inSquares compiles the copy of a transposed matrix of narrow elements, side to a word.
func inSquares(t *testing.T, caps target.Caps, side int) *compile.Artifact {
	t.Helper()
	n := 16384 / side
	from, err := layout.Strided([]int{n, n, side}, []int{1, n * side, n}, 0)
	if err != nil {
		t.Fatal(err)
	}
	to, err := layout.Strided([]int{n, n, side}, []int{n * side, 1, n}, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := elementwise.Config{Elem: weft.U32, Out: weft.U32, Rank: 3, Block: [5]int{32, 128 / side, side}, Threads: 256}
	k, err := copySquares.Build(cfg)
	return emitted(t, k, err, caps, from, to)
}

func TestSquaresAreVectorsWithoutConflicts(t *testing.T) {
	for name, caps := range map[string]target.Caps{"wgsl": wgslCaps, "extended": extendedCaps, "cuda": cudaCaps} {
		for _, side := range []int{2, 4} {
			text := fmt.Sprint(inSquares(t, caps, side).Notes)
			for want, n := range map[string]int{"change threads through shared memory": side, "conflicts": 0, "src by vectors of 4 u32": side, "out by vectors of 4 u32": side, "masks along": 0} {
				if got := strings.Count(text, want); got != n {
					t.Errorf("%s, %d: %q %d times, want %d:\n%s", name, side, want, got, n, text)
				}
			}
		}
	}
}

func permutedLayout(t *testing.T, shape []int, dims ...int) (from, to layout.Layout) {
	t.Helper()
	from, err := dense(shape).Permute(dims...)
	if err != nil {
		t.Fatal(err)
	}
	return from, dense(from.Shape())
}

// Where input and output cross, elements change threads through shared memory without a
// conflict of banks, and both sides are accesses of 16 bytes that no mask splits.
func TestCrossedCopiesAreVectorsWithoutConflicts(t *testing.T) {
	for name, caps := range map[string]target.Caps{"wgsl": wgslCaps, "extended": extendedCaps, "cuda": cudaCaps} {
		for _, elem := range []weft.DType{weft.U32, weft.F16, weft.BF16, weft.I8, weft.U8} {
			for _, c := range []struct {
				shape []int
				dims  []int
			}{
				{[]int{16384, 16384}, []int{1, 0}},
				{[]int{32, 128, 3136}, []int{0, 2, 1}}, // NCHW to NHWC, merged
				{[]int{32, 3136, 128}, []int{0, 2, 1}},
				{[]int{64, 32, 64, 16, 32}, []int{4, 2, 0, 3, 1}},
			} {
				t.Run(fmt.Sprint(name, "/", elem, "/", c.shape, c.dims), func(t *testing.T) {
					from, to := permutedLayout(t, c.shape, c.dims...)
					cfg, a := copied(t, caps, elem, from, to)
					text := fmt.Sprint(a.Notes)
					if !strings.Contains(text, "change threads through shared memory") || strings.Contains(text, "conflicts") {
						t.Errorf("%v:\n%s", cfg, text)
					}
					for _, view := range []string{"src", "out"} {
						if want := fmt.Sprintf("%s by vectors of %d %v", view, 16/elem.Size(), elem); !strings.Contains(text, want) {
							t.Errorf("%v: no %q in:\n%s", cfg, want, text)
						}
					}
					if strings.Contains(text, "masks along") {
						t.Errorf("%v has masks of elements:\n%s", cfg, text)
					}
				})
			}
		}
	}
}

// Where they do not cross, there is no shared memory.
func TestOtherCopiesGoByStridesAlone(t *testing.T) {
	wide := dense([]int{4096, 4100})
	rows, err := wide.Slice(1, 0, 4096, 1)
	if err != nil {
		t.Fatal(err)
	}
	to := dense([]int{4096, 4096})
	column, _ := dense([]int{4096, 1}).Broadcast(4096, 4096)
	heads, headsTo := permutedLayout(t, []int{1024, 32, 128}, 1, 0, 2)
	for name, c := range map[string][2]layout.Layout{"padded": {rows, to}, "broadcast": {column, to}, "heads": {heads, headsTo}} {
		_, a := copied(t, cudaCaps, weft.F32, c[0], c[1])
		if strings.Contains(a.Source.Text, "__shared__") {
			t.Errorf("%s: %v", name, a.Notes)
		}
	}
}

// The launch rule's config is the first of the search space, whose configs are different ones
// that build within the device's limits.
func TestCopyConfigs(t *testing.T) {
	for _, caps := range []target.Caps{wgslCaps, cudaCaps, {Language: target.TileIR, WholeTiles: true}} {
		for _, shape := range [][]int{{16384, 16384}, {3, 5}, {0, 7}, {1, 1 << 20}, {100_000, 3}} {
			from, to := permutedLayout(t, shape, 1, 0)
			seen := map[elementwise.Config]bool{}
			for cfg := range elementwise.Configs(caps, weft.F16, weft.F16, from, to) {
				if len(seen) == 0 && cfg != elementwise.ConfigFor(caps, weft.F16, weft.F16, from, to) {
					t.Errorf("%v: the first config is %+v", shape, cfg)
				}
				if seen[cfg] {
					t.Errorf("%v: %+v twice", shape, cfg)
				}
				seen[cfg] = true
				k, err := copyKernel.Build(cfg)
				emitted(t, k, err, caps, from, to) // it checks the limits
			}
			if slices.Min(shape) > 1000 && len(seen) < 5 {
				t.Errorf("%v: %d configs", shape, len(seen))
			}
		}
	}
}

func TestCopiesAreOneLaunch(t *testing.T) {
	dev, watch := openSpy(t)
	x, err := weft.Zeros(dev, weft.F16, 2, 4, 6, 8)
	if err != nil {
		t.Fatal(err)
	}
	before := watch.launches
	for range 2 {
		if _, err := ops.Permute(x, 0, 2, 3, 1); err != nil {
			t.Fatal(err)
		}
	}
	if n := watch.launches - before; n != 2 {
		t.Errorf("%d launches of 2 copies", n)
	}
}
