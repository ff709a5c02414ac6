package machine

import (
	"encoding/binary"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
)

// memory is what a workgroup shares, and who touched what since which barrier.
type memory struct {
	shared  map[*simt.Shared][]cell
	newest  int   // epoch
	epochs  []int // of each actor: another after each barrier
	ordered []int // the same of barriers that order buffers, too
	touched map[touch]*history
	copies  copies

	inStep    bool // races are no error
	signals   map[*simt.Shared][]*signal
	clocks    []clock       // of the actors
	met       clock         // of the threads at their last barrier
	transfers []*transfer   // outstanding
	started   []*transfer   // all
	outgoing  [][]*outgoing // of each actor, not waited for
	acquired  acquired
	actors    []*actor // at the indices consumers, then producer, then those of further groups of consumers

	rank    int
	cluster []*memory // of all workgroups of the cluster, by rank
	meeting *meeting
	reached []reached   // by arrivals from others
	sent    []*transfer // to others
}

// newMemory is that of the workgroup of a rank among those of a cluster. Clocks have entries for the actors of all of them, then for their barriers.
func newMemory(k *simt.Func, inStep bool, rank, cluster int) *memory {
	m := &memory{shared: map[*simt.Shared][]cell{}, touched: map[touch]*history{}, copies: copies{}, inStep: inStep, signals: map[*simt.Shared][]*signal{}, rank: rank}
	actors, barriers := producer+max(1, k.Consumers), 0
	for _, s := range k.Shared {
		if s.Arrivals > 0 {
			barriers += s.Len
		}
	}
	next, entries := cluster*actors+rank*barriers, cluster*(actors+barriers)
	for _, s := range k.Shared {
		if s.Arrivals > 0 {
			for i := range s.Len {
				m.signals[s] = append(m.signals[s], &signal{of: s, index: i, entry: next})
				next++
			}
			continue
		}
		m.shared[s] = make([]cell, s.Len)
	}
	for _, all := range m.signals {
		for _, s := range all {
			s.now, s.over, s.waited, s.passed = make(clock, entries), make(clock, entries), make([]event, actors), make([]int, actors)
		}
	}
	for i := range actors {
		m.clocks = append(m.clocks, make(clock, entries))
		m.clocks[i][rank*actors+i] = 1
		m.newest++
		m.epochs, m.ordered = append(m.epochs, m.newest), append(m.ordered, m.newest)
	}
	m.outgoing = make([][]*outgoing, actors)
	m.met = make(clock, entries)
	return m
}

// pass passes a barrier.
func (w *workgroup) pass(buffers bool) {
	w.newest++
	w.epochs[w.actor] = w.newest
	if buffers {
		w.ordered[w.actor] = w.newest
	}
	w.met = slices.Clone(w.clock)
	w.clock[w.entry()]++
}

// entry is that of the actor in clocks.
func (w *workgroup) entry() int { return w.rank*len(w.clocks) + w.actor }

// epoch is that of the actor.
func (w *workgroup) epoch() int { return w.epochs[w.actor] }

// now is an event of the actor.
func (w *workgroup) now() event { return event{w.entry(), w.clock[w.entry()]} }

// foreign tells whether an event is another actor's, which nothing orders before what this one does.
func (w *workgroup) foreign(e event) bool {
	return !w.inStep && e.entry != w.entry() && !w.clock.knows(e)
}

// busy tells whether another actor may still use an element that this one is about to overwrite.
func (w *workgroup) busy(h *history) bool {
	return w.foreign(h.touched) || slices.ContainsFunc(h.others, w.foreign)
}

// noteRead notes a read of the actor, and noteWrite a write.
func (w *workgroup) noteRead(h *history) {
	now := w.now()
	if h.touched.entry != now.entry && !w.clock.knows(h.touched) {
		h.others = append(slices.DeleteFunc(h.others, func(e event) bool { return e.entry == now.entry }), h.touched)
	}
	h.touched = now
}

func (w *workgroup) noteWrite(h *history) { h.touched, h.wrote, h.others = w.now(), w.now(), nil }

// cell is an element of a shared array.
type cell struct {
	bits    Lane
	written bool
	coming  bool      // a copy to it is outstanding
	factors int       // outstanding products that read it
	from    *transfer // the copy by the hardware that it is from, if it is
	out     *outgoing // the last store by the hardware that reads it
	history
}

// touch is an element of a buffer that a kernel reads and writes.
type touch struct {
	buffer *simt.Buffer
	at     int
}

