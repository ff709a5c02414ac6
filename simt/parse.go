package simt

import (
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
)

// Parse reads a kernel in the form that Func.String prints, so that
// tests can hold kernels as text. It checks the form alone; what it returns is to be
// verified. Its errors wrap fault.ErrKernel and name line and column, "3:14".
//
// Comments on lines of their own are skipped; one that follows an op is the op's
// Line and, after a semicolon, its Note.
func Parse(source string) (k *Func, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case syntaxError:
			k, err = nil, e.err
		default:
			panic(e)
		}
	}()
	p := &parser{tokens: scan(source), values: map[int]*Value{}, kernel: &Func{}}
	p.parseKernel()
	return p.kernel, nil
}

// maxDepth bounds the nesting of blocks, maxID the numbers of values, by which tables are indexed.
const (
	maxDepth = 200
	maxID    = 1 << 20
)

// parser reads tokens. Values are known by their numbers, which are unique in a kernel.
type parser struct {
	tokens []token
	at     int
	depth  int
	kernel *Func
	values map[int]*Value
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != theEnd {
		p.at++
	}
	return t
}

// failBack fails at the token taken last.
func (p *parser) failBack(format string, args ...any) {
	p.tokens[max(p.at-1, 0)].fail(format, args...)
}

// accept takes a token if it is the wanted word or mark.
func (p *parser) accept(s string) bool {
	if t := p.peek(); t.kind != aWord && t.kind != aMark || t.text != s {
		return false
	}
	p.take()
	return true
}

func (p *parser) expect(s string) {
	if t := p.peek(); !p.accept(s) {
		t.fail("want %q, found %v", s, t)
	}
}

func (p *parser) word(what string) string {
	t := p.take()
	if t.kind != aWord {
		t.fail("want %s, found %v", what, t)
	}
	return t.text
}

// name is a word or a string.
func (p *parser) name(what string) string {
	if p.peek().kind == aString {
		return p.take().text
	}
	return p.word(what)
}

// option takes "name=" if that follows.
func (p *parser) option(name string) bool {
	if t := p.tokens[min(p.at+1, len(p.tokens)-1)]; t.kind != aMark || t.text != "=" || !p.accept(name) {
		return false
	}
	p.take()
	return true
}

func (p *parser) number() float64 {
	x, err := strconv.ParseFloat(p.word("a number"), 64)
	if err != nil {
		p.failBack("no number: %v", p.tokens[p.at-1])
	}
	return x
}

func (p *parser) integer() int {
	x, err := strconv.ParseInt(p.word("a number"), 10, 32)
	if err != nil {
		p.failBack("no integer of 32 bits: %v", p.tokens[p.at-1])
	}
	return int(x)
}

// integers reads "1, 2".
func (p *parser) integers() (list []int) {
	for {
		list = append(list, p.integer())
		if !p.accept(",") {
			return list
		}
	}
}

func (p *parser) elem() dtype.Type {
	e := dtype.Parse(p.word("an element type"))
	if !e.Valid() {
		p.failBack("no element type: %v", p.tokens[p.at-1])
	}
	return e
}

// registerType reads "f32", "f32x4" or "f32x8 c 16 16 of f16".
func (p *parser) registerType() Type {
	elem, width, vector := strings.Cut(p.word("a type"), "x")
	t := Scalar(dtype.Parse(elem))
	if vector {
		t.Width, _ = strconv.Atoi(width)
	}
	if !t.Elem.Valid() || t.String() != p.tokens[p.at-1].text || t.Width < 1 || t.Width > 64 {
		p.failBack("no type: %v", p.tokens[p.at-1])
	}
	t.Matrix = p.matrixShape()
	return t
}

// endLine takes the rest of a line and returns its comment.
func (p *parser) endLine() string {
	remarked := ""
	if p.peek().kind == aComment {
		remarked = p.take().text
	}
	if t := p.take(); t.kind != aLineEnd {
		t.fail("want the end of the line, found %v", t)
	}
	return remarked
}

// skipLines takes empty lines and comments on lines of their own.
func (p *parser) skipLines() {
	for p.peek().kind == aLineEnd || p.peek().kind == aComment {
		p.take()
	}
}

