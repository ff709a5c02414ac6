package emittest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/spirv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/wgsl"
)

// packing loads 16 bytes of elements a thread as words, changes them, and stores them:
// as words in the first half of the workgroup, and there alone unless narrow is set, in
// accesses of that width in the other half.
type packing struct {
	elem   dtype.Type
	narrow int
	masked bool
}

func (c packing) String() string {
	return fmt.Sprintf("%v_narrow%d_masked_%v", c.elem, c.narrow, c.masked)
}

const packThreads = 32

func (c packing) kernel() *simt.Func {
	x, y := input("x", c.elem), output("y", c.elem)
	b := start("pack", packThreads, x, y)
	b.SetLine("pack.go:4")
	n := 16 / c.elem.Size()
	at := b.Binary(simt.Mul, thread(b), b.Int(n))
	var mask *simt.Value
	if c.masked {
		mask = b.Binary(simt.Lt, at, param(b, "n", dtype.I32))
	}
	words := b.LoadWords(x, at, mask, 4, 0x3c003c00)
	b.SetLine("pack.go:5")
	var packed, lanes []*simt.Value
	step := 4 / simt.PerWord(c.elem)
	for first := 0; first < 4; first += step {
		part := make([]*simt.Value, step)
		for i := range part {
			part[i] = b.Extract(words, first+i)
		}
		v := b.Unpack(b.Compose(part...), c.elem)
		if c.elem.IsFloat() {
			v = b.Binary(simt.Mul, v, b.Const(v.Type, 3))
		} else {
			v = b.Binary(simt.Add, v, b.Const(v.Type, 100))
		}
		p := b.Pack(v, c.elem)
		for i := range step {
			packed = append(packed, b.Extract(p, i))
		}
		for i := range 4 {
			lanes = append(lanes, b.Extract(v, i))
		}
	}
	b.SetLine("pack.go:6")
	if c.narrow == 0 {
		b.StoreWords(y, at, b.Compose(packed...), mask)
		return b.Func
	}
	low := b.Binary(simt.Lt, thread(b), b.Int(packThreads/2))
	b.StoreWords(y, at, b.Compose(packed...), low)
	for i := 0; i < n; i += c.narrow {
		b.Store(y, b.Binary(simt.Add, at, b.Int(i)), b.Compose(lanes[i:i+c.narrow]...), b.Unary(simt.Not, low))
	}
	return b.Func
}

// packedKernel is the golden text of packed words.
func packedKernel() *simt.Func {
	k := packing{elem: dtype.F16, masked: true}.kernel()
	k.Name = "packed"
	return k
}

func packings() (all []packing) {
	for _, e := range []dtype.Type{dtype.F16, dtype.BF16, dtype.I8, dtype.U8, dtype.I16, dtype.U16} {
		for _, narrow := range []int{0, 1, 2, 4} {
			all = append(all, packing{e, narrow, false})
		}
		all = append(all, packing{e, 0, true})
	}
	return all
}

func TestPacked(t *testing.T) {
	kernels := map[string]*simt.Func{}
	for _, c := range packings() {
		kernels[c.String()] = c.kernel()
	}
	t.Run("wgsl", func(t *testing.T) { checkWGSL(t, kernels) })
	t.Run("cuda", func(t *testing.T) { checkCUDA(t, kernels, bothArchs...) })
	t.Run("devices", func(t *testing.T) {
		eachDevice(t, func(t *testing.T, d backend.Device) {
			for _, c := range packings() {
				t.Run(c.String(), func(t *testing.T) { c.check(t, d) })
			}
		})
	})
}

