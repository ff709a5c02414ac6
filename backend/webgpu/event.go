//go:build cgo || js

package webgpu

import (
	"encoding/binary"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// event is a device timestamp. Where the adapter has none (a browser, some
// drivers) it is the host's time after a Synchronize, so that Record waits and
// the time between events includes the host's part.
type event struct {
	part
	slot  slot
	ticks uint64
	known bool      // ticks is read
	host  time.Time // instead of ticks
}

// slot is a place for one timestamp.
type slot struct {
	set   querySet
	index int
}

// clock owns the timestamps of a device.
type clock struct {
	sets     []querySet
	free     []slot
	resolved rawBuffer
	period   float64 // ns a tick, 0 while unknown
}

const (
	slotsPerSet  = 256
	resolveBytes = 256 // alignment of a resolved timestamp
)

func (c *clock) release() {
	for _, s := range c.sets {
		s.Release()
	}
	if c.resolved != nil {
		c.resolved.Release()
	}
}

func (c *clock) take(g *gpu) (slot, error) {
	if c.resolved == nil {
		raw, err := g.newBuffer(2*resolveBytes, resolveUsage)
		if err != nil {
			return slot{}, err
		}
		c.resolved = raw
	}
	if len(c.free) == 0 {
		set, err := g.newQuerySet(slotsPerSet)
		if err != nil {
			return slot{}, err
		}
		c.sets = append(c.sets, set)
		for i := range slotsPerSet {
			c.free = append(c.free, slot{set, i})
		}
	}
	s := c.free[len(c.free)-1]
	c.free = c.free[:len(c.free)-1]
	return s, nil
}

// Record notes the device's time once all that was launched before is done.
func (s stream) Record() (backend.Event, error) {
	const op = "record"
	d := s.d
	if err := d.enterOrdered(op); err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	e := &event{part: part{device: d}}
	if !d.gpu.timestamps {
		d.adopt(&e.part, func() {})
		d.flush()
		d.waitUnlocked(submission{})
		e.host = time.Now()
		return e, nil
	}
	if err := d.mark(e); err != nil {
		return nil, fail(op, fault.ErrUnsupported, err)
	}
	d.adopt(&e.part, func() { d.clock.free = append(d.clock.free, e.slot) })
	return e, nil
}

// mark records an event's timestamp into the open batch.
func (d *device) mark(e *event) (err error) {
	if e.slot, err = d.clock.take(d.gpu); err != nil {
		return err
	}
	b, err := d.openBatch()
	if err == nil {
		err = b.timestamp(e.slot.set, e.slot.index)
	}
	if err != nil {
		d.clock.free = append(d.clock.free, e.slot)
	}
	return err
}

// Since waits for both events and returns the device time between them.
func (e *event) Since(earlier backend.Event) (time.Duration, error) {
	const op = "time between events"
	d := e.device
	from, err := backend.Own[*event](d, d.info, op, "event", "earlier", earlier)
	if err != nil {
		return 0, err
	}
	d.transfer.Lock()
	defer d.transfer.Unlock()
	if err := d.mu.Enter(op); err != nil {
		return 0, err
	}
	defer d.mu.Unlock()
	if e.IsClosed() || from.IsClosed() {
		return 0, backend.Closed(op, "event")
	}
	if !d.gpu.timestamps {
		return e.host.Sub(from.host), nil
	}
	d.flush()
	if err := d.read(from, e); err != nil {
		return 0, fail(op, fault.ErrUnsupported, err)
	}
	if err := d.calibrate(); err != nil {
		return 0, fail(op, fault.ErrUnsupported, err)
	}
	return time.Duration(float64(int64(e.ticks-from.ticks)) * d.clock.period), nil
}

// read fetches the ticks of two submitted events.
func (d *device) read(events ...*event) error {
	if events[0].known && events[1].known {
		return nil
	}
	b, err := d.gpu.newBatch()
	if err != nil {
		return err
	}
	for i, e := range events {
		if err := b.resolve(e.slot.set, e.slot.index, d.clock.resolved, int64(i)*resolveBytes); err != nil {
			b.discard()
			return err
		}
	}
	if _, err := b.submit(); err != nil {
		return err
	}
	s, err := d.stage(0, d.clock.resolved, 0, 2*resolveBytes)
	if err != nil {
		return err
	}
	d.gpu.wait(s)
	var data [2 * resolveBytes]byte
	if err := d.readStage(0, data[:], 0); err != nil {
		return err
	}
	for i, e := range events {
		e.ticks, e.known = binary.LittleEndian.Uint64(data[i*resolveBytes:]), true
	}
	return nil
}

// calibrate finds the length of a tick, once. The library does not tell it, so
// it is 1 ns if the host's clock agrees, and else what the host's clock says.
func (d *device) calibrate() error {
	if d.clock.period > 0 {
		return nil
	}
	var before, after [2]time.Time
	var events [2]*event
	for i := range events {
		events[i] = &event{part: part{device: d}}
		before[i] = time.Now()
		if err := d.mark(events[i]); err != nil {
			return err
		}
		d.flush()
		d.gpu.wait(submission{})
		after[i] = time.Now()
		time.Sleep(time.Duration(1-i) * 10 * time.Millisecond)
	}
	if err := d.read(events[0], events[1]); err != nil {
		return err
	}
	d.clock.free = append(d.clock.free, events[0].slot, events[1].slot)
	ticks := float64(events[1].ticks - events[0].ticks)
	least, most := float64(before[1].Sub(after[0])), float64(after[1].Sub(before[0]))
	d.clock.period = 1
	if ticks > 0 && (ticks < 0.99*least || ticks > 1.01*most) {
		d.clock.period = (least + most) / 2 / ticks
	}
	return nil
}
