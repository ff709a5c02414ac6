package docs_test

import (
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/backend/backendtest"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile/interp"
)

// The whole backend of backends.md. It interprets tile IR, and whoever calls waits.

type driver struct{}

func init() { backend.Register(driver{}) }

func (driver) Name() string { return "toy" }

func (driver) Candidates() []backend.Candidate {
	info := backend.Info{Backend: "toy", Name: "an interpreter", Driver: "none", Kind: backend.Software}
	return []backend.Candidate{{Info: info, Open: func() (backend.Device, error) { return &device{info: info}, nil }}}
}

// device is a lock that all work passes through, one after the other.
type device struct {
	sync.Mutex
	info    backend.Info
	closed  bool
	failure error // of a launch, until Synchronize
}

func (d *device) Info() backend.Info { return d.info }

func (d *device) Caps() target.Caps {
	return target.Caps{Language: target.TileIR, WholeTiles: true, Int64: true, Float64: true, SystemOrder: true, DeviceOrder: true, MaxBufferBytes: 1 << 32, Fingerprint: "toy 1"}
}

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
		if most := d.Caps().MaxBufferBytes; bytes > most {
			return fault.New(fault.ErrLimit, "new buffer", "%d bytes, the device allows %d", bytes, most)
		}
		b = &buffer{dev: d, data: make([]byte, bytes)}
		return nil
	})
	return b, err
}

func (d *device) Compile(src backend.Source) (binary []byte, err error) {
	err = d.do("compile "+src.Entry, func() error {
		binary = []byte(src.Text) // a real one calls its compiler
		return backend.CheckSource(src, d.Caps())
	})
	return binary, err
}

func (d *device) Load(src backend.Source, _ []byte) (p backend.Program, err error) {
	err = d.do("load "+src.Entry, func() error {
		if err := backend.CheckSource(src, d.Caps()); err != nil {
			return err
		}
		code := src.IR.(*interp.Program)
		p = &program{dev: d, src: src, code: code}
		return code.Compile()
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

// The pool gives a buffer that nobody refers to another length up to its capacity.
func (b *buffer) Capacity() int64 { return int64(cap(b.data)) }

func (b *buffer) Resize(bytes int64) { b.data = b.data[:bytes] }

func (b *buffer) Close() error { b.gone = true; return nil }

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
		f(b.data[offset : offset+int64(n)])
		return b.dev.failure
	})
}

type program struct {
	dev  *device
	src  backend.Source
	code *interp.Program
	gone bool
}

func (p *program) Close() error { p.gone = true; return nil }

type stream struct{ dev *device }

func (s stream) Launch(p backend.Program, l backend.Launch) error {
	prog, ok := p.(*program)
	if !ok || prog.dev != s.dev {
		return fault.New(fault.ErrDevice, "launch", "the program belongs to another device")
	}
	op := "launch " + prog.src.Entry
	return s.dev.do(op, func() error {
		empty, err := backend.CheckLaunch(prog.src, s.dev.Caps(), l)
		if err != nil || empty {
			return err
		}
		memory := make([][]byte, len(l.Buffers))
		for i, b := range l.Buffers {
			b, ok := b.(*buffer)
			switch {
			case !ok || b.dev != s.dev:
				return fault.New(fault.ErrDevice, op, "the buffer belongs to another device").For(prog.src.Bindings[i].Name)
			case b.gone || prog.gone:
				return fault.New(fault.ErrClosed, op, "the buffer or the program is closed")
			}
			memory[i] = b.data
		}
		if err := prog.code.Run(l.Grid, memory, l.Words); err != nil && s.dev.failure == nil {
			s.dev.failure = err
		}
		return nil
	})
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

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "toy") }
