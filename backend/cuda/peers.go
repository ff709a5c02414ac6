//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"errors"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

var (
	_ backend.Peers  = (*device)(nil)
	_ backend.Poller = (*event)(nil)
)

// peersOf are devices of this package.
func (d *device) peersOf(op string, devices []backend.Device) ([]*device, error) {
	var list []*device
	for _, x := range devices {
		p, ok := x.(*device)
		if !ok || p.lib != d.lib {
			return nil, fault.New(fault.ErrDevice, op, "a device of another backend")
		}
		list = append(list, p)
	}
	return list, nil
}

// Reach implements backend.Peers: by peer access of the contexts, and of the pools, to which that does not extend.
func (d *device) Reach(others []backend.Device) error {
	const op = "cuda: reach"
	peers, err := d.peersOf(op, others)
	if err != nil {
		return err
	}
	if err := d.enter(op); err != nil {
		return err
	}
	defer d.leave()
	for _, p := range peers {
		if p.handle == d.handle {
			continue
		}
		var can int32
		if err := d.call(&d.lib.CanAccessPeer, uintptr(unsafe.Pointer(&can)), uintptr(d.handle), uintptr(p.handle)); err != nil {
			return err
		}
		if can == 0 {
			return fault.New(fault.ErrUnsupported, op, "%s does not reach the memory of cuda:%d", d.info.Name, p.info.Index)
		}
		if err := d.reach(p); err != nil {
			return err
		}
	}
	return nil
}

// Atomics implements backend.Peers.
func (d *device) Atomics(others []backend.Device) bool {
	peers, err := d.peersOf("cuda: atomics", others)
	for _, p := range peers {
		var can int32
		if p.handle != d.handle && (d.lib.PeerAttribute.call(uintptr(unsafe.Pointer(&can)), peerAtomics, uintptr(d.handle), uintptr(p.handle)) != 0 || can == 0) {
			return false
		}
	}
	return err == nil
}

func (d *device) reach(p *device) error {
	status, err := d.status(&d.lib.EnablePeerAccess, p.ctx[0], 0)
	if err == nil && status != 0 && status != statusPeerAccessEnabled {
		err = d.failed(&d.lib.EnablePeerAccess, status)
	}
	if err != nil || p.pool == 0 {
		return err
	}
	// CUmemAccessDesc: location type 1 (device), its id, and read and write.
	access := [3]int32{1, d.handle, 3}
	return p.call(&d.lib.PoolSetAccess, p.pool, uintptr(unsafe.Pointer(&access)), 1)
}

// View implements backend.Peers.
func (d *device) View(b backend.Buffer, offset, bytes int64) (backend.Buffer, error) {
	const op = "cuda: view"
	of, ok := b.(*buffer)
	if !ok || of.dev.lib != d.lib {
		return nil, fault.New(fault.ErrDevice, op, "the buffer belongs to another backend")
	}
	if bytes < 0 || offset < 0 || offset%backend.RangeAlign != 0 || bytes > of.bytes-offset {
		return nil, fault.New(fault.ErrShape, op, "%d bytes from byte %d on of a buffer of %d bytes", bytes, offset, of.bytes)
	}
	v := &buffer{bytes: bytes, capacity: bytes, ptr: of.ptr + uintptr(offset)}
	v.resource = resource{dev: d, what: "buffer", destroy: func() error { return nil }}
	if err := d.adopt(&v.resource); err != nil {
		return nil, err
	}
	return v, nil
}

// Mark implements backend.Peers by an event without a timestamp, which is used again when it is closed: who waits for it waits for what
// it marked then.
func (d *device) Mark() (backend.Event, error) { return d.mark(d.queue) }

func (d *device) mark(queue uintptr) (backend.Event, error) {
	if err := d.enter("cuda: mark"); err != nil {
		return nil, err
	}
	defer d.leave()
	e := &event{}
	e.resource = resource{dev: d, what: "event", destroy: func() error {
		d.spareMarks = append(d.spareMarks, e.handle)
		return nil
	}}
	d.mu.Lock()
	if n := len(d.spareMarks); n > 0 {
		e.handle, d.spareMarks = d.spareMarks[n-1], d.spareMarks[:n-1]
	}
	d.mu.Unlock()
	if e.handle == 0 {
		if err := d.call(&d.lib.EventCreate, uintptr(unsafe.Pointer(&e.handle)), eventWithoutTime); err != nil {
			return nil, err
		}
	}
	if err := d.adopt(&e.resource); err != nil {
		return nil, err
	}
	if err := d.call(&d.lib.EventRecord, e.handle, queue); err != nil {
		_ = e.Close()
		return nil, err
	}
	return e, nil
}

