package cstyle

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/simt"
)

// longest is the length of the expressions that are printed where they are
// used, rather than named.
const longest = 64

// Dialect says how a language reads. Methods that print an op may call
// Printer.Bind for what they need twice.
type Dialect interface {
	// Const is a constant.
	Const(t simt.Type, x float64) Expr
	// Op is a pure op other than a constant, ShuffleXor, MMA or LoadMatrix.
	Op(op *simt.Op, args []Expr) (Expr, error)
	// Load is the value of a Load or SharedLoad.
	Load(op *simt.Op, index, mask Expr) (Expr, error)
	// Store prints the statements of a Store or SharedStore whose mask holds, of a StoreMatrix or of a CooperativeStore.
	Store(op *simt.Op, index, value Expr) error
	// Atomic is the call of an Atomic, whose result may be unused; compare is empty for most.
	Atomic(op *simt.Op, index, value, compare Expr, used bool) Expr
	// SharedAtomic is the call of a SharedAtomic.
	SharedAtomic(op *simt.Op, index, value Expr) Expr
	// Declare is the statement that declares a name, or a variable that is
	// assigned to later; its value may be empty then.
	Declare(name string, t simt.Type, value Expr, variable bool) string
	// For is a loop's first line, up to the brace, preceded by others if need be.
	For(op *simt.Op, i string, lo, hi, step Expr) []string
	// Barrier is the statement that makes the workgroup meet.
	Barrier(op *simt.Op) string
	// Tensor is the statement of a TensorCopy, a TensorStore, of waiting for them, or of a ClusterBarrier.
	Tensor(op *simt.Op, args []Expr) (string, error)
	// Roles are the lines before a Roles' bodies, up to the brace of each.
	Roles(op *simt.Op) (producer, consumers []string, err error)
	// Group prints the statements of a GroupMMA or a GroupWait, whose sums are in variables with the given names.
	Group(op *simt.Op, products [][2]Expr, sums []string) error
	// Copy is the statement of a CopyAsync, CopyCommit or CopyWait; index, from and mask are those of a CopyAsync.
	Copy(op *simt.Op, index, from, mask Expr) (string, error)
}

// Printer prints the body of one kernel.
type Printer struct {
	Names   *Names
	dialect Dialect
	plan    *plan
	exprs   simt.Table[printed]
	// assigned are the values whose variables the Yield of the block at hand assigns to.
	assigned []*simt.Value
	out      strings.Builder
	indent   int
	at       string   // the kernel's line that the last comment named
	current  *simt.Op // being printed
	noted    *simt.Op // whose note was the last printed
	// guard is the mask whose "if" the last store left open: the next store may
	// have the same. storing is set while a store prints.
	guard   *simt.Value
	storing bool
	args    []Expr // of the op at hand
}

// printed is the text of a value.
type printed struct {
	Expr
	inline bool // no name holds it
}

// Body prints a verified kernel's body in a dialect, indented once.
func Body(k *simt.Func, names *Names, dialect func(*Printer) Dialect) (string, error) {
	p := &Printer{Names: names, plan: newPlan(k), indent: 1}
	p.exprs.Hold(k.Body)
	p.dialect = dialect(p)
	if err := p.block(k.Body); err != nil {
		return "", err
	}
	p.endGuard()
	return p.out.String(), nil
}

