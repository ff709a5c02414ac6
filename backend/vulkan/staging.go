//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"unsafe"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

const (
	chunkBytes = 4 << 20
	maxChunks  = 6
	// eagerBytes is from where on a piece of an upload is submitted at once, so
	// that the device copies it while the host fills the next chunk.
	eagerBytes = 256 << 10
)

// chunk is mapped host memory that uploads and downloads pass through.
type chunk struct {
	handle vk.Buffer
	memory vk.DeviceMemory
	data   []byte
	used   int    // bytes of it taken by uploads
	last   uint64 // batch of the last use
	held   bool   // by a download
}

// staging is a device's chunks.
type staging struct {
	d       *device
	chunks  []*chunk
	current *chunk // the one that uploads fill
}

// upload records copies of src to the buffer. The chunk that holds a piece is
// free again when its batch has retired.
func (s *staging) upload(b *buffer, offset int64, src []byte) error {
	q := &s.d.queue
	for len(src) > 0 {
		c, err := s.ready(b, "upload", s.room)
		if err != nil {
			return err
		}
		n := copy(c.data[c.used:], src)
		q.copy(c.handle, b, c.used, offset, n, backend.Write)
		c.used += (n + bufferAlign - 1) &^ (bufferAlign - 1)
		c.last = q.open.seq
		src, offset = src[n:], offset+int64(n)
		if err := q.recorded(n >= eagerBytes); err != nil {
			return err
		}
	}
	return nil
}

// download copies through up to two chunks, so that the device fills one while
// the host empties the other.
func (s *staging) download(b *buffer, offset int64, dst []byte) error {
	type piece struct {
		c   *chunk
		dst []byte
	}
	q := &s.d.queue
	var pieces []piece
	defer func() {
		for _, p := range pieces {
			p.c.held = false
		}
		s.d.change.Broadcast()
	}()
	for len(dst) > 0 || len(pieces) > 0 {
		if len(dst) > 0 && len(pieces) < 2 {
			// A second chunk is welcome but not waited for: while this one is
			// held that could block all downloads for good.
			c, err := s.ready(b, "download", func() (*chunk, bool, error) {
				c, wait, err := s.spare()
				return c, wait && len(pieces) == 0, err
			})
			if err != nil {
				return err
			}
			if c != nil {
				n := min(len(dst), len(c.data))
				q.copy(c.handle, b, 0, offset, n, backend.Read)
				c.held, c.last = true, q.open.seq
				pieces = append(pieces, piece{c, dst[:n]})
				dst, offset = dst[n:], offset+int64(n)
				if err := q.recorded(true); err != nil {
					return err
				}
				continue
			}
		}
		p := pieces[0]
		if err := q.wait(p.c.last); err != nil {
			return err
		}
		s.d.mu.Unlocked(func() { copy(p.dst, p.c.data) })
		p.c.held = false
		s.d.change.Broadcast()
		pieces = pieces[1:]
	}
	return nil
}

// ready waits until a batch is open and find gives a chunk or says that there
// is no need to wait for one. Meanwhile the lock is let go at times, so the
// buffer may be closed by then.
func (s *staging) ready(b *buffer, op string, find func() (c *chunk, wait bool, err error)) (*chunk, error) {
	for {
		if err := s.d.queue.start(); err != nil {
			return nil, err
		}
		if err := b.alive(op); err != nil {
			return nil, err
		}
		c, wait, err := find()
		if c != nil || err != nil || !wait {
			return c, err
		}
		if err := s.waitForOne(); err != nil {
			return nil, err
		}
	}
}

// waitForOne waits until a chunk may have become free.
func (s *staging) waitForOne() error {
	var oldest *chunk
	for _, c := range s.chunks {
		if !c.held && (oldest == nil || c.last < oldest.last) {
			oldest = c
		}
	}
	if oldest == nil {
		s.d.sleep() // all are held by downloads
		return nil
	}
	return s.d.queue.wait(oldest.last)
}

// room finds a chunk with room for an upload.
func (s *staging) room() (c *chunk, wait bool, err error) {
	if c := s.current; c != nil && !c.held && c.used < len(c.data) {
		return c, false, nil
	}
	c, wait, err = s.spare()
	if c != nil {
		s.current = c
	}
	return c, wait, err
}

