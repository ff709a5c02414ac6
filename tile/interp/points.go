package interp

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/tile"
)

// points are where the indices and the mask of an op on points of a view come from.
type points struct {
	view    int
	row     int // points of a row, in which each index is one number, or a number for each point
	indices []pointSource
	mask    pointSource
	masked  bool
}

// pointSource is a register with a number for each point, or for fewer of them: of a row all have the same one where it repeats, and those of
// others begin at starts.
type pointSource struct {
	register int
	repeats  bool
	starts   []int // for each row
}

// points compiles an op on points.
func (c *compiler) points(op *tile.Op) (step, error) {
	at := c.pointsOf(op)
	switch op.Kind {
	case tile.OpGather:
		dst := c.define(op.Result())
		return banks[dst.class].readPoints(op, dst.index, at), nil
	case tile.OpScatter:
		src := c.where[op.Args[0]]
		return banks[src.class].writePoints(op, src.index, at), nil
	case tile.OpAtomic:
		return c.atomic(op, at), nil
	}
	return nil, unknown(op)
}

// pointsOf finds the sources of an op's indices and of its mask.
func (c *compiler) pointsOf(op *tile.Op) points {
	values, _, mask := op.Points()
	sources := c.args(op)[len(values):]
	shape, strides := oneRow(append([]int{1}, pointShape(op)...), sources)
	last := len(shape) - 1
	p := points{view: op.View.Index, row: shape[last], masked: mask != nil}
	for i, v := range sources {
		s := pointSource{register: c.where[v].index, repeats: strides[i][last] == 0}
		s.starts = rowStarts(nil, shape[:last], strides[i], 0)
		if p.masked && i == len(sources)-1 {
			p.mask = s
		} else {
			p.indices = append(p.indices, s)
		}
	}
	return p
}

// pointShape is the shape of an op's tiles.
func pointShape(op *tile.Op) []int {
	if op.Kind == tile.OpScatter {
		return op.Args[0].Type().Shape
	}
	return op.Result().Type().Shape
}

// oneRow is the shape of a tile whose last dimensions are one where each source repeats along all of them, or has a number for each of their elements; and the
// distances of neighbours in the sources, 0 where they repeat.
func oneRow(shape []int, sources []*tile.Value) (merged []int, strides [][]int) {
	for _, v := range sources {
		strides = append(strides, distances(v.Type().Shape, len(shape)))
	}
	merged = slices.Clone(shape)
	for last := len(merged) - 1; last > 0; last-- {
		outer, inner := merged[last-1], merged[last]
		if outer > 1 && inner > 1 && slices.ContainsFunc(strides, func(s []int) bool { return s[last-1] != s[last]*inner }) {
			break
		}
		merged = append(merged[:last-1], outer*inner)
		for i, s := range strides {
			if inner > 1 {
				s[last-1] = s[last]
			}
			strides[i] = s[:last]
		}
	}
	return merged, strides
}

// distances are those between neighbours of a value's elements where it is broadcast: 0 along dimensions of one element. A scalar is one along all.
func distances(from []int, rank int) []int {
	strides, n := make([]int, rank), 1
	for d := len(from) - 1; d >= 0; d-- {
		if from[d] != 1 {
			strides[rank-len(from)+d] = n
		}
		n *= from[d]
	}
	return strides
}

// takePoints has an op on points that Go executes take its indices and its mask as they were before broadcasts, which then need not run for it.
func (l *life) takePoints(op *tile.Op, users map[*tile.Value]int) {
	values, _, _ := op.Points()
	args := slices.Clone(op.Args)
	for i := len(values); i < len(args); i++ {
		for {
			from := args[i].Op()
			if from == nil || from.Kind != tile.OpBroadcast && from.Kind != tile.OpSplat {
				break
			}
			before := from.Args[0]
			users[before]++
			if users[args[i]]--; users[args[i]] == 0 {
				delete(l.needed, from)
				users[before]--
			}
			args[i] = before
		}
	}
	l.argsOf[op] = args
}

// pointsAtOnce is the number of points whose positions are found before elements are moved.
const pointsAtOnce = 256

// leftOut is the position of points that are outside of the view or masked off, however far the other indices lead.
const leftOut = math.MinInt / 2

// positions finds where in memory points are, in elements, from point lo on. Those that are left out have negative positions.
func (p *points) positions(w *worker, lo int, at []int) {
	for i := 0; i < len(at); {
		row, column := (lo+i)/p.row, (lo+i)%p.row
		n := min(p.row-column, len(at)-i)
		p.rowPositions(w, row, column, at[i:i+n])
		i += n
	}
}

// rowPositions is positions of points of one row, from a column on.
func (p *points) rowPositions(w *worker, row, column int, at []int) {
	v := &w.views[p.view]
	first, in := v.offset, true
	for d, s := range p.indices {
		if s.repeats {
			x := int(w.i[s.register][s.starts[row]])
			in = in && uint(x) < uint(v.size[d])
			first += x * v.stride[d]
		}
	}
	if p.masked && p.mask.repeats {
		in = in && w.b[p.mask.register][p.mask.starts[row]]
	}
	if !in {
		first = leftOut
	}
	for i := range at {
		at[i] = first
	}
	if !in {
		return
	}
	for d, s := range p.indices {
		if s.repeats {
			continue
		}
		size, stride := v.size[d], v.stride[d]
		for i, x := range w.i[s.register][s.starts[row]+column:][:len(at)] {
			if uint(x) < uint(size) {
				at[i] += int(x) * stride
			} else {
				at[i] = leftOut
			}
		}
	}
	if p.masked && !p.mask.repeats {
		for i, in := range w.b[p.mask.register][p.mask.starts[row]+column:][:len(at)] {
			if !in {
				at[i] = leftOut
			}
		}
	}
}

// runs calls move for runs of n points from point i on, which follow each other in memory from position m on, or of points that are left out, where
// m is negative.
func (p *points) runs(w *worker, n int, move func(i, m, n int)) {
	for lo := 0; lo < n; lo += pointsAtOnce {
		at := w.positions[:min(n-lo, pointsAtOnce)]
		p.positions(w, lo, at)
		for i := 0; i < len(at); {
			end, first := i+1, at[i]
			for end < len(at) && (at[end] == first+end-i || first < 0 && at[end] < 0) {
				end++
			}
			move(lo+i, first, end-i)
			i = end
		}
	}
}

func (k bank[T]) readPoints(op *tile.Op, dst int, at points) step {
	elem, size := op.View.Elem, op.View.Elem.Size()
	edge := k.to(elem, op.Number)
	get := decoders[T](elem)
	return func(w *worker) {
		d, data := k.of(w)[dst], w.views[at.view].data
		at.runs(w, len(d), func(i, m, n int) {
			if m >= 0 {
				get(d, i, 1, data, m*size, size, n)
				return
			}
			for j := range d[i : i+n] {
				d[i+j] = edge
			}
		})
	}
}

func (k bank[T]) writePoints(op *tile.Op, src int, at points) step {
	elem, size := op.View.Elem, op.View.Elem.Size()
	put := encoders[T](elem)
	return func(w *worker) {
		s, data := k.of(w)[src], w.views[at.view].data
		at.runs(w, len(s), func(i, m, n int) {
			if m >= 0 {
				put(s, i, 1, data, m*size, size, n)
			}
		})
	}
}
