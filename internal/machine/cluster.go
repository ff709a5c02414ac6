package machine

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// What clusters mean is in package simt, cluster.go. Their workgroups have memory of their own, one scheduler and clocks of all of them: so what
// one does in another's memory is found to be too early or too late as what roles do is.

// newCluster is the memory of the workgroups of a cluster.
func newCluster(k *simt.Func, inStep bool) (all []*memory) {
	size := max(1, k.Cluster)
	for rank := range size {
		all = append(all, newMemory(k, inStep, rank, size))
	}
	meeting := &meeting{known: make(clock, len(all[0].met))}
	for _, m := range all {
		m.cluster, m.meeting = all, meeting
	}
	return all
}

// meeting is where the workgroups of a cluster meet.
type meeting struct {
	arrived, phase int
	known          clock // that those have begun who arrived
	told           clock // the same of those of the last meeting
}

// meetCluster passes a ClusterBarrier.
func (w *workgroup) meetCluster(op *simt.Op) {
	m := w.meeting
	phase := m.phase
	if op.Cluster {
		m.known.join(w.clock)
		defer func() { w.clock[w.entry()]++ }()
	} else {
		m.known[w.entry()] = max(m.known[w.entry()], 1) // that it has begun, and no more
	}
	if m.arrived++; m.arrived == len(w.cluster) {
		m.arrived, m.phase, m.told = 0, m.phase+1, slices.Clone(m.known)
	}
	w.pause(&waiting{op: op, meeting: m, phase: phase})
	w.clock.join(m.told)
	w.met.join(m.told)
}

// reached is what another workgroup did at a barrier.
type reached struct {
	op   *simt.Op
	when event
}

// reachedBy is the memory that an op is executed in: this workgroup's, or that of the whole cluster.
func (w *workgroup) reachedBy(op *simt.Op) []*memory {
	if op.Multicast > 0 || op.Cluster {
		return w.cluster
	}
	return []*memory{w.memory}
}

// mayReach checks that another workgroup is known to have begun.
func (w *workgroup) mayReach(op *simt.Op, m *memory) {
	if !w.inStep && !w.clock.knows(event{m.rank*len(m.clocks) + consumers, 1}) {
		fail(op, "reaches workgroup %d of the cluster, which may not have begun", m.rank)
	}
}

// reach notes that another workgroup is reached, which has to know of it before it ends.
func (w *workgroup) reach(op *simt.Op, m *memory) {
	w.mayReach(op, m)
	m.reached = append(m.reached, reached{op, w.now()})
}

// othersAreDone fails if the workgroup could have ended before another one did something in its memory, or before what it copied to others came.
func (m *memory) othersAreDone() {
	if m.inStep {
		return
	}
	for _, r := range m.reached {
		if !m.knows(r.when) {
			fail(r.op, "reaches workgroup %d of the cluster, which may have ended", m.rank)
		}
	}
	for _, c := range m.sent {
		if !m.knowsOf(c) {
			fail(c.op, "workgroup %d of the cluster may end before its copy to element %d of %s arrives", m.rank, c.at, c.op.Shared.Name)
		}
	}
}

// readPeer is an element of the shared array of the other workgroup of a cluster, which has to know of the read before it writes there again, and before it ends.
func (w *workgroup) readPeer(op *simt.Op, t, at int) Lane {
	m := w.cluster[1-w.rank]
	w.reach(op, m)
	c := &m.shared[op.Shared][at]
	switch {
	case !c.written:
		fail(op, "thread %d reads element %d of %s of workgroup %d, which no thread wrote", t, at, op.Shared.Name, m.rank)
	case c.coming || c.from != nil || w.foreign(c.wrote):
		fail(op, "thread %d reads element %d of %s of workgroup %d, which may be written at the same time", t, at, op.Shared.Name, m.rank)
	}
	w.noteRead(&c.history)
	return c.bits
}
