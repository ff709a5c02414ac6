package ops

import (
	"cmp"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

var batchNorms = declare(declaration[normOptions]{
	inputs: []string{"x", "weight", "bias"}, needed: 1, more: []string{"mean", "variance", "running_mean", "running_variance"}, inPlace: true, evenEmpty: true,
	types: func(_ normOptions, t weft.DType) bool { return t.IsFloat() },
	check: (*normOptions).checkBatch, launch: (*normOptions).launchBatch,
})

var givenNorms = declare(declaration[normOptions]{
	inputs: []string{"x", "mean", "variance", "weight", "bias"}, needed: 3, alike: 1, inPlace: true,
	types: func(_ normOptions, t weft.DType) bool { return t.IsFloat() },
	check: (*normOptions).checkGivenStatistics, launch: (*normOptions).launchGivenStatistics,
})

var batchNormGrads = declare(declaration[normOptions]{
	inputs: []string{"x", "dy", "mean", "variance", "weight"}, needed: 4, alike: 2, output: "dx", more: []string{"dweight", "dbias"}, inPlace: true, evenEmpty: true,
	types: func(_ normOptions, t weft.DType) bool { return t.IsFloat() },
	check: (*normOptions).checkBatchGrad, launch: (*normOptions).launchBatchGrad,
})

// Running makes BatchNorm update running statistics, of F32, of F64 for x of F64, with an element for each channel:
//
//	mean = (1 - momentum) · mean + momentum · mean of the batch
//	variance = (1 - momentum) · variance + momentum · variance of the batch · n/(n-1)
//
// for n elements of a channel, of which there are two at least: as in PyTorch the variance of the batch is that of its elements where x is
// normalised, and the unbiased estimate from a sample in the running variance. momentum is in 0 to 1.
func Running(mean, variance *weft.Tensor, momentum float64) NormOption {
	return normOption(func(n *normCall) {
		n.running, n.momentum, n.hasRunning = [2]*weft.Tensor{mean, variance}, momentum, true
	})
}

// BatchNorm returns weight · (x - mean) / sqrt(variance + epsilon) + bias, where mean and variance are those of each channel over all other dimensions
// (Ioffe and Szegedy, Batch Normalization, 2015), which it returns, too, for BatchNormGrad: new tensors of F32, of F64 for x of F64. channels is the dimension of the channels, of
// which a negative one counts from the end: 1 of NCHW, -1 of NHWC, whatever the strides of x. weight and bias have an element of x's type for each channel, and each may be
// nil. The variance is divided by the number of elements. Statistics are computed by the deviations from the mean, in two passes over what fits registers
// and by Welford's method beyond, and do not suffer from a mean that is large compared with the deviations. Few channels are shared by many programs, in the same way in every run. A
// channel with a NaN or an infinity becomes NaN; of no elements, mean and variance are NaN. For types and views see LayerNorm; see Running for statistics of many batches.
//
// Errors: as for LayerNorm, ErrArgument for a dimension that x does not have and for a momentum that is not in 0 to 1, ErrShape for running statistics of channels of
// fewer than two elements, ErrUnsupported for the options Axis and Residual.
func BatchNorm(x, weight, bias *weft.Tensor, channels int, options ...NormOption) (y, mean, variance *weft.Tensor, err error) {
	n := newBatchNorm("batch_norm", channels, options)
	checked := n.normOptions
	if _, err := batchNorms.checkInputs(&checked, []*weft.Tensor{x, weight, bias, nil, nil, n.running[0], n.running[1]}); err != nil {
		return nil, nil, nil, err
	}
	made, sum := scratch{}, x.DType().Accumulator()
	y = made.keep(newResult(n.op, "out", x.Device(), x.DType(), x.Shape()...))
	count := x.Dim(checked.dimension(x))
	for i, t := range []**weft.Tensor{&mean, &variance} {
		if made.err == nil {
			*t = made.keep(newResult(n.op, batchNorms.more[i], x.Device(), sum, count))
		}
	}
	if made.err == nil {
		made.err = batchNorms.into(n.normOptions, y, x, weight, bias, mean, variance, n.running[0], n.running[1])
	}
	if made.err != nil {
		made.close()
		return nil, nil, nil, made.err
	}
	return y, mean, variance, nil
}

// BatchNormInto writes the normalised x into out, which may be the same view as x, and the statistics into mean and variance, each of which may be nil.
//
// Errors: as for BatchNorm, and ErrUnsupported if a result repeats elements, overlaps another argument, or
// overlaps x without being the same view.
func BatchNormInto(out, mean, variance, x, weight, bias *weft.Tensor, channels int, options ...NormOption) error {
	n := newBatchNorm("batch_norm", channels, options)
	return batchNorms.into(n.normOptions, out, x, weight, bias, mean, variance, n.running[0], n.running[1])
}

// BatchNormInference is BatchNorm by a mean and a variance that are given, such as running ones, of F32, of F64 for x of F64.
//
// Errors: as for BatchNorm, and ErrUnsupported for the option Running.
func BatchNormInference(x, weight, bias, mean, variance *weft.Tensor, channels int, options ...NormOption) (*weft.Tensor, error) {
	return givenNorms.new(newBatchNorm("batch_norm_inference", channels, options).normOptions, x, mean, variance, weight, bias)
}

// BatchNormInferenceInto writes the normalised x into out, which may be the same view as x.
//
// Errors: as for BatchNormInference, and ErrUnsupported if out repeats elements, overlaps another argument, or
// overlaps x without being the same view.
func BatchNormInferenceInto(out, x, weight, bias, mean, variance *weft.Tensor, channels int, options ...NormOption) error {
	return givenNorms.into(newBatchNorm("batch_norm_inference", channels, options).normOptions, out, x, mean, variance, weight, bias)
}

// BatchNormGrad is the gradient of BatchNorm, given that of its result, dy, and the mean and the variance that it returned: dx, that of x, in new tensors with
// those of weight and bias, the sums of dy times the normalised x and of dy over each channel, which are nil if weight is. The variance depends on x, unlike that of BatchNormInference.
// Sums are in F32, of F64 in F64, in an order that is the same in every run.
//
// Errors: as for BatchNorm, ErrShape for a dy that has not x's shape, ErrUnsupported for the option Running.
func BatchNormGrad(x, dy, weight, mean, variance *weft.Tensor, channels int, options ...NormOption) (dx, dweight, dbias *weft.Tensor, err error) {
	n := newBatchNorm("batch_norm_grad", channels, options).normOptions
	checked := n
	if _, err := batchNormGrads.checkInputs(&checked, []*weft.Tensor{x, dy, mean, variance, weight, nil, nil}); err != nil {
		return nil, nil, nil, err
	}
	made := scratch{}
	dx = made.keep(newResult(n.op, "dx", x.Device(), x.DType(), x.Shape()...))
	for i, t := range []**weft.Tensor{&dweight, &dbias} {
		if weight != nil && made.err == nil {
			*t = made.keep(newResult(n.op, batchNormGrads.more[i], x.Device(), x.DType(), weight.Shape()...))
		}
	}
	if made.err == nil {
		made.err = batchNormGrads.into(n, dx, x, dy, mean, variance, weight, dweight, dbias)
	}
	if made.err != nil {
		made.close()
		return nil, nil, nil, made.err
	}
	return dx, dweight, dbias, nil
}

// BatchNormGradInto writes the gradients into dx, which may be the same view as x, and into dweight and dbias, each of which may be nil.
//
// Errors: as for BatchNormGrad, and ErrUnsupported if a result repeats elements, overlaps another argument, or
// overlaps x without being the same view.
func BatchNormGradInto(dx, dweight, dbias, x, dy, weight, mean, variance *weft.Tensor, channels int, options ...NormOption) error {
	n := newBatchNorm("batch_norm_grad", channels, options).normOptions
	return batchNormGrads.into(n, dx, x, dy, mean, variance, weight, dweight, dbias)
}

func newBatchNorm(op string, channels int, options []NormOption) normCall {
	n := newNorm(op, options)
	n.channels = channels
	return n
}

// dimension is that of the channels of x, which checks have seen.
func (n *normOptions) dimension(x *weft.Tensor) int {
	dim, _ := dimension(n.op, n.channels, operand{"x", x})
	return dim
}

// checkNotRunning refuses running statistics.
func (n *normOptions) checkNotRunning() error {
	if n.hasRunning {
		return fault.New(weft.ErrUnsupported, n.op, "Running is an option of BatchNorm alone").For("options")
	}
	return nil
}

// checkChannels checks what a call says of x. It returns how many channels there are, and how many elements each has.
func (n *normOptions) checkChannels(x *weft.Tensor) (channels, each int, err error) {
	switch {
	case n.hasResidual:
		return 0, 0, fault.New(weft.ErrUnsupported, n.op, "Residual is no option of batches").For("options")
	case n.axes.given:
		return 0, 0, fault.New(weft.ErrUnsupported, n.op, "Axis is no option of batches").For("options")
	case x.Rank() < 2:
		return 0, 0, fault.New(weft.ErrShape, n.op, "shape %v, want at least 2 dimensions", x.Shape()).For("x")
	}
	if err := n.checkEpsilon(); err != nil {
		return 0, 0, err
	}
	dim, err := dimension(n.op, n.channels, operand{"x", x})
	if err != nil {
		return 0, 0, err
	}
	each = 1
	for d, size := range x.Shape() {
		if d != dim {
			each *= size
		}
	}
	return x.Dim(dim), each, nil
}

// checkEach checks tensors, those that are nil left out, with an element of a type for each channel of x.
func (n *normOptions) checkEach(x *weft.Tensor, elem weft.DType, channels int, list ...operand) error {
	for _, o := range list {
		if o.tensor == nil {
			continue
		}
		if err := cmp.Or(checkGiven(n.op, o, operand{"x", x}, elem), checkShape(n.op, o, []int{channels})); err != nil {
			return err
		}
	}
	return nil
}

func (n *normOptions) checkBatch(in []*weft.Tensor) ([]int, error) {
	x := in[0]
	channels, each, err := n.checkChannels(x)
	if err != nil {
		return nil, err
	}
	running := []operand{{"running_mean", in[5]}, {"running_variance", in[6]}}
	if n.hasRunning {
		switch {
		case !(n.momentum >= 0 && n.momentum <= 1):
			return nil, fault.New(weft.ErrArgument, n.op, "momentum %v, want 0 to 1", n.momentum)
		case each < 2:
			return nil, fault.New(weft.ErrShape, n.op, "shape %v has %s of a channel, want at least 2 for a running variance", x.Shape(), fault.Count(each, "element")).For("x")
		}
		for _, o := range running {
			if o.tensor == nil {
				return nil, fault.New(weft.ErrArgument, n.op, "the tensor is nil").For(o.name)
			}
		}
	}
	sum := x.DType().Accumulator()
	return x.Shape(), cmp.Or(
		n.checkEach(x, x.DType(), channels, operand{"weight", in[1]}, operand{"bias", in[2]}),
		n.checkEach(x, sum, channels, operand{"mean", in[3]}, operand{"variance", in[4]}), n.checkEach(x, sum, channels, running...))
}

// checkStatistics checks a call whose statistics are given.
func (n *normOptions) checkStatistics(x, mean, variance *weft.Tensor) (channels int, err error) {
	if channels, _, err = n.checkChannels(x); err != nil {
		return 0, err
	}
	if err := n.checkNotRunning(); err != nil {
		return 0, err
	}
	for _, o := range []operand{{"mean", mean}, {"variance", variance}} {
		if o.tensor == nil {
			return 0, fault.New(weft.ErrArgument, n.op, "the tensor is nil").For(o.name)
		}
		if err := n.checkEach(x, x.DType().Accumulator(), channels, o); err != nil {
			return 0, err
		}
	}
	return channels, nil
}

func (n *normOptions) checkGivenStatistics(in []*weft.Tensor) ([]int, error) {
	channels, err := n.checkStatistics(in[0], in[1], in[2])
	if err != nil {
		return nil, err
	}
	return in[0].Shape(), n.checkEach(in[0], in[0].DType(), channels, operand{"weight", in[3]}, operand{"bias", in[4]})
}

func (n *normOptions) checkBatchGrad(in []*weft.Tensor) ([]int, error) {
	x := in[0]
	channels, err := n.checkStatistics(x, in[2], in[3])
	if err != nil {
		return nil, err
	}
	return x.Shape(), cmp.Or(checkShape(n.op, operand{"dy", in[1]}, x.Shape()),
		n.checkEach(x, x.DType(), channels, operand{"weight", in[4]}, operand{"dweight", in[5]}, operand{"dbias", in[6]}))
}

func (n *normOptions) launchBatch(out *weft.Tensor, in []*weft.Tensor) error {
	x := in[0]
	if x.Len() == 0 {
		return fillAll(in[3:5], math.NaN())
	}
	r := &batchRun{weight: in[1], bias: in[2], mean: in[3], variance: in[4], running: [2]*weft.Tensor(in[5:7])}
	return n.runBatch(r, kernels.BatchNormProblem{}, x, out)
}

func (n *normOptions) launchGivenStatistics(out *weft.Tensor, in []*weft.Tensor) error {
	r := &batchRun{mean: in[1], variance: in[2], weight: in[3], bias: in[4]}
	return n.runBatch(r, kernels.BatchNormProblem{Given: true}, in[0], out)
}

func (n *normOptions) launchBatchGrad(dx *weft.Tensor, in []*weft.Tensor) error {
	if dx.Len() == 0 {
		return fillAll(in[5:7], 0)
	}
	r := &batchRun{mean: in[2], variance: in[3], weight: in[4], dweight: in[5], dbias: in[6]}
	return n.runBatch(r, kernels.BatchNormProblem{Grad: true}, in[0], in[1], dx)
}
