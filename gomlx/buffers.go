package gomlx

import (
	"slices"
	"sync/atomic"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/pkg/errors"

	"github.com/weftgpu/weft"
)

// Buffer is a dense tensor on the device.
type Buffer struct {
	backend *Backend
	shape   shapes.Shape
	tensor  atomic.Pointer[weft.Tensor] // nil once the buffer is finalized or donated
}

func (b *Backend) newBuffer(shape shapes.Shape, t *weft.Tensor) *Buffer {
	buf := &Buffer{backend: b, shape: shape}
	buf.tensor.Store(t)
	return buf
}

// buffer checks that a buffer is this backend's and still there.
func (b *Backend) buffer(op string, x backends.Buffer) (*Buffer, *weft.Tensor, error) {
	buf, ok := x.(*Buffer)
	switch {
	case !ok || buf == nil:
		return nil, nil, errors.Errorf("weft: %s: a %T is not a buffer of this backend", op, x)
	case buf.backend != b:
		return nil, nil, errors.Errorf("weft: %s: the buffer is of another backend", op)
	case b.IsFinalized():
		return nil, nil, errors.Errorf("weft: %s: the backend is finalized", op)
	}
	t := buf.tensor.Load()
	if t == nil {
		return nil, nil, errors.Errorf("weft: %s: the buffer of shape %s was finalized or donated", op, buf.shape)
	}
	return buf, t, nil
}

// BufferFinalize frees a buffer.
func (b *Backend) BufferFinalize(x backends.Buffer) error {
	buf, t, err := b.buffer("BufferFinalize", x)
	if err != nil {
		return err
	}
	if !buf.tensor.CompareAndSwap(t, nil) {
		return errors.New("weft: BufferFinalize: the buffer is being finalized elsewhere")
	}
	return t.Close()
}

// BufferShape returns a buffer's shape.
func (b *Backend) BufferShape(x backends.Buffer) (shapes.Shape, error) {
	buf, ok := x.(*Buffer)
	if !ok || buf == nil {
		return shapes.Invalid(), errors.Errorf("weft: BufferShape: a %T is not a buffer of this backend", x)
	}
	return buf.shape, nil
}

// BufferDeviceNum returns 0.
func (b *Backend) BufferDeviceNum(x backends.Buffer) (backends.DeviceNum, error) {
	if buf, ok := x.(*Buffer); !ok || buf == nil {
		return 0, errors.Errorf("weft: BufferDeviceNum: a %T is not a buffer of this backend", x)
	}
	return 0, nil
}

// BufferToFlatData waits for a buffer and copies its elements to a slice.
func (b *Backend) BufferToFlatData(x backends.Buffer, flat any) error {
	buf, t, err := b.buffer("BufferToFlatData", x)
	if err != nil {
		return err
	}
	if buf.shape.Size() == 0 {
		return nil
	}
	kind, _ := typeFor(buf.shape.DType)
	return errors.WithMessagef(kind.download(t, flat), "weft: BufferToFlatData of %s", buf.shape)
}

// BufferFromFlatData copies a slice to a new buffer.
func (b *Backend) BufferFromFlatData(device backends.DeviceNum, flat any, shape shapes.Shape) (backends.Buffer, error) {
	const op = "BufferFromFlatData"
	if err := b.checkDevice(op, device); err != nil {
		return nil, err
	}
	kind, err := b.typeOn(op, shape)
	if err != nil {
		return nil, err
	}
	dtype, n, err := flatType(flat)
	if err != nil {
		return nil, errors.WithMessagef(err, "weft: %s", op)
	}
	if dtype != shape.DType || n != shape.Size() {
		return nil, errors.Errorf("weft: %s: %d elements of %s for shape %s", op, n, dtype, shape)
	}
	t, err := kind.upload(b.dev, flat, shape.Dimensions)
	if err != nil {
		return nil, errors.WithMessagef(err, "weft: %s of %s", op, shape)
	}
	return b.newBuffer(shape.Clone(), t), nil
}

// typeOn is the type of a shape's elements if the device has it.
func (b *Backend) typeOn(op string, shape shapes.Shape) (elementType, error) {
	kind, ok := typeFor(shape.DType)
	if !ok || !kind.fits(b.dev) {
		return kind, errors.Errorf("weft: %s: %s has no elements of %s", op, b.dev, shape.DType)
	}
	return kind, nil
}

// HasSharedBuffers reports false: the memory of most devices is not the host's.
func (b *Backend) HasSharedBuffers() bool { return false }

// NewSharedBuffer is an error; see HasSharedBuffers.
func (b *Backend) NewSharedBuffer(backends.DeviceNum, shapes.Shape) (backends.Buffer, any, error) {
	return nil, nil, errors.New("weft: NewSharedBuffer: there are no shared buffers")
}

// BufferData is an error; see HasSharedBuffers.
func (b *Backend) BufferData(backends.Buffer) (any, error) {
	return nil, errors.New("weft: BufferData: there are no shared buffers")
}

// BufferCopyToDevice is an error: there is no second device to copy to.
func (b *Backend) BufferCopyToDevice(_ backends.Buffer, device backends.DeviceNum) (backends.Buffer, error) {
	if err := b.checkDevice("BufferCopyToDevice", device); err != nil {
		return nil, err
	}
	return nil, errors.New("weft: BufferCopyToDevice: the buffer is on device 0 already")
}

// fits reports whether a device has the type.
func (t elementType) fits(dev *weft.Device) bool { return t.on == nil || t.on(dev.Caps()) }

// sameDims reports whether two shapes have the same sizes.
func sameDims(a, b shapes.Shape) bool { return slices.Equal(a.Dimensions, b.Dimensions) }
