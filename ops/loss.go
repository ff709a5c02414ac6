package ops

import (
	"math"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// LabelSmoothing mixes targets with equal probabilities of all classes: a target is 1 - e times what is given, and e / classes more for each class. e is
// from 0 to 1, and 0 if not given.
func LabelSmoothing(e float64) LossOption { return lossOption(func(c *lossCall) { c.smoothing = e }) }

// IgnoreIndex is the index of targets that are to be ignored, -100 if not given: their loss and their gradient are 0, whatever the logits are, and MeanLoss does
// not count them.
func IgnoreIndex(index int) LossOption {
	return lossOption(func(c *lossCall) { c.ignore, c.ignoring = fit32(index), true })
}

// ClassWeights gives a weight for each class, a vector of F32, of F64 for logits of F64. The loss of a row is multiplied by the weight of its target's class, and
// in MeanLoss it counts as many times. Where targets are probabilities, and where they are smoothed, each class has its own weight within the loss.
func ClassWeights(w *weft.Tensor) LossOption {
	return lossOption(func(c *lossCall) { c.weights, c.hasWeights = w, true })
}

// MeanLoss makes the result the mean of the losses of all rows, a scalar: their sum divided by the sum of the weights of the classes of all targets that are not ignored,
// which is their number if there are no weights. It is NaN if there are none. For targets that are probabilities it is divided by the number of rows. The gradient
// takes the same option. Nothing of it is computed on the host.
func MeanLoss() LossOption { return lossOption(func(c *lossCall) { c.mean, c.sum = true, false }) }

// SumLoss makes the result the sum of the losses of all rows, a scalar. The gradient takes the same option.
func SumLoss() LossOption { return lossOption(func(c *lossCall) { c.mean, c.sum = false, true }) }

// lossOptions is what a call asks for, without its tensors.
type lossOptions struct {
	given
	axes               axisOption
	smoothing          float64
	ignore             int32
	ignoring           bool // given
	mean, sum          bool
	hasWeights, hasLSE bool // given, be they nil
}

// lossCall is what a call's options ask for.
type lossCall struct {
	lossOptions
	weights, lse *weft.Tensor
}

// ignoredIndex is the index that is ignored unless another one is given.
const ignoredIndex = -100

func newLoss(op string, options []LossOption) lossCall {
	return applied(&lossPool, lossCall{lossOptions: lossOptions{given: given{op: op}, ignore: ignoredIndex}}, options, LossOption.setLoss)
}

var lossPool sync.Pool

var losses = declare(declaration[lossOptions]{
	inputs: []string{"logits", "targets", "weights"}, needed: 2, alike: 1, more: []string{"lse"}, evenEmpty: true,
	types:  anyFloat,
	result: func(_ lossOptions, x weft.DType) weft.DType { return x.Accumulator() },
	check:  (*lossOptions).check, launch: (*lossOptions).launch,
})

func anyFloat(_ lossOptions, t weft.DType) bool { return t.IsFloat() }

// CrossEntropy returns the cross-entropy of rows of logits with their targets, -Σ t[c] · log(softmax(logits)[c]) over the classes c, which are along the last
// dimension of the logits, or that given by Axis: a new tensor with a loss for each row, in the shape of the logits without that dimension; MeanLoss and SumLoss make it
// a scalar. No softmax is stored: logits are read once. They are F32, F16, BF16 or F64, in any view, and rows may have any length: few long ones are shared by
// many programs, in the same way in every run. Losses are F32, of F64 F64, and so is all that they are computed in.
//
// Targets are indices of classes, of I32, U32 or I64, with one for each row, or probabilities of all classes, in the shape and the element type of the logits, which need not add up
// to 1. An index that is below 0 or beyond the last class makes the loss of its row NaN, and its gradient, unless it is the one that IgnoreIndex names, -100 if not given.
//
// As in PyTorch, a row of logits with NaN or +infinity, or of nothing but -infinity, has the loss NaN, and a class with -infinity the loss +infinity if it is the
// target. With probabilities and with LabelSmoothing each class counts, so that one with -infinity makes the loss +infinity, and NaN where its probability is 0.
//
// LabelSmoothing, ClassWeights and LogSumExp are further options; the last one stores what CrossEntropyGrad needs of each row.
//
// Errors: ErrShape for logits without dimensions or without classes and for shapes that do not fit, ErrArgument for nil, an axis that does not exist, element types that do not fit, a
// smoothing that is not from 0 to 1 and IgnoreIndex with probabilities, ErrUnsupported for other element types or more than 5 dimensions that do not merge, ErrDevice, ErrClosed.
func CrossEntropy(logits, targets *weft.Tensor, options ...LossOption) (*weft.Tensor, error) {
	return newLoss("cross_entropy", options).new(logits, targets)
}

// CrossEntropyInto writes the losses into out.
//
// Errors: as for CrossEntropy, and ErrUnsupported if out or the tensor of LogSumExp repeats elements or overlaps another argument.
func CrossEntropyInto(out, logits, targets *weft.Tensor, options ...LossOption) error {
	return newLoss("cross_entropy", options).into(out, logits, targets)
}

// NLLLoss returns the negative logarithm of the likelihood of targets: it is CrossEntropy of rows that are logarithms of probabilities, such as LogSoftmax gives, of which no
// softmax is taken. Of targets that are indices nothing else is read than their elements, unless LabelSmoothing is given. There is no LogSumExp. For the rest see CrossEntropy.
func NLLLoss(logs, targets *weft.Tensor, options ...LossOption) (*weft.Tensor, error) {
	return newLoss("nll_loss", options).new(logs, targets)
}

// NLLLossInto writes the losses into out; see CrossEntropyInto.
func NLLLossInto(out, logs, targets *weft.Tensor, options ...LossOption) error {
	return newLoss("nll_loss", options).into(out, logs, targets)
}

func (c lossCall) new(logits, targets *weft.Tensor) (*weft.Tensor, error) {
	return losses.new(c.lossOptions, logits, targets, c.weights, c.lse)
}

func (c lossCall) into(out, logits, targets *weft.Tensor) error {
	return losses.into(c.lossOptions, out, logits, targets, c.weights, c.lse)
}

// logs reports whether rows are logarithms of probabilities.
func (o *lossOptions) logs() bool { return o.op == "nll_loss" || o.op == "nll_loss_grad" }

func (o *lossOptions) check(in []*weft.Tensor) ([]int, error) {
	rows, err := o.checkRows(in[0], in[1], in[2], in[3])
	if err != nil || !o.mean && !o.sum {
		return rows, err
	}
	return []int{}, nil
}

// checkRows checks all but the gradients. It returns the shape of the losses of rows.
func (o *lossOptions) checkRows(logits, targets, weights, lse *weft.Tensor) (rows []int, err error) {
	x := operand{"logits", logits}
	if logits.Rank() == 0 {
		return nil, fault.New(weft.ErrShape, o.op, "a scalar has no classes, want at least 1 dimension").For(x.name)
	}
	axis, err := o.axis(x)
	if err != nil {
		return nil, err
	}
	if !(o.smoothing >= 0 && o.smoothing <= 1) {
		return nil, fault.New(weft.ErrArgument, o.op, "a smoothing of %v, want 0 to 1", o.smoothing).For("options")
	}
	if o.ignore == math.MinInt32 || o.ignore == math.MaxInt32 {
		return nil, fault.New(weft.ErrArgument, o.op, "the index that is ignored has more than 32 bits").For("options")
	}
	rows = slices.Delete(logits.Shape(), axis, axis+1)
	if classes := logits.Dim(axis); classes == 0 && !slices.Contains(rows, 0) {
		return nil, fault.New(weft.ErrShape, o.op, "shape %v has no classes", logits.Shape()).For(x.name)
	}
	if err := o.checkTargets(x, operand{"targets", targets}, rows); err != nil {
		return nil, err
	}
	return rows, o.checkMore(x, weights, lse, rows, logits.Dim(axis))
}

func (o *lossOptions) checkTargets(x, targets operand, rows []int) error {
	if targets.tensor != nil && targets.tensor.DType().IsFloat() {
		if o.ignoring {
			return fault.New(weft.ErrArgument, o.op, "IgnoreIndex is given, the targets are probabilities").For("options")
		}
		if err := checkGiven(o.op, targets, x, x.tensor.DType()); err != nil {
			return err
		}
		if got, want := targets.tensor.Shape(), x.tensor.Shape(); !slices.Equal(got, want) {
			return fault.New(weft.ErrShape, o.op, "shape %v, want %v for probabilities; indices of classes are integers", got, want).For(targets.name)
		}
		return nil
	}
	if err := checkIndices(o.op, targets, x); err != nil {
		return err
	}
	return checkShape(o.op, targets, rows)
}

// checkMore checks the tensors of options.
func (o *lossOptions) checkMore(x operand, weights, lse *weft.Tensor, rows []int, classes int) error {
	if o.hasLSE && o.logs() {
		return fault.New(weft.ErrArgument, o.op, "LogSumExp is no option of logarithms of probabilities").For("options")
	}
	for _, m := range []struct {
		operand
		given bool
		shape []int
	}{{operand{"weights", weights}, o.hasWeights, []int{classes}}, {operand{"lse", lse}, o.hasLSE, rows}} {
		if !m.given {
			continue
		}
		if err := checkGiven(o.op, m.operand, x, x.tensor.DType().Accumulator()); err != nil {
			return err
		}
		if err := checkShape(o.op, m.operand, m.shape); err != nil {
			return err
		}
	}
	return nil
}

// axis is the dimension of the classes.
func (o *lossOptions) axis(x operand) (int, error) {
	s := softmaxOptions{given: o.given, axes: o.axes}
	return s.axis(x)
}
