//go:build !android && (amd64 || arm64)

package cuda

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

var (
	_ backend.Collectives   = (*device)(nil)
	_ backend.MemberStarter = (*communicator)(nil)
)

// CollectivesLibrary implements backend.Collectives.
func (d *device) CollectivesLibrary() (string, error) {
	lib, err := theNCCL()
	if err != nil {
		return "", err
	}
	return lib.String(), nil
}

// CommunicatorID implements backend.Collectives.
func (d *device) CommunicatorID() ([]byte, error) {
	lib, err := theNCCL()
	if err != nil {
		return nil, err
	}
	id := make([]byte, ncclIDBytes)
	if r := lib.GetUniqueID.call(uintptr(unsafe.Pointer(&id[0]))); r != 0 {
		return nil, lib.fault(&lib.GetUniqueID, r, 0)
	}
	return id, nil
}

// SpansProcesses implements backend.Collectives.
func (d *device) SpansProcesses() bool { return true }

// communicator is one ncclComm_t for each of its devices.
type communicator struct {
	lib     *ncclLib
	devices []*device
	comms   []uintptr
	world   int

	mu    sync.Mutex // of what follows; not held while NCCL waits
	ended bool
}

// Connect implements backend.Collectives.
func (d *device) Connect(m backend.Members) (backend.Communicator, error) {
	lib, err := theNCCL()
	if err != nil {
		return nil, err
	}
	return d.connect(lib, m)
}

