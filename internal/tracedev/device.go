package tracedev

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/trace"
)

// device is a device whose work is noted. Only what it wraps is named below; the rest is the other device's.
type device struct {
	backend.Device
	stream *stream
}

// Wrap returns a device that notes in the trace what inner does. It owns inner.
func Wrap(inner backend.Device) backend.Device {
	info := inner.Info()
	name := fmt.Sprintf("%s:%d %s", info.Backend, info.Index, info.Name)
	s := &stream{inner: inner.Stream(), clock: newClock(inner.Stream(), trace.NewProcess(name, tracks...))}
	return &device{Device: inner, stream: s}
}

// The tracks of a device.
const (
	kernels = iota
	copies
)

var tracks = []string{"kernels", "copies"}

func (d *device) Stream() backend.Stream {
	if _, can := d.stream.inner.(backend.Canceler); can {
		return cancelStream{d.stream}
	}
	return d.stream
}

// cancelStream is the stream of a device that can end work.
type cancelStream struct{ *stream }

func (s cancelStream) Cancel(err error) { s.inner.(backend.Canceler).Cancel(err) }

func (d *device) Load(src backend.Source, image []byte) (backend.Program, error) {
	p, err := d.Device.Load(src, image)
	if err != nil {
		return nil, err
	}
	return &program{Program: p, src: src}, nil
}

func (d *device) NewBuffer(bytes int64) (backend.Buffer, error) {
	b, err := d.Device.NewBuffer(bytes)
	if err != nil {
		return nil, err
	}
	w := &buffer{b, d.stream}
	if _, ok := b.(backend.Resizer); ok {
		return resizer{w}, nil
	}
	return w, nil
}

// Close notes what is left.
func (d *device) Close() error {
	d.stream.settle(true)
	return d.Device.Close()
}

type program struct {
	backend.Program
	src backend.Source
}

// buffer is a buffer whose copies are noted.
type buffer struct {
	backend.Buffer
	stream *stream
}

func (b *buffer) inner() backend.Buffer { return b.Buffer }

func (b *buffer) Upload(offset int64, src []byte) error {
	return b.stream.copy("upload", len(src), func() error { return b.Buffer.Upload(offset, src) })
}

func (b *buffer) Download(offset int64, dst []byte) error {
	err := b.stream.copy("download", len(dst), func() error { return b.Buffer.Download(offset, dst) })
	b.stream.settle(false)
	return err
}

// KeepZero implements backend.Zeroed, if the buffer does.
func (b *buffer) KeepZero() {
	if z, ok := b.Buffer.(backend.Zeroed); ok {
		z.KeepZero()
	}
}

// resizer is a buffer that can serve again at another length.
type resizer struct{ *buffer }

func (r resizer) Capacity() int64    { return r.Buffer.(backend.Resizer).Capacity() }
func (r resizer) Resize(bytes int64) { r.Buffer.(backend.Resizer).Resize(bytes) }

// unwrap returns the other device's buffers.
func unwrap(wrapped []backend.Buffer) []backend.Buffer {
	inner := slices.Clone(wrapped)
	for i, b := range inner {
		if w, ok := b.(interface{ inner() backend.Buffer }); ok {
			inner[i] = w.inner()
		}
	}
	return inner
}
