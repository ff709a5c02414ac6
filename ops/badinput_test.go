package ops_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/ops"
)

// Every op is held to its promise that a mistake is an error before anything happens. An op
// has a badOp, in a file badinput_FAMILY_test.go, and the family a word in badOps. The badOp
// describes one right call; from that the harness makes the mistakes that every op can be
// given (see mistakes) of what the op's declaration says, and rows add the op's own. After each call there must be an error
// of the kind, with the words, and no panic, no launch, no upload, no byte changed and no
// buffer more than before.
var badOps = slices.Concat(
	addBad, attentionBad, elementwiseBad, tableBad(), convBad, copyBad, matmulBad, normBad, quantizeBad, randomBad,
	reduceBad, softmaxBad,
	sampleBad, cacheBad, embeddingBad, rotaryBad, rotaryAppendBad, topKBad, scanBad, sortBad, countBad, uniqueBad, rowGradBad, groupNormBad, batchNormBad, moveBad, indexedBad,
	windowBad, resizeBad, einsumBad, convGradBad, convSpatialBad,
	lossBad,
)

// badOp describes an op by a right call of it.
type badOp struct {
	op   string   // as errors name it
	in   []badArg // inputs of the right call
	out  badArg   // its output
	into func(out *weft.Tensor, in []*weft.Tensor) error
	new  func(in []*weft.Tensor) (*weft.Tensor, error) // the form with a new result; nil if there is none

	zero [][][]int // shapes of the inputs and, last, the output with which the call is right and there is nothing to launch
	huge [][][]int // shapes of the inputs of a call whose sizes, memory or products are too large
	rows []badRow

	alike   int  // inputs of one element type
	inPlace bool // the output may be the first input
}

// badArg is an argument of a right call. What the op's declaration says is not given.
type badArg struct {
	name     string // as errors call it
	elem     weft.DType
	shape    []int
	optional bool // nil is right, too
	required bool // it is not, whatever the declaration says
	absent   bool // nil in the right call
	anyType  bool // Bool is right, too
	anyRank  bool // so is a leading dimension more, or for the output one less

	takes func(weft.DType) bool // the element types that the declaration allows
	more  bool                  // a further result
}

// single reports whether an argument has one element, which neither repeats nor overlaps what begins after it.
func (a badArg) single() bool {
	return !slices.ContainsFunc(a.shape, func(n int) bool { return n != 1 })
}

// declared is the op with what its declaration says of its arguments.
func (o badOp) declared() badOp {
	d, ok := ops.Declarations()[o.op]
	if !ok {
		return o
	}
	for i, name := range slices.Concat(d.Inputs, d.More)[:len(o.in)] {
		a := &o.in[i]
		a.name, a.optional, a.more = name, i >= d.Needed && !a.required, i >= len(d.Inputs)
		if i < d.Alike {
			a.takes = d.Takes
			o.alike++
		}
	}
	o.out.name, o.out.takes, o.inPlace = d.Output, d.Takes, d.InPlace
	return o
}

// badRow is a mistake of the op's own.
type badRow struct {
	name string
	call func(b *bad) error // makes its tensors by b, so that they are not taken for the op's
	kind error              // nil for ErrArgument, ErrShape or ErrUnsupported
	part string             // of the message
}

func (r badRow) kinds() []error {
	if r.kind == nil {
		return []error{weft.ErrArgument, weft.ErrShape, weft.ErrUnsupported}
	}
	return []error{r.kind}
}

// bad makes the tensors of one row and remembers what the device holds then.
type bad struct {
	*testing.T
	dev    *weft.Device
	watch  *spy
	rng    *rand.Rand
	before traces
}

// tensor makes a dense tensor of random contents.
func (b *bad) tensor(elem weft.DType, shape ...int) *weft.Tensor {
	b.Helper()
	n := 1
	for _, s := range shape {
		n *= s
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Floor(8 * b.rng.Float64())
	}
	t := b.must(weft.FromFloats(b.dev, elem, x, n))
	b.Cleanup(func() { t.Close() })
	b.before = b.watch.traces(b.T)
	return b.must(t.Reshape(shape...))
}

func (b *bad) must(t *weft.Tensor, err error) *weft.Tensor {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { t.Close() })
	return t
}

// f32 makes a dense tensor of F32.
func (b *bad) f32(shape ...int) *weft.Tensor { return b.tensor(weft.F32, shape...) }

// repeated is one element seen as a tensor of any shape, however large.
func (b *bad) repeated(elem weft.DType, shape ...int) *weft.Tensor {
	return b.must(b.tensor(elem).Broadcast(shape...))
}

