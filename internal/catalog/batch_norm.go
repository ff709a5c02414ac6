package catalog

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	weftops "github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// BatchNorm is a batch normalisation: elements of x are numbered, and belong to a channel each.
type BatchNorm struct {
	Channels     int
	Channel      func(i int) int
	Weight, Bias []float64 // nil for none
	Epsilon      float64
}

// Bounded are numbers with bounds on their errors.
type Bounded struct{ Want, Bound []float64 }

func newBounded(n int) Bounded { return Bounded{make([]float64, n), make([]float64, n)} }

// Forward is what x of an element type is normalised to, and the mean and the variance of each channel.
func (b BatchNorm) Forward(elem weft.DType, x []float64) (y, mean, variance Bounded) {
	n := NormGrad{Weight: b.Weight, Epsilon: b.Epsilon, Row: b.Channel, Along: b.Channel, Weights: b.Channels}
	y.Want, y.Bound = n.Forward(elem, x, b.Bias)
	mean, variance = newBounded(b.Channels), newBounded(b.Channels)
	sum := elem.Accumulator()
	for c, list := range b.channels(x) {
		count, magnitude := float64(len(list)), 0.0
		for _, v := range list {
			mean.Want[c] += v / count
			magnitude += math.Abs(v) / count
		}
		for _, v := range list {
			variance.Want[c] += (v - mean.Want[c]) * (v - mean.Want[c]) / count
		}
		mean.Bound[c] = bounds.Mean(sum, len(list), mean.Want[c], magnitude)
		variance.Bound[c] = bounds.Var(sum, len(list), variance.Want[c], mean.Want[c])
	}
	return y, mean, variance
}

// channels are the elements of each channel.
func (b BatchNorm) channels(x []float64) [][]float64 {
	list := make([][]float64, b.Channels)
	for i, v := range x {
		c := b.Channel(i)
		list[c] = append(list[c], v)
	}
	return list
}

// at is what each element is normalised by.
func (b BatchNorm) at(c int, variance []float64) (scale, weight, bias float64) {
	scale, weight = 1/math.Sqrt(variance[c]+b.Epsilon), 1
	if b.Weight != nil {
		weight = b.Weight[c]
	}
	if b.Bias != nil {
		bias = b.Bias[c]
	}
	return scale, weight, bias
}

// Inference is what x is normalised to by given statistics.
func (b BatchNorm) Inference(elem weft.DType, x, mean, variance []float64) Bounded {
	y := newBounded(len(x))
	for i, v := range x {
		c := b.Channel(i)
		scale, weight, bias := b.at(c, variance)
		normal := (v - mean[c]) * scale
		y.Want[i] = normal*weight + bias
		y.Bound[i] = bounds.BatchNormInference(elem, y.Want[i], normal, weight, bias)
	}
	return y
}

// Grad is the gradients from given statistics.
func (b BatchNorm) Grad(elem weft.DType, x, dy, mean, variance []float64) (dx, dweight, dbias Bounded) {
	dx, dweight, dbias = newBounded(len(x)), newBounded(b.Channels), newBounded(b.Channels)
	rows := make([]bounds.NormRow, b.Channels)
	for i, v := range x {
		c := b.Channel(i)
		scale, _, _ := b.at(c, variance)
		term := dy[i] * (v - mean[c]) * scale
		dweight.Want[c] += term
		dbias.Want[c] += dy[i]
		rows[c].N++
		rows[c].Product += math.Abs(term)
		rows[c].Gradient += math.Abs(dy[i])
	}
	for c, r := range rows {
		dweight.Bound[c] = bounds.BatchNormWeightGrad(elem, r.N, dweight.Want[c], r.Product)
		dbias.Bound[c] = bounds.Sum(elem, r.N, dbias.Want[c], r.Gradient)
		rows[c].Product, rows[c].Gradient = r.Product/float64(r.N), r.Gradient/float64(r.N)
	}
	for i, v := range x {
		c := b.Channel(i)
		scale, weight, _ := b.at(c, variance)
		r, n := rows[c], float64(rows[c].N)
		r.Scale = scale * weight
		normal := (v - mean[c]) * scale
		dx.Want[i] = r.Scale * (dy[i] - dbias.Want[c]/n - normal*dweight.Want[c]/n)
		dx.Bound[i] = bounds.BatchNormGrad(elem, r, dx.Want[i], dy[i], normal)
	}
	return dx, dweight, dbias
}

func batchNormOps() []*Op {
	return []*Op{
		batchNormOp("batch_norm", "BatchNorm", "weight · (x - mean) / √(variance + ε) + bias of each channel over all images, and its mean and variance", batchNorm),
		batchNormOp("batch_norm_inference", "BatchNormInference", "BatchNorm by a given mean and variance of each channel", batchNormInference),
		batchNormOp("batch_norm_grad", "BatchNormGrad", "gradients of x, weight and bias of BatchNorm", batchNormGrad),
	}
}

func batchNormOp(name, function, about string, problem func(o Options, sizes []int, channels int) Problem) *Op {
	return &Op{Name: name, Function: function, About: about, Shape: "any shape, channels second, or last with --channels-last", Example: "32x64x56x56", Takes: []string{"channels-last"},
		want: "one shape of images and channels, and of what there is of each",
		check: func(_ Options, typed []int) error {
			if len(typed) < 2 {
				return fault.New(weft.ErrArgument, name, "sizes %v, want at least 2", typed)
			}
			return nil
		},
		problem: func(o Options, _, sizes []int) Problem {
			if o.ChannelsLast {
				return problem(o, sizes, len(sizes)-1)
			}
			return problem(o, sizes, 1)
		}}
}

// statistics are a mean and a variance of each channel.
func (o Options) statistics(channels int) (mean, variance Operand) {
	sum := o.Elem().Accumulator()
	return Operand{Name: "mean", Elem: sum, Shape: []int{channels}}, Operand{Name: "variance", Elem: sum, Shape: []int{channels}, Data: Positive}
}

func batchNorm(o Options, sizes []int, channels int) Problem {
	mean, variance := o.statistics(sizes[channels])
	return Problem{
		In:  []Operand{o.operand("x", sizes...), o.operand("weight", sizes[channels]), o.operand("bias", sizes[channels])},
		Out: []Operand{o.operand("y", sizes...), mean, variance},
		Run: func(out, in []*weft.Tensor) error {
			return weftops.BatchNormInto(out[0], out[1], out[2], in[0], in[1], in[2], channels)
		},
	}
}

func batchNormInference(o Options, sizes []int, channels int) Problem {
	mean, variance := o.statistics(sizes[channels])
	return Problem{
		In:  []Operand{o.operand("x", sizes...), o.operand("weight", sizes[channels]), o.operand("bias", sizes[channels]), mean, variance},
		Out: []Operand{o.operand("y", sizes...)},
		Run: func(out, in []*weft.Tensor) error {
			return weftops.BatchNormInferenceInto(out[0], in[0], in[1], in[2], in[3], in[4], channels)
		},
	}
}

func batchNormGrad(o Options, sizes []int, channels int) Problem {
	mean, variance := o.statistics(sizes[channels])
	return Problem{
		In:  []Operand{o.operand("x", sizes...), o.operand("dy", sizes...), o.operand("weight", sizes[channels]), mean, variance},
		Out: []Operand{o.operand("dx", sizes...), o.operand("dweight", sizes[channels]), o.operand("dbias", sizes[channels])},
		Run: func(out, in []*weft.Tensor) error {
			return weftops.BatchNormGradInto(out[0], out[1], out[2], in[0], in[1], in[2], in[3], in[4], channels)
		},
	}
}
