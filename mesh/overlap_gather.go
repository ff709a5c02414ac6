package mesh

import (
	"errors"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/ops"
)

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
