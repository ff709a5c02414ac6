package suite

import (
	"fmt"
	"math"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// The schemes: 4 bits in groups of 128, 8 bits with a scale to each row, integers or floats, and the usual groups of NF4.
var (
	groups4   = ops.QuantScheme{Bits: 4, Block: [2]int{1, 128}}
	channels8 = ops.QuantScheme{Bits: 8, Block: [2]int{1, 0}}
	nf4       = ops.QuantScheme{Bits: 4, Codes: ops.NF4, Block: [2]int{1, 64}}
	fp8       = ops.QuantScheme{Bits: 8, Codes: ops.FP8, Block: [2]int{1, 0}}
)

// schemeName is "i4/128" for groups of 128, "i8" for channels, "nf4/64", "mxfp4" and "fp8".
func schemeName(scheme ops.QuantScheme) string {
	name := fmt.Sprintf("i%d", scheme.Bits)
	switch {
	case scheme == ops.MXFP4:
		return "mxfp4"
	case scheme == ops.MXFP8:
		return "mxfp8"
	case scheme.Codes != (ops.CodeBook{}):
		name = strings.ToLower(scheme.Codes.String())
	}
	if group := scheme.Block[1]; group != 0 {
		name += fmt.Sprintf("/%d", group)
	}
	return name
}

// weights are the operands of a symmetric matrix [n,k], a scale to each block of a row.
func weights(scheme ops.QuantScheme, n, k int) (data, scales Operand) {
	data, scales = uniform(-128, 128, weft.I8, n, k), uniform(0.01, 0.02, weft.F32, n, 1)
	switch {
	case scheme.Bits == 4:
		data = uniform(0, 256, weft.U8, n, k/2)
	case scheme.Codes != (ops.CodeBook{}):
		data = uniform(0, 256, weft.U8, n, k)
	}
	if scheme.PowersOfTwo {
		scales = uniform(115, 122, weft.U8, n, 1)
	}
	if group := scheme.Block[1]; group != 0 {
		scales.Shape[1] = k / group
	}
	return data, scales
}

// schemeParams are what peers make numbers by.
func schemeParams(scheme ops.QuantScheme) map[string]any {
	return map[string]any{"bits": scheme.Bits, "codes": scheme.Codes.Values()}
}

// weight is element i of such a matrix of k columns, by the numbers of the scheme's codes.
func weight(scheme ops.QuantScheme, book []float32, data, scales Values, i, k int) float64 {
	group := k
	if scheme.Block[1] != 0 {
		group = scheme.Block[1]
	}
	q, scale := data(i/(8/scheme.Bits)), scales(i/group)
	switch {
	case book != nil && scheme.Bits == 8:
		q = float64(book[uint8(q)])
	case book != nil:
		q = float64(book[uint8(q)>>(i%2*4)&15])
	case scheme.Bits == 4:
		q = float64(int8(uint8(q)>>(i%2*4)<<4) >> 4)
	}
	if scheme.PowersOfTwo {
		scale = math.Ldexp(1, int(scale)-127)
	}
	return q * scale
}

// matrices are the quantised matrices [n,k] of a work, or their transposes, by the tensors of their integers.
type matrices struct {
	scheme     ops.QuantScheme
	n, k       int
	transposed bool
	made       map[*weft.Tensor]*ops.Quantized
}

func matricesOf(scheme ops.QuantScheme, n, k int, transposed bool) *matrices {
	return &matrices{scheme, n, k, transposed, map[*weft.Tensor]*ops.Quantized{}}
}

// of is the matrix of two tensors.
func (m *matrices) of(data, scales *weft.Tensor) (*ops.Quantized, error) {
	if q := m.made[data]; q != nil {
		return q, nil
	}
	q, err := ops.NewQuantized(m.scheme, m.n, m.k, data, scales, nil)
	if err != nil {
		return nil, err
	}
	if m.transposed {
		q = q.T()
	}
	m.made[data] = q
	return q, nil
}

// pack has the weights [k,n] of a product in the order into which Pack brings them.
func (m *matrices) pack(in []*weft.Tensor) (release func() error, err error) {
	q, err := m.of(in[1], in[2])
	if err != nil {
		return nil, err
	}
	packed, err := q.Pack()
	if err != nil {
		return nil, err
	}
	m.made[in[1]] = packed
	return func() error {
		delete(m.made, in[1])
		return packed.Close()
	}, nil
}

// quantizedMatMul multiplies activations [m,k] with the weights [n,k] of a layer, which are packed before. Its peers are what a program would have instead: the plain product of
// weights of f16 that were dequantised once, before what is timed, and PyTorch's product with weights of 4 bits, of which the faster one counts.
func quantizedMatMul(scheme ops.QuantScheme, m, n, k int) Work {
	data, scales := weights(scheme, n, k)
	matrices, book := matricesOf(scheme, n, k, true), scheme.Codes.Values()
	return Work{
		Name: fmt.Sprintf("quantized_matmul f16 %s %s", schemeName(scheme), size(m, n, k)), Op: "quantized_matmul",
		Inputs: []Operand{normal(weft.F16, m, k), data, scales}, Output: normal(weft.F16, m, n),
		Flop: 2 * float64(m) * float64(n) * float64(k), Terms: k, Params: schemeParams(scheme),
		Prepare: matrices.pack,
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			q, err := matrices.of(in[1], in[2])
			if err != nil {
				return err
			}
			return ops.QuantizedMatMulInto(out, in[0], q)
		},
		Want: func(in []Values, i int) (want, bound float64) {
			row, column, magnitudes, activations := i/n, i%n, 0.0, 0.0
			for p := range k {
				a := in[0](row*k + p)
				x := a * weight(scheme, book, in[1], in[2], column*k+p, k)
				want += x
				magnitudes += math.Abs(x)
				activations += math.Abs(a)
			}
			return want, bounds.QuantizedMatMul(weft.F16, k, want, magnitudes, activations)
		},
	}
}

