package reference

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// By matrices and the other reference: softmax(q kᵀ) v, head by head.
func TestAttentionByMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	a := Attention{B: 2, Hq: 6, Hkv: 3, Sq: 5, Sk: 7, D: 4, Scale: 0.3}
	draw := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	q, k, v := draw(2*6*5*4), draw(2*3*7*4), draw(2*3*7*4)
	a.Mask = func(b, h, i, j int) float64 {
		if j > i+2 {
			return math.Inf(-1)
		}
		return 0.1 * float64(b+h-i*j)
	}
	got := a.Compute(q, k, v)
	for b := range a.B {
		for h := range a.Hq {
			at, from := (b*a.Hq+h)*a.Sq*a.D, (b*a.Hkv+h/2)*a.Sk*a.D
			var s, out mat.Dense
			s.Mul(mat.NewDense(5, 4, q[at:at+20]), mat.NewDense(7, 4, k[from:from+28]).T())
			s.Apply(func(i, j int, x float64) float64 { return 0.3*x + a.Mask(b, h, i, j) }, &s)
			p, _ := Softmax(s.RawMatrix().Data, 7)
			out.Mul(mat.NewDense(5, 7, p), mat.NewDense(7, 4, v[from:from+28]))
			w, err := Compare(got.Out[at:at+20], out.RawMatrix().Data, func(int) float64 { return 1e-14 })
			if err != nil || !w.OK() {
				t.Errorf("head %d,%d: %v %v", b, h, w, err)
			}
			for i := range a.Sq { // the softmax is exp(score - lse)
				if x := math.Exp(s.At(i, 0) - got.LSE[(b*a.Hq+h)*a.Sq+i]); math.Abs(x-p[7*i]) > 1e-14 {
					t.Errorf("head %d,%d query %d: exp(score-lse) is %v, the softmax %v", b, h, i, x, p[7*i])
				}
			}
		}
	}
}

func TestAttentionWithoutKeys(t *testing.T) {
	hide := func(b, h, i, j int) float64 { return math.Inf(-1) }
	for _, a := range []Attention{{B: 1, Hq: 1, Hkv: 1, Sq: 1, D: 1, Scale: 1}, {B: 1, Hq: 1, Hkv: 1, Sq: 1, Sk: 1, D: 1, Scale: 1, Mask: hide}} {
		r := a.Compute([]float64{1}, []float64{2}, []float64{3})
		if r.Out[0] != 0 || !math.IsInf(r.LSE[0], -1) || r.Magnitudes[0] != 0 || r.Scores[0] != 0 || r.Values != 3 {
			t.Errorf("%d keys: %+v", a.Sk, r)
		}
	}
}
