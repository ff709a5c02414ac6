package mesh

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// kind is a collective as users call it.
type kind uint8

const (
	allReduce kind = iota
	allGather
	reduceScatter
	allToAll
	broadcast
	exchange
)

var kinds = [...]struct {
	name     string
	dst, src func(n int) int // how many blocks of the call's count a tensor has
	reduces  bool
}{
	allReduce:     {"all-reduce", one, one, true},
	allGather:     {"all-gather", all, one, false},
	reduceScatter: {"reduce-scatter", one, all, true},
	allToAll:      {"all-to-all", all, all, false},
	broadcast:     {"broadcast", one, one, false},
	exchange:      {"exchange", nil, nil, false},
}

func one(int) int   { return 1 }
func all(n int) int { return n }

func (k kind) String() string { return kinds[k].name }

// call is one collective of a group. Its tensors are dense, one for each member.
type call struct {
	kind      kind
	reduce    Reduction
	elem      weft.DType
	count     int // elements of a block
	root      int
	dst, src  []*weft.Tensor
	transfers []Transfer
	recorders []*weft.Recorder // of the members, if the call is to be recorded
}

// String describes the call as all processes must make it.
func (c *call) String() string {
	s := fmt.Sprintf("%v of %s %v", c.kind, fault.Count(c.count, "element"), c.elem)
	switch {
	case kinds[c.kind].reduces:
		return s + ", " + c.reduce.String()
	case c.kind == broadcast:
		return fmt.Sprintf("%s from rank %d", s, c.root)
	}
	return s
}

// bytes of a block.
func (c *call) bytes() int64 { return int64(c.count) * int64(c.elem.Size()) }

// op is the call's name in errors.
func (c *call) op() string { return "mesh: " + c.kind.String() }

// tensors that the call uses, each once.
func (c *call) tensors() []*weft.Tensor {
	list := slices.Concat(c.dst, c.src)
	for _, t := range c.transfers {
		list = append(list, t.Dst, t.Src)
	}
	var once []*weft.Tensor
	for _, t := range list {
		if t != nil && !slices.Contains(once, t) {
			once = append(once, t)
		}
	}
	return once
}

// run checks a call, makes its tensors dense, and starts it.
func (g *Group) run(c *call) error {
	if err := g.usable(c.op()); err != nil {
		return err
	}
	d := densities{}
	defer d.close()
	if err := g.ready(c, &d); err != nil {
		g.refuse(c, err)
		return err
	}
	if err := g.start(c); err != nil {
		return err
	}
	return d.copyBack()
}

// ready checks a call and makes its tensors dense.
func (g *Group) ready(c *call, d *densities) error {
	if err := g.checkCall(c); err != nil {
		return err
	}
	var err error
	if c.src, err = d.inputs(c.src); err != nil {
		return err
	}
	if c.dst, err = d.outputs(c.dst); err != nil {
		return err
	}
	for i := range c.transfers {
		t := &c.transfers[i]
		if t.Src, err = d.input(t.Src); err != nil {
			return err
		}
		if t.Dst, err = d.output(t.Dst); err != nil {
			return err
		}
	}
	return nil
}

// start starts a checked call on dense tensors.
func (g *Group) start(c *call) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	if err := g.compare(c); err != nil {
		return err
	}
	if c.count == 0 {
		return nil
	}
	c.recorders = g.capture.of(g, c)
	g.watch.enter(g, c)
	defer g.watch.leave()
	if err := g.engine.start(c); err != nil {
		return g.startFailed(c, err)
	}
	return g.watch.note(g, c)
}

