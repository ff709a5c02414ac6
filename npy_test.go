package weft_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
)

// Files that NumPy wrote: numbers from -2 on, unsigned ones from 0 on, in two rows of three.
func TestReadNpy(t *testing.T) {
	dev := open(t)
	signed, unsigned := []float64{-2, -1, 0, 1, 2, 3}, []float64{0, 1, 2, 3, 4, 5}
	cube := make([]float64, 24)
	for i := range cube {
		cube[i] = float64(i)
	}
	for name, want := range map[string]struct {
		elem  weft.DType
		shape []int
		x     []float64
	}{
		"i1": {weft.I8, []int{2, 3}, signed}, "u1": {weft.U8, []int{2, 3}, unsigned},
		"i2": {weft.I16, []int{2, 3}, signed}, "u2": {weft.U16, []int{2, 3}, unsigned},
		"i4": {weft.I32, []int{2, 3}, signed}, "u4": {weft.U32, []int{2, 3}, unsigned},
		"i8": {weft.I64, []int{2, 3}, signed}, "u8": {weft.U64, []int{2, 3}, unsigned},
		"f2": {weft.F16, []int{2, 3}, signed}, "f4": {weft.F32, []int{2, 3}, signed}, "f8": {weft.F64, []int{2, 3}, signed},
		"big_endian": {weft.F32, []int{2, 3}, signed}, "big_endian_i8": {weft.I64, []int{2, 3}, signed},
		"bool": {weft.Bool, []int{2, 3}, []float64{1, 0, 1, 0, 1, 0}}, "fortran": {weft.F32, []int{2, 3}, signed},
		"version2": {weft.F32, []int{2, 3}, signed}, "version3": {weft.F32, []int{2, 3}, signed},
		"scalar": {weft.F32, []int{}, []float64{-2.5}}, "empty": {weft.F32, []int{0, 3}, []float64{}},
		"cube_fortran": {weft.I32, []int{2, 3, 4}, cube},
	} {
		data := ok[[]byte](t)(os.ReadFile("testdata/npy/" + name + ".npy"))
		r := bytes.NewReader(append(data, "behind"...))
		got := ok[*weft.Tensor](t)(weft.ReadNpy(iotest.OneByteReader(r), dev))
		if x := ok[[]float64](t)(weft.ToFloats(got)); got.DType() != want.elem || !slices.Equal(got.Shape(), want.shape) || !slices.Equal(x, want.x) {
			t.Errorf("%s: %+v", name, got)
		}
		if rest, _ := io.ReadAll(r); string(rest) != "behind" {
			t.Errorf("%s: %q is left", name, rest)
		}
		var out bytes.Buffer
		if err := weft.WriteNpy(&out, got); err != nil {
			t.Fatal(err)
		}
		if name == want.elem.String() || strings.HasPrefix(name, "f4") || name == "bool" { // byte for byte what NumPy writes
			if !bytes.Equal(out.Bytes(), data) {
				t.Errorf("%s is written as %q, want %q", name, out.Bytes(), data)
			}
		}
	}
	for name, kind := range map[string]error{"complex": weft.ErrUnsupported} {
		data := ok[[]byte](t)(os.ReadFile("testdata/npy/" + name + ".npy"))
		if _, err := weft.ReadNpy(bytes.NewReader(data), dev); !errors.Is(err, kind) {
			t.Errorf("%s: %v, want %v", name, err, kind)
		}
	}
}

// Whatever view is written, the same elements come back; also of more than one piece.
func TestNpyRoundTrip(t *testing.T) {
	dev := open(t)
	for _, elem := range dtype.All() {
		if elem == weft.BF16 {
			continue
		}
		x := make([]float64, 35)
		for i := range x {
			x[i] = float64(i * 7 % 2)
		}
		base := ok[*weft.Tensor](t)(weft.FromFloats(dev, elem, x, 5, 7))
		for name, v := range map[string]*weft.Tensor{
			"dense": base, "turned": base.T(), "part": ok[*weft.Tensor](t)(base.Slice(1, 2, 5)),
			"flipped": ok[*weft.Tensor](t)(base.Flip()), "repeated": ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(base.Slice(0, 1, 2)).Broadcast(3, 2, 7)),
			"none": ok[*weft.Tensor](t)(base.Slice(0, 2, 2)), "one": ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(base.Select(0, 1)).Select(0, 2)),
		} {
			same(t, elem.String()+" "+name, v, npyAndBack(t, v))
		}
	}
	large := ok[*weft.Tensor](t)(weft.Arange(dev, weft.F32, 0, 2<<20+3, 1))
	same(t, "large", large, npyAndBack(t, large))
}

func npyAndBack(t *testing.T, v *weft.Tensor) *weft.Tensor {
	t.Helper()
	var file bytes.Buffer
	if err := weft.WriteNpy(&file, v); err != nil {
		t.Fatal(err)
	}
	return ok[*weft.Tensor](t)(weft.ReadNpy(&file, v.Device()))
}

