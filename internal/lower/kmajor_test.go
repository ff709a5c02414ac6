package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// TestKMajor compares products by fused multiply-adds, whose K-major operands stay so in shared memory, with the interpreter's: all orders of
// the operands, tiles with few and many accumulators of a thread, and sizes with edges. Asynchronous copies of those operands
// are of 16 bytes, unless their rows begin at other multiples.
func TestKMajor(t *testing.T) {
	t.Parallel()
	targets := map[string]target.Caps{"small": lowertest.MatrixTargets["small"]}
	for i, c := range []struct{ m, n, k, bm, bn, bk, threads, stages int }{
		{64, 64, 64, 64, 64, 16, 64, 2},
		{61, 70, 36, 64, 64, 16, 64, 3},
		{33, 65, 52, 32, 64, 16, 64, 2},
		{40, 36, 68, 32, 32, 32, 128, 4},
		{16, 20, 24, 16, 16, 4, 32, 2}, // a thread copies 2 elements of each operand
		{128, 64, 32, 128, 64, 16, 64, 2},
		{30, 30, 30, 32, 32, 16, 32, 2}, // rows of 120 bytes
	} {
		for order := range 4 {
			a, b := order&1 == 0, order&2 == 0 // K-major
			t.Run(fmt.Sprintf("%d/%v,%v", i, a, b), func(t *testing.T) {
				t.Parallel()
				k := productAs(t, dtype.F32, tile.IEEE, c.bm, c.bn, c.bk, tile.Schedule{Threads: c.threads, Stages: c.stages, KMajor: true})
				args := []tensor{{lowertest.Columns(t, c.m, c.k), 0}, {lowertest.Rows(t, c.k, c.n), 1}, {lowertest.Rows(t, c.m, c.n), 2}}
				if a {
					args[0].layout = lowertest.Rows(t, c.m, c.k)
				}
				if b {
					args[1].layout = lowertest.Columns(t, c.k, c.n)
				}
				for _, l := range cases(t, targets, k, []int{c.m * c.k, c.k * c.n, c.m * c.n}, args, false, 2*float64(c.k)*dtype.F32.Epsilon()) {
					if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
						t.Fatalf("%v\n%v", err, l.kernel)
					}
					vectors := func(side int) bool { return c.k%4 == 0 && side*c.bk >= 4*c.threads }
					expectKMajor(t, l, "tile_a", a && vectors(c.bm))
					expectKMajor(t, l, "tile_b", b && vectors(c.bn))
				}
			})
		}
	}
}

// expectKMajor fails if an operand is not K-major in shared memory, or is so and should not be.
func expectKMajor(t *testing.T, l lowering, name string, want bool) {
	t.Helper()
	if got := slices.ContainsFunc(l.notes, func(n string) bool { return strings.Contains(n, name+" K-major") }); got != want {
		t.Errorf("%s is K-major: %v, want %v\n%s", name, got, want, strings.Join(l.notes, "\n"))
	}
	if !want {
		return
	}
	copies := 0
	simt.Walk(l.kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.CopyAsync && strings.HasPrefix(op.Shared.Name, name) {
			if copies++; op.Count != 4 {
				t.Errorf("%s is copied by %d words at a time", name, op.Count)
			}
		}
	})
	if copies == 0 {
		t.Errorf("%s has no asynchronous copies\n%v", name, l.kernel)
	}
}
