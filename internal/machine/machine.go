package machine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
)

// Lane is what one lane of a register holds, as bits: one of 32 bits in the lower half,
// a Bool as 0 or 1.
type Lane = uint64

// maxSteps bounds the ops that one workgroup executes, so that every run ends.
const maxSteps = 1 << 24

// workgroup is the state of an actor of a workgroup.
type workgroup struct {
	*Launch
	buffers map[*simt.Buffer][]byte
	views   map[*simt.TensorMap]View
	id      [3]int
	values  map[*simt.Value][]Lane // by thread, then lane
	first   int                    // number of the first thread
	actor   int
	clock   clock
	pause   func(*waiting) // lets the other actor go on
	kernel  *simt.Func
	sched   *scheduler
	flying  flying
	broke   bool // a While is being left
	steps   int
	*memory
}

// failure is what stops a run; Run recovers it.
type failure struct{ error }

func fail(op *simt.Op, format string, args ...any) {
	panic(failure{fmt.Errorf("%v at %q: %s", op.Kind, op.Line, fmt.Sprintf(format, args...))})
}

// Run verifies a kernel and executes every workgroup of a grid, or every cluster of them, one after the other.
// buffers are the memory of the kernel's buffers, which it changes, and words
// the bits of its launch words.
func Run(k *simt.Func, grid [3]int, buffers [][]byte, words []uint32) error {
	return (&Launch{Grid: grid, Buffers: buffers, Words: words}).Run(k)
}

// Launch is what a kernel is executed with.
type Launch struct {
	Grid     [3]int
	Buffers  [][]byte // memory of the kernel's buffers, which a run changes
	Words    []uint32 // bits of its launch words
	Views    []View   // of its tensor maps
	Schedule Schedule
	// InStep is for a kernel whose barriers are still to be inserted: all threads do an op before any does the next,
	// so what would be a race is well defined. Where threads have no roles, a TensorCopy has come when it began.
	InStep bool
	// See, if there is one, is told before each access to a shared array the index of the first element that each
	// thread reaches, -1 of a thread that does not take part.
	See func(op *simt.Op, at []int)
}

// Run verifies a kernel and executes every workgroup of the grid, or every cluster of them, one after the other.
func (l *Launch) Run(k *simt.Func) (err error) {
	if err := simt.Verify(k); err != nil {
		return err
	}
	if len(l.Buffers) != len(k.Buffers) || len(l.Words) != len(k.Words) {
		return fmt.Errorf("%s and %s given, the kernel has %d and %d", fault.Count(len(l.Buffers), "buffer"), fault.Count(len(l.Words), "word"), len(k.Buffers), len(k.Words))
	}
	if err := checkViews(k.Maps, l.Views); err != nil {
		return err
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case failure:
			err = e.error
		default:
			panic(e)
		}
	}()
	buffers, views := map[*simt.Buffer][]byte{}, map[*simt.TensorMap]View{}
	for i, b := range k.Buffers {
		buffers[b] = l.Buffers[i]
	}
	for i, m := range k.Maps {
		views[m] = l.Views[i]
	}
	size := max(1, k.Cluster)
	if l.Grid[0]%size != 0 {
		return fmt.Errorf("%s are not whole clusters of %d", fault.Count(l.Grid[0], "workgroup"), size)
	}
	for z := range l.Grid[2] {
		for y := range l.Grid[1] {
			for x := 0; x < l.Grid[0]; x += size {
				first := &workgroup{Launch: l, buffers: buffers, views: views, kernel: k, id: [3]int{x, y, z}}
				first.execute()
			}
		}
	}
	return nil
}

// execute executes a workgroup and the others of its cluster.
func (w *workgroup) execute() {
	s := &scheduler{schedule: w.Schedule, rng: rand.New(rand.NewPCG(uint64(w.Schedule), uint64(w.id[0]))), workgroups: newCluster(w.kernel, w.InStep)}
	for _, m := range s.workgroups {
		one := *w
		one.sched, one.memory, one.clock, one.values = s, m, m.clocks[consumers], map[*simt.Value][]Lane{}
		one.id[0] += m.rank
		one.begin(func() { one.block(w.kernel.Body, everyone(w.kernel.LaunchThreads())) })
	}
	s.run()
}

