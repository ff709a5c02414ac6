package lower

import (
	"fmt"

	"github.com/weftgpu/weft/simt"
)

// pass is one step over simt IR.
type pass struct {
	name string
	run  func(r *Result)
}

// passes in the order in which they run. After each the kernel is verified.
var passes = []pass{
	{"hoist", hoist},       // before cse, so that equal ops meet in one block
	{"cse", cse},           // before dce, which drops what it leaves behind
	{"dce", dce},           // before words, which keeps what is used
	{"pipeline", pipeline}, // after dce, so that dead loads are not carried
	{"hoist", hoist},       // what pipelining computes outside the loop too
	{"cse", cse},
	{"dce", dce},
	{"barriers", barriers}, // after every pass that moves or drops accesses
	{"words", compactWords},
}

func runPasses(r *Result) error {
	if err := simt.Verify(r.Kernel); err != nil {
		return fmt.Errorf("after lowering: %w", err)
	}
	for _, p := range passes {
		p.run(r)
		if err := simt.Verify(r.Kernel); err != nil {
			return fmt.Errorf("after pass %s: %w", p.name, err)
		}
	}
	return nil
}

// hoist moves pure ops out of loops whose bodies they do not depend on.
func hoist(r *Result) { hoistBlock(r.Kernel.Body) }

func hoistBlock(b *simt.Block) {
	var out []*simt.Op
	for _, op := range b.Ops {
		for _, body := range op.Blocks() {
			hoistBlock(body)
		}
		if op.Kind == simt.For || op.Kind == simt.While {
			out = append(out, extractInvariant(op.Body)...)
		}
		out = append(out, op)
	}
	b.Ops = out
}

// extractInvariant removes from a loop's body, and returns, the pure ops that
// depend on nothing defined in it.
func extractInvariant(body *simt.Block) (moved []*simt.Op) {
	inside := map[*simt.Value]bool{}
	for _, a := range body.Args {
		inside[a] = true
	}
	var rest []*simt.Op
	for _, op := range body.Ops {
		invariant := op.Kind.IsPure()
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
	number float64
	args   [4]*simt.Value
}

// cse replaces pure ops by equal ones that stand before them in the same or an enclosing block.
func cse(r *Result) {
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
		key := exprKey{kind: op.Kind, t: op.Result().Type, index: op.Index, number: op.Number}
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
func dce(r *Result) {
	live := map[*simt.Value]bool{}
	for changed := true; changed; {
		changed = mark(r.Kernel.Body, live)
	}
	sweep(r.Kernel.Body, live)
	r.Kernel.Shared = usedShared(r.Kernel)
}

// hasEffect reports whether an op must stay even if its results are not used.
func hasEffect(op *simt.Op) bool {
	switch op.Kind {
	case simt.Store, simt.SharedStore, simt.Atomic, simt.Barrier, simt.Exit, simt.Yield:
		return true
	case simt.Break:
		return true
	}
	for _, b := range op.Blocks() {
		for _, inner := range b.Ops {
			if inner.Kind != simt.Yield && inner.Kind != simt.Break && hasEffect(inner) {
				return true
			}
		}
	}
	return false
}

// mark finds live values and reports whether it found new ones. A loop keeps
// all its carried values if it is kept at all.
func mark(b *simt.Block, live map[*simt.Value]bool) (changed bool) {
	for i := len(b.Ops) - 1; i >= 0; i-- {
		op := b.Ops[i]
		keep := hasEffect(op)
		for _, v := range op.Out {
			keep = keep || live[v]
		}
		if !keep {
			continue
		}
		for _, a := range op.Args {
			if !live[a] {
				live[a], changed = true, true
			}
		}
		for _, body := range op.Blocks() {
			changed = mark(body, live) || changed
		}
	}
	return changed
}

func sweep(b *simt.Block, live map[*simt.Value]bool) {
	var rest []*simt.Op
	for _, op := range b.Ops {
		keep := hasEffect(op)
		for _, v := range op.Out {
			keep = keep || live[v]
		}
		if !keep {
			continue
		}
		for _, body := range op.Blocks() {
			sweep(body, live)
		}
		rest = append(rest, op)
	}
	b.Ops = rest
}

func usedShared(k *simt.Kernel) (used []*simt.Shared) {
	seen := map[*simt.Shared]bool{}
	walk(k.Body, func(op *simt.Op) {
		if op.Shared != nil {
			seen[op.Shared] = true
		}
	})
	for _, s := range k.Shared {
		if seen[s] {
			used = append(used, s)
		}
	}
	return used
}

func walk(b *simt.Block, f func(op *simt.Op)) {
	for _, op := range b.Ops {
		f(op)
		for _, body := range op.Blocks() {
			walk(body, f)
		}
	}
}

// compactWords drops the launch words that the kernel does not read.
func compactWords(r *Result) {
	used := make([]bool, len(r.Kernel.Words))
	walk(r.Kernel.Body, func(op *simt.Op) {
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
	walk(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.Param {
			op.Index = at[op.Index]
		}
	})
}
