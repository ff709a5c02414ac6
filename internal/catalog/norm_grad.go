package catalog

import (
	"math"

	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// NormGrad is a call of the gradient of a normalisation of any rows: elements of x are numbered, and belong to a row and to a weight each.
type NormGrad struct {
	RMS     bool
	Weight  []float64 // nil for none, which are all 1
	Epsilon float64
	Row     func(i int) int
	Along   func(i int) int // the number of the weight
	Weights int             // how many there are, be they given or not
}

// NormGrads are gradients with bounds on their errors.
type NormGrads struct{ DX, DWeight, DBias, DXBound, DWeightBound, DBiasBound []float64 }

// Exact is what the gradients are of x and dy as an element type.
func (n NormGrad) Exact(elem weft.DType, x, dy []float64) (g NormGrads) {
	rows := map[int][]int{}
	for i := range x {
		rows[n.Row(i)] = append(rows[n.Row(i)], i)
	}
	g.DX, g.DXBound = make([]float64, len(x)), make([]float64, len(x))
	g.DWeight, g.DBias = make([]float64, n.Weights), make([]float64, n.Weights)
	products, gradients, counts := make([]float64, n.Weights), make([]float64, n.Weights), make([]int, n.Weights)
	worst := bounds.NormRow{}
	for _, at := range rows {
		xs, gs := make([]float64, len(at)), make([]float64, len(at))
		for j, i := range at {
			if xs[j], gs[j] = x[i], dy[i]; n.Weight != nil {
				gs[j] *= n.Weight[n.Along(i)]
			}
		}
		r := NewNormGradRow(n.RMS, n.Epsilon, xs, gs)
		worst.N, worst.Size = r.Of.N, max(worst.Size, r.Of.Size)
		for j, i := range at {
			g.DX[i], g.DXBound[i] = r.At(elem, xs[j], gs[j])
			w, term := n.Along(i), dy[i]*r.normal(xs[j])
			g.DWeight[w] += term
			g.DBias[w] += dy[i]
			products[w] += math.Abs(term)
			gradients[w] += math.Abs(dy[i])
			counts[w]++
		}
	}
	g.DWeightBound, g.DBiasBound = make([]float64, n.Weights), make([]float64, n.Weights)
	for w := range g.DWeight {
		g.DWeightBound[w] = bounds.NormWeightGrad(elem, counts[w], worst, g.DWeight[w], products[w], gradients[w])
		g.DBiasBound[w] = bounds.Sum(elem, max(counts[w], worst.N), g.DBias[w], gradients[w])
	}
	return g
}

// Forward is the normalisation itself, with a bias for each weight or nil, with bounds.
func (n NormGrad) Forward(elem weft.DType, x, bias []float64) (want, bound []float64) {
	rows := map[int][]int{}
	for i := range x {
		rows[n.Row(i)] = append(rows[n.Row(i)], i)
	}
	want, bound = make([]float64, len(x)), make([]float64, len(x))
	for _, at := range rows {
		xs := make([]float64, len(at))
		for j, i := range at {
			xs[j] = x[i]
		}
		r := NewNormGradRow(n.RMS, n.Epsilon, xs, xs)
		for j, i := range at {
			weight, shift := 1.0, 0.0
			if n.Weight != nil {
				weight = n.Weight[n.Along(i)]
			}
			if bias != nil {
				shift = bias[n.Along(i)]
			}
			normal := r.normal(xs[j])
			want[i] = normal*weight + shift
			bound[i] = bounds.Norm(elem, r.Of.N, want[i], normal, weight, shift, r.Of.Size)
		}
	}
	return want, bound
}

// NormGradRow is what the gradients of a row of a normalisation are computed from.
type NormGradRow struct {
	Of                bounds.NormRow
	mean, slope, part float64
}

// NewNormGradRow is of a row of x and its gradients times weights.
func NewNormGradRow(rms bool, epsilon float64, x, g []float64) (r NormGradRow) {
	n, squares := float64(len(x)), 0.0
	r.Of.N = len(x)
	if !rms {
		r.mean, r.slope = mean(x), mean(g)
	}
	for _, v := range x {
		squares += (v - r.mean) * (v - r.mean)
	}
	r.Of.Scale = 1 / math.Sqrt(squares/n+epsilon)
	if !rms {
		r.Of.Size = math.Hypot(r.mean, math.Sqrt(squares/n)) * r.Of.Scale
	}
	for i, v := range x {
		product := g[i] * r.normal(v)
		r.part += product / n
		r.Of.Product += math.Abs(product) / n
		r.Of.Gradient += math.Abs(g[i]) / n
	}
	return r
}

func (r NormGradRow) normal(x float64) float64 { return (x - r.mean) * r.Of.Scale }

// At is the gradient of one element, and its bound.
func (r NormGradRow) At(elem weft.DType, x, g float64) (want, bound float64) {
	want = r.Of.Scale * (g - r.slope - r.normal(x)*r.part)
	return want, bounds.NormGrad(elem, r.Of, want, g, r.normal(x))
}

func normGradOp(name, function, about string, hasBias bool) *Op {
	return &Op{Name: name, Function: function, About: about, Shape: "any shape, rows last", Example: "8192x4096 --dtype f16",
		want: "one shape, whose last dimension is a row",
		problem: func(o Options, _, sizes []int) Problem {
			row := sizes[len(sizes)-1]
			p := Problem{
				In:  []Operand{o.operand("x", sizes...), o.operand("dy", sizes...), o.operand("weight", row)},
				Out: []Operand{o.operand("dx", sizes...), o.operand("dweight", row)},
				Run: func(out, in []*weft.Tensor) error {
					return weftops.RMSNormGradInto(out[0], out[1], in[0], in[1], in[2])
				},
			}
			if hasBias {
				p.Out = append(p.Out, o.operand("dbias", row))
				p.Run = func(out, in []*weft.Tensor) error {
					return weftops.LayerNormGradInto(out[0], out[1], out[2], in[0], in[1], in[2])
				}
			}
			return p
		}}
}