// check compares a device with the machine, byte by byte.
func (c packing) check(t *testing.T, d backend.Device) {
	rng := rand.New(rand.NewPCG(3, uint64(c.elem)))
	n := packThreads * 16 / c.elem.Size()
	elements := make([]float64, n)
	for i := range elements {
		elements[i] = randomElement(rng, c.elem)
	}
	data, want := make([]byte, packThreads*16), make([]byte, packThreads*16)
	dtype.PutFloats(c.elem, data, elements)
	for i := range want {
		want[i] = 0xa5
	}
	var words []uint32
	if c.masked {
		words = []uint32{uint32(n - 3*16/c.elem.Size())}
	}
	if err := machine.Run(c.kernel(), [3]int{1, 1, 1}, [][]byte{data, want}, words); err != nil {
		t.Fatal(err)
	}
	if got := execute(t, d, c.kernel(), 1, words, len(want), data); string(got) != string(want) {
		t.Errorf("got\n%x, want\n%x", got, want)
	}
}

// pairKernel multiplies and adds pairs of floats.
func pairKernel(e dtype.Type) *simt.Func {
	x, y, z, out := input("x", e), input("y", e), input("z", e), output("out", e)
	b := start("pairs", packThreads, x, y, z, out)
	b.SetLine("pairs.go:3")
	at := b.Binary(simt.Mul, thread(b), b.Int(2))
	load := func(buffer *simt.Buffer) *simt.Value { return b.LoadWords(buffer, at, nil, 1, 0) }
	b.StoreWords(out, at, b.PairFMA(e, load(x), load(y), load(z)), nil)
	return b.Func
}

// TestPairs compiles products and sums of pairs, which CUDA has, and SPIR-V those of F16 where that is a type of numbers.
func TestPairs(t *testing.T) {
	for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
		k := pairKernel(e)
		if err := simt.Verify(k); err != nil {
			t.Fatalf("%v\n%v", err, k)
		}
		checkCUDA(t, map[string]*simt.Func{e.String(): k}, bothArchs...)
	}
	refusedByShaders(t, "bf16", pairKernel(dtype.BF16))
	k := pairKernel(dtype.F16)
	if _, err := wgsl.Emit(declared(t, k, target.Caps{}), target.Caps{}); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("f16 in WGSL: %v", err)
	}
	if _, err := spirv.Emit(passed(t, k, leastSPIRV, "dce", "declare"), leastSPIRV); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("f16 in SPIR-V without the type: %v", err)
	}
	checkAssembly(t, map[string]string{"pairs": emitSPIRV(t, k, wholeSPIRV)})
	eachDevice(t, func(t *testing.T, d backend.Device) {
		if c := d.Caps(); c.Language != target.CUDA && !(c.Language == target.SPIRV && c.F16) {
			t.Skip("no pairs")
		}
		buffers, want := exactPairs(t, k)
		if got := execute(t, d, k, 1, nil, len(want), buffers...); string(got) != string(want) {
			t.Errorf("got\n%x, want\n%x", got, want)
		}
	})
}

// exactPairs are numbers whose products and sums are numbers, too, and what the machine computes of them.
func exactPairs(t *testing.T, k *simt.Func) (buffers [][]byte, want []byte) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 4 {
		values := make([]float64, 2*packThreads)
		for j := range values {
			values[j] = float64(rng.IntN(61) - 30)
		}
		buffers = append(buffers, make([]byte, 4*packThreads))
		dtype.PutFloats(dtype.F16, buffers[i], values)
	}
	if err := machine.Run(k, [3]int{1, 1, 1}, buffers, nil); err != nil {
		t.Fatal(err)
	}
	return buffers[:3], buffers[3]
}

// What the machine computes of pairs is what each of them gives, rounded once.
func TestPairsByMachine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
		k := pairKernel(e)
		buffers := make([][]byte, 4)
		values := make([][]float64, 3)
		for i := range buffers {
			if buffers[i] = make([]byte, 4*packThreads); i < 3 {
				values[i] = make([]float64, 2*packThreads)
				for j := range values[i] {
					values[i][j] = float64(dtype.Round(e, rng.NormFloat64()*math.Exp2(float64(rng.IntN(8)-4))))
				}
				dtype.PutFloats(e, buffers[i], values[i])
			}
		}
		if err := machine.Run(k, [3]int{1, 1, 1}, buffers, nil); err != nil {
			t.Fatal(err)
		}
		got := make([]float64, 2*packThreads)
		dtype.Floats(e, got, buffers[3])
		for i, x := range got {
			if want := float64(dtype.Round(e, math.FMA(values[0][i], values[1][i], values[2][i]))); x != want {
				t.Fatalf("%v: %v·%v + %v is %v, want %v", e, values[0][i], values[1][i], values[2][i], x, want)
			}
		}
	}
}

