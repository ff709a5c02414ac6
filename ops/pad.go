package ops

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// PadSize is how much larger a dimension becomes: by Low elements before the first, High after the last, and Interior between any two
// neighbours. Low and High may be negative, which leaves elements out; Interior comes first, as XLA has it.
type PadSize struct{ Low, High, Interior int }

// PadMode says which elements stand outside of a tensor.
type PadMode = kernels.PadMode

// The modes of Pad. Of the elements 0 1 2 they make, with 3 more on either side:
const (
	PadConstant  = kernels.PadConstant  // v v v 0 1 2 v v v
	PadEdge      = kernels.PadEdge      // 0 0 0 0 1 2 2 2 2
	PadReflect   = kernels.PadReflect   // 1 2 1 0 1 2 1 0 1
	PadSymmetric = kernels.PadSymmetric // 2 1 0 0 1 2 2 1 0
	PadWrap      = kernels.PadWrap      // 0 1 2 0 1 2 0 1 2
)

// PadOption changes what Pad puts around a tensor.
type PadOption interface{ setPad(*padOptions) }

type padOption func(*padOptions)

func (f padOption) setPad(o *padOptions) { f(o) }

// PadWith has Pad take elements of the tensor itself, in another mode than PadConstant.
func PadWith(mode PadMode) PadOption { return padOption(func(o *padOptions) { o.mode = mode }) }

// PadValue is what Pad puts around a tensor, 0 if it is not given: a Go number, which x's element type must hold (floats are rounded to it), or a
// tensor of x's element type with one element, which the kernel reads.
func PadValue(value weft.TensorOrNumber) PadOption {
	return padOption(func(o *padOptions) {
		t, isTensor := value.(*weft.Tensor)
		n := dtype.NumberOf(value)
		o.tensor, o.isTensor, o.isNumber, o.float = t, isTensor, !isTensor, math.Float64bits(n.Float)
		n.Float = 0
		o.value = n
	})
}

// padOptions is what a call asks for.
type padOptions struct {
	given
	sizes    string // a PadSize for each dimension, encoded
	mode     PadMode
	roll     bool // the sizes are how far elements are shifted
	isTensor bool
	isNumber bool
	value    dtype.Number // less its Float, of which there are NaN and -0
	float    uint64       // the bits of that
	tensor   *weft.Tensor
}

var padPool = sync.Pool{New: func() any { return new(padOptions) }}

// encodePads is a list of sizes as a string, which can be compared.
func encodePads(sizes []PadSize) string {
	b := make([]byte, 0, 3*len(sizes))
	for _, s := range sizes {
		for _, n := range []int{s.Low, s.High, s.Interior} {
			b = fmt.Appendf(b, "%d ", n)
		}
	}
	return string(b)
}

// pads are the sizes.
func (o *padOptions) pads() (list []PadSize) {
	numbers := strings.Fields(o.sizes)
	for i := 0; i+2 < len(numbers); i += 3 {
		var n [3]int
		for j := range n {
			n[j], _ = strconv.Atoi(numbers[i+j])
		}
		list = append(list, PadSize{n[0], n[1], n[2]})
	}
	return list
}

var pads = declare(declaration[padOptions]{
	inputs: []string{"x", "value"}, needed: 1, types: func(_ padOptions, t weft.DType) bool { return t.Valid() },
	check: checkPad, launch: launchPad,
})

// Pad returns x, of any element type and in any view, with elements around it and between its elements: sizes has one PadSize for each
// dimension. What stands there is 0, or what PadValue and PadWith say. Elements of x stay as they are, bit for bit; where rows of a
// 16-bit type do not consist of whole words of 32 bits, a NaN may become another one.
//
// Errors: ErrArgument for nil, a negative Interior, an Interior in another mode than PadConstant, a mode that there is not, and a
// value that is no number of x's element type or does not fit its mode; ErrShape for another number of sizes, for more elements left out
// than there are, for a dimension without elements that is to be repeated, and for a value that is not one element; ErrUnsupported for more than 5 dimensions
// that do not merge; ErrDevice, ErrClosed, ErrLimit, ErrOutOfMemory.
func Pad(x *weft.Tensor, sizes []PadSize, options ...PadOption) (*weft.Tensor, error) {
	o := newPad(sizes, options)
	return pads.new(o.key(), x, o.tensor)
}

// PadInto writes the result into out.
//
// Errors: as for Pad, and ErrUnsupported if out repeats elements or overlaps x or the value.
func PadInto(out, x *weft.Tensor, sizes []PadSize, options ...PadOption) error {
	o := newPad(sizes, options)
	return pads.into(o.key(), out, x, o.tensor)
}

// Roll returns x with its elements shifted along dimensions: shifts has one number for each of dims, of which negative ones count from the end. What leaves
// a dimension at one end comes in at the other. Without dims there is one shift for each dimension. Element types and views are those of Pad.
//
// Errors: ErrArgument for nil, for another number of shifts than of dimensions, and for a dimension that x does not have or that is given
// twice; otherwise as for Pad.
func Roll(x *weft.Tensor, shifts []int, dims ...int) (*weft.Tensor, error) {
	o, err := newRoll(x, shifts, dims)
	if err != nil {
		return nil, err
	}
	return pads.new(o, x, nil)
}