func everyone(threads int) []bool {
	all := make([]bool, threads)
	for t := range all {
		all[t] = true
	}
	return all
}

// block executes ops for the active threads; false means that the workgroup ended.
func (w *workgroup) block(b *simt.Block, active []bool) bool {
	for _, op := range b.Ops {
		if w.steps++; w.steps > maxSteps {
			fail(op, "the kernel takes more than %d steps", maxSteps)
		}
		if !w.op(op, active) {
			return false
		}
		if w.broke {
			return true
		}
	}
	return true
}

func (w *workgroup) op(op *simt.Op, active []bool) bool {
	if w.See != nil && op.Shared != nil && w.shared[op.Shared] != nil && op.Map == nil {
		w.See(op, w.reached(op, active))
	}
	w.checkSettled(op)
	switch op.Kind {
	case simt.Barrier:
		w.together(op, active)
		w.pass(op.Buffers)
	case simt.Issue:
		w.together(op, active)
	case simt.ClusterBarrier:
		w.together(op, active)
		w.meetCluster(op)
	case simt.Exit:
		w.together(op, active)
		return w.uniform(op, active) == 0
	case simt.If:
		inner := make([]bool, len(active))
		for t, x := range w.values[op.Args[0]] {
			inner[t] = active[t] && x != 0
		}
		return !slices.Contains(inner, true) || w.block(op.Body, inner)
	case simt.For:
		return w.forLoop(op, active)
	case simt.Branch:
		return w.branch(op, active)
	case simt.While:
		return w.while(op, active)
	case simt.Break:
		w.broke = w.uniform(op, active) != 0
	case simt.Yield:
	case simt.Store, simt.SharedStore:
		w.each(active, func(t int) { w.store(op, t) })
	case simt.SharedAtomic:
		w.each(active, func(t int) { w.sharedAtomic(op, t) })
	case simt.StoreMatrix:
		w.together(op, active)
		w.storeMatrix(op)
	case simt.CooperativeStore:
		w.together(op, active)
		w.storeCooperative(op)
	case simt.GroupMMA:
		w.together(op, active)
		w.groupMultiply(op)
	case simt.GroupWait:
		w.together(op, active)
		w.groupWait(op)
	case simt.OrderBegin, simt.OrderEnd: // its warpgroups go on together
		w.together(op, active)
	case simt.CopyAsync:
		w.each(active, func(t int) { w.copyAsync(op, t) })
	case simt.CopyCommit:
		w.each(active, w.commitCopies)
	case simt.CopyWait:
		w.each(active, func(t int) { w.waitCopies(op, t) })
	case simt.TensorCopy:
		w.pause(nil)
		w.each(active, func(t int) { w.tensorCopy(op, t) })
	case simt.TensorStore:
		w.together(op, active)
		w.tensorStore(op, active)
	case simt.StoreWait:
		w.waitStores(op.Pending)
	case simt.Expect:
		w.pause(nil)
		w.expectBytes(op, active)
	case simt.Arrive:
		w.pause(nil)
		w.arriveAll(op, active)
	case simt.Wait:
		w.waitSignal(op, active)
	case simt.Roles:
		return w.roles(op)
	default:
		w.compute(op, active)
	}
	return true
}

// each calls f for the active threads in order.
func (w *workgroup) each(active []bool, f func(t int)) {
	for t, on := range active {
		if on {
			f(t)
		}
	}
}

// together checks that every thread arrives.
func (w *workgroup) together(op *simt.Op, active []bool) {
	for t, on := range active {
		if !on {
			fail(op, "thread %d does not arrive", t)
		}
	}
}

