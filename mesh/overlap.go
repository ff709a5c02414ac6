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
	p, err := g.product("mesh: matmul and reduce-scatter", out, a, b, g.Size())
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

// overlaps reports whether the members reach each other.
func (p *product) overlaps() bool {
	if p.recorders != nil {
		return p.recordable()
	}
	return p.lanes != nil
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

// gathering is what a member has of all ranks' rows.
type gathering struct {
	rowOrder
	plan []stretch
	rows *weft.Tensor    // of all ranks, but for those of its own part that it multiplies where they are
	done []backend.Event // of each part in its order: after that it is there
}

// gatherings makes the room that the members need.
func (p *product) gatherings(d *decisions) (list []*gathering, err error) {
	for i, a := range p.a {
		x := &gathering{rowOrder: rowOrder{member: i, world: p.g.world, rows: p.rows}, plan: d.stretches[i], done: make([]backend.Event, p.g.world)}
		if x.rows, err = p.empty(i, a.DType(), p.rows*p.g.world, p.k); err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

func (p *product) gatherAndMultiply(options []ops.MatMulOption) (err error) {
	g := p.g
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.a, err = p.dense.inputs(p.a); err != nil {
		return err
	}
	d := p.decide()
	all, err := p.gatherings(d)
	if err != nil {
		return err
	}
	ready, err := p.marks()
	if err != nil {
		return err
	}
	if err := g.crew.each(g.world, func(i int) error { return p.gather(all[i], d, ready, options) }); err != nil {
		return err
	}
	return g.crew.each(g.world, func(i int) error {
		for _, s := range all[i].plan {
			if n := all[i].last(s); n > 0 {
				if err := p.multiplyGathered(all[i], s, options); err != nil {
					return err
				}
			}
		}
		for _, x := range all { // what others copied of this member's, it may write afterwards
			for n, done := range x.done {
				if n == 0 || x.part(n) != i {
					continue
				}
				if err := p.lanes[i].peers.After(done); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// gather starts a member's copies, and what it multiplies without them.
func (p *product) gather(x *gathering, d *decisions, ready []backend.Event, options []ops.MatMulOption) error {
	i := x.member
	q := p.lanes[i].copies
	if err := q.After(ready[i]); err != nil {
		return err
	}
	for n := 1; n < x.world; n++ { // each from another, so that no link carries all
		rank := x.part(n)
		if err := q.After(ready[rank]); err != nil {
			return err
		}
		to, err := part(x.rows, rank*p.rows, p.rows)
		if err != nil {
			return err
		}
		p.keep(to)
		if x.done[n], err = p.copy(i, to, p.a[rank]); err != nil {
			return err
		}
	}
	if err := errors.Join(p.copyRest(x), p.packRight(i, d, len(x.plan))); err != nil {
		return err
	}
	for _, s := range x.plan {
		if x.last(s) > 0 {
			break
		}
		at := x.row(s)
		if err := multiply(p.out[i], at, p.a[i], at-i*p.rows, s.to-s.from, p.b[i], options...); err != nil {
			return err
		}
	}
	return nil
}

// copyRest copies those rows of a member's own part that it multiplies together with others: by a kernel, which is several times as fast within a device as a
// copy engine.
func (p *product) copyRest(x *gathering) error {
	for _, s := range x.plan {
		if s.from >= p.rows || x.last(s) == 0 {
			continue
		}
		own := stretch{s.from, p.rows}
		at := x.row(own)
		to, err := part(x.rows, at, own.to-own.from)
		if err != nil {
			return err
		}
		defer to.Close()
		from, err := part(p.a[x.member], at-x.member*p.rows, own.to-own.from)
		if err != nil {
			return err
		}
		defer from.Close()
		return to.CopyFrom(from)
	}
	return nil
}

// multiplyGathered multiplies rows once they are there.
func (p *product) multiplyGathered(x *gathering, s stretch, options []ops.MatMulOption) error {
	if err := p.lanes[x.member].peers.After(x.done[x.last(s)]); err != nil {
		return err
	}
	at := x.row(s)
	return multiply(p.out[x.member], at, x.rows, at, s.to-s.from, p.b[x.member], options...)
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
