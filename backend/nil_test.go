package backend

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// What is nil, zero or negative is an error that names it, and no panic.
func TestNilArguments(t *testing.T) {
	one := Source{Entry: "k", Bindings: []Binding{{"a", Read}}}
	launch := func(src Source, l Launch) error { _, err := CheckLaunch(src, target.Caps{}, l); return err }
	of := func(maps ...TensorMap) (Source, Launch) {
		src, l := one, Launch{Buffers: []Buffer{&memory{bytes: 64}}, Maps: make([]Region, len(maps))}
		src.Maps = maps
		return src, l
	}
	load := func(change func(src *Source)) error {
		src := one
		change(&src)
		return CheckSource(src, target.Caps{TensorMaps: true})
	}
	for name, c := range map[string]struct {
		err  error
		kind error
		says string
	}{
		"launch of nothing":           {launch(one, Launch{}), fault.ErrArgument, "0 buffers given, the kernel has 1 binding"},
		"launch on a nil buffer":      {launch(one, Launch{Buffers: []Buffer{nil}}), fault.ErrArgument, "binding a has no buffer"},
		"launch without ranges":       {launch(one, Launch{Buffers: []Buffer{&memory{}}, Ranges: []Range{}}), fault.ErrArgument, "0 ranges"},
		"launch with a zero map":      {launch(of(TensorMap{})), fault.ErrKernel, "0 dimensions"},
		"launch with a map of type 0": {launch(of(TensorMap{Name: "a", Box: []int{8}})), fault.ErrKernel, "a: tensor map: invalid"},
		"launch with a foreign map":   {launch(of(TensorMap{Binding: -1, Elem: dtype.F32, Box: []int{8}})), fault.ErrKernel, "binding -1"},
		"load with a zero map":        {load(func(src *Source) { src.Maps = []TensorMap{{Name: "m"}} }), fault.ErrKernel, "m: tensor map: a box of 0 dimensions"},
		"load with a map of type 0":   {load(func(src *Source) { src.Maps = []TensorMap{{Box: []int{8}}} }), fault.ErrKernel, "invalid is not an element type"},
		"load of threads below 0":     {load(func(src *Source) { src.Threads = -1 }), fault.ErrKernel, "-1 threads"},
		"load of words below 0":       {load(func(src *Source) { src.Words = -1 }), fault.ErrKernel, "-1 parameter words"},
		"load of shared memory below": {load(func(src *Source) { src.Shared = -1 }), fault.ErrKernel, "-1 bytes of shared memory"},
		"upload of less than nothing": {CheckRange("upload", 10, 3, -1), fault.ErrShape, "bytes 3 to 2"},
		"a nil program":               {foreign("launch", "program", "p", nil, Info{Backend: "cpu"}), fault.ErrArgument, "launch: p: the program is nil"},
		"a foreign buffer": {foreign("launch k", "buffer", "x", &memory{}, Info{Backend: "cuda", Index: 1}), fault.ErrDevice,
			"x: the buffer belongs to another device than cuda:1, or another opening of it: copy its bytes by Download and Upload"},
		"a sequence on no stream": {Loop(nil, nil).Launch(), fault.ErrArgument, "s: the stream is nil"},
	} {
		if !errors.Is(c.err, c.kind) || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: %v, want one of %v that says %q", name, c.err, c.kind, c.says)
		}
	}
	if err := Loop(nil, nil).Close(); err != nil {
		t.Errorf("closing an empty sequence: %v", err)
	}
}

// Zero values of which nothing can be wrong say that there is nothing.
func TestZeroValues(t *testing.T) {
	if empty, err := CheckLaunch(Source{}, target.Caps{}, Launch{}); err != nil || !empty {
		t.Errorf("a launch of nothing: empty %v, %v", empty, err)
	}
	if err := CheckSource(Source{}, target.Caps{}); err != nil {
		t.Errorf("a source of nothing: %v", err)
	}
	zero, short := (&Launch{}).Clone(), Launch{Buffers: []Buffer{nil, &memory{bytes: 8}}, Ranges: []Range{{0, 4}}}
	for name, r := range map[string]Range{
		"a nil launch": (*Launch)(nil).RangeOf(0), "no buffer": zero.RangeOf(0), "before the first": zero.RangeOf(-1),
		"a nil buffer": short.RangeOf(0), "no range": short.RangeOf(1),
	} {
		if r != (Range{}) {
			t.Errorf("the range of a binding of %s is %v", name, r)
		}
	}
	some := Region{Sizes: [MaxMapDims]int64{1, 1, 1, 1, 1}}
	for name, empty := range map[string]bool{
		"nil": (*Region)(nil).Empty(nil), "nil map": some.Empty(nil), "zero": (&Region{}).Empty(&TensorMap{Box: []int{8}}),
		"many dimensions": !some.Empty(&TensorMap{Box: make([]int, MaxMapDims+1)}),
	} {
		if !empty {
			t.Errorf("Empty of a region: %s", name)
		}
	}
	if got := Kind(7).String(); got != "kind(7)" {
		t.Errorf("a kind that there is not is %q", got)
	}
}

// A driver that cannot open what it lists is told in the error, with every candidate's reason.
func TestNilDrivers(t *testing.T) {
	cpu, cuda, _, _ := fakes()
	cpu.candidates[0].Open = nil
	cuda.candidates[0].Open = func() (Device, error) { return nil, nil }
	register(t, cpu, cuda)
	_, err := Open("")
	for _, says := range []string{"cpu:0 (a cpu): the driver cannot open it", "cuda:0 (a cuda): the driver opened no device"} {
		if !errors.Is(err, fault.ErrDevice) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want an ErrDevice that says %q", err, says)
		}
	}
	defer func() {
		if r := recover(); r != "weft: backend.Register of a nil driver" {
			t.Errorf("registering nil panics with %v", r)
		}
	}()
	Register(nil)
}