// spare finds a chunk that nothing uses, or makes one.
func (s *staging) spare() (c *chunk, wait bool, err error) {
	s.d.queue.reap()
	for _, c := range s.chunks {
		if !c.held && c.last <= s.d.queue.done {
			c.used = 0
			return c, false, nil
		}
	}
	if len(s.chunks) >= maxChunks {
		return nil, true, nil
	}
	c, err = s.d.newChunk(chunkBytes, vk.BufferUsageFlags(vk.BufferUsageTransferSrcBit|vk.BufferUsageTransferDstBit), hostMemory)
	if err != nil {
		return nil, false, err
	}
	s.chunks = append(s.chunks, c)
	return c, false, nil
}

func (s *staging) close() {
	for _, c := range s.chunks {
		s.d.freeChunk(c)
	}
	s.chunks, s.current = nil, nil
}

// newUniforms makes a buffer for scalars of launches.
func (d *device) newUniforms(bytes int) (*chunk, error) {
	c, err := d.newChunk(bytes, vk.BufferUsageFlags(vk.BufferUsageUniformBufferBit), uniformMemory)
	if err != nil { // a device may have little memory of its own that the host can write
		return d.newChunk(bytes, vk.BufferUsageFlags(vk.BufferUsageUniformBufferBit), hostMemory)
	}
	return c, nil
}

// newChunk makes a mapped buffer in memory that the host can write.
func (d *device) newChunk(bytes int, usage vk.BufferUsageFlags, wanted []vk.MemoryPropertyFlagBits) (*chunk, error) {
	typ, err := d.memoryType(usage, wanted)
	if err != nil {
		return nil, err
	}
	c := &chunk{}
	if c.handle, err = d.newBuffer(vk.DeviceSize(bytes), usage); err != nil {
		return nil, err
	}
	size, _, _ := d.requirements(c.handle)
	info := vk.MemoryAllocateInfo{SType: vk.StructureTypeMemoryAllocateInfo, AllocationSize: size, MemoryTypeIndex: typ}
	defer info.Free()
	var (
		memory vk.DeviceMemory
		mapped unsafe.Pointer
	)
	err = failure("vkAllocateMemory", vk.AllocateMemory(d.handle, &info, nil, &memory))
	if c.memory = memory; err == nil {
		err = failure("vkBindBufferMemory", vk.BindBufferMemory(d.handle, c.handle, c.memory, 0))
	}
	if err == nil {
		err = failure("vkMapMemory", vk.MapMemory(d.handle, c.memory, 0, vk.DeviceSize(bytes), 0, &mapped))
	}
	if err != nil {
		d.freeChunk(c)
		return nil, err
	}
	c.data = unsafe.Slice((*byte)(mapped), bytes)
	return c, nil
}

func (d *device) freeChunk(c *chunk) {
	vk.DestroyBuffer(d.handle, c.handle, nil)
	vk.FreeMemory(d.handle, c.memory, nil) // unmaps it
}

func (d *device) requirements(b vk.Buffer) (size, align vk.DeviceSize, types uint32) {
	var need vk.MemoryRequirements
	vk.GetBufferMemoryRequirements(d.handle, b, &need)
	need.Deref()
	defer need.Free()
	return need.Size, need.Alignment, need.MemoryTypeBits
}

// Properties of memory types, the most wanted combination first.
var (
	deviceMemory = []vk.MemoryPropertyFlagBits{vk.MemoryPropertyDeviceLocalBit, 0}
	hostMemory   = []vk.MemoryPropertyFlagBits{
		vk.MemoryPropertyHostVisibleBit | vk.MemoryPropertyHostCoherentBit | vk.MemoryPropertyHostCachedBit,
		vk.MemoryPropertyHostVisibleBit | vk.MemoryPropertyHostCoherentBit,
	}
	// Scalars are read once by each launch, first of all: from memory of the host that takes a microsecond, through the bus.
	uniformMemory = append([]vk.MemoryPropertyFlagBits{
		vk.MemoryPropertyDeviceLocalBit | vk.MemoryPropertyHostVisibleBit | vk.MemoryPropertyHostCoherentBit,
	}, hostMemory...)
)

// memoryType finds the memory type for buffers of a usage.
func (d *device) memoryType(usage vk.BufferUsageFlags, wanted []vk.MemoryPropertyFlagBits) (uint32, error) {
	probe, err := d.newBuffer(bufferAlign, usage)
	if err != nil {
		return 0, err
	}
	defer vk.DestroyBuffer(d.handle, probe, nil)
	_, _, types := d.requirements(probe)
	for _, w := range wanted {
		flags := vk.MemoryPropertyFlags(w)
		for i, t := range d.phys.types {
			if types>>i&1 == 1 && t.PropertyFlags&flags == flags {
				return uint32(i), nil
			}
		}
	}
	return 0, fault.New(fault.ErrUnsupported, "vulkan", "the device has no memory type for buffers of usage %#x", usage)
}