func (d *device) connect(lib *ncclLib, m backend.Members) (backend.Communicator, error) {
	const op = "cuda: connect"
	devices, err := d.peersOf(op, m.Devices)
	if err != nil {
		return nil, err
	}
	handles := make([]int32, len(devices))
	for i, p := range devices {
		handles[i] = p.handle
		if slices.Contains(handles[:i], p.handle) {
			return nil, fault.New(fault.ErrUnsupported, op, "cuda:%d is in the group twice, NCCL takes a GPU once", p.info.Index)
		}
	}
	for _, p := range devices {
		// NCCL lets GPUs of one process read each other's buffers.
		if err := p.Reach(m.Devices); err != nil && !errors.Is(err, fault.ErrUnsupported) {
			return nil, err
		}
	}
	c := &communicator{lib: lib, devices: devices, comms: make([]uintptr, len(devices)), world: m.World}
	if m.ID != nil {
		err = c.initRanks(m)
	} else if r := lib.CommInitAll.call(uintptr(unsafe.Pointer(&c.comms[0])), uintptr(len(handles)), addr(handles)); r != 0 {
		err = lib.fault(&lib.CommInitAll, r, 0)
	}
	runtime.KeepAlive(handles)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// initRanks joins ranks of other processes.
func (c *communicator) initRanks(m backend.Members) error {
	lib := c.lib
	if lib.CommInitRankScalable.addr == 0 {
		return fault.New(fault.ErrUnsupported, "cuda: connect", "%v in %s is too old for groups of several processes, want 2.23", lib, lib.path)
	}
	if len(m.ID) != ncclIDBytes {
		return fault.New(fault.ErrArgument, "cuda: connect", "an id of %d bytes, want %d", len(m.ID), ncclIDBytes)
	}
	return c.group(func() error {
		for i, d := range c.devices {
			status, err := d.status(&lib.CommInitRankScalable, uintptr(unsafe.Pointer(&c.comms[i])), uintptr(m.World), uintptr(m.Ranks[i]), 1, addr(m.ID), 0)
			if err == nil && status != 0 {
				err = lib.fault(&lib.CommInitRankScalable, status, 0)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, lib)
}

// group calls f between ncclGroupStart and ncclGroupEnd on one thread.
func (c *communicator) group(f func() error, lib *ncclLib) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if r := lib.GroupStart.call(); r != 0 {
		return lib.fault(&lib.GroupStart, r, 0)
	}
	err := f()
	if r := lib.GroupEnd.call(); r != 0 && err == nil {
		err = lib.fault(&lib.GroupEnd, r, c.comms[0])
	}
	return err
}

// Reduces implements backend.Communicator.
func (c *communicator) Reduces(p backend.Part) bool {
	_, known := ncclTypes[p.Elem]
	return known
}

// Start implements backend.Communicator.
func (c *communicator) Start(parts []backend.Part) error {
	queues := make([]uintptr, len(c.devices))
	for i, d := range c.devices {
		queues[i] = d.queue
	}
	return c.start(parts, queues)
}

// StartMember implements backend.MemberStarter: NCCL starts what a thread calls for several devices one after the other.
func (c *communicator) StartMember(parts []backend.Part) error {
	if len(parts) == 0 {
		return nil
	}
	member := parts[0].Member
	for _, p := range parts {
		if p.Member != member || member < 0 || member >= len(c.devices) {
			return fault.New(fault.ErrArgument, "cuda: collective", "parts of members %d and %d of %d", member, p.Member, len(c.devices))
		}
	}
	queues := make([]uintptr, len(c.devices))
	queues[member] = c.devices[member].queue
	return c.startOn(parts, queues, c.devices[member:member+1])
}

// start starts parts on a stream of each device.
func (c *communicator) start(parts []backend.Part, queues []uintptr) error {
	return c.startOn(parts, queues, c.devices)
}

// startOn is start for parts of some of the devices.
func (c *communicator) startOn(parts []backend.Part, queues []uintptr, devices []*device) error {
	if err := c.usable(); err != nil {
		return err
	}
	const op = "cuda: collective"
	for i, d := range devices {
		if err := d.enter(op); err != nil {
			for _, d := range devices[:i] {
				d.leave()
			}
			return err
		}
	}
	defer func() {
		for _, d := range devices {
			d.leave()
		}
	}()
	calls := make([]ncclCall, len(parts))
	for i := range parts {
		var err error
		if calls[i], err = c.call(&parts[i], queues); err != nil {
			return err
		}
	}
	if len(calls) == 1 {
		return c.run(calls[0])
	}
	return c.group(func() error {
		for _, call := range calls {
			if err := c.run(call); err != nil {
				return err
			}
		}
		return nil
	}, c.lib)
}

// run calls the library.
func (c *communicator) run(call ncclCall) error {
	status, err := c.devices[call.member].status(call.f, call.args...)
	if err == nil && status != 0 {
		err = c.lib.fault(call.f, status, c.comms[call.member])
	}
	return err
}

// ncclCall is a call of the library.
type ncclCall struct {
	f      *proc
	member int
	args   []uintptr
}

// call checks a part and says how the library is called for it. A part that only moves elements moves bytes.
func (c *communicator) call(p *backend.Part, queues []uintptr) (ncclCall, error) {
	const op = "cuda: collective"
	lib := c.lib
	if p.Member < 0 || p.Member >= len(c.devices) {
		return ncclCall{}, fault.New(fault.ErrArgument, op, "member %d of %d", p.Member, len(c.devices))
	}
	d, comm, queue := c.devices[p.Member], c.comms[p.Member], queues[p.Member]
	read, written := int64(p.Count)*int64(p.Elem.Size()), int64(p.Count)*int64(p.Elem.Size())
	switch p.Kind {
	case backend.AllGather:
		written *= int64(c.world)
	case backend.ReduceScatter:
		read *= int64(c.world)
	}
	src, err := d.place(op, p.Src, p.From, read)
	if err != nil {
		return ncclCall{}, err
	}
	dst, err := d.place(op, p.Dst, p.To, written)
	if err != nil {
		return ncclCall{}, err
	}
	count, elem := uintptr(p.Count), ncclTypes[dtype.U8]
	if p.Kind == backend.AllReduce || p.Kind == backend.ReduceScatter {
		var known bool
		if elem, known = ncclTypes[p.Elem]; !known {
			return ncclCall{}, fault.New(fault.ErrUnsupported, op, "NCCL does not reduce %v", p.Elem)
		}
	} else {
		count *= uintptr(p.Elem.Size())
	}
	peer, reduce := uintptr(p.Peer), uintptr(p.Reduce)
	made := ncclCall{member: p.Member}
	switch p.Kind {
	case backend.AllReduce:
		made.f, made.args = &lib.AllReduce, []uintptr{src, dst, count, elem, reduce, comm, queue}
	case backend.AllGather:
		made.f, made.args = &lib.AllGather, []uintptr{src, dst, count, elem, comm, queue}
	case backend.ReduceScatter:
		made.f, made.args = &lib.ReduceScatter, []uintptr{src, dst, count, elem, reduce, comm, queue}
	case backend.Broadcast:
		made.f, made.args = &lib.Broadcast, []uintptr{src, dst, count, elem, peer, comm, queue}
	case backend.Send:
		made.f, made.args = &lib.Send, []uintptr{src, count, elem, peer, comm, queue}
	case backend.Receive:
		made.f, made.args = &lib.Recv, []uintptr{dst, count, elem, peer, comm, queue}
	default:
		return ncclCall{}, fault.New(fault.ErrArgument, op, "%v is unknown", p.Kind)
	}
	return made, nil
}

// place is the address of bytes of a buffer, 0 for no buffer.
func (d *device) place(op string, x backend.Buffer, at, bytes int64) (uintptr, error) {
	if x == nil {
		return 0, nil
	}
	b, err := backend.Own[*buffer](d, d.info, op, "buffer", "buffer", x)
	if err != nil {
		return 0, err
	}
	if err := backend.CheckRange(op, b.bytes, at, int(bytes)); err != nil {
		return 0, err
	}
	return b.ptr + uintptr(at), nil
}

func (c *communicator) usable() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return backend.Closed("cuda: collective", "communicator")
	}
	return nil
}

// Err implements backend.Communicator.
func (c *communicator) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return backend.Closed("cuda: collective", "communicator")
	}
	for _, comm := range c.comms {
		var status int32
		if r := c.lib.CommGetAsyncError.call(comm, uintptr(unsafe.Pointer(&status))); r != 0 {
			return c.lib.fault(&c.lib.CommGetAsyncError, r, comm)
		}
		if status != 0 && status != ncclInProgress {
			err := c.lib.fault(&c.lib.CommGetAsyncError, status, comm)
			err.Kind = fault.ErrDeviceLost
			return err
		}
	}
	return nil
}

