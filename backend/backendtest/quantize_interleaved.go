package backendtest

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// interleaved is a quantised matrix whose integers are interleaved along the dimension that they are packed along, by the definition of ops.Quantized; nil where blocks do not fit. Its memory is of a form.
func (s *suite) interleaved(w *ops.Quantized, f form) *ops.Quantized {
	s.Helper()
	perWord, along := 32/w.Bits, w.Packed
	block := 16 * perWord
	if n := w.Shape[along]; n == 0 || w.Shape[1-along] == 0 || n%block != 0 || w.Block[along]%block != 0 {
		return nil
	}
	shape, x := w.Data.Shape(), s.floats(w.Data)
	if along == 0 {
		x = transpose(host{w.Data.DType(), shape, x})
		slices.Reverse(shape)
	}
	perByte := 8 / w.Bits
	y := make([]float64, len(x))
	for i := range len(x) * perByte {
		first, e := i/block*block, i%block
		h, t, b, word := e%2, e/2%4, e/8%(perWord/2), e/8/(perWord/2)
		place := first + ((t*4+word)*2+h)*(perWord/2) + b
		if perByte == 1 {
			y[place] = x[i]
			continue
		}
		nibble := int(x[i/2]) >> (i % 2 * 4) & 15
		y[place/2] += float64(nibble << (place % 2 * 4))
	}
	r := *w
	r.Data, r.Interleaved = s.input(f, host{w.Data.DType(), shape, y}), block
	if along == 0 { // in memory the integers of a column follow each other, as Pack has them
		r.Data = r.Data.T()
	}
	return &r
}

// quantizedInterleaved has matrices whose integers are interleaved, by the launch rule: products of few and of many rows of each type, whose rows producers can copy and not, with weights that are
// interleaved along K and along N; the numbers that they stand for; and the way back. Every device takes them.
func quantizedInterleaved(s *suite) {
	scheme := func(bits int, asymmetric bool, rows, cols int) ops.QuantScheme {
		return ops.QuantScheme{Bits: bits, Asymmetric: asymmetric, Block: [2]int{rows, cols}}
	}
	cases := []quantizedProduct{
		{scheme: scheme(4, false, 1, 128), t: true, m: 1, k: 1280, n: 70, elem: weft.F16, bias: true},
		{scheme: scheme(4, false, 1, 128), t: true, m: 5, k: 1152, n: 131, elem: weft.F16, scale: weft.F16, a: sliced, w: sliced},
		{scheme: scheme(4, true, 1, 256), t: true, m: 19, k: 1024, n: 67, elem: weft.BF16, scale: weft.BF16, bias: true},
		{scheme: scheme(4, true, 1, 0), t: true, m: 40, k: 640, n: 99, elem: weft.F16, a: stepped},
		{scheme: scheme(4, false, 1, 128), t: true, m: 70, k: 896, n: 261, elem: weft.F16, a: transposed, bias: true},
		{scheme: scheme(4, false, 1, 384), t: true, m: 140, k: 768, n: 150, elem: weft.BF16},
		{scheme: scheme(8, false, 1, 0), t: true, m: 3, k: 704, n: 90, elem: weft.BF16, a: sliced, bias: true},
		{scheme: scheme(8, true, 1, 64), t: true, m: 33, k: 832, n: 131, elem: weft.F16, scale: weft.F16, w: sliced},
		{scheme: scheme(8, false, 1, 192), t: true, m: 90, k: 576, n: 259, elem: weft.F16, a: sliced},
		{scheme: scheme(8, true, 1, 64), t: true, m: 270, k: 704, n: 392, elem: weft.F16, bias: true},
		{scheme: ops.QuantScheme{Bits: 4, Codes: ops.NF4, Block: [2]int{1, 128}}, t: true, m: 9, k: 512, n: 37, elem: weft.F16},
		{scheme: ops.QuantScheme{Bits: 4, Codes: ops.NF4, Block: [2]int{1, 128}}, t: true, m: 3, k: 1024, n: 96, elem: weft.F16, bias: true},
		{scheme: ops.QuantScheme{Bits: 4, Codes: ownBook, Block: [2]int{1, 0}}, t: true, m: 1, k: 1024, n: 64, elem: weft.BF16},
		{scheme: scheme(4, false, 1, 128), t: true, m: 2, k: 512, n: 37, bias: true}, {scheme: scheme(8, true, 1, 0), t: true, m: 40, k: 320, n: 45},
		{scheme: scheme(4, true, 32, 1), m: 7, k: 96, n: 256, elem: weft.F16, bias: true}, // along N, whose groups have one column
		{scheme: scheme(4, true, 0, 0), m: 7, k: 96, n: 256, elem: weft.F16, bias: true}, {scheme: scheme(8, false, 16, 64), m: 65, k: 80, n: 192, elem: weft.BF16, w: sliced},
	}
	for _, c := range cases {
		c.elem, c.scale = cmp.Or(c.elem, weft.F32), cmp.Or(c.scale, weft.F32)
		s.sub(func(s *suite) { s.multiplyQuantized(c) }, "%v_%v_%dx%dx%d", c.scheme, c.elem, c.m, c.k, c.n)
	}
	for _, scheme := range []ops.QuantScheme{scheme(4, false, 1, 128), scheme(4, true, 3, 256), scheme(8, true, 0, 64), scheme(8, false, 0, 0), {Bits: 4, Codes: ops.NF4, Block: [2]int{1, 0}}} {
		for _, cols := range []int{256, 768} {
			s.sub(func(s *suite) { s.interleavedNumbers(scheme, 9, cols) }, "%v_%d", scheme, cols)
		}
	}
}

// interleavedNumbers dequantises a matrix that is interleaved, and its transpose, and takes it back.
func (s *suite) interleavedNumbers(scheme ops.QuantScheme, rows, cols int) {
	s.Helper()
	plain, real := s.anyWeights(scheme, weft.F32, dense, rows, cols)
	w := s.interleaved(plain, sliced)
	for _, elem := range floatTypes {
		if elem == weft.F64 {
			continue
		}
		s.op("Dequantize")
		bound := func(x []float64) func(i int) float64 {
			return func(i int) float64 { return bounds.Dequantize(elem, x[i]) }
		}
		out := s.output(stepped, elem, rows, cols)
		s.try(ops.DequantizeInto(out.Tensor, w))
		out.check(real.x, bound(real.x))
		crossed := transpose(real)
		out = s.output(sliced, elem, cols, rows)
		s.try(ops.DequantizeInto(out.Tensor, w.T()))
		out.check(crossed, bound(crossed))
	}
	s.op("Quantized.Unpack")
	back := must[*ops.Quantized](s)(w.Unpack())
	defer back.Close()
	if back.Interleaved != 0 || back.Packed != 1 {
		s.Errorf("interleaved in blocks of %d, packed along dimension %d", back.Interleaved, back.Packed)
	}
	s.compare(back.Data, s.floats(plain.Data), nil)
	s.op("Quantized.Pack")
	packed := must[*ops.Quantized](s)(w.T().Pack()) // which has this order
	defer packed.Close()
	if packed.Interleaved != w.Interleaved || packed.Packed != 0 {
		s.Errorf("interleaved in blocks of %d, packed along dimension %d", packed.Interleaved, packed.Packed)
	}
	s.compare(s.ok(packed.Data.T(), nil), s.floats(w.Data), nil)
}
