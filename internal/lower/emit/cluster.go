package emit

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/tile"
)

// clusterOf is how many workgroups a cluster of the kernel at hand has, 0 if there are none; the pass specialise of package simtpass finds what they do together.
func (l *emitter) clusterOf() int {
	n, grid := l.kernel.Schedule.Cluster, l.kernel.Grid[0]
	if n < 2 || !l.caps.TensorMaps {
		return 0
	}
	reason := ""
	switch {
	case !l.caps.Clusters:
		reason = "the device has none"
	case l.kernel.Schedule.Producers == 0:
		reason = "the schedule has no producers"
	case l.facts.Folded:
		reason = "the grid is folded"
	case grid == nil || l.factsOf(grid).All()%n != 0:
		reason = fmt.Sprintf("the grid is not known to be a multiple of %d programs", n)
	case hasExit(l.kernel.Body):
		reason = "programs exit early"
	}
	if reason != "" {
		l.notes = append(l.notes, noClusters(l.kernel, reason))
		return 0
	}
	return n
}

func noClusters(k *tile.Func, reason string) string {
	return fmt.Sprintf("%v: schedule: no clusters: %s", k.SchedulePos, reason)
}

func hasExit(r *tile.Region) bool {
	return slices.ContainsFunc(r.Ops, func(op *tile.Op) bool { return op.Kind == tile.OpExit || slices.ContainsFunc(op.Regions(), hasExit) })
}
