package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

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
	case op.StoresShared():
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
		if !op.StoresShared() && op.Shared != nil && !l.read[op.Shared] {
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
