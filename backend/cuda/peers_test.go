//go:build linux && (amd64 || arm64)

package cuda

import (
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// openAll opens all devices of a fake driver with n.
func (f *fake) openAll(t *testing.T, n int) (list []*device) {
	t.Helper()
	f.change(fakeCount, int64(n))
	for _, c := range candidates(f.driverLib, fakeNVRTC) {
		dev, err := c.Open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		list = append(list, dev.(*device))
	}
	return list
}

func devices(list []*device) (all []backend.Device) {
	for _, d := range list {
		all = append(all, d)
	}
	return all
}

// ints32 is a buffer with numbers.
func ints32(t *testing.T, d *device, x ...int32) *buffer {
	t.Helper()
	b, err := d.NewBuffer(int64(4 * len(x)))
	if err != nil {
		t.Fatal(err)
	}
	raw := make([]byte, 4*len(x))
	for i, v := range x {
		binary.LittleEndian.PutUint32(raw[4*i:], uint32(v))
	}
	if err := b.Upload(0, raw); err != nil {
		t.Fatal(err)
	}
	return b.(*buffer)
}

func words(t *testing.T, d *device, n int) *buffer {
	b, err := d.NewWords(n)
	if err != nil {
		t.Fatal(err)
	}
	return b.(*buffer)
}

func numbers(t *testing.T, b *buffer) (x []int32) {
	t.Helper()
	raw := make([]byte, b.bytes)
	if err := b.Download(0, raw); err != nil {
		t.Fatal(err)
	}
	for i := range len(raw) / 4 {
		x = append(x, int32(binary.LittleEndian.Uint32(raw[4*i:])))
	}
	return x
}

func equal(t *testing.T, what string, got []int32, want ...int32) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Copies of a queue wait for the events that they are to wait for, and streams for the copies; nothing else makes them run.
func TestCopyQueue(t *testing.T) {
	f := newFake(t)
	d := f.openAll(t, 2)
	for _, x := range d {
		if err := errors.Join(x.Reach(devices(d)), x.Reach(devices(d))); err != nil {
			t.Fatal(err)
		}
	}
	src, dst := ints32(t, d[0], 1, 2, 3, 4), ints32(t, d[1], 0, 0, 0, 0)
	q, err := d[1].CopyQueue()
	if err != nil {
		t.Fatal(err)
	}
	made, err := d[0].Mark() // after the upload, which has not run
	if err != nil {
		t.Fatal(err)
	}
	ready, err := d[1].Mark()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(q.After(made), q.After(ready), q.Copy(dst, 4, src, 8, 8)); err != nil {
		t.Fatal(err)
	}
	copied, err := q.Mark()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d[1].After(copied), made.Close(), ready.Close()); err != nil {
		t.Fatal(err)
	}
	if done, err := copied.(backend.Poller).Done(); done || err != nil {
		t.Errorf("done at once: %v, %v", done, err)
	}
	equal(t, "copied", numbers(t, dst), 0, 3, 4, 0)
	if done, err := copied.(backend.Poller).Done(); !done || err != nil {
		t.Errorf("not done: %v, %v", done, err)
	}
	again, err := d[0].Mark() // uses an event again
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(copied.Close(), again.Close(), q.Close()); err != nil {
		t.Error(err)
	}
	for _, err := range []error{q.Copy(dst, 0, src, 0, 4), d[1].After(copied)} {
		if !errors.Is(err, fault.ErrClosed) {
			t.Errorf("closed: %v", err)
		}
	}
}

