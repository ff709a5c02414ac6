package ops

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// declaration says what is an op's own. The form with a new result, the one with Into, what is remembered of calls, and the checks
// that all ops make follow from it. O is what a call's options say. A call's tensors are the result, the inputs, and further results.
type declaration[O callOptions] struct {
	inputs    []string                                     // their names in errors; none for an op that fills a result of any shape
	needed    int                                          // how many of them cannot be nil
	alike     int                                          // how many of them are of one element type, 0 for all; check checks the types of others
	output    string                                       // the result's name in errors; out if empty
	more      []string                                     // the names of further results, each of which may be nil; check checks their types and shapes
	types     func(o O, t weft.DType) bool                 // which element types inputs have; nil for floats
	result    func(o O, x weft.DType) weft.DType           // the result's element type for that of the inputs; nil if they are the same
	inPlace   bool                                         // the result may be the same view as the first input
	over      string                                       // the name of an input that further results may be the same view as; none if empty
	part      bool                                         // the op writes a part of a given result, whose shape accepts checks
	evenEmpty bool                                         // further results are written even where the result is empty
	check     func(o *O, in []*weft.Tensor) ([]int, error) // the op's own checks; it fills in o what follows from inputs, and returns the result's shape
	launch    func(o *O, out *weft.Tensor, in []*weft.Tensor) error

	// In place of launch, for kernels with scalars that differ from call to call: see memo.NewWith.
	launchWith func(o *O, words []uint32, out *weft.Tensor, in []*weft.Tensor) error
	// In place of inputs, for ops whose inputs are not of one element type: check checks all but whether they are open.
	operands func(o O, in []*weft.Tensor) []operand
	// In place of result, for ops whose result may have one of several element types. The op has a result of its own choice for a new one.
	accepts func(o O, out operand, in []*weft.Tensor) error

	calls calls[O] // what it launched before
}

// callOptions are a call's options, which know the op's name: see given.
type callOptions interface {
	comparable
	name() string
	checkOptions() error
}

func declare[O callOptions](d declaration[O]) *declaration[O] {
	if d.launchWith == nil {
		d.launchWith = func(o *O, _ []uint32, out *weft.Tensor, in []*weft.Tensor) error { return d.launch(o, out, in) }
	}
	d.calls = newCalls(d.run)
	return &d
}

// new is the form with a new result.
func (d *declaration[O]) new(o O, in ...*weft.Tensor) (*weft.Tensor, error) {
	return d.newWith(o, nil, in...)
}

func (d *declaration[O]) newWith(o O, words []uint32, in ...*weft.Tensor) (*weft.Tensor, error) {
	filled := o
	shape, err := d.checkInputs(&filled, in)
	if err != nil {
		return nil, err
	}
	x := in[0]
	elem := x.DType()
	if d.result != nil {
		elem = d.result(filled, elem)
	}
	return into(o.name(), x.Device(), elem, shape, func(out *weft.Tensor) error { return d.intoWith(o, words, out, in...) })
}

// into is the form that writes into out.
func (d *declaration[O]) into(o O, out *weft.Tensor, in ...*weft.Tensor) error {
	return d.intoWith(o, nil, out, in...)
}

// intoWith is into with the words of the kernels' scalars.
func (d *declaration[O]) intoWith(o O, words []uint32, out *weft.Tensor, in ...*weft.Tensor) error {
	var all [maxTensors]*weft.Tensor
	return d.calls.run(&o, words, append(append(all[:0], out), in...)...)
}

// run is into for a call that is not remembered; the result comes first.
func (d *declaration[O]) run(o O, words []uint32, t []*weft.Tensor) error {
	out, in := t[0], t[1:]
	shape, err := d.checkInputs(&o, in)
	if err != nil {
		return err
	}
	if err := d.checkResult(o, out, shape, in); err != nil || out.Len() == 0 && !d.evenEmpty {
		return err
	}
	return withinOp(o.name(), d.launchWith(&o, words, out, in))
}

// named are tensors with their names, without those that are nil beyond the ones that are needed.
func named(names []string, needed int, in []*weft.Tensor) (list []operand) {
	for i, name := range names {
		if in[i] != nil || i < needed {
			list = append(list, operand{name, in[i]})
		}
	}
	return list
}

