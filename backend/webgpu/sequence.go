//go:build cgo || js

package webgpu

import (
	"github.com/weftgpu/weft/backend"
)

// Sequence checks the launches, which are encoded anew each time: WebGPU's command buffers serve
// once, and its bundles hold no compute passes. Their bind groups are made once, and many of them share a submission.
func (s stream) Sequence(steps []backend.Step) (backend.Sequence, error) {
	d := s.d
	if err := d.mu.Enter("sequence"); err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	for _, step := range steps {
		p, storage, _, err := backend.OwnLaunch[*program](d, d.info, &d.caps, step.Program, step.Launch, []*buffer(nil))
		if err == nil {
			err = backend.OpenLaunch(p, storage)
		}
		if err != nil {
			return nil, err
		}
	}
	return backend.Loop(s, steps), nil
}
