//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include "shim.h"
*/
import "C"

import (
	"slices"
	"unsafe"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

const (
	// maxBatches bounds how far the host runs ahead of the device.
	maxBatches = 8
	// maxCommands of one batch; the first batch after a wait takes one.
	maxCommands = 64
	// uniformBytes of scalar words that the launches of one batch share, and
	// the most of one launch.
	uniformBytes = 32 << 10
	maxUniform   = 16 << 10 // what every device binds
)

// batch is a command buffer and what signals its end.
type batch struct {
	seq      uint64 // its number, counted from 1
	pool     vk.CommandPool
	commands vk.CommandBuffer
	fence    vk.Fence
	count    int // of commands
	uniforms int // where its part of the uniform buffer starts
	used     int // bytes of that part
}

// queue is the device's compute queue: one open batch that is recorded,
// batches in flight in the order of their submission, and idle ones.
type queue struct {
	d      *device
	handle vk.Queue
	info   vk.CommandBufferBeginInfo // kept, so that beginning allocates nothing

	open   *batch
	flight []*batch
	idle   []*batch
	made   int

	seq  uint64 // last batch that was opened
	mark uint64 // last batch that holds a command
	done uint64 // last batch that retired

	quota   int    // commands with which the open batch is submitted
	epoch   uint64 // counts memory barriers
	barrier bool   // the next command needs one
	polling bool   // a goroutine waits for a fence, and it alone retires batches
	lost    error  // set once the device is lost

	uniform *chunk
	stride  int // alignment of a launch's words in the uniform buffer
}

func (q *queue) init(d *device) error {
	q.d, q.quota, q.epoch = d, 1, 1
	q.info = vk.CommandBufferBeginInfo{
		SType: vk.StructureTypeCommandBufferBeginInfo,
		Flags: vk.CommandBufferUsageFlags(vk.CommandBufferUsageOneTimeSubmitBit),
	}
	q.stride = max(int(d.phys.limits.MinUniformBufferOffsetAlignment), 16)
	var handle vk.Queue
	vk.GetDeviceQueue(d.handle, uint32(d.phys.family), 0, &handle)
	q.handle = handle
	var err error
	q.uniform, err = d.newUniforms(maxBatches * uniformBytes)
	return err
}

// start makes sure that a batch is open. It may let go of the lock to wait for
// the oldest batch in flight.
func (q *queue) start() error {
	for q.open == nil {
		if q.lost != nil {
			return q.lost
		}
		q.reap()
		switch {
		case len(q.idle) > 0:
			b := q.idle[len(q.idle)-1]
			q.idle = q.idle[:len(q.idle)-1]
			if err := q.begin(b); err != nil {
				q.idle = append(q.idle, b)
				return err
			}
		case q.made < maxBatches:
			b, err := q.newBatch()
			if err != nil {
				return err
			}
			q.idle = append(q.idle, b)
		default:
			if err := q.wait(q.flight[0].seq); err != nil {
				return err
			}
		}
	}
	return q.lost
}

func (q *queue) newBatch() (*batch, error) {
	pool, commands, err := q.d.newCommands(vk.CommandPoolCreateTransientBit, vk.CommandBufferLevelPrimary)
	if err != nil {
		return nil, err
	}
	var fence vk.Fence
	info := vk.FenceCreateInfo{SType: vk.StructureTypeFenceCreateInfo}
	defer info.Free()
	if err := failure("vkCreateFence", vk.CreateFence(q.d.handle, &info, nil, &fence)); err != nil {
		vk.DestroyCommandPool(q.d.handle, pool, nil)
		return nil, err
	}
	q.made++
	return &batch{pool: pool, commands: commands, fence: fence, uniforms: (q.made - 1) * uniformBytes}, nil
}

// newCommands makes a command buffer in a pool of its own, which frees it.
func (d *device) newCommands(flags vk.CommandPoolCreateFlagBits, level vk.CommandBufferLevel) (pool vk.CommandPool, commands vk.CommandBuffer, err error) {
	poolInfo := vk.CommandPoolCreateInfo{
		SType:            vk.StructureTypeCommandPoolCreateInfo,
		Flags:            vk.CommandPoolCreateFlags(flags),
		QueueFamilyIndex: uint32(d.phys.family),
	}
	defer poolInfo.Free()
	if err := failure("vkCreateCommandPool", vk.CreateCommandPool(d.handle, &poolInfo, nil, &pool)); err != nil {
		return pool, commands, err
	}
	info := vk.CommandBufferAllocateInfo{
		SType:              vk.StructureTypeCommandBufferAllocateInfo,
		CommandPool:        pool,
		Level:              level,
		CommandBufferCount: 1,
	}
	defer info.Free()
	buffers := make([]vk.CommandBuffer, 1)
	if err := failure("vkAllocateCommandBuffers", vk.AllocateCommandBuffers(d.handle, &info, buffers)); err != nil {
		vk.DestroyCommandPool(d.handle, pool, nil)
		return nil, nil, err
	}
	return pool, buffers[0], nil
}

func (q *queue) begin(b *batch) error {
	if err := failure("vkResetCommandPool", vk.ResetCommandPool(q.d.handle, b.pool, 0)); err != nil {
		return err
	}
	if err := failure("vkBeginCommandBuffer", vk.BeginCommandBuffer(b.commands, &q.info)); err != nil {
		return err
	}
	q.seq++
	b.seq, b.count, b.used = q.seq, 0, 0
	q.open = b
	return nil
}

// noted counts a timestamp. It waits for company: submitted alone, it would come before the
// idle time until the next submission.
func (q *queue) noted() {
	q.open.count++
	q.mark = q.open.seq
}

// recorded counts a command and submits the open batch if it is full or if now
// is set.
func (q *queue) recorded(now bool) error {
	q.open.count++
	q.mark = q.open.seq
	if now || q.open.count >= q.quota {
		return q.submit()
	}
	return nil
}

// submit hands the open batch to the device. A batch that cannot be submitted
// leaves the order of commands broken, so it counts as the loss of the device.
func (q *queue) submit() error {
	b := q.open
	if b == nil || b.count == 0 || q.lost != nil {
		return q.lost
	}
	q.open = nil
	q.quota = min(2*q.quota, maxCommands)
	r := vk.EndCommandBuffer(b.commands)
	if r == vk.Success {
		r = vk.Result(C.weft_submit(q.d.calls, pointer(q.handle), pointer(b.commands), number(b.fence)))
	}
	q.flight = append(q.flight, b)
	if r != vk.Success {
		q.lose("vkQueueSubmit", r)
	}
	return q.lost
}

// wait waits until batch seq has retired, submitting it if need be. It lets go
// of the lock meanwhile.
func (q *queue) wait(seq uint64) error {
	if q.open != nil && q.open.seq <= seq {
		q.submit()
	}
	for q.done < seq && q.lost == nil {
		if q.polling {
			q.d.sleep()
			continue
		}
		q.polling = true
		fence := []vk.Fence{q.flight[q.index(seq)].fence}
		var r vk.Result
		q.d.mu.Unlocked(func() { r = vk.WaitForFences(q.d.handle, 1, fence, vk.True, vk.MaxUint64) })
		q.polling = false
		if r != vk.Success {
			q.lose("vkWaitForFences", r)
		}
		q.reap()
		q.d.change.Broadcast()
	}
	if q.done >= q.mark {
		q.quota = 1 // the device is idle: start it at once the next time
	}
	return q.lost
}

// index finds a batch in flight.
func (q *queue) index(seq uint64) int {
	return slices.IndexFunc(q.flight, func(b *batch) bool { return b.seq == seq })
}

// reap retires the batches that the device has finished. While a goroutine
// waits for a fence nothing is retired but by it: the fence must stay as it is.
func (q *queue) reap() {
	if q.polling {
		return
	}
	n := 0
	for ; n < len(q.flight); n++ {
		b := q.flight[n]
		if q.lost == nil {
			r := vk.GetFenceStatus(q.d.handle, b.fence)
			if r == vk.NotReady {
				break
			}
			if r == vk.Success {
				r = vk.ResetFences(q.d.handle, 1, []vk.Fence{b.fence})
			}
			if r != vk.Success {
				q.lose("vkGetFenceStatus", r)
			}
		}
		q.done = b.seq
		q.idle = append(q.idle, b)
	}
	if n > 0 {
		q.flight = slices.Delete(q.flight, 0, n)
		q.d.mu.Done(q.done)
	}
}

// lose notes that the device is lost; everything after it fails.
func (q *queue) lose(call string, r vk.Result) {
	if q.lost == nil {
		q.lost = fault.New(fault.ErrDeviceLost, "vulkan: "+call, "the driver returned result %d", int(r)).Because(vk.Error(r))
	}
}

// conflicts reports whether a command that uses a buffer needs a memory barrier
// before it: since the last one, one side wrote what the other uses.
func (q *queue) conflicts(b *buffer, access backend.Access) bool {
	return b.wrote == q.epoch || access&backend.Write != 0 && b.read == q.epoch
}

// touch notes a use of a buffer by the next command, after conflicts was asked
// for all its buffers.
func (q *queue) touch(b *buffer, access backend.Access) {
	b.Last = q.open.seq
	if access&backend.Read != 0 {
		b.read = q.epoch
	}
	if access&backend.Write != 0 {
		b.wrote = q.epoch
	}
}

// order decides whether the next command begins with a barrier.
func (q *queue) order(conflict bool) (barrier bool) {
	barrier = conflict || q.barrier
	q.barrier = false
	if barrier {
		q.epoch++
	}
	return barrier
}

// copy records a copy between a chunk and a buffer: into the buffer if access
// is Write, out of it if it is Read.
func (q *queue) copy(host vk.Buffer, b *buffer, at int, offset int64, n int, access backend.Access) {
	var barrier, toHost C.int
	if q.order(q.conflicts(b, access)) {
		barrier = 1
	}
	q.touch(b, access)
	from, to, fromAt, toAt := number(host), number(b.handle), C.uint64_t(at), C.uint64_t(offset)
	if access == backend.Read {
		from, to, fromAt, toAt, toHost = to, from, toAt, fromAt, 1
	}
	C.weft_copy(q.d.calls, pointer(q.open.commands), barrier, from, to, fromAt, toAt, C.uint64_t(n), toHost)
}

// words copies a launch's scalars into the uniform buffer and returns their
// offset. The caller made sure of the room.
func (q *queue) words(words []uint32) int {
	at := q.open.uniforms + q.open.used
	copy(unsafe.Slice((*uint32)(unsafe.Pointer(&q.uniform.data[at])), len(words)), words)
	q.open.used += q.space(len(words))
	return at
}

// space is what that many scalar words take of the uniform buffer, in bytes.
func (q *queue) space(words int) int { return (4*words + q.stride - 1) / q.stride * q.stride }

// close frees everything; the device is idle or lost.
func (q *queue) close() {
	all := append(q.idle, q.flight...)
	if q.open != nil {
		all = append(all, q.open)
	}
	for _, b := range all {
		vk.DestroyFence(q.d.handle, b.fence, nil)
		vk.DestroyCommandPool(q.d.handle, b.pool, nil)
	}
	if q.uniform != nil {
		q.d.freeChunk(q.uniform)
	}
	q.info.Free()
	q.idle, q.flight, q.open = nil, nil, nil
}
