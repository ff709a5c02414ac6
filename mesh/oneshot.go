package mesh

import (
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// oneShot runs small all-reduces of sums, for which a library's steps take longer than the data: each rank writes its elements into memory of
// every other, says so by a word there, waits for the others' words, and sums. Who writes into a slot of the memory again does so two calls later, when all have answered
// the call between and so have read it.
type oneShot struct {
	calls uint32
	areas map[weft.DType]*area
}

const (
	// oneShotBytes is the most that a rank receives in a call.
	oneShotBytes = 1 << 20
	slots        = 3 // two for alternate calls, one for those that are recorded
	recorded     = 2
	// maxShapes is how many sizes of calls have their views kept.
	maxShapes = 64
)

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
		c.bytes()*int64(g.world-1) <= oneShotBytes && g.signals.ready(g)
}

func (o *oneShot) close() {
	for _, a := range o.areas {
		a.close()
	}
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
	if o.areas == nil {
		o.areas = map[weft.DType]*area{}
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
		return true, o.record(g.signals.members, c, s)
	}
	o.calls++
	slot := int(o.calls % recorded)
	if err := g.crew.each(g.world, func(i int) error { return o.member(g.signals.members, i, c, s, slot) }); err != nil {
		return true, g.startFailed(c, err)
	}
	return true, g.watch.note(g, c)
}

// member starts what one rank does.
func (o *oneShot) member(members []*signaller, i int, c *call, s *shape, slot int) error {
	m := members[i]
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
	var sends, waits []backend.SignalStep
	operands := make([]weft.TensorOrNumber, len(members))
	for peer := range members {
		if peer == i {
			operands[i] = src
			continue
		}
		if err := s.out[slot][peer][i].CopyFrom(src); err != nil {
			return err
		}
		sends = append(sends, backend.SignalStep{Buffer: m.words[peer], Offset: int64(4 * i), Value: o.calls})
		waits = append(waits, backend.SignalStep{Buffer: m.words[i], Offset: int64(4 * peer), Value: o.calls, Wait: true})
		operands[peer] = s.in[slot][i][peer]
	}
	if err := m.peers.Signal(slices.Concat(sends, waits)); err != nil {
		return err
	}
	return sumOf(len(members)).Into(dst, operands...)
}

// record makes a call steps of the members' recordings. Each call has two phases: all have sent, all have read.
func (o *oneShot) record(members []*signaller, c *call, s *shape) error {
	for i, m := range members {
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
		operands := make([]weft.TensorOrNumber, len(members))
		for peer := range members {
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
		if err := m.recordPhase(rec, c.op(), i, firstPhase, memory, nil); err != nil {
			return err
		}
		if err := sumOf(len(members)).Into(dst, operands...); err != nil {
			return err
		}
		if err := m.recordPhase(rec, c.op(), i, secondPhase, memory, nil); err != nil {
			return err
		}
	}
	return nil
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
