package cpu

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

var _ backend.Collectives = (*device)(nil)

// CollectivesLibrary implements backend.Collectives.
func (d *device) CollectivesLibrary() (string, error) { return "cpu", nil }

// CommunicatorID implements backend.Collectives. Devices of other processes are out of reach.
func (d *device) CommunicatorID() ([]byte, error) {
	return nil, fault.New(fault.ErrUnsupported, "connect", "devices of the CPU are connected within one process only")
}

// SpansProcesses implements backend.Collectives.
func (d *device) SpansProcesses() bool { return false }

// communicator is devices whose queues meet for each collective; the last that arrives computes it for all.
type communicator struct {
	devices []*device
	member  []int // by rank
	ended   atomic.Bool

	mu       sync.Mutex
	meetings map[*meeting]bool // that were started and are not over
}

// Connect implements backend.Collectives.
func (d *device) Connect(m backend.Members) (backend.Communicator, error) {
	if m.ID != nil || m.World != len(m.Devices) || len(m.Ranks) != m.World {
		_, err := d.CommunicatorID()
		return nil, err
	}
	c := &communicator{member: make([]int, m.World)}
	for i, x := range m.Devices {
		p, err := peer("connect", x)
		if err != nil {
			return nil, err
		}
		c.devices = append(c.devices, p)
		c.member[m.Ranks[i]] = i
	}
	return c, nil
}

// Reduces implements backend.Communicator.
func (c *communicator) Reduces(backend.Part) bool { return true }

// end is one side of a part: memory with what it is of.
type end struct {
	*backend.Part
	src, dst      []byte
	read, written *memory
}

// Start implements backend.Communicator.
func (c *communicator) Start(parts []backend.Part) error {
	run, err := c.prepare(parts)
	if err != nil {
		return err
	}
	m := c.meet(newMeeting(len(c.devices), run))
	for _, d := range c.devices {
		if err := d.enqueue("collective", taskFunc(m.come)); err != nil {
			m.cancel()
			return err
		}
	}
	return nil
}

// prepare checks parts and returns what computes them while all queues wait.
func (c *communicator) prepare(parts []backend.Part) (func(), error) {
	if c.ended.Load() {
		return nil, backend.Closed("collective", "communicator")
	}
	ends := make([]end, len(parts))
	for i := range parts {
		p := &parts[i]
		ends[i].Part = p
		src, dst := p.Count, p.Count
		switch p.Kind {
		case backend.AllGather:
			dst *= len(c.devices)
		case backend.ReduceScatter:
			src *= len(c.devices)
		}
		var err error
		if ends[i].src, ends[i].read, err = c.bytes(p, p.Src, p.From, src); err != nil {
			return nil, err
		}
		if ends[i].dst, ends[i].written, err = c.bytes(p, p.Dst, p.To, dst); err != nil {
			return nil, err
		}
	}
	return func() { c.compute(ends) }, nil
}

// bytes are those of count elements in a buffer of the part's device.
func (c *communicator) bytes(p *backend.Part, x backend.Buffer, at int64, count int) ([]byte, *memory, error) {
	const op = "collective"
	if x == nil {
		return nil, nil, nil
	}
	d := c.devices[p.Member]
	b, err := backend.Own[*buffer](d, d.info, op, "buffer", "buffer", x)
	if err != nil {
		return nil, nil, err
	}
	bytes := int64(count) * int64(p.Elem.Size())
	if err := backend.CheckRange(op, b.size, at, int(bytes)); err != nil {
		return nil, nil, err
	}
	m := b.memory.Load()
	if m == nil {
		return nil, nil, backend.Closed(op, "buffer")
	}
	return m.data[at : at+bytes], m, nil
}

// compute computes parts: the first of each member of one kind together, then the second of each, and so on.
func (c *communicator) compute(ends []end) {
	used := make([]bool, len(ends))
	next := func(like func(e *end) bool) *end {
		for i := range ends {
			if !used[i] && like(&ends[i]) {
				used[i] = true
				return &ends[i]
			}
		}
		return nil
	}
	for i := range ends {
		if used[i] {
			continue
		}
		e := &ends[i]
		switch e.Kind {
		case backend.Receive:
		case backend.Send:
			used[i] = true
			from := slices.Index(c.member, e.Member)
			if to := next(func(r *end) bool { return r.Kind == backend.Receive && r.Member == c.member[e.Peer] && r.Peer == from }); to != nil {
				copy(to.dst, e.src)
				to.wrote(e.read.err())
			}
		default:
			var all []*end
			for _, member := range c.member {
				if one := next(func(o *end) bool { return o.Kind == e.Kind && o.Member == member }); one != nil {
					all = append(all, one)
				}
			}
			collect(all)
		}
	}
}

