package simtpass

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// declare chooses what languages without pointers to other types declare arrays as.
func declare(r *Context) {
	switch r.Caps.Language {
	case target.WGSL:
		declareWGSL(r)
	case target.SPIRV:
		declareSPIRV(r)
	}
}

// declareWGSL chooses what WGSL declares arrays as, which accesses there must agree with: vectors as wide as the narrowest store, since a store to a
// component may touch the whole vector, else as the widest load; of words that hold several elements where they are stored so. It finds, too, by
// which powers of two the terms of indices are divisible, which are divided one by one.
func declareWGSL(r *Context) {
	k := r.Kernel
	packed := map[*simt.Buffer]bool{}
	eachAccess(k, func(op *simt.Op) { packed[op.Buffer] = packed[op.Buffer] || op.Packed })
	arrays := map[any]*declaredArray{}
	for _, b := range k.Buffers {
		a := &declaredArray{Declaration: &b.Declared, per: max(1, 4/b.Elem.Size())}
		a.Type.Elem = b.Elem
		switch {
		case b.Elem == dtype.F16 && r.Caps.F16 && !packed[b]:
			a.per = 1
		case a.per > 1:
			a.Type.Elem = dtype.U32
		}
		arrays[b] = a
	}
	aligned, uses := matrixAlign(k), usesOfArrays(k)
	for _, s := range k.Shared {
		a := &declaredArray{Declaration: &s.Declared, per: 1, align: aligned[s]}
		a.Type.Elem = simt.Register(s.Elem)
		switch {
		case a.align > 0 && s.Elem == dtype.F16 && !uses[s].pieces:
			a.Type.Elem, a.per = dtype.U32, simt.PerWord(s.Elem)
		case s.Elem == dtype.F16 && r.Caps.F16:
			a.Type.Elem = dtype.F16
		case s.Elem == dtype.Bool:
			a.Type.Elem = dtype.U32
		}
		arrays[s] = a
	}
	of := func(op *simt.Op) *declaredArray {
		if op.Shared != nil {
			return arrays[op.Shared]
		}
		return arrays[op.Buffer]
	}
	eachAccess(k, func(op *simt.Op) { of(op).add(op) })
	for _, a := range arrays {
		a.choose()
	}
	markIndices(k, func(op *simt.Op) bool { a := of(op); return a.per*a.Type.Width > 1 })
}

// matrixAlign is what divides the places of cooperative matrices in arrays, in bytes.
func matrixAlign(k *simt.Func) map[*simt.Shared]int {
	align := map[*simt.Shared]int{}
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.IsMatrixAccess() {
			n := op.MatrixAlign() * op.Shared.Elem.Size()
			if align[op.Shared] > 0 {
				n = min(n, align[op.Shared])
			}
			align[op.Shared] = n
		}
	})
	return align
}

// markIndices marks the terms of the indices of some accesses.
func markIndices(k *simt.Func, divided func(op *simt.Op) bool) {
	multiples, marked := map[*simt.Value]int{}, map[*simt.Value]bool{}
	eachAccess(k, func(op *simt.Op) {
		if divided(op) {
			markTerms(op.Args[0], multiples, marked)
		}
	})
}

// eachAccess calls visit for the ops that access arrays element by element.
func eachAccess(k *simt.Func, visit func(*simt.Op)) {
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.Kind >= simt.Load && op.Kind <= simt.SharedAtomic {
			visit(op)
		}
	})
}

// declaredArray is an array and how it is accessed.
type declaredArray struct {
	*simt.Declaration
	per         int // elements in a word
	load, store int // words of the widest load, and of the narrowest store; 0 if there is none
	align       int // bytes that divide the places of cooperative matrices; 0 if there are none
}

func (a *declaredArray) words(op *simt.Op, v *simt.Value) int {
	if op.Packed {
		return v.Type.Width
	}
	return v.Type.Width / a.per
}

// add adds an access. A piece of a word is changed in one step, which other threads' pieces take part in.
func (a *declaredArray) add(op *simt.Op) {
	switch op.Kind {
	case simt.Atomic, simt.SharedAtomic:
		a.Atomic = true
		if a.Type.Elem == dtype.F32 {
			a.Type.Elem = dtype.U32 // there are no atomics of f32
		}
	case simt.Load, simt.SharedLoad:
		a.load = max(a.load, a.words(op, op.Result()))
	default:
		n := a.words(op, op.Args[1])
		a.Atomic = a.Atomic || n == 0
		if a.store == 0 || n < a.store {
			a.store = n
		}
	}
}

func (a *declaredArray) choose() {
	a.Type.Width = max(1, a.load)
	if a.store > 0 {
		a.Type.Width = a.store
	}
	if a.align > 0 {
		a.Type.Width = min(a.Type.Width, max(1, a.align/a.Type.Elem.Size()))
	}
	if a.Atomic {
		a.Type.Width = 1
	}
}

// markTerms marks the terms of a sum with what divides them, unless that was done.
func markTerms(v *simt.Value, multiples map[*simt.Value]int, marked map[*simt.Value]bool) {
	if v.Op == nil || v.Op.Kind != simt.Add || marked[v] {
		return
	}
	marked[v] = true
	for _, term := range v.Op.Args {
		if n := multipleOf(term, multiples); n > 1 && term.Op.Kind != simt.Const {
			term.Op.Multiple = n
		}
		markTerms(term, multiples, marked)
	}
}

// multipleOf is a power of two, at most 64, that divides a value for sure.
func multipleOf(v *simt.Value, known map[*simt.Value]int) int {
	if n, ok := known[v]; ok {
		return n
	}
	n := 1
	if x, ok := simt.ConstOf(v); ok {
		n = simt.DivisorOf(int(x))
	} else if v.Op != nil {
		of := func(i int) int { return multipleOf(v.Op.Args[i], known) }
		switch v.Op.Kind {
		case simt.Mul:
			n = min(simt.MaxMultiple, of(0)*of(1))
		case simt.Shl:
			if by, ok := simt.ConstOf(v.Op.Args[1]); ok {
				n = min(simt.MaxMultiple, of(0)<<min(int(by)&31, 6))
			}
		case simt.Add, simt.Sub, simt.Or, simt.Xor:
			n = min(of(0), of(1))
		case simt.And:
			n = max(of(0), of(1))
		}
	}
	known[v] = n
	return n
}
