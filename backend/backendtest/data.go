package backendtest

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/reference"
)

// form is a tensor's layout in memory; the zero form is dense.
type form string

// The forms. All but dense are parts of a larger tensor.
const (
	dense      form = "dense"
	transposed form = "transposed" // the last two dimensions swapped; dense memory
	sliced     form = "sliced"     // an odd offset and padding in every dimension
	stepped    form = "stepped"    // every second element, backwards, of the last dimension
)

// repeated is an input with strides of 0. It holds fewer numbers than its shape has elements: cases
// make it by Tensor.Broadcast and tell the matrix by part.
const repeated form = "broadcast"

// forms are those that hold any array.
var forms = []form{dense, transposed, sliced, stepped}

// sentinel fills the memory around outputs, and outputs before they are written.
// No random number is equal to it.
func sentinel(elem weft.DType) float64 {
	switch elem {
	case weft.Bool:
		return 1
	case weft.U8, weft.U16, weft.U32, weft.U64:
		return 177
	}
	return -77
}

// poison fills the memory around inputs.
func poison(elem weft.DType) float64 {
	if elem.IsFloat() {
		return math.NaN()
	}
	return sentinel(elem)
}

// largest are the largest numbers of the types of floats.
var largest = map[weft.DType]float64{weft.F32: math.MaxFloat32, weft.F16: 65504, weft.BF16: 0x1.fep127, weft.F64: math.MaxFloat64}

// host is a dense array on the host, with values that the element type holds.
type host struct {
	elem  weft.DType
	shape []int
	x     []float64
}

