package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
)

// TestQuantizedCuts: products with weights of few bits are divided where the last tiles would leave most units idle; whatever is divided is legal, and should be ready sooner, by the model,
// than the whole. Few rows, weights along N, scales of several columns, codes, and devices without tensor maps have no cuts.
func TestQuantizedCuts(t *testing.T) {
	h200 := preset(t, "h200")
	a100 := preset(t, "a100")
	groups := QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32}
	problem := func(m, n, k int) QuantizedProblem {
		return QuantizedProblem{Elem: weft.F16, A: MatrixView(m, k, 1), N: n, Weights: groups}
	}
	along, wide, whole := problem(256, 18944, 3584), problem(256, 18944, 3584), problem(256, 18944, 3584)
	along.Fastest, wide.Weights.Block[1], whole.Weights.Block[1] = 1, 64, 0
	codes := problem(256, 18944, 3584)
	codes.Weights = QuantView{QuantScheme: QuantScheme{Bits: 4, Codes: FP4, PowersOfTwo: true, Block: [2]int{32, 1}}, Scale: weft.U8}
	for name, c := range map[string]struct {
		p    QuantizedProblem
		caps target.Caps
		want bool
	}{
		"148 tiles":       {problem(256, 18944, 3584), h200.Caps, true},
		"32 of each unit": {problem(8192, 16896, 4096), h200.Caps, false},
		"few rows":        {problem(16, 18944, 3584), h200.Caps, false},
		"no tensor maps":  {problem(256, 18944, 3584), a100.Caps, false},
		"along N":         {along, h200.Caps, false},
		"several columns": {wide, h200.Caps, false},
		"one scale":       {whole, h200.Caps, false},
		"codes":           {codes, h200.Caps, false},
	} {
		if cut := c.p.Cut(c.caps); (cut != Cut{}) != c.want {
			t.Errorf("%s: %+v", name, cut)
		}
		if err := c.p.LegalCut(c.caps, Cut{Columns: true, At: 1024}); (err == nil) != (c.want || name == "32 of each unit") {
			t.Errorf("%s: %v", name, err)
		}
	}
	rng, cuts := rand.New(rand.NewPCG(3, 4)), 0
	for range 300 {
		p := problem(16+rng.IntN(4000), 8*(16+rng.IntN(2000)), 128*(1+rng.IntN(100)))
		m, n, _ := p.sizes()
		cut := p.Cut(h200.Caps)
		if err := p.LegalCut(h200.Caps, cut); err != nil {
			t.Errorf("%v: %v", p, err)
		}
		if (cut == Cut{}) {
			continue
		}
		cuts++
		first, second := cut.parts(m, n)
		sum := p.partSeconds(h200.Caps, first[0], first[1]) + p.partSeconds(h200.Caps, second[0], second[1])
		if s, ok := p.Seconds(h200.Caps); !ok || sum >= s || s >= worthCutting*p.partSeconds(h200.Caps, m, n) {
			t.Errorf("%v %+v: parts of %g seconds, in all %g, the whole %g", p, cut, sum, s, p.partSeconds(h200.Caps, m, n))
		}
	}
	if cuts < 10 {
		t.Errorf("%d of 300 products are divided", cuts)
	}
}
