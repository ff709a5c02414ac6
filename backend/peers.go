package backend

// Peers is a Device that works with others of its backend in the same process without the host: it reaches their memory and
// waits for their work. It is optional.
type Peers interface {
	Device
	// Reach makes the memory of other devices, what they have and what they will have, usable by this one's kernels and
	// copies. It fails with fault.ErrUnsupported where the machine has no way to one of them.
	Reach(others []Device) error
	// Atomics reports whether atomic ops of kernels on memory of other devices, which this one reaches, are atomic with those of all devices: a bus may
	// carry loads and stores alone.
	Atomics(others []Device) bool
	// View is a buffer of this device that is memory of its own or of a device that it reaches: bytes from an offset on,
	// which is a multiple of RangeAlign. Closing it leaves the memory; the buffer that it is a part of must stay open.
	View(b Buffer, offset, bytes int64) (Buffer, error)
	// After makes what is launched on the stream from now on wait for an event, which may be another device's.
	After(e Event) error
	// Mark is Stream.Record for After alone, without a timestamp.
	Mark() (Event, error)
	// CopyQueue makes a queue next to the stream.
	CopyQueue() (CopyQueue, error)
	// NewWords makes a buffer of so many words of 32 bits for signals, all 0: not every buffer can be used for these.
	NewWords(n int) (Buffer, error)
	// Signal queues writes of words and waits for words on the stream, in this order. Who sees a word written sees what the
	// stream did before. It fails with fault.ErrUnsupported where the driver has no such thing.
	Signal(steps []SignalStep) error
	// RecordSignal makes it a step of a sequence instead, which is ordered with launches that use the step's buffers or the given ones.
	RecordSignal(steps []SignalStep, uses []Use) (Work, error)
	// RecordCopy makes a copy, as those of a CopyQueue are, a step of a sequence. Steps that are no launches keep their order; kernels run meanwhile that
	// use other buffers.
	RecordCopy(dst Buffer, at int64, src Buffer, from, bytes int64) (Work, error)
}

// SignalStep is a write of a word, or a wait until one that others write has come as far as a value: their difference, as a signed number, is not negative.
type SignalStep struct {
	Buffer Buffer // of NewWords, or a view of one
	Offset int64  // bytes, a multiple of 4
	Value  uint32
	Wait   bool
}

// CopyQueue is an in-order queue of copies that run while the device's stream computes. What it shares with streams is ordered by
// events alone.
type CopyQueue interface {
	// After makes later copies wait for an event, which may be another device's.
	After(e Event) error
	// Copy copies bytes between buffers, one of them the device's own; the other may be one of a device that it reaches. A stream may wait for
	// words that it writes (Peers.Signal).
	Copy(dst Buffer, at int64, src Buffer, from, bytes int64) error
	// Mark records the point reached by the copies so far.
	Mark() (Event, error)
	// Close waits for the copies and frees the queue.
	Close() error
}

// Poller is an Event that can be asked without waiting.
type Poller interface {
	Event
	// Done reports whether the work before the event is done.
	Done() (bool, error)
}
