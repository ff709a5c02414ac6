package ops

import (
	"math"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// RotaryOption changes what Rotary computes.
type RotaryOption interface{ setRotary(*rotaryCall) }

type rotaryOption func(*rotaryCall)

func (f rotaryOption) setRotary(c *rotaryCall) { f(c) }

// RotaryPositions gives the position of row 0 of each batch, a tensor [B] of I32; those of the
// other rows follow one by one. Without it they are 0 to S-1. The kernel reads the positions, so
// that a step that is captured is replayed with others.
func RotaryPositions(positions *weft.Tensor) RotaryOption {
	return rotaryOption(func(c *rotaryCall) { c.positions, c.hasPositions = positions, true })
}

// RotaryBase replaces the base of the frequencies, 10000, by a finite number above 1.
func RotaryBase(base float64) RotaryOption {
	return rotaryOption(func(c *rotaryCall) { c.base, c.hasBase = base, true })
}

// RotaryDims rotates the first n elements of a row, an even number, and copies the others.
func RotaryDims(n int) RotaryOption {
	return rotaryOption(func(c *rotaryCall) { c.dims, c.hasDims = n, true })
}

// RotaryTables gives the cosines and the sines of all angles in place of a base, tensors [P,R/2] of
// F32, in any views, for frequencies that are scaled or measured: row p is for position p.
// Positions that they do not have give zeros in place of what would be rotated.
func RotaryTables(cos, sin *weft.Tensor) RotaryOption {
	return rotaryOption(func(c *rotaryCall) { c.cos, c.sin, c.hasTables = cos, sin, true })
}

// Interleaved pairs neighbours, elements 2i and 2i+1, as GPT-J does, and not elements i and i+R/2.
func Interleaved() RotaryOption { return rotaryOption(func(c *rotaryCall) { c.interleaved = true }) }

// rotaryCall is what a call asks for.
type rotaryCall struct {
	rotaryOptions
	positions, cos, sin *weft.Tensor // nil for none
}

// rotaryOptions are a call's options without their tensors.
type rotaryOptions struct {
	given
	base             float64
	dims             int // of a row, that are rotated
	interleaved      bool
	hasBase, hasDims bool
	hasPositions     bool // given, be they nil
	hasTables        bool
}

func newRotary(options []RotaryOption) rotaryCall {
	call := rotaryCall{rotaryOptions: rotaryOptions{given: given{op: "rotary"}, base: 10000}}
	return applied(&rotaryPool, call, options, RotaryOption.setRotary)
}

var rotaryPool sync.Pool

var rotaries = declare(declaration[rotaryOptions]{
	inputs: []string{"x", "positions", "cos", "sin"}, needed: 1, alike: 1, inPlace: true,
	check: (*rotaryOptions).check, launch: (*rotaryOptions).launch,
})

// Rotary returns x [B,H,S,D], of F32, F16 or BF16, in any views, with its rotary position embedding
// (Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding, 2021) as a new tensor.
// The R elements of a row that are rotated, all of them unless RotaryDims says otherwise, are R/2
// pairs: elements i and i+R/2, as in GPT-NeoX and Llama, or neighbours (Interleaved). Pair i of a
// row at position p is turned by p · base^(-2i/R) radians.
//
// Angles are reduced in integers: cosines and sines are within 2^-21 of the exact ones at every
// position of 32 bits, also below 0. (Programs that multiply position and frequency in F32 are off
// by 2^-7 at position 131072.) Products and sums are in F32.
//
// Errors: ErrShape for shapes that do not fit, ErrArgument for nil, element types that do not fit,
// a base that is not a finite number above 1 or is given with tables, and another number of
// dimensions than an even one from 2 to D, ErrUnsupported for other element types of x, ErrDevice,
// ErrClosed.
func Rotary(x *weft.Tensor, options ...RotaryOption) (*weft.Tensor, error) {
	c := newRotary(options)
	return rotaries.new(c.rotaryOptions, x, c.positions, c.cos, c.sin)
}

// RotaryInto writes the rotated x into out, which may be the same view as x.
//
// Errors: as for Rotary, and ErrUnsupported if out repeats elements, overlaps another argument, or
// overlaps x without being the same view.
func RotaryInto(out, x *weft.Tensor, options ...RotaryOption) error {
	c := newRotary(options)
	return rotaries.into(c.rotaryOptions, out, x, c.positions, c.cos, c.sin)
}

func (o *rotaryOptions) check(in []*weft.Tensor) ([]int, error) {
	x := operand{"x", in[0]}
	if err := checkHeads(o.op, x); err != nil {
		return nil, err
	}
	if o.hasPositions {
		if err := checkPositions(o.op, operand{"positions", in[1]}, x); err != nil {
			return nil, err
		}
	}
	return x.tensor.Shape(), o.checkRow(x, in[2], in[3])
}

// checkRow checks what options say of the rows of x.
func (o *rotaryOptions) checkRow(x operand, cos, sin *weft.Tensor) error {
	head := x.tensor.Dim(3)
	if !o.hasDims {
		o.dims = head
	}
	switch {
	case !(o.base > 1 && o.base <= math.MaxFloat64):
		return fault.New(weft.ErrArgument, o.op, "%v, want a finite number above 1", o.base).For("base")
	case o.hasBase && o.hasTables:
		return fault.New(weft.ErrArgument, o.op, "given with tables of cosines and sines").For("base")
	case o.dims%2 != 0 || o.dims > head || o.dims < min(2, head):
		return fault.New(weft.ErrArgument, o.op, "%d of a row of %d, want an even number from 2 to that", o.dims, head).For("dims")
	case o.hasTables:
		return o.checkTables(x, operand{"cos", cos}, operand{"sin", sin})
	}
	return nil
}

// checkTables checks the tables for x.
func (o *rotaryOptions) checkTables(x, cos, sin operand) error {
	for _, t := range []operand{cos, sin} {
		if err := checkGiven(o.op, t, x, weft.F32); err != nil {
			return err
		}
	}
	if cos.tensor.Rank() != 2 || cos.tensor.Dim(1) != o.dims/2 {
		return fault.New(weft.ErrShape, o.op, "shape %v, want rows of %d", cos.tensor.Shape(), o.dims/2).For("cos")
	}
	return checkShape(o.op, sin, cos.tensor.Shape())
}

func (o *rotaryOptions) launch(out *weft.Tensor, in []*weft.Tensor) error {
	x := in[0]
	from, err := o.pairs(x.Layout())
	if err != nil {
		return err
	}
	to, err := o.pairs(out.Layout())
	if err != nil {
		return err
	}
	p := kernels.RotaryProblem{Elem: x.DType(), Interleaved: o.interleaved, Tables: o.hasTables, X: viewOf(from)}
	p.Out = viewOf(to).Unlike(p.X)
	cfg := p.Config(pick(rotaryTune, x.Device(), p))
	cfg.Positions = o.hasPositions
	views := []weft.TensorView{{Tensor: x, Layout: from}}
	for _, t := range in[1:] {
		if t != nil {
			views = append(views, ownView(t))
		}
	}
	views = append(views, weft.TensorView{Tensor: out, Layout: to})
	if err := kernels.Rotary.LaunchViews(cfg, o.scalars(cfg), views...); err != nil || o.dims == x.Dim(3) || x.Overlaps(out) { // in place the rest is there
		return err
	}
	return copyRest(out, x, o.dims)
}

// copyRest copies the elements of rows from one on.
func copyRest(out, x *weft.Tensor, from int) error {
	to, err := out.Slice(3, from, out.Dim(3))
	if err != nil {
		return err
	}
	defer to.Close()
	rest, err := x.Slice(3, from, x.Dim(3))
	if err != nil {
		return err
	}
	defer rest.Close()
	return to.CopyFrom(rest)
}

// scalars are those of a config.
func (o *rotaryOptions) scalars(cfg kernels.RotaryConfig) weft.Scalars {
	if cfg.Tables {
		return nil
	}
	return kernels.RotaryRatios(o.base, o.dims, cfg.Bits)
}

// pairs is a layout of rows as one of the pairs that are rotated.
func (o *rotaryOptions) pairs(l layout.Layout) (layout.Layout, error) {
	shape, strides := l.Shape()[:3], l.Strides()
	step, n := strides[3], o.dims/2
	if o.interleaved {
		return layout.Strided(append(shape, n, 2), append(strides[:3], 2*step, step), l.Offset())
	}
	return layout.Strided(append(shape, 2, n), append(strides[:3], n*step, step), l.Offset())
}
