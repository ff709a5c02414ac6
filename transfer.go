package weft

import (
	"math"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// FromSlice copies elements in row-major order to a new dense tensor. Without
// sizes it has one dimension, len(x).
//
// Errors: ErrShape if the sizes do not multiply to len(x), and as for Empty.
func FromSlice[T Element](dev *Device, x []T, shape ...int) (*Tensor, error) {
	if len(shape) == 0 {
		shape = []int{len(x)}
	}
	return fromBytes("from slice", dev, dtype.Of[T](), bytesOf(x), shape)
}

// FromFloats is FromSlice for float64: it rounds to an element type that is
// chosen at run time, to nearest even for floats; integers saturate.
func FromFloats(dev *Device, elem DType, x []float64, shape ...int) (*Tensor, error) {
	if len(shape) == 0 {
		shape = []int{len(x)}
	}
	raw := make([]byte, len(x)*elem.Size())
	dtype.PutFloats(elem, raw, x)
	return fromBytes("from floats", dev, elem, raw, shape)
}

func fromBytes(op string, dev *Device, elem DType, raw []byte, shape []int) (*Tensor, error) {
	l, err := layout.Contiguous(shape...)
	if err != nil {
		return nil, named(op, err)
	}
	if !elem.Valid() {
		return nil, fault.New(ErrArgument, op, "%v is not an element type, want %s", elem, dtype.OneOf(DType.Valid))
	}
	if n := len(raw) / max(1, elem.Size()); l.Len() != n {
		return nil, fault.New(ErrShape, op, "%s given for shape %v, which has %d", fault.Count(n, "element"), shape, l.Len())
	}
	t, err := empty(op, dev, elem, shape)
	if err != nil {
		return nil, err
	}
	if err := t.upload(op, 0, raw); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// ToSlice waits for the tensor and copies its elements, in row-major order, to a
// new slice. Any view will do.
//
// Errors: ErrArgument if T does not stand for the tensor's element type, ErrLimit for a view that repeats elements more often than a
// slice holds, ErrClosed, and errors of the device that were not reported yet.
func ToSlice[T Element](t *Tensor) ([]T, error) {
	if want := dtype.Of[T](); t != nil && t.elem != want {
		return nil, fault.New(ErrArgument, "to slice", "the tensor holds %v, the slice is for %v", t.elem, want)
	}
	if err := t.hold("to slice", "t"); err != nil {
		return nil, err
	}
	defer t.mem.release()
	if err := t.fitsSlice("to slice", t.elem.Size()); err != nil {
		return nil, err
	}
	lo, hi := t.layout.Bounds()
	x := make([]T, hi-lo+1)
	if err := t.download("to slice", bytesOf(x), lo); err != nil {
		return nil, err
	}
	return gather(t.layout, x, lo), nil
}

// mostSlice is more bytes than the memory of any host: with the most that Go's runtime takes, making a slice panics.
const mostSlice = min(1<<46, math.MaxInt)

// fitsSlice reports a tensor whose elements, of so many bytes each, no slice holds: a view that repeats elements of less memory.
func (t *Tensor) fitsSlice(op string, size int) error {
	if t.Len() > mostSlice/size {
		return fault.New(ErrLimit, op, "shape %v has more elements than a slice holds", t.Shape()).For("t")
	}
	return nil
}

// download fills raw with the memory from element lo on.
func (t *Tensor) download(op string, raw []byte, lo int) error {
	if len(raw) == 0 && captureOf(t) == nil {
		return t.mem.dev.Synchronize()
	}
	if err := t.downloadBytes(op, int64(lo)*int64(t.elem.Size()), raw); err != nil {
		return err
	}
	if t.elem == Bool { // whatever a kernel wrote, make it fit for Go's bool
		for i, b := range raw {
			raw[i] = min(b, 1)
		}
	}
	return nil
}

// gather picks a layout's elements, in row-major order, from memory that starts
// at element lo.
func gather[T any](l layout.Layout, memory []T, lo int) []T {
	if l.IsContiguous() {
		return memory
	}
	out := make([]T, 0, l.Len())
	for at := range l.Offsets() {
		out = append(out, memory[at-lo])
	}
	return out
}

// ToFloats is ToSlice for any element type. Values are exact, but for 64-bit integers beyond 2^53, which are rounded: ToSlice
// copies these as they are.
func ToFloats(t *Tensor) ([]float64, error) { return toFloats("to floats", t) }

// toFloats is ToFloats for a call that errors name.
func toFloats(op string, t *Tensor) ([]float64, error) {
	if err := t.hold(op, "t"); err != nil {
		return nil, err
	}
	defer t.mem.release()
	if err := t.fitsSlice(op, F64.Size()); err != nil {
		return nil, err
	}
	lo, hi := t.layout.Bounds()
	raw := make([]byte, (hi-lo+1)*t.elem.Size())
	if err := t.download(op, raw, lo); err != nil {
		return nil, err
	}
	x := make([]float64, hi-lo+1)
	dtype.Floats(t.elem, x, raw)
	return gather(t.layout, x, lo), nil
}

// bytesOf is a slice's memory. Devices and all platforms that Go's GPU bindings
// support are little endian.
func bytesOf[T Element](x []T) []byte {
	var z T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(z)))
}
