package layout

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/fault"
)

// Route is how far the elements of a conversion have to travel.
type Route int

const (
	InThread   Route = iota // every element stays in its thread
	InSubgroup              // every element stays in its subgroup: shuffles
	InShared                // some element changes its subgroup: shared memory
)

// String names the route, "route(7)" an unknown one.
func (r Route) String() string {
	if r < InThread || r > InShared {
		return fmt.Sprintf("route(%d)", int(r))
	}
	return [...]string{"registers", "shuffles", "shared memory"}[r]
}

// Conversion is a plan for bringing a tile from one distribution to another. A
// thread starts with the values of its source registers. If there are rounds,
// they replace these values by what the thread receives. Then destination
// register r takes the value Registers[r]. A conversion through shared memory
// has neither: the source distribution writes and the destination reads an array,
// for which ConflictFree finds the layout.
type Conversion struct {
	Route     Route
	Rounds    []Round
	Registers []int
	Reason    string // why no shorter route was taken, empty for InThread
}

// Round is one exchange within each subgroup: a thread offers one of its source
// registers, takes what another lane offers, and keeps it as one of its received
// values. All three numbers depend on the thread.
type Round struct {
	Send Affine // the source register that the thread offers
	Lane Affine // the lane of its subgroup that the thread takes from
	Into Affine // the number of the received value; one beyond the values of the plan is dropped
}

// Affine is a number that depends on the bits of a thread's index by XOR: Const,
// and Thread[i] for every bit i that is set.
type Affine struct {
	Const  int
	Thread []int
}

// At returns the number of a thread.
func (f Affine) At(thread int) int { return f.Const ^ combine(f.Thread, thread) }

// Uniform reports whether the number is the same for all threads.
func (f Affine) Uniform() bool {
	return !slices.ContainsFunc(f.Thread, func(v int) bool { return v != 0 })
}

// Xor returns the mask by which the round is a XOR shuffle: every thread takes
// from the lane that is its own XOR mask. A mask of 0 is no shuffle at all, but a
// choice of a register by the thread. ok is false for a shuffle by lane index.
func (r Round) Xor(lanes int) (mask int, ok bool) {
	for i, v := range r.Lane.Thread {
		own := 1 << i
		if own >= lanes {
			own = 0
		}
		if v != own {
			return 0, false
		}
	}
	return r.Lane.Const, true
}

// String prints the route and the number of rounds.
func (c Conversion) String() string {
	if len(c.Rounds) == 0 {
		return c.Route.String()
	}
	return fmt.Sprintf("%v, %d rounds", c.Route, len(c.Rounds))
}

// maxPlanBits bounds the registers and the threads of a plan: it lists every
// register, and sets of their bits together must fit an int.
const maxPlanBits = 14

// Plan returns how to bring a tile from the distribution src to the distribution
// dst, where lanes consecutive threads form a subgroup that can shuffle (1 if the
// device has no subgroups). Both have the inputs Register and Thread and equally
// many threads.
//
// Law: after the plan, destination register r of thread t holds dst.At(r, t), for
// all r and t, copies included. The route is the shortest that exists. Within a
// subgroup the number of rounds is that of the destination's different registers,
// the least possible, unless lanes must offer more values than each receives;
// XOR shuffles are taken where they do.
//
// Source: the shuffle conversions of "Linear Layouts" (arXiv 2505.23819) are the
// bijective case; the copies and the affine numbers are worked out in planner.
//
// Errors: fault.ErrShape if the tiles or the numbers of threads differ, fault.ErrArgument if lanes
// is no power of two; fault.ErrUnsupported for other inputs or if src does not
// hold every element of dst; fault.ErrLimit for more than 2^14
// registers or threads.
func Plan(src, dst Linear, lanes int) (Conversion, error) {
	if !slices.Equal(src.shape, dst.shape) || src.Bits(Thread) != dst.Bits(Thread) {
		return Conversion{}, fault.New(fault.ErrShape, "plan", "%v and %v differ in their tiles or numbers of threads, want the same", src, dst)
	}
	if !isPow2(lanes) {
		return Conversion{}, fault.New(fault.ErrArgument, "plan", "subgroups of %d lanes, want a power of two", lanes)
	}
	held := src.eliminate()
	for _, l := range []Linear{src, dst} {
		if err := onlyRegistersAndThreads("plan", l); err != nil {
			return Conversion{}, err
		}
		if r, t := l.Bits(Register), l.Bits(Thread); max(r, t) > maxPlanBits {
			return Conversion{}, fault.New(fault.ErrLimit, "plan", "2^%d registers of 2^%d threads, want at most 2^%d of either", r, t, maxPlanBits)
		}
		for _, v := range slices.Concat(l.bases...) {
			if !held.has(v) {
				return Conversion{}, fault.New(fault.ErrUnsupported, "plan", "no thread of %v has element %s", src, tuple(src.unpack(v)))
			}
		}
	}
	p := newPlanner(src, dst, lanes)
	if registers, ok := p.renaming(); ok {
		return Conversion{Registers: registers}, nil
	}
	if why := p.leaves(spanOf(slices.Concat(p.src.register, p.src.lane)...)); why != "" {
		return Conversion{Route: InShared, Reason: why + " comes from another subgroup"}, nil
	}
	p.shuffle()
	c := Conversion{Rounds: p.rounds(), Registers: p.registers}
	if why := p.leaves(spanOf(p.src.register...)); why != "" {
		c.Route, c.Reason = InSubgroup, why+" comes from another thread"
	}
	return c, nil
}
