//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"time"
	"unsafe"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// timers are the queries that hold timestamps, in pools of timersPerPool.
type timers struct {
	d     *device
	pools []vk.QueryPool
	free  []timer
}

const timersPerPool = 128

type timer struct {
	pool  vk.QueryPool
	index uint32
}

func (t *timers) take() (timer, error) {
	if len(t.free) == 0 {
		info := vk.QueryPoolCreateInfo{SType: vk.StructureTypeQueryPoolCreateInfo, QueryType: vk.QueryTypeTimestamp, QueryCount: timersPerPool}
		defer info.Free()
		var pool vk.QueryPool
		if err := failure("vkCreateQueryPool", vk.CreateQueryPool(t.d.handle, &info, nil, &pool)); err != nil {
			return timer{}, err
		}
		t.pools = append(t.pools, pool)
		for i := range uint32(timersPerPool) {
			t.free = append(t.free, timer{pool, i})
		}
	}
	last := len(t.free) - 1
	taken := t.free[last]
	t.free = t.free[:last]
	return taken, nil
}

func (t *timers) close() {
	for _, pool := range t.pools {
		vk.DestroyQueryPool(t.d.handle, pool, nil)
	}
	t.pools, t.free = nil, nil
}

// event is a timestamp written when all commands before it have ended.
type event struct {
	part  // its last use is the batch that writes it
	timer timer
}

func (s stream) Record() (backend.Event, error) {
	d := s.d
	if err := d.lock("record"); err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	if d.phys.timestampBits == 0 {
		return nil, fault.New(fault.ErrUnsupported, "record", "the device's compute queue has no timestamps")
	}
	if err := d.queue.start(); err != nil {
		return nil, err
	}
	t, err := d.timers.take()
	if err != nil {
		return nil, err
	}
	commands := d.queue.open.commands
	vk.CmdResetQueryPool(commands, t.pool, t.index, 1)
	vk.CmdWriteTimestamp(commands, vk.PipelineStageBottomOfPipeBit, t.pool, t.index)
	d.queue.barrier = true // what follows starts after the timestamp
	e := &event{part: part{d: d}, timer: t}
	e.Last = d.queue.open.seq
	d.adopt(&e.part, func() { d.timers.free = append(d.timers.free, t) })
	d.queue.noted()
	return e, nil
}

func (e *event) Since(earlier backend.Event) (time.Duration, error) {
	const op = "since"
	from, err := backend.Own[*event](e.d, e.d.info, op, "event", "earlier", earlier)
	if err != nil {
		return 0, err
	}
	if err := e.d.lock(op); err != nil {
		return 0, err
	}
	defer e.d.mu.Unlock()
	if err := e.d.queue.wait(max(e.Last, from.Last)); err != nil {
		return 0, err
	}
	if e.IsClosed() || from.IsClosed() {
		return 0, backend.Closed(op, "event")
	}
	end, err := e.ticks()
	if err != nil {
		return 0, err
	}
	start, err := from.ticks()
	if err != nil {
		return 0, err
	}
	unused := 64 - e.d.phys.timestampBits
	ticks := int64((end-start)<<unused) >> unused // the counter may have wrapped
	return time.Duration(float64(ticks) * float64(e.d.phys.limits.TimestampPeriod)), nil
}

// ticks reads the timestamp; its batch has retired.
func (e *event) ticks() (uint64, error) {
	var ticks uint64
	r := vk.GetQueryPoolResults(e.d.handle, e.timer.pool, e.timer.index, 1, 8, unsafe.Pointer(&ticks), 8, vk.QueryResultFlags(vk.QueryResult64Bit))
	return ticks, failure("vkGetQueryPoolResults", r)
}
