package kernels

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
)

// Candidates are sorted where they are many and warps count digits.
func TestCandidatesAreSorted(t *testing.T) {
	h200 := preset(t, "h200")
	webgpu := preset(t, "webgpu")
	for _, c := range []struct {
		caps   target.Caps
		rows   int
		k      int
		sorted bool
	}{{h200.Caps, 4096, 1024, true}, {h200.Caps, 4096, 64, false}, {h200.Caps, 1, 512, false}, {webgpu.Caps, 4096, 1024, false}} {
		p := TopKProblem{Elem: weft.F16, K: c.k, X: MatrixView(c.rows, 4096, 1)}
		if s := p.Rule(c.caps); s.Sorted != c.sorted || p.Legal(c.caps, s) != nil {
			t.Errorf("%d of %d rows: %+v, %v", c.k, c.rows, s, p.Legal(c.caps, s))
		}
	}
}