// After implements backend.Peers.
func (d *device) After(e backend.Event) error { return d.after(d.queue, e) }

func (d *device) after(queue uintptr, e backend.Event) error {
	const op = "cuda: wait for an event"
	ev, ok := e.(*event)
	if !ok || ev.dev.lib != d.lib {
		return fault.New(fault.ErrDevice, op, "the event belongs to another backend")
	}
	if err := ev.acquire(op); err != nil {
		return err
	}
	defer ev.release()
	if err := d.enter(op); err != nil {
		return err
	}
	defer d.leave()
	return d.call(&d.lib.StreamWaitEvent, queue, ev.handle, 0)
}

// copyQueue is a stream next to the device's.
type copyQueue struct {
	resource
	queue uintptr
}

// CopyQueue implements backend.Peers.
func (d *device) CopyQueue() (backend.CopyQueue, error) {
	if err := d.enter("cuda: new copy queue"); err != nil {
		return nil, err
	}
	defer d.leave()
	q := &copyQueue{}
	q.resource = resource{dev: d, what: "copy queue", destroy: func() error {
		err := d.call(&d.lib.StreamSynchronize, q.queue)
		d.call(&d.lib.StreamDestroy, q.queue)
		return err
	}}
	if err := d.call(&d.lib.StreamCreate, uintptr(unsafe.Pointer(&q.queue)), streamNonBlocking); err != nil {
		return nil, err
	}
	if err := d.adopt(&q.resource); err != nil {
		return nil, err
	}
	return q, nil
}

// After implements backend.CopyQueue.
func (q *copyQueue) After(e backend.Event) error { return q.dev.after(q.queue, e) }

// Mark implements backend.CopyQueue.
func (q *copyQueue) Mark() (backend.Event, error) { return q.dev.mark(q.queue) }

// Copy implements backend.CopyQueue.
func (q *copyQueue) Copy(dst backend.Buffer, at int64, src backend.Buffer, from, bytes int64) error {
	if err := q.acquire("cuda: copy"); err != nil {
		return err
	}
	defer q.release()
	return q.dev.copyBy(q.queue, dst, at, src, from, bytes)
}

// RecordCopy implements backend.Peers by a graph that a stream captures.
func (d *device) RecordCopy(dst backend.Buffer, at int64, src backend.Buffer, from, bytes int64) (_ backend.Work, err error) {
	const op = "cuda: copy"
	if d.lib.StreamBeginCapture.addr == 0 || d.lib.GraphAddChildGraphNode.addr == 0 {
		return nil, fault.New(fault.ErrUnsupported, op, "the driver (%v) is too old", d.lib)
	}
	if err := d.enter(op); err != nil {
		return nil, err
	}
	defer d.leave()
	w := &work{dev: d}
	w.use(dst, backend.Write)
	w.use(src, backend.Read)
	var queue uintptr
	if err := d.call(&d.lib.StreamCreate, uintptr(unsafe.Pointer(&queue)), streamNonBlocking); err != nil {
		return nil, err
	}
	defer d.call(&d.lib.StreamDestroy, queue)
	if err := d.call(&d.lib.StreamBeginCapture, queue, captureRelaxed); err != nil {
		return nil, err
	}
	err = d.copyBy(queue, dst, at, src, from, bytes)
	err = errors.Join(err, d.call(&d.lib.StreamEndCapture, queue, uintptr(unsafe.Pointer(&w.graph))))
	if err != nil {
		_ = w.Close()
		return nil, err
	}
	return w, nil
}

