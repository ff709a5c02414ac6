package machine

import (
	"fmt"

	"github.com/weftgpu/weft/simt"
)

// What barriers in shared memory and copies by the hardware mean is in package simt, tensormap.go. Who knows of what is kept in vector clocks
// (L. Lamport, "Time, clocks, and the ordering of events in a distributed system", 1978; C. Fidge, 1988): a step of one actor, or the
// end of a barrier's phase, has happened before what another does if that one's clock shows it. So a race is found whichever comes
// first in a schedule.

// clock counts, for each actor, the times that it told of what it did before, and for each barrier the phases that are over.
type clock []int

// join takes what another clock knows.
func (c clock) join(d clock) {
	for i, n := range d {
		c[i] = max(c[i], n)
	}
}

// event is a count of one entry of a clock.
type event struct{ entry, count int }

// knows tells whether an event has happened before what has this clock.
func (c clock) knows(e event) bool { return e.count == 0 || c[e.entry] >= e.count }

// signal is a barrier.
type signal struct {
	of      *simt.Shared
	index   int
	entry   int // in clocks
	phase   int
	arrived int
	bytes   int     // expected in this phase and not there yet
	due     int     // of those, in copies that did not start
	over    clock   // what those that wait for the last phase learn
	now     clock   // the same of the present one
	waited  []event // the last Wait of each actor that passed, and
	passed  []int   // the phases that it took as over
}

// String names the barrier in messages.
func (s *signal) String() string { return fmt.Sprintf("%s[%d]", s.of.Name, s.index) }

// arrive counts an arrival that tells of what a clock knows.
func (s *signal) arrive(op *simt.Op, told clock) {
	if s.arrived == s.of.Arrivals {
		fail(op, "one arrival too many for phase %d of %v, which has %d", s.phase, s, s.arrived)
	}
	s.arrived++
	s.now.join(told)
	s.checkDue(op)
	s.complete(op)
}

// send counts bytes of a copy that starts, in another workgroup perhaps before this one expects them.
func (s *signal) send(op *simt.Op, n int, remote bool) {
	s.due -= n
	if remote {
		s.checkDue(op)
	} else if s.due < 0 {
		s.tooMany(op)
	}
}

// checkDue checks that no more bytes are outstanding than the phase expects, once it is known how many those are.
func (s *signal) checkDue(op *simt.Op) {
	if s.arrived == s.of.Arrivals && s.due < 0 {
		s.tooMany(op)
	}
}

func (s *signal) tooMany(op *simt.Op) {
	fail(op, "%d bytes more than phase %d of %v expects", -s.due, s.phase, s)
}

// come counts bytes of a copy that ends, and tells which event that is.
func (s *signal) come(op *simt.Op, n int) event {
	at := event{s.entry, s.phase + 1}
	s.bytes -= n
	s.complete(op)
	return at
}

// complete ends the phase if nothing is missing. Who waited for the last phase must have passed: by parity, it could not tell this one's
// end from that the last had none.
func (s *signal) complete(op *simt.Op) {
	if s.arrived < s.of.Arrivals || s.bytes > 0 {
		return
	}
	for who, at := range s.waited {
		if s.passed[who] == s.phase && !s.now.knows(at) {
			fail(op, "ends phase %d of %v though %s may still wait for phase %d", s.phase, s, actorName(who), s.phase-1)
		}
	}
	s.phase++
	s.arrived = 0
	s.over.join(s.now)
	s.over[s.entry] = s.phase
	s.now.join(s.over)
}

// signalAt is the barrier that an operand of the active threads selects, which agree on it.
func (w *workgroup) signalAt(op *simt.Op, of *simt.Shared, operand int, active []bool) *signal {
	return w.signals[of][w.index1(op, w.agreed(op, operand, active), of.Len)]
}

// agreed is an operand that the active threads agree on.
func (w *workgroup) agreed(op *simt.Op, operand int, active []bool) int {
	first, v := -1, w.values[op.Args[operand]]
	w.each(active, func(t int) {
		switch {
		case first < 0:
			first = t
		case v[t] != v[first]:
			fail(op, "threads %d and %d disagree on operand %d", first, t, operand)
		}
	})
	return int(int32(v[first]))
}

// index1 checks an index of one element.
func (w *workgroup) index1(op *simt.Op, i, n int) int {
	if i < 0 || i >= n {
		fail(op, "element %d is outside of memory of %d", i, n)
	}
	return i
}

// tell gives what the actor knows to who waits for a barrier, and begins its next step.
func (w *workgroup) tell(f func(clock)) {
	f(w.clock)
	w.clock[w.entry()]++
}

func (w *workgroup) arriveAll(op *simt.Op, active []bool) {
	if len(op.Args) > 1 && w.agreed(op, 1, active) == 0 {
		return
	}
	s := w.signalAt(op, op.Shared, 0, active)
	w.tell(func(c clock) {
		for _, m := range w.reachedBy(op) {
			if m != w.memory {
				w.reach(op, m)
			}
			m.signals[op.Shared][s.index].arriveWarps(op, c, max(1, len(active)/simt.WarpThreads))
		}
	})
}

// arriveWarps counts an arrival of each of so many warps.
func (s *signal) arriveWarps(op *simt.Op, told clock, warps int) {
	phase := s.phase
	for range warps {
		if s.phase != phase {
			fail(op, "arrivals of one op end phase %d of %v, which has %d", phase, s, s.of.Arrivals)
		}
		s.arrive(op, told)
	}
}

func (w *workgroup) expectBytes(op *simt.Op, active []bool) {
	s := w.signalAt(op, op.Shared, 0, active)
	w.each(active, func(int) {
		s.bytes, s.due = s.bytes+op.Bytes, s.due+op.Bytes
		w.tell(func(c clock) { s.arrive(op, c) })
	})
}

// waitSignal waits for a phase. An actor has to know, from what it waited for itself or from another one, that the phase before
// is over: that could be mistaken for the one two later, of the same parity.
func (w *workgroup) waitSignal(op *simt.Op, active []bool) {
	s, parity := w.signalAt(op, op.Shared, 0, active), w.agreed(op, 1, active)
	if parity != 0 && parity != 1 {
		fail(op, "parity %d, want 0 or 1", parity)
	}
	w.pause(&waiting{op: op, signal: s, parity: parity})
	if known := w.clock[s.entry]; s.phase > known+1 {
		fail(op, "waits for phase %d of %v, without knowing that phase %d is over", s.phase-1, s, known)
	}
	s.passed[w.actor], s.waited[w.actor] = s.phase, w.now()
	w.clock.join(s.over)
}
