package mesh

import (
	"errors"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// capture is what a group and its parts record now.
type capture struct {
	mu        sync.Mutex
	recorders map[*weft.Device]*weft.Recorder
	rooms     map[room][]*weft.Tensor // vectors that calls so far have used, for the next ones
	bytes     int64                   // of all vectors so far
	sums      map[*Group]*sumViews
}

// room is memory for a call's own results: elements on a device.
type room struct {
	dev   *weft.Device
	elem  weft.DType
	count int
}

// take is a vector that no call uses now. Steps of a recording that use the same memory wait for each other.
func (c *capture) take(r room) (*weft.Tensor, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if list := c.rooms[r]; len(list) > 0 {
		c.rooms[r] = list[:len(list)-1]
		return list[len(list)-1], nil
	}
	c.bytes += int64(r.count) * int64(r.elem.Size())
	return weft.Empty(r.dev, r.elem, r.count)
}

// give gives vectors back.
func (c *capture) give(list []*weft.Tensor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range list {
		if c.recorders == nil {
			t.Close()
			continue
		}
		r := room{t.Device(), t.DType(), t.Len()}
		c.rooms[r] = append(c.rooms[r], t)
	}
}

// Recording is what Capture recorded: a sequence for each member, such as a graph of CUDA.
type Recording struct {
	g     *Group
	parts []*weft.Recording
}

// Capture records what f launches, and the collectives that it calls, on tensors of the recorders, one for each member; see
// weft.Device.Capture:
//
//	step, err := g.Capture(func(rec []*weft.Recorder) error {
//		for i := range rec {
//			x, y := rec[i].Use(x[i]), rec[i].Use(y[i])
//			if err := ops.MatMulInto(y, x, w[i]); err != nil {
//				return err
//			}
//			sums[i] = y
//		}
//		return g.AllReduce(mesh.Sum, sums, sums)
//	})
//
// Collectives that go through the host cannot be recorded.
//
// Errors: those of weft.Device.Capture and of f; ErrUnsupported for one capture within another, and where the engine cannot record.
func (g *Group) Capture(f func(rec []*weft.Recorder) error) (*Recording, error) {
	const op = "mesh: capture"
	if err := g.usable(op); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, fault.New(fault.ErrArgument, op, "the function is nil")
	}
	return g.captureAll(func(rec []*weft.Recorder) error {
		if err := g.capture.begin(g, rec); err != nil {
			return err
		}
		defer g.capture.end()
		return f(rec)
	})
}

// captureAll captures on all members.
func (g *Group) captureAll(f func(rec []*weft.Recorder) error) (*Recording, error) {
	r := &Recording{g: g}
	if err := g.captureFrom(0, nil, f, r); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	slices.Reverse(r.parts)
	return r, nil
}

// captureFrom captures on the members from one on, each within the one before.
func (g *Group) captureFrom(member int, recs []*weft.Recorder, f func(rec []*weft.Recorder) error, r *Recording) error {
	if member == len(g.devices) {
		return f(recs)
	}
	part, err := g.devices[member].Capture(func(rec *weft.Recorder) error {
		return g.captureFrom(member+1, append(recs, rec), f, r)
	})
	if err == nil {
		r.parts = append(r.parts, part)
	}
	return err
}

func (c *capture) begin(g *Group, recs []*weft.Recorder) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.recorders != nil {
		return fault.New(fault.ErrUnsupported, "mesh: capture", "another capture of the group is under way")
	}
	c.recorders, c.rooms, c.bytes = map[*weft.Device]*weft.Recorder{}, map[room][]*weft.Tensor{}, 0
	for i, d := range g.devices {
		c.recorders[d] = recs[i]
	}
	return nil
}

func (c *capture) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, list := range c.rooms {
		closeAll(list)
	}
	for _, v := range c.sums {
		v.close()
	}
	c.recorders, c.rooms, c.sums = nil, nil, nil
}

// of are the recorders of a call's members, nil if none of its tensors is to be recorded.
func (c *capture) of(g *Group, call *call) (recs []*weft.Recorder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	holds := false
	for _, d := range g.devices {
		rec := c.recorders[d]
		recs = append(recs, rec)
		holds = holds || slices.ContainsFunc(call.tensors(), rec.Holds)
	}
	if !holds {
		return nil
	}
	return recs
}

// record makes a call a step of each member's recording.
func (e *nativeEngine) record(c *call) error {
	at := map[*weft.Tensor]weft.BufferSpan{}
	var works []backend.Work
	var from func(member int) error
	from = func(member int) (err error) {
		if member == len(c.recorders) {
			works, err = e.comm.Record(e.g.partsOf(c, func(t *weft.Tensor) weft.BufferSpan { return at[t] }))
			return err
		}
		dev := e.g.devices[member]
		var writes, reads []*weft.Tensor
		for _, t := range c.tensors() {
			if t.Device() != dev {
				continue
			}
			if slices.Contains(c.dst, t) || slices.ContainsFunc(c.transfers, func(x Transfer) bool { return x.Dst == t }) {
				writes = append(writes, t)
			} else {
				reads = append(reads, t)
			}
		}
		return c.recorders[member].Work(c.op(), writes, reads, func(spans []weft.BufferSpan) (backend.Work, error) {
			for i, t := range slices.Concat(writes, reads) {
				at[t] = spans[i]
			}
			if err := from(member + 1); err != nil {
				return nil, err
			}
			return works[member], nil
		})
	}
	err := from(0)
	if err != nil {
		for _, w := range works {
			_ = w.Close()
		}
	}
	return err
}

// Replay starts what was recorded on every member, after the work started so far.
//
// Errors: ErrClosed, and that of the group if it cannot be used any more. An error of one member ends the group if others have begun.
func (r *Recording) Replay() error {
	if r == nil || r.g == nil {
		return fault.New(fault.ErrArgument, "mesh: replay", "the recording is nil")
	}
	if err := r.g.usable("mesh: replay"); err != nil {
		return err
	}
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	for i, p := range r.parts {
		if p.Closed() { // its memory is, too, from which others copy
			return fault.New(fault.ErrClosed, "mesh: replay", "the recording of rank %d or its device is closed", r.g.ranks[i])
		}
	}
	return r.start()
}

// start starts every member.
func (r *Recording) start() error {
	for i, p := range r.parts {
		err := p.Replay()
		var f *fault.Error
		if i > 0 && errors.As(err, &f) { // those before wait for it
			own := *f
			r.g.failSoon(&own)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Close frees the recording. A second Close does nothing.
func (r *Recording) Close() error {
	if r == nil {
		return nil
	}
	var errs []error
	for _, p := range r.parts {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}
