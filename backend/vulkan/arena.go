//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"slices"
	"unsafe"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/fault"
)

// Drivers allow a few thousand allocations only and take long for each, so
// buffers up to largeBytes share blocks of blockBytes.
const (
	blockBytes = 64 << 20
	largeBytes = 8 << 20
)

// arena hands out memory of one memory type.
type arena struct {
	device   vk.Device
	typ      uint32
	flags    unsafe.Pointer // in C's memory: the standard's flags of allocations; nil for none
	blocks   []*block
	blockLen vk.DeviceSize
}

// block is one allocation with its free spans, sorted by offset and never
// adjacent.
type block struct {
	memory vk.DeviceMemory
	bytes  vk.DeviceSize
	free   []span
}

type span struct{ offset, bytes vk.DeviceSize }

// place is where a buffer is.
type place struct {
	block *block
	span
}

func (b *block) empty() bool { return len(b.free) == 1 && b.free[0].bytes == b.bytes }

// take finds a place of bytes at a multiple of align, first fit.
func (b *block) take(bytes, align vk.DeviceSize) (span, bool) {
	for i, f := range b.free {
		start := (f.offset + align - 1) / align * align
		if start+bytes > f.offset+f.bytes {
			continue
		}
		var rest []span
		if start > f.offset {
			rest = append(rest, span{f.offset, start - f.offset})
		}
		if end := start + bytes; end < f.offset+f.bytes {
			rest = append(rest, span{end, f.offset + f.bytes - end})
		}
		b.free = slices.Replace(b.free, i, i+1, rest...)
		return span{start, bytes}, true
	}
	return span{}, false
}

// give returns a span and joins it with its free neighbours.
func (b *block) give(s span) {
	i, _ := slices.BinarySearchFunc(b.free, s, func(f, s span) int {
		if f.offset < s.offset {
			return -1
		}
		return 1
	})
	if i < len(b.free) && s.offset+s.bytes == b.free[i].offset {
		s.bytes += b.free[i].bytes
		b.free = slices.Delete(b.free, i, i+1)
	}
	if i > 0 && b.free[i-1].offset+b.free[i-1].bytes == s.offset {
		b.free[i-1].bytes += s.bytes
		return
	}
	b.free = slices.Insert(b.free, i, s)
}

// alloc finds memory for a buffer, in a shared block or of its own.
func (a *arena) alloc(bytes, align vk.DeviceSize) (place, error) {
	if bytes > min(largeBytes, a.blockLen/4) {
		return a.grow(bytes, bytes, align)
	}
	for _, b := range a.blocks {
		if s, ok := b.take(bytes, align); ok {
			return place{b, s}, nil
		}
	}
	return a.grow(a.blockLen, bytes, align)
}

func (a *arena) grow(size, bytes, align vk.DeviceSize) (place, error) {
	info := vk.MemoryAllocateInfo{SType: vk.StructureTypeMemoryAllocateInfo, AllocationSize: size, MemoryTypeIndex: a.typ, PNext: a.flags}
	defer info.Free()
	var memory vk.DeviceMemory
	if err := failure("vkAllocateMemory", vk.AllocateMemory(a.device, &info, nil, &memory)); err != nil {
		return place{}, err
	}
	b := &block{memory: memory, bytes: size, free: []span{{0, size}}}
	s, ok := b.take(bytes, align)
	if !ok {
		vk.FreeMemory(a.device, b.memory, nil)
		return place{}, fault.New(fault.ErrOutOfMemory, "vulkan", "%d bytes aligned to %d do not fit a block of %d bytes", bytes, align, size)
	}
	a.blocks = append(a.blocks, b)
	return place{b, s}, nil
}

// release frees a place. One empty block of the common size is kept.
func (a *arena) release(p place) {
	p.block.give(p.span)
	if !p.block.empty() {
		return
	}
	if p.block.bytes == a.blockLen && !slices.ContainsFunc(a.blocks, func(b *block) bool { return b != p.block && b.bytes == a.blockLen && b.empty() }) {
		return
	}
	a.drop(p.block)
}

// trim frees all empty blocks and reports whether there were any.
func (a *arena) trim() bool {
	any := false
	for _, b := range slices.Clone(a.blocks) {
		if b.empty() {
			a.drop(b)
			any = true
		}
	}
	return any
}

func (a *arena) drop(b *block) {
	vk.FreeMemory(a.device, b.memory, nil)
	a.blocks = slices.DeleteFunc(a.blocks, func(o *block) bool { return o == b })
}

// close frees everything.
func (a *arena) close() {
	for _, b := range a.blocks {
		vk.FreeMemory(a.device, b.memory, nil)
	}
	a.blocks = nil
}
