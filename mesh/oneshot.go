package mesh

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// oneShot runs small all-reduces of sums, for which a library's steps take longer than the data: each rank writes its elements into memory of
// every other, says so by a word there, waits for the others' words, and sums. Who writes into a slot of the memory again does so two calls later, when all have answered
// the call between and so have read it.
type oneShot struct {
	tried   bool
	members []*oneShotMember // nil where devices cannot
	calls   uint32
	areas   map[weft.DType]*area
	free    atomic.Pointer[func()] // lets those go on who wait for words of others
}

const (
	// oneShotBytes is the most that a rank receives in a call.
	oneShotBytes = 1 << 20
	slots        = 3 // two for alternate calls, one for those that are recorded
	recorded     = 2
	// maxShapes is how many sizes of calls have their views kept.
	maxShapes = 64
)

// oneShotMember is one device.
type oneShotMember struct {
	peers backend.Peers
	flags *weft.Tensor      // a word for each rank: its last call that arrived here
	there []*weft.Tensor    // flags of each rank, as this device reaches them
	words []backend.Buffer  // of there
	side  backend.CopyQueue // by which waits are ended
}

// area is the memory for calls of an element type.
type area struct {
	received [][]*weft.Tensor // of each rank from each rank: [slots,elements]
	remote   [][]*weft.Tensor // the same as the sender reaches it
	shapes   map[int]*shape
}

// shape are the views of an area for calls of a number of elements.
type shape struct {
	in, out [slots][][]*weft.Tensor // to each rank, from each rank
}

// sums are the maps that sum several tensors, in the order of the ranks.
var sums = struct {
	sync.Mutex
	of map[int]*weft.Map
}{of: map[int]*weft.Map{}}

func sumOf(n int) *weft.Map {
	sums.Lock()
	defer sums.Unlock()
	if sums.of[n] == nil {
		names := make([]string, n)
		for i := range names {
			names[i] = "x" + string(rune('0'+i))
		}
		sums.of[n] = weft.NewMap("sum of ranks", names, func(in []*tile.Value) *tile.Value {
			sum := in[0]
			for _, x := range in[1:] {
				sum = sum.Add(x)
			}
			return sum
		})
	}
	return sums.of[n]
}

// takes reports whether a call is one of those that are run here.
func (o *oneShot) takes(g *Group, c *call) bool {
	const most = 8 // ranks: more share links
	return c.kind == allReduce && c.reduce == Sum && g.world > 1 && g.world <= most && c.elem != dtype.Bool &&
		c.bytes()*int64(g.world-1) <= oneShotBytes && o.ready(g)
}

// ready sets the members up, once.
func (o *oneShot) ready(g *Group) bool {
	if o.tried {
		return o.members != nil
	}
	o.tried, o.areas = true, map[weft.DType]*area{}
	if g.store != nil || g.host {
		return false
	}
	var devices []backend.Device
	for _, d := range g.devices {
		devices = append(devices, d.Backend())
	}
	var members []*oneShotMember
	for i, d := range g.devices {
		peers, can := devices[i].(backend.Peers)
		if !can || peers.Reach(devices) != nil {
			return false
		}
		flags, err := weft.Zeros(d, weft.U32, 3, g.world)
		if err != nil {
			return false
		}
		members = append(members, &oneShotMember{peers: peers, flags: flags})
	}
	for _, m := range members {
		if m.connect(g, members) != nil {
			return false
		}
	}
	free, err := releaser(members)
	if err != nil {
		return false
	}
	o.members = members
	o.free.Store(&free)
	return true
}

// abort ends all waits.
func (o *oneShot) abort() {
	if free := o.free.Load(); free != nil {
		(*free)()
	}
}

