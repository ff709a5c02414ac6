package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"
	"github.com/pkg/errors"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
)

// storageKind says whose memory a storage is.
type storageKind uint8

const (
	temporary storageKind = iota // of the execution
	input                        // of a parameter's buffer
	constant                     // of the executable
	output                       // of a result's buffer
)

// storage is memory that steps read and write.
type storage struct {
	kind        storageKind
	index       int // which input, constant or output, or the slot of a temporary
	elem        weft.DType
	len         int // elements
	first, last int // the steps that write it first, -1 for what is there before, and that use it last
}

// operand is elements of a storage in a layout.
type operand struct {
	*storage
	layout layout.Layout
}

// dims are the sizes of an operand.
func (o operand) dims() []int { return o.layout.Shape() }

// whole reports whether an operand is all of its storage, in order.
func (o operand) whole() bool {
	return o.layout.IsContiguous() && o.layout.Offset() == 0 && o.layout.Len() == o.len
}

// step launches kernels that compute operands from others.
type step struct {
	op      backends.OpType // for errors
	out, in []operand
	// inPlace says that each element of an output is computed from those at the same place, so that an
	// input of the same layout may be in the same memory.
	inPlace bool
	run     func(out, in []*weft.Tensor) error
}

// plan is what an execution does.
type plan struct {
	steps     []step
	storages  []*storage
	constants []*weft.Tensor
	inputs    []*storage // of the parameters
	outputs   []*storage
	slots     []slot
}

// planner makes a plan of a graph.
type planner struct {
	*plan
	dev       *weft.Device
	b         *Builder
	live      []bool      // by node
	consumers [][]*node   // by node, live ones
	root      []*node     // by node: the element-wise op whose kernel computes it too, or itself
	members   [][]*node   // by root: the nodes of its kernel
	placed    [][]operand // by node: the elements of its results
	epilogues []*node     // by root: the product whose epilogue its kernel is
	joined    [][]*node   // by root: others that its kernel computes, too
	deferred  []bool      // by node: whether what uses it places it
}

// newPlan plans a computation on a device.
func newPlan(dev *weft.Device, b *Builder) (*plan, error) {
	b.dedupe()
	p := &planner{plan: &plan{}, dev: dev, b: b}
	p.analyse()
	p.fuse()
	p.findEpilogues()
	p.findProducts()
	p.findJoined()
	for i, n := range b.params {
		s := p.storage(input, n.elem(), n.shape.Size())
		s.index, s.first = i, -1
		p.inputs = append(p.inputs, s)
		o, err := p.dense(s, n.shape.Dimensions)
		if err != nil {
			return nil, p.failed(n, err)
		}
		p.placed[n.id] = []operand{o}
	}
	for _, n := range b.nodes {
		if !p.live[n.id] || p.placed[n.id] != nil || p.root[n.id] != n || p.deferred[n.id] {
			continue
		}
		out, err := p.place(n)
		if err != nil {
			p.close()
			return nil, p.failed(n, err)
		}
		p.placed[n.id] = out
	}
	if err := p.placeOutputs(); err != nil {
		p.close()
		return nil, err
	}
	p.findLifetimes()
	p.assignSlots()
	return p.plan, nil
}

// close frees the constants.
func (p *plan) close() {
	for _, t := range p.constants {
		_ = t.Close()
	}
	p.constants = nil
}

// failed names the op that could not be planned.
func (p *planner) failed(n *node, err error) error {
	return errors.WithMessagef(err, "weft: %s of shape %s in computation %q", n.op, n.shape, p.b.name)
}

// analyse finds what the outputs need, and who uses what.
func (p *planner) analyse() {
	n := len(p.b.nodes)
	p.live, p.consumers, p.placed = make([]bool, n), make([][]*node, n), make([][]operand, n)
	for _, out := range p.b.outputs {
		p.live[out.id] = true
	}
	for _, n := range slices.Backward(p.b.nodes) { // inputs come before what uses them
		if !p.live[n.id] {
			continue
		}
		for _, in := range n.in {
			p.live[in.id] = true
			if !slices.Contains(p.consumers[in.id], n) {
				p.consumers[in.id] = append(p.consumers[in.id], n)
			}
		}
	}
}