// same demands that two tensors hold the same.
func same(t *testing.T, name string, want, got *weft.Tensor) {
	t.Helper()
	x, y := ok[[]float64](t)(weft.ToFloats(want)), ok[[]float64](t)(weft.ToFloats(got))
	if want.DType() != got.DType() || !slices.Equal(want.Shape(), got.Shape()) || !slices.Equal(x, y) {
		t.Errorf("%s: %+v\ninstead of %+v", name, got, want)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestNpyErrors(t *testing.T) {
	dev := open(t)
	good := string(ok[[]byte](t)(os.ReadFile("testdata/npy/f4.npy")))
	header := func(text string) string { return "\x93NUMPY\x01\x00" + string(rune(len(text))) + "\x00" + text }
	for name, c := range map[string]struct {
		file string
		kind error
	}{
		"nothing": {"", weft.ErrArgument}, "another file": {"PK\x03\x04 and much more", weft.ErrArgument},
		"version 4": {"\x93NUMPY\x04\x00" + good[8:], weft.ErrArgument}, "half a header": {good[:40], weft.ErrArgument},
		"an element less":  {good[:len(good)-1], weft.ErrShape},
		"no shape":         {header("{'descr': '<f4', 'fortran_order': False}"), weft.ErrArgument},
		"negative":         {header("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), weft.ErrArgument},
		"beyond int":       {header("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"), weft.ErrArgument},
		"beyond 2^63":      {header("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"), weft.ErrLimit},
		"2^50 claimed":     {header("{'descr': '<f4', 'fortran_order': False, 'shape': (1125899906842624,)}"), weft.ErrShape},
		"structure":        {header("{'descr': [('a', '<f4'), ('it\\'s]', [('b', '<i2', (2,))])], 'fortran_order': False, 'shape': ()}"), weft.ErrUnsupported},
		"half a structure": {header("{'descr': [('a', '<f4'), 'fortran_order': False, 'shape': ()}"), weft.ErrArgument},
		"objects":          {header("{'descr': '|O', 'fortran_order': False, 'shape': ()}"), weft.ErrUnsupported},
		"a header of 4 GB": {"\x93NUMPY\x02\x00\xff\xff\xff\xff", weft.ErrArgument},
	} {
		if x, err := weft.ReadNpy(strings.NewReader(c.file), dev); !errors.Is(err, c.kind) || !strings.HasPrefix(err.Error(), "weft: read npy: ") {
			t.Errorf("%s: %v, %v, want %v of read npy", name, x, err, c.kind)
		}
	}
	if _, err := weft.ReadNpy(iotest.ErrReader(io.ErrClosedPipe), dev); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a reader's error: %v", err)
	}
	if _, err := weft.ReadNpy(strings.NewReader(good), nil); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("no device: %v", err)
	}
	x := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 3))
	if err := weft.WriteNpy(failing{}, x); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a writer's error: %v", err)
	}
	if err := weft.WriteNpy(io.Discard, ok[*weft.Tensor](t)(x.Cast(weft.BF16))); !errors.Is(err, weft.ErrUnsupported) {
		t.Errorf("bf16: %v, want ErrUnsupported", err)
	}
	x.Close()
	if err := weft.WriteNpy(io.Discard, x); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("a closed tensor: %v, want ErrClosed", err)
	}
	if err := weft.WriteNpy(io.Discard, nil); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("nil: %v, want ErrArgument", err)
	}
}

// A file that claims more than it holds does not get memory for its claim, whether or not the reader tells its length; what
// comes through a pipe arrives whole.
func TestNpyClaims(t *testing.T) {
	dev := open(t)
	header := func(n int) []byte {
		var b bytes.Buffer
		text := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d,)}", n)
		b.WriteString("\x93NUMPY\x01\x00")
		b.Write([]byte{byte(len(text)), 0})
		b.WriteString(text)
		return b.Bytes()
	}
	const held = 5 << 20
	data := append(header(2<<30/4), make([]byte, held)...)
	for name, r := range map[string]io.Reader{"a file": bytes.NewReader(data), "a pipe": iotest.DataErrReader(bytes.NewReader(data))} {
		before := dev.MemoryStats()
		if x, err := weft.ReadNpy(r, dev); !errors.Is(err, weft.ErrShape) || !strings.Contains(err.Error(), "ends after 1310720 of 536870912 elements") {
			t.Errorf("%s: %v, %v, want ErrShape with the numbers of elements", name, x, err)
		}
		after := dev.MemoryStats()
		if most := after.Peak - before.Peak; after.InUse != before.InUse || most > 16*held {
			t.Errorf("%s of 5 MiB took %d bytes, and still holds %d", name, most, after.InUse-before.InUse)
		}
	}
	const n = 17_000_003 // more than the first memory that is asked for
	want := make([]float32, n)
	raw := header(n)
	for i := range want {
		want[i] = float32(i) * 0.5
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(want[i]))
	}
	for name, r := range map[string]io.Reader{"a file": bytes.NewReader(raw), "a pipe": io.MultiReader(bytes.NewReader(raw))} {
		x := ok[*weft.Tensor](t)(weft.ReadNpy(r, dev))
		if got := ok[[]float32](t)(weft.ToSlice[float32](x)); !slices.Equal(got, want) {
			t.Errorf("%s arrives otherwise", name)
		}
		x.Close()
	}
}

// No bytes make it panic, and what it reads it writes so that it reads the same again.
func FuzzReadNpy(f *testing.F) {
	paths, _ := filepath.Glob("testdata/npy/*.npy")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	dev, err := weft.Open("cpu")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { dev.Close() })
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := weft.ReadNpy(bytes.NewReader(data), dev)
		if err != nil {
			return
		}
		defer x.Close()
		again := npyAndBack(t, x)
		defer again.Close()
		if x.Describe() != again.Describe() || x.String() != again.String() {
			t.Errorf("%+v comes back as %+v", x, again)
		}
	})
}
