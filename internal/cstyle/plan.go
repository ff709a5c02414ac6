package cstyle

import "github.com/weftgpu/weft/simt"

// use says how the ops that are printed use a value.
type use struct {
	asIndex bool // of a memory access
	asMask  bool // of a memory access
}

// plan is what must be known of a kernel before its first line is printed.
type plan struct {
	*simt.Uses
	// inPlace holds the values that overwrite the loop variable of one of
	// their operands: that operand's position, counted from 1.
	inPlace simt.Table[int]
}

func newPlan(k *simt.Func) *plan {
	p := &plan{Uses: simt.UsesIn(k.Body)}
	p.inPlace.Hold(k.Body)
	p.chains(k.Body)
	return p
}

// hint is what to call a value.
func (p *plan) hint(v *simt.Value) string {
	if v.Hint != "" {
		return v.Hint
	}
	var as use
	for u := range p.Of(v) {
		as.asIndex = as.asIndex || u.Arg == 0 && u.Op.Kind >= simt.Load && u.Op.Kind <= simt.SharedAtomic
		as.asMask = as.asMask || v == u.Op.Mask()
	}
	return hint(v, as)
}

// chains finds the values on the way from a carried value to its next one, if
// each is the only use of the one before: they share one variable, as in
// "acc = fma(a, b, acc)".
func (p *plan) chains(b *simt.Block) {
	for _, op := range b.Ops {
		for _, body := range op.Blocks() {
			p.chains(body)
		}
		if op.Kind != simt.For {
			continue
		}
		next := op.Body.Yield().Args
		for i, arg := range op.Body.Args[1:] {
			p.chain(next[i], arg)
		}
	}
}

func (p *plan) chain(v, arg *simt.Value) bool {
	if p.Count(v) != 1 || p.Block(v) != p.Block(arg) {
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
	if !op.Kind.IsElementwise() && op.Kind != simt.CooperativeMulAdd {
		return false
	}
	for i := len(op.Args) - 1; i >= 0; i-- { // a sum's old value is FMA's last operand
		if op.Args[i].Type == v.Type && p.chain(op.Args[i], arg) {
			*p.inPlace.At(v) = i + 1
			return true
		}
	}
	return false
}

// deferred reports whether a pure value should be printed where it is used,
// if its text turns out short.
func (p *plan) deferred(op *simt.Op, b *simt.Block) bool {
	switch op.Kind {
	case simt.Const, simt.Param, simt.Extract:
		return true
	}
	v := op.Result()
	u, once := p.Only(v)
	return once && v.Hint == "" && u.Block == b && u.Op.Kind != simt.Extract && (op.Line == u.Op.Line || op.Kind < simt.Neg)
}