// memory reads a reference to a buffer or a shared array.
func memory[M comparable](p *parser, all []M, name func(M) string) M {
	at := p.peek()
	want := p.name("a name")
	if p.accept("#") {
		i := p.integer()
		if i < 0 || i >= len(all) || name(all[i]) != want {
			at.fail("declaration %d is not called %q", i, want)
		}
		return all[i]
	}
	var found []M
	for _, m := range all {
		if name(m) == want {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		at.fail("%d declarations are called %q, want 1", len(found), want)
	}
	return found[0]
}

// define makes the value of a token.
func (p *parser) define(t token, typ Type, op *Op) *Value {
	if p.values[t.id] != nil {
		t.fail("%v is defined twice", t)
	}
	v := &Value{ID: t.id, Hint: t.text, Type: typ, Op: op}
	p.values[t.id] = v
	return v
}

func (p *parser) valueName() token {
	t := p.take()
	if t.kind != aValue {
		t.fail("want a value, found %v", t)
	}
	return t
}

// use finds a value that was defined before.
func (p *parser) use() *Value {
	t := p.valueName()
	v := p.values[t.id]
	if v == nil || v.Hint != t.text {
		t.fail("%v is not defined", t)
	}
	return v
}

// operands reads values up to what is none.
func (p *parser) operands() (vs []*Value) {
	for p.peek().kind == aValue {
		vs = append(vs, p.use())
		if !p.accept(",") {
			return vs
		}
		if t := p.peek(); t.kind != aValue {
			t.fail("want a value, found %v", t)
		}
	}
	return vs
}

// block reads ops up to the closing brace, which it takes.
func (p *parser) block(args []*Value) *Block {
	if p.depth++; p.depth > maxDepth {
		p.failBack("more than %d blocks in each other", maxDepth)
	}
	b := &Block{Args: args}
	for p.skipLines(); !p.accept("}"); p.skipLines() {
		b.Ops = append(b.Ops, p.op())
	}
	p.depth--
	return b
}

func (p *parser) op() *Op {
	var results []token
	for p.peek().kind == aValue {
		results = append(results, p.take())
		if !p.accept(",") {
			p.expect("=")
			break
		}
	}
	start := p.peek()
	op := &Op{Kind: kindOf(p.word("an op"))}
	switch op.Kind {
	case Invalid:
		start.fail("%v is not an op", start)
	case For, While, Branch, If, Roles:
		p.control(op, start, results)
		return op
	}
	p.attributes(op)
	op.Args = p.operands()
	if len(results) > 1 && op.Kind != GroupMMA && op.Kind != GroupWait {
		results[1].fail("%v has one result", start)
	}
	var typ Type // of all results
	for i, r := range results {
		if i == 0 {
			p.expect(":")
			typ = p.registerType()
		}
		op.Out = append(op.Out, p.define(r, typ, op))
	}
	op.Line, op.Note = remark(p.endLine())
	return op
}

func (p *parser) attributes(op *Op) {
	for _, a := range facts[op.Kind].attrs {
		attributes[a].parse(p, op)
	}
}

// remark splits a comment into the line and the note.
func remark(s string) (line, note string) {
	line, note, _ = strings.Cut(s, ";")
	return strings.TrimSpace(line), strings.Join(strings.Fields(note), " ")
}

var kindNames = func() map[string]Kind {
	names := map[string]Kind{}
	for k := Invalid + 1; k < NumKinds; k++ {
		names[k.String()] = k
	}
	return names
}()

// kindOf is the kind with a name, Invalid if there is none.
func kindOf(name string) Kind { return kindNames[name] }

// control reads an op with bodies. Its results have the types of what it
// carries or yields.
func (p *parser) control(op *Op, start token, results []token) {
	var args []*Value // of the body
	switch op.Kind {
	case For:
		index := p.define(p.valueName(), Scalar(dtype.I32), nil)
		p.expect("=")
		op.Args = append(op.Args, p.use())
		for _, next := range []string{"to", "step"} {
			p.expect(next)
			op.Args = append(op.Args, p.use())
		}
		p.attributes(op)
		args = []*Value{index}
		if p.accept(",") {
			args = append(args, p.carried(op)...)
		}
	case While:
		if p.peek().kind == aValue {
			args = p.carried(op)
		}
	case Roles:
	default:
		op.Args = []*Value{p.use()}
	}
	p.expect("{")
	remarked := p.endLine()
	op.Body = p.block(args)
	if op.Kind == Branch || op.Kind == Roles {
		p.expect("else")
		p.expect("{")
		p.endLine()
		op.Else = p.block(nil)
	}
	var like []*Value
	switch op.Kind {
	case Branch:
		if n := len(op.Body.Ops); n > 0 && op.Body.Ops[n-1].Kind == Yield {
			like = op.Body.Ops[n-1].Args
		}
	case For:
		like = op.Args[3:]
	case While:
		like = op.Args
	}
	if len(results) != len(like) {
		start.fail("%d results, want %d", len(results), len(like))
	}
	for i, r := range results {
		op.Out = append(op.Out, p.define(r, like[i].Type, op))
	}
	op.Line, op.Note = remark(remarked)
	p.endLine()
}

// carried reads what a loop starts with, "%5 = %1, %6 = %2".
func (p *parser) carried(op *Op) (args []*Value) {
	for {
		t := p.valueName()
		p.expect("=")
		v := p.use()
		op.Args, args = append(op.Args, v), append(args, p.define(t, v.Type, nil))
		if !p.accept(",") {
			return args
		}
	}
}
