package simtpass

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/simt"
)

// A Pass is one step over simt IR.
type Pass struct {
	Name string
	Run  func(c *Context)
}

// Passes in the order in which they run. After each the kernel is verified, if pass.CheckEnv says so, and,
// where WEFT_DUMP names a folder, printed there; it is always verified after the last. What each does, and what it
// leaves alone, is in testdata/passes, in kernels before and after it.
var Passes = []Pass{
	{"hoist", hoist},
	{"cse", cse},
	{"dce", dce},
	{"roles", roles},
	{"async", asyncCopies},
	{"pipeline", pipeline},
	{"simplify", simplify},
	{"infinities", keepInfinities},
	{"hoist", hoist},
	{"cse", cse},
	{"dce", dce},
	{"share", share},
	{"barriers", barriers},
	{"overlay", overlay},
	{"words", compactWords},
}

// order says which pass must run again, or for the first time, behind another.
// The test of this package checks the list above against it.
var order = []pass.Order{
	pass.Before("hoist", "cse", "equal ops meet in one block"),
	pass.Before("cse", "dce", "what cse replaced is dropped"),
	pass.Before("dce", "pipeline", "dead loads are not carried from one iteration to the next"),
	pass.Before("hoist", "async", "places in shared memory do not change in a loop"),
	pass.Before("dce", "async", "dead loads are not copied"),
	pass.Before("dce", "roles", "dead ops are in no role"),
	pass.Before("roles", "async", "what is copied by tensor maps is no ring of that pass"),
	pass.Before("roles", "barriers", "the barriers of one role are its own"),
	pass.Before("async", "pipeline", "what is copied needs no registers"),
	pass.Before("pipeline", "simplify", "the first iteration's index is a constant"),
	pass.Before("simplify", "dce", "what was folded is dropped"),
	pass.Before("cse", "infinities", "equal operands are one value"),
	pass.Before("infinities", "cse", "ops that are alike share what was added"),
	pass.Before("pipeline", "barriers", "pipelining moves accesses to shared memory apart"),
	pass.Before("dce", "barriers", "dead accesses need no barrier"),
	pass.Before("dce", "share", "dead accesses keep no array alive"),
	pass.Before("pipeline", "share", "pipelining moves accesses to shared memory apart"),
	pass.Before("share", "barriers", "an array that follows another in its place may need a barrier between them"),
	pass.Before("async", "overlay", "rings are what arrays lie over"),
	pass.Before("share", "overlay", "arrays that share a place are one"),
	pass.Before("barriers", "overlay", "it adds the only barrier that arrays over rings need beyond their own"),
	pass.Before("dce", "words", "words that only dead ops read are dropped"),
}

// Run runs all passes on a kernel, up to one that refuses it.
func Run(r *Context) error {
	d := r.Dump
	if d == nil {
		d = pass.NewDump(r.Kernel.Name)
	}
	d.Write("lowered", "simt", r.Kernel)
	each := pass.Checked()
	if each {
		if err := simt.Verify(r.Kernel); err != nil {
			return fmt.Errorf("after lowering: %w", err)
		}
	}
	for i, p := range Passes {
		if p.Run(r); r.Refused != "" {
			return nil
		}
		d.Write(p.Name, "simt", r.Kernel)
		if each || i == len(Passes)-1 {
			if err := simt.Verify(r.Kernel); err != nil {
				return fmt.Errorf("after pass %s: %w", p.Name, err)
			}
		}
	}
	return d.Err()
}

// simplify folds what became constant since the ops were built.
func simplify(r *Context) {
	b := simt.Edit(r.Kernel)
	replaced := map[*simt.Value]*simt.Value{}
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		for i, a := range op.Args {
			if v := replaced[a]; v != nil {
				op.Args[i] = v
			}
		}
		if op.Kind.IsElementwise() && len(op.Args) == 2 {
			if v := b.Fold(op.Kind, op.Args[0], op.Args[1]); v != nil {
				replaced[op.Result()] = v
			}
		}
	})
}

// hoist moves pure ops out of loops whose bodies they do not depend on.
func hoist(r *Context) { hoistBlock(r.Kernel.Body) }

func hoistBlock(b *simt.Block) {
	var out []*simt.Op
	for _, op := range b.Ops {
		for _, body := range op.Blocks() {
			hoistBlock(body)
		}
		if op.Kind == simt.For || op.Kind == simt.While {
			out = append(out, extractInvariant(op.Body, starts(op))...)
		}
		out = append(out, op)
	}
	b.Ops = out
}

// starts reports whether a loop's body is known to start at least once.
func starts(loop *simt.Op) bool {
	if loop.Kind == simt.While {
		return true
	}
	lo, okLo := simt.ConstOf(loop.Args[0])
	hi, okHi := simt.ConstOf(loop.Args[1])
	return okLo && okHi && lo < hi
}

// mayTrap reports whether an op may stop the device for operands that it does not
// get where it stands: an integer division by what may be 0 then.
func mayTrap(op *simt.Op) bool {
	if op.Kind != simt.Div && op.Kind != simt.Rem || op.Result().Type.Elem == dtype.F32 {
		return false
	}
	x, ok := simt.ConstOf(op.Args[1])
	return !ok || x == 0 || x == -1
}

