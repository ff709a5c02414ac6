package cstyle

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// loop prints a For. Carried values live in variables that the body assigns to
// at its end; after the loop they hold the results.
func (p *Printer) loop(op *simt.Op, b *simt.Block) error {
	p.comment(op)
	for i, arg := range op.Body.Args[1:] {
		p.carry(op.Args[3+i], arg, op.Out[i], b)
	}
	var bounds [3]Expr
	for i, name := range []string{"start", "end", "step"} {
		bounds[i] = p.Bind(p.Expr(op.Args[i]), op.Args[i].Type, name)
	}
	index := op.Body.Args[0]
	name := p.Names.Unique(hint(index, use{}))
	p.set(index, Atom(name))
	p.open(p.dialect.For(op, name, bounds[0], bounds[1], bounds[2])...)
	err := p.body(op.Body, op.Body.Args[1:])
	p.close()
	return err
}

// carry names the variable of what a loop carries, which holds the result after it.
func (p *Printer) carry(initial, arg, out *simt.Value, b *simt.Block) {
	v := p.variable(initial, arg, b)
	p.set(arg, v)
	p.set(out, v)
}

// variable returns the variable for a carried value: that of its initial value
// if nothing else needs what it holds, else a new one.
func (p *Printer) variable(initial, arg *simt.Value, b *simt.Block) Expr {
	e := p.Expr(initial)
	if isVariable(e) && p.plan.Count(initial) == 1 && p.plan.Block(initial) == b {
		return e
	}
	name := p.Names.Unique(hint(arg, use{}))
	p.Line("%s", p.dialect.Declare(name, arg.Type, e, true))
	return Expr{Text: name, Prec: Primary, vars: []string{name}}
}

func isVariable(e Expr) bool { return len(e.vars) == 1 && e.vars[0] == e.Text }

// assignment is one carried value's step at the end of a loop's body.
type assignment struct {
	target string
	next   Expr
	t      simt.Type
	hint   string
}

// while prints a While: a loop that is left by its Break.
func (p *Printer) while(op *simt.Op, b *simt.Block) error {
	p.comment(op)
	for i, arg := range op.Body.Args {
		p.carry(op.Args[i], arg, op.Out[i], b)
	}
	p.open("while (true) {")
	err := p.body(op.Body, op.Body.Args)
	p.close()
	return err
}

// branch prints a Branch. Its results live in variables that both ways assign to.
func (p *Printer) branch(op *simt.Op, cond Expr) error {
	p.comment(op)
	onlyYields := true // where nothing holds: the results start as what they are then
	for _, inner := range op.Else.Ops {
		onlyYields = onlyYields && inner.Kind == simt.Yield
	}
	for i, out := range op.Out {
		var initial Expr
		if onlyYields {
			initial = p.Expr(op.Yields(i)[1])
		}
		name := p.Names.Unique(hint(out, use{}))
		p.set(out, Atom(name))
		p.Line("%s", p.dialect.Declare(name, out.Type, initial, true))
	}
	p.open("if (" + cond.Text + ") {")
	err := p.body(op.Body, op.Out)
	if !onlyYields && err == nil {
		p.endGuard()
		p.indent--
		p.open("} else {")
		err = p.body(op.Else, op.Out)
	}
	p.close()
	return err
}

// yield assigns the next carried values to their variables, all at once in effect: a variable is
// overwritten when no other assignment still reads it.
func (p *Printer) yield(op *simt.Op) {
	var pending []assignment
	for i, next := range op.Args {
		arg := p.assigned[i]
		a := assignment{p.Expr(arg).Text, p.Expr(next), arg.Type, hint(arg, use{})}
		if a.next.Text != a.target {
			pending = append(pending, a)
		}
	}
	for len(pending) > 0 {
		free := slices.IndexFunc(pending, func(a assignment) bool { return !readElsewhere(pending, a) })
		if free < 0 { // a cycle, such as a swap
			pending[0].next = p.declare("next_"+pending[0].hint, pending[0].t, pending[0].next)
			continue
		}
		p.Line("%s = %s;", pending[free].target, pending[free].next.Text)
		pending = slices.Delete(pending, free, free+1)
	}
}

func readElsewhere(pending []assignment, a assignment) bool {
	for _, other := range pending {
		if other.target != a.target && slices.Contains(other.next.vars, a.target) {
			return true
		}
	}
	return false
}