// uniform is the op's condition, which the active threads agree on.
func (w *workgroup) uniform(op *simt.Op, active []bool) (x Lane) {
	first := true
	for t, y := range w.values[op.Args[0]] {
		switch {
		case !active[t]:
		case first:
			x, first = y, false
		case x != y:
			fail(op, "the condition differs between threads")
		}
	}
	return x
}

// carry sets the arguments of a loop's body.
func (w *workgroup) carry(args []*simt.Value, now [][]Lane) {
	for i, a := range args {
		w.values[a] = now[i]
	}
}

// lookup returns what values hold.
func (w *workgroup) lookup(vs []*simt.Value) [][]Lane {
	lanes := make([][]Lane, len(vs))
	for i, v := range vs {
		lanes[i] = w.values[v]
	}
	return lanes
}

// forLoop lets each thread run its own number of iterations; one that is done
// keeps what it carries.
func (w *workgroup) forLoop(op *simt.Op, active []bool) bool {
	bounds, now := w.lookup(op.Args[:3]), w.lookup(op.Args[3:])
	index := append([]Lane(nil), bounds[0]...)
	running := append([]bool(nil), active...)
	for {
		any := false
		w.each(running, func(t int) {
			running[t] = int32(index[t]) < int32(bounds[1][t])
			any = any || running[t]
		})
		if !any {
			break
		}
		w.carry(op.Body.Args, append([][]Lane{append([]Lane(nil), index...)}, now...))
		if !w.block(op.Body, running) {
			return false
		}
		now = merge(running, now, w.lookup(op.Body.Ops[len(op.Body.Ops)-1].Args))
		w.each(running, func(t int) {
			next := int64(int32(index[t])) + int64(int32(bounds[2][t]))
			if op.Wraps && next > math.MaxInt32 {
				next = int64(int32(bounds[1][t]))
			}
			if int32(bounds[2][t]) <= 0 || next > math.MaxInt32 {
				fail(op, "thread %d steps from %d to %d, want a larger index", t, int32(index[t]), next)
			}
			index[t] = Lane(uint32(next))
		})
	}
	w.carry(op.Out, now)
	return true
}

// merge takes the next values in threads that run, and what they were in the others.
func merge(running []bool, was, next [][]Lane) [][]Lane {
	if !slices.Contains(running, false) {
		return next
	}
	for i := range next {
		merged := append([]Lane(nil), next[i]...)
		width := len(merged) / len(running)
		for t, on := range running {
			if !on {
				copy(merged[t*width:(t+1)*width], was[i][t*width:])
			}
		}
		next[i] = merged
	}
	return next
}

// branch executes the ways of a Branch that threads take, and takes the results from their own.
func (w *workgroup) branch(op *simt.Op, active []bool) bool {
	then, otherwise := make([]bool, len(active)), make([]bool, len(active))
	for t, x := range w.values[op.Args[0]] {
		then[t], otherwise[t] = active[t] && x != 0, active[t] && x == 0
	}
	var results [][]Lane
	for i, way := range []*simt.Block{op.Body, op.Else} {
		taken := [][]bool{then, otherwise}[i]
		if !slices.Contains(taken, true) {
			continue
		}
		if !w.block(way, taken) {
			return false
		}
		yielded := w.lookup(way.Ops[len(way.Ops)-1].Args)
		if results != nil {
			yielded = merge(taken, results, yielded)
		}
		results = yielded
	}
	w.carry(op.Out, results)
	return true
}

func (w *workgroup) while(op *simt.Op, active []bool) bool {
	now := w.lookup(op.Args)
	for {
		w.carry(op.Body.Args, now)
		if !w.block(op.Body, active) {
			return false
		}
		if w.broke {
			w.broke = false
			w.carry(op.Out, now)
			return true
		}
		now = w.lookup(op.Body.Ops[len(op.Body.Ops)-1].Args)
	}
}