// history says who touched an element last, and when.
type history struct {
	writer, writeEpoch int
	alias, unordered   int  // of the last write to a buffer; of that to a shared array the unordered set
	step               int  // of that write
	async              bool // a store by the hardware writes it, nobody knows when
	reader, readEpoch  int
	touched            event   // the last access of a thread
	wrote              event   // the last write
	others             []event // the last reads of other actors since, which nothing orders before touched
	severalReaders     bool
}

// read records a read of a thread in an epoch.
func (h *history) read(t, epoch int) {
	h.severalReaders = h.readEpoch == epoch && (h.severalReaders || h.reader != t)
	h.reader, h.readEpoch = t, epoch
}

func (h *history) write(t, epoch int) { h.writer, h.writeEpoch = t, epoch }

func (h *history) writtenByOther(t, epoch int) bool { return h.writeEpoch == epoch && h.writer != t }

func (h *history) readByOther(t, epoch int) bool {
	return h.readEpoch == epoch && (h.severalReaders || h.reader != t)
}

// access checks that no other thread touched an element of a buffer in a way
// that needs a barrier. Unordered stores may meet: which is last does not
// matter. So may atomic ops of one alias class, and the threads in one atomic op.
func (w *workgroup) access(op *simt.Op, t, at int) {
	if w.inStep || !op.Buffer.Write {
		return
	}
	key := touch{op.Buffer, at}
	h := w.touched[key]
	if h == nil {
		h = &history{}
		w.touched[key] = h
	}
	together := op.Unordered != 0 && h.unordered == op.Unordered || op.Kind == simt.Atomic && op.Alias != 0 && h.alias == op.Alias ||
		h.step == w.steps && op.Kind == simt.Atomic
	if h.async {
		fail(op, "thread %d accesses element %d of %s, to which a store may be outstanding", t, at, op.Buffer.Name)
	}
	ordered := w.ordered[w.actor]
	if a := w.acquired; a.op != nil && a.op != op && a.epoch == ordered && a.thread != t {
		fail(op, "thread %d accesses element %d of %s, but thread %d acquired it since the last barrier", t, at, op.Buffer.Name, a.thread)
	}
	if w.foreign(h.touched) && !together {
		fail(op, "thread %d accesses element %d of %s, which another role or group of threads may still use", t, at, op.Buffer.Name)
	}
	h.touched = w.now()
	if h.writtenByOther(t, ordered) && !together {
		fail(op, "thread %d accesses element %d of %s, which thread %d wrote since the last barrier", t, at, op.Buffer.Name, h.writer)
	}
	if op.Kind == simt.Load {
		h.read(t, ordered)
		return
	}
	if h.readByOther(t, ordered) {
		fail(op, "thread %d writes element %d of %s, which another thread read since the last barrier", t, at, op.Buffer.Name)
	}
	h.write(t, ordered)
	h.alias, h.unordered, h.step = op.Alias, op.Unordered, w.steps
}

func (w *workgroup) arg(op *simt.Op, i, t int) []Lane {
	width := op.Args[i].Type.Width
	return w.values[op.Args[i]][t*width : (t+1)*width]
}

func (w *workgroup) masked(op *simt.Op, t int) bool {
	v := op.Mask()
	return v != nil && w.values[v][t] == 0
}

// reached is the element that each thread's access starts at, -1 if it has none.
func (w *workgroup) reached(op *simt.Op, active []bool) []int {
	at := make([]int, len(active))
	for t := range at {
		at[t] = -1
		if active[t] && (op.Kind == simt.CopyAsync || !w.masked(op, t)) { // which writes zeros
			at[t] = int(int32(w.arg(op, 0, t)[0]))
		}
	}
	return at
}

// index is the checked element index of an access of n elements.
func (w *workgroup) index(op *simt.Op, t, n int) int {
	at, size := int(int32(w.arg(op, 0, t)[0])), 0
	if op.Buffer != nil {
		size = len(w.buffers[op.Buffer]) / op.Buffer.Elem.Size()
	} else {
		size = op.Shared.Len
	}
	if at < 0 || at+n > size || at%n != 0 {
		fail(op, "thread %d accesses %s at %d, the memory has %d", t, fault.Count(n, "element"), at, size)
	}
	return at
}

func (w *workgroup) load(op *simt.Op, t int, out []Lane) {
	if w.masked(op, t) {
		for i := range out {
			out[i] = encode(op.Result().Type.Elem, op.Fill)
		}
		return
	}
	if op.Packed {
		w.loadWords(op, t, out)
		return
	}
	at := w.index(op, t, len(out))
	for i := range out {
		if op.Kind == simt.Load {
			w.access(op, t, at+i)
			if op.LoadsBits() {
				out[i] = Lane(binary.LittleEndian.Uint16(w.buffers[op.Buffer][2*at:]))
				continue
			}
			out[i] = widen(op.Buffer.Elem, w.buffers[op.Buffer][(at+i)*op.Buffer.Elem.Size():])
			continue
		}
		if op.Cluster {
			out[i] = w.readPeer(op, t, at+i)
			continue
		}
		out[i] = w.readShared(op, t, at+i)
	}
}

