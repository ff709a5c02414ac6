package catalog

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// Loss is a cross-entropy, of logits or of logarithms of probabilities, with its gradient.
type Loss struct {
	Name, Function string
	Log            bool
	Into           func(out, logits, targets *weft.Tensor, options ...weftops.LossOption) error
	GradInto       func(dlogits, logits, targets, dy *weft.Tensor, options ...weftops.LossOption) error
}

// Losses are both.
var Losses = []Loss{
	{"cross_entropy", "CrossEntropy", false, weftops.CrossEntropyInto, weftops.CrossEntropyGradInto},
	{"nll_loss", "NLLLoss", true, weftops.NLLLossInto, weftops.NLLLossGradInto},
}

// LossRow is a row of a loss, with what its loss and its gradient should be.
type LossRow struct {
	Log       bool
	X         []float64
	Target    float64   // the index of a class
	Shares    []float64 // the probabilities of classes in its place; nil for none
	Weights   []float64 // of classes; nil for ones
	Smoothing float64
	Ignore    float64
}

// target are the probabilities of the classes times their weights, and the weight that the row counts with: 0 if it is ignored.
func (r LossRow) target() (t []float64, counted float64) {
	t = make([]float64, len(r.X))
	even := r.Smoothing / float64(len(t))
	for c := range t {
		share := even
		switch {
		case r.Shares != nil:
			share += (1 - r.Smoothing) * r.Shares[c]
		case r.Target == float64(c):
			share += 1 - r.Smoothing
		}
		t[c] = share * r.weight(c)
	}
	switch {
	case r.Shares != nil:
		return t, 1
	case r.Target == r.Ignore:
		return t, 0
	case r.Target < 0 || r.Target >= float64(len(t)):
		return t, math.NaN()
	}
	return t, r.weight(int(r.Target))
}

func (r LossRow) weight(c int) float64 {
	if r.Weights == nil {
		return 1
	}
	return r.Weights[c]
}

// LogSum is the logarithm of the sum of exponentials.
func (r LossRow) LogSum() float64 {
	top, sum := math.Inf(-1), 0.0
	for _, x := range r.X {
		top = max(top, x)
	}
	for _, x := range r.X {
		sum += math.Exp(x - top) // NaN for infinities
	}
	return top + math.Log(sum)
}

// spread is by how much the finite elements differ at most, or their largest magnitude, of logarithms of probabilities.
func (r LossRow) spread() float64 {
	least, most, size := math.Inf(1), math.Inf(-1), 0.0
	for _, x := range r.X {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			least, most, size = min(least, x), max(most, x), max(size, math.Abs(x))
		}
	}
	if r.Log || most < least {
		return size
	}
	return most - least
}

// Loss is the row's loss, the weight that it counts with, and a bound on the loss's error.
func (r LossRow) Loss(elem weft.DType) (loss, counted, bound float64) {
	t, counted := r.target()
	if r.Shares == nil && counted == 0 && r.Target == r.Ignore {
		return 0, 0, 0
	}
	log := 0.0
	if !r.Log {
		log = r.LogSum()
	}
	mass := 0.0
	for c, share := range t {
		mass += math.Abs(share)
		if r.Shares != nil || r.Smoothing > 0 || r.Target == float64(c) {
			loss += share * (log - r.X[c])
		}
	}
	if math.IsNaN(counted) {
		return math.NaN(), math.NaN(), 0
	}
	return loss, counted, bounds.CrossEntropy(elem, len(t), mass, r.spread())
}

// LogSumBound is a bound on the error of LogSum that is stored.
func (r LossRow) LogSumBound(elem weft.DType) float64 {
	return bounds.CrossEntropy(elem, len(r.X), 1, r.spread()) + 4*elem.Accumulator().Epsilon()*math.Abs(r.LogSum())
}

// Grad is the gradient of a row whose loss has the gradient seed, which has a relative error, with bounds on the errors of its elements.
func (r LossRow) Grad(elem weft.DType, seed, relative float64) (want, bound []float64) {
	t, counted := r.target()
	want, bound = make([]float64, len(t)), make([]float64, len(t))
	if r.Shares == nil && r.Target == r.Ignore {
		return want, bound
	}
	mass, log := 0.0, r.LogSum()
	for _, share := range t {
		mass += share
	}
	if math.IsNaN(counted) {
		seed = math.NaN()
	}
	size := r.spread() + finite(log)
	for c, share := range t {
		soft := 0.0
		if !r.Log {
			soft = math.Exp(r.X[c]-log) * mass
		}
		want[c] = seed * (soft - share)
		soft, share = math.Abs(seed*soft), math.Abs(seed*share)
		bound[c] = bounds.CrossEntropyGrad(elem, len(t), want[c], soft, share, size) + 2*relative*(soft+share)
	}
	return want, bound
}

// finite is a magnitude that is a number.
func finite(x float64) float64 {
	if x = math.Abs(x); x < math.Inf(1) {
		return x
	}
	return 0
}

// lossOps are losses and their gradients, of targets that are indices.
func lossOps() (list []*Op) {
	for _, l := range Losses {
		what := "cross-entropy of logits with the indices of classes"
		if l.Log {
			what = "negative likelihood of the indices of classes, of logarithms of probabilities"
		}
		op := func(name, function, about string, problem func(o Options, axis int, sizes []int) Problem) {
			list = append(list, &Op{Name: name, Function: function, About: about + ", which are along the last dimension or another", Shape: "any shape",
				Example: "8192x4096", Takes: []string{"axis"}, check: checkAxis(name),
				problem: func(o Options, _, sizes []int) Problem {
					axis, _, _ := o.axis(name, len(sizes)) // checked before
					return problem(o, axis, sizes)
				}})
		}
		op(l.Name, l.Function, what, func(o Options, axis int, sizes []int) Problem {
			in, each := o.lossOperands(axis, sizes)
			return Problem{In: in, Out: []Operand{{Name: "losses", Elem: o.Elem().Accumulator(), Shape: each}},
				Run: func(out, in []*weft.Tensor) error { return l.Into(out[0], in[0], in[1], weftops.Axis(axis)) }}
		})
		op(l.Name+"_grad", l.Function+"Grad", "gradient of the "+what, func(o Options, axis int, sizes []int) Problem {
			in, each := o.lossOperands(axis, sizes)
			return Problem{In: append(in, Operand{Name: "dy", Elem: o.Elem().Accumulator(), Shape: each}), Out: []Operand{o.operand("dx", sizes...)},
				Run: func(out, in []*weft.Tensor) error { return l.GradInto(out[0], in[0], in[1], in[2], weftops.Axis(axis)) }}
		})
	}
	return list
}

// lossOperands are rows and their targets, and the shape of a number for each row.
func (o Options) lossOperands(axis int, sizes []int) (in []Operand, each []int) {
	each = slices.Delete(slices.Clone(sizes), axis, axis+1)
	return []Operand{o.operand("x", sizes...), {Name: "targets", Elem: weft.I32, Shape: each, Below: max(sizes[axis], 1)}}, each
}
