package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/simt"
)

// Where a schedule asks for clusters, the copies of loops that are the same in all workgroups of one are made together: each copies a part
// to all of them (multicast), so that the whole comes once from memory. Which those are is found from where their coordinates come from
// (simt.SameInCluster). A stage is empty then when the threads of all workgroups are done with it, for all of them write to it.

// shareCopies makes the copies of loops copies for all workgroups of a cluster where they are the same in all of them. If none is, there are
// no clusters.
func (sp *roleSplit) shareCopies(loops []tensorLoop) {
	k := sp.Kernel
	if k.Cluster < 2 {
		return
	}
	same := simt.SameInCluster(k)
	differs := func(v *simt.Value) bool { return !same(v) }
	shared := false
	for i := range loops {
		t := &loops[i]
		if slices.ContainsFunc(t.path, func(loop *simt.Op) bool { return slices.ContainsFunc(loop.Args[:3], differs) }) {
			continue
		}
		sp.shareLoop(t, func(op *simt.Op) bool { return !slices.ContainsFunc(op.Args, differs) })
		shared = shared || t.shared()
	}
	if !shared && exchanges(k) { // which is what the clusters are for
		return
	}
	if !shared {
		k.Cluster = 0
		sp.Notes = append(sp.Notes, "no clusters: nothing that tensor maps copy is the same in all their programs")
		return
	}
	used := map[*simt.TensorMap]bool{}
	simt.Walk(k.Body, func(op *simt.Op) { used[op.Map] = true })
	k.Maps = slices.DeleteFunc(k.Maps, func(m *simt.TensorMap) bool { return !used[m] })
}

// exchanges reports whether workgroups of a cluster load what others have.
func exchanges(k *simt.Func) (found bool) {
	simt.Walk(k.Body, func(op *simt.Op) { found = found || op.Kind == simt.ClusterBarrier && op.Cluster })
	return found
}

// copiesTogether reports whether some copies are for all workgroups of a cluster.
func copiesTogether(k *simt.Func) (found bool) {
	simt.Walk(k.Body, func(op *simt.Op) { found = found || op.Multicast > 0 })
	return found
}

// shared reports whether some copies of a loop are for all workgroups of a cluster.
func (t tensorLoop) shared() bool {
	return slices.ContainsFunc(t.copies, func(op *simt.Op) bool { return op.Multicast > 0 })
}

// shareLoop does so for one loop. As many copies as there are workgroups, one after the other along lines, become one, of which each
// makes the one of its rank; of other copies each makes a part of the lines.
func (sp *roleSplit) shareLoop(t *tensorLoop, same func(op *simt.Op) bool) {
	n, body := sp.Kernel.Cluster, t.path[len(t.path)-1].Body
	var copies []*simt.Op
	for rest := t.copies; len(rest) > 0; rest = rest[1:] {
		op := rest[0]
		copies = append(copies, op)
		lines := op.Map.Box[1] / n
		switch {
		case !same(op):
			continue
		case consecutive(rest, n):
			op.Multicast = 1
			dropped := rest[1:n]
			body.Ops = slices.DeleteFunc(body.Ops, func(o *simt.Op) bool { return slices.Contains(dropped, o) })
			rest = rest[n-1:]
		case lines >= 8 && lines*n == op.Map.Box[1]:
			op.Multicast, op.Map = 2, sp.mapOfLines(op.Map, lines)
		default:
			continue
		}
		note := fmt.Sprintf("%s: %s by each of %d workgroups of a cluster for all of them, boxes of %v", op.Line, op.Shared.Name, n, op.Map.Box)
		if !slices.Contains(sp.Notes, note) {
			sp.Notes = append(sp.Notes, note)
		}
	}
	t.copies = copies
}

// mapOfLines is a map with another number of lines.
func (sp *roleSplit) mapOfLines(m *simt.TensorMap, lines int) *simt.TensorMap {
	part := *m
	part.Box = slices.Clone(m.Box)
	part.Box[1] = lines
	return sp.Kernel.MapLike(&part)
}

// consecutive reports whether the first n copies are of blocks one after the other along the first dimension of their map, and so in
// shared memory, too.
func consecutive(copies []*simt.Op, n int) bool {
	if len(copies) < n {
		return false
	}
	first := copies[0]
	elements := first.Map.Bytes() / first.Map.Buffer.Elem.Size()
	from, c := baseOf(first.Args[2])
	at, i := baseOf(first.Args[0])
	for k, op := range copies[:n] {
		f, d := baseOf(op.Args[2])
		a, j := baseOf(op.Args[0])
		if op.Map != first.Map || op.Shared != first.Shared || op.Args[1] != first.Args[1] || !slices.Equal(op.Args[3:], first.Args[3:]) ||
			f != from || a != at || d-c != k*first.Map.Box[0] || j-i != k*elements {
			return false
		}
	}
	return true
}

// baseOf is a value as another, nil for 0, and a constant that is added.
func baseOf(v *simt.Value) (base *simt.Value, constant int) {
	if c, ok := simt.ConstOf(v); ok {
		return nil, int(c)
	}
	if op := v.Op; op != nil && op.Kind == simt.Add {
		if c, ok := simt.ConstOf(op.Args[1]); ok {
			return op.Args[0], int(c)
		}
	}
	return v, 0
}

// bytesOf are those that a copy brings to one workgroup.
func (sp *roleSplit) bytesOf(op *simt.Op) int {
	if op.Multicast > 0 {
		return sp.Kernel.Cluster * op.Map.Bytes()
	}
	return op.Map.Bytes()
}
