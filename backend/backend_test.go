package backend

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// fake is a driver, and a device that answers to nothing but its name.
type fake struct {
	Device
	name       string
	candidates []Candidate
}

func (f *fake) Name() string            { return f.name }
func (f *fake) Candidates() []Candidate { return f.candidates }
func (f *fake) Info() Info              { return f.candidates[0].Info }

// register replaces the registered drivers for a test.
func register(t *testing.T, drivers ...*fake) {
	old := registry.drivers
	registry.drivers = nil
	t.Cleanup(func() { registry.drivers = old })
	for _, d := range drivers {
		Register(d)
	}
}

func candidate(name string, index int, kind Kind, refused error) Candidate {
	c := Candidate{Info: Info{Backend: name, Index: index, Kind: kind, Name: "a " + name}, Refused: refused}
	if refused == nil {
		c.Open = func() (Device, error) { return &fake{candidates: []Candidate{c}}, nil }
	}
	return c
}

func fakes() (cpu, cuda, vulkan, webgpu *fake) {
	return &fake{name: "cpu", candidates: []Candidate{candidate("cpu", 0, CPU, nil)}},
		&fake{name: "cuda", candidates: []Candidate{candidate("cuda", 0, GPU, nil)}},
		&fake{name: "vulkan", candidates: []Candidate{candidate("vulkan", 0, Software, nil), candidate("vulkan", 1, GPU, nil)}},
		&fake{name: "webgpu", candidates: []Candidate{candidate("webgpu", 0, GPU, errors.New("adapter asleep"))}}
}

func specs(list []Candidate) (out []string) {
	for _, c := range list {
		out = append(out, c.Backend+":"+string(rune('0'+c.Index)))
	}
	return out
}

