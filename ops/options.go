package ops

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// An option is a value that changes the calls of one family of ops, or of several: each family has an interface with a
// method of its own. What belongs to one family alone stands with its ops; what several share stands here.

// ReduceOption changes a reduction.
type ReduceOption interface{ setReduce(*reduceOptions) }

// SoftmaxOption changes a softmax.
type SoftmaxOption interface{ setSoftmax(*softmaxOptions) }

// NormOption changes a normalisation.
type NormOption interface{ setNorm(*normCall) }

// LossOption changes a loss and its gradient.
type LossOption interface{ setLoss(*lossCall) }

// MatMulOption changes what a product is, or how it is computed.
type MatMulOption interface{ setProduct(*productCall) }

// Conv2DOption changes what a convolution is, or how it is computed.
type Conv2DOption interface{ setConvolution(*convolution) }

// AttentionOption changes what Attention computes or how.
type AttentionOption interface{ setAttention(*attentionCall) }

// Options of one family.
type (
	reduceOption    func(*reduceOptions)
	normOption      func(*normCall)
	lossOption      func(*lossCall)
	matMulOption    func(*productCall)
	conv2DOption    func(*convolution)
	attentionOption func(*attentionCall)
)

func (f reduceOption) setReduce(o *reduceOptions) { f(o) }

func (f normOption) setNorm(n *normCall) { f(n) }

func (f lossOption) setLoss(c *lossCall) { f(c) }

func (f matMulOption) setProduct(c *productCall) { f(c) }

func (f conv2DOption) setConvolution(c *convolution) { f(c) }

func (f attentionOption) setAttention(c *attentionCall) { f(c) }

// given is what every call knows of itself: the op, as errors name it, and its list of options.
type given struct {
	op        string
	nilOption int32 // the first that is nil, counted from 1; 0 for none
}

func (g given) name() string { return g.op }

func (g *given) miss(i int) {
	if g.nilOption == 0 {
		g.nilOption = int32(i) + 1
	}
}

// checkOptions refuses an option that is nil.
func (g given) checkOptions() error {
	if g.nilOption == 0 {
		return nil
	}
	return fault.New(weft.ErrArgument, g.op, "option %d is nil", g.nilOption).For("options")
}

// AxisOption is an option of reductions, softmax, normalisations and losses.
type AxisOption interface {
	ReduceOption
	SoftmaxOption
	NormOption
	LossOption
}

// Axis names the dimensions that an op works along, in any order; a negative one counts from the end, so that -1 is
// the last one. A reduction reduces them, all dimensions if Axis is not given and none for Axis without numbers. Softmax
// sums over one, the last one if not given; so do losses, which have their classes along it. LayerNorm and RMSNorm normalise over them, over the last one if not given.
func Axis(axes ...int) AxisOption {
	a := axisOption{given: true}
	a.add(axes)
	return &a
}

// maxAxes is how many axes an option names.
const maxAxes = 16

// axisOption is a list of axes, which can be a part of a memo's key.
type axisOption struct {
	given bool
	count int32 // may be beyond the list, which check refuses
	list  [maxAxes]int
}

func (a *axisOption) setReduce(o *reduceOptions) { o.axes.join(a) }

func (a *axisOption) setSoftmax(s *softmaxOptions) { s.axes.join(a) }

func (a *axisOption) setNorm(n *normCall) { n.axes.join(a) }

func (a *axisOption) setLoss(c *lossCall) { c.axes.join(a) }

// add appends axes.
func (a *axisOption) add(axes []int) {
	for _, x := range axes {
		if a.count < maxAxes {
			a.list[a.count] = x
		}
		a.count++
	}
}

// join adds the axes of another option.
func (a *axisOption) join(b *axisOption) {
	a.given = true
	for i := range b.count {
		if a.count < maxAxes {
			a.list[a.count] = b.list[min(i, maxAxes-1)]
		}
		a.count++
	}
}

// among are the dimensions of x that the axes name: which ones, and how many.
func (a *axisOption) among(op string, x operand) (named []bool, n int, err error) {
	if a.count > maxAxes {
		return nil, 0, fault.New(weft.ErrLimit, op, "%s given, want at most %d", fault.Count(a.count, "axis"), maxAxes)
	}
	named = make([]bool, x.tensor.Rank())
	for _, axis := range a.list[:a.count] {
		d, err := dimension(op, axis, x)
		if err != nil {
			return nil, 0, err
		}
		if named[d] {
			return nil, 0, fault.New(weft.ErrArgument, op, "axis %d is given twice in %v", d, a.list[:a.count]).For(x.name)
		}
		named[d] = true
	}
	return named, int(a.count), nil
}

// EpilogueOption is an option of matrix products and convolutions.
type EpilogueOption interface {
	MatMulOption
	Conv2DOption
}

// Bias adds a tensor to the result before it is rounded and stored. To a product it is one that broadcasts to the
// result: a vector [N] for each row, [M,1] for each column, [B,1,1] for the matrices of a batch, or a whole residual;
// its element type may be any that a result has. To a convolution it is a vector [O] of x's element type, with an element for each channel of the
// result, and comes before Fuse.
func Bias(x *weft.Tensor) EpilogueOption { return &biasOption{x} }

