package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/offline"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
	"github.com/weftgpu/weft/ops"
)

// Products in different numbers of parts, of matrices whose sizes are multiples of the tiles, share both of their kernels; a product whose result has
// more elements in a row of memory than in one of the result does not share the second one.
func TestPartsShareKernels(t *testing.T) {
	dev, record := offline.Open("parts", preset(t, "h200"))
	defer dev.Close()
	product := func(m, n, columns, parts int) (texts []string) {
		t.Helper()
		var x [3]*weft.Tensor
		for i, shape := range [][]int{{m, 1024}, {1024, n}, {m, columns}} {
			var err error
			if x[i], err = weft.Empty(dev, weft.F32, shape...); err != nil {
				t.Fatal(err)
			}
		}
		out, err := x[2].Slice(1, 0, n)
		if err != nil {
			t.Fatal(err)
		}
		if err := ops.MatMulInto(out, x[0], x[1], ops.Tiles(ops.MatMulConfig{BM: 64, BN: 128, BK: 16, Threads: 128, SplitK: parts})); err != nil {
			t.Fatal(err)
		}
		for _, l := range record.Take() {
			if l.Kernel.Name == "matmul" && l.Programs[2] != parts {
				t.Errorf("%d programs share a reduction, want %d", l.Programs[2], parts)
			}
			texts = append(texts, l.Artifact.Source.Text)
		}
		if len(texts) != 2 {
			t.Fatalf("%d launches, want 2", len(texts))
		}
		return texts
	}
	first := product(512, 1024, 1024, 8)
	for _, c := range []struct{ m, n, parts int }{{512, 1024, 16}, {512, 2048, 8}, {1024, 512, 24}} {
		if texts := product(c.m, c.n, c.n, c.parts); texts[0] != first[0] || texts[1] != first[1] {
			t.Errorf("%d×%d in %d parts has kernels of its own: the product %v, the sum %v", c.m, c.n, c.parts, texts[0] != first[0], texts[1] != first[1])
		}
	}
	if texts := product(512, 1024, 1032, 8); texts[1] == first[1] {
		t.Error("a result with gaps between its rows is one row")
	}
}
