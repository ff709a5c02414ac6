package mesh

import (
	"errors"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/ops"
)

// AllGatherMatMul multiplies the rows that all ranks have together with a matrix of each rank's own: a is a rank's [m,K], b its [K,N], and out, its
// [ranks·m,N], is the product of all a, one after the other, with b. It is AllGather and ops.MatMul in one: each rank multiplies its own rows while those of
// others are copied to it, and each part as soon as it is there. Where that should take longer, because the products are short or because the host has to start all of it,
// it is AllGather and one product for each rank. A call that is captured takes the host no time, and one that is made again on the same memory, without options, one launch
// for each rank.
//
// The options are those of ops.MatMul for any part of the rows: its epilogues, whose tensors are the same for all rows, and types.
//
// Errors: those of AllGather and ops.MatMul.
func (g *Group) AllGatherMatMul(out, a, b []*weft.Tensor, options ...ops.MatMulOption) error {
	return g.allGatherMatMul(out, a, b, nil, options)
}

// allGatherMatMul is AllGatherMatMul, with an activation if it is not nil.
func (g *Group) allGatherMatMul(out, a, b []*weft.Tensor, activation *weft.Map, options []ops.MatMulOption) error {
	p, err := g.product("mesh: all-gather and matmul", out, a, b, 1)
	if err != nil {
		return err
	}
	defer p.close()
	if len(options) == 0 { // what others are cannot be told
		gather := func(q *product) error { return q.recordGather(fused(activation)) }
		if done, err := p.again(gathers, activation, gather); done {
			return err
		}
	}
	options = append(fused(activation), options...)
	switch {
	case !p.overlaps() || p.decided().first[p.how()]:
		return p.gatherFirst(options)
	case p.recorders != nil:
		return p.recordGather(options)
	}
	return p.gatherAndMultiply(options)
}

// MatMulReduceScatter sums products over all ranks and gives each its part of the rows: a is a rank's [M,K], b its [K,N], and out, its [M/ranks,N], is its rows of
// the sum of all a @ b. It is ops.MatMul and ReduceScatter in one: each rank multiplies the rows of others first, which are copied while it goes on, and adds what others
// have for it in the product of its own. Where that should take longer it is one product for each rank and ReduceScatter, as with AllGatherMatMul. Sums of 16-bit
// floats are rounded once for each rank.
//
// Errors: those of ops.MatMul and ReduceScatter.
func (g *Group) MatMulReduceScatter(out, a, b []*weft.Tensor) error {
	const op = "mesh: matmul and reduce-scatter"
	if err := g.usable(op); err != nil {
		return err
	}
	p, err := g.product(op, out, a, b, g.Size())
	if err != nil {
		return err
	}
	defer p.close()
	if done, err := p.again(scatters, nil, (*product).recordScatter); done {
		return err
	}
	switch {
	case !p.overlaps() || p.decided().last[p.how()]:
		return p.scatterAfter()
	case p.recorders != nil:
		return p.recordScatter()
	}
	return p.multiplyAndScatter()
}

// product is one call of a product that overlaps with communication.
type product struct {
	g          *Group
	op         string
	out, a, b  []*weft.Tensor
	rows, n, k int // of a rank's part of the rows
	lanes      []*lane
	recorders  []*weft.Recorder // of the members, if the call is to be recorded
	shared     *capture         // whose memory a recording uses; nil for the group's
	dense      densities
	own        []*weft.Tensor // products of the members' own rows, where they are added apart

	mu        sync.Mutex // of what the members add to
	temporary []*weft.Tensor
	rooms     []*weft.Tensor // of a call that is recorded
	events    []backend.Event
}

// overlaps reports whether the members reach each other, and have rows.
func (p *product) overlaps() bool {
	if p.recorders != nil {
		return p.recordable()
	}
	return p.lanes != nil && p.rows > 0
}

// how is 1 for a call that is recorded.
func (p *product) how() int {
	if p.recorders != nil {
		return 1
	}
	return 0
}

// decided is what is decided for the call.
func (p *product) decided() *decisions {
	p.g.mu.Lock()
	defer p.g.mu.Unlock()
	return p.decide()
}

// lane is what a member needs to work with the others.
type lane struct {
	peers  backend.Peers
	copies backend.CopyQueue
}