// readShared is an element of a shared array, checked and noted as read.
func (w *workgroup) readShared(op *simt.Op, t, at int) Lane {
	return w.readCell(op, &w.shared[op.Shared][at], t, at)
}

// readCell is readShared of the element that c is.
func (w *workgroup) readCell(op *simt.Op, c *cell, t, at int) Lane {
	switch {
	case c.coming:
		fail(op, "thread %d reads element %d of %s, to which a copy is outstanding", t, at, op.Shared.Name)
	case c.from != nil && !w.sees(c.from):
		fail(op, "thread %d reads element %d of %s, whose copy it has not waited for", t, at, op.Shared.Name)
	case w.foreign(c.wrote):
		fail(op, "thread %d reads element %d of %s, which another group of threads wrote", t, at, op.Shared.Name)
	case !c.written:
		fail(op, "thread %d reads element %d of %s, which no thread wrote", t, at, op.Shared.Name)
	case !w.inStep && c.writtenByOther(t, w.epoch()):
		fail(op, "thread %d reads element %d of %s, which thread %d wrote since the last barrier", t, at, op.Shared.Name, c.writer)
	}
	c.read(t, w.epoch())
	w.noteRead(&c.history)
	return c.bits
}

func (w *workgroup) store(op *simt.Op, t int) {
	if w.masked(op, t) {
		return
	}
	value := w.arg(op, 1, t)
	if op.Packed {
		w.storeWords(op, t, value)
		return
	}
	at := w.index(op, t, len(value))
	for i, bits := range value {
		if op.Kind == simt.Store {
			w.access(op, t, at+i)
			narrow(op.Buffer.Elem, w.buffers[op.Buffer][(at+i)*op.Buffer.Elem.Size():], bits)
			continue
		}
		w.writeShared(op, t, at+i, narrowed(op.Shared.Elem, bits))
	}
}

// writeShared sets an element of a shared array, checked and noted as written.
func (w *workgroup) writeShared(op *simt.Op, t, at int, bits Lane) {
	c := &w.shared[op.Shared][at]
	w.checkOverwritten(op, c, t, at)
	c.write(t, w.epoch())
	w.noteWrite(&c.history)
	c.bits, c.written, c.from, c.unordered = bits, true, nil, 0
}

// sharedAtomic changes an element of a shared array, which others may do in the same set of ops.
func (w *workgroup) sharedAtomic(op *simt.Op, t int) {
	if w.masked(op, t) {
		return
	}
	at := w.index(op, t, 1)
	c := &w.shared[op.Shared][at]
	if !c.written {
		fail(op, "thread %d changes element %d of %s, which no thread wrote", t, at, op.Shared.Name)
	}
	if together := op.Unordered != 0 && c.unordered == op.Unordered; !together || w.busy(&c.history) || c.readByOther(t, w.epoch()) {
		w.checkOverwritten(op, c, t, at)
	}
	c.write(t, w.epoch())
	c.bits, _ = Elementwise(atomics[op.RMW], op.Shared.Elem, op.Shared.Elem, 0)(c.bits, w.arg(op, 1, t)[0], 0)
	w.noteWrite(&c.history)
	c.from, c.unordered = nil, op.Unordered
}

// sharedRank counts in elements of a shared array, for one thread after the other; other warps may do so in the same set of ops, in other elements.
func (w *workgroup) sharedRank(op *simt.Op, threads int) []Lane {
	counts, seen := make([]Lane, threads), map[int]int{}
	for t := range threads {
		at, warp := w.index(op, t, 1), t/simt.WarpThreads
		c := &w.shared[op.Shared][at]
		if other, ok := seen[at]; ok && other != warp {
			fail(op, "warps %d and %d count in element %d of %s", other, warp, at, op.Shared.Name)
		}
		first := t - t%simt.WarpThreads
		for u := first; u < t; u++ {
			if low := 1<<op.Count - 1; w.index(op, u, 1) != at && w.index(op, u, 1)&low == at&low {
				fail(op, "threads %d and %d have different indices with the same %d lowest bits", u, t, op.Count)
			}
		}
		seen[at] = warp
		if !c.written {
			fail(op, "thread %d changes element %d of %s, which no thread wrote", t, at, op.Shared.Name)
		}
		if together := op.Unordered != 0 && c.unordered == op.Unordered && c.writer/simt.WarpThreads == warp; !together || w.busy(&c.history) || c.readByOther(t, w.epoch()) {
			w.checkOverwritten(op, c, t, at)
		}
		counts[t] = c.bits
		c.write(t, w.epoch())
		c.bits++
		w.noteWrite(&c.history)
		c.from, c.unordered = nil, op.Unordered
	}
	return counts
}

