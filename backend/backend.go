package backend

import (
	"fmt"
	"slices"
	"time"

	"github.com/weftgpu/weft/target"
)

// Kind is what sort of processor a device is.
type Kind uint8

// The kinds.
const (
	CPU      Kind = iota // the host, through weft's own interpreter
	GPU                  // a graphics processor
	Software             // a GPU interface implemented on the host, such as llvmpipe
)

// String returns the kind's name, "kind(7)" of an unknown kind.
func (k Kind) String() string {
	if k > Software {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return [...]string{"cpu", "gpu", "software"}[k]
}

// Info identifies a device for people.
type Info struct {
	Backend string // "cpu", "cuda", "vulkan" or "webgpu"
	Index   int    // position among the backend's candidates
	Name    string // the vendor's name of the device
	Driver  string // driver and its version
	Kind    Kind
	Memory  int64 // bytes of device memory, 0 where unknown
}

// Candidate is a device that a driver found, or a place where none was found.
type Candidate struct {
	Info
	// Refused says why the device cannot be used; nil if it can.
	Refused error
	// Open opens the device; nil if it is refused, and a candidate that is nil here and not refused counts as refused.
	Open func() (Device, error)
}

// Driver finds the devices of one backend.
type Driver interface {
	// Name is the backend's name, such as "vulkan".
	Name() string
	// Candidates lists every device found, the refused ones included. A driver
	// whose library is missing returns one refused candidate that says so.
	// It never fails and must not print.
	Candidates() []Candidate
}

// Device is an open device. All methods may be called from many goroutines.
// After Close every method but Close, Info and Caps returns fault.ErrClosed.
type Device interface {
	Info() Info
	Caps() target.Caps

	// NewBuffer allocates bytes of device memory with undefined contents; any
	// length is allowed, zero included. It fails with fault.ErrLimit beyond
	// Caps().MaxBufferBytes and fault.ErrOutOfMemory if the memory is not there.
	NewBuffer(bytes int64) (Buffer, error)

	// Compile turns source into a binary worth caching (SPIR-V, cubin). A device
	// that loads source directly returns its text. It works without touching
	// the device's memory, and its error carries the compiler's log.
	Compile(src Source) ([]byte, error)

	// Load makes a compiled kernel launchable.
	Load(src Source, binary []byte) (Program, error)

	// Stream is the device's queue: what is launched on it runs in order, as do
	// uploads and downloads.
	Stream() Stream

	// Close waits for work in flight, or ends it where the device can, and frees everything, open buffers and
	// programs included. A second Close does nothing.
	Close() error
}

// Buffer is memory of one device.
type Buffer interface {
	// Bytes is the length that was asked for.
	Bytes() int64
	// Upload copies src to the bytes from offset on, after all work launched
	// before it. Offset and length need no alignment. src may be reused when it returns.
	Upload(offset int64, src []byte) error
	// Download waits for all work launched before it and fills dst from offset on. It fails, and leaves dst as it is, if a launch
	// that failed wrote the buffer, or one that read what such a launch wrote, and no launch or upload wrote all of it since.
	Download(offset int64, dst []byte) error
	// Close frees the buffer once work in flight no longer needs it.
	Close() error
}

// Program is a loaded kernel.
type Program interface {
	// Close frees the program once work in flight no longer needs it.
	Close() error
}

// Stream is an in-order queue of one device.
type Stream interface {
	// Launch starts a program asynchronously. It validates the launch against
	// the program's Source and the device's Caps before the driver sees it.
	Launch(p Program, l Launch) error
	// Sequence makes launches ready to be run again and again, in their order, as one. It validates each
	// of them as Launch does, and copies what it needs of the slices.
	Sequence(steps []Step) (Sequence, error)
	// Synchronize waits until everything launched so far is done and reports the
	// errors since the last Synchronize that no Download reported.
	Synchronize() error
	// Record marks the point reached by the work launched so far.
	Record() (Event, error)
}

// Step is one launch of a sequence, or other work.
type Step struct {
	Program Program
	Launch  Launch
	Work    Work // instead of a launch, if not nil; Communicator.Record makes it
}

// Sequence is a list of launches that was made ready: a graph of CUDA, a command buffer of Vulkan.
type Sequence interface {
	// Launch starts all of them asynchronously, after what was launched before. It fails with
	// fault.ErrClosed once a buffer or program of theirs is closed.
	Launch() error
	// Close frees the sequence once work in flight no longer needs it.
	Close() error
}

// Event is a point in a stream's work with a device timestamp.
type Event interface {
	// Since waits for both events and returns the device time from earlier to
	// this one.
	Since(earlier Event) (time.Duration, error)
	// Close releases the event.
	Close() error
}

// Access says how a kernel uses a buffer.
type Access uint8

// The accesses.
const (
	Read Access = 1 << iota
	Write
	ReadWrite = Read | Write
)

// Binding is one buffer parameter of a kernel.
type Binding struct {
	Name   string
	Access Access
}

// Source is a kernel ready for a device's compiler, with all that a launch
// needs to know of it.
//
// In WGSL binding i is @group(0) @binding(i), a storage buffer. If Words > 0
// the scalar parameters are a uniform buffer at @group(0) @binding(len(Bindings)),
// a struct of Words 32-bit members. So it is in SPIR-V, where that struct has, for a kernel with DeviceAddresses, two more words for each binding: the lower and the upper half
// of the buffer's address. In CUDA the kernel's parameters are the
// tensor maps, of 128 bytes each, one pointer for each binding, then Words 32-bit values, in that order.
type Source struct {
	Language target.Language
	Entry    string // name of the entry point
	Text     string // WGSL or CUDA C++; for TileIR the printed kernel
	IR       any    // for TileIR: the *interp.Program to execute
	Bindings []Binding
	Maps     []TensorMap // where target.Caps promises them
	Words    int         // 32-bit scalar parameters
	Threads  int         // threads that a workgroup is started with (x dimension)
	Shared   int         // bytes of shared memory
	// DeviceAddresses says that the kernel has the addresses of its buffers, of which it may reach more than target.Caps.MaxBindingBytes.
	DeviceAddresses bool
	Dynamic         int // how many of them the text does not declare by itself but is given at launch (CUDA)
	// Dependent says that the kernel itself waits for the launches before it, before it touches what they may write, so
	// that its workgroups may start before those end (CUDA: programmatic dependent launch).
	Dependent bool
}

// Launch is one execution of a program.
type Launch struct {
	Grid    [3]int   // workgroups (programs, for TileIR) in each dimension; any zero means nothing to do
	Buffers []Buffer // one for each binding, distinct
	Ranges  []Range  // what the kernel sees of each buffer; nil for all of them whole
	Maps    []Region // one for each tensor map
	Words   []uint32 // one for each scalar parameter
}

// RangeAlign is what the offset of a range is a multiple of. Vulkan and WebGPU allow no device to ask for more.
const RangeAlign = 256

// Range is the bytes of a buffer that a binding reaches. A kernel addresses them from Offset on. A
// device may bind more after them. A device without Caps().MaxBindingBytes binds buffers whole: its ranges begin at 0.
type Range struct{ Offset, Bytes int64 }

// RangeOf is the range of a binding. It is empty for a binding that the launch has no buffer for.
func (l *Launch) RangeOf(binding int) Range {
	switch {
	case l == nil || binding < 0 || binding >= len(l.Buffers) || l.Buffers[binding] == nil || l.Ranges != nil && binding >= len(l.Ranges):
		return Range{}
	case l.Ranges == nil:
		return Range{Bytes: l.Buffers[binding].Bytes()}
	}
	return l.Ranges[binding]
}

// Clone returns a launch with slices of its own.
func (l Launch) Clone() Launch {
	l.Buffers, l.Ranges, l.Maps, l.Words = slices.Clone(l.Buffers), slices.Clone(l.Ranges), slices.Clone(l.Maps), slices.Clone(l.Words)
	return l
}
