package cstyle

import "github.com/weftgpu/weft/simt"

// use says how a value is used by ops that are printed.
type use struct {
	count   int
	block   *simt.Block // of the last user
	line    string      // of the last user
	asIndex bool        // of a memory access
	asMask  bool        // of a memory access
	asWhole bool        // a lane of it is taken
}

// plan is what must be known of a kernel before its first line is printed.
type plan struct {
	uses  map[*simt.Value]use
	block map[*simt.Value]*simt.Block // where a value is defined
	live  *liveness
	// inPlace holds the values that overwrite the loop variable of one of
	// their operands, and that operand's position.
	inPlace map[*simt.Value]int
}

func newPlan(k *simt.Func) *plan {
	p := &plan{
		uses:    map[*simt.Value]use{},
		block:   map[*simt.Value]*simt.Block{},
		live:    findLive(k),
		inPlace: map[*simt.Value]int{},
	}
	p.count(k.Body)
	p.chains(k.Body)
	return p
}

// count walks backwards, so that all uses of a value are known at its definition.
func (p *plan) count(b *simt.Block) {
	for _, a := range b.Args {
		p.block[a] = b
	}
	for i := len(b.Ops) - 1; i >= 0; i-- {
		op := b.Ops[i]
		for _, v := range op.Out {
			p.block[v] = b
		}
		if !p.printed(op) {
			continue
		}
		for _, body := range op.Blocks() {
			p.count(body)
		}
		for j, a := range p.live.operands(op, b) {
			u := p.uses[a]
			u.count++
			u.block, u.line = b, op.Line
			u.asIndex = u.asIndex || j == 0 && op.Kind >= simt.Load && op.Kind <= simt.Atomic
			u.asMask = u.asMask || a == op.Mask()
			u.asWhole = u.asWhole || op.Kind == simt.Extract
			p.uses[a] = u
		}
	}
}

// printed reports whether an op leaves a trace in the text.
func (p *plan) printed(op *simt.Op) bool { return p.live.ops[op] || op.Kind == simt.Yield }

// chains finds the values on the way from a carried value to its next one, if
// each is the only use of the one before: they share one variable, as in
// "acc = fma(a, b, acc)".
func (p *plan) chains(b *simt.Block) {
	for _, op := range b.Ops {
		if op.Body == nil || !p.printed(op) {
			continue
		}
		for _, body := range op.Blocks() {
			p.chains(body)
		}
		if op.Kind != simt.For {
			continue
		}
		next := op.Body.Ops[len(op.Body.Ops)-1].Args
		for i, arg := range op.Body.Args[1:] {
			if p.live.values[arg] {
				p.chain(next[i], arg)
			}
		}
	}
}

func (p *plan) chain(v, arg *simt.Value) bool {
	if p.uses[v].count != 1 || p.block[v] != p.block[arg] {
		return false
	}
	if v == arg {
		return true
	}
	op := v.Op
	if op == nil {
		return false
	}
	if op.Kind == simt.For {
		for i, out := range op.Out {
			if out == v {
				return p.chain(op.Args[3+i], arg)
			}
		}
		return false
	}
	if !op.Kind.IsElementwise() {
		return false
	}
	for i := len(op.Args) - 1; i >= 0; i-- { // a sum's old value is FMA's last operand
		if op.Args[i].Type == v.Type && p.chain(op.Args[i], arg) {
			p.inPlace[v] = i
			return true
		}
	}
	return false
}

// deferred reports whether a pure value should be printed where it is used,
// if its text turns out short.
func (p *plan) deferred(op *simt.Op, b *simt.Block) bool {
	v := op.Result()
	u := p.uses[v]
	switch op.Kind {
	case simt.Const, simt.Param, simt.Extract:
		return true
	}
	sameLine := op.Line == u.line || op.Kind < simt.Neg
	return v.Hint == "" && u.count == 1 && u.block == b && !u.asWhole && sameLine
}
