package backend

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// MaxMapDims is the largest rank of a tensor map.
const MaxMapDims = 5

// TensorMap is a parameter by which the hardware copies blocks of a binding to shared memory: what of it is the kernel's own. The
// blocks are in swizzle rows of 128 bytes (CUDA driver API, CU_TENSOR_MAP_SWIZZLE_128B),
// elements outside of the region that a launch names are zeros.
type TensorMap struct {
	Name    string // of the view, for people
	Binding int
	Elem    dtype.Type
	Box     []int // size of a block along each dimension; the first is the contiguous one
}

// Region is where the elements are that a TensorMap copies blocks of: the part of it that each launch gives. Dimensions come in the order of
// TensorMap.Box; what is beyond them is zero.
type Region struct {
	Offset  int64             // of the first element in the buffer, in bytes
	Sizes   [MaxMapDims]int64 // in elements; where one is 0 nothing may be copied, and the rest of the region says nothing
	Strides [MaxMapDims]int64 // in bytes; that of the first is an element's size, that of a dimension of one element is any
}

// Limits of regions (CUDA driver API, cuTensorMapEncodeTiled).
const (
	mapAlign     = 16 // bytes, of offsets and strides
	maxMapStride = 1 << 40
	maxMapSize   = 1 << 32
)

// Empty reports that the region holds no element of a map's. A nil region holds none, nor does one of a nil map.
func (r *Region) Empty(m *TensorMap) bool {
	if r == nil || m == nil {
		return true
	}
	for _, size := range r.Sizes[:min(len(m.Box), MaxMapDims)] {
		if size == 0 {
			return true
		}
	}
	return false
}

// check refuses a region that the hardware cannot copy from, or that a buffer of some bytes does not hold.
func (r *Region) check(entry string, m *TensorMap, bytes int64) error {
	fail := func(kind error, format string, args ...any) error {
		return fault.New(kind, "launch "+entry, "tensor map: "+format, args...).For(m.Name)
	}
	if r.Empty(m) {
		return nil
	}
	if r.Offset < 0 || r.Offset%mapAlign != 0 {
		return fail(fault.ErrUnsupported, "it begins at byte %d of the buffer, want a multiple of %d", r.Offset, mapAlign)
	}
	end := r.Offset + int64(m.Elem.Size())
	for d := range m.Box {
		size, stride := r.Sizes[d], r.Strides[d]
		switch {
		case size < 0 || size > maxMapSize:
			return fail(fault.ErrLimit, "dimension %d has size %d, want 0 to %d", d, size, int64(maxMapSize))
		case size == 1:
		case d == 0 && stride != int64(m.Elem.Size()):
			return fail(fault.ErrUnsupported, "elements of %d bytes are %d bytes apart, want them contiguous", m.Elem.Size(), stride)
		case d > 0 && (stride <= 0 || stride%mapAlign != 0 || stride >= maxMapStride):
			return fail(fault.ErrUnsupported, "a stride of %d bytes in dimension %d, want a multiple of %d", stride, d, mapAlign)
		case size-1 > (1<<62)/stride:
			end = 1 << 62
		default:
			end = min(end+(size-1)*stride, 1<<62)
		}
	}
	if end > bytes {
		return fail(fault.ErrShape, "it reaches byte %d, the buffer has %d bytes", end, bytes)
	}
	return nil
}

// checkMaps refuses maps that say nothing a device could copy by, or that a device has not.
func checkMaps(src Source, promised bool) error {
	for i := range src.Maps {
		m := &src.Maps[i]
		if !promised {
			return fault.New(fault.ErrUnsupported, "load "+src.Entry, "tensor map: the device does not copy by tensor maps").For(m.Name)
		}
		if err := m.check("load", src); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a map that a kernel with some bindings cannot have.
func (m *TensorMap) check(op string, src Source) error {
	fail := func(format string, args ...any) error {
		return fault.New(fault.ErrKernel, op+" "+src.Entry, "tensor map: "+format, args...).For(m.Name)
	}
	switch {
	case m.Binding < 0 || m.Binding >= len(src.Bindings):
		return fail("it is of binding %d, the kernel has %s", m.Binding, fault.Count(len(src.Bindings), "binding"))
	case len(m.Box) < 1 || len(m.Box) > MaxMapDims:
		return fail("a box of %s, want 1 to %d", fault.Count(len(m.Box), "dimension"), MaxMapDims)
	case !m.Elem.Valid():
		return fail("%v is not an element type", m.Elem)
	}
	return nil
}
