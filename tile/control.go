package tile

import (
	"iter"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Conditions are scalars, so control flow is the same for all elements of a program's
// tiles; Builder.Where and masks choose elements. Values that differ from one
// path through a kernel to another are kept in variables (Builder.Var).

// Branch is an If that may get an Else.
type Branch struct {
	k      *Builder
	op     *Op
	region *Region  // that the If stands in
	before []*Value // what the variables held
	after  []*Value // what the If left in them
	closed bool     // it has its Else
}

// If describes what happens if the scalar Bool cond holds; then runs once, to
// be described. Variables that it sets have the new value after it, or what they
// had before where cond does not hold:
//
//	k.If(x.Gt(0), func() {
//		sum.Set(sum.Get().Add(x))
//	}).Else(func() {
//		sum.Set(sum.Get().Sub(1))
//	})
func (k *Builder) If(cond *Value, then func()) *Branch {
	b := &Branch{k: k, region: k.region, op: &Op{Kind: OpIf, Args: []*Value{cond}, Pos: callerPos()}}
	if cond == nil || !k.owns("if", cond) || cond.typ.Elem == dtype.Invalid {
		k.fail(fault.New(fault.ErrKernel, "if", "the condition is nil"))
		return b
	}
	for _, v := range k.vars {
		b.before = append(b.before, v.value)
	}
	if then == nil {
		k.fail(fault.New(fault.ErrKernel, "if", "the function is nil").For("then"))
		return b
	}
	var values []*Value
	b.op.Body, values = b.describe(then)
	b.op.Else = &Region{}
	b.join(values, b.before)
	if _, err := ruleIf(b.op, Type{}); err != nil {
		k.fail(err.(*fault.Error).At(b.op.Pos.String()))
		return b
	}
	k.region.Ops = append(k.region.Ops, b.op)
	return b
}

// Else describes what happens if the condition does not hold. It follows its If at once.
func (b *Branch) Else(otherwise func()) {
	k := b.k
	if k.err != nil {
		return
	}
	if otherwise == nil {
		k.fail(fault.New(fault.ErrKernel, "else", "the function is nil").For("otherwise"))
		return
	}
	n := len(b.region.Ops)
	last := k.region == b.region && n > 0 && b.region.Ops[n-1] == b.op && len(k.vars) == len(b.after)
	for i, v := range b.after {
		last = last && k.vars[i].value == v
	}
	if !last || b.closed {
		k.fail(fault.New(fault.ErrKernel, "else", "the else does not follow its if directly, or is its second one"))
		return
	}
	b.closed = true
	then := make([]*Value, len(k.vars)) // what the If's body left
	for i, v := range k.vars {
		then[i] = b.before[i]
		for j, out := range b.op.Out {
			if v.value == out {
				then[i] = end(b.op.Body).Args[j]
			}
		}
		v.value = b.before[i]
	}
	region, values := b.describe(otherwise)
	b.op.Else = region
	b.join(then, values)
}

// describe runs the description of one path and returns its ops and what it
// leaves in the variables, which are as before then.
func (b *Branch) describe(body func()) (*Region, []*Value) {
	k, region := b.k, &Region{}
	outer, vars := k.region, k.vars
	k.region, k.depth = region, k.depth+1
	body()
	k.region, k.depth, k.vars = outer, k.depth-1, vars // variables made in the body end with it
	values := make([]*Value, len(vars))
	for i, v := range vars {
		values[i] = v.value
		v.value = b.before[i]
	}
	return region, values
}

// join ends both paths with what they leave in the variables that one of them
// set, which get the results.
func (b *Branch) join(then, otherwise []*Value) {
	old := b.op.Out
	kept := map[*Value]*Value{} // results that the If had without its Else, by what its body leaves
	if body := b.op.Body.Ops; len(body) > 0 && body[len(body)-1].Kind == OpYield {
		for i, v := range end(b.op.Body).Args {
			kept[v] = old[i]
		}
		b.op.Body.Ops = body[:len(body)-1]
	}
	b.op.Out, b.after = nil, nil
	ends := [2]*Op{{Kind: OpYield, Pos: b.op.Pos}, {Kind: OpYield, Pos: b.op.Pos}}
	for i, v := range b.k.vars {
		if then[i] != b.before[i] || otherwise[i] != b.before[i] {
			out := kept[then[i]]
			if out == nil {
				out = b.k.newValue(v.value.typ, b.op)
			}
			delete(kept, then[i]) // another variable with the same value gets a result of its own
			b.op.Out = append(b.op.Out, out)
			ends[0].Args, ends[1].Args = append(ends[0].Args, then[i]), append(ends[1].Args, otherwise[i])
			v.value = out
		}
		b.after = append(b.after, v.value)
	}
	b.op.Body.Ops = append(b.op.Body.Ops, ends[0])
	b.op.Else.Ops = append(b.op.Else.Ops, ends[1])
}

// end is the last op of a region.
func end(r *Region) *Op { return r.Ops[len(r.Ops)-1] }

// While describes a loop that runs as long as a condition holds, which is
// described again before each iteration from what the variables hold then:
//
//	x := k.Var(n)
//	for range k.While(func() *tile.Value { return x.Get().Gt(1) }) {
//		x.Set(x.Get().Div(2))
//	}
//
// cond must not set variables. A loop that never ends hangs the program; some
// devices end it by losing all memory.
func (k *Builder) While(cond func() *Value) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		op := &Op{Kind: OpWhile, Body: &Region{}, Pos: callerPos()}
		if cond == nil {
			k.fail(fault.New(fault.ErrKernel, "while", "the function is nil").For("cond"))
			return
		}
		outer, vars := k.region, k.vars
		before, args := k.enterLoop(vars)
		k.region, k.depth = op.Body, k.depth+1
		holds := cond()
		for i, v := range vars {
			if v.value != args[i] {
				k.fail(fault.New(fault.ErrKernel, "while", "the condition sets a variable, which only the body may do").At(op.Pos.String()))
				return
			}
		}
		k.vars = vars
		k.emit(&Op{Kind: OpCondition, Args: []*Value{holds}}, Type{})
		if !yield(struct{}{}) {
			k.fail(fault.New(fault.ErrKernel, "while", "the loop is left by break or return; its body runs once, to be described").At(op.Pos.String()))
			return
		}
		k.depth--
		k.closeLoop("while", op, outer, nil, vars, before, args)
	}
}

