package emulated

import (
	"sync"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// memory is what a buffer may take of the host's, in bytes.
const memory = 1 << 31

// device is a lock that all work passes through, one after the other.
type device struct {
	sync.Mutex
	info    backend.Info
	caps    target.Caps
	closed  bool
	failure error // of a launch, until Synchronize
}

func (d *device) Info() backend.Info { return d.info }
func (d *device) Caps() target.Caps  { return d.caps }

// ExecutesIR has the compiler keep the thread-level IR of a source.
func (d *device) ExecutesIR() {}

// do runs work on a device that is open.
func (d *device) do(op string, work func() error) error {
	d.Lock()
	defer d.Unlock()
	if d.closed {
		return fault.New(fault.ErrClosed, op, "the device is closed")
	}
	return work()
}

func (d *device) NewBuffer(bytes int64) (b backend.Buffer, err error) {
	err = d.do("new buffer", func() error {
		if most := d.caps.MaxBufferBytes; most > 0 && bytes > most {
			return fault.New(fault.ErrLimit, "new buffer", "%d bytes, the device allows %d", bytes, most)
		}
		if bytes > memory {
			return fault.New(fault.ErrOutOfMemory, "new buffer", "%d bytes, the device has %d", bytes, memory)
		}
		data := make([]byte, bytes)
		for i := range data {
			data[i] = 0xcd // what a kernel must not rely on
		}
		b = &buffer{dev: d, data: data}
		return nil
	})
	return b, err
}

func (d *device) Compile(src backend.Source) (binary []byte, err error) {
	err = d.do("compile "+src.Entry, func() error {
		binary = []byte(src.Text)
		return backend.CheckSource(src, d.caps)
	})
	return binary, err
}

func (d *device) Load(src backend.Source, _ []byte) (p backend.Program, err error) {
	err = d.do("load "+src.Entry, func() error {
		kernel, ok := src.IR.(*simt.Func)
		if !ok {
			return fault.New(fault.ErrUnsupported, "load "+src.Entry, "the source has no thread-level IR")
		}
		p = &program{dev: d, src: src, kernel: kernel}
		return backend.CheckSource(src, d.caps)
	})
	return p, err
}

func (d *device) Stream() backend.Stream { return stream{d} }

func (d *device) Close() error {
	d.Lock()
	defer d.Unlock()
	d.closed = true
	return nil
}

type buffer struct {
	dev  *device
	data []byte
	gone bool
}

func (b *buffer) Bytes() int64 { return int64(len(b.data)) }

func (b *buffer) Close() error {
	b.dev.Lock()
	defer b.dev.Unlock()
	b.gone = true
	return nil
}

func (b *buffer) Upload(offset int64, src []byte) error {
	return b.move("upload", offset, len(src), func(part []byte) { copy(part, src) })
}

func (b *buffer) Download(offset int64, dst []byte) error {
	return b.move("download", offset, len(dst), func(part []byte) { copy(dst, part) })
}

func (b *buffer) move(op string, offset int64, n int, f func(part []byte)) error {
	return b.dev.do(op, func() error {
		if b.gone {
			return fault.New(fault.ErrClosed, op, "the buffer is closed")
		}
		if err := backend.CheckRange(op, b.Bytes(), offset, n); err != nil {
			return err
		}
		if b.dev.failure == nil {
			f(b.data[offset : offset+int64(n)])
		}
		return b.dev.failure
	})
}

type program struct {
	dev    *device
	src    backend.Source
	kernel *simt.Func
	gone   bool
}

func (p *program) Close() error {
	p.dev.Lock()
	defer p.dev.Unlock()
	p.gone = true
	return nil
}

type stream struct{ dev *device }

func (s stream) Launch(p backend.Program, l backend.Launch) error {
	prog, ok := p.(*program)
	if !ok || prog.dev != s.dev {
		return fault.New(fault.ErrDevice, "launch", "the program belongs to another device")
	}
	op := "launch " + prog.src.Entry
	return s.dev.do(op, func() error {
		empty, err := backend.CheckLaunch(prog.src, s.dev.caps, l)
		if err != nil || empty {
			return err
		}
		run := machine.Launch{Grid: l.Grid, Words: l.Words, Buffers: make([][]byte, len(l.Buffers))}
		for i, b := range l.Buffers {
			b, ok := b.(*buffer)
			switch {
			case !ok || b.dev != s.dev:
				return fault.New(fault.ErrDevice, op, "the buffer belongs to another device").For(prog.src.Bindings[i].Name)
			case b.gone || prog.gone:
				return fault.New(fault.ErrClosed, op, "the buffer or the program is closed")
			}
			r := l.RangeOf(i)
			run.Buffers[i] = b.data[r.Offset : r.Offset+r.Bytes]
		}
		for i := range prog.src.Maps {
			run.Views = append(run.Views, viewOf(&prog.src.Maps[i], &l.Maps[i]))
		}
		if err := run.Run(prog.kernel); err != nil && s.dev.failure == nil {
			s.dev.failure = fault.New(fault.ErrKernel, op, "%v", err)
		}
		return nil
	})
}

// viewOf is a region in elements.
func viewOf(m *backend.TensorMap, r *backend.Region) machine.View {
	size, n := int64(m.Elem.Size()), len(m.Box)
	v := machine.View{Sizes: make([]int, n), Strides: make([]int, n)}
	if r.Empty(m) {
		return v
	}
	v.Offset = int(r.Offset / size)
	for d := range n {
		v.Sizes[d], v.Strides[d] = int(r.Sizes[d]), int(r.Strides[d]/size)
	}
	return v
}

func (s stream) Sequence(steps []backend.Step) (backend.Sequence, error) {
	return backend.Loop(s, steps), nil // one after the other
}

func (s stream) Synchronize() error {
	return s.dev.do("synchronize", func() error {
		err := s.dev.failure
		s.dev.failure = nil
		return err
	})
}

func (s stream) Record() (e backend.Event, err error) {
	err = s.dev.do("record", func() error { e = event(time.Now()); return nil })
	return e, err
}

type event time.Time

func (e event) Since(earlier backend.Event) (time.Duration, error) {
	from, ok := earlier.(event)
	if !ok {
		return 0, fault.New(fault.ErrDevice, "since", "the event belongs to another device")
	}
	return time.Time(e).Sub(time.Time(from)), nil
}

func (event) Close() error { return nil }