// checkCall checks what can be checked here: the types, shapes and devices of all members' tensors.
func (g *Group) checkCall(c *call) error {
	if c.kind == exchange {
		return g.checkTransfers(c)
	}
	if err := g.checkLists(c); err != nil {
		return err
	}
	fail := func(sentinel error, arg string, format string, args ...any) error {
		return fault.New(sentinel, c.op(), format, args...).For(arg)
	}
	first := c.dst[0]
	c.elem = first.DType()
	blocks := kinds[c.kind].dst(g.world)
	if first.Len()%blocks != 0 || blocks > 1 && (first.Rank() == 0 || first.Dim(0)%blocks != 0) {
		return fail(fault.ErrShape, "dst", "shape %v has no %d equal parts along dimension 0", first.Shape(), blocks)
	}
	c.count = first.Len() / blocks
	if kinds[c.kind].reduces {
		if c.elem == dtype.Bool {
			return fail(fault.ErrArgument, "dst", "the tensor holds %v, which has no %v", c.elem, c.reduce)
		}
		if c.reduce > Min {
			return fail(fault.ErrArgument, "r", "the %v is unknown", c.reduce)
		}
	}
	for i := range g.devices {
		for _, x := range []struct {
			name   string
			t      *weft.Tensor
			blocks int
		}{{"dst", c.dst[i], blocks}, {"src", c.src[i], kinds[c.kind].src(g.world)}} {
			switch {
			case x.t.Device() != g.devices[i]:
				return fail(fault.ErrDevice, x.name, "the tensor of rank %d is on %v, want %v", g.ranks[i], x.t.Device(), g.devices[i])
			case x.t.DType() != c.elem:
				return fail(fault.ErrArgument, x.name, "the tensor of rank %d holds %v, that of rank %d %v", g.ranks[i], x.t.DType(), g.ranks[0], c.elem)
			case x.t.Len() != c.count*x.blocks || x.blocks > 1 && (x.t.Rank() == 0 || x.t.Dim(0)%x.blocks != 0):
				return fail(fault.ErrShape, x.name, "the tensor of rank %d has shape %v, want %s in %s", g.ranks[i], x.t.Shape(),
					fault.Count(c.count*x.blocks, "element"), fault.Count(x.blocks, "equal part"))
			case x.name == "dst" && !x.t.Layout().IsInjective():
				return fail(fault.ErrUnsupported, x.name, "the layout %v repeats elements, so it cannot be written", x.t.Layout())
			}
		}
		if c.dst[i].Overlaps(c.src[i]) && !sameView(c, i) {
			return fail(fault.ErrUnsupported, "dst", "the tensor of rank %d overlaps src without being the same view", g.ranks[i])
		}
	}
	return nil
}

// sameView reports whether a member's result is where its operand is, which all-reduce and broadcast allow.
func sameView(c *call, i int) bool {
	return (c.kind == allReduce || c.kind == broadcast) && slices.Equal(c.dst[i].Layout().Strides(), c.src[i].Layout().Strides()) &&
		slices.Equal(c.dst[i].Shape(), c.src[i].Shape()) && c.dst[i].Layout().Offset() == c.src[i].Layout().Offset()
}

// checkLists checks that there is one tensor for each member.
func (g *Group) checkLists(c *call) error {
	for _, list := range []struct {
		name    string
		tensors []*weft.Tensor
	}{{"dst", c.dst}, {"src", c.src}} {
		if len(list.tensors) != len(g.devices) {
			return fault.New(fault.ErrArgument, c.op(), "%s given, the group has %s here", fault.Count(len(list.tensors), "tensor"),
				fault.Count(len(g.devices), "device")).For(list.name)
		}
		for i, t := range list.tensors {
			if t == nil {
				return fault.New(fault.ErrArgument, c.op(), "the tensor of rank %d is nil", g.ranks[i]).For(list.name)
			}
			if t.Closed() {
				return fault.New(fault.ErrClosed, c.op(), "the tensor of rank %d or its device is closed", g.ranks[i]).For(list.name)
			}
		}
	}
	if c.root < 0 || c.root >= g.world {
		return fault.New(fault.ErrArgument, c.op(), "rank %d of a group of %d", c.root, g.world).For("root")
	}
	return nil
}

// partsOf are the parts of the members, for a backend's library.
func (g *Group) partsOf(c *call, at func(*weft.Tensor) weft.BufferSpan) (parts []backend.Part) {
	part := func(kind backend.CollectiveKind, member, peer int, dst, src *weft.Tensor, to, from int64) {
		p := backend.Part{Kind: kind, Reduce: c.reduce, Elem: c.elem, Count: c.count, Member: member, Peer: peer}
		if dst != nil {
			s := at(dst)
			p.Dst, p.To = s.Buffer, s.Offset+to
		}
		if src != nil {
			s := at(src)
			p.Src, p.From = s.Buffer, s.Offset+from
		}
		parts = append(parts, p)
	}
	native := map[kind]backend.CollectiveKind{allReduce: backend.AllReduce, allGather: backend.AllGather, reduceScatter: backend.ReduceScatter, broadcast: backend.Broadcast}
	for i := range c.dst {
		if c.kind != allToAll {
			part(native[c.kind], i, c.root, c.dst[i], c.src[i], 0, 0)
			continue
		}
		for peer := range g.world {
			part(backend.Send, i, peer, nil, c.src[i], 0, int64(peer)*c.bytes())
			part(backend.Receive, i, peer, c.dst[i], nil, int64(peer)*c.bytes(), 0)
		}
	}
	for _, t := range c.transfers {
		c := &call{elem: t.elem(), count: t.len()}
		if i := slices.Index(g.ranks, t.From); i >= 0 {
			parts = append(parts, backend.Part{Kind: backend.Send, Elem: c.elem, Count: c.count, Member: i, Peer: t.To, Src: at(t.Src).Buffer, From: at(t.Src).Offset})
		}
		if i := slices.Index(g.ranks, t.To); i >= 0 {
			parts = append(parts, backend.Part{Kind: backend.Receive, Elem: c.elem, Count: c.count, Member: i, Peer: t.From, Dst: at(t.Dst).Buffer, To: at(t.Dst).Offset})
		}
	}
	return parts
}