// checkOverwritten checks that nobody else uses an element that a thread is about to overwrite.
func (w *workgroup) checkOverwritten(op *simt.Op, c *cell, t, at int) {
	switch {
	case c.coming || c.from != nil && !w.sees(c.from):
		fail(op, "thread %d writes element %d of %s, to which a copy is outstanding", t, at, op.Shared.Name)
	case c.factors > 0:
		fail(op, "thread %d writes element %d of %s, which a product may still read", t, at, op.Shared.Name)
	case c.out != nil && !w.left(c.out):
		fail(op, "thread %d writes element %d of %s, which a copy may still read", t, at, op.Shared.Name)
	case w.busy(&c.history):
		fail(op, "thread %d writes element %d of %s, which another group of threads may still use", t, at, op.Shared.Name)
	case !w.inStep && (c.writtenByOther(t, w.epoch()) || c.readByOther(t, w.epoch())):
		fail(op, "thread %d writes element %d of %s, which another thread accessed since the last barrier", t, at, op.Shared.Name)
	}
}

// order checks that barriers are between an op that orders accesses of the whole workgroup and those of other threads: what these wrote before a Release,
// and, by access, what they do after an Acquire.
func (w *workgroup) order(op *simt.Op, t int) {
	if w.inStep || op.Order == simt.Relaxed {
		return
	}
	epoch := w.ordered[w.actor]
	if op.Order.Acquires() {
		w.acquired = acquired{op: op, thread: t, epoch: epoch}
	}
	if !op.Order.Releases() {
		return
	}
	for key, h := range w.touched {
		if h.writtenByOther(t, epoch) {
			fail(op, "thread %d releases what thread %d wrote to element %d of %s since the last barrier", t, h.writer, key.at, key.buffer.Name)
		}
	}
}

// acquired is the last Acquire, by a thread in an epoch.
type acquired struct {
	op            *simt.Op // nil for none
	thread, epoch int
}

// atomics are the ops that compute on the old element.
var atomics = map[simt.RMW]simt.Kind{
	simt.RMWAdd: simt.Add, simt.RMWMax: simt.Max, simt.RMWMin: simt.Min, simt.RMWAnd: simt.And, simt.RMWOr: simt.Or, simt.RMWXor: simt.Xor,
}

func (w *workgroup) atomic(op *simt.Op, t int) Lane {
	e := op.Buffer.Elem
	if w.masked(op, t) {
		return encode(e, op.Fill)
	}
	at := w.index(op, t, 1)
	w.order(op, t)
	w.access(op, t, at)
	place := w.buffers[op.Buffer][at*e.Size():]
	old, x := widen(e, place), w.arg(op, 1, t)[0]
	next := x
	if kind := atomics[op.RMW]; kind != simt.Invalid {
		next, _ = Elementwise(kind, e, e, 0)(old, x, 0)
	}
	if op.RMW == simt.RMWCompare && old != w.arg(op, 2, t)[0] {
		next = old
	}
	narrow(e, place, next)
	return old
}

// widen loads an element into a register.
func widen(e dtype.Type, b []byte) Lane {
	switch e {
	case dtype.I32, dtype.U32, dtype.F32:
		return Lane(binary.LittleEndian.Uint32(b))
	case dtype.I64, dtype.U64, dtype.F64:
		return binary.LittleEndian.Uint64(b)
	}
	var x [1]float64
	dtype.Floats(e, x[:], b)
	return encode(simt.Register(e), x[0])
}

// narrow stores a register as an element: floats round to nearest even,
// integers keep their low bits.
func narrow(e dtype.Type, b []byte, x Lane) {
	switch e {
	case dtype.F16, dtype.BF16:
		dtype.PutFloats(e, b, []float64{decode(dtype.F32, x)})
	case dtype.Bool, dtype.I8, dtype.U8:
		b[0] = byte(x)
	case dtype.I16, dtype.U16:
		binary.LittleEndian.PutUint16(b, uint16(x))
	case dtype.I64, dtype.U64, dtype.F64:
		binary.LittleEndian.PutUint64(b, x)
	default:
		binary.LittleEndian.PutUint32(b, uint32(x))
	}
}

// narrowed is what an element of memory holds of a register.
func narrowed(e dtype.Type, x Lane) Lane {
	var b [8]byte
	narrow(e, b[:], x)
	return widen(e, b[:])
}
