//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include "shim.h"
*/
import "C"

import (
	"unsafe"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/backend"
)

// sequence is launches recorded once, in a secondary command buffer that batches execute.
type sequence struct {
	part
	steps    []sequenceStep
	uses     map[*buffer]backend.Access // by all launches together
	pool     vk.CommandPool
	commands vk.CommandBuffer
	sets     []vk.DescriptorPool
	uniform  *chunk // of all launches' words; nil without any
}

type sequenceStep struct {
	program *program
	buffers []*buffer
	launch  backend.Launch
}

// leastRecorded is from how many launches on the execution of a command buffer costs the host less than
// recording them anew: 7 µs on an H200, against 2.3 for each.
const leastRecorded = 4

// Sequence records launches. Barriers stand between those of which one writes what the other uses.
func (s stream) Sequence(steps []backend.Step) (backend.Sequence, error) {
	d := s.d
	q := &sequence{part: part{d: d}, uses: map[*buffer]backend.Access{}}
	for _, step := range steps {
		p, buffers, empty, err := backend.OwnLaunch[*program](d, d.info, &d.caps, step.Program, step.Launch, []*buffer(nil))
		if err != nil {
			return nil, err
		}
		if !empty {
			q.steps = append(q.steps, sequenceStep{p, buffers, step.Launch})
		}
	}
	if err := d.lock("sequence"); err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	err := q.alive()
	if err == nil && len(q.steps) < leastRecorded {
		return backend.Loop(s, steps), nil
	}
	if err == nil {
		err = q.record()
	}
	if err != nil {
		q.free()
		return nil, err
	}
	for i := range q.steps {
		q.steps[i].launch = backend.Launch{} // its slices are the caller's
	}
	d.adopt(&q.part, q.free)
	return q, nil
}

// alive fails if a program or buffer was closed.
func (q *sequence) alive() error {
	for _, s := range q.steps {
		if err := backend.OpenLaunch(s.program, s.buffers); err != nil {
			return err
		}
	}
	return nil
}

// record fills the command buffer.
func (q *sequence) record() error {
	d := q.d
	bytes := 0
	for _, s := range q.steps {
		bytes += d.queue.space(uniformWords(&s.program.src))
	}
	if bytes > 0 {
		var err error
		if q.uniform, err = d.newUniforms(bytes); err != nil {
			return err
		}
	}
	if err := q.begin(); err != nil {
		return err
	}
	sets, since, at := setSource{q: q}, hazards{}, 0
	for i, s := range q.steps {
		set, err := sets.next(i)
		if err != nil {
			return err
		}
		how := dispatching{barrier: since.order(s), update: set != 0, uniform: q.uniform, offset: at}
		if words := s.program.words(s.buffers, &s.launch); len(words) > 0 {
			copy(unsafe.Slice((*uint32)(unsafe.Pointer(&q.uniform.data[at])), len(words)), words)
			at += d.queue.space(len(words))
		}
		for j, b := range s.buffers {
			q.uses[b] |= s.program.src.Bindings[j].Access
		}
		d.dispatch(q.commands, s.program, set, s.buffers, s.launch, how)
	}
	return failure("vkEndCommandBuffer", vk.EndCommandBuffer(q.commands))
}

// begin makes the command buffer and begins it.
func (q *sequence) begin() error {
	d := q.d
	var err error
	if q.pool, q.commands, err = d.newCommands(0, vk.CommandBufferLevelSecondary); err != nil {
		return err
	}
	info := vk.CommandBufferBeginInfo{
		SType: vk.StructureTypeCommandBufferBeginInfo,
		Flags: vk.CommandBufferUsageFlags(vk.CommandBufferUsageSimultaneousUseBit), // several batches in flight may hold it
		PInheritanceInfo: []vk.CommandBufferInheritanceInfo{{
			SType: vk.StructureTypeCommandBufferInheritanceInfo,
		}},
	}
	defer info.Free()
	return failure("vkBeginCommandBuffer", vk.BeginCommandBuffer(q.commands, &info))
}

// setSource makes descriptor sets for the launches of a sequence, those of one program together.
type setSource struct {
	q     *sequence
	ready map[*program][]C.uint64_t
}

// next is a set for a launch, 0 if it needs none.
func (s *setSource) next(step int) (C.uint64_t, error) {
	p := s.q.steps[step].program
	if len(p.src.Bindings) == 0 && uniformWords(&p.src) == 0 {
		return 0, nil
	}
	if len(s.ready[p]) == 0 {
		n := 0
		for _, later := range s.q.steps[step:] {
			if later.program == p {
				n++
			}
		}
		sets, pool, err := p.makeSets(n)
		if pool != vk.NullDescriptorPool {
			s.q.sets = append(s.q.sets, pool)
		}
		if err != nil {
			return 0, err
		}
		if s.ready == nil {
			s.ready = map[*program][]C.uint64_t{}
		}
		s.ready[p] = sets
	}
	set := s.ready[p][0]
	s.ready[p] = s.ready[p][1:]
	return set, nil
}

// hazards is what the launches since the last barrier have used.
type hazards map[*buffer]backend.Access

// order reports whether a launch needs a barrier before it, and notes what it uses.
func (h hazards) order(s sequenceStep) (barrier bool) {
	bindings := s.program.src.Bindings
	for i, b := range s.buffers {
		used := h[b]
		barrier = barrier || used&backend.Write != 0 || used != 0 && bindings[i].Access&backend.Write != 0
	}
	if barrier {
		clear(h)
	}
	for i, b := range s.buffers {
		h[b] |= bindings[i].Access
	}
	return barrier
}

// Launch records the execution of the sequence in the open batch.
func (q *sequence) Launch() error {
	const op = "launch of a sequence"
	d := q.d
	if err := d.lock(op); err != nil {
		return err
	}
	defer d.mu.Unlock()
	if err := d.queue.start(); err != nil { // it may let go of the lock
		return err
	}
	if q.IsClosed() {
		return backend.Closed(op, "sequence")
	}
	if err := q.alive(); err != nil {
		return err
	}
	conflict := false
	for b, access := range q.uses {
		conflict = conflict || d.queue.conflicts(b, access)
	}
	barrier := d.queue.order(conflict)
	for b, access := range q.uses {
		d.queue.touch(b, access)
	}
	for _, s := range q.steps {
		s.program.Last = d.queue.open.seq
	}
	q.Last = d.queue.open.seq
	C.weft_execute(d.calls, pointer(d.queue.open.commands), C.int(flag(barrier)), pointer(q.commands))
	d.queue.open.count += len(q.steps) - 1
	return d.queue.recorded(false)
}

// free frees the sequence, which may not be complete.
func (q *sequence) free() {
	for _, pool := range q.sets {
		vk.DestroyDescriptorPool(q.d.handle, pool, nil)
	}
	if q.pool != vk.NullCommandPool {
		vk.DestroyCommandPool(q.d.handle, q.pool, nil)
	}
	if q.uniform != nil {
		q.d.freeChunk(q.uniform)
	}
}