// copyBy queues a copy of bytes between buffers of devices that reach each other.
func (d *device) copyBy(queue uintptr, dst backend.Buffer, at int64, src backend.Buffer, from, bytes int64) error {
	const op = "cuda: copy"
	var ends [2]*buffer
	for i, x := range []struct {
		b  backend.Buffer
		at int64
	}{{dst, at}, {src, from}} {
		b, ok := x.b.(*buffer)
		if !ok || b.dev.lib != d.lib {
			return fault.New(fault.ErrDevice, op, "the buffer belongs to another backend")
		}
		if err := backend.CheckRange(op, b.bytes, x.at, int(bytes)); err != nil {
			return err
		}
		if err := b.acquire(op); err != nil {
			return err
		}
		defer b.release()
		ends[i] = b
	}
	if bytes == 0 {
		return nil
	}
	// Where devices reach each other this is as fast as cuMemcpyPeerAsync, which holds the locks of both for longer.
	return d.call(&d.lib.MemcpyDtoDAsync, ends[0].ptr+uintptr(at), ends[1].ptr+uintptr(from), uintptr(bytes), queue)
}

// memOp is a CUstreamBatchMemOpParams of cuda.h.
type memOp struct {
	operation uint32
	_         uint32
	address   uint64
	value     uint64
	flags     uint32
	_         uint32
	alias     uint64
	_         uint64
}

// The operations: a wait is for a value that is not before the given one, a write is after a fence for the whole system.
const (
	memOpWait32  = 1
	memOpWrite32 = 2
)

// memOps are the steps of a signal for the driver; mu is held.
func (d *device) memOps(steps []backend.SignalStep) ([]memOp, error) {
	const op = "cuda: signal"
	ops := make([]memOp, len(steps))
	for i, s := range steps {
		b, err := backend.Own[*buffer](d, d.info, op, "buffer", "buffer", s.Buffer)
		if err != nil {
			return nil, err
		}
		if err := b.usable(op); err != nil {
			return nil, err
		}
		if err := backend.CheckRange(op, b.bytes, s.Offset, 4); err != nil {
			return nil, err
		}
		ops[i] = memOp{operation: memOpWrite32, address: uint64(b.ptr) + uint64(s.Offset), value: uint64(s.Value)}
		if s.Wait {
			ops[i].operation = memOpWait32
		}
	}
	return ops, nil
}

// NewWords implements backend.Peers. The driver refuses signals in memory of a pool.
func (d *device) NewWords(n int) (backend.Buffer, error) {
	b, err := d.newBuffer(4*int64(n), true)
	if err != nil {
		return nil, err
	}
	if err := b.Upload(0, make([]byte, b.bytes)); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// Signal implements backend.Peers.
func (d *device) Signal(steps []backend.SignalStep) error {
	if d.lib.StreamBatchMemOp.addr == 0 {
		return fault.New(fault.ErrUnsupported, "cuda: signal", "the driver (%v) is too old", d.lib)
	}
	if len(steps) == 0 {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	ops, err := d.memOps(steps)
	if err != nil {
		return err
	}
	return d.call(&d.lib.StreamBatchMemOp, d.queue, uintptr(len(ops)), uintptr(unsafe.Pointer(&ops[0])), 0)
}

// batchNode is a CUDA_BATCH_MEM_OP_NODE_PARAMS of cuda.h.
type batchNode struct {
	ctx   uintptr
	count uint32
	_     uint32
	ops   uintptr
	flags uint32
	_     uint32
}

// RecordSignal implements backend.Peers by a graph of one node.
func (d *device) RecordSignal(steps []backend.SignalStep, uses []backend.Use) (backend.Work, error) {
	if d.lib.GraphAddBatchMemOpNode.addr == 0 || d.lib.GraphAddChildGraphNode.addr == 0 {
		return nil, fault.New(fault.ErrUnsupported, "cuda: signal", "the driver (%v) is too old", d.lib)
	}
	w := &work{dev: d}
	for _, u := range uses {
		w.use(u.Buffer, u.Access)
	}
	for _, s := range steps {
		w.use(s.Buffer, backend.ReadWrite)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	ops, err := d.memOps(steps)
	if err != nil || len(ops) == 0 {
		return nil, err
	}
	if err := d.call(&d.lib.GraphCreate, uintptr(unsafe.Pointer(&w.graph)), 0); err != nil {
		return nil, err
	}
	node := batchNode{ctx: d.ctx[0], count: uint32(len(ops)), ops: addr(ops)}
	var made uintptr
	if err := d.call(&d.lib.GraphAddBatchMemOpNode, uintptr(unsafe.Pointer(&made)), w.graph, 0, 0, uintptr(unsafe.Pointer(&node))); err != nil {
		d.call(&d.lib.GraphDestroy, w.graph)
		return nil, err
	}
	return w, nil
}