// Line prints one line of the body.
func (p *Printer) Line(format string, args ...any) {
	if !p.storing {
		p.endGuard()
	}
	p.out.WriteString(strings.Repeat("    ", p.indent))
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

// open prints a line and indents what follows.
func (p *Printer) open(lines ...string) {
	for _, l := range lines {
		p.Line("%s", l)
	}
	p.indent++
}

func (p *Printer) close() {
	p.endGuard()
	p.indent--
	p.Line("}")
}

// Remark is a comment after a declaration, nothing for an empty text.
func Remark(text string) string {
	if text == "" {
		return ""
	}
	return " // " + strings.Join(strings.Fields(text), " ")
}

// comment names the kernel's line, once for a run of ops from it.
func (p *Printer) comment(op *simt.Op) {
	if op.Line != "" && op.Line != p.at {
		p.Line("// %s", op.Line)
		p.at = op.Line
	}
	if op.Note != "" && op != p.noted {
		p.Line("// %s", strings.Join(strings.Fields(op.Note), " "))
		p.noted = op
	}
}

// Bind gives an expression a name unless it is one, or a literal, already.
func (p *Printer) Bind(e Expr, t simt.Type, hint string) Expr {
	if e.Prec >= Unary && e.form != computed {
		return e
	}
	return p.declare(hint, t, e)
}

func (p *Printer) declare(hint string, t simt.Type, e Expr) Expr {
	p.comment(p.current)
	name := p.Names.Unique(hint)
	p.Line("%s", p.dialect.Declare(name, t, e, false))
	return Expr{Text: name, Prec: Primary, form: named}
}

// body prints the block of an op that assigns to the variables of some values at its end.
func (p *Printer) body(b *simt.Block, assigned []*simt.Value) error {
	outer := p.assigned
	p.assigned = assigned
	err := p.block(b)
	p.assigned = outer
	return err
}

func (p *Printer) block(b *simt.Block) error {
	for _, op := range b.Ops {
		if err := p.op(op, b); err != nil {
			return err
		}
	}
	return nil
}

func (p *Printer) op(op *simt.Op, b *simt.Block) error {
	p.current = op
	switch op.Kind {
	case simt.Const:
		*p.exprs.At(op.Result()) = printed{p.dialect.Const(op.Result().Type, op.Number), true}
		return nil
	case simt.Store, simt.SharedStore, simt.StoreMatrix, simt.CooperativeStore:
		return p.store(op)
	case simt.For:
		return p.loop(op, b)
	case simt.While:
		return p.while(op, b)
	case simt.Yield:
		p.yield(op)
		return nil
	}
	args := p.args[:0] // for as long as no other op is printed
	for _, a := range op.Args {
		args = append(args, p.Expr(a))
	}
	p.args = args
	switch op.Kind {
	case simt.Barrier:
		p.comment(op)
		p.Line("%s", p.dialect.Barrier(op))
		return nil
	case simt.Issue: // for SPIR-V alone
		return nil
	case simt.Atomic:
		p.atomic(op, args)
		return nil
	case simt.SharedAtomic:
		p.sharedAtomic(op, args)
		return nil
	case simt.CopyAsync, simt.CopyCommit, simt.CopyWait:
		return p.copy(op, args)
	case simt.TensorCopy, simt.TensorStore, simt.StoreWait, simt.Expect, simt.Arrive, simt.Wait, simt.ClusterBarrier, simt.OrderBegin, simt.OrderEnd:
		p.comment(op)
		text, err := p.dialect.Tensor(op, args)
		if err == nil {
			p.Line("%s", text)
		}
		return err
	case simt.Roles:
		return p.roles(op)
	case simt.GroupMMA, simt.GroupWait:
		return p.group(op)
	case simt.If:
		return p.condition(op, args[0])
	case simt.Branch:
		return p.branch(op, args[0])
	case simt.Exit, simt.Break:
		p.comment(op)
		p.open("if (" + args[0].Text + ") {")
		p.Line("%s;", map[simt.Kind]string{simt.Exit: "return", simt.Break: "break"}[op.Kind])
		p.close()
		return nil
	}
	return p.value(op, b, args)
}

// value prints a pure op, a load or a shuffle: as a declaration, as an
// assignment to a loop's variable, or later.
func (p *Printer) value(op *simt.Op, b *simt.Block, args []Expr) error {
	v := op.Result()
	target := *p.plan.inPlace.At(v) - 1
	inPlace := target >= 0
	later := op.Kind.IsPure() && !inPlace && p.plan.deferred(op, b)
	if !later {
		p.comment(op)
	}
	e, err := p.expr(op, args)
	if err != nil {
		return err
	}
	for _, a := range args {
		e.vars = append(e.vars, a.vars...)
	}
	switch {
	case inPlace:
		p.set(v, args[target])
		p.update(target, args, e)
	case later && (len(e.Text) <= longest || op.Kind == simt.Extract) || cheap(op, args):
		*p.exprs.At(v) = printed{e, true}
	default:
		p.set(v, p.declare(p.plan.hint(v), v.Type, e))
	}
	return nil
}

// cheap reports whether a value may be printed several times: a splat of a
// name, or a loop's index times a constant.
func cheap(op *simt.Op, args []Expr) bool {
	if op.Result().Hint != "" {
		return false
	}
	switch op.Kind {
	case simt.Splat:
		return args[0].Prec == Primary && args[0].form != computed
	case simt.Mul:
		_, constant := simt.ConstOf(op.Args[1])
		return constant && op.Args[0].Op == nil && !args[0].Mutable()
	}
	return false
}

func (p *Printer) expr(op *simt.Op, args []Expr) (Expr, error) {
	if op.Kind != simt.Load && op.Kind != simt.SharedLoad {
		return p.dialect.Op(op, args)
	}
	var mask Expr
	if op.Mask() != nil {
		mask = args[1]
	}
	return p.dialect.Load(op, args[0], mask)
}

// update assigns e to the loop variable that holds one of the operands.
func (p *Printer) update(target int, args []Expr, e Expr) {
	if target == 0 && len(args) == 2 && !e.overloaded && (e.op == "+" || e.op == "-" || e.op == "*") {
		p.Line("%s %s= %s;", args[0].Text, e.op, args[1].Text)
		return
	}
	p.Line("%s = %s;", args[target].Text, e.Text)
}

// store prints a store, under an "if" that it shares with its neighbours of
// the same mask.
func (p *Printer) store(op *simt.Op) error {
	mask := op.Mask()
	if mask == nil || mask != p.guard {
		p.endGuard()
		p.comment(op)
	}
	if mask != nil && p.guard == nil {
		p.open("if (" + p.Expr(mask).Text + ") {")
		p.guard = mask
	}
	p.storing = mask != nil
	defer func() { p.storing = false }()
	p.comment(op)
	return p.dialect.Store(op, p.Expr(op.Args[0]), p.Expr(op.Args[1]))
}

// copy prints a step of asynchronous copies.
func (p *Printer) copy(op *simt.Op, args []Expr) error {
	p.comment(op)
	var at [3]Expr
	copy(at[:], args)
	text, err := p.dialect.Copy(op, at[0], at[1], at[2])
	if err == nil {
		p.Line("%s", text)
	}
	return err
}

// roles prints what each role executes, without what the printer calls the values of one in the other.
func (p *Printer) roles(op *simt.Op) error {
	producer, consumers, err := p.dialect.Roles(op)
	if err != nil {
		return err
	}
	for i, lines := range [][]string{producer, consumers} {
		p.open(lines...)
		if err := p.block(op.Blocks()[i]); err != nil {
			return err
		}
		p.close()
	}
	return nil
}

// group prints the products of a warpgroup, which are added to copies of the sums.
func (p *Printer) group(op *simt.Op) error {
	p.comment(op)
	if op.Kind == simt.GroupWait { // after which the variables hold the sums
		var sums []string
		for i, v := range op.Args {
			sums = append(sums, p.Expr(v).Text)
			p.set(op.Out[i], p.Expr(v))
		}
		return p.dialect.Group(op, nil, sums)
	}
	var products [][2]Expr
	pairs, c := op.Products()
	for _, pair := range pairs {
		products = append(products, [2]Expr{p.Expr(pair[0]), p.Expr(pair[1])})
	}
	sums := make([]string, len(c))
	for i, v := range op.Out {
		sums[i] = p.Names.Unique(hint(v, use{}))
		p.Line("%s", p.dialect.Declare(sums[i], v.Type, p.Expr(c[i]), true))
	}
	for i, v := range op.Out {
		p.set(v, Atom(sums[i]))
	}
	return p.dialect.Group(op, products, sums)
}

// endGuard closes the "if" of the last stores.
func (p *Printer) endGuard() {
	if p.guard != nil {
		p.guard = nil
		p.close()
	}
}

func (p *Printer) condition(op *simt.Op, cond Expr) error {
	p.comment(op)
	p.open("if (" + cond.Text + ") {")
	err := p.block(op.Body)
	p.close()
	return err
}

// Signature prints a function's head with its parameters, on one line each if
// they are many.
func Signature(head string, params []string) string {
	if line := head + "(" + strings.Join(params, ", ") + ")"; len(line) <= 110 {
		return line
	}
	return head + "(\n    " + strings.Join(params, ",\n    ") + ")"
}

// Name declares a name for an expression.
func (p *Printer) Name(e Expr, t simt.Type, hint string) Expr { return p.declare(hint, t, e) }

// Inline returns the text of a value that no name holds.
func (p *Printer) Inline(v *simt.Value) (Expr, bool) {
	e := p.exprs.At(v)
	return e.Expr, e.inline
}

// Expr is the text of a value that has been printed, or put off.
func (p *Printer) Expr(v *simt.Value) Expr { return p.exprs.At(v).Expr }

// set gives a value a name.
func (p *Printer) set(v *simt.Value, e Expr) { p.exprs.At(v).Expr = e }