type biasOption struct{ tensor *weft.Tensor }

func (b *biasOption) setProduct(c *productCall) { c.step(AddMap, true, b.tensor) }

func (b *biasOption) setConvolution(c *convolution) {
	switch {
	case c.hasBias:
		c.unfit = "Bias is given twice"
	case c.fused > 0:
		c.unfit = "Bias is given after Fuse; a convolution adds it before"
	}
	c.bias, c.hasBias = b.tensor, true
}

// Fuse applies a map to the result before it is rounded and stored: its first input is the result, and the others are tensors
// that broadcast to it. ReLUMap, GELUMap and others are such maps, and weft.NewMap makes one of a
// Go function:
//
//	var gate = weft.NewMap("gate", []string{"x", "g"}, func(in []*tile.Value) *tile.Value {
//		return in[0].Mul(in[1].Sigmoid())
//	})
//	y, err := ops.MatMul(a, w, ops.Bias(b), ops.Fuse(gate, g))
//
// Maps get values of F32, or of I32 for such a result, which is rounded to its type once, after the last map.
// Up to 4 steps with 4 tensors, Bias among them, are done in the order of the options. A convolution takes maps of one
// input.
func Fuse(m *weft.Map, in ...*weft.Tensor) EpilogueOption { return &fuseOption{m, in} }

type fuseOption struct {
	m  *weft.Map
	in []*weft.Tensor
}

func (f *fuseOption) setProduct(c *productCall) { c.step(f.m, false, f.in...) }

func (f *fuseOption) setConvolution(c *convolution) {
	if c.fused < kernels.MaxSteps {
		c.steps[c.fused] = f.m
	}
	c.fused++
	if len(f.in) > 0 {
		c.unfit = "Fuse of a map with tensors; a convolution takes maps of one input"
	}
}

// The configs of the ops whose tiles can be chosen, for Tiles.
type (
	MatMulConfig    = kernels.MatMulConfig
	Conv2DConfig    = kernels.Conv2DConfig
	AttentionConfig = kernels.AttentionConfig
)

// TilesOption is an option of the ops whose tiles can be chosen.
type TilesOption interface {
	MatMulOption
	Conv2DOption
	AttentionOption
}

// Tiles replaces what was chosen for the shape by the fields of a config that are not zero: MatMulConfig for products,
// Conv2DConfig for Conv2D and AttentionConfig for Attention. What follows from the operands stays.
// Another op's config is ErrArgument, and so is a field out of its range: sizes of tiles and Threads are powers of two, and there are
// at most 8 Stages, 16 ThreadRows and 8 ThreadColumns, which are for images whose channels are last.
//
// In a product, RowByRow, Interleave, and producers with what goes with them, are those of cfg if that has a BM; consumers that
// were chosen are dropped if cfg has a BN or a SplitK. A product with fewer columns than rows, and few of them, is
// computed as the product of the transposed operands: rows are columns in its config. No operand is packed before it but
// with Pack. In a convolution the tiles of ConvImplicit, and Parts as SplitK, are for MatMul with ConvIm2Col, and Parts that were
// chosen are dropped if cfg has a size of tiles. In Attention, tiles or threads come
// without producers unless cfg has them, and BD is set with Head alone.
//
// Fields that are impossible together are ErrUnsupported on every device: in Attention Persistent without Producers, in a product Consumers without them or more
// than 64 rows with RowByRow. On devices with threads, a tile of more than 8192 elements a thread is ErrLimit.
func Tiles[C MatMulConfig | Conv2DConfig | AttentionConfig](cfg C) TilesOption {
	return &tilesOption[C]{cfg}
}

type tilesOption[C MatMulConfig | Conv2DConfig | AttentionConfig] struct{ cfg C }

func (t *tilesOption[C]) setProduct(c *productCall) {
	if cfg, ok := any(&t.cfg).(*MatMulConfig); ok {
		c.tiled, c.wrong = true, cmp.Or(c.wrong, matMulTiles(cfg))
		c.tiles.Overlay(*cfg)
	} else {
		c.wrong = otherConfig(t.name(), "MatMulConfig")
	}
}

func (t *tilesOption[C]) setConvolution(c *convolution) {
	if cfg, ok := any(&t.cfg).(*Conv2DConfig); ok {
		c.tiles, c.wrong = *cfg, cmp.Or(c.wrong, convTiles(cfg))
	} else {
		c.wrong = otherConfig(t.name(), "Conv2DConfig")
	}
}

func (t *tilesOption[C]) setAttention(c *attentionCall) {
	if cfg, ok := any(&t.cfg).(*AttentionConfig); ok {
		c.tiles, c.wrong = *cfg, cmp.Or(c.wrong, attentionTiles(cfg))
	} else {
		c.wrong = otherConfig(t.name(), "AttentionConfig")
	}
}

// name is the config's type without its package.
func (t *tilesOption[C]) name() string {
	name := fmt.Sprintf("%T", t.cfg)
	return name[strings.LastIndexByte(name, '.')+1:]
}