// collect computes one collective, of the ends of all ranks in their order.
func collect(all []*end) {
	p := all[0].Part
	inputs := make([][]byte, len(all))
	var failed error
	for i, e := range all {
		inputs[i] = slices.Clone(e.src) // results may be in the same memory
		if failed == nil && (p.Kind != backend.Broadcast || i == p.Peer) {
			failed = e.read.err()
		}
	}
	size := p.Count * p.Elem.Size()
	for i, e := range all {
		switch p.Kind {
		case backend.AllReduce:
			backend.Combine(p.Reduce, p.Elem, e.dst, inputs)
		case backend.ReduceScatter:
			part := make([][]byte, len(inputs))
			for j, in := range inputs {
				part[j] = in[i*size : (i+1)*size]
			}
			backend.Combine(p.Reduce, p.Elem, e.dst, part)
		case backend.AllGather:
			copy(e.dst, slices.Concat(inputs...))
		case backend.Broadcast:
			copy(e.dst, inputs[p.Peer])
		}
		e.wrote(failed)
	}
}

// wrote notes that dst is written, by what is wrong if there is an error.
func (e *end) wrote(err error) {
	if err != nil {
		e.written.fail(err)
	} else if len(e.dst) == len(e.written.data) {
		e.written.written()
	}
}

// Record implements backend.Communicator.
func (c *communicator) Record(parts []backend.Part) ([]backend.Work, error) {
	run, err := c.prepare(parts)
	if err != nil {
		return nil, err
	}
	s := &shared{comm: c, run: run, devices: len(c.devices)}
	var works []backend.Work
	for i, d := range c.devices {
		w := &collectiveWork{device: d, shared: s}
		for _, p := range parts {
			if p.Member == i {
				w.uses = backend.Uses(backend.Uses(w.uses, p.Src, backend.Read), p.Dst, backend.ReadWrite)
			}
		}
		works = append(works, w)
	}
	return works, nil
}

// Err implements backend.Communicator.
func (c *communicator) Err() error { return nil }

// Abort implements backend.Communicator: who waits for others goes on.
func (c *communicator) Abort() error {
	c.ended.Store(true)
	c.mu.Lock()
	pending := slices.Collect(maps.Keys(c.meetings))
	c.mu.Unlock()
	for _, m := range pending {
		m.cancel()
	}
	return nil
}

// meet notes a meeting until it is over.
func (c *communicator) meet(m *meeting) *meeting {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.meetings == nil {
		c.meetings = map[*meeting]bool{}
	}
	c.meetings[m] = true
	m.over = func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.meetings, m)
	}
	return m
}

// Close implements backend.Communicator.
func (c *communicator) Close() error { c.ended.Store(true); return nil }

// meeting is where the queues of some devices wait for each other.
type meeting struct {
	mu      sync.Mutex
	missing int
	run     func()
	done    chan struct{}
	over    func() // is called when all have come, or it is canceled
}

func newMeeting(n int, run func()) *meeting {
	return &meeting{missing: n, run: run, done: make(chan struct{}), over: func() {}}
}

// come waits for all; the last that comes computes.
func (m *meeting) come() {
	m.mu.Lock()
	m.missing--
	last := m.missing == 0
	m.mu.Unlock()
	if !last {
		<-m.done
		return
	}
	m.run()
	m.over()
	close(m.done)
}

// cancel lets go of those who wait for one that will not come.
func (m *meeting) cancel() {
	m.mu.Lock()
	canceled := m.missing > 0
	if canceled {
		m.missing = -1
		close(m.done)
	}
	m.mu.Unlock()
	if canceled {
		m.over()
	}
}

// shared are the replays of a collective that was recorded: the n-th start of each device's work is one of them.
type shared struct {
	comm    *communicator
	run     func()
	devices int

	mu       sync.Mutex
	meetings map[int]*meeting // to which not all have come
	started  map[*collectiveWork]int
	come     map[int]int
}

// meet is the meeting that a device comes to next.
func (s *shared) meet(w *collectiveWork) *meeting {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started == nil {
		s.started, s.come, s.meetings = map[*collectiveWork]int{}, map[int]int{}, map[int]*meeting{}
	}
	n := s.started[w]
	s.started[w]++
	m := s.meetings[n]
	if m == nil {
		m = s.comm.meet(newMeeting(s.devices, s.run))
		s.meetings[n] = m
	}
	if s.come[n]++; s.come[n] == s.devices {
		delete(s.meetings, n)
		delete(s.come, n)
	}
	return m
}

// collectiveWork is a device's part of a collective that was recorded.
type collectiveWork struct {
	*shared
	device *device
	uses   []backend.Use
}

// Start implements backend.Work.
func (w *collectiveWork) Start() error {
	for _, u := range w.uses {
		if u.Buffer.(*buffer).IsClosed() {
			return backend.Closed("collective", "buffer")
		}
	}
	return w.device.enqueue("collective", taskFunc(w.meet(w).come))
}

// Uses implements backend.Work.
func (w *collectiveWork) Uses() []backend.Use { return slices.Clone(w.uses) }

// Close implements backend.Work.
func (w *collectiveWork) Close() error { return nil }
