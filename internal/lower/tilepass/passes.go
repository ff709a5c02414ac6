package tilepass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// step is one pass over tile IR, before lowering. It changes a copy of the kernel and
// must not change what the kernel means.
type step struct {
	name string
	run  func(k *Kernel)
}

// passes in the order in which they run. After each the kernel is verified, if pass.CheckEnv says so, and, where
// WEFT_DUMP names a folder, printed there; it is always verified after the last.
var passes = []step{
	{"canonicalise", canonicalise},
	{"offsets", placeBlocks},
	{"drop", dropUnneeded},
	{"masks", proveMasks},
	{"points", findRuns},
	{Edges, splitEdges},
}

// order says which pass must run after another, as order does for passes over simt IR.
var order = []pass.Order{
	pass.Before("canonicalise", "masks", "bounds are recognised in their canonical form"),
	pass.Before("canonicalise", "offsets", "constants are where facts look for them"),
	pass.Before("offsets", "masks", "points that were blocks have indices of their own"),
	pass.Before("offsets", "points", "points that were blocks have runs"),
	pass.Before("canonicalise", "drop", "what was folded is dropped"),
	pass.Before("drop", "edges", "dead ops have no masks and are not copied"),
	pass.Before("canonicalise", "points", "constants are where facts look for them"),
	pass.Before("points", "edges", "copies have the runs of what they are copies of"),
	pass.Before("masks", "edges", "what is proven needs no test"),
}

// Kernel is a kernel that goes through the passes.
type Kernel struct {
	*tile.Editor
	Facts   axis.Facts
	Caps    target.Caps
	Threads int
	Told    map[*tile.Op]string // of accesses: what was found of their masks and vectors
	Notes   []string
	err     error
	axes    *axis.Analysis // of the kernel after all passes, nil until it is asked for
}

// Axes is what is known of the values of the kernel after its passes.
func (k *Kernel) Axes() *axis.Analysis {
	if k.axes == nil {
		k.axes = axis.Analyse(k.Func, k.Facts)
	}
	return k.axes
}

// Edges is the name of the pass that splits loops at edges. A loop and its copies may each need shared memory of their own.
const Edges = "edges"

// Run runs all passes on a copy of a kernel, but those that are left out.
func Run(k *tile.Func, facts axis.Facts, caps target.Caps, threads int, d *pass.Dump, without ...string) (*Kernel, error) {
	t := &Kernel{Editor: tile.Edit(k), Facts: facts, Caps: caps, Threads: threads,
		Told: map[*tile.Op]string{}}
	d.Write("built", "tile", k)
	each := pass.Checked()
	for i, p := range passes {
		if !slices.Contains(without, p.name) {
			p.run(t)
		}
		d.Write(p.name, "tile", t.Func)
		if t.err == nil && (each || i == len(passes)-1) {
			t.err = tile.Verify(t.Func)
		}
		if t.err != nil {
			return nil, fmt.Errorf("after pass %s: %w", p.name, t.err)
		}
	}
	return t, nil
}

// dropUnneeded drops aids for finding errors, which act in the interpreter alone, and then ops
// whose results nothing uses, until no condition is left without anything to do.
func dropUnneeded(k *Kernel) {
	sweepTile(k.Func.Body, func(op *tile.Op) bool {
		aid := op.Kind.Fact().Class == tile.Debug
		if aid {
			k.Notes = append(k.Notes, fmt.Sprintf("%s: %v: dropped: it acts in the interpreter only", op.Pos, op.Kind))
		}
		return aid
	})
	for again := true; again; {
		needed := Needed(k.Func)
		sweepTile(k.Func.Body, func(op *tile.Op) bool { return !needed[op] })
		again = false
		sweepTile(k.Func.Body, func(op *tile.Op) bool {
			idle := op.Kind == tile.OpIf && len(op.Out) == 0 && len(op.Body.Ops) == 1 && len(op.Else.Ops) == 1
			again = again || idle
			return idle
		})
	}
}

// sweepTile drops ops, those in bodies first.
func sweepTile(r *tile.Region, drop func(op *tile.Op) bool) {
	for _, op := range r.Ops {
		for _, body := range op.Regions() {
			sweepTile(body, drop)
		}
	}
	r.Ops = slices.DeleteFunc(r.Ops, drop)
}

// has reports whether an op of a region, or of the bodies of its ops, is one.
func has(r *tile.Region, is func(op *tile.Op) bool) bool {
	return slices.ContainsFunc(r.Ops, func(op *tile.Op) bool {
		return is(op) || slices.ContainsFunc(op.Regions(), func(body *tile.Region) bool { return has(body, is) })
	})
}

// explain adds to the note of an access.
func (k *Kernel) explain(op *tile.Op, reason string) {
	if k.Told[op] != "" {
		reason = k.Told[op] + ", " + reason
	}
	k.Told[op] = reason
}