// Persistent describes a loop over this program's part of the tiles that are numbered from 0 to
// before total: with fewer programs than tiles, in a grid of one dimension, each takes every
// NumPrograms(0)th tile, starting with its own number. Tiles are independent: what one stores, no other one loads or
// stores to, as for programs, so that they may be computed in any order (see Schedule.Consumers).
func (k *Builder) Persistent(total Operand) iter.Seq[*Value] {
	return k.RangeStep(k.ProgramID(0), total, k.NumPrograms(0))
}

// Exit ends the program if the scalar Bool cond holds. It is allowed only outside of loops and branches.
func (k *Builder) Exit(cond *Value) { k.emit(&Op{Kind: OpExit, Args: []*Value{cond}}, Type{}) }

func ruleIf(op *Op, _ Type) (Type, error) {
	if len(op.Args) != 1 || op.Body == nil || op.Else == nil || len(op.Body.Args) != 0 || len(op.Else.Args) != 0 {
		return Type{}, kernelError(op, "the if has the wrong number of operands, results or bodies")
	}
	return ruleCondition(op, Type{})
}

// ruleCondition is the rule of ops with a condition as their operand.
func ruleCondition(op *Op, _ Type) (Type, error) {
	if c := op.Args[0]; !c.typ.Equal(ScalarOf(dtype.Bool)) {
		return Type{}, kernelError(op, "the condition is %v, want a scalar bool", c.typ)
	}
	return Type{}, nil
}

// ruleOneCondition is the rule of ops that are nothing but a condition.
func ruleOneCondition(op *Op, _ Type) (Type, error) {
	if len(op.Args) != 1 {
		return Type{}, kernelError(op, "%s given, want 1: the condition", fault.Count(len(op.Args), "operand"))
	}
	return ruleCondition(op, Type{})
}

func ruleWhile(op *Op, _ Type) (Type, error) {
	if op.Body == nil || len(op.Out) != len(op.Args) || len(op.Body.Args) != len(op.Args) {
		return Type{}, kernelError(op, "the loop has the wrong number of operands, results or arguments of its body")
	}
	for i, init := range op.Args {
		if !op.Out[i].typ.Equal(init.typ) || !op.Body.Args[i].typ.Equal(init.typ) {
			return Type{}, shapeError(op, "carried value %d starts as %v and goes on as %v, want one type", i, init.typ, op.Body.Args[i].typ)
		}
	}
	return Type{}, nil
}

// Regions lists the op's bodies.
func (op *Op) Regions() []*Region {
	var list []*Region
	for _, r := range []*Region{op.Body, op.Else} {
		if r != nil {
			list = append(list, r)
		}
	}
	return list
}
