//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include "shim.h"
*/
import "C"

import (
	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/backend"
)

// stream is the device's one queue as users see it.
type stream struct{ d *device }

// Launch records a dispatch; see the package's comment for when it runs.
func (s stream) Launch(prog backend.Program, l backend.Launch) error {
	var room [C.weft_max_bindings]*buffer
	p, buffers, empty, err := backend.OwnLaunch[*program](s.d, s.d.info, &s.d.caps, prog, l, room[:0])
	if err != nil {
		return err
	}
	if err := s.d.lock("launch"); err != nil {
		return err
	}
	defer s.d.mu.Unlock()
	if !empty {
		if err := s.room(uniformWords(&p.src)); err != nil {
			return err
		}
	}
	if err := backend.OpenLaunch(p, buffers); err != nil || empty {
		return err
	}
	return s.record(p, buffers, l)
}

// room makes sure that the open batch has room for a launch's words.
func (s stream) room(words int) error {
	q := &s.d.queue
	for {
		if err := q.start(); err != nil {
			return err
		}
		if q.open.used+q.space(words) <= uniformBytes {
			return nil
		}
		if err := q.submit(); err != nil {
			return err
		}
	}
}

// record puts a checked launch into the open batch.
func (s stream) record(p *program, buffers []*buffer, l backend.Launch) error {
	q := &s.d.queue
	set, fresh, err := p.set(buffers, &l)
	if err != nil {
		return err
	}
	conflict := false
	for i, b := range buffers {
		conflict = conflict || q.conflicts(b, p.src.Bindings[i].Access)
	}
	barrier := q.order(conflict)
	for i, b := range buffers {
		q.touch(b, p.src.Bindings[i].Access)
	}
	offset := 0
	if words := p.words(buffers, &l); len(words) > 0 {
		offset = q.words(words)
	}
	s.d.dispatch(q.open.commands, p, set, buffers, l, dispatching{barrier: barrier, update: fresh, uniform: q.uniform, offset: offset})
	p.Last = q.open.seq
	return q.recorded(false)
}

// dispatching is how a dispatch is recorded.
type dispatching struct {
	barrier, update bool   // a barrier before it; its set is to be written
	uniform         *chunk // where its words are
	offset          int
}

// dispatch records a dispatch.
func (d *device) dispatch(commands vk.CommandBuffer, p *program, set C.uint64_t, buffers []*buffer, l backend.Launch, how dispatching) {
	a := d.args
	a.barrier, a.update = flag(how.barrier), flag(how.update)
	for i, b := range buffers {
		from := l.RangeOf(i).Offset
		a.buffers[i], a.offsets[i] = number(b.handle), C.uint64_t(from)
		a.ranges[i] = C.uint64_t(min(int64(b.size)-from, d.caps.MaxBindingBytes))
	}
	a.device, a.commands = pointer(d.handle), pointer(commands)
	a.pipeline, a.layout, a.set = p.pipe.pipeline, p.pipe.layout, set
	a.count, a.words = C.uint32_t(len(buffers)), C.uint32_t(uniformWords(&p.src))
	a.uniform, a.offset = 0, C.uint32_t(how.offset)
	if how.uniform != nil {
		a.uniform = number(how.uniform.handle)
	}
	a.x, a.y, a.z = C.uint32_t(l.Grid[0]), C.uint32_t(l.Grid[1]), C.uint32_t(l.Grid[2])
	C.weft_dispatch(d.calls, a)
}

func flag(b bool) C.uint32_t {
	if b {
		return 1
	}
	return 0
}

// Synchronize waits for everything launched so far.
func (s stream) Synchronize() error {
	if err := s.d.lock("synchronize"); err != nil {
		return err
	}
	defer s.d.mu.Unlock()
	if err := s.d.queue.wait(s.d.queue.mark); err != nil {
		return err
	}
	return complaints()
}
