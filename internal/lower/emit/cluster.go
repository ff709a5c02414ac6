package emit

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// clusterOf is how many workgroups a cluster of the kernel at hand has, 0 if there are none; the pass specialise of package simtpass finds what they do together.
func (l *emitter) clusterOf() int {
	n, exchanged := l.kernel.Schedule.Cluster, has(l.kernel.Body, tile.OpPeer)
	if n < 2 || !l.caps.TensorMaps && !exchanged {
		return 0
	}
	reason := l.lacksClusters()
	if reason == "" && l.kernel.Schedule.Producers == 0 && !exchanged {
		reason = "the schedule has no producers"
	}
	if reason != "" {
		l.notes = append(l.notes, noClusters(l.kernel, reason))
		return 0
	}
	return n
}

// lacksClusters says why workgroups of the kernel at hand cannot run in clusters, "" if they can.
func (l *emitter) lacksClusters() string {
	n, grid := l.kernel.Schedule.Cluster, l.kernel.Grid[0]
	switch {
	case !l.caps.Clusters:
		return "the device has none"
	case l.facts.Folded:
		return "the grid is folded"
	case grid == nil || l.factsOf(grid).All()%n != 0:
		return fmt.Sprintf("the grid is not known to be a multiple of %d programs", n)
	case has(l.kernel.Body, tile.OpExit):
		return "programs exit early"
	}
	return ""
}

func noClusters(k *tile.Func, reason string) string {
	return fmt.Sprintf("%v: schedule: no clusters: %s", k.SchedulePos, reason)
}

func has(r *tile.Region, kind tile.Kind) bool {
	return slices.ContainsFunc(r.Ops, func(op *tile.Op) bool {
		return op.Kind == kind || slices.ContainsFunc(op.Regions(), func(body *tile.Region) bool { return has(body, kind) })
	})
}

// peer lowers the exchange of a tile between the workgroups of a cluster: each stores what it has in an array of its own, register by register, and loads the
// other one's once both have. They go on when both have loaded, for what comes next may overwrite the array, or end the workgroup.
func (l *emitter) peer(op *tile.Op) {
	if reason := l.lacksClusters(); reason != "" {
		l.fail(fault.ErrUnsupported, "programs exchange tiles, but not in clusters: %s", reason)
		return
	}
	r := l.in(op.Args[0], l.assigned.OpAt(op))
	array := l.newShared("exchanged", op.Result().Type().Elem, len(r.vecs)*r.width*l.threads, "for the other workgroup of the cluster")
	place := func(i int) *simt.Value {
		at := l.b.Binary(simt.Mul, l.thread, l.b.Int(r.width))
		return l.b.Binary(simt.Add, at, l.b.Int(i*r.width*l.threads))
	}
	cost := l.wavefronts(array.Elem, r.width, 0, func(thread int) int { return thread * r.width })
	for i, v := range r.vecs {
		l.sharedStore(array, r.width, place(i), v, nil, cost)
	}
	l.b.Do(&simt.Op{Kind: simt.ClusterBarrier, Cluster: true})
	out := emptyRegs(r.dist)
	for i := range out.vecs {
		out.vecs[i] = l.sharedLoad(array, array.Elem, place(i), r.width, cost)
		out.vecs[i].Op.Cluster = true
	}
	l.b.Do(&simt.Op{Kind: simt.ClusterBarrier, Cluster: true})
	l.tiles[op.Result()] = out
}
