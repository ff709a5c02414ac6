package offline

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// Device is a device that compiles and writes down, and runs nothing. Its memory has lengths but no contents. One
// goroutine at a time may launch.
type Device struct {
	info   backend.Info
	caps   target.Caps
	closed atomic.Bool

	mu       sync.Mutex
	launches []Launch
	uploads  int
	buffers  int // made so far
}

// Launch is one launch that was written down.
type Launch struct {
	compile.Launched
	Grid    [3]int           // workgroups
	Buffers []backend.Buffer // one for each binding of the source
	Words   []uint32
}

// Kernels are the names of the kernels of launches.
func Kernels(list []Launch) (names []string) {
	for _, l := range list {
		names = append(names, l.Kernel.Name)
	}
	return names
}

// New returns a device of the given name and abilities.
func New(name string, caps target.Caps) *Device {
	return &Device{info: backend.Info{Backend: "offline", Name: name, Driver: "none", Kind: backend.Software}, caps: caps}
}

// Open returns such a device with weft's on top of it, which keeps no buffers for others: each tensor has its own.
func Open(name string, caps target.Caps) (*weft.Device, *Device) {
	d := New(name, caps)
	dev := weft.NewDevice(d)
	if err := dev.SetPoolBudget(0); err != nil {
		panic(err) // of a device that is open
	}
	return dev, d
}

// Take returns what was launched since the last call.
func (d *Device) Take() []Launch {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.launches
	d.launches = nil
	return list
}

// Uploads is how often data came from the host.
func (d *Device) Uploads() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.uploads
}

// Watch is told what the next launch is made of.
func (d *Device) Watch(l compile.Launched) {
	l.Args, l.Scalars = slices.Clone(l.Args), slices.Clone(l.Scalars)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.launches = append(d.launches, Launch{Launched: l})
}

// Info names what the device stands for.
func (d *Device) Info() backend.Info { return d.info }

// Caps is what New was given.
func (d *Device) Caps() target.Caps { return d.caps }

// NewBuffer keeps within the limits of a buffer, and of nothing else.
func (d *Device) NewBuffer(bytes int64) (backend.Buffer, error) {
	if err := d.check("new buffer"); err != nil {
		return nil, err
	}
	if err := backend.CheckBuffer("new buffer", bytes, &d.caps); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.buffers++
	return &buffer{d, bytes, d.buffers - 1}, nil
}

// Compile returns the source as it is.
func (d *Device) Compile(src backend.Source) ([]byte, error) {
	return []byte(src.Text), d.check("compile")
}

// Load checks the source against the device's limits.
func (d *Device) Load(src backend.Source, _ []byte) (backend.Program, error) {
	if err := d.check("load"); err != nil {
		return nil, err
	}
	return program{src}, backend.CheckSource(src, d.caps)
}

// Stream writes down what is launched.
func (d *Device) Stream() backend.Stream { return stream{d} }

// Close ends the use of the device.
func (d *Device) Close() error {
	d.closed.Store(true)
	return nil
}

func (d *Device) check(op string) error {
	if d.closed.Load() {
		return backend.Closed(op, "device")
	}
	return nil
}

type program struct{ src backend.Source }

func (program) Close() error { return nil }

type stream struct{ d *Device }

// Launch completes what Watch began.
func (s stream) Launch(p backend.Program, l backend.Launch) error {
	if err := s.d.check("launch"); err != nil {
		return err
	}
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	at := len(s.d.launches) - 1
	if _, err := backend.CheckLaunch(p.(program).src, s.d.caps, l); err != nil {
		s.d.launches = s.d.launches[:at]
		return err
	}
	last := &s.d.launches[at]
	last.Grid, last.Buffers, last.Words = l.Grid, slices.Clone(l.Buffers), slices.Clone(l.Words)
	return nil
}

// Sequence writes down each launch of each run.
func (s stream) Sequence(steps []backend.Step) (backend.Sequence, error) {
	return backend.Loop(s, steps), nil
}

func (s stream) Synchronize() error { return s.d.check("synchronize") }

func (s stream) Record() (backend.Event, error) { return event{}, s.d.check("record") }

// event is a point in no time.
type event struct{}

func (event) Since(backend.Event) (time.Duration, error) { return 0, nil }
func (event) Close() error                               { return nil }

type buffer struct {
	d      *Device
	bytes  int64
	number int
}

func (b *buffer) Bytes() int64 { return b.bytes }

func (b *buffer) Upload(offset int64, src []byte) error {
	b.d.mu.Lock()
	b.d.uploads++
	b.d.mu.Unlock()
	return backend.CheckRange("upload", b.bytes, offset, len(src))
}

// Download fails: nothing was computed.
func (b *buffer) Download(int64, []byte) error {
	return fault.New(fault.ErrUnsupported, "download", "%s is a description of hardware, nothing runs on it", b.d.info.Name)
}

func (b *buffer) Close() error { return nil }

// Number counts a device's buffers in the order in which they were made; it is -1 for other devices'.
func Number(b backend.Buffer) int {
	if b, ok := b.(*buffer); ok {
		return b.number
	}
	return -1
}