// place appends the steps that compute a node and returns where its results are.
func (p *planner) place(n *node) ([]operand, error) {
	if r, ok := n.attrs.(result); ok {
		return []operand{p.placed[n.in[0].id][r]}, nil
	}
	if l, ok := lowerings[n.op]; ok {
		return l(p, n)
	}
	one := func(o operand, err error) ([]operand, error) { return []operand{o}, err }
	switch {
	case n.isElementwise():
		return one(p.placeGroup(n))
	case isView(n.op):
		return one(p.placeView(n))
	}
	return nil, errors.New("the op is not supported")
}

// in is the operand of an input of a node.
func (p *planner) in(n *node, i int) operand { return p.placed[n.in[i].id][0] }

// storage adds a storage.
func (p *planner) storage(kind storageKind, elem weft.DType, length int) *storage {
	s := &storage{kind: kind, elem: elem, len: length, first: -1, last: -1}
	p.storages = append(p.storages, s)
	return s
}

// dense is all of a storage.
func (p *planner) dense(s *storage, dims []int) (operand, error) {
	l, err := layout.Contiguous(dims...)
	return operand{s, l}, err
}

// temp is a new temporary.
func (p *planner) temp(elem weft.DType, dims ...int) (operand, error) {
	size := 1
	for _, n := range dims {
		size *= n
	}
	return p.dense(p.storage(temporary, elem, size), dims)
}

// result is a new temporary for a node.
func (p *planner) result(n *node) (operand, error) { return p.temp(n.elem(), n.shape.Dimensions...) }

// emit appends a step.
func (p *planner) emit(n *node, run func(out, in []*weft.Tensor) error, out operand, in ...operand) {
	p.steps = append(p.steps, step{op: n.op, out: []operand{out}, in: in, run: run})
}

// copy appends a copy, which broadcasts and converts.
func (p *planner) copy(n *node, out, in operand) {
	if out.layout.Len() == 0 {
		return
	}
	if out.elem != in.elem && p.b.backend.pairs && (isWide(out.elem) || isWide(in.elem)) {
		p.emitCode(n, []instruction{{backends.OpTypeConvertDType, out.elem, []source{{input: true}}}}, out, in)
		return
	}
	p.emit(n, func(out, in []*weft.Tensor) error { return out[0].CopyFrom(in[0]) }, out, in)
	p.steps[len(p.steps)-1].inPlace = true
}

// contiguous is an operand with its elements in order, copied if they are not.
func (p *planner) contiguous(n *node, x operand) (operand, error) {
	if x.layout.IsContiguous() {
		return x, nil
	}
	out, err := p.temp(x.elem, x.dims()...)
	if err == nil {
		p.copy(n, out, x)
	}
	return out, err
}

// reshape gives an operand other sizes; it is copied where strides cannot say that.
func (p *planner) reshape(n *node, x operand, dims ...int) (operand, error) {
	if l, err := x.layout.Reshape(dims...); err == nil {
		return operand{x.storage, l}, nil
	}
	x, err := p.contiguous(n, x)
	if err != nil {
		return x, err
	}
	l, err := x.layout.Reshape(dims...)
	return operand{x.storage, l}, err
}

// permute reorders the dimensions of an operand.
func permute(x operand, axes ...int) (operand, error) {
	l, err := x.layout.Permute(axes...)
	return operand{x.storage, l}, err
}

// placeOutputs makes the storages of results those of outputs, by a copy where a result is a view, an input, a constant,
// or another output.
func (p *planner) placeOutputs() error {
	for i, n := range p.b.outputs {
		o := p.placed[n.id][0]
		if o.kind != temporary || !o.whole() {
			s := p.storage(temporary, o.elem, n.shape.Size())
			out, err := p.dense(s, n.shape.Dimensions)
			if err != nil {
				return p.failed(n, err)
			}
			p.copy(n, out, o)
			o = out
		}
		o.kind, o.index = output, i
		p.outputs = append(p.outputs, o.storage)
	}
	return nil
}