// A copy that was recorded is one of what the memory holds when it is replayed, after the steps of other kinds before it.
func TestRecordedCopies(t *testing.T) {
	f := newFake(t)
	d := f.openAll(t, 2)
	for _, x := range d {
		if err := x.Reach(devices(d)); err != nil {
			t.Fatal(err)
		}
	}
	src, dst, flags := ints32(t, d[1], 1, 2, 3), ints32(t, d[0], 0, 0, 0), words(t, d[0], 1)
	first, err := d[0].RecordSignal([]backend.SignalStep{{Buffer: flags, Value: 7}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := d[0].RecordCopy(dst, 4, src, 0, 8)
	if err != nil {
		t.Fatal(err)
	}
	if want := []backend.Use{{Buffer: dst, Access: backend.Write}, {Buffer: src, Access: backend.Read}}; !slices.Equal(copied.Uses(), want) {
		t.Errorf("the copy uses %v, want %v", copied.Uses(), want)
	}
	nothing := backend.Order{{Buffer: dst, Access: backend.ReadWrite}}
	s, err := d[0].Stream().Sequence([]backend.Step{{Work: nothing}, {Work: first}, {Work: copied}, {Work: nothing}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(first.Close(), copied.Close()); err != nil {
		t.Error(err)
	}
	equal(t, "before", numbers(t, dst), 0, 0, 0)
	for _, x := range []int32{1, 5} {
		if err := src.Upload(0, []byte{byte(x), 0, 0, 0}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(d[1].Stream().Synchronize(), s.Launch()); err != nil {
			t.Fatal(err)
		}
		equal(t, "replayed", numbers(t, dst), 0, x, 2)
		equal(t, "flags", numbers(t, flags), 7)
	}
	for name, err := range map[string]error{
		"out of bounds": second(d[0].RecordCopy(dst, 8, src, 0, 8)),
		"closed":        errors.Join(src.Close(), second(d[0].RecordCopy(dst, 0, src, 0, 4))),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A view is the memory of another device, and signals order what two devices do with it.
func TestSignals(t *testing.T) {
	f := newFake(t)
	d := f.openAll(t, 2)
	flags, data := words(t, d[1], 2), ints32(t, d[1], 5, 6)
	view := func(b *buffer) *buffer {
		v, err := d[0].View(b, 0, b.bytes)
		if err != nil {
			t.Fatal(err)
		}
		return v.(*buffer)
	}
	there, remote := view(flags), view(data)
	// d[1] waits for d[0], which writes before it signals.
	if err := d[1].Signal([]backend.SignalStep{{Buffer: flags, Offset: 4, Value: 3, Wait: true}}); err != nil {
		t.Fatal(err)
	}
	if err := remote.Upload(4, []byte{9, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if err := d[0].Signal([]backend.SignalStep{{Buffer: there, Offset: 4, Value: 4}}); err != nil {
		t.Fatal(err)
	}
	equal(t, "data", numbers(t, data), 5, 9)
	equal(t, "flags", numbers(t, flags), 0, 4)
	if err := remote.Close(); err != nil {
		t.Error(err)
	}
	equal(t, "after the view", numbers(t, data), 5, 9)
	for name, err := range map[string]error{
		"another device": d[0].Signal([]backend.SignalStep{{Buffer: flags}}),
		"out of bounds":  d[0].Signal([]backend.SignalStep{{Buffer: there, Offset: 8}}),
		"too long":       second(d[0].View(flags, 0, 12)),
		"unaligned":      second(d[0].View(flags, 4, 4)),
		"of a pool":      d[0].Signal([]backend.SignalStep{{Buffer: ints32(t, d[0], 1)}}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if d[0].Atomics(devices(d)) || d[0].Atomics([]backend.Device{nil}) {
		t.Error("atomic ops on a bus, or on what is no device")
	}
	f.change(fakePeers, 2)
	if !d[0].Atomics(devices(d)) {
		t.Error("no atomic ops")
	}
	f.change(fakePeers, 0)
	if err := d[0].Reach(devices(d)); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("no way: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// fakeNCCL is the NCCL that the fake driver has.
func fakeNCCL(t *testing.T, f *fake) *ncclLib {
	t.Helper()
	lib, err := loadNCCL(f.path)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// Every kind of part reaches the library with its arguments, in the order of the streams, started and replayed.
func TestCollectives(t *testing.T) {
	f := newFake(t)
	d := f.openAll(t, 2)
	lib := fakeNCCL(t, f)
	if lib.String() != "NCCL 2.27.5" {
		t.Errorf("the library is %v", lib)
	}
	c, err := d[0].connect(lib, backend.Members{World: 2, Ranks: []int{0, 1}, Devices: devices(d)})
	if err != nil {
		t.Fatal(err)
	}
	a := []*buffer{ints32(t, d[0], 1, 2), ints32(t, d[1], 10, 20)}
	both := []*buffer{ints32(t, d[0], 0, 0, 0, 0), ints32(t, d[1], 0, 0, 0, 0)}
	one := []*buffer{ints32(t, d[0], 0), ints32(t, d[1], 0)}
	parts := func(p backend.Part, dst, src []*buffer) (list []backend.Part) {
		for i := range d {
			own := p
			own.Member, own.Elem = i, dtype.I32
			if dst != nil {
				own.Dst = dst[i]
			}
			if src != nil {
				own.Src = src[i]
			}
			list = append(list, own)
		}
		return list
	}
	start := func(list []backend.Part) {
		t.Helper()
		if err := c.Start(list); err != nil {
			t.Fatal(err)
		}
	}
	start(parts(backend.Part{Kind: backend.AllGather, Count: 2}, both, a))
	equal(t, "gathered", numbers(t, both[1]), 1, 2, 10, 20)
	start(parts(backend.Part{Kind: backend.ReduceScatter, Count: 1}, one, a))
	equal(t, "scattered", numbers(t, one[0]), 11)
	equal(t, "scattered", numbers(t, one[1]), 22)
	start(parts(backend.Part{Kind: backend.Broadcast, Count: 1, Peer: 1}, one, one))
	equal(t, "broadcast", numbers(t, one[0]), 22)
	swap := []backend.Part{
		{Kind: backend.Send, Elem: dtype.I32, Count: 1, Member: 0, Peer: 1, Src: a[0], From: 4},
		{Kind: backend.Receive, Elem: dtype.I32, Count: 1, Member: 0, Peer: 1, Dst: one[0]},
		{Kind: backend.Send, Elem: dtype.I32, Count: 1, Member: 1, Peer: 0, Src: a[1]},
		{Kind: backend.Receive, Elem: dtype.I32, Count: 1, Member: 1, Peer: 0, Dst: one[1]},
	}
	start(swap)
	equal(t, "received", numbers(t, one[0]), 10)
	equal(t, "received", numbers(t, one[1]), 2)

	for _, list := range [][]backend.Part{parts(backend.Part{Kind: backend.ReduceScatter, Count: 1}, one, a), swap} { // by a goroutine for each member
		var wait sync.WaitGroup
		errs := make([]error, len(d))
		for i := range d {
			own := slices.DeleteFunc(slices.Clone(list), func(p backend.Part) bool { return p.Member != i })
			wait.Go(func() { errs[i] = c.(backend.MemberStarter).StartMember(own) })
		}
		wait.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		want := [2]int32{11, 22}
		if len(list) > len(d) {
			want = [2]int32{10, 2}
		}
		equal(t, "by members", numbers(t, one[0]), want[0])
		equal(t, "by members", numbers(t, one[1]), want[1])
	}
	if err := c.(backend.MemberStarter).StartMember(swap); !errors.Is(err, fault.ErrArgument) {
		t.Errorf("parts of two members: %v", err)
	}

	works, err := c.Record(parts(backend.Part{Kind: backend.AllReduce, Count: 2}, a, a))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "recorded", numbers(t, a[0]), 1, 2)
	var sequences []backend.Sequence
	for i, x := range d {
		s, err := x.Stream().Sequence([]backend.Step{{Work: works[i]}})
		if err != nil {
			t.Fatal(err)
		}
		if err := works[i].Close(); err != nil {
			t.Error(err)
		}
		sequences = append(sequences, s)
	}
	for _, want := range [][]int32{{11, 22}, {22, 44}} {
		for _, s := range sequences {
			if err := s.Launch(); err != nil {
				t.Fatal(err)
			}
		}
		equal(t, "replayed", numbers(t, a[0]), want...)
		equal(t, "replayed", numbers(t, a[1]), want...)
	}
	if _, err := d[1].Stream().Sequence([]backend.Step{{Work: works[0]}}); !errors.Is(err, fault.ErrDevice) {
		t.Errorf("another device's work: %v", err)
	}
	f.change(fakeNCCLError, ncclRemoteError)
	if err := c.Err(); !errors.Is(err, fault.ErrDeviceLost) || !strings.Contains(err.Error(), "remote process") {
		t.Errorf("a lost peer: %v", err)
	}
	if err := errors.Join(c.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	if err := c.Start(swap); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// What cannot be is refused before the library is called.
func TestCollectivesRefuse(t *testing.T) {
	f := newFake(t)
	d := f.openAll(t, 2)
	lib := fakeNCCL(t, f)
	if _, err := d[0].connect(lib, backend.Members{World: 2, Ranks: []int{0, 1}, Devices: []backend.Device{d[0], d[0]}}); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("a GPU twice: %v", err)
	}
	c, err := d[0].connect(lib, backend.Members{ID: slices.Repeat([]byte{0xAB}, ncclIDBytes), World: 2, Ranks: []int{0, 1}, Devices: devices(d)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	a := ints32(t, d[0], 1)
	for name, x := range map[string]struct {
		part backend.Part
		kind error
	}{
		"another device":  {backend.Part{Kind: backend.AllReduce, Elem: dtype.I32, Count: 1, Member: 1, Src: a, Dst: a}, fault.ErrDevice},
		"no such type":    {backend.Part{Kind: backend.AllReduce, Elem: dtype.I16, Count: 1, Src: a, Dst: a}, fault.ErrUnsupported},
		"out of bounds":   {backend.Part{Kind: backend.Send, Elem: dtype.I32, Count: 1, Peer: 1, Src: a, From: 8}, fault.ErrShape},
		"no such member":  {backend.Part{Kind: backend.Send, Elem: dtype.I32, Count: 1, Member: 2, Src: a}, fault.ErrArgument},
		"no such kind":    {backend.Part{Kind: 99, Elem: dtype.I32, Count: 1, Src: a}, fault.ErrArgument},
		"more than it is": {backend.Part{Kind: backend.Send, Elem: dtype.I32, Count: 2, Peer: 1, Src: a}, fault.ErrShape},
	} {
		if err := c.Start([]backend.Part{x.part}); !errors.Is(err, x.kind) {
			t.Errorf("%s: %v, want %v", name, err, x.kind)
		}
	}
	if n := f.value(fakeCalls); n != 0 {
		t.Errorf("NCCL was called %d times", n)
	}
	if c.Reduces(backend.Part{Elem: dtype.I16}) || !c.Reduces(backend.Part{Elem: dtype.BF16}) || !c.Reduces(backend.Part{Elem: dtype.F64}) {
		t.Error("which types are reduced")
	}
}

// Sums are in the type that the part has: numbers of F64 that F32 would round come back as they are.
func TestCollectivesType(t *testing.T) {
	f := newFake(t)
	d := f.openAll(t, 2)
	c, err := d[0].connect(fakeNCCL(t, f), backend.Members{World: 2, Ranks: []int{0, 1}, Devices: devices(d)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	addends := [2]float64{1 << 52, 1}
	var parts []backend.Part
	for i, x := range addends {
		b, err := d[i].NewBuffer(8)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Upload(0, binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, backend.Part{Kind: backend.AllReduce, Elem: dtype.F64, Count: 1, Member: i, Src: b, Dst: b})
	}
	if err := c.Start(parts); err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		raw := make([]byte, 8)
		if err := p.Dst.Download(0, raw); err != nil {
			t.Fatal(err)
		}
		if got := math.Float64frombits(binary.LittleEndian.Uint64(raw)); got != addends[0]+addends[1] {
			t.Errorf("the sum is %v, want %v", got, addends[0]+addends[1])
		}
	}
}

// Where NCCL is missing the error says where it was looked for.
func TestNoNCCL(t *testing.T) {
	t.Setenv(ncclEnv, filepath.Join(t.TempDir(), "none"))
	_, err := openNCCL(ncclPaths())
	if !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), ncclEnv) || !strings.Contains(err.Error(), "none") {
		t.Errorf("%v", err)
	}
	t.Setenv(ncclEnv, t.TempDir()) // a folder without it
	if _, err := openNCCL(ncclPaths()); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), ncclEnv) {
		t.Errorf("%v", err)
	}
}
