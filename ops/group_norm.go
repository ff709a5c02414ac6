package ops

import (
	"cmp"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

var groupNorms = declare(declaration[normOptions]{
	inputs: []string{"x", "weight", "bias"}, needed: 1, inPlace: true,
	types: func(_ normOptions, t weft.DType) bool { return t.IsFloat() },
	check: (*normOptions).checkGroup, launch: (*normOptions).launchGroup,
})

var groupNormGrads = declare(declaration[normOptions]{
	inputs: normGradInputs, needed: 2, output: "dx", more: []string{"dweight", "dbias"}, inPlace: true, evenEmpty: true,
	types: func(_ normOptions, t weft.DType) bool { return t.IsFloat() },
	check: (*normOptions).checkGroupGrad, launch: (*normOptions).launchGroupGrad,
})

// GroupNorm returns weight · (x - mean) / sqrt(variance + epsilon) + bias, where mean and variance are those of a group of channels of one element of
// dimension 0, such as an image (Wu and He, Group Normalization, 2018). channels is the dimension of the channels, of which a negative one counts from the
// end and which is not 0: 1 of NCHW, -1 of NHWC, whatever the strides of x. groups divides their number; as many groups as channels are instance
// normalisation. weight and bias have an element for each channel, and each may be nil. For types and views see LayerNorm.
//
// Errors: as for LayerNorm, ErrArgument for a dimension that x does not have and for dimension 0, ErrShape for groups that do not divide the channels,
// ErrUnsupported for the options Axis and Residual.
func GroupNorm(x, weight, bias *weft.Tensor, groups, channels int, options ...NormOption) (*weft.Tensor, error) {
	return groupNorms.new(newGroupNorm("group_norm", groups, channels, options), x, weight, bias)
}

// GroupNormInto writes the normalised x into out, which may be the same view as x.
//
// Errors: as for GroupNorm, and ErrUnsupported if out repeats elements, overlaps another argument, or
// overlaps x without being the same view.
func GroupNormInto(out, x, weight, bias *weft.Tensor, groups, channels int, options ...NormOption) error {
	return groupNorms.into(newGroupNorm("group_norm", groups, channels, options), out, x, weight, bias)
}

// GroupNormGrad is the gradient of GroupNorm, given that of its result, dy: dx, that of x, in new tensors with those of weight and bias, which are nil
// if weight is. For the rest see LayerNormGrad.
//
// Errors: as for GroupNorm, and ErrShape for a dy that has not x's shape.
func GroupNormGrad(x, dy, weight *weft.Tensor, groups, channels int, options ...NormOption) (dx, dweight, dbias *weft.Tensor, err error) {
	grads, err := newGrads(groupNormGrads, newGroupNorm("group_norm_grad", groups, channels, options), 2, x, dy, weight)
	return grads[0], grads[1], grads[2], err
}

// GroupNormGradInto writes the gradients into dx, which may be the same view as x, and into dweight and dbias, each of which may be nil.
//
// Errors: as for GroupNormGrad, and ErrUnsupported if a result repeats elements, overlaps another argument, or
// overlaps x without being the same view.
func GroupNormGradInto(dx, dweight, dbias, x, dy, weight *weft.Tensor, groups, channels int, options ...NormOption) error {
	return groupNormGrads.into(newGroupNorm("group_norm_grad", groups, channels, options), dx, x, dy, weight, dweight, dbias)
}

func newGroupNorm(op string, groups, channels int, options []NormOption) normOptions {
	n := newNorm(op, options).normOptions
	n.groups, n.channels = groups, channels
	return n
}

// groupDims checks what a call says of x. It returns the dimension of the channels.
func (n *normOptions) groupDims(x *weft.Tensor) (dim int, err error) {
	switch {
	case n.hasResidual:
		return 0, fault.New(weft.ErrUnsupported, n.op, "Residual is no option of groups").For("options")
	case n.axes.given:
		return 0, fault.New(weft.ErrUnsupported, n.op, "Axis is no option of groups").For("options")
	case x.Rank() < 2:
		return 0, fault.New(weft.ErrShape, n.op, "shape %v, want at least 2 dimensions", x.Shape()).For("x")
	}
	if err := cmp.Or(n.checkEpsilon(), n.checkNotRunning()); err != nil {
		return 0, err
	}
	if dim, err = dimension(n.op, n.channels, operand{"x", x}); err != nil {
		return 0, err
	}
	switch {
	case dim == 0:
		return 0, fault.New(weft.ErrArgument, n.op, "dimension 0, which each have groups of their own").For("channels")
	case n.groups < 1 || x.Dim(dim)%n.groups != 0:
		return 0, fault.New(weft.ErrShape, n.op, "%d groups of %s", n.groups, fault.Count(x.Dim(dim), "channel")).For("groups")
	}
	return dim, nil
}

// checkEpsilon refuses what is no F32.
func (n *normOptions) checkEpsilon() error {
	if !(n.epsilon >= 0 && n.epsilon <= math.MaxFloat32) {
		return fault.New(weft.ErrArgument, n.op, "epsilon %v, want a finite F32 that is not negative", n.epsilon)
	}
	return nil
}

func (n *normOptions) checkGroup(in []*weft.Tensor) ([]int, error) {
	x := in[0]
	dim, err := n.groupDims(x)
	if err != nil {
		return nil, err
	}
	for _, o := range []operand{{"weight", in[1]}, {"bias", in[2]}} {
		if o.tensor != nil {
			if err := checkShape(n.op, o, []int{x.Dim(dim)}); err != nil {
				return nil, err
			}
		}
	}
	return x.Shape(), nil
}

func (n *normOptions) checkGroupGrad(in []*weft.Tensor) ([]int, error) {
	x := in[0]
	dim, err := n.groupDims(x)
	if err != nil {
		return nil, err
	}
	return n.checkGradOperands(in, func(o operand) error { return checkShape(n.op, o, []int{x.Dim(dim)}) })
}

// inGroups are tensors seen with a dimension of groups, and one of the channels of each.
type inGroups struct {
	scratch
	n      *normOptions
	dim    int // of the groups
	merged normMerge
}

// grouped makes them of operands, those of weights among them.
func (n *normOptions) grouped(list []normOperand) (*inGroups, error) {
	x := list[0].tensor
	dim, err := n.groupDims(x)
	if err != nil {
		return nil, err
	}
	g := &inGroups{n: n, dim: dim}
	g.merged = normMerge{op: n.op, row: make([]bool, x.Rank()+1), along: make([]bool, x.Rank()+1)}
	for d := range g.merged.row {
		g.merged.row[d] = d != 0 && d != dim
		g.merged.along[d] = d == dim || d == dim+1
	}
	for _, o := range list {
		if o.tensor != nil {
			o.tensor = g.split(o)
			g.merged.list = append(g.merged.list, o)
		}
	}
	if g.err != nil {
		g.close()
		return nil, g.err
	}
	return g, nil
}

// split divides the dimension of the channels.
func (g *inGroups) split(o normOperand) *weft.Tensor {
	d, l := g.dim, o.tensor.Layout()
	if o.weight {
		d = 0
	}
	shape, strides := l.Shape(), l.Strides()
	each := shape[d] / g.n.groups
	shape = slices.Insert(shape, d+1, each)
	shape[d] = g.n.groups
	strides = slices.Insert(strides, d, strides[d]*each)
	l, err := layout.Strided(shape, strides, l.Offset())
	if err != nil {
		return g.keep(nil, err)
	}
	return g.keep(o.tensor.AsStrided(l))
}

func (n *normOptions) launchGroup(out *weft.Tensor, in []*weft.Tensor) error {
	g, err := n.grouped([]normOperand{{operand{"x", in[0]}, false}, {operand{"weight", in[1]}, true}, {operand{"bias", in[2]}, true}, {operand{"out", out}, false}})
	if err != nil {
		return err
	}
	defer g.close()
	list := g.merged.list
	merged, err := g.merged.merge(list[len(list)-1].tensor.Layout())
	if err != nil {
		return err
	}
	views := merged.views
	p := kernels.NormProblem{Elem: out.DType(), X: viewOf(views[len(views)-1].Layout), Row: merged.row}
	p.From = viewOf(views[0].Layout).Unlike(p.X)
	cfg, parts := p.Config(pick(normTune, out.Device(), p))
	cfg.Weight, cfg.Bias, cfg.Along = in[1] != nil, in[2] != nil, merged.along
	return launchNorm(cfg, parts, n.epsilon, views)
}

func (n *normOptions) launchGroupGrad(dx *weft.Tensor, in []*weft.Tensor) error {
	if dx.Len() == 0 {
		return fillAll(in[3:5], 0)
	}
	g, err := n.grouped([]normOperand{{operand{"x", in[0]}, false}, {operand{"dy", in[1]}, false}, {operand{"dx", dx}, false},
		{operand{"weight", in[2]}, true}, {operand{"dweight", in[3]}, true}, {operand{"dbias", in[4]}, true}})
	if err != nil {
		return err
	}
	defer g.close()
	list := g.merged.list
	weights := map[string]*weft.Tensor{}
	for _, o := range list[3:] {
		weights[o.name] = o.tensor
	}
	g.merged.list = list[:3]
	call := normGradCall{op: kernels.GradMoments, epsilon: n.epsilon, dweight: weights["dweight"], dbias: weights["dbias"]}
	g.merged.apart = call.summed()
	return call.launch(g.merged, weights["weight"])
}