// list are the inputs with their names.
func (d *declaration[O]) list(o O, in []*weft.Tensor) []operand {
	if d.operands != nil {
		return d.operands(o, in)
	}
	return named(d.inputs, d.needed, in)
}

func (d *declaration[O]) checkInputs(o *O, in []*weft.Tensor) ([]int, error) {
	if err := (*o).checkOptions(); err != nil {
		return nil, err
	}
	op, list := (*o).name(), d.list(*o, in)
	if d.operands == nil && len(list) > 0 {
		alike := cmp.Or(min(d.alike, len(list)), len(list))
		if err := checkOperands(op, d.takes(*o), list[:alike]...); err != nil {
			return nil, err
		}
	}
	if d.check == nil {
		return nil, checkOpen(op, list...)
	}
	shape, err := d.check(o, in)
	if err != nil {
		return nil, err
	}
	return shape, checkOpen(op, list...)
}

// upToF32 are the floats that all ops take. Those that take F64 say so.
func upToF32(t weft.DType) bool { return t.IsFloat() && t != weft.F64 }

func (d *declaration[O]) takes(o O) func(weft.DType) bool {
	if d.types == nil {
		return upToF32
	}
	return func(t weft.DType) bool { return d.types(o, t) }
}

// checkResult checks the results that are given, which inputs do not share memory with.
func (d *declaration[O]) checkResult(o O, out *weft.Tensor, shape []int, in []*weft.Tensor) error {
	op, list, to := o.name(), d.list(o, in), operand{cmp.Or(d.output, "out"), out}
	if err := d.checkType(o, to, list, in); err != nil {
		return err
	}
	var err error
	if d.check != nil && !d.part {
		err = checkShape(op, to, shape)
	}
	for i, name := range d.more {
		if further := (operand{name, in[len(d.inputs)+i]}); further.tensor != nil && err == nil {
			err = cmp.Or(checkWritable(op, further), d.checkFurther(op, further, list))
			list = append(list, further)
		}
	}
	if d.inPlace && err == nil {
		err, list = checkSameOrApart(op, to, list[0]), list[1:]
	}
	return cmp.Or(err, checkApart(op, to, list...), checkWritable(op, to))
}

// checkFurther checks that a further result is apart from the operands, but for one that it may take the place of.
func (d *declaration[O]) checkFurther(op string, further operand, list []operand) error {
	for _, o := range list {
		check := checkApart(op, further, o)
		if o.name == d.over {
			check = checkSameOrApart(op, further, o)
		}
		if check != nil {
			return check
		}
	}
	return nil
}

// checkType checks that a result is there, its device and its element type.
func (d *declaration[O]) checkType(o O, out operand, list []operand, in []*weft.Tensor) error {
	switch {
	case d.accepts != nil:
		return d.accepts(o, out, in)
	case d.result != nil:
		return checkGiven(o.name(), out, list[0], d.result(o, list[0].tensor.DType()))
	}
	return checkOperands(o.name(), d.takes(o), append(slices.Clip(list[:min(1, len(list))]), out)...)
}

// checkGiven checks that a tensor other than the operands is there, on the device of one of them, and of an element type.
func checkGiven(op string, o, other operand, want weft.DType) error {
	switch {
	case o.tensor == nil:
		return fault.New(weft.ErrArgument, op, "the tensor is nil").For(o.name)
	case o.tensor.Device() != other.tensor.Device():
		return o.tensor.CheckDevice(op, o.name, other.tensor, other.name)
	case o.tensor.DType() != want:
		return fault.New(weft.ErrArgument, op, "the tensor holds %v, want %v", o.tensor.DType(), want).For(o.name)
	}
	return nil
}

func checkShape(op string, o operand, want []int) error {
	if !slices.Equal(o.tensor.Shape(), want) {
		return fault.New(weft.ErrShape, op, "shape %v, want %v", o.tensor.Shape(), want).For(o.name)
	}
	return nil
}

// checkSameOrApart refuses an input that overlaps an output without being the same view.
func checkSameOrApart(op string, out, in operand) error {
	if l, m := in.tensor.Layout(), out.tensor.Layout(); in.tensor.Overlaps(out.tensor) && !(slices.Equal(l.Shape(), m.Shape()) && sameElements(l, m)) {
		return fault.New(weft.ErrUnsupported, op, "it overlaps %s, want separate memory or the same view", out.name).For(in.name)
	}
	return nil
}
