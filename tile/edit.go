package tile

import "slices"

// Editor changes a copy of a kernel. Passes use it; kernels themselves do not change
// once they are built.
type Editor struct {
	Func *Func // the copy
	b    *Builder
}

// Edit copies a kernel, so that it can be changed, and returns the copy's editor.
func Edit(k *Func) *Editor {
	c := &Func{Name: k.Name, Views: k.Views, Scalars: k.Scalars, Schedule: k.Schedule, SchedulePos: k.SchedulePos, edited: true}
	e := &Editor{Func: c, b: &Builder{kernel: c}}
	values := map[*Value]*Value{}
	c.Body = e.Copy(k.Body, values)
	for i, g := range k.Grid {
		c.Grid[i] = values[g]
	}
	return e
}

// Copy copies a region. The copies of its ops compute new values, which are added to values;
// operands from outside are replaced by what values holds for them.
func (e *Editor) Copy(r *Region, values map[*Value]*Value) *Region {
	c := &Region{Args: e.fresh(r.Args, nil, values), Ops: make([]*Op, len(r.Ops))}
	for i, op := range r.Ops {
		c.Ops[i] = e.CopyOp(op, values)
	}
	return c
}

// CopyOp copies an op as Copy does.
func (e *Editor) CopyOp(op *Op, values map[*Value]*Value) *Op {
	c := *op
	c.Args = make([]*Value, len(op.Args))
	for i, a := range op.Args {
		c.Args[i] = a
		if v := values[a]; v != nil {
			c.Args[i] = v
		}
	}
	if op.Body != nil {
		c.Body = e.Copy(op.Body, values)
	}
	if op.Else != nil {
		c.Else = e.Copy(op.Else, values)
	}
	c.Out = e.fresh(op.Out, &c, values)
	return &c
}

func (e *Editor) fresh(vs []*Value, op *Op, values map[*Value]*Value) []*Value {
	out := make([]*Value, len(vs))
	for i, v := range vs {
		out[i] = e.b.newValue(v.typ, op)
		values[v] = out[i]
	}
	return slices.Clip(out)
}

// Describe returns the ops that a description appends. They all are of one line.
func (e *Editor) Describe(pos Pos, describe func(k *Builder)) ([]*Op, error) {
	e.b.region, e.b.pos = &Region{}, pos
	describe(e.b)
	return e.b.region.Ops, e.b.err
}

// ReplaceGrid replaces values that the grid is.
func (e *Editor) ReplaceGrid(to map[*Value]*Value) {
	for i, g := range e.Func.Grid {
		if v := to[g]; v != nil {
			e.Func.Grid[i] = v
		}
	}
}

// Dim is a view's size along an axis; it stands in a description.
func (e *Editor) Dim(v *View, axis int) *Value {
	return e.b.emit(&Op{Kind: OpDim, View: v, Axis: axis}, Type{})
}
