package emittest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/wgsl"
)

// WGSL has no integers of 64 bits and says so.
func TestLongWGSL(t *testing.T) {
	for _, v := range variants() {
		if !v.long() {
			continue
		}
		if _, err := wgsl.Emit(elementwise(v.kind, v.from, v.to, v.elem, 1), target.Caps{}); !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// longCase is a kernel of one variant with its operands and what it must give.
type longCase struct {
	v      variant
	width  int
	kernel *simt.Func
	inputs [][]byte
	want   []byte
}

const longElements = 512

// longCases are all variants of 64 bits, as scalars and as vectors.
func longCases() (cases []longCase) {
	rng := rand.New(rand.NewPCG(64, 1))
	for _, v := range variants() {
		if !v.long() {
			continue
		}
		for _, width := range []int{1, 4} {
			c := longCase{v: v, width: width, kernel: elementwise(v.kind, v.from, v.to, v.elem, width)}
			operands := [3][]uint64{}
			for i := range arity(v.kind) {
				operands[i] = longOperands(rng, v, i)
				e := v.from
				if v.kind == simt.Select && i == 0 {
					e = dtype.Bool
				}
				c.inputs = append(c.inputs, memory(e, operands[i]))
			}
			out := make([]uint64, longElements)
			for i := range out {
				var x [3]uint64
				for j := range arity(v.kind) {
					x[j] = operands[j][i]
				}
				out[i] = longMeaning(v, x)
			}
			c.want = memory(v.to, out)
			cases = append(cases, c)
		}
	}
	return cases
}

// memory lays out elements given as their low bits.
func memory(e dtype.Type, x []uint64) []byte {
	var b []byte
	for _, bits := range x {
		for i := range e.Size() {
			b = append(b, byte(bits>>(8*i)))
		}
	}
	return b
}

func longOperands(rng *rand.Rand, v variant, position int) []uint64 {
	edges := []uint64{0, 1, 2, 31, 32, 63, 1<<31 - 1, 1 << 31, 1 << 32, 1<<53 + 1, 1<<63 - 1, 1 << 63, math.MaxUint64}
	e := v.from
	if v.kind == simt.Select && position == 0 {
		e = dtype.Bool
	}
	x := make([]uint64, longElements)
	for i := range x {
		bits := rng.Uint64() >> rng.UintN(64)
		if n := len(edges); i < n*n {
			bits = edges[[]int{i / n, i % n, 3}[position]]
		}
		switch {
		case e == dtype.Bool:
			bits &= 1
		case e == dtype.F32:
			f := math.Ldexp(rng.NormFloat64(), rng.IntN(80)-8)
			if special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0x1p63, -0x1p63, 0x1p64, -0.75, 2.5}; i < len(special) {
				f = special[i]
			}
			bits = uint64(math.Float32bits(float32(f)))
		}
		least := e.IsSigned() && (v.kind == simt.Div || v.kind == simt.Rem)
		switch {
		case position == 1 && (v.kind == simt.Shl || v.kind == simt.Shr):
			bits &= 63
		case position == 1 && (v.kind == simt.Div || v.kind == simt.Rem) && (bits == 0 || least && bits == math.MaxUint64):
			bits = 3
		}
		x[i] = bits & (math.MaxUint64 >> (64 - 8*e.Size()))
	}
	return x
}

// longMeaning computes one lane with integers without bounds, as low bits.
func longMeaning(v variant, x [3]uint64) uint64 {
	number := func(i int) *big.Int {
		bits := x[i]
		if shift := 64 - 8*v.from.Size(); v.from.IsSigned() {
			return big.NewInt(int64(bits<<shift) >> shift)
		}
		return new(big.Int).SetUint64(bits)
	}
	switch v.kind {
	case simt.Select:
		if x[0] != 0 {
			return x[1]
		}
		return x[2]
	case simt.Bitcast:
		return x[0]
	case simt.Convert:
		switch {
		case v.from == dtype.F32:
			return dtype.Integer(v.to, float64(math.Float32frombits(uint32(x[0]))))
		case v.to == dtype.F32:
			f, _ := new(big.Float).SetInt(number(0)).Float32()
			return uint64(math.Float32bits(f))
		case v.to == dtype.Bool:
			return truth(x[0] != 0)
		}
		return low64(number(0))
	}
	z, a, b := new(big.Int), number(0), number(1)
	switch v.kind {
	case simt.Neg:
		z.Neg(a)
	case simt.Not:
		z.Not(a)
	case simt.Abs:
		z.Abs(a)
	case simt.Add:
		z.Add(a, b)
	case simt.Sub:
		z.Sub(a, b)
	case simt.Mul:
		z.Mul(a, b)
	case simt.Div:
		z.Quo(a, b)
	case simt.Rem:
		z.Rem(a, b)
	case simt.And:
		z.And(a, b)
	case simt.Or:
		z.Or(a, b)
	case simt.Xor:
		z.Xor(a, b)
	case simt.Shl:
		z.Lsh(a, uint(x[1]))
	case simt.Shr:
		z.Rsh(a, uint(x[1]))
	case simt.Min, simt.Max:
		if z.Set(b); (a.Cmp(b) < 0) == (v.kind == simt.Min) {
			z.Set(a)
		}
	default:
		c := a.Cmp(b)
		return truth(map[simt.Kind]bool{
			simt.Eq: c == 0, simt.Ne: c != 0, simt.Lt: c < 0, simt.Le: c <= 0, simt.Gt: c > 0, simt.Ge: c >= 0,
		}[v.kind])
	}
	return low64(z)
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// low64 are the low 64 bits in two's complement.
func low64(x *big.Int) uint64 {
	return new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}

func (c longCase) check(t *testing.T, got []byte) {
	t.Helper()
	size := c.v.to.Size()
	for i := 0; i < len(c.want); i += size {
		if !bytes.Equal(got[i:i+size], c.want[i:i+size]) {
			var operands []string
			for _, in := range c.inputs {
				n := len(in) / longElements
				operands = append(operands, fmt.Sprintf("%x", in[i/size*n:(i/size+1)*n]))
			}
			t.Errorf("%v width %d of %v (low byte first): %x, want %x", c.v, c.width, operands, got[i:i+size], c.want[i:i+size])
			return
		}
	}
}

// TestLongMachine holds the machine to the same results.
func TestLongMachine(t *testing.T) {
	for _, c := range longCases() {
		got := make([]byte, len(c.want))
		buffers := append(append([][]byte{}, c.inputs...), got)
		if err := machine.Run(c.kernel, [3]int{longElements / 64 / c.width, 1, 1}, buffers, nil); err != nil {
			t.Fatalf("%v: %v", c.v, err)
		}
		c.check(t, got)
	}
}

// TestLong runs the variants of 64 bits on devices that have them.
func TestLong(t *testing.T) {
	eachDevice(t, func(t *testing.T, d backend.Device) {
		if !d.Caps().Int64 {
			testenv.Skip(t, "int64", "the device has no integers of 64 bits")
		}
		for _, c := range longCases() {
			c.check(t, execute(t, d, c.kernel, longElements/64/c.width, nil, len(c.want), c.inputs...))
		}
	})
}

// cudaOnHost lets a C++ compiler read what is emitted for CUDA, as far as element-wise
// kernels of integers go.
const cudaOnHost = `
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cstring>
#define __device__
#define __global__
#define __launch_bounds__(n)
using std::min; using std::max; using std::abs;
struct { unsigned x, y, z; } threadIdx, blockIdx;
static inline float __int_as_float(int x) { float f; memcpy(&f, &x, 4); return f; }
static inline long long __float2ll_rz(float x) {
    return x != x ? (-9223372036854775807ll - 1) : x >= 0x1p63f ? 9223372036854775807ll : x < -0x1p63f ? (-9223372036854775807ll - 1) : (long long)x;
}
static inline unsigned long long __float2ull_rz(float x) {
    return x != x ? 1ull << 63 : x >= 0x1p64f ? ~0ull : x <= 0 ? 0ull : (unsigned long long)x;
}
alignas(64) static unsigned char in[3][1 << 14], out[1 << 14];
struct pointer {
    void* p;
    template <class T> operator T*() const { return (T*)p; }
};
`

// TestLongOnHost compiles the CUDA text of the variants of 64 bits for the host and runs it.
func TestLongOnHost(t *testing.T) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		testenv.Skip(t, "g++", err.Error())
	}
	cases, dir := longCases(), t.TempDir()
	var text, calls strings.Builder
	var input []byte
	text.WriteString(cudaOnHost)
	for i, c := range cases {
		source := strings.Replace(emitCUDA(t, c.kernel, "sm_80"), `extern "C" `, "", 1)
		fmt.Fprintf(&text, "namespace space_%d {\nusing ::min; using ::max; using ::abs;\n%s}\n", i, source)
		var args []string
		for j, data := range c.inputs {
			fmt.Fprintf(&calls, "    if (fread(in[%d], 1, %d, stdin) != %[2]d) abort();\n", j, len(data))
			input = append(input, data...)
			args = append(args, fmt.Sprintf("pointer{in[%d]}", j))
		}
		fmt.Fprintf(&calls, "    for (blockIdx.x = 0; blockIdx.x < %d; blockIdx.x++)\n        for (threadIdx.x = 0; threadIdx.x < 64; threadIdx.x++)\n            space_%d::op(%s, pointer{out});\n",
			longElements/64/c.width, i, strings.Join(args, ", "))
		fmt.Fprintf(&calls, "    fwrite(out, 1, %d, stdout);\n", len(c.want))
	}
	fmt.Fprintf(&text, "int main() {\n%s}\n", calls.String())
	source, program := filepath.Join(dir, "long.cpp"), filepath.Join(dir, "long")
	write(t, source, []byte(text.String()))
	if log, err := exec.Command(compiler, "-std=c++17", "-O1", "-w", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	cmd := exec.Command(program)
	cmd.Stdin = bytes.NewReader(input)
	got, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		c.check(t, got[:len(c.want)])
		got = got[len(c.want):]
	}
}
