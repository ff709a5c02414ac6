package weft

import (
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

func identity(in []*tile.Value) *tile.Value { return in[0] }

// copyMap is the map of all copies on a device: CopyFrom, Contiguous, Cast, To. Elements of one type move as
// words, and so do narrower elements where all layouts consist of whole words.
var copyMap = newcopyMap()

func newcopyMap() *Map {
	m := NewMap("copy", []string{"src"}, identity)
	m.Kernel = NewKernel("copy", elementwise.DescribeCopy)
	m.moves = true
	return m
}

// CopyFrom copies the elements of src, broadcast to t's shape and converted to
// t's element type: floats round to nearest even, floats to integers truncate
// and saturate. src may live on another device.
//
// Elements of one type keep their bits, those of F32 and F64 as well. Elements of F16 and BF16 do where the layouts consist
// of whole words of 32 bits; elsewhere a NaN stays a NaN, but its bits may change.
//
// Errors: ErrArgument for nil, ErrShape, ErrClosed, and ErrUnsupported if t repeats elements or
// overlaps src without being the same view.
func (t *Tensor) CopyFrom(src *Tensor) error {
	if src.there("") == nil && t.there("") == nil && src.mem.dev != t.mem.dev {
		moved, err := src.To(t.mem.dev)
		if err != nil {
			return err
		}
		defer moved.Close()
		src = moved
	}
	return copyMap.Into(t, src)
}

// CopyRepeated copies the elements of src, in row-major order and repeated as often as needed, to those of t, as
// numpy.resize does. t is dense, or has strides that Reshape can turn into a vector; src is converted as by CopyFrom.
//
// Errors: as for CopyFrom; ErrShape if src has no elements and t has some; ErrUnsupported if t is not a vector in memory.
func (t *Tensor) CopyRepeated(src *Tensor) error {
	for _, x := range []struct {
		name string
		*Tensor
	}{{"t", t}, {"src", src}} {
		if err := x.hold("copy repeated", x.name); err != nil {
			return err
		}
		defer x.mem.release()
	}
	if src.Len() == 0 && t.Len() > 0 {
		return fault.New(ErrShape, "copy repeated", "shape %v has no elements, want at least 1 to fill the %d of t", src.Shape(), t.Len()).For("src")
	}
	if r := captureOf(t, src); r != nil {
		t, src = r.use(t), r.use(src)
	}
	to, err := t.Reshape(t.Len())
	if err != nil {
		return err
	}
	defer to.Close()
	from, err := src.Contiguous()
	if err != nil {
		return err
	}
	defer from.Close()
	if from, err = from.Reshape(src.Len()); err != nil {
		return err
	}
	defer from.Close()
	if err := to.checkParts(from); err != nil { // before the first is copied
		return err
	}
	for at := 0; at < t.Len(); at += src.Len() {
		if err := to.copyPart(from, at, min(src.Len(), t.Len()-at)); err != nil {
			return err
		}
	}
	return nil
}

// checkParts refuses a vector to copy from that overlaps a part of t, of its own length, without being that part.
func (t *Tensor) checkParts(from *Tensor) error {
	if !from.Overlaps(t) {
		return nil
	}
	for at, n := 0, from.Len(); at < t.Len(); at += n {
		n := min(n, t.Len()-at)
		part, err := t.layout.Slice(0, at, at+n, 1)
		if err != nil {
			return err
		}
		head, err := from.layout.Slice(0, 0, n, 1)
		if err != nil {
			return err
		}
		if head.Overlaps(part) && !same(head, part) {
			return fault.New(ErrUnsupported, "copy repeated", "it overlaps elements %d to %d of t, want separate memory or the same view", at, at+n-1).For("src")
		}
	}
	return nil
}

// copyPart copies the first n elements of a vector to those from at on of another.
func (t *Tensor) copyPart(src *Tensor, at, n int) error {
	to, err := t.Slice(0, at, at+n)
	if err != nil {
		return err
	}
	defer to.Close()
	from, err := src.Slice(0, 0, n)
	if err != nil {
		return err
	}
	defer from.Close()
	return to.CopyFrom(from)
}

// Contiguous is a dense copy of the tensor in row-major order, or a view of it if
// it is already dense.
func (t *Tensor) Contiguous() (*Tensor, error) {
	if t.there("") == nil && t.layout.IsContiguous() {
		return t.view(t.layout), nil
	}
	return copyMap.Apply(t)
}

// Cast is a dense copy of the tensor with another element type; see CopyFrom.
func (t *Tensor) Cast(elem DType) (*Tensor, error) {
	if err := t.hold("cast", "t"); err != nil {
		return nil, err
	}
	defer t.mem.release()
	out, err := empty("cast", t.mem.dev, elem, t.Shape())
	if err != nil {
		return nil, err
	}
	if err := out.CopyFrom(t); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// To is a dense copy of the tensor on a device, which may be the tensor's own.
// Between devices the elements go through host memory.
func (t *Tensor) To(dev *Device) (*Tensor, error) {
	if err := t.hold("to", "t"); err != nil {
		return nil, err
	}
	defer t.mem.release()
	if dev == t.mem.dev {
		return copyMap.Apply(t)
	}
	dense, err := t.Contiguous()
	if err != nil {
		return nil, err
	}
	defer dense.Close()
	size := int64(t.elem.Size())
	raw := make([]byte, int64(dense.Len())*size)
	if err := dense.download("to", raw, dense.layout.Offset()); err != nil {
		return nil, err
	}
	return fromBytes("to", dev, t.elem, raw, dense.Shape())
}
