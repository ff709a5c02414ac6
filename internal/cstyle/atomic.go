package cstyle

import "github.com/weftgpu/weft/simt"

// atomic prints an Atomic: as a statement if nobody asks for the old value, under an
// "if" where it has a mask.
func (p *Printer) atomic(op *simt.Op, args []Expr) {
	p.endGuard()
	p.comment(op)
	v := op.Result()
	var compare Expr
	if op.RMW == simt.RMWCompare {
		compare = args[2]
	}
	used := p.plan.Count(v) > 0
	mask := op.Mask()
	if mask == nil {
		call := p.dialect.Atomic(op, args[0], args[1], compare, used)
		if used {
			p.set(v, p.declare(p.plan.hint(v), v.Type, call))
		} else {
			p.Line("%s;", call.Text)
		}
		return
	}
	name := ""
	if used {
		name = p.Names.Unique(p.plan.hint(v))
		p.Line("%s", p.dialect.Declare(name, v.Type, p.dialect.Const(v.Type, op.Fill), true))
		p.set(v, Atom(name))
		name += " = "
	}
	p.open("if (" + p.Expr(mask).Text + ") {")
	p.Line("%s%s;", name, p.dialect.Atomic(op, args[0], args[1], compare, used).Text)
	p.close()
}

// sharedAtomic prints a SharedAtomic, under an "if" where it has a mask.
func (p *Printer) sharedAtomic(op *simt.Op, args []Expr) {
	p.endGuard()
	p.comment(op)
	call := p.dialect.SharedAtomic(op, args[0], args[1])
	if op.Mask() == nil {
		p.Line("%s;", call.Text)
		return
	}
	p.open("if (" + args[2].Text + ") {")
	p.Line("%s;", call.Text)
	p.close()
}
