package mesh

import (
	"errors"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/ops"
)

// AllGatherMatMul multiplies the rows that all ranks have together with a matrix of each rank's own: a is a rank's [m,K], b its [K,N], and out, its
// [ranks·m,N], is the product of all a, one after the other, with b. It is AllGather and ops.MatMul in one: each rank multiplies its own rows while those of
// others are copied to it, and each part as soon as it is there.
//
// The options are those of ops.MatMul for parts of rows: its epilogues and types.
//
// Errors: those of AllGather and ops.MatMul.
func (g *Group) AllGatherMatMul(out, a, b []*weft.Tensor, options ...ops.MatMulOption) error {
	p, err := g.product("mesh: all-gather and matmul", out, a, b, 1)
	if err != nil {
		return err
	}
	defer p.close()
	if p.lanes == nil {
		return p.gatherFirst(options)
	}
	return p.gatherAndMultiply(options)
}

// MatMulReduceScatter sums products over all ranks and gives each its part of the rows: a is a rank's [M,K], b its [K,N], and out, its [M/ranks,N], is its rows of
// the sum of all a @ b. It is ops.MatMul and ReduceScatter in one: each rank multiplies the rows of others first, which are copied while it goes on, and adds what others
// have for it in the product of its own. Sums of 16-bit floats are rounded once for each rank.
//
// Errors: those of ops.MatMul and ReduceScatter.
func (g *Group) MatMulReduceScatter(out, a, b []*weft.Tensor) error {
	p, err := g.product("mesh: matmul and reduce-scatter", out, a, b, g.Size())
	if err != nil {
		return err
	}
	defer p.close()
	if p.lanes == nil {
		return p.scatterAfter()
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
	dense      densities
	temporary  []*weft.Tensor
	events     []backend.Event
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
	p := &product{g: g, op: op, out: out, a: a, b: b, k: a[0].Dim(1), n: b[0].Dim(1)}
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
	if !captured(g, slices.Concat(out, a, b)) {
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

// captured reports whether one of the tensors is to be recorded.
func captured(g *Group, tensors []*weft.Tensor) bool {
	return g.capture.of(g, &call{dst: tensors}) != nil
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
	p.dense.close()
}

// empty is a tensor of the call's own.
func (p *product) empty(member int, elem weft.DType, shape ...int) (*weft.Tensor, error) {
	t, err := weft.Empty(p.g.devices[member], elem, shape...)
	if err == nil {
		p.temporary = append(p.temporary, t)
	}
	return t, err
}

// mark is an event of a member's stream or copies.
func (p *product) mark(f func() (backend.Event, error)) (backend.Event, error) {
	e, err := f()
	if err == nil {
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

// copy copies a dense tensor of one member to that of another, by the receiver's queue, after some events, and returns when it is done.
func (p *product) copy(to int, dst, src *weft.Tensor, after ...backend.Event) (done backend.Event, err error) {
	q := p.lanes[to].copies
	for _, e := range after {
		if err := q.After(e); err != nil {
			return nil, err
		}
	}
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
	x, err := part(a, from, n)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := part(out, to, n)
	if err != nil {
		return err
	}
	defer y.Close()
	return ops.MatMulInto(y, x, b, options...)
}

// gatherFirst is the call where devices do not reach each other.
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

// scatterAfter is the call where devices do not reach each other.
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

// arrival is a tensor that is copied to a member, and the event after which it is there.
type arrival struct {
	rank int
	t    *weft.Tensor
	done backend.Event
}

func (p *product) gatherAndMultiply(options []ops.MatMulOption) (err error) {
	g := p.g
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.a, err = p.dense.inputs(p.a); err != nil {
		return err
	}
	arrivals := make([][]arrival, g.world)
	for i := range arrivals {
		for step := 1; step < g.world; step++ { // each from another, so that no link carries all
			t, err := p.empty(i, p.a[0].DType(), p.rows, p.k)
			if err != nil {
				return err
			}
			arrivals[i] = append(arrivals[i], arrival{rank: (i + step) % g.world, t: t})
		}
	}
	ready, err := p.marks()
	if err != nil {
		return err
	}
	for i := range arrivals {
		for n := range arrivals[i] {
			x := &arrivals[i][n]
			if x.done, err = p.copy(i, x.t, p.a[x.rank], ready[i], ready[x.rank]); err != nil {
				return err
			}
		}
	}
	for i := range arrivals {
		if err := multiply(p.out[i], i*p.rows, p.a[i], 0, p.rows, p.b[i], options...); err != nil {
			return err
		}
	}
	for i := range arrivals {
		for _, x := range arrivals[i] {
			if err := p.lanes[i].peers.After(x.done); err != nil {
				return err
			}
			if err := multiply(p.out[i], x.rank*p.rows, x.t, 0, p.rows, p.b[i], options...); err != nil {
				return err
			}
		}
	}
	for i := range arrivals {
		for _, x := range arrivals[i] { // whose owner may write it afterwards
			if err := p.lanes[x.rank].peers.After(x.done); err != nil {
				return err
			}
		}
	}
	return nil
}

// pieces is in how many a rank's rows are cut, so that the last copies overlap with products too: as many as leave each piece enough tiles of the
// result, of the usual size, for all of the device's units.
func (p *product) pieces() int {
	const tile, most = 128 * 128, 4
	units := 1
	if m := p.g.devices[0].Caps().Machine; m != nil {
		units = max(m.Units, 1)
	}
	n := p.rows * p.n / (units * tile)
	for n = min(max(n, 1), most); p.rows%n != 0; n-- {
	}
	return n
}

func (p *product) multiplyAndScatter() (err error) {
	g := p.g
	g.mu.Lock()
	defer g.mu.Unlock()
	outs, err := p.dense.outputs(p.out)
	if err != nil {
		return err
	}
	pieces := p.pieces()
	size, elem := p.rows/pieces, outs[0].DType()
	arrivals := make([][][]arrival, g.world) // of a member: of each piece of its rows
	sent := make([][]*weft.Tensor, g.world)
	for i := range arrivals {
		arrivals[i] = make([][]arrival, pieces)
		received := outs[i]
		for step := 1; step < g.world; step++ { // the first is received where the sum will be
			if step > 1 {
				if received, err = p.empty(i, elem, p.rows, p.n); err != nil {
					return err
				}
			}
			for n := range pieces {
				t, err := part(received, n*size, size)
				if err != nil {
					return err
				}
				p.temporary = append(p.temporary, t)
				arrivals[i][n] = append(arrivals[i][n], arrival{rank: (i + step) % g.world, t: t})
			}
			t, err := p.empty(i, elem, p.rows, p.n)
			if err != nil {
				return err
			}
			sent[i] = append(sent[i], t)
		}
	}
	ready, err := p.marks()
	if err != nil {
		return err
	}
	for step := 1; step < g.world; step++ {
		for n := range pieces {
			for i := range arrivals { // member i computes for the rank from which it is step steps
				to := (i + g.world - step) % g.world
				x := &arrivals[to][n][step-1]
				if err := multiply(sent[i][step-1], n*size, p.a[i], to*p.rows+n*size, size, p.b[i]); err != nil {
					return err
				}
				made, err := p.mark(p.lanes[i].peers.Mark)
				if err != nil {
					return err
				}
				from, err := part(sent[i][step-1], n*size, size)
				if err != nil {
					return err
				}
				p.temporary = append(p.temporary, from)
				if x.done, err = p.copy(to, x.t, from, ready[to], made); err != nil {
					return err
				}
			}
		}
	}
	for n := range pieces {
		for i := range arrivals {
			if err := p.addOwn(i, n*size, size, outs[i], arrivals[i][n]); err != nil {
				return err
			}
		}
	}
	for i := range arrivals {
		for n := range pieces {
			for _, x := range arrivals[i][n] { // whose sender frees it
				if err := p.lanes[x.rank].peers.After(x.done); err != nil {
					return err
				}
			}
		}
	}
	return p.dense.copyBack()
}

// addOwn sums what a member received for a piece of its rows, and adds its own product.
func (p *product) addOwn(member, at, size int, out *weft.Tensor, received []arrival) error {
	sum, err := part(out, at, size)
	if err != nil {
		return err
	}
	defer sum.Close()
	for step, x := range received {
		if err := p.lanes[member].peers.After(x.done); err != nil {
			return err
		}
		if step > 0 {
			if err := ops.AddInto(sum, sum, x.t); err != nil {
				return err
			}
		}
	}
	return multiply(out, at, p.a[member], member*p.rows+at, size, p.b[member], ops.Beta(1))
}
