//go:build cgo || js

package webgpu

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// Sequence checks the launches, which are encoded anew each time: WebGPU's command buffers serve
// once, and its bundles hold no compute passes. Their bind groups are made once, and many of them share a submission.
func (s stream) Sequence(steps []backend.Step) (backend.Sequence, error) {
	d := s.d
	if err := d.enter("sequence"); err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	for _, step := range steps {
		p, ok := step.Program.(*program)
		if !ok || p == nil || p.device != d {
			return nil, backend.Foreign("launch", "program", "p", step.Program, d.Info())
		}
		if _, err := backend.CheckLaunch(p.src, d.caps, step.Launch); err != nil {
			return nil, err
		}
		if p.closed {
			return nil, fault.New(fault.ErrClosed, "launch "+p.src.Entry, "the program is closed")
		}
		if _, err := d.storage(p, step.Launch.Buffers); err != nil {
			return nil, err
		}
	}
	return backend.Loop(s, steps), nil
}