// releaser returns what writes words that every wait is content with, next to the streams, which wait.
func releaser(members []*oneShotMember) (func(), error) {
	const any = 1 << 30
	var words []*weft.Tensor
	for _, m := range members {
		w, err := weft.Full(m.flags.Device(), weft.U32, any, m.flags.Shape()...)
		if err != nil {
			return nil, err
		}
		if m.side, err = m.peers.CopyQueue(); err != nil {
			return nil, err
		}
		if err := w.Device().Synchronize(); err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	return func() {
		for i, m := range members {
			_ = weft.WithSpans("mesh: abort", []*weft.Tensor{m.flags, words[i]}, func(s []weft.BufferSpan) error {
				return m.side.Copy(s[0].Buffer, 0, s[1].Buffer, s[1].Offset, bytesOf(words[i]))
			})
		}
	}, nil
}

// connect makes the flags of all ranks reachable, and finds out whether the device can signal.
func (m *oneShotMember) connect(g *Group, members []*oneShotMember) error {
	for _, p := range members {
		view, err := p.flags.On(m.flags.Device())
		if err != nil {
			return err
		}
		m.there = append(m.there, view)
	}
	err := weft.WithSpans("mesh: connect", m.there, func(spans []weft.BufferSpan) error {
		for _, s := range spans {
			m.words = append(m.words, s.Buffer)
		}
		return m.peers.Signal([]backend.SignalStep{{Buffer: m.words[0], Wait: true}})
	})
	return errors.Join(err, m.flags.Device().Synchronize())
}

func (o *oneShot) close() error {
	var errs []error
	for _, m := range o.members {
		errs = append(errs, m.side.Close())
		closeAll(m.there)
		m.flags.Close()
	}
	for _, a := range o.areas {
		a.close()
	}
	o.members = nil
	return errors.Join(errs...)
}

func (a *area) close() {
	a.forget()
	for i := range a.received {
		closeAll(a.remote[i])
		closeAll(a.received[i])
	}
}

// forget closes the views.
func (a *area) forget() {
	for _, s := range a.shapes {
		for slot := range slots {
			for i := range s.in[slot] {
				closeAll(s.in[slot][i])
				closeAll(s.out[slot][i])
			}
		}
	}
	a.shapes = map[int]*shape{}
}

// area is that of an element type.
func (o *oneShot) area(g *Group, elem weft.DType) (*area, error) {
	if a := o.areas[elem]; a != nil {
		return a, nil
	}
	a := &area{shapes: map[int]*shape{}}
	for i, d := range g.devices {
		a.received, a.remote = append(a.received, make([]*weft.Tensor, g.world)), append(a.remote, make([]*weft.Tensor, g.world))
		for from := range g.world {
			if from == i {
				continue
			}
			var err error
			if a.received[i][from], err = weft.Empty(d, elem, slots, oneShotBytes/(g.world-1)/elem.Size()); err != nil {
				return nil, err
			}
			if a.remote[i][from], err = a.received[i][from].On(g.devices[from]); err != nil {
				return nil, err
			}
		}
	}
	o.areas[elem] = a
	return a, nil
}

// shape are the views for calls of n elements.
func (a *area) shape(n int) (*shape, error) {
	if s := a.shapes[n]; s != nil {
		return s, nil
	}
	if len(a.shapes) == maxShapes {
		a.forget()
	}
	s := &shape{}
	cut := func(t *weft.Tensor, slot int) (*weft.Tensor, error) {
		if t == nil {
			return nil, nil
		}
		return t.Slices(weft.Index(slot), weft.To(n))
	}
	for slot := range slots {
		for i := range a.received {
			in, err := each(a.received[i], func(t *weft.Tensor) (*weft.Tensor, error) { return cut(t, slot) })
			if err != nil {
				return nil, err
			}
			out, err := each(a.remote[i], func(t *weft.Tensor) (*weft.Tensor, error) { return cut(t, slot) })
			if err != nil {
				return nil, err
			}
			s.in[slot], s.out[slot] = append(s.in[slot], in), append(s.out[slot], out)
		}
	}
	a.shapes[n] = s
	return s, nil
}

// start runs the call if it is one for it. The group's lock is held.
func (o *oneShot) start(g *Group, c *call) (bool, error) {
	if !o.takes(g, c) {
		return false, nil
	}
	a, err := o.area(g, c.elem)
	if err != nil {
		return true, err
	}
	s, err := a.shape(c.count)
	if err != nil {
		return true, err
	}
	if c.recorders != nil {
		return true, o.record(c, s)
	}
	o.calls++
	slot := int(o.calls % recorded)
	if err := g.crew.each(len(o.members), func(i int) error { return o.member(i, c, s, slot) }); err != nil {
		return true, g.startFailed(c, err)
	}
	return true, g.watch.note(g, c)
}

// member starts what one rank does.
func (o *oneShot) member(i int, c *call, s *shape, slot int) error {
	m := o.members[i]
	src, err := flat(c.src[i], c.count)
	if err != nil {
		return err
	}
	dst := src
	if c.dst[i] != c.src[i] {
		if dst, err = flat(c.dst[i], c.count); err != nil {
			return err
		}
	}
	defer closeFlat(c, i, src, dst)
	var signals, waits []backend.SignalStep
	operands := make([]weft.TensorOrNumber, len(o.members))
	for peer := range o.members {
		if peer == i {
			operands[i] = src
			continue
		}
		if err := s.out[slot][peer][i].CopyFrom(src); err != nil {
			return err
		}
		signals = append(signals, backend.SignalStep{Buffer: m.words[peer], Offset: int64(4 * i), Value: o.calls})
		waits = append(waits, backend.SignalStep{Buffer: m.words[i], Offset: int64(4 * peer), Value: o.calls, Wait: true})
		operands[peer] = s.in[slot][i][peer]
	}
	if err := m.peers.Signal(slices.Concat(signals, waits)); err != nil {
		return err
	}
	return sumOf(len(o.members)).Into(dst, operands...)
}

// record makes a call steps of the members' recordings. Words have one value in all replays, so that each wait clears its word, and each call
// has two phases: all have sent, all have read. A rank cannot be in a phase again before all others have left it.
func (o *oneShot) record(c *call, s *shape) error {
	for i, m := range o.members {
		rec := c.recorders[i]
		src, dst := rec.Use(c.src[i]), rec.Use(c.dst[i])
		var err error
		if src, err = flat(src, c.count); err != nil {
			return err
		}
		if dst, err = flat(dst, c.count); err != nil {
			return err
		}
		var memory []*weft.Tensor
		operands := make([]weft.TensorOrNumber, len(o.members))
		for peer := range o.members {
			if peer == i {
				operands[i] = src
				continue
			}
			if err := s.out[recorded][peer][i].CopyFrom(src); err != nil {
				return err
			}
			memory = append(memory, s.out[recorded][peer][i], s.in[recorded][i][peer])
			operands[peer] = s.in[recorded][i][peer]
		}
		if err := m.recordPhase(rec, i, 1, memory); err != nil {
			return err
		}
		if err := sumOf(len(o.members)).Into(dst, operands...); err != nil {
			return err
		}
		if err := m.recordPhase(rec, i, 2, memory); err != nil {
			return err
		}
	}
	return nil
}

// recordPhase records that a rank tells all others that it is there, and waits for them.
func (m *oneShotMember) recordPhase(rec *weft.Recorder, rank, phase int, memory []*weft.Tensor) error {
	word := func(b backend.Buffer, from int, value uint32, wait bool) backend.SignalStep {
		return backend.SignalStep{Buffer: b, Offset: int64(4 * (phase*len(m.words) + from)), Value: value, Wait: wait}
	}
	var writes, waits, clears []backend.SignalStep
	for peer, b := range m.words {
		if peer != rank {
			writes = append(writes, word(b, rank, 1, false))
			waits = append(waits, word(m.words[rank], peer, 1, true))
			clears = append(clears, word(m.words[rank], peer, 0, false))
		}
	}
	return rec.Work("mesh: all-reduce", slices.Concat(memory, m.there), nil, func(spans []weft.BufferSpan) (backend.Work, error) {
		var buffers []backend.Buffer
		for _, s := range spans {
			buffers = append(buffers, s.Buffer)
		}
		return m.peers.RecordSignal(slices.Concat(writes, waits, clears), buffers)
	})
}

// flat is a dense tensor as a vector, itself if it is one.
func flat(t *weft.Tensor, n int) (*weft.Tensor, error) {
	if t.Rank() == 1 {
		return t, nil
	}
	return t.Reshape(n)
}

// closeFlat closes the views that flat made.
func closeFlat(c *call, member int, views ...*weft.Tensor) {
	for _, v := range views {
		if v != c.src[member] && v != c.dst[member] {
			v.Close()
		}
	}
}
