package weft

import (
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// Tensor is an n-dimensional array in the memory of a device: an element type
// and a layout over memory that several tensors may share. A tensor does not
// change its shape; its methods that reshape return another view of the same memory.
type Tensor struct {
	mem     *memory
	elem    DType
	layout  layout.Layout
	closed  atomic.Bool
	cleanup runtime.Cleanup
	rec     *recorder // that launches on the tensor belong to
}

// memory is a buffer with a count of those that need it: tensors that are not
// closed, and calls in progress.
type memory struct {
	refCount
	dev    *Device
	buf    backend.Buffer
	viewed bool                     // buf is no memory of the pool: a view of other memory, see Tensor.On and Borrow, or counters
	counts bool                     // it is of Device.Counters, or a launch's own counters, and belongs to no recorder
	owner  *memory                  // which that is, if it is held
	uses   atomic.Uint64            // what was done with it that no recorder noted
	rec    atomic.Pointer[recorder] // that launches on it belong to

	delayed atomic.Pointer[delayed] // those launches on it that have not begun
}

func newMemory(dev *Device, buf backend.Buffer) *memory {
	m := &memory{dev: dev, buf: buf}
	m.refs.Store(1)
	return m
}

func (m *memory) release() error {
	if !m.drop() {
		return nil
	}
	if m.viewed {
		err := m.buf.Close()
		if m.owner != nil {
			err = joined(err, m.owner.release())
		}
		return err
	}
	return m.dev.pool.Put(m.buf)
}

// releaseAll releases each of several memories and returns the first error.
func releaseAll(memories []*memory) (err error) {
	for _, m := range memories {
		if e := m.release(); err == nil {
			err = e
		}
	}
	return err
}

// use notes that the memory is used by something that no recorder knows of, which comes after the launches on it.
func (m *memory) use() {
	m.uses.Add(1)
	if d := m.delayed.Load(); d != nil {
		d.start()
	}
}

// host is asked before a tensor is copied from or to the host.
func (t *Tensor) host(op string) error {
	t.mem.use()
	if r := t.mem.rec.Load(); r != nil {
		r.spoilt.Store(true)
	}
	if captureOf(t) != nil {
		return fault.New(ErrUnsupported, op, "a copy between host and device cannot be captured, only launches can be")
	}
	return nil
}

func (t *Tensor) upload(op string, at int64, raw []byte) error {
	if err := t.host(op); err != nil {
		return err
	}
	return t.mem.buf.Upload(at, raw)
}

// downloadBytes fills raw with the memory from byte at on.
func (t *Tensor) downloadBytes(op string, at int64, raw []byte) error {
	if err := t.host(op); err != nil {
		return err
	}
	return t.mem.buf.Download(at, raw)
}

// newTensor takes over a reference to the memory, which a Close or the garbage
// collector gives back.
func newTensor(m *memory, elem DType, l layout.Layout) *Tensor {
	t := &Tensor{mem: m, elem: elem, layout: l}
	t.cleanup = runtime.AddCleanup(t, func(m *memory) { _ = m.release() }, m)
	return t
}

// Empty allocates a dense tensor with undefined contents. Without sizes it is a
// scalar; sizes may be 0.
//
// Errors: ErrShape for a negative size, ErrArgument for no element type, ErrLimit beyond the device's buffers,
// ErrOutOfMemory, ErrClosed.
func Empty(dev *Device, elem DType, shape ...int) (*Tensor, error) {
	return empty("empty", dev, elem, shape)
}

// EmptyBeside is Empty for room that an op takes beside an operand: on its device, and what is launched on the room is recorded where launches on
// the operand are. A tensor of Empty belongs to a capture only from the first recorded launch that writes it on: a Fill before that runs once, and
// not in each replay.
//
// Errors: as for Empty; ErrArgument for a nil tensor.
func EmptyBeside(t *Tensor, elem DType, shape ...int) (*Tensor, error) {
	const op = "empty"
	if err := t.there(op); err != nil {
		return nil, err
	}
	room, err := empty(op, t.mem.dev, elem, shape)
	if err != nil {
		return nil, err
	}
	if r := t.recorder(); r != nil {
		room.mem.rec.Store(r)
	}
	return room, nil
}

// named is an error of what a function of this package calls, under the name of the function that the user called.
func named(op string, err error) error {
	if e, ok := err.(*Error); ok && slices.Contains([]string{"contiguous", "empty", "fill", "new buffer", "cuda: new buffer"}, e.Op) {
		own := *e
		own.Op = op
		return &own
	}
	return err
}

// empty is Empty for a function of a name.
func empty(op string, dev *Device, elem DType, shape []int) (*Tensor, error) {
	if err := dev.check(op); err != nil {
		return nil, err
	}
	if !elem.Valid() {
		return nil, fault.New(ErrArgument, op, "%v is not an element type, want %s", elem, dtype.OneOf(DType.Valid))
	}
	l, err := layout.Contiguous(shape...)
	if err != nil {
		return nil, named(op, err)
	}
	if int64(l.Len()) > math.MaxInt64/int64(elem.Size()) {
		return nil, fault.New(ErrLimit, op, "shape %v of %v has more bytes than 64 bits can count", shape, elem)
	}
	buf, err := dev.newBuffer(int64(l.Len()) * int64(elem.Size()))
	if err != nil {
		return nil, named(op, err)
	}
	return newTensor(newMemory(dev, buf), elem, l), nil
}

// Close closes the tensor. When no other view holds its memory, it is reused for other
// tensors after the work that still needs it; see Device.SetPoolBudget. A second Close does nothing.
func (t *Tensor) Close() error {
	if t.there("") != nil || t.closed.Swap(true) {
		return nil
	}
	t.cleanup.Stop()
	return t.mem.release()
}

// Closed reports whether the tensor or its device is closed, for ops that launch several
// kernels and so check everything before the first.
func (t *Tensor) Closed() bool {
	return t.there("") != nil || t.closed.Load() || t.mem.dev.check("") != nil
}

// there reports a tensor that is nil, or that no function of this package made.
func (t *Tensor) there(op string) error {
	if t == nil || t.mem == nil {
		return fault.New(ErrArgument, op, "the tensor is nil").For("t")
	}
	return nil
}

// of is the tensor's layout, a vector of no elements for nil.
func (t *Tensor) of() layout.Layout {
	if t.there("") != nil {
		l, _ := layout.Contiguous(0)
		return l
	}
	return t.layout
}

// Device is the tensor's device, nil for a nil tensor.
func (t *Tensor) Device() *Device {
	if t.there("") != nil {
		return nil
	}
	return t.mem.dev
}

// CheckDevice checks that t and other are on one device. It is for your own ops. The error calls the tensors by the given names.
//
// Error: ErrDevice. Two openings of one device are two devices; the error then says which tensor is on which.
func (t *Tensor) CheckDevice(op, name string, other *Tensor, otherName string) error {
	if err := t.there(op); err != nil {
		return fault.New(ErrArgument, op, "the tensor is nil").For(name)
	}
	if err := other.there(op); err != nil {
		return fault.New(ErrArgument, op, "the tensor is nil").For(otherName)
	}
	return sameDevice(op, name, t.mem.dev, otherName, other.mem.dev)
}

// sameDevice is the error of a named tensor that is on another device than something else.
func sameDevice(op, name string, at *Device, otherName string, want *Device) error {
	switch {
	case at == want:
		return nil
	case at.String() == want.String():
		return fault.New(ErrDevice, op, "the tensor is on opening %d of %v, %s is on opening %d: open a device once and share it, or copy the tensor by To",
			at.opening, at, otherName, want.opening).For(name)
	}
	return fault.New(ErrDevice, op, "the tensor is on %v, %s is on %v: copy the tensor by To", at, otherName, want).For(name)
}

// DType is the type of the elements.
func (t *Tensor) DType() DType {
	if t == nil {
		return 0
	}
	return t.elem
}

// Layout says where the elements are in memory; it counts in elements.
func (t *Tensor) Layout() layout.Layout { return t.of() }

// Shape returns a copy of the sizes.
func (t *Tensor) Shape() []int { return t.of().Shape() }

// Rank is the number of dimensions.
func (t *Tensor) Rank() int { return t.of().Rank() }

// Dim is the size of a dimension; a negative one counts from the end. For a dimension that does not exist
// it is 0, as for a nil tensor.
func (t *Tensor) Dim(d int) int {
	l := t.of()
	if d < 0 {
		d += l.Rank()
	}
	if d < 0 || d >= l.Rank() {
		return 0
	}
	return l.Size(d)
}

// Len is the number of elements.
func (t *Tensor) Len() int { return t.of().Len() }

// hold keeps the tensor's memory until mem.release is called. The error names
// the op and the argument.
func (t *Tensor) hold(op, arg string) error {
	if t.there(op) != nil {
		return fault.New(ErrArgument, op, "the tensor is nil").For(arg)
	}
	if err := t.mem.dev.check(op); err != nil {
		return err
	}
	if t.closed.Load() || !t.mem.retain() {
		return fault.New(ErrClosed, op, "tensor %s is closed", t.Describe()).For(arg)
	}
	runtime.KeepAlive(t) // until here the tensor's own reference stood for it
	return nil
}
