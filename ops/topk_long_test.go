package ops_test

import (
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/ops"
)

// Of so many candidates that comparing all of them takes longer than a sort none are compared, on any device; of few they are. On the CPU, whose programs run one after
// the other, many short rows are sorted, too. On a GPU no program alone searches a long row for more than its parts leave out.
func TestTopKSortsManyCandidates(t *testing.T) {
	for _, name := range []string{"cpu", "webgpu", "h200"} {
		dev, record := offline.Open("top_k", preset(t, name))
		for _, c := range []struct {
			rows, n, k int
			sorted     bool
			searched   bool
		}{
			{1, 100_000, 50, false, true}, {1, 100_000, 40_000, true, name == "cpu"}, {1, 100_000, 100_000, true, false},
			{1, 1 << 20, 1 << 17, true, name == "cpu"}, {10_000, 8, 2, name == "cpu", false}, {3, 1 << 17, 50_000, true, name == "cpu"},
		} {
			x, err := weft.Empty(dev, weft.F32, c.rows, c.n)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := ops.TopK(x, c.k, 1); err != nil {
				t.Fatal(err)
			}
			if names := offline.Kernels(record.Take()); slices.Contains(names, "top_k_order") == c.sorted || slices.Contains(names, "top_k") != c.searched {
				t.Errorf("%s: %d of %d in %d rows are found by %v", name, c.k, c.n, c.rows, names)
			}
		}
		dev.Close()
	}
}