// Abort implements backend.Communicator.
func (c *communicator) Abort() error { return c.end(&c.lib.CommAbort) }

// Close implements backend.Communicator.
func (c *communicator) Close() error {
	for _, d := range c.devices {
		if d.lost.Load() != nil {
			return c.Abort()
		}
	}
	return c.end(&c.lib.CommDestroy)
}

// end frees the communicators, each on a thread of its own: to destroy one may wait for the others.
func (c *communicator) end(f *proc) error {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return nil
	}
	c.ended = true
	c.mu.Unlock()
	errs := make([]error, len(c.comms))
	var wait sync.WaitGroup
	for i, comm := range c.comms {
		wait.Go(func() {
			if r := f.call(comm); r != 0 {
				errs[i] = c.lib.fault(f, r, 0)
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// Record implements backend.Communicator: the parts are captured on streams of their own, and become a graph for each device.
func (c *communicator) Record(parts []backend.Part) (works []backend.Work, err error) {
	d := c.devices[0]
	if d.lib.StreamBeginCapture.addr == 0 || d.lib.GraphAddChildGraphNode.addr == 0 {
		return nil, fault.New(fault.ErrUnsupported, "cuda: capture", "the driver (%v) is too old", d.lib)
	}
	queues := make([]uintptr, len(c.devices))
	graphs := make([]uintptr, len(c.devices))
	began := 0
	for i, d := range c.devices {
		if err = d.call(&d.lib.StreamCreate, uintptr(unsafe.Pointer(&queues[i])), streamNonBlocking); err != nil {
			break
		}
		defer func() { d.call(&d.lib.StreamDestroy, queues[i]) }()
		if err = d.call(&d.lib.StreamBeginCapture, queues[i], captureRelaxed); err != nil {
			break
		}
		began++
	}
	if err == nil {
		err = c.start(parts, queues)
	}
	for i, d := range c.devices[:began] {
		if e := d.call(&d.lib.StreamEndCapture, queues[i], uintptr(unsafe.Pointer(&graphs[i]))); err == nil {
			err = e
		}
	}
	for i, d := range c.devices {
		w := &work{dev: d, graph: graphs[i]}
		for _, p := range parts {
			if p.Member == i {
				w.use(p.Dst, backend.ReadWrite)
				w.use(p.Src, backend.Read)
			}
		}
		works = append(works, w)
	}
	if err != nil {
		for _, w := range works {
			_ = w.Close()
		}
		return nil, err
	}
	return works, nil
}
