package cstyle

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

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
	uses  simt.Table[use]
	block simt.Table[*simt.Block] // where a value is defined
	// inPlace holds the values that overwrite the loop variable of one of
	// their operands: that operand's position, counted from 1.
	inPlace simt.Table[int]
}

func newPlan(k *simt.Func) *plan {
	p := &plan{}
	p.uses.Hold(k.Body)
	p.block.Hold(k.Body)
	p.inPlace.Hold(k.Body)
	p.count(k.Body)
	p.chains(k.Body)
	return p
}

// count walks backwards, so that all uses of a value are known at its definition.
func (p *plan) count(b *simt.Block) {
	for _, a := range b.Args {
		*p.block.At(a) = b
	}
	for _, op := range slices.Backward(b.Ops) {
		for _, v := range op.Out {
			*p.block.At(v) = b
		}
		for _, body := range op.Blocks() {
			p.count(body)
		}
		mask := op.Mask()
		for j, a := range op.Args {
			u := p.uses.At(a)
			u.count++
			u.block, u.line = b, op.Line
			u.asIndex = u.asIndex || j == 0 && op.Kind >= simt.Load && op.Kind <= simt.Atomic
			u.asMask = u.asMask || a == mask
			u.asWhole = u.asWhole || op.Kind == simt.Extract
		}
	}
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
		next := op.Body.Ops[len(op.Body.Ops)-1].Args
		for i, arg := range op.Body.Args[1:] {
			p.chain(next[i], arg)
		}
	}
}

func (p *plan) chain(v, arg *simt.Value) bool {
	if p.uses.At(v).count != 1 || *p.block.At(v) != *p.block.At(arg) {
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
			*p.inPlace.At(v) = i + 1
			return true
		}
	}
	return false
}

// deferred reports whether a pure value should be printed where it is used,
// if its text turns out short.
func (p *plan) deferred(op *simt.Op, b *simt.Block) bool {
	v := op.Result()
	u := p.uses.At(v)
	switch op.Kind {
	case simt.Const, simt.Param, simt.Extract:
		return true
	}
	sameLine := op.Line == u.line || op.Kind < simt.Neg
	return v.Hint == "" && u.count == 1 && u.block == b && !u.asWhole && sameLine
}