// bytesKernel picks bytes of two words.
func bytesKernel() *simt.Func { return wordsKernel("bytes", (*simt.Builder).PickBytes) }

// bitsKernel replaces bits of words.
func bitsKernel() *simt.Func { return wordsKernel("bits", (*simt.Builder).AndXor) }

// wordsKernel makes words of three others.
func wordsKernel(name string, of func(b *simt.Builder, x, y, z *simt.Value) *simt.Value) *simt.Func {
	x, y, z, out := input("x", dtype.U32), input("y", dtype.U32), input("z", dtype.U32), output("out", dtype.U32)
	b := start(name, packThreads, x, y, z, out)
	b.SetLine(name + ".go:3")
	at := thread(b)
	load := func(buffer *simt.Buffer) *simt.Value { return b.Load(buffer, at, nil, 1, 0) }
	b.Store(out, at, of(b, load(x), load(y), load(z)), nil)
	return b.Func
}

// TestAndXor compiles words of which bits are replaced, which CUDA alone does in one instruction, and runs them in the machine.
func TestAndXor(t *testing.T) {
	k := bitsKernel()
	if err := simt.Verify(k); err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	refusedByShaders(t, "bits", k)
	checkCUDA(t, map[string]*simt.Func{"bits": k}, bothArchs...)
	rng, buffers := rand.New(rand.NewPCG(5, 7)), make([][]byte, 4)
	for i := range buffers {
		buffers[i] = make([]byte, 4*packThreads)
		for j := range buffers[i] {
			buffers[i][j] = byte(rng.Uint32())
		}
	}
	if err := machine.Run(k, [3]int{1, 1, 1}, buffers, nil); err != nil {
		t.Fatal(err)
	}
	for i, got := range buffers[3] {
		if want := buffers[0][i]&buffers[1][i] ^ buffers[2][i]; got != want {
			t.Fatalf("byte %d is %#x, want %#x", i, got, want)
		}
	}
}

// TestPickBytes compiles choices of bytes, which CUDA alone has, and runs them in the machine.
func TestPickBytes(t *testing.T) {
	k := bytesKernel()
	if err := simt.Verify(k); err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	refusedByShaders(t, "bytes", k)
	checkCUDA(t, map[string]*simt.Func{"bytes": k}, bothArchs...)
	rng := rand.New(rand.NewPCG(5, 6))
	buffers := make([][]byte, 4)
	for i := range buffers {
		buffers[i] = make([]byte, 4*packThreads)
		for j := range buffers[i] {
			if buffers[i][j] = byte(rng.Uint32()); i == 2 {
				buffers[i][j] &= 0x77
			}
		}
	}
	if err := machine.Run(k, [3]int{1, 1, 1}, buffers, nil); err != nil {
		t.Fatal(err)
	}
	for i, got := range buffers[3] {
		word := i / 4 * 4
		digit := buffers[2][word+i%4/2] >> (4 * (i % 2)) & 7
		if want := buffers[digit/4][word+int(digit%4)]; got != want {
			t.Fatalf("byte %d is %#x, want byte %d, %#x", i, got, digit, want)
		}
	}
	buffers[2][5] = 0x8
	if err := machine.Run(k, [3]int{1, 1, 1}, buffers, nil); err == nil || !strings.Contains(err.Error(), "not below 8") {
		t.Errorf("a digit of 8: %v", err)
	}
}