// product checks a call. parts is how many parts of rows a has; out then has the other number.
func (g *Group) product(op string, out, a, b []*weft.Tensor, parts int) (*product, error) {
	if err := g.usable(op); err != nil {
		return nil, err
	}
	for name, list := range map[string][]*weft.Tensor{"out": out, "a": a, "b": b} {
		c := &call{kind: exchange, dst: list, src: list}
		if err := g.checkLists(c); err != nil {
			return nil, renamed(err, op, name)
		}
		for i, t := range list {
			switch {
			case t.Device() != g.devices[i]:
				return nil, fault.New(fault.ErrDevice, op, "the tensor of rank %d is on %v, want %v", g.ranks[i], t.Device(), g.devices[i]).For(name)
			case t.Rank() != 2:
				return nil, fault.New(fault.ErrShape, op, "the tensor of rank %d has shape %v, want a matrix", g.ranks[i], t.Shape()).For(name)
			case t.DType() != list[0].DType():
				return nil, fault.New(fault.ErrArgument, op, "the tensor of rank %d holds %v, that of rank %d %v", g.ranks[i], t.DType(), g.ranks[0], list[0].DType()).For(name)
			}
		}
	}
	p := &product{g: g, op: op, out: out, a: a, b: slices.Clone(b), k: a[0].Dim(1), n: b[0].Dim(1)}
	if a[0].Dim(0)%parts != 0 {
		return nil, fault.New(fault.ErrShape, op, "%d rows for %s", a[0].Dim(0), fault.Count(parts, "rank")).For("a")
	}
	p.rows = a[0].Dim(0) / parts
	for i := range g.devices {
		want := map[string][]int{"a": {p.rows * parts, a[i].Dim(1)}, "b": {a[i].Dim(1), b[i].Dim(1)}, "out": {p.rows * g.world / parts, b[i].Dim(1)}}
		if parts == 1 {
			want["a"][1] = p.k
		} else {
			want["b"][1], want["out"][1] = p.n, p.n
		}
		for name, t := range map[string]*weft.Tensor{"a": a[i], "b": b[i], "out": out[i]} {
			if !slices.Equal(t.Shape(), want[name]) {
				return nil, fault.New(fault.ErrShape, op, "the tensor of rank %d has shape %v, want %v", g.ranks[i], t.Shape(), want[name]).For(name)
			}
		}
		switch {
		case !out[i].Layout().IsInjective():
			return nil, fault.New(fault.ErrUnsupported, op, "the layout %v repeats elements, so it cannot be written", out[i].Layout()).For("out")
		case out[i].Overlaps(a[i]) || out[i].Overlaps(b[i]):
			return nil, fault.New(fault.ErrUnsupported, op, "the tensor of rank %d overlaps a or b, want separate memory", g.ranks[i]).For("out")
		}
	}
	if p.recorders = recordersOf(g, slices.Concat(out, a, b)); p.recorders == nil {
		p.lanes = g.laneList()
	}
	return p, nil
}

// renamed is an error under another op and argument.
func renamed(err error, op, arg string) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	own := *f
	own.Op, own.Arg = op, arg
	return &own
}

// recordersOf are the members' recorders, nil if none of the tensors is to be recorded.
func recordersOf(g *Group, tensors []*weft.Tensor) []*weft.Recorder {
	return g.capture.of(g, &call{dst: tensors})
}

// laneList are the members' lanes, nil where devices do not reach each other or some are in other processes.
func (g *Group) laneList() []*lane {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lanesTried {
		return g.lanes
	}
	g.lanesTried = true
	if g.store != nil || g.host || g.world == 1 {
		return nil
	}
	var devices []backend.Device
	var lanes []*lane
	for _, d := range g.devices {
		devices = append(devices, d.Backend())
	}
	for _, d := range devices {
		peers, can := d.(backend.Peers)
		if !can || peers.Reach(devices) != nil {
			return nil
		}
		lanes = append(lanes, &lane{peers: peers})
	}
	for i, l := range lanes {
		var err error
		if l.copies, err = l.peers.CopyQueue(); err != nil {
			closeLanes(lanes[:i])
			return nil
		}
	}
	g.lanes = lanes
	return lanes
}

func closeLanes(lanes []*lane) error {
	var errs []error
	for _, l := range lanes {
		errs = append(errs, l.copies.Close())
	}
	return errors.Join(errs...)
}

// close frees what the call took. Its memory is used by what is launched later, which is ordered after all copies.
func (p *product) close() {
	for _, e := range p.events {
		_ = e.Close()
	}
	closeAll(p.temporary)
	p.memory().give(p.rooms)
	p.dense.close()
}

