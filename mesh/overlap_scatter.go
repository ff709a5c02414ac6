package mesh

import (
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// A rank's own product either adds what it received in its epilogue, which waits for that, piece by piece, or is stored apart and added by one more kernel. The
// first reads less memory, but its tiles are smaller and it starts later.

// shipment is what one rank computes for another: where it is made, and where it is received, in pieces.
type shipment struct {
	from, to   int
	received   *weft.Tensor
	made, into []*weft.Tensor
	done       []backend.Event
}

func (p *product) multiplyAndScatter() (err error) {
	g := p.g
	g.mu.Lock()
	defer g.mu.Unlock()
	outs, err := p.dense.outputs(p.out)
	if err != nil {
		return err
	}
	d, pieces := p.decide(), 1
	if !d.adds {
		pieces = p.pieces()
	}
	shipments, err := p.shipments(outs, func(int) int { return pieces }, d.adds)
	if err != nil {
		return err
	}
	ready, err := p.marks()
	if err != nil {
		return err
	}
	if err := g.crew.each(g.world, func(i int) error { return p.ship(i, d, shipments, ready) }); err != nil {
		return err
	}
	err = g.crew.each(g.world, func(i int) error {
		add := func(n int) error { return p.addOwn(i, n, pieces, outs[i], shipments) }
		if d.adds {
			add = func(int) error { return p.addAll(i, outs[i], shipments) }
		}
		for n := range pieces {
			if err := add(n); err != nil {
				return err
			}
		}
		for _, s := range shipments { // what others still read of this member's is freed afterwards; each queue is in order
			if s.from == i {
				if err := p.lanes[i].peers.After(s.done[pieces-1]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.dense.copyBack()
}

// shipments lists what the ranks send, in the order in which each sends, in so many pieces in each step; memory is there for all of it.
func (p *product) shipments(outs []*weft.Tensor, cuts func(step int) int, adds bool) (list []*shipment, err error) {
	g := p.g
	elem := outs[0].DType()
	for i := range outs {
		if adds {
			own, err := p.empty(i, elem, p.rows, p.n)
			if err != nil {
				return nil, err
			}
			p.own = append(p.own, own)
		}
	}
	for step := 1; step < g.world; step++ {
		pieces := cuts(step)
		for from := range g.world {
			s := &shipment{from: from, to: (from + g.world - step) % g.world, done: make([]backend.Event, pieces)}
			into := outs[s.to]
			if step > 1 { // the first is received where the sum will be
				if into, err = p.empty(s.to, elem, p.rows, p.n); err != nil {
					return nil, err
				}
			}
			s.received = into
			if s.made, err = p.makes(from, elem, pieces); err != nil {
				return nil, err
			}
			if s.into, err = p.cut(into, pieces); err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	return list, nil
}

// makes is memory for what a member sends in pieces. In a recording each is memory of its own: to write one waits for what reads its memory.
func (p *product) makes(member int, elem weft.DType, pieces int) (list []*weft.Tensor, err error) {
	if p.recorders == nil {
		made, err := p.empty(member, elem, p.rows, p.n)
		if err != nil {
			return nil, err
		}
		return p.cut(made, pieces)
	}
	for range pieces {
		made, err := p.empty(member, elem, p.rows/pieces, p.n)
		if err != nil {
			return nil, err
		}
		list = append(list, made)
	}
	return list, nil
}

// cut is a matrix in pieces of rows.
func (p *product) cut(t *weft.Tensor, pieces int) (list []*weft.Tensor, err error) {
	size := t.Dim(0) / pieces
	for n := range pieces {
		x, err := part(t, n*size, size)
		if err != nil {
			return nil, err
		}
		p.keep(x)
		list = append(list, x)
	}
	return list, nil
}

// ship computes what a member has for others, and copies each piece while the next is computed.
func (p *product) ship(member int, d *decisions, shipments []*shipment, ready []backend.Event) error {
	q := p.lanes[member].copies
	if err := p.packRight(member, d, p.g.world*len(shipments[0].made)); err != nil {
		return err
	}
	for _, s := range shipments {
		if s.from != member {
			continue
		}
		if err := q.After(ready[s.to]); err != nil {
			return err
		}
		size := p.rows / len(s.made)
		for n, made := range s.made {
			if err := multiply(made, 0, p.a[member], s.to*p.rows+n*size, size, p.b[member]); err != nil {
				return err
			}
			e, err := p.mark(p.lanes[member].peers.Mark)
			if err != nil {
				return err
			}
			if err := q.After(e); err != nil {
				return err
			}
			if s.done[n], err = p.copy(member, s.into[n], made); err != nil {
				return err
			}
		}
	}
	if d.adds {
		return multiply(p.own[member], 0, p.a[member], member*p.rows, p.rows, p.b[member])
	}
	return nil
}

// sums are the maps that sum several tensors, in the order of the ranks.
var sums = struct {
	sync.Mutex
	of map[int]*weft.Map
}{of: map[int]*weft.Map{}}

func sumOf(n int) *weft.Map {
	sums.Lock()
	defer sums.Unlock()
	if sums.of[n] == nil {
		names := make([]string, n)
		for i := range names {
			names[i] = "x" + string(rune('0'+i))
		}
		sums.of[n] = weft.NewMap("sum of ranks", names, func(in []*tile.Value) *tile.Value {
			sum := in[0]
			for _, x := range in[1:] {
				sum = sum.Add(x)
			}
			return sum
		})
	}
	return sums.of[n]
}

// addAll adds up what a member has computed and received.
func (p *product) addAll(member int, out *weft.Tensor, shipments []*shipment) error {
	terms := []weft.TensorOrNumber{p.own[member]}
	for _, s := range shipments {
		if s.to != member {
			continue
		}
		if err := p.lanes[member].peers.After(s.done[len(s.done)-1]); err != nil {
			return err
		}
		terms = append(terms, s.received)
	}
	return sumOf(len(terms)).Into(out, terms...)
}

// addOwn sums what a member received for a piece of its rows, and adds its own product.
func (p *product) addOwn(member, piece, pieces int, out *weft.Tensor, shipments []*shipment) error {
	var sum *weft.Tensor
	for _, s := range shipments {
		if s.to != member {
			continue
		}
		if err := p.lanes[member].peers.After(s.done[piece]); err != nil {
			return err
		}
		if sum == nil { // the first, which is where the sum is to be
			sum = s.into[piece]
		} else if err := ops.AddInto(sum, sum, s.into[piece]); err != nil {
			return err
		}
	}
	size := p.rows / pieces
	return multiply(out, piece*size, p.a[member], member*p.rows+piece*size, size, p.b[member], ops.Beta(1))
}
