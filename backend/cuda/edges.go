//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"slices"
	"unsafe"

	"github.com/weftgpu/weft/backend"
)

// node is a node of a graph that is being made.
type node struct {
	handle uintptr
	kernel bool
	after  []int // the nodes that it has edges from
}

// edgeData is the CUgraphEdgeData of cuda.h.
type edgeData struct {
	fromPort, toPort, kind uint8
	_                      [5]uint8
}

// programmatic is both CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC and CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC: the node may start when the other one's
// workgroups have ended, or let it, and waits by itself until the node has ended.
const programmatic = 1

// connect adds a node that is to run after others, and returns its number. make is given the nodes that it has plain edges from.
//
// A kernel that waits by itself has programmatic edges if all that it runs after is kernels. All its threads wait until those have ended, so that what
// runs after it runs after those as well, as it does in the stream. The kernels themselves may be of either sort: one that waits for nothing starts
// after the whole nodes before it.
func (g *graph) connect(template uintptr, after []int, kernel, dependent bool, make func(made *uintptr, from []uintptr) error) (number int, err error) {
	after = g.last(after)
	from := g.handles(after)
	n := node{kernel: kernel, after: after}
	early := dependent && g.dev.lib.GraphAddDependencies2.addr != 0 &&
		!slices.ContainsFunc(after, func(i int) bool { return !g.nodes[i].kernel })
	if !early {
		err = make(&n.handle, from)
	} else if err = make(&n.handle, nil); err == nil {
		err = g.edges(template, from, n.handle)
	}
	g.nodes = append(g.nodes, n)
	return len(g.nodes) - 1, err
}

// edges adds programmatic edges to a node.
func (g *graph) edges(template uintptr, from []uintptr, node uintptr) error {
	if len(from) == 0 {
		return nil
	}
	to, data := slices.Repeat([]uintptr{node}, len(from)), slices.Repeat([]edgeData{{fromPort: programmatic, kind: programmatic}}, len(from))
	// conversions that stand in the call keep what they point at
	return g.dev.call(&g.dev.lib.GraphAddDependencies2, template, uintptr(unsafe.Pointer(unsafe.SliceData(from))), uintptr(unsafe.Pointer(unsafe.SliceData(to))),
		uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(from)))
}

func (g *graph) handles(numbers []int) (list []uintptr) {
	for _, n := range numbers {
		list = append(list, g.nodes[n].handle)
	}
	return list
}

// last leaves out the nodes, given in order, that others of the list run after: an edge from one keeps a kernel from starting before the node that it
// has a programmatic edge from has ended.
func (g *graph) last(list []int) (kept []int) {
	if len(list) < 2 {
		return list
	}
	before := map[int]bool{} // nodes that run before one of the list
	for i := list[len(list)-1]; i > list[0]; i-- {
		if _, listed := slices.BinarySearch(list, i); listed || before[i] {
			for _, n := range g.nodes[i].after {
				before[n] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(n int) bool { return before[n] })
}

// hazards says which nodes of a graph a node has to wait for, by their numbers.
type hazards struct {
	wrote map[backend.Buffer]int   // the last node that writes a buffer
	read  map[backend.Buffer][]int // those that have read it since
}

// before lists the nodes before one with the given buffers, in order.
func (h *hazards) before(bindings []backend.Binding, buffers []backend.Buffer) (nodes []int) {
	for i, b := range buffers {
		if node, ok := h.wrote[b]; ok {
			nodes = append(nodes, node)
		}
		if bindings[i].Access != backend.Read {
			nodes = append(nodes, h.read[b]...)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// after notes a node. A binding of which nothing is said is written.
func (h *hazards) after(node int, bindings []backend.Binding, buffers []backend.Buffer) {
	if h.wrote == nil {
		h.wrote, h.read = map[backend.Buffer]int{}, map[backend.Buffer][]int{}
	}
	for i, b := range buffers {
		if bindings[i].Access == backend.Read {
			h.read[b] = append(h.read[b], node)
		} else {
			h.wrote[b], h.read[b] = node, nil
		}
	}
}