// empty is a tensor of the call's own. In a recording, whose calls all keep their memory, the next call has the same.
func (p *product) empty(member int, elem weft.DType, shape ...int) (t *weft.Tensor, err error) {
	count := 1
	for _, n := range shape {
		count *= n
	}
	if p.recorders == nil {
		t, err = weft.Empty(p.g.devices[member], elem, shape...)
	} else if t, err = p.memory().take(room{p.g.devices[member], elem, count}); err == nil {
		p.rooms = append(p.rooms, t)
		t, err = t.Reshape(shape...)
	}
	if err == nil {
		p.keep(t)
	}
	return t, err
}

// memory is what has the memory of recordings.
func (p *product) memory() *capture {
	if p.shared != nil {
		return p.shared
	}
	return p.g.capture
}

// keep has a tensor closed with the call.
func (p *product) keep(t *weft.Tensor) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.temporary = append(p.temporary, t)
}

// mark is an event of a member's stream or copies.
func (p *product) mark(f func() (backend.Event, error)) (backend.Event, error) {
	e, err := f()
	if err == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.events = append(p.events, e)
	}
	return e, err
}

// marks marks all members' streams: what they have started so far.
func (p *product) marks() ([]backend.Event, error) {
	list := make([]backend.Event, len(p.lanes))
	for i, l := range p.lanes {
		var err error
		if list[i], err = p.mark(l.peers.Mark); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// copy copies a dense tensor of one member to that of another, by the queue of one of them, and returns when it is done.
func (p *product) copy(by int, dst, src *weft.Tensor) (done backend.Event, err error) {
	q := p.lanes[by].copies
	err = weft.WithSpans(p.op, []*weft.Tensor{dst, src}, func(s []weft.BufferSpan) error {
		return q.Copy(s[0].Buffer, s[0].Offset, s[1].Buffer, s[1].Offset, bytesOf(dst))
	})
	if err != nil {
		return nil, err
	}
	return p.mark(q.Mark)
}

// part is rows of a matrix from one on.
func part(t *weft.Tensor, from, n int) (*weft.Tensor, error) { return t.Slice(0, from, from+n) }

// multiply multiplies n rows of a from one on, and writes to rows of out from another on.
func multiply(out *weft.Tensor, to int, a *weft.Tensor, from, n int, b *weft.Tensor, options ...ops.MatMulOption) error {
	x, y := a, out
	var err error
	if n < a.Dim(0) {
		if x, err = part(a, from, n); err != nil {
			return err
		}
		defer x.Close()
	}
	if n < out.Dim(0) {
		if y, err = part(out, to, n); err != nil {
			return err
		}
		defer y.Close()
	}
	return ops.MatMulInto(y, x, b, options...)
}

// gatherFirst is the call where devices do not reach each other, or where it takes less time.
func (p *product) gatherFirst(options []ops.MatMulOption) error {
	gathered := make([]*weft.Tensor, len(p.a))
	for i, t := range p.a {
		var err error
		if gathered[i], err = p.empty(i, t.DType(), p.rows*p.g.world, p.k); err != nil {
			return err
		}
	}
	if err := p.g.AllGather(gathered, p.a); err != nil {
		return err
	}
	for i := range gathered {
		if err := ops.MatMulInto(p.out[i], gathered[i], p.b[i], options...); err != nil {
			return err
		}
	}
	return nil
}

// scatterAfter is the call where devices do not reach each other, or where it takes less time.
func (p *product) scatterAfter() error {
	products := make([]*weft.Tensor, len(p.a))
	for i := range products {
		var err error
		if products[i], err = p.empty(i, p.out[i].DType(), p.rows*p.g.world, p.n); err != nil {
			return err
		}
		if err := ops.MatMulInto(products[i], p.a[i], p.b[i]); err != nil {
			return err
		}
	}
	return p.g.ReduceScatter(Sum, p.out, products)
}

// pieces is in how many a rank's rows are cut. While the second of two is on its way the first is multiplied; more would only make products smaller. One is enough
// where a piece would have fewer tiles of the result, of the usual size, than the device has units.
func (p *product) pieces() int {
	const tile = 128 * 128
	units := 1
	if m := p.g.devices[0].Caps().Machine; m != nil {
		units = max(m.Units, 1)
	}
	if p.rows%2 != 0 || p.rows/2*p.n < units*tile {
		return 1
	}
	return 2
}
