//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"fmt"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// A tensor map is a parameter of 128 bytes which the driver encodes on the host (CUDA driver API, "Tensor Map
// Object Management"). That takes about as long as a launch, so that maps are kept.
const (
	mapWords = 16 // of 64 bits
	mapAlign = 64 // bytes

	// maxMaps is how many maps a device keeps; beyond it all are forgotten.
	maxMaps = 1 << 10
)

// mapKey is all that a map is encoded from. Maps hold nothing of the device but an address: one for memory that was
// freed and given out again is the same map.
type mapKey struct {
	address uintptr
	elem    dtype.Type
	rank    uint32
	box     [backend.MaxMapDims]uint32
	sizes   [backend.MaxMapDims]uint64
	strides [backend.MaxMapDims - 1]uint64 // of the dimensions after the first, in bytes
}

// mapTypes are the driver's names of element types, CUtensorMapDataType.
var mapTypes = map[dtype.Type]uintptr{
	dtype.Bool: 0, dtype.I8: 0, dtype.U8: 0, dtype.I16: 1, dtype.U16: 1, dtype.U32: 2, dtype.I32: 3, dtype.U64: 4, dtype.I64: 5,
	dtype.F16: 6, dtype.F32: 7, dtype.BF16: 9,
}

// Other constants of cuda.h.
const (
	interleaveNone = 0
	swizzle128     = 3
	promotion256   = 3
	fillZeros      = 0
)

// unit is the distance of elements that are copied, along each dimension.
var unit = [backend.MaxMapDims]uint32{1, 1, 1, 1, 1}

// keyOf is the key of a region of a launch. Where there are no elements it has one, anywhere, and dimensions of one element have the stride
// that they would have without gaps: the driver refuses sizes and strides of 0.
func keyOf(m *backend.TensorMap, r *backend.Region, buffers []backend.Buffer) mapKey {
	k := mapKey{elem: m.Elem, rank: uint32(len(m.Box))}
	dense, empty := uint64(m.Elem.Size()), r.Empty(m)
	if empty {
		k.address = somewhere(buffers)
	} else {
		k.address = buffers[m.Binding].(*buffer).ptr + uintptr(r.Offset)
	}
	for d, box := range m.Box {
		k.box[d], k.sizes[d] = uint32(box), uint64(r.Sizes[d])
		if empty {
			k.sizes[d] = 1
		}
		if d > 0 {
			dense = (dense + 15) &^ 15
			if k.sizes[d] > 1 {
				dense = uint64(r.Strides[d])
			}
			k.strides[d-1] = dense
		}
		dense *= k.sizes[d]
	}
	return k
}

// String tells of a map what the driver is told.
func (k mapKey) String() string {
	return fmt.Sprintf("%v, sizes %d, strides %d bytes, box %d at %#x", k.elem, k.sizes[:k.rank], k.strides[:k.rank-1], k.box[:k.rank], k.address)
}

// bindMaps writes the maps of a launch into the program's memory for them; mu is held, and the buffers are bound.
func (p *program) bindMaps(l backend.Launch) error {
	d := p.dev
	for i := range p.src.Maps {
		m := &p.src.Maps[i]
		k := keyOf(m, &l.Maps[i], l.Buffers)
		slot := (*[mapWords]uint64)(p.args[i*mapWords:])
		if known, ok := d.maps[k]; ok {
			*slot = known
			continue
		}
		if err := d.encode(slot, k); err != nil {
			return fault.New(nil, "launch "+p.src.Entry, "the tensor map %v cannot be made", k).For(m.Name).Because(err)
		}
		if len(d.maps) >= maxMaps {
			clear(d.maps)
		}
		d.maps[k] = *slot
	}
	return nil
}

// somewhere is the address of any memory that a launch has.
func somewhere(buffers []backend.Buffer) uintptr {
	for _, b := range buffers {
		if ptr := b.(*buffer).ptr; ptr != 0 {
			return ptr
		}
	}
	return 0
}

// encode makes a map. The key is a copy: what the driver reads is on the heap.
func (d *device) encode(to *[mapWords]uint64, k mapKey) error {
	kind, ok := mapTypes[k.elem]
	if !ok {
		return fault.New(fault.ErrUnsupported, "cuda: "+d.lib.TensorMapEncode.name, "tensor maps do not take elements of %v", k.elem)
	}
	return d.call(&d.lib.TensorMapEncode, uintptr(unsafe.Pointer(to)), kind, uintptr(k.rank), k.address,
		uintptr(unsafe.Pointer(&k.sizes)), uintptr(unsafe.Pointer(&k.strides)), uintptr(unsafe.Pointer(&k.box)), uintptr(unsafe.Pointer(&unit)),
		interleaveNone, swizzle128, promotion256, fillZeros)
}
