//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include "shim.h"
*/
import "C"

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// stream is the device's one queue as users see it.
type stream struct{ d *device }

// Launch records a dispatch; see the package's comment for when it runs.
func (s stream) Launch(prog backend.Program, l backend.Launch) error {
	p, ok := prog.(*program)
	if !ok || p.d != s.d {
		return fault.New(fault.ErrDevice, "launch", "the program is not of device %s:%d", s.d.info.Backend, s.d.info.Index)
	}
	op := "launch " + p.src.Entry
	empty, err := backend.CheckLaunch(p.src, s.d.caps, l)
	if err != nil {
		return err
	}
	var storage [C.weft_max_bindings]*buffer
	buffers := storage[:len(l.Buffers)]
	for i, b := range l.Buffers {
		if buffers[i], ok = b.(*buffer); !ok || buffers[i].d != s.d {
			return fault.New(fault.ErrDevice, op, "the buffer is not of device %s:%d", s.d.info.Backend, s.d.info.Index).For(p.src.Bindings[i].Name)
		}
	}
	if err := s.d.lock(op); err != nil {
		return err
	}
	defer s.d.mu.Unlock()
	if !empty {
		if err := s.room(len(l.Words)); err != nil {
			return err
		}
	}
	if p.closed {
		return fault.New(fault.ErrClosed, op, "the program is closed")
	}
	for i, b := range buffers {
		if b.closed {
			return fault.New(fault.ErrClosed, op, "the buffer is closed").For(p.src.Bindings[i].Name)
		}
	}
	if empty {
		return nil
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
	q, a := &s.d.queue, s.d.args
	set, fresh, err := p.set(buffers)
	if err != nil {
		return err
	}
	conflict := false
	for i, b := range buffers {
		conflict = conflict || q.conflicts(b, p.src.Bindings[i].Access)
	}
	a.barrier, a.update = flag(q.order(conflict)), flag(fresh)
	for i, b := range buffers {
		q.touch(b, p.src.Bindings[i].Access)
		a.buffers[i], a.ranges[i] = number(b.handle), C.uint64_t(min(uint64(b.size), uint64(s.d.caps.MaxBindingBytes)))
	}
	a.device, a.commands = pointer(s.d.handle), pointer(q.open.commands)
	a.pipeline, a.layout, a.set = p.pipe.pipeline, p.pipe.layout, set
	a.count, a.words = C.uint32_t(len(buffers)), C.uint32_t(len(l.Words))
	a.uniform, a.offset = number(q.uniform.handle), 0
	if len(l.Words) > 0 {
		a.offset = C.uint32_t(q.words(l.Words))
	}
	a.x, a.y, a.z = C.uint32_t(l.Grid[0]), C.uint32_t(l.Grid[1]), C.uint32_t(l.Grid[2])
	C.weft_dispatch(s.d.calls, a)
	p.last = q.open.seq
	return q.recorded(false)
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
