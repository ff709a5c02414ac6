package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// matrices makes loops carry cooperative matrices, and branches yield them, where lowering has them carry the elements one by one: compilers
// of SPIR-V then keep a matrix as it is instead of taking it apart and composing it in each iteration.
func matrices(r *Context) {
	if len(r.Kernel.Cooperative) == 0 {
		return
	}
	e := simt.Edit(r.Kernel)
	e.Rewrite(r.Kernel.Body, func(op *simt.Op) {
		groups := yieldedMatrices(op)
		before, after := e.New(), e.New()
		for _, g := range groups {
			g.carry(op, before, after)
		}
		e.Append(before.Take()...)
		if len(groups) > 0 {
			dropped := map[int]bool{}
			for _, g := range groups {
				for _, at := range g.lanes {
					dropped[at.result] = true
					e.Replace(op.Out[at.result], after.Value(op.Out[at.result]))
				}
			}
			op.DropResults(func(i int) bool { return dropped[i] })
			for _, b := range op.Blocks() {
				wholeMatrices(e.New(), b)
			}
		}
		e.Do(op)
		e.Append(after.Take()...)
	})
	wholeMatrices(e.New(), r.Kernel.Body)
}

// wholeMatrices replaces matrices that are composed of all elements of another one by that, and elements of what was composed by themselves.
func wholeMatrices(e *simt.Editor, b *simt.Block) {
	e.Rewrite(b, func(op *simt.Op) {
		if v := simt.Recomposed(op); v != nil {
			e.Replace(op.Result(), v)
		}
		e.Do(op)
	})
}

// laneAt says which lane of which result of an op is an element.
type laneAt struct{ result, lane int }

// yieldedMatrix is a matrix all of whose elements an op yields, and nothing else in the same results.
type yieldedMatrix struct {
	typ   simt.Type
	hint  string
	lanes []laneAt // by element
	twice bool     // an element is in two results
}

// yieldedMatrices finds the matrices of which a block of a loop or of a branch yields the elements.
func yieldedMatrices(op *simt.Op) (groups []yieldedMatrix) {
	if len(op.Out) == 0 {
		return nil
	}
	taken := map[int]bool{}
	for _, b := range op.Blocks() {
		found, order := map[*simt.Value]*yieldedMatrix{}, []*simt.Value(nil)
		for i, v := range b.Yield().Args {
			m, elements := elementsOf(v)
			if m == nil || taken[i] {
				continue
			}
			if found[m] == nil {
				order = append(order, m)
				found[m] = &yieldedMatrix{typ: m.Type, hint: m.Hint, lanes: make([]laneAt, m.Type.Width)}
			}
			found[m].add(i, elements)
		}
		for _, m := range order {
			g := found[m]
			if g.missing() {
				continue
			}
			for _, at := range g.lanes {
				taken[at.result-1] = true
			}
			for i := range g.lanes {
				g.lanes[i].result--
			}
			groups = append(groups, *g)
		}
	}
	return groups
}

// add notes that a result has elements of the matrix. Results are counted from 1 until all are known.
func (g *yieldedMatrix) add(result int, elements []int) {
	for lane, element := range elements {
		g.twice = g.twice || g.lanes[element].result > 0 // as of sums of equal terms
		g.lanes[element] = laneAt{result + 1, lane}
	}
}

func (g *yieldedMatrix) missing() bool {
	return g.twice || slices.ContainsFunc(g.lanes, func(at laneAt) bool { return at.result == 0 })
}

// elementsOf is the matrix that all lanes of a value were extracted from, and which elements they are.
func elementsOf(v *simt.Value) (m *simt.Value, elements []int) {
	lanes := []*simt.Value{v}
	if v.Op != nil && v.Op.Kind == simt.Compose && v.Type.Matrix == (simt.MatrixShape{}) {
		lanes = v.Op.Args
	}
	for _, x := range lanes {
		if x.Op == nil || x.Op.Kind != simt.Extract || x.Type.Width != 1 {
			return nil, nil
		}
		from := x.Op.Args[0]
		if from.Type.Matrix.Use != simt.MatrixC || m != nil && m != from {
			return nil, nil
		}
		m, elements = from, append(elements, x.Op.Lane)
	}
	return m, elements
}

// carry gives an op the matrix as a further result. What makes its initial value goes to before, and what its elements are
// afterwards to after.
func (g yieldedMatrix) carry(op *simt.Op, before, after *simt.Editor) {
	initial, params := op.Carried()
	if initial != nil {
		first := before.ComposeMatrix(g.typ, g.pick(before, initial)...)
		now, _ := before.Carry(op, first, g.hint)
		inside := before.New()
		g.spread(inside, now, params)
		head := inside.Take()
		inside.ReplaceUses(op.Body)
		op.Body.Ops = append(head, op.Body.Ops...)
	} else {
		final := before.NewValue(g.typ, g.hint)
		final.Op = op
		op.Out = append(op.Out, final)
	}
	for _, b := range op.Blocks() {
		inside, yield := before.New(), b.Yield()
		next := inside.ComposeMatrix(g.typ, g.pick(inside, yield.Args)...)
		b.Insert(yield, inside.Take()...)
		yield.Args = append(yield.Args, next)
	}
	g.spread(after, op.Out[len(op.Out)-1], op.Out)
}

// pick are the elements of the matrix among some values, one for each result.
func (g yieldedMatrix) pick(e *simt.Editor, values []*simt.Value) []*simt.Value {
	list := make([]*simt.Value, len(g.lanes))
	for i, at := range g.lanes {
		list[i] = e.Extract(values[at.result], at.lane)
	}
	return list
}

// spread replaces values, one for each result, by elements of a matrix.
func (g yieldedMatrix) spread(e *simt.Editor, m *simt.Value, values []*simt.Value) {
	lanes := make([][]*simt.Value, len(values))
	for i, at := range g.lanes {
		if lanes[at.result] == nil {
			lanes[at.result] = make([]*simt.Value, values[at.result].Type.Width)
		}
		lanes[at.result][at.lane] = e.Extract(m, i)
	}
	for result, elements := range lanes {
		if elements != nil {
			e.Replace(values[result], e.Compose(elements...))
		}
	}
}