// RollInto writes the result into out.
//
// Errors: as for Roll, and ErrUnsupported if out repeats elements or overlaps x.
func RollInto(out, x *weft.Tensor, shifts []int, dims ...int) error {
	o, err := newRoll(x, shifts, dims)
	if err != nil {
		return err
	}
	return pads.into(o, out, x, nil)
}

func newPad(sizes []PadSize, options []PadOption) padOptions {
	return applied(&padPool, padOptions{given: given{op: "pad"}, sizes: encodePads(sizes)}, options, PadOption.setPad)
}

// key is what a call depends on in addition to its tensors.
func (o padOptions) key() padOptions {
	o.tensor = nil
	return o
}

func newRoll(x *weft.Tensor, shifts, dims []int) (padOptions, error) {
	o := padOptions{given: given{op: "roll"}, mode: PadWrap, roll: true}
	if x == nil {
		return o, nil // which the checks report
	}
	rank := x.Rank()
	if len(dims) == 0 {
		for d := range rank {
			dims = append(dims, d)
		}
	}
	if len(shifts) != len(dims) {
		return o, fault.New(weft.ErrArgument, o.op, "%s given for %s", fault.Count(len(shifts), "shift"), fault.Count(len(dims), "dimension")).For("shifts")
	}
	sizes, seen := make([]PadSize, rank), make([]bool, rank)
	for i, d := range dims {
		d, err := dimension(o.op, d, operand{"x", x})
		if err != nil {
			return o, err
		}
		if seen[d] {
			return o, fault.New(weft.ErrArgument, o.op, "dimension %d is given twice", d).For("dims")
		}
		seen[d] = true
		if n := x.Dim(d); n > 0 {
			low := (shifts[i]%n + n) % n
			sizes[d] = PadSize{Low: low, High: -low}
		}
	}
	o.sizes = encodePads(sizes)
	return o, nil
}

func checkPad(o *padOptions, in []*weft.Tensor) ([]int, error) {
	x, sizes := in[0], o.pads()
	if err := o.checkMode(x, in[1]); err != nil {
		return nil, err
	}
	shape := x.Shape()
	if o.roll && len(sizes) != len(shape) { // a nil tensor became another since
		return nil, fault.New(weft.ErrShape, o.op, "shape %v", shape).For("x")
	}
	if len(sizes) != len(shape) {
		return nil, fault.New(weft.ErrShape, o.op, "%s given for shape %v", fault.Count(len(sizes), "size"), shape).For("sizes")
	}
	for d, s := range sizes {
		n, err := o.padded(shape[d], s, d)
		if err != nil {
			return nil, err
		}
		shape[d] = n
	}
	return shape, nil
}

// padded is the size of a dimension of n elements with others around it.
func (o *padOptions) padded(n int, s PadSize, d int) (int, error) {
	const limit = math.MaxInt32 / 4 // of what the kernel computes with
	switch {
	case s.Interior < 0:
		return 0, fault.New(weft.ErrArgument, o.op, "dimension %d has %d elements between neighbours, want 0 or more", d, s.Interior).For("sizes")
	case s.Interior > 0 && o.mode != PadConstant:
		return 0, fault.New(weft.ErrArgument, o.op, "dimension %d has %d elements between neighbours, which is for the mode constant alone", d, s.Interior).For("sizes")
	case s == PadSize{}:
		return n, nil
	case max(s.Low, -s.Low, s.High, -s.High, s.Interior, n) > limit || n > 0 && (n-1)*(s.Interior+1) > limit:
		return 0, fault.New(weft.ErrLimit, o.op, "dimension %d of %d elements with %+v, want less than 2^29", d, n, s).For("sizes")
	}
	to := n + s.Low + s.High
	if n > 0 {
		to += (n - 1) * s.Interior
	}
	switch {
	case to < 0:
		return 0, fault.New(weft.ErrShape, o.op, "dimension %d of %d elements with %+v has less than none", d, n, s).For("sizes")
	case n == 0 && to > 0 && o.mode != PadConstant:
		return 0, fault.New(weft.ErrShape, o.op, "dimension %d has no elements that could be repeated", d).For("x")
	}
	return to, nil
}

