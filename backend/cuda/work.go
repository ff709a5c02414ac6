//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"slices"
	"unsafe"

	"github.com/weftgpu/weft/backend"
)

// work is a step that is no launch, such as a device's part of a collective, captured as a graph.
type work struct {
	dev   *device
	graph uintptr // CUgraph
	exec  uintptr // CUgraphExec, once it was started by itself
	uses  []backend.Use
}

func (w *work) use(b backend.Buffer, access backend.Access) { w.uses = backend.Uses(w.uses, b, access) }

// Uses implements backend.Work.
func (w *work) Uses() []backend.Use { return slices.Clone(w.uses) }

// Start implements backend.Work.
func (w *work) Start() error {
	d := w.dev
	if err := d.enter("cuda: start of a collective"); err != nil {
		return err
	}
	defer d.leave()
	if w.exec == 0 {
		if err := d.call(&d.lib.GraphInstantiate, uintptr(unsafe.Pointer(&w.exec)), w.graph, 0); err != nil {
			return err
		}
	}
	return d.call(&d.lib.GraphLaunch, w.exec, d.queue)
}

// Close implements backend.Work.
func (w *work) Close() error {
	d := w.dev
	if err := d.enter("cuda: close"); err != nil {
		return nil // its context has gone
	}
	defer d.leave()
	if w.exec != 0 {
		d.call(&d.lib.GraphExecDestroy, w.exec)
	}
	if w.graph != 0 {
		d.call(&d.lib.GraphDestroy, w.graph)
	}
	w.exec, w.graph = 0, 0
	return nil
}
