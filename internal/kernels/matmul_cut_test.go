package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// linearProblem is the problem of [m,k] by the transpose of [n,k], both dense.
func linearProblem(t *testing.T, elem weft.DType, m, n, k int) MatMulProblem {
	t.Helper()
	view := func(rows, columns int, transposed bool) tune.View {
		l, err := layout.Contiguous(rows, columns)
		if err != nil {
			t.Fatal(err)
		}
		if transposed {
			l = l.Transpose()
		}
		return tune.ViewOf(l)
	}
	p := MatMulProblem{Elem: elem, A: view(m, k, false), B: view(n, k, true)}
	if elem == weft.F32 {
		p.Precision = tile.TF32
	}
	return p
}

// TestCut: a result is divided where the last tiles would leave most units idle, and not where they do not, where there are few, or where no
// producers are.
func TestCut(t *testing.T) {
	h200 := preset(t, "h200")
	a100 := preset(t, "a100")
	for _, c := range []struct {
		m, n, k int
		caps    target.Caps
		want    bool
	}{
		{1545, 8192, 28672, h200.Caps, true},  // 832 tiles of 128×128, 6.3 for each unit
		{2533, 2560, 10240, h200.Caps, true},  // 400, 3.03
		{8192, 8192, 8192, h200.Caps, false},  // 4096, 31.03: one of 32 rounds
		{512, 512, 4096, h200.Caps, false},    // 16, with K in parts
		{4, 8192, 28672, h200.Caps, false},    // row by row
		{1545, 8192, 28672, a100.Caps, false}, // no tensor maps
	} {
		p := linearProblem(t, weft.BF16, c.m, c.n, c.k)
		cut := p.Cut(c.caps)
		if (cut != Cut{}) != c.want {
			t.Errorf("%d×%d×%d on %s: %+v", c.m, c.n, c.k, c.caps.Arch, cut)
		}
		if err := p.LegalCut(c.caps, cut); err != nil {
			t.Error(err)
		}
	}
	h200.Caps.TensorMaps = false
	if cut := linearProblem(t, weft.BF16, 1545, 8192, 28672).Cut(h200.Caps); cut != (Cut{}) {
		t.Errorf("without tensor maps: %+v", cut)
	}
}

// TestCutGains: whatever is divided is legal, and should be ready sooner, by the model, than the whole.
func TestCutGains(t *testing.T) {
	h200 := preset(t, "h200")
	rng, cuts := rand.New(rand.NewPCG(1, 2)), 0
	for range 300 {
		m, n, k := 64+rng.IntN(8000), 8*(8+rng.IntN(1000)), 8*(16+rng.IntN(2000))
		p := linearProblem(t, []weft.DType{weft.F16, weft.BF16, weft.F32}[rng.IntN(3)], m, n, k)
		cut := p.Cut(h200.Caps)
		if cut == (Cut{}) {
			continue
		}
		cuts++
		if err := p.LegalCut(h200.Caps, cut); err != nil {
			t.Errorf("%v: %v", p, err)
		}
		if cut.Even > 0 {
			continue // see TestEvenGains
		}
		first, second := cut.parts(m, n)
		sum := p.producersSeconds(h200.Caps, first[0], first[1]) + p.producersSeconds(h200.Caps, second[0], second[1])
		if whole := p.producersSeconds(h200.Caps, m, n); sum >= worthCutting*whole {
			t.Errorf("%d×%d×%d %+v: %g and %g seconds", m, n, k, cut, sum, whole)
		}
	}
	if cuts < 10 {
		t.Errorf("%d of 300 products are divided", cuts)
	}
}

// TestLegalCut refuses what is not inside of the result, or what no tile ends at.
func TestLegalCut(t *testing.T) {
	h200 := preset(t, "h200")
	p := linearProblem(t, weft.BF16, 1545, 8192, 4096)
	for _, c := range []struct {
		cut   Cut
		legal bool
	}{
		{Cut{}, true}, {Cut{At: 1536}, true}, {Cut{Columns: true, At: 8064}, true},
		{Cut{At: 1664}, false}, {Cut{At: 100}, false}, {Cut{At: -128}, false}, {Cut{Columns: true, At: 8192}, false}, {Cut{Columns: true}, false},
		{Cut{Even: 32}, true}, {Cut{Even: 31}, false}, {Cut{Even: 8, Transposed: true}, true}, {Cut{Even: 7, Transposed: true}, true}, {Cut{Even: 6, Transposed: true}, false}, {Cut{Even: 14, Transposed: true}, true}, {Cut{Even: 15, Transposed: true}, false}, {Cut{Even: 5, Transposed: true}, false}, {Cut{Even: 256}, false}, {Cut{Even: 1}, false},
		{Cut{Even: 32, At: 128}, false}, {Cut{Even: 32, Columns: true}, false},
	} {
		if err := p.LegalCut(h200.Caps, c.cut); (err == nil) != c.legal {
			t.Errorf("%+v: %v", c.cut, err)
		}
	}
}

// TestRequests: rows that begin where lines do take a request for each line, others two for most.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		elem weft.DType
		k    int
		want float64
	}{
		{weft.F16, 4096, 1}, {weft.F16, 4096 + 32, 1.5}, {weft.F16, 4096 + 16, 1.75}, {weft.BF16, 11448, 1.875}, {weft.F32, 4096 + 32, 1}, {weft.F32, 4096 + 4, 1.875},
	} {
		p := linearProblem(t, c.elem, 300, 500, c.k)
		if r := requestsOf(c.elem, p.A, p.B); r.lines != [2]float64{c.want, c.want} {
			t.Errorf("%v rows of %d: %v, want %g", c.elem, c.k, r, c.want)
		}
	}
	h200 := preset(t, "h200")
	for k, want := range map[int]int{11448: 2, 11456: 0} {
		if cfg := linearProblem(t, weft.BF16, 768, 5528, k).Rule(h200.Caps); cfg.Cluster != want {
			t.Errorf("rows of %d: clusters of %d, want %d", k, cfg.Cluster, want)
		}
	}
}