// checkMode checks the mode and the value.
func (o *padOptions) checkMode(x, value *weft.Tensor) error {
	switch {
	case !o.mode.Valid():
		return fault.New(weft.ErrArgument, o.op, "mode %d does not exist", uint8(o.mode)).For("mode")
	case o.mode != PadConstant && (o.isTensor || o.isNumber):
		return fault.New(weft.ErrArgument, o.op, "a value is given, which is for the mode constant alone").For("value")
	case o.isTensor && value == nil:
		return fault.New(weft.ErrArgument, o.op, "the tensor is nil").For("value")
	case value != nil && value.Len() != 1:
		return fault.New(weft.ErrShape, o.op, "shape %v, want one element", value.Shape()).For("value")
	case o.isNumber && o.value.Kind == dtype.NoNumber:
		return fault.New(weft.ErrArgument, o.op, "want a tensor or a number").For("value")
	case o.isNumber && !holds(x.DType(), o.number()):
		return fault.New(weft.ErrArgument, o.op, "%v is not a value of %v", o.number(), x.DType()).For("value")
	}
	return nil
}

// number is the value that was given.
func (o *padOptions) number() dtype.Number {
	n := o.value
	n.Float = math.Float64frombits(o.float)
	return n
}

// holds reports whether an element type has a number; floats have all of them, rounded.
func holds(elem weft.DType, n dtype.Number) bool {
	switch {
	case n.Kind == dtype.BoolNumber:
		return elem == weft.Bool
	case elem.IsFloat():
		return true
	case n.Kind != dtype.IntNumber || elem == weft.Bool:
		return dtype.Holds(elem, n.Float64())
	}
	bits := 8*elem.Size() - 1 // less the sign
	switch {
	case n.Negative:
		return elem.IsSigned() && n.Magnitude <= 1<<bits
	case elem.IsSigned():
		return n.Magnitude < 1<<bits
	}
	return n.Magnitude <= 1<<bits-1+1<<bits
}

// words is the value as the kernel's scalars for an element type: one, or the two words of 64 bits.
func (o *padOptions) words(elem weft.DType) weft.Scalars {
	n := o.number()
	if elem.IsFloat() && elem.Size() < 8 {
		return weft.Scalars{dtype.Round(elem, n.Float64())}
	}
	bits := n.Magnitude
	switch {
	case elem.IsFloat():
		bits = math.Float64bits(n.Float64())
	case n.Kind == dtype.FloatNumber && n.Float < 0:
		bits = uint64(int64(n.Float))
	case n.Kind == dtype.FloatNumber:
		bits = uint64(n.Float)
	case n.Negative:
		bits = -bits
	}
	switch {
	case elem.Size() == 8:
		return weft.Scalars{uint32(bits), uint32(bits >> 32)}
	case elem.IsSigned():
		return weft.Scalars{int32(bits)}
	}
	return weft.Scalars{uint32(bits)}
}

func launchPad(o *padOptions, out *weft.Tensor, in []*weft.Tensor) error {
	x, sizes := in[0], o.pads()
	views := []weft.TensorView{ownView(x), ownView(out)}
	padded := func(d int) bool { return sizes[d] != PadSize{} }
	a, err := mergeAxes([]layout.Layout{x.Layout(), out.Layout()}, padded)
	if err != nil {
		return err
	}
	starts, steps := make([]int, len(a.own)), make([]int, len(a.own))
	for i := 0; i < len(a.own); i++ {
		if a.own[i] < 0 {
			continue
		}
		s := sizes[a.own[i]]
		starts[i], steps[i] = s.Low, s.Interior+1
		if s.Interior > 0 || o.mode != PadConstant && o.mode != PadWrap {
			continue
		}
		n := 1
		if a, n, err = a.fuse(i); err != nil {
			return err
		}
		starts[i] *= n
	}
	rank := a.layouts[0].Rank()
	views[0].Layout, views[1].Layout = a.layouts[0], a.layouts[1]
	return o.launch(views, in[1], a.own, starts[:rank], steps[:rank])
}

// launch launches the kernel on merged views.
func (o *padOptions) launch(views []weft.TensorView, value *weft.Tensor, own, starts, steps []int) error {
	x := views[0].Tensor
	elem := x.DType()
	p := kernels.PadProblem{Elem: elem, Mode: o.mode, Tensor: value != nil, Halves: elem.Size() == 8}
	if value != nil {
		one, err := layout.Strided([]int{1}, []int{1}, value.Layout().Offset())
		if err != nil {
			return err
		}
		views = slices.Insert(views, 1, weft.TensorView{Tensor: value, Layout: one})
	}
	if views = asBytes(views); p.Halves {
		views, own = halvesOf(views), append(slices.Clone(own), -1)
		starts, steps = append(slices.Clone(starts), 0), append(slices.Clone(steps), 0)
		if value != nil {
			views[1].Layout, _ = views[1].Layout.Select(0, 0) // its two words
		}
	}
	out := views[len(views)-1]
	if err := checkRank(o.op, "x", x.Shape(), out.Layout.Rank()); err != nil {
		return err
	}
	p.Elem, p.Out = seenElem(out), viewOf(out.Layout)
	for i, d := range own {
		if d >= 0 {
			p.Padded[i], p.Interior[i] = true, steps[i] > 1
		}
	}
	return kernels.Pad.LaunchViews(p.Config(pick(padTune, x.Device(), p)), p.Scalars(o.words(elem), views[0].Layout.Shape(), starts, steps), views...)
}
