package emittest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/spirv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/wgsl"
)

// eachDevice runs a test on every device that takes WGSL or CUDA C++, and on those of Vulkan again in SPIR-V, with bindings and with addresses of buffers.
func eachDevice(t *testing.T, test func(t *testing.T, d backend.Device)) {
	t.Helper()
	ran := false
	runOn := func(t *testing.T, c backend.Candidate, byAddress bool) {
		d, err := c.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if byAddress {
			if !d.Caps().DeviceAddresses {
				testenv.Skip(t, "vulkan", "the device gives no addresses of buffers")
			}
			d = addressed{d}
		}
		ran = true
		test(t, d)
	}
	for _, c := range backend.Candidates() {
		if c.Refused != nil || c.Kind == backend.CPU { // the CPU takes tile IR, not text
			continue
		}
		name := fmt.Sprintf("%s_%d", c.Backend, c.Index)
		if c.Backend != "vulkan" {
			t.Run(name, func(t *testing.T) { runOn(t, c, false) })
			continue
		}
		for _, form := range []struct {
			name, language string
			byAddress      bool
		}{{"wgsl", "wgsl", false}, {"spirv", "spirv", false}, {"spirv_addresses", "spirv", true}} {
			t.Run(name+"_"+form.name, func(t *testing.T) {
				t.Setenv("WEFT_VULKAN", form.language)
				runOn(t, c, form.byAddress)
			})
		}
	}
	if !ran {
		testenv.Skip(t, "webgpu", "no device takes the emitted text")
	}
}

// eachForm runs a test on every device, and on those that take SPIR-V as if they had the least of what it may use.
func eachForm(t *testing.T, test func(t *testing.T, d backend.Device)) {
	t.Helper()
	eachDevice(t, func(t *testing.T, d backend.Device) {
		test(t, d)
		if d.Caps().Language == target.SPIRV {
			test(t, least{d})
		}
	})
}

// addressed is a device that binds less than any buffer has, so that kernels have the addresses of their buffers.
type addressed struct{ backend.Device }

func (d addressed) Caps() target.Caps {
	caps := d.Device.Caps()
	caps.MaxBindingBytes = 1
	return caps
}

// least is a device whose kernels do without all that they can do without.
type least struct{ backend.Device }

func (d least) Caps() target.Caps {
	caps := d.Device.Caps()
	caps.F16, caps.F16Nearest, caps.AtomicAddF32, caps.SubgroupSize, caps.KeepsNaN = false, false, false, 0, 0
	return caps
}

// execute runs a kernel whose last buffer is its output, of the given size,
// and returns that. The output is poisoned before.
func execute(t *testing.T, d backend.Device, k *simt.Func, groups int, words []uint32, size int, inputs ...[]byte) []byte {
	t.Helper()
	src := backend.Source{Language: d.Caps().Language, Entry: k.Name, Words: len(k.Words), Threads: k.Threads, DeviceAddresses: d.Caps().MaxBindingBytes == 1}
	if src.DeviceAddresses {
		byAddress := *k
		byAddress.DeviceAddresses = true
		k = &byAddress
	}
	switch src.Language {
	case target.WGSL:
		src.Text, src.Shared = emitWGSLFor(t, k, d.Caps()), wgsl.SharedBytes(declared(t, k, d.Caps()))
	case target.SPIRV:
		src.Text, src.Shared = emitSPIRV(t, k, d.Caps()), spirv.SharedBytes(passed(t, k, d.Caps(), "dce", "declare"))
	default:
		src.Text, src.Shared = emitCUDA(t, k, d.Caps().Arch), k.SharedBytes()
	}
	l := backend.Launch{Grid: [3]int{groups, 1, 1}, Words: words}
	poison := make([]byte, size)
	for i := range poison {
		poison[i] = 0xa5
	}
	for i, data := range append(inputs, poison) {
		access := backend.Read
		if k.Buffers[i].Write {
			access = backend.Write
		}
		src.Bindings = append(src.Bindings, backend.Binding{Name: k.Buffers[i].Name, Access: access})
		buf, err := d.NewBuffer(int64(len(data)))
		must(t, err)
		defer buf.Close()
		must(t, buf.Upload(0, data))
		l.Buffers = append(l.Buffers, buf)
	}
	binary, err := d.Compile(src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src.Text)
	}
	p, err := d.Load(src, binary)
	if err != nil {
		t.Fatalf("%v\n%s", err, src.Text)
	}
	defer p.Close()
	must(t, d.Stream().Launch(p, l))
	must(t, d.Stream().Synchronize())
	out := make([]byte, size)
	must(t, l.Buffers[len(l.Buffers)-1].Download(0, out))
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestCopies moves random elements with every pair of widths: each arrives
// unchanged, and what the mask leaves out keeps its poison.
func TestCopies(t *testing.T) {
	eachDevice(t, func(t *testing.T, d backend.Device) {
		rng := rand.New(rand.NewPCG(1, 2))
		const groups = 3
		n := groups * 4 * copyThreads
		for _, c := range copyings(d.Caps().Int64, d.Caps().Float64) {
			elements := make([]float64, n)
			for i := range elements {
				elements[i] = randomElement(rng, c.elem)
			}
			data := make([]byte, n*c.elem.Size())
			dtype.PutFloats(c.elem, data, elements)
			want, words := data, []uint32(nil)
			if c.masked {
				limit := n - 4*copyThreads + 8
				words = []uint32{uint32(limit)}
				want = append([]byte{}, data...)
				for i := limit * c.elem.Size(); i < len(want); i++ {
					want[i] = 0xa5
				}
			}
			got := execute(t, d, c.kernel(), groups, words, len(data), data)
			if string(got) != string(want) {
				t.Errorf("%v: got\n%x, want\n%x", c, got, want)
			}
		}
	})
}