// compute executes an op with one result for the active threads.
func (w *workgroup) compute(op *simt.Op, active []bool) {
	r := op.Result().Type
	out := make([]Lane, len(active)*r.Width)
	args := w.lookup(op.Args)
	var lane func(t, i int) Lane
	switch op.Kind {
	case simt.Const:
		x := encode(simt.Register(r.Elem), op.Number)
		lane = func(t, i int) Lane { return x }
	case simt.Param:
		lane = func(t, i int) Lane { return Lane(w.Words[op.Word]) }
	case simt.ThreadID:
		lane = func(t, i int) Lane { return Lane((w.first + t) % w.kernel.Threads) }
	case simt.ConsumerID:
		lane = func(t, i int) Lane { return Lane((w.first + t) / w.kernel.Threads) }
	case simt.WarpgroupID:
		lane = func(t, i int) Lane { return Lane((w.first + t) % w.kernel.Threads / simt.WarpgroupMMA.Threads) }
	case simt.WorkgroupID:
		lane = func(t, i int) Lane { return Lane(w.id[op.Axis]) }
	case simt.Splat:
		lane = func(t, i int) Lane { return args[0][t] }
	case simt.Extract:
		lane = func(t, i int) Lane { return args[0][t*op.Args[0].Type.Width+op.Lane] }
	case simt.Compose:
		lane = composeMatrix(r, args)
	case simt.Unpack, simt.Pack:
		lane = packed(op, args[0])
	case simt.PairFMA:
		lane = pairs(op, args)
	case simt.PickBytes:
		lane = bytesOf(op, args)
	case simt.AndXor:
		lane = func(t, _ int) Lane { return args[0][t]&args[1][t] ^ args[2][t] }
	case simt.ShuffleXor:
		w.together(op, active)
		lane = func(t, i int) Lane {
			if t^op.LaneMask >= len(active) {
				fail(op, "thread %d exchanges with a thread that does not exist", t)
			}
			return args[0][(t^op.LaneMask)*r.Width+i]
		}
	case simt.Ballot:
		w.together(op, active)
		lane = func(t, _ int) (word Lane) {
			first := t &^ (simt.WarpThreads - 1)
			for i := range simt.WarpThreads {
				word |= args[0][first+i] << i
			}
			return word
		}
	case simt.SharedRank:
		w.together(op, active)
		counts := w.sharedRank(op, len(active))
		lane = func(t, _ int) Lane { return counts[t] }
	case simt.MMA:
		w.together(op, active)
		lane = multiply(op, args)
	case simt.MatrixPlace:
		w.together(op, active)
		lane = func(t, _ int) Lane { return args[0][t] }
	case simt.LoadMatrix:
		w.together(op, active)
		lane = w.loadMatrix(op)
	case simt.CooperativeLoad:
		w.together(op, active)
		lane = w.loadCooperative(op)
	case simt.CooperativeMulAdd:
		w.together(op, active)
		lane = w.mulAdd(op, args)
	case simt.Load, simt.SharedLoad:
		w.each(active, func(t int) { w.load(op, t, out[t*r.Width:(t+1)*r.Width]) })
	case simt.Atomic:
		w.each(active, func(t int) { out[t] = w.atomic(op, t) })
	default:
		lane = w.elementwise(op, args)
	}
	if lane != nil {
		w.each(active, func(t int) {
			for i := range r.Width {
				out[t*r.Width+i] = lane(t, i)
			}
		})
	}
	w.values[op.Result()] = out
}

func (w *workgroup) elementwise(op *simt.Op, args [][]Lane) func(t, i int) Lane {
	f := Elementwise(op.Kind, op.Args[len(op.Args)-1].Type.Elem, op.Result().Type.Elem, op.Elem)
	if f == nil {
		fail(op, "the op has no meaning for %v", op.Args[0].Type)
	}
	width := op.Result().Type.Width
	return func(t, i int) Lane {
		var a [3]Lane
		for j := range args {
			a[j] = args[j][t*width+i]
		}
		x, ok := f(a[0], a[1], a[2])
		if !ok {
			fail(op, "thread %d: the op has no meaning for %#x", t, append([]Lane(nil), a[:len(args)]...)) // a stays on the stack
		}
		return x
	}
}
