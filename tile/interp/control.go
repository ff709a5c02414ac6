package interp

import (
	"slices"

	"github.com/weftgpu/weft/tile"
)

// branch compiles an If. Its results have registers of their own, to which either
// way moves what it yields.
func (c *compiler) branch(op *tile.Op) (step, error) {
	cond := c.where[op.Args[0]].index
	results := make([]reg, len(op.Out))
	for i, v := range op.Out {
		results[i] = c.alloc(v.Type())
	}
	var ways [2][]step
	for i, body := range op.Regions() {
		steps, err := c.region(body)
		if err != nil {
			return nil, err
		}
		ways[i] = append(steps, c.moves(body, results)...)
	}
	for i, v := range op.Out {
		c.where[v] = results[i]
	}
	return func(w *worker) {
		way := ways[1]
		if w.b[cond][0] {
			way = ways[0]
		}
		for _, s := range way {
			s(w)
		}
	}, nil
}

// moves ends a body of an If: values that nothing needs any more trade places with the
// results' registers, others are copied.
func (c *compiler) moves(body *tile.Region, results []reg) (steps []step) {
	end := body.Ops[len(body.Ops)-1]
	for i, v := range end.Args {
		from, to := c.where[v], results[i]
		if c.home[v] == body && !slices.Contains(end.Args[:i], v) && !slices.Contains(end.Args[i+1:], v) {
			steps = append(steps, banks[to.class].swap(to.index, from.index))
		} else {
			steps = append(steps, banks[to.class].copy(to.index, from.index))
		}
	}
	c.release(end)
	return steps
}

// while compiles a While: the step of its Condition, anywhere in its body, may stop it.
func (c *compiler) while(op *tile.Op) (step, error) {
	enter, carried := c.enter(op, op.Args, op.Body.Args)
	body, err := c.region(op.Body)
	if err != nil {
		return nil, err
	}
	body = append(body, c.yield(op.Body, carried)...)
	c.leave(op, op.Body.Args, carried)
	return func(w *worker) {
		for _, s := range enter {
			s(w)
		}
		for w.goesOn() {
			for _, s := range body {
				if s(w); w.stop {
					w.stop = false
					return
				}
			}
		}
	}, nil
}