// quantize writes the integers as the output and the scales into its second input. Where an element is
// near the middle of two integers either is right.
func quantize(scheme ops.QuantScheme, n, k int) Work {
	data, scales := weights(scheme, n, k)
	matrices, group := matricesOf(scheme, n, k, false), scheme.Block[1]
	integer := func(in []Values, i int) (float64, float64) {
		largest := 0.0
		for p := range group {
			largest = max(largest, math.Abs(in[0](i/group*group+p)))
		}
		x := in[0](i) / (largest / 7)
		return math.RoundToEven(x), math.Abs(x - math.Trunc(x))
	}
	return Work{
		Name: fmt.Sprintf("quantize f32 %s %s", schemeName(scheme), size(n, k)), Op: "quantize",
		Inputs: []Operand{normal(weft.F32, n, k), scales}, Output: data, Terms: 2 * group, Params: map[string]any{"bits": scheme.Bits},
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			q, err := matrices.of(out, in[1])
			if err != nil {
				return err
			}
			return ops.QuantizeInto(q, in[0])
		},
		Want: func(in []Values, i int) (want, bound float64) {
			low, part := integer(in, 2*i)
			high, other := integer(in, 2*i+1)
			if min(math.Abs(part-0.5), math.Abs(other-0.5)) < 1e-4 {
				bound = 255
			}
			return float64(uint8(int8(low))&15 | uint8(int8(high))<<4), bound
		},
	}
}

func dequantize(scheme ops.QuantScheme, n, k int) Work {
	data, scales := weights(scheme, n, k)
	matrices, book := matricesOf(scheme, n, k, false), scheme.Codes.Values()
	return Work{
		Name: fmt.Sprintf("dequantize f16 %s %s", schemeName(scheme), size(n, k)), Op: "dequantize",
		Inputs: []Operand{data, scales}, Output: normal(weft.F16, n, k), Params: schemeParams(scheme),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			q, err := matrices.of(in[0], in[1])
			if err != nil {
				return err
			}
			return ops.DequantizeInto(out, q)
		},
		Want: func(in []Values, i int) (want, bound float64) {
			want = weight(scheme, book, in[0], in[1], i, k)
			return want, bounds.Dequantize(weft.F16, want)
		},
	}
}