// inputs makes the inputs of a right call.
func (b *bad) inputs(o badOp) (list []*weft.Tensor) {
	for _, a := range o.in {
		if a.absent {
			list = append(list, nil)
			continue
		}
		list = append(list, b.tensor(a.elem, a.shape...))
	}
	return list
}

func TestBadInput(t *testing.T) {
	dev, watch := openSpy(t)
	other, otherWatch := openSpy(t)
	for _, o := range badOps {
		o = o.declared()
		t.Run(o.op, func(t *testing.T) {
			elsewhere := &bad{T: t, dev: other, watch: otherWatch, rng: rand.New(rand.NewPCG(3, 4))}
			try := func(row badRow, halt bool, judge func(b *bad, err error)) {
				t.Run(strings.ReplaceAll(row.name, " ", "_"), func(t *testing.T) {
					b := &bad{T: t, dev: dev, watch: watch, rng: rand.New(rand.NewPCG(1, 2))}
					watch.halt = halt
					defer func() { watch.halt = false }()
					judge(b, protect(func() error { return row.call(b) }))
				})
			}
			try(badRow{name: "right", call: o.right}, false, func(b *bad, err error) {
				if err != nil || b.watch.launches == b.before.launches {
					b.Errorf("the right call gives %v", err)
				}
			})
			for _, row := range o.nothing() {
				try(row, true, func(b *bad, err error) {
					if err != nil {
						b.Error(err)
					}
					b.untouched()
				})
			}
			for _, row := range slices.Concat(o.mistakes(elsewhere), o.tooLarge(), o.rows) {
				try(row, true, func(b *bad, err error) {
					if !slices.ContainsFunc(row.kinds(), func(kind error) bool { return errors.Is(err, kind) }) || !strings.Contains(err.Error(), row.part) {
						b.Errorf("%v; want %v with %q", err, row.kinds(), row.part)
					}
					b.untouched()
				})
			}
		})
	}
}

// untouched demands that the device is as it was when the row's tensors were made.
func (b *bad) untouched() {
	b.Helper()
	for _, change := range b.watch.changes(b.T, b.before) {
		b.Error(change)
	}
}

// protect turns a panic into an error.
func protect(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("PANIC: %v", p)
		}
	}()
	return call()
}

// right makes the call from which mistakes are made.
func (o badOp) right(b *bad) error {
	in, out := b.inputs(o), b.tensor(o.out.elem, o.out.shape...)
	if err := o.into(out, in); err != nil {
		return err
	}
	if o.inPlace {
		if err := o.into(in[0], in); err != nil {
			return err
		}
	}
	if o.new == nil {
		return nil
	}
	return b.result(o.new(in))
}

// result closes a new result.
func (b *bad) result(t *weft.Tensor, err error) error {
	t.Close()
	return err
}