func size(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

// rounded rounds values to an element type, in place.
func rounded(elem weft.DType, x []float64) []float64 {
	raw := make([]byte, len(x)*elem.Size())
	dtype.PutFloats(elem, raw, x)
	dtype.Floats(elem, x, raw)
	return x
}

// random makes an array of normally distributed floats, or of integers over the
// type's whole range.
func (s *suite) random(elem weft.DType, shape ...int) host {
	x := make([]float64, size(shape))
	var raw [8]byte
	for i := range x {
		switch {
		case elem.IsFloat():
			x[i] = s.rng.NormFloat64()
		case elem == weft.Bool:
			x[i] = float64(s.rng.IntN(2))
		default:
			binary.LittleEndian.PutUint64(raw[:], s.rng.Uint64())
			dtype.Floats(elem, x[i:i+1], raw[:elem.Size()])
		}
		if x[i] == sentinel(elem) && elem != weft.Bool {
			x[i]++
		}
	}
	return host{elem, shape, rounded(elem, x)}
}

// each replaces the elements of an array, which it returns, rounded.
func (h host) each(f func(i int, x float64) float64) host {
	for i, x := range h.x {
		h.x[i] = f(i, x)
	}
	rounded(h.elem, h.x)
	return h
}

// small makes an array of small integers, sums and products of which round nowhere.
func (s *suite) small(elem weft.DType, shape ...int) host {
	return s.random(elem, shape...).each(func(_ int, x float64) float64 { return math.Round(2 * x) })
}

// filled is an array of one value.
func filled(elem weft.DType, x float64, shape ...int) host {
	return host{elem, shape, slices.Repeat([]float64{x}, size(shape))}
}

// tensor copies an array to a dense tensor; the test closes it.
func (s *suite) tensor(h host) *weft.Tensor {
	s.Helper()
	s.part(h.elem, dense)
	return s.upload(h)
}

func (s *suite) upload(h host) *weft.Tensor {
	s.Helper()
	t := s.ok(weft.FromFloats(s.dev, h.elem, h.x, h.shape...))
	if len(h.shape) == 0 { // FromFloats takes "no shape" for one dimension
		t = s.ok(t.Reshape())
	}
	s.Cleanup(func() { t.Close() })
	return t
}

// frame says how an array of a form is stored in dense memory: the shape of the memory, and
// the array as a view of it.
func (s *suite) frame(f form, shape []int) (outer []int, view func(around *weft.Tensor) *weft.Tensor) {
	ok := s.ok
	outer, last := slices.Clone(shape), len(shape)-1
	view = func(t *weft.Tensor) *weft.Tensor { return t }
	switch {
	case f == transposed && last >= 1:
		outer[last], outer[last-1] = outer[last-1], outer[last]
		view = func(t *weft.Tensor) *weft.Tensor { return t.T() }
	case f == sliced:
		for d := range outer {
			outer[d] += 4 // 1 before, so that offsets are odd, and 3 after
		}
		view = func(t *weft.Tensor) *weft.Tensor {
			for d, n := range shape {
				t = ok(t.Slice(d, 1, 1+n))
			}
			return t
		}
	case f == stepped && last >= 0 && shape[last] > 0:
		outer[last] = 2*outer[last] + 1
		view = func(t *weft.Tensor) *weft.Tensor { return ok(t.SliceStep(last, outer[last]-2, 0, -2)) }
	}
	return outer, view
}

// input makes a tensor of a form that holds an array, in memory full of poison. The
// memory is filled on the host, so that inputs do not depend on kernels.
func (s *suite) input(f form, h host) *weft.Tensor {
	s.Helper()
	t, _ := s.place(f, h, poison(h.elem))
	return t
}

// place makes a tensor of a form that holds an array, and the tensor around it, whose other elements are of one value.
func (s *suite) place(f form, h host, other float64) (t, around *weft.Tensor) {
	s.Helper()
	s.part(h.elem, f)
	outer, view := s.frame(f, h.shape)
	memory := filled(h.elem, other, outer...)
	i := 0
	for at := range view(s.upload(memory)).Layout().Offsets() {
		memory.x[at] = h.x[i]
		i++
	}
	around = s.upload(memory)
	return view(around), around
}

// output is a tensor to be written, within memory full of the sentinel.
type output struct {
	*weft.Tensor
	around *weft.Tensor
	s      *suite
}

func (s *suite) output(f form, elem weft.DType, shape ...int) output {
	s.Helper()
	return s.outputOf(f, filled(elem, sentinel(elem), shape...))
}

// outputOf is an output that holds an array before it is written.
func (s *suite) outputOf(f form, h host) output {
	s.Helper()
	t, around := s.place(f, h, sentinel(h.elem))
	return output{t, around, s}
}

// result is an output that an op has made.
func (s *suite) result(t *weft.Tensor) output { return output{t, t, s} }

// check compares the output with want under a bound for each element, nil for
// equality, and looks for changes around it.
func (o output) check(want []float64, bound func(i int) float64) {
	o.s.Helper()
	if err := o.verify(want, bound); err != nil {
		o.s.Error(err)
	}
}

// verify is check for those who say more about an error.
func (o output) verify(want []float64, bound func(i int) float64) error {
	err := differs(o.Tensor, want, bound)
	if err == nil {
		err = o.intact()
	}
	if err == nil {
		o.s.right()
	}
	return err
}

// intact looks for changes of the memory around the output.
func (o output) intact() error {
	if o.around == o.Tensor {
		return nil
	}
	x, err := weft.ToFloats(o.around)
	if err != nil {
		return err
	}
	for at := range o.Layout().Offsets() {
		x[at] = sentinel(o.DType())
	}
	for at, v := range x {
		if v != sentinel(o.DType()) {
			return fmt.Errorf("element %d of the memory around the output, layout %v, was overwritten by %v", at, o.Layout(), v)
		}
	}
	return nil
}

// compare reads a tensor and compares it with what it should be.
func (s *suite) compare(t *weft.Tensor, want []float64, bound func(i int) float64) {
	s.Helper()
	s.result(t).check(want, bound)
}

// differs says where a tensor is not what it should be.
func differs(t *weft.Tensor, want []float64, bound func(i int) float64) error {
	if bound == nil {
		bound = func(int) float64 { return 0 }
	}
	got, err := weft.ToFloats(t)
	if err != nil {
		return err
	}
	worst, err := reference.Compare(got, want, bound)
	if err == nil && !worst.OK() {
		err = fmt.Errorf("%s, layout %v: %v", t.Describe(), t.Layout(), worst)
	}
	return err
}