// extractInvariant removes from a loop's body, and returns, the pure ops that
// depend on nothing defined in it; those that may trap only up to where the
// body is sure to be executed.
func extractInvariant(body *simt.Block, sure bool) (moved []*simt.Op) {
	inside := map[*simt.Value]bool{}
	for _, a := range body.Args {
		inside[a] = true
	}
	var rest []*simt.Op
	for _, op := range body.Ops {
		invariant := op.Kind.IsPure() && (sure || !mayTrap(op))
		sure = sure && op.Kind != simt.Break && op.Kind != simt.Exit
		for _, a := range op.Args {
			invariant = invariant && !inside[a]
		}
		if invariant {
			moved = append(moved, op)
			continue
		}
		rest = append(rest, op)
		for _, v := range op.Out {
			inside[v] = true
		}
	}
	body.Ops = rest
	return moved
}

// exprKey is equal for pure ops that compute the same value.
type exprKey struct {
	kind   simt.Kind
	t      simt.Type
	index  int
	number uint64 // its bits: 0 and -0 are two constants
	args   [4]*simt.Value
}

// cse replaces pure ops by equal ones that stand before them in the same or an enclosing block.
func cse(r *Context) {
	cseBlock(r.Kernel.Body, map[exprKey]*simt.Value{}, map[*simt.Value]*simt.Value{})
}

func cseBlock(b *simt.Block, known map[exprKey]*simt.Value, replaced map[*simt.Value]*simt.Value) {
	var added []exprKey
	for _, op := range b.Ops {
		for i, a := range op.Args {
			if to, ok := replaced[a]; ok {
				op.Args[i] = to
			}
		}
		for _, body := range op.Blocks() {
			cseBlock(body, known, replaced)
		}
		if !op.Kind.IsPure() {
			continue
		}
		key := exprKey{kind: op.Kind, t: op.Result().Type, index: op.Index, number: math.Float64bits(op.Number)}
		copy(key.args[:], op.Args)
		if v, ok := known[key]; ok {
			if v.Hint == "" {
				v.Hint = op.Result().Hint
			}
			replaced[op.Result()] = v
			continue
		}
		known[key] = op.Result()
		added = append(added, key)
	}
	for _, key := range added {
		delete(known, key)
	}
}

// dce drops ops whose results nothing uses and that have no effect.
func dce(r *Context) {
	l := liveness{map[*simt.Value]bool{}, map[*simt.Shared]bool{}}
	for changed := true; changed; {
		changed = l.mark(r.Kernel.Body)
	}
	l.sweep(r.Kernel.Body)
	r.Kernel.Shared = usedShared(r.Kernel)
}

// liveness is what those ops of a kernel use that have to stay: values, and arrays that they read.
type liveness struct {
	values map[*simt.Value]bool
	read   map[*simt.Shared]bool
}

// hasEffect reports whether an op must stay even if its results are not used. A store to an array that nothing reads has none.
func (l liveness) hasEffect(op *simt.Op) bool {
	switch {
	case op.Kind == simt.SharedStore || op.Kind == simt.StoreMatrix:
		return l.read[op.Shared]
	case op.HasEffect() || op.Kind == simt.Yield:
		return true
	}
	for _, b := range op.Blocks() {
		for _, inner := range b.Ops {
			if inner.Kind != simt.Yield && inner.Kind != simt.Break && l.hasEffect(inner) {
				return true
			}
		}
	}
	return false
}

// keeps reports whether an op must stay, as far as is known.
func (l liveness) keeps(op *simt.Op) bool {
	return l.hasEffect(op) || slices.ContainsFunc(op.Out, func(v *simt.Value) bool { return l.values[v] })
}

// mark finds what is live and reports whether it found more. A loop keeps
// all its carried values if it is kept at all.
func (l liveness) mark(b *simt.Block) (changed bool) {
	for _, op := range slices.Backward(b.Ops) {
		if !l.keeps(op) {
			continue
		}
		for _, a := range op.Args {
			if !l.values[a] {
				l.values[a], changed = true, true
			}
		}
		if op.Kind != simt.SharedStore && op.Kind != simt.StoreMatrix && op.Shared != nil && !l.read[op.Shared] {
			l.read[op.Shared], changed = true, true
		}
		for _, body := range op.Blocks() {
			changed = l.mark(body) || changed
		}
	}
	return changed
}

func (l liveness) sweep(b *simt.Block) {
	b.Ops = slices.DeleteFunc(b.Ops, func(op *simt.Op) bool { return !l.keeps(op) })
	for _, op := range b.Ops {
		for _, body := range op.Blocks() {
			l.sweep(body)
		}
	}
}

func usedShared(k *simt.Func) (used []*simt.Shared) {
	seen := map[*simt.Shared]bool{}
	simt.Walk(k.Body, func(op *simt.Op) {
		seen[op.Shared], seen[op.Signals] = true, true
	})
	for _, s := range k.Shared {
		if seen[s] {
			used = append(used, s)
		}
	}
	return used
}

// compactWords drops the launch words that the kernel does not read.
func compactWords(r *Context) {
	used := make([]bool, len(r.Kernel.Words))
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.Param {
			used[op.Index] = true
		}
	})
	at := make([]int, len(used))
	var words []simt.Word
	r.Words = nil
	for i, w := range r.Kernel.Words {
		if used[i] {
			at[i] = len(words)
			words = append(words, w)
			r.Words = append(r.Words, i)
		}
	}
	r.Kernel.Words = words
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.Param {
			op.Index = at[op.Index]
		}
	})
}
