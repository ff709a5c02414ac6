package mesh

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/ops"
)

// A product that is recorded overlaps with communication as others do, by a recording of each member: kernels and copies are steps that wait for those
// whose memory they use, and words order what members do with each other's memory. To replay it takes the host one launch for each member.

// recordable reports whether members, none of them in another process, reach each other and can signal, and there is something to copy.
func (p *product) recordable() bool {
	g := p.g
	if g.store != nil || g.host || g.world == 1 || p.rows == 0 || p.k == 0 || p.n == 0 {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.signals.ready(g)
}

// use has launches on the call's tensors recorded.
func (p *product) use() {
	for _, list := range []*[]*weft.Tensor{&p.out, &p.a, &p.b} {
		own := make([]*weft.Tensor, len(*list))
		for i, t := range *list {
			own[i] = p.recorders[i].Use(t)
		}
		*list = own
	}
}

// recordCopy records a copy to a tensor that a member has or reaches from another one.
func (p *product) recordCopy(member int, dst, src *weft.Tensor) error {
	return p.recorders[member].Work(p.op, []*weft.Tensor{dst}, []*weft.Tensor{src}, func(s []weft.BufferSpan) (backend.Work, error) {
		return p.g.signals.members[member].peers.RecordCopy(s[0].Buffer, s[0].Offset, s[1].Buffer, s[1].Offset, bytesOf(dst))
	})
}

// phase records that a member tells the others that it is there, and waits for them.
func (p *product) phase(member, phase int, writes, reads []*weft.Tensor) error {
	return p.g.signals.members[member].recordPhase(p.recorders[member], p.op, member, phase, writes, reads)
}

// seenBy is a tensor as another member reaches it.
func (p *product) seenBy(member int, t *weft.Tensor) (*weft.Tensor, error) {
	there, err := t.On(p.g.devices[member])
	if err == nil {
		p.keep(there)
	}
	return there, err
}

func (p *product) recordGather(options []ops.MatMulOption) (err error) {
	p.g.mu.Lock()
	defer p.g.mu.Unlock()
	p.use()
	if p.a, err = p.dense.inputs(p.a); err != nil {
		return err
	}
	d := p.decide()
	for i := range p.a {
		o := rowOrder{member: i, world: p.g.world, rows: p.rows, whole: true}
		if err := p.recordGathering(o, d, options); err != nil {
			return err
		}
	}
	return nil
}

// recordGathering is recordGather for a member. In the first phase all have what others copy, in the second one all have copied it.
func (p *product) recordGathering(o rowOrder, d *decisions, options []ops.MatMulOption) error {
	i, plan := o.member, d.whole[o.member]
	own := []*weft.Tensor{p.a[i]}
	if err := p.packRight(i, d, len(plan)); err != nil {
		return err
	}
	if err := p.phase(i, firstPhase, nil, own); err != nil {
		return err
	}
	if err := multiply(p.out[i], i*p.rows, p.a[i], 0, p.rows, p.b[i], options...); err != nil {
		return err
	}
	for _, s := range o.cutLast(plan[1:], d.gathered) { // each in memory of its own: a launch waits for the copies to what it reads, and to nothing else
		rows, err := p.empty(i, p.a[i].DType(), s.to-s.from, p.k)
		if err != nil {
			return err
		}
		for at, end := s.from, 0; at < s.to; at = end {
			end = min(s.to, (at/p.rows+1)*p.rows)
			whole, err := p.seenBy(i, p.a[o.part(at/p.rows)])
			if err != nil {
				return err
			}
			from, err := part(whole, at%p.rows, end-at)
			if err != nil {
				return err
			}
			p.keep(from)
			to, err := part(rows, at-s.from, end-at)
			if err != nil {
				return err
			}
			p.keep(to)
			if err := p.recordCopy(i, to, from); err != nil {
				return err
			}
		}
		if err := multiply(p.out[i], o.row(s), rows, 0, s.to-s.from, p.b[i], options...); err != nil {
			return err
		}
	}
	return p.phase(i, secondPhase, nil, own)
}

func (p *product) recordScatter() error {
	p.g.mu.Lock()
	defer p.g.mu.Unlock()
	p.use()
	outs, err := p.dense.outputs(p.out)
	if err != nil {
		return err
	}
	d := p.decide()
	shipments, err := p.shipments(outs, func(step int) int {
		if step == 1 {
			return d.sent
		}
		return 1
	}, true)
	if err != nil {
		return err
	}
	for i, out := range outs {
		if err := p.recordScattering(i, d, out, shipments); err != nil {
			return err
		}
	}
	return p.dense.copyBack()
}

// recordScattering is recordScatter for a member. In the first phase all have room for what others send, in the second one all have sent it.
func (p *product) recordScattering(i int, d *decisions, out *weft.Tensor, shipments []*shipment) error {
	if err := p.packRight(i, d, p.g.world); err != nil {
		return err
	}
	var received []*weft.Tensor
	terms := []weft.TensorOrNumber{p.own[i]}
	for _, s := range shipments {
		if s.to == i {
			received, terms = append(received, s.received), append(terms, s.received)
		}
	}
	if err := p.phase(i, firstPhase, received, nil); err != nil {
		return err
	}
	sent := piecesOf(i, shipments)
	for n, x := range sent {
		if err := multiply(x.made, 0, p.a[i], x.to*p.rows+x.row, x.made.Dim(0), p.b[i]); err != nil {
			return err
		}
		next := p.own[i]
		if n+1 < len(sent) {
			next = sent[n+1].made
		}
		if err := p.recordPiece(x, next); err != nil {
			return err
		}
	}
	if err := multiply(p.own[i], 0, p.a[i], i*p.rows, p.rows, p.b[i]); err != nil {
		return err
	}
	if err := p.phase(i, secondPhase, received, nil); err != nil {
		return err
	}
	return sumOf(len(terms)).Into(out, terms...)
}

// order records that what writes or reads one tensor comes after what has written another.
func (p *product) order(member int, next, written *weft.Tensor) error {
	return p.recorders[member].Work(p.op, []*weft.Tensor{next}, []*weft.Tensor{written}, func(spans []weft.BufferSpan) (backend.Work, error) {
		return backend.Order(usesOf(spans, 1)), nil
	})
}

// piece is a part of a shipment's rows, from one on.
type piece struct {
	*shipment
	row        int
	made, into *weft.Tensor
}

// piecesOf lists what a member sends, in its order.
func piecesOf(member int, shipments []*shipment) (list []piece) {
	for _, s := range shipments {
		if s.from != member {
			continue
		}
		row := 0
		for n, made := range s.made {
			list = append(list, piece{s, row, made, s.into[n]})
			row += made.Dim(0)
		}
	}
	return list
}

// recordPiece records that what a member made is sent, and that the next product begins when this one is done: products that ran at the same time would all
// be late.
func (p *product) recordPiece(x piece, next *weft.Tensor) error {
	i := x.from
	if err := p.order(i, next, x.made); err != nil {
		return err
	}
	there, err := p.seenBy(i, x.into)
	if err != nil {
		return err
	}
	return p.recordCopy(i, there, x.made)
}