// TestNoRoom makes results that no device has room for: the errors name the op, the result and its shape.
func TestNoRoom(t *testing.T) {
	dev := openCPU(t)
	x, err := weft.Zeros(dev, weft.F32, 64, 64)
	if err != nil {
		t.Fatal(err)
	}
	column, err := weft.Zeros(dev, weft.F32, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	huge, err := column.Broadcast(1<<30, 1<<14)
	if err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"matmul: out: there is no tensor of f32 of shape [1073741824 1073741824]: empty: ": second(ops.MatMul(huge, huge.T())),
		"matmul: out: there is no tensor of f32 of shape [1073741824 64 64]: empty: ":      second(ops.MatMul(x, x, ops.Tiles(ops.MatMulConfig{SplitK: 1 << 30}))),
		"softmax: out: there is no tensor of f32 of shape [1073741824 16384]: empty: ":     second(ops.Softmax(huge)),
		"copy: out: there is no tensor of f32 of shape [1073741824 16384]: empty: ":        second(ops.Copy(huge)),
		"transpose: out: there is no tensor of f32 of shape [16384 1073741824]: empty: ":   second(ops.Transpose(huge)),
		"concat: out: there is no tensor of f32 of shape [2147483648 16384]: empty: ":      second(ops.Concat(0, huge, huge)),
		"uniform: out: there is no tensor of f32 of shape [1099511627776]: empty: ":        second(ops.Uniform(dev, weft.F32, ops.Stream{}, 1<<40)),
	} {
		if !errors.Is(err, weft.ErrOutOfMemory) && !errors.Is(err, weft.ErrLimit) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// nothing are calls without anything to do.
func (o badOp) nothing() (rows []badRow) {
	for _, shapes := range o.zero {
		rows = append(rows, badRow{name: fmt.Sprint("zero ", shapes), call: func(b *bad) error {
			in := make([]*weft.Tensor, len(o.in))
			for i, a := range o.in {
				in[i] = b.tensor(a.elem, shapes[i]...)
			}
			out := b.tensor(o.out.elem, shapes[len(in)]...)
			if err := o.into(out, in); err != nil || o.new == nil {
				return err
			}
			return b.result(o.new(in))
		}})
	}
	return rows
}

// tooLarge are calls with inputs of one element that is seen as far too many.
func (o badOp) tooLarge() (rows []badRow) {
	for _, shapes := range o.huge {
		rows = append(rows, badRow{fmt.Sprint("huge ", shapes), func(b *bad) error {
			in := make([]*weft.Tensor, len(o.in))
			for i, a := range o.in {
				in[i] = b.repeated(a.elem, shapes[i]...)
			}
			err := b.result(o.new(in))
			if errors.Is(err, weft.ErrOutOfMemory) || errors.Is(err, weft.ErrUnsupported) {
				return fmt.Errorf("%w, or rather %w", weft.ErrLimit, err) // any of the three will do
			}
			return err
		}, weft.ErrLimit, ""})
	}
	return rows
}

// mistakes are what can be wrong with an argument of any op: nil, closed, of another
// device, element type or rank; and an output that repeats elements or overlaps an input.
func (o badOp) mistakes(elsewhere *bad) (rows []badRow) {
	add := func(kind error, part, name string, call func(b *bad) error) {
		rows = append(rows, badRow{name, call, kind, part})
	}
	for i := range len(o.in) + 1 {
		arg := o.out
		if i < len(o.in) {
			arg = o.in[i]
		}
		if arg.absent {
			continue
		}
		// with makes the right call but for one argument.
		with := func(change func(b *bad, right *weft.Tensor) *weft.Tensor) func(b *bad) error {
			return func(b *bad) error {
				in, out := b.inputs(o), b.tensor(o.out.elem, o.out.shape...)
				if i == len(in) {
					return o.into(change(b, out), in)
				}
				in[i] = change(b, in[i])
				return o.into(out, in)
			}
		}
		if !arg.optional {
			add(weft.ErrArgument, o.op+": "+arg.name+": the tensor is nil", arg.name+" nil",
				with(func(*bad, *weft.Tensor) *weft.Tensor { return nil }))
		}
		add(weft.ErrClosed, o.op+": "+arg.name+": ", arg.name+" closed", with(func(b *bad, right *weft.Tensor) *weft.Tensor {
			v := b.must(right.Reshape(right.Shape()...))
			v.Close()
			return v
		}))
		if len(o.in) > 0 { // else the only tensor says where
			add(weft.ErrDevice, o.op+": ", arg.name+" elsewhere", with(func(b *bad, _ *weft.Tensor) *weft.Tensor {
				return elsewhere.tensor(arg.elem, arg.shape...)
			}))
		}
		for _, elem := range dtype.All() {
			part, fits, kind := o.otherType(i, arg, elem)
			if fits {
				continue
			}
			add(kind, part, fmt.Sprintf("%s of %v", arg.name, elem), with(func(b *bad, _ *weft.Tensor) *weft.Tensor {
				return b.tensor(elem, arg.shape...)
			}))
		}
		if !arg.anyRank {
			shape := append([]int{2}, arg.shape...)
			if i == len(o.in) {
				shape = arg.shape[1:]
			}
			add(weft.ErrShape, o.op+": ", arg.name+" of another rank", with(func(b *bad, _ *weft.Tensor) *weft.Tensor {
				return b.tensor(arg.elem, shape...)
			}))
		}
		if i < len(o.in) && arg.elem == o.out.elem {
			add(weft.ErrUnsupported, o.op+": "+arg.name+": ", "out overlaps "+arg.name, o.overlap(i, len(o.in)))
		}
		if !arg.more {
			continue
		}
		if !arg.single() {
			add(weft.ErrUnsupported, o.op+": "+arg.name+": ", arg.name+" repeats elements", with(func(b *bad, _ *weft.Tensor) *weft.Tensor {
				return b.repeated(arg.elem, arg.shape...)
			}))
		}
		for j, other := range o.in[:i] {
			if other.elem == arg.elem && !other.absent && !other.single() {
				add(weft.ErrUnsupported, o.op+": "+other.name+": it overlaps "+arg.name, arg.name+" overlaps "+other.name, o.overlap(j, i))
			}
		}
	}
	if o.inPlace {
		add(weft.ErrUnsupported, o.op+": "+o.in[0].name+": it overlaps "+o.out.name, "out is the first input reversed", func(b *bad) error {
			in := b.inputs(o)
			return o.into(b.must(in[0].Flip()), in)
		})
	}
	add(weft.ErrUnsupported, o.op+": "+o.out.name+": ", "out repeats elements", func(b *bad) error {
		return o.into(b.repeated(o.out.elem, o.out.shape...), b.inputs(o))
	})
	return rows
}

// otherType is the error of argument i if it alone has another element type, and whether that fits the op.
func (o badOp) otherType(i int, arg badArg, elem weft.DType) (part string, fits bool, kind error) {
	part = fmt.Sprintf("%s: %s: the tensor holds %v", o.op, arg.name, elem)
	switch {
	case elem == arg.elem || arg.takes == nil && (elem != weft.Bool || arg.anyType):
		return "", true, nil
	case arg.takes == nil:
		return o.op + ": ", false, nil
	case i == len(o.in): // alone it may have any type that the op takes
		return part, i == 0 && arg.takes(elem), nil
	case !arg.takes(elem):
		return part + ", want one of ", false, weft.ErrUnsupported
	case i == 0: // the others are then of another type
		return o.op + ": ", o.alike == 1, weft.ErrArgument
	}
	return part + ", " + o.in[0].name + " holds ", false, weft.ErrArgument
}

// overlap makes an argument, the output or a further one, begin one element after input i in the same memory.
func (o badOp) overlap(i, of int) func(b *bad) error {
	return func(b *bad) error {
		args, to := append(b.inputs(o), b.tensor(o.out.elem, o.out.shape...)), o.out
		if of < len(o.in) {
			to = o.in[of]
		}
		n, size := args[i].Len(), args[of].Len()
		memory := b.tensor(to.elem, max(n, size+1))
		part := func(from, to int, shape []int) *weft.Tensor {
			return b.must(b.must(memory.Slice(0, from, to)).Reshape(shape...))
		}
		args[i], args[of] = part(0, n, o.in[i].shape), part(1, 1+size, to.shape)
		return o.into(args[len(o.in)], args[:len(o.in)])
	}
}

// TestFullMemory makes right calls on a device without memory left: they work, or fail with errors that name the op, and leave no memory open.
func TestFullMemory(t *testing.T) {
	dev, watch := openSpy(t)
	if err := dev.SetPoolBudget(0); err != nil {
		t.Fatal(err)
	}
	for _, o := range badOps {
		o = o.declared()
		forms := map[string]func(b *bad, in []*weft.Tensor, out *weft.Tensor) error{
			"into": func(_ *bad, in []*weft.Tensor, out *weft.Tensor) error { return o.into(out, in) },
		}
		if o.new != nil {
			forms["new"] = func(b *bad, in []*weft.Tensor, _ *weft.Tensor) error { return b.result(o.new(in)) }
		}
		for form, call := range forms {
			t.Run(o.op+"/"+form, func(t *testing.T) {
				b := &bad{T: t, dev: dev, watch: watch, rng: rand.New(rand.NewPCG(1, 2))}
				in, out := b.inputs(o), b.tensor(o.out.elem, o.out.shape...)
				open := len(watch.traces(t).memory)
				watch.full = true
				err := protect(func() error { return call(b, in, out) })
				watch.full = false
				if err == nil && form == "into" {
					return
				}
				if !errors.Is(err, weft.ErrOutOfMemory) || !strings.HasPrefix(err.Error(), "weft: "+o.op+": ") {
					t.Errorf("%v; want %v of %s", err, weft.ErrOutOfMemory, o.op)
				}
				if now := len(watch.traces(t).memory); now > open {
					t.Errorf("%d buffers are left open", now-open)
				}
			})
		}
	}
}

// TestHugeShapesOfNothing makes results without elements whose other sizes are beyond 32 bits: they have the sizes that are asked for.
func TestHugeShapesOfNothing(t *testing.T) {
	dev := openCPU(t)
	b := &bad{T: t, dev: dev, watch: &spy{}, rng: rand.New(rand.NewPCG(1, 2))}
	for name, result := range map[string]func() (*weft.Tensor, error){
		"max_unpool":     func() (*weft.Tensor, error) { return ops.MaxUnpool(b.f32(0, 3), b.tensor(weft.I32, 0, 3), 1<<32) },
		"embedding_grad": func() (*weft.Tensor, error) { return ops.EmbeddingGrad(b.f32(3, 0), b.tensor(weft.I32, 3), 1<<32) },
	} {
		y, err := result()
		if err != nil || y.Len() != 0 || !slices.Contains(y.Shape(), 1<<32) {
			t.Errorf("%s: %v, %v", name, y, err)
		}
		y.Close()
	}
}
