package machine

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/weftgpu/weft/simt"
)

// Schedule says which goes on first where the threads of both roles, and outstanding copies, could: the first few have an
// order that never changes, each other one chooses at random and is a seed.
type Schedule uint64

// The schedules in which one is always ahead. Copies come at once, or not before threads wait for their barrier and nobody can go on.
const (
	ProducerAtOnce Schedule = iota
	ProducerLate
	ConsumersAtOnce
	ConsumersLate
)

// Schedules is how many of them tests go through: those above and a few seeds.
const Schedules Schedule = 8

// String names the schedule in messages.
func (s Schedule) String() string {
	if s > ConsumersLate {
		return fmt.Sprintf("seed %d", uint64(s))
	}
	return [...]string{"producer ahead, copies at once", "producer ahead, copies late", "consumers ahead, copies at once", "consumers ahead, copies late"}[s]
}

func (s Schedule) late() bool { return s == ProducerLate || s == ConsumersLate }

// scheduler executes a workgroup, or those of a cluster, as coroutines: one for its threads, which go in step, and one for the thread of the
// other role. The scheduler switches between them before each op on barriers.
type scheduler struct {
	schedule   Schedule
	rng        *rand.Rand
	workgroups []*memory // by rank
}

// The actors of a workgroup; all threads are consumers until they have roles.
const (
	consumers = iota
	producer
)

// hardware stands for the hardware among the actors that make a step.
const hardware = -1

// actor is one coroutine.
type actor struct {
	next    func() (*waiting, bool)
	stop    func()
	waiting *waiting // nil for one that can go on
	over    bool
}

// waiting is what an actor waits for.
type waiting struct {
	op      *simt.Op
	signal  *signal // nil if it waits for its cluster
	parity  int
	meeting *meeting
	phase   int // of the meeting
}

func (a *actor) ready() bool {
	switch w := a.waiting; {
	case a.over:
		return false
	case w == nil:
		return true
	case w.signal == nil:
		return w.meeting.phase > w.phase
	default:
		return w.signal.phase&1 != w.parity
	}
}

// stopped unwinds a coroutine that is no longer needed.
type stopped struct{}

// begin adds the workgroup as an actor, which executes f.
func (w *workgroup) begin(f func()) {
	a := &actor{}
	a.next, a.stop = iter.Pull(func(yield func(*waiting) bool) {
		defer func() {
			if e := recover(); e != nil && e != (stopped{}) {
				panic(e)
			}
		}()
		w.pause = func(why *waiting) {
			if !yield(why) {
				panic(stopped{})
			}
		}
		f()
	})
	w.memory.actors = append(w.memory.actors, a)
}

// roles executes a Roles: the workgroup goes on as the consumers. The producer knows what the threads did up to their last barrier.
func (w *workgroup) roles(op *simt.Op) bool {
	threads := w.kernel.Threads
	w.part(producer, w.kernel.ConsumerThreads(), 1, op.Body)
	for group := 1; group < w.kernel.Consumers; group++ {
		w.part(producer+group, group*threads, threads, op.Else)
	}
	w.values = w.lanes(0, threads)
	w.pause(nil)
	return w.block(op.Else, everyone(threads))
}

// part begins an actor for some of the threads, from one on.
func (w *workgroup) part(actor, first, threads int, b *simt.Block) {
	one := *w
	one.actor, one.first, one.clock = actor, first, w.clocks[actor]
	one.clock.join(w.met)
	one.values, one.flying = w.lanes(first, first+threads), flying{}
	one.begin(func() { one.block(b, everyone(threads)) })
}

// lanes are the values of some threads.
func (w *workgroup) lanes(from, to int) map[*simt.Value][]Lane {
	some := make(map[*simt.Value][]Lane, len(w.values))
	for v, all := range w.values {
		some[v] = all[from*v.Type.Width : to*v.Type.Width : to*v.Type.Width]
	}
	return some
}

// run lets one actor after the other make a step until no actor can.
func (s *scheduler) run() {
	defer func() {
		for _, m := range s.workgroups {
			for _, a := range m.actors {
				a.stop()
			}
		}
	}()
	for slices.ContainsFunc(s.order(), s.advance) {
	}
	s.deadlock()
	for _, m := range s.workgroups {
		m.allWaitedFor()
		m.othersAreDone()
	}
}

// step is one of an actor of a workgroup, or of the hardware's copies to it.
type step struct {
	m   *memory
	who int
}

// order is the order in which steps are tried. If it is not random, one role or the other is ahead, and one workgroup of a cluster or another.
func (s *scheduler) order() (list []step) {
	roles, workgroups := s.roles(len(s.workgroups[0].clocks)), slices.Clone(s.workgroups)
	if s.schedule.late() {
		slices.Reverse(workgroups)
	}
	for _, who := range roles {
		for _, m := range workgroups {
			list = append(list, step{m, who})
		}
	}
	if s.schedule > ConsumersLate {
		s.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

// roles are a workgroup's actors, the hardware among them, in the order in which they go on.
func (s *scheduler) roles(actors int) []int {
	groups := []int{consumers}
	for who := producer + 1; who < actors; who++ {
		groups = append(groups, who)
	}
	switch s.schedule {
	case ProducerAtOnce:
		return append([]int{hardware, producer}, groups...)
	case ConsumersAtOnce:
		return slices.Concat([]int{hardware}, groups, []int{producer})
	}
	slices.Reverse(groups)
	switch s.schedule {
	case ProducerLate:
		return slices.Concat([]int{producer}, groups, []int{hardware})
	case ConsumersLate:
		return append(groups, producer, hardware)
	}
	return append(groups, producer, hardware)
}

// advance makes a step, if it can be made, and reports whether it did.
func (s *scheduler) advance(t step) bool {
	if t.who == hardware {
		return s.land(t.m)
	}
	if t.who >= len(t.m.actors) || !t.m.actors[t.who].ready() {
		return false
	}
	a := t.m.actors[t.who]
	w, more := a.next()
	a.waiting, a.over = w, !more
	return true
}

// land completes a copy.
func (s *scheduler) land(m *memory) bool {
	for i, c := range m.transfers {
		awaited := slices.ContainsFunc(m.actors, func(a *actor) bool { return a.waiting != nil && a.waiting.signal == c.signal })
		if awaited || !s.schedule.late() {
			if s.schedule > ConsumersLate {
				i = s.rng.IntN(len(m.transfers))
			}
			c = m.transfers[i]
			m.transfers = slices.Delete(m.transfers, i, i+1)
			m.land(c)
			return true
		}
	}
	return false
}

// deadlock fails if an actor waits though nothing can happen any more.
func (s *scheduler) deadlock() {
	var who []string
	var op *simt.Op
	for _, m := range s.workgroups {
		for i, a := range m.actors {
			switch {
			case a.over:
				continue
			case a.waiting.signal == nil:
				who = append(who, actorName(i)+" for the cluster")
			default:
				who = append(who, fmt.Sprintf("%s for phase %d of %v", actorName(i), a.waiting.signal.phase, a.waiting.signal))
			}
			op = a.waiting.op
		}
	}
	if op != nil {
		fail(op, "waits forever: %s", strings.Join(who, ", "))
	}
}

func actorName(i int) string {
	if i > producer {
		return fmt.Sprintf("group %d of the threads", i-producer)
	}
	return [...]string{"the threads", "the producer"}[i]
}