func randomElement(rng *rand.Rand, e dtype.Type) float64 {
	switch e {
	case dtype.Bool:
		return float64(rng.IntN(2))
	case dtype.F16, dtype.BF16, dtype.F32, dtype.F64:
		return float64(dtype.Round(e, rng.NormFloat64()*100))
	}
	if isLong(e) {
		return float64(rng.Uint64() >> 12)
	}
	if e.IsSigned() {
		return float64(int32(rng.Uint32()) >> (32 - 8*e.Size()))
	}
	return float64(rng.Uint32() >> (32 - 8*e.Size()))
}

// convertKernel stores F32 numbers, four a thread, as another type.
func convertKernel(from, to dtype.Type, width int) *simt.Func {
	x, y := input("x", from), output("y", to)
	b := start("convert", 256, x, y)
	first := b.Binary(simt.Mul, b.Binary(simt.Add, b.Binary(simt.Mul, group(b, 0), b.Int(256)), thread(b)), b.Int(4))
	for i := 0; i < 4; i += width {
		at := b.Binary(simt.Add, first, b.Int(i))
		b.Store(y, at, b.Convert(b.Load(x, at, nil, width, 0), simt.Register(to)), nil)
	}
	return b.Func
}

// TestWiden loads all 65536 patterns of the 16-bit types.
func TestWiden(t *testing.T) {
	eachForm(t, func(t *testing.T, d backend.Device) {
		data := make([]byte, 2<<16)
		for i := range 1 << 16 {
			data[2*i], data[2*i+1] = byte(i), byte(i>>8)
		}
		for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
			want := make([]float64, 1<<16)
			dtype.Floats(e, want, data)
			for _, width := range []int{1, 2, 4} {
				got := make([]float64, 1<<16)
				dtype.Floats(dtype.F32, got, execute(t, d, convertKernel(e, dtype.F32, width), 64, nil, 4<<16, data))
				for i := range want {
					if !sameFloat(got[i], want[i]) {
						t.Fatalf("%v width %d: pattern %04x is %g, want %g", e, width, i, got[i], want[i])
					}
				}
			}
		}
	})
}

// TestNarrow rounds random patterns, and all that lie on or beside the midpoints
// between 16-bit numbers, to the 16-bit types.
func TestNarrow(t *testing.T) {
	eachForm(t, func(t *testing.T, d backend.Device) {
		for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
			patterns := narrowPatterns(e)
			data := wordsOf(patterns)
			for _, width := range []int{1, 2, 4} {
				got := execute(t, d, convertKernel(dtype.F32, e, width), len(patterns)/1024, nil, 2*len(patterns), data)
				checkNarrow(t, fmt.Sprintf("store of %v, width %d", e, width), e, patterns, halves(got))
				k := elementwise(simt.Round16, dtype.F32, dtype.F32, e, width)
				rounded := execute(t, d, k, len(patterns)/64/width, nil, 4*len(patterns), data)
				narrowed := make([]byte, 2*len(patterns))
				values := make([]float64, len(patterns))
				dtype.Floats(dtype.F32, values, rounded)
				for _, x := range values {
					if y := float64(dtype.Round(e, x)); !sameFloat(x, y) {
						t.Fatalf("round to %v, width %d: %g is none", e, width, x)
					}
				}
				dtype.PutFloats(e, narrowed, values)
				checkNarrow(t, fmt.Sprintf("round to %v, width %d", e, width), e, patterns, halves(narrowed))
			}
		}
	})
}

func narrowPatterns(e dtype.Type) []uint32 {
	rng := rand.New(rand.NewPCG(3, 4))
	var patterns []uint32
	for i := range uint32(1 << 16) {
		x := uint32(0)
		half := []byte{byte(i), byte(i >> 8)}
		var f [1]float64
		dtype.Floats(e, f[:], half)
		x = math.Float32bits(float32(f[0]))
		mid := x + uint32(1)<<15
		if e == dtype.F16 {
			mid = x + 1<<12
		}
		patterns = append(patterns, x, mid, mid-1, mid+1, rng.Uint32(), 0x33000000+rng.Uint32()>>4, 0x477fe000+rng.Uint32()>>18, i<<16|0x8000)
	}
	return patterns
}

func checkNarrow(t *testing.T, what string, e dtype.Type, patterns []uint32, got []uint16) {
	t.Helper()
	for i, p := range patterns {
		x := math.Float32frombits(p)
		want := uint16(dtype.ToFloat16(x))
		nan := got[i]&0x7fff > 0x7c00
		if e == dtype.BF16 {
			want, nan = uint16(dtype.ToBFloat16(x)), got[i]&0x7fff > 0x7f80
		}
		denormal := p&0x7f800000 == 0 && got[i]&0x7fff == 0 // devices may flush F32's
		if x != x && nan || got[i] == want || denormal {
			continue
		}
		t.Fatalf("%s: %08x (%g) is %04x, want %04x", what, p, x, got[i], want)
	}
}

// sameFloat reports equality; a denormal may have been flushed to 0.
func sameFloat(x, y float64) bool {
	return x == y || x != x && y != y || x == 0 && math.Abs(y) < 0x1p-126
}

func wordsOf(ws []uint32) []byte {
	b := make([]byte, 0, 4*len(ws))
	for _, w := range ws {
		b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return b
}

func halves(b []byte) []uint16 {
	hs := make([]uint16, len(b)/2)
	for i := range hs {
		hs[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return hs
}