func TestCandidatesAreRankedWhateverTheOrderOfRegistration(t *testing.T) {
	want := []string{"cuda:0", "vulkan:1", "cpu:0", "vulkan:0", "webgpu:0"}
	cpu, cuda, vulkan, webgpu := fakes()
	for _, order := range [][]*fake{{cpu, cuda, vulkan, webgpu}, {webgpu, vulkan, cuda, cpu}, {vulkan, cpu, webgpu, cuda}} {
		register(t, order...)
		if got := specs(Candidates()); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestOpen(t *testing.T) {
	cpu, cuda, vulkan, webgpu := fakes()
	register(t, cpu, cuda, vulkan, webgpu)
	for spec, want := range map[string]string{"": "cuda:0", "vulkan": "vulkan:1", "vulkan:0": "vulkan:0", "cpu": "cpu:0"} {
		dev, err := Open(spec)
		if err != nil {
			t.Errorf("%q: %v", spec, err)
			continue
		}
		if got := specs([]Candidate{{Info: dev.Info()}})[0]; got != want {
			t.Errorf("%q opens %s, want %s", spec, got, want)
		}
	}
	for spec, says := range map[string]string{
		"webgpu": "adapter asleep", "metal": "want one of cuda:0", "vulkan:7": "no device named", "vulkan:x": "name:index", ":0": "name:index",
		"vulkan:-1": "name:index",
	} {
		if _, err := Open(spec); !errors.Is(err, fault.ErrDevice) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v; want an ErrDevice that says %q", spec, err, says)
		}
	}
}

func TestOpenFallsThroughToTheNextDevice(t *testing.T) {
	cpu, cuda, _, _ := fakes()
	cuda.candidates[0].Open = func() (Device, error) { return nil, errors.New("out of contexts") }
	register(t, cpu, cuda)
	dev, err := Open("")
	if err != nil || dev.Info().Backend != "cpu" {
		t.Errorf("opened %v, %v; want the cpu", dev, err)
	}
	if _, err := Open("cuda"); err == nil || !strings.Contains(err.Error(), "out of contexts") {
		t.Errorf("%v does not give the reason", err)
	}
}

func TestRegisterTwicePanics(t *testing.T) {
	cpu, _, _, _ := fakes()
	register(t, cpu)
	defer func() {
		if recover() == nil {
			t.Error("a second driver of one name is taken")
		}
	}()
	Register(cpu)
}

// memory is a buffer of a length.
type memory struct {
	Buffer
	bytes int64
}

func (m *memory) Bytes() int64 { return m.bytes }

func TestCheckLaunch(t *testing.T) {
	src := Source{Entry: "k", Bindings: []Binding{{"a", Read}, {"b", Write}}, Words: 1,
		Maps: []TensorMap{{Name: "a", Binding: 0, Elem: dtype.F16, Box: []int{64, 8}}}}
	region := func(offset int64, columns, rows, stride int64) []Region {
		return []Region{{Offset: offset, Sizes: [MaxMapDims]int64{columns, rows}, Strides: [MaxMapDims]int64{2, stride}}}
	}
	caps := target.Caps{MaxGrid: [3]int{10, 10, 1}, MaxBindingBytes: 100}
	a, b, big, long := &memory{bytes: 100}, &memory{}, &memory{bytes: 101}, &memory{bytes: 512}
	good := Launch{Grid: [3]int{10, 1, 1}, Buffers: []Buffer{a, b}, Maps: region(16, 10, 5, 16), Words: []uint32{7}}
	with := func(change func(l *Launch)) Launch { l := good; change(&l); return l }
	for _, c := range []struct {
		name  string
		l     Launch
		empty bool
		kind  error
	}{
		{"good", good, false, nil},
		{"empty", with(func(l *Launch) { l.Grid[1] = 0 }), true, nil},
		{"wide", with(func(l *Launch) { l.Grid[0] = 11 }), false, fault.ErrLimit},
		{"deep", with(func(l *Launch) { l.Grid[2] = 2 }), false, fault.ErrLimit},
		{"negative", with(func(l *Launch) { l.Grid[0] = -1 }), false, fault.ErrShape},
		{"few buffers", with(func(l *Launch) { l.Buffers = l.Buffers[:1] }), false, fault.ErrArgument},
		{"no buffer", with(func(l *Launch) { l.Buffers = []Buffer{a, nil} }), false, fault.ErrArgument},
		{"one buffer twice", with(func(l *Launch) { l.Buffers = []Buffer{a, a} }), false, fault.ErrUnsupported},
		{"big buffer", with(func(l *Launch) { l.Buffers = []Buffer{big, b} }), false, fault.ErrLimit},
		{"range", with(func(l *Launch) { l.Ranges = []Range{{0, 100}, {}} }), false, nil},
		{"range beyond the end", with(func(l *Launch) { l.Ranges = []Range{{0, 101}, {}} }), false, fault.ErrShape},
		{"range before the start", with(func(l *Launch) { l.Ranges = []Range{{-256, 100}, {}} }), false, fault.ErrShape},
		{"few ranges", with(func(l *Launch) { l.Ranges = []Range{{}} }), false, fault.ErrArgument},
		{"range of a big buffer", with(func(l *Launch) { l.Buffers, l.Ranges = []Buffer{big, b}, []Range{{0, 100}, {}} }), false, nil},
		{"big range of a big buffer", with(func(l *Launch) { l.Buffers, l.Ranges = []Buffer{big, b}, []Range{{0, 101}, {}} }), false, fault.ErrLimit},
		{"range at an offset", with(func(l *Launch) { l.Buffers, l.Ranges = []Buffer{long, b}, []Range{{256, 100}, {}} }), false, nil},
		{"range at the end", with(func(l *Launch) { l.Buffers, l.Ranges = []Buffer{long, b}, []Range{{512, 0}, {}} }), false, fault.ErrShape},
		{"range between steps", with(func(l *Launch) { l.Buffers, l.Ranges = []Buffer{long, b}, []Range{{16, 10}, {}} }), false, fault.ErrUnsupported},
		{"words", with(func(l *Launch) { l.Words = nil }), false, fault.ErrArgument},
		{"no regions", with(func(l *Launch) { l.Maps = nil }), false, fault.ErrArgument},
		{"many regions", with(func(l *Launch) { l.Maps = append(l.Maps, l.Maps[0]) }), false, fault.ErrArgument},
		{"region at the end", with(func(l *Launch) { l.Maps = region(16, 10, 5, 16) }), false, nil}, // 16 + 4·16 + 10·2 = 100
		{"region beyond the end", with(func(l *Launch) { l.Maps = region(16, 11, 5, 16) }), false, fault.ErrShape},
		{"region of one row", with(func(l *Launch) { l.Maps = region(16, 11, 1, 7) }), false, nil},
		{"region of nothing", with(func(l *Launch) { l.Maps = region(3, 0, 5, 7) }), false, nil},
		{"region between bytes", with(func(l *Launch) { l.Maps = region(8, 10, 5, 16) }), false, fault.ErrUnsupported},
		{"rows between bytes", with(func(l *Launch) { l.Maps = region(0, 2, 5, 8) }), false, fault.ErrUnsupported},
		{"region without end", with(func(l *Launch) { l.Maps = region(0, 1, 1<<32, 1<<40-16) }), false, fault.ErrShape},
	} {
		empty, err := CheckLaunch(src, caps, c.l)
		if empty != c.empty || !errors.Is(err, c.kind) {
			t.Errorf("%s: empty %v, %v; want %v, %v", c.name, empty, err, c.empty, c.kind)
		}
	}
}

func TestCheckSourceAndRange(t *testing.T) {
	caps := target.Caps{Language: target.WGSL, MaxThreads: 64, SharedBytes: 100, MaxBindings: 1}
	mapped := caps
	mapped.TensorMaps = true
	maps := func(binding int, box ...int) Source {
		return Source{Language: target.WGSL, Bindings: make([]Binding, 1), Maps: []TensorMap{{Name: "a", Binding: binding, Elem: dtype.F32, Box: box}}}
	}
	for _, c := range []struct {
		name string
		src  Source
		caps target.Caps
		kind error
	}{
		{"maps", maps(0, 32, 1, 1, 1, 1), mapped, nil},
		{"maps on a device without", maps(0, 32), caps, fault.ErrUnsupported},
		{"maps of no binding", maps(1, 32), mapped, fault.ErrKernel},
		{"maps of no dimension", maps(0), mapped, fault.ErrKernel},
		{"maps of many dimensions", maps(0, 32, 1, 1, 1, 1, 1), mapped, fault.ErrKernel},
	} {
		if err := CheckSource(c.src, c.caps); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", c.name, err, c.kind)
		}
	}
	for _, c := range []struct {
		name string
		src  Source
		kind error
	}{
		{"good", Source{Language: target.WGSL, Threads: 64, Shared: 100, Bindings: make([]Binding, 1)}, nil},
		{"language", Source{Language: target.CUDA}, fault.ErrUnsupported},
		{"threads", Source{Language: target.WGSL, Threads: 65}, fault.ErrLimit},
		{"shared", Source{Language: target.WGSL, Shared: 101}, fault.ErrLimit},
		{"bindings", Source{Language: target.WGSL, Bindings: make([]Binding, 2)}, fault.ErrLimit},
	} {
		if err := CheckSource(c.src, caps); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", c.name, err, c.kind)
		}
	}
	for _, c := range []struct {
		offset int64
		n      int
		ok     bool
	}{{0, 10, true}, {10, 0, true}, {3, 7, true}, {3, 8, false}, {-1, 1, false}, {11, 0, false}, {1 << 62, 1, false}} {
		if err := CheckRange("upload", 10, c.offset, c.n); (err == nil) != c.ok {
			t.Errorf("%d bytes at %d of 10: %v", c.n, c.offset, err)
		}
	}
}
