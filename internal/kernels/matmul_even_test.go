package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
)

// TestEven: rows that leave the last of a few tiles nearly empty are parts of one width of the transpose, and columns parts of the product itself; not where tiles are full, where one tile has them all,
// or where the transpose would read the operands across.
func TestEven(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct {
		m, n, k int
		want    Cut
	}{
		{300, 8192, 8192, Cut{Even: 2, Transposed: true}}, // three tiles of 128 rows, of which the last has 44
		{8192, 300, 8192, Cut{Even: 2}},
		{520, 4096, 14336, Cut{Even: 4, Transposed: true}},
		{307, 8192, 8192, Cut{Even: 2, Transposed: true}}, // parts of 160 and 147 rows
		{307, 2048, 2048, Cut{Even: 4, Transposed: true}},
		{307, 8193, 8192, Cut{Even: 2, Transposed: true}}, // rows that vectors do not begin in
		{307, 50257, 768, Cut{}},                          // which are too many for threads to store
		{256, 8192, 8192, Cut{}},
		{512, 8192, 8192, Cut{}},
		{4096, 4096, 4096, Cut{}},
	} {
		if cut := linearProblem(t, weft.F16, c.m, c.n, c.k).Cut(h200.Caps); cut != c.want {
			t.Errorf("%d×%d×%d: %+v, want %+v", c.m, c.n, c.k, cut, c.want)
		}
	}
	p := linearProblem(t, weft.F16, 300, 8192, 8192)
	p.A = p.A.Transpose()
	p.A.Size[0], p.A.Size[1] = 300, 8192
	if cut := p.Cut(h200.Caps); cut.Even > 0 {
		t.Errorf("of a left operand that is not K-major: %+v", cut)
	}
}

// TestEvenGains: parts of one width are legal and should be ready sooner, by the model, than the whole product.
func TestEvenGains(t *testing.T) {
	h200 := preset(t, "h200")
	rng, found := rand.New(rand.NewPCG(3, 4)), 0
	for range 400 {
		m, n, k := 100+rng.IntN(1200), 8*(8+rng.IntN(1000)), 8*(16+rng.IntN(2000))
		if rng.IntN(2) == 0 {
			m, n = n, m
		}
		p := linearProblem(t, []weft.DType{weft.F16, weft.BF16}[rng.IntN(2)], m, n, k)
		cut := p.Cut(h200.Caps)
		if cut.Even == 0 {
			continue
		}
		found++
		if err := p.LegalCut(h200.Caps, cut); err != nil {
			t.Errorf("%d×%d×%d: %v", m, n, k, err)
		}
		_, even := p.even(h200.Caps)
		if _, whole := p.inBatch(h200.Caps, producerTiles, 1, m, n, k); even >= worthCutting*whole {
			t.Errorf("%d×%d×%d %+v: %g seconds, %g as a whole", m, n, k, cut, even, whole)
		}
	}
	if found < 20 {
		t.Errorf("%d of 400 products are in parts of one width", found)
	}
}

// TestFitColumns: as many columns as a product has, in steps, where they have one tile and tensor maps copy both operands.
func TestFitColumns(t *testing.T) {
	maps := MatMulConfig{BN: 128, Producers: 1}
	few := maps
	few.Interleave = 64
	weights := maps
	weights.Weights = QuantView{QuantScheme: QuantScheme{Bits: 4}}
	for _, c := range []struct {
		cfg     MatMulConfig
		n, want int
	}{{maps, 1, 16}, {maps, 16, 16}, {maps, 17, 32}, {maps, 112, 112}, {maps, 113, 0}, {maps, 128, 0}, {maps, 129, 0}, {maps, 1000, 0}, {few, 17, 0}, {weights, 17, 0}, {MatMulConfig{BN: 128}, 17, 0}} {
		if got := c.cfg.FitColumns(c.n); got != c.want {
			t.Errorf("%d columns of %+v: %d, want %d", c.n, c.cfg, got, c.want)
		}
	}
}

// TestSwaps: few rows become columns where that leaves fewer that do not exist.
func TestSwaps(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct {
		m, n int
		want bool
	}{{17, 4096, true}, {32, 64, true}, {33, 4096, true}, {64, 4096, false}, {66, 4096, true}, {128, 4096, false}, {130, 4096, true}, {240, 4096, true}, {241, 4096, false}, {256, 4096, false}, {257, 4096, false}, {200, 70, false}, {70, 200, true}} {
		if got := linearProblem(t, weft.F16, c.m, c.n, 4096).Swaps(h200.Caps); got != c.want {
			t.Errorf("%d rows of %d columns: %v, want %v", c.m, c.n, got, c.want)
		}
	}
}

// TestSharesLeft: a few matrices share their left operand where that alone repeats along the last dimension of the batch.
func TestSharesLeft(t *testing.T) {
	for _, c := range []struct {
		a, b int // strides of the last dimension of the batch
		n    int
		want bool
	}{
		{0, 24, 3, true}, {0, 24, mostEven, true}, {0, 24, mostEven + 1, false}, {0, 24, 1, false}, {0, 0, 3, false}, {24, 24, 3, false}, {24, 0, 3, false},
	} {
		of := func(stride int) layout.Layout {
			l, err := layout.Strided([]int{2, c.n, 4, 6}, []int{1000, stride, 6, 1}, 0)
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		if got := SharesLeft(of(c.a), of(c.b)); got != c.want {
			t.Errorf("%d matrices at distances of %d and %d: %v", c.n, c.a, c.b, got)
		}
	}
	l, err := layout.Contiguous(4, 6)
	if err != nil {
		t.Fatal(err)
	}
	if SharesLeft(l, l) {
		t.Error("one matrix shares its left operand")
	}
}
