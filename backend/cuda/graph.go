//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// kernelNode is the CUDA_KERNEL_NODE_PARAMS of cuda.h, with the two fields after it that the second version
// added and that are null here.
type kernelNode struct {
	function      uintptr
	grid, block   [3]uint32
	shared        uint32
	params, extra uintptr
	kernel, ctx   uintptr
}

// graph is a sequence as an executable graph.
type graph struct {
	resource
	exec   uintptr   // CUgraphExec, 0 if there is nothing to do
	launch []uintptr // the arguments of cuGraphLaunch
	nodes  []node    // as they were added
	users  []bound
	latest *program
	works  bool // there are parts of collectives
}

// bound is what a launch of a graph uses.
type bound struct {
	program *program
	buffers []*buffer
}

// Sequence implements backend.Stream by a graph. Its kernels wait for those before them that write what they use, or
// use what they write, and for no others. Kernels that wait by themselves may start before those have ended, see connect.
func (s stream) Sequence(steps []backend.Step) (backend.Sequence, error) {
	const op = "cuda: sequence"
	d := s.dev
	add := &d.lib.GraphAddKernelNode2
	if add.addr == 0 {
		add = &d.lib.GraphAddKernelNode
	}
	for _, p := range []*proc{add, &d.lib.GraphCreate, &d.lib.GraphInstantiate, &d.lib.GraphLaunch} {
		if p.addr == 0 { // a driver before CUDA 11.4
			return backend.Loop(s, steps), nil
		}
	}
	if err := d.enter(op); err != nil {
		return nil, err
	}
	defer d.leave()
	var template uintptr
	if err := d.call(&d.lib.GraphCreate, uintptr(unsafe.Pointer(&template)), 0); err != nil {
		return nil, err
	}
	defer d.call(&d.lib.GraphDestroy, template)
	g := &graph{}
	g.resource = resource{dev: d, what: "sequence", destroy: g.free}
	var order hazards
	for _, step := range steps {
		if err := g.add(template, add, &order, step); err != nil {
			return nil, err
		}
	}
	g.nodes = nil
	if g.latest != nil || g.works {
		if err := d.call(&d.lib.GraphInstantiate, uintptr(unsafe.Pointer(&g.exec)), template, 0); err != nil {
			return nil, err
		}
		g.launch = []uintptr{g.exec, d.queue}
	}
	if err := d.adopt(&g.resource); err != nil {
		return nil, err
	}
	return g, nil
}

// add checks a launch and adds its node to the graph that is being made.
func (g *graph) add(template uintptr, add *proc, order *hazards, step backend.Step) error {
	d := g.dev
	if step.Work != nil {
		return g.addWork(template, order, step.Work)
	}
	l := step.Launch
	prog, buffers, empty, err := backend.OwnLaunch[*program](d, d.info, &d.caps, step.Program, l, []*buffer(nil))
	if err != nil {
		return err
	}
	d.mu.Lock() // of the program's slots, too
	defer d.mu.Unlock()
	if err := prog.bind(buffers, &l); err != nil || empty {
		return err
	}
	g.latest, g.users = prog, append(g.users, bound{prog, buffers})
	params := kernelNode{
		function: prog.function,
		grid:     [3]uint32{uint32(l.Grid[0]), uint32(l.Grid[1]), uint32(l.Grid[2])},
		block:    [3]uint32{uint32(prog.src.Threads), 1, 1},
		shared:   uint32(prog.src.Dynamic),
		params:   addr(prog.params),
		extra:    addr(prog.extra),
	}
	number, err := g.connect(template, order.before(prog.src.Bindings, l.Buffers), true, prog.src.Dependent, func(made *uintptr, from []uintptr) error {
		return d.call(add, uintptr(unsafe.Pointer(made)), template, uintptr(unsafe.Pointer(unsafe.SliceData(from))), uintptr(len(from)), uintptr(unsafe.Pointer(&params)))
	})
	if err == nil {
		order.after(number, prog.src.Bindings, l.Buffers)
	}
	return err
}

// addWork adds a part of a collective as a graph within the graph. Parts keep their order among themselves, as other devices do.
func (g *graph) addWork(template uintptr, order *hazards, step backend.Work) error {
	d := g.dev
	var buffers []backend.Buffer
	var bindings []backend.Binding
	_, empty := step.(backend.Order)
	w, own := step.(*work)
	switch {
	case empty && d.lib.GraphAddEmptyNode.addr == 0:
		return fault.New(fault.ErrUnsupported, "cuda: sequence", "the driver (%v) is too old", d.lib)
	case !empty && (!own || w.dev != d):
		return fault.New(fault.ErrDevice, "cuda: sequence", "the work belongs to another device")
	case !empty:
		buffers, bindings = []backend.Buffer{nil}, make([]backend.Binding, 1) // nil stands for what keeps the parts in order
	}
	g.works = true
	for _, u := range step.Uses() {
		buffers, bindings = append(buffers, u.Buffer), append(bindings, backend.Binding{Access: u.Access})
	}
	number, err := g.connect(template, order.before(bindings, buffers), false, false, func(made *uintptr, from []uintptr) error {
		if empty {
			return d.call(&d.lib.GraphAddEmptyNode, uintptr(unsafe.Pointer(made)), template, uintptr(unsafe.Pointer(unsafe.SliceData(from))), uintptr(len(from)))
		}
		return d.call(&d.lib.GraphAddChildGraphNode, uintptr(unsafe.Pointer(made)), template, uintptr(unsafe.Pointer(unsafe.SliceData(from))), uintptr(len(from)), w.graph)
	})
	if err == nil {
		order.after(number, bindings, buffers)
	}
	return err
}

// Launch implements backend.Sequence.
func (g *graph) Launch() error {
	const op = "cuda: launch of a sequence"
	d := g.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := g.usable(op); err != nil {
		return err
	}
	for _, u := range g.users {
		if err := backend.OpenLaunch(u.program, u.buffers); err != nil {
			return err
		}
	}
	if g.exec == 0 {
		return nil
	}
	if g.latest != nil {
		d.last.Store(g.latest)
	}
	return d.call(&d.lib.GraphLaunch, g.launch...)
}

// free destroys the graph, which the driver does when it has run.
func (g *graph) free() error {
	if g.exec == 0 {
		return nil
	}
	return g.dev.call(&g.dev.lib.GraphExecDestroy, g.exec)
}
