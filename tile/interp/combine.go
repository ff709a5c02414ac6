package interp

import (
	"github.com/weftgpu/weft/tile"
)

// combine compiles a Reduce or a Scan: a loop along the axis whose accumulators
// hold, for every other coordinate, the elements so far combined. Elements are combined in
// their order, one after the other.
func (c *compiler) combine(op *tile.Op) (step, error) {
	switch pairs := c.inPairs(op); {
	case pairs && op.Kind == tile.OpReduce:
		return c.halve(op)
	case pairs:
		return c.scan(op)
	}
	n, body := len(op.Out), c.body(op)
	a := axisOf(op.Args[0].Type().Shape, op.Axis)
	src := make([]reg, n)
	for i, v := range op.Args[:n] {
		src[i] = c.where[v]
	}
	acc, next := c.bindRows(body.Args[:n]), c.bindRows(body.Args[n:])
	var first, read, write []rowStep
	for i := range n {
		b := banks[src[i].class]
		first = append(first, b.row(acc[i].index, src[i].index, a))
		read = append(read, b.row(next[i].index, src[i].index, a))
	}
	var enter []step // puts the identities into the rows that are read to
	if op.Kind == tile.OpScan {
		for i, v := range op.Out {
			dst, from := c.define(v), acc[i]
			if op.IsExclusive() {
				b := banks[dst.class]
				zero := b.setRow(dst.index, next[i].index, a)
				at := 0
				if op.Reverse {
					at = a.n - 1
				}
				enter = append(enter, b.splat(next[i].index, c.where[op.Args[n+i]].index), func(w *worker) { zero(w, at) })
			}
			write = append(write, banks[dst.class].setRow(dst.index, from.index, a))
		}
	}
	steps, err := c.region(body)
	if err != nil {
		return nil, err
	}
	steps = append(steps, c.yield(body, acc)...)
	c.unbindRows(body.Args[:n], acc, op.Kind == tile.OpScan)
	c.unbindRows(body.Args[n:], next, true)
	if op.Kind == tile.OpReduce {
		for i, v := range op.Out {
			c.where[v] = acc[i]
		}
	}
	return runCombine(a.n, enter, first, read, write, steps, op.IsExclusive(), op.Reverse), nil
}

// bindRows gives a combine's arguments registers that it keeps.
func (c *compiler) bindRows(args []*tile.Value) []reg {
	regs := make([]reg, len(args))
	for i, v := range args {
		regs[i] = c.define(v)
		c.pins[regs[i]]++
	}
	return regs
}

func (c *compiler) unbindRows(args []*tile.Value, regs []reg, drop bool) {
	for i, r := range regs {
		delete(c.where, args[i])
		c.pins[r]--
		if drop {
			c.drop(r)
		}
	}
}

// runCombine is a Reduce or a Scan at run time. An exclusive scan writes what is
// combined before an element joins, an inclusive one after that. A reverse one starts at
// the last element.
func runCombine(n int, enter []step, first, read, write []rowStep, steps []step, exclusive, reverse bool) step {
	each := func(w *worker, list []rowStep, i int) {
		if reverse {
			i = n - 1 - i
		}
		for _, s := range list {
			s(w, i)
		}
	}
	return func(w *worker) {
		for _, s := range enter {
			s(w)
		}
		each(w, first, 0)
		if !exclusive {
			each(w, write, 0)
		}
		for i := 1; i < n; i++ {
			if exclusive {
				each(w, write, i)
			}
			each(w, read, i)
			for _, s := range steps {
				s(w)
			}
			if !exclusive {
				each(w, write, i)
			}
		}
	}
}

// rowStep is a step on the elements at one coordinate of an axis.
type rowStep func(w *worker, i int)

// row copies the elements of src at a coordinate to dst, side by side.
func (k bank[T]) row(dst, src int, a axis) rowStep {
	return func(w *worker, i int) {
		r := k.of(w)
		d, s := r[dst], r[src]
		for o := range a.outer {
			copy(d[o*a.inner:(o+1)*a.inner], s[(o*a.n+i)*a.inner:])
		}
	}
}

// setRow is the inverse of row.
func (k bank[T]) setRow(dst, src int, a axis) rowStep {
	return func(w *worker, i int) {
		r := k.of(w)
		d, s := r[dst], r[src]
		for o := range a.outer {
			copy(d[(o*a.n+i)*a.inner:(o*a.n+i+1)*a.inner], s[o*a.inner:])
		}
	}
}
