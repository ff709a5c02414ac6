package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var quantizeCases = []testCase{
	{"QuantizeSchemes", quantizeSchemes},
	{"QuantizeForms", quantizeForms},
	{"QuantizeTies", quantizeTies},
	{"QuantizeEdges", quantizeEdges},
	{"DequantizeScales", dequantizeScales},
	{"QuantizeSmallCodes", quantizeSmallCodes},
	{"QuantizeOrders", quantizeOrders},
	{"QuantizedMatMul", quantizedMatMul},
	{"QuantizedInterleaved", quantizedInterleaved},
	{"LowBitGolden", lowbitGolden},
	{"QuantizeCodes", quantizeCodes},
	{"QuantizeCodeTies", quantizeCodeTies},
	{"DequantizeCodes", dequantizeCodes},
	{"QuantizeCodeGolden", codebookGolden},
	{"QuantizedMatMulCodes", quantizedMatMulCodes},
}

// schemes are the granularities, each with all bits and signs in the full suite.
func (s *suite) schemes() (list []ops.QuantScheme) {
	blocks := [][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 6}, {3, 1}, {3, 6}, {1, 16}}
	for i, b := range blocks {
		for j, asymmetric := range []bool{false, true} {
			for l, bits := range []int{4, 8} {
				if s.full || i%4 == 2*j+l {
					list = append(list, ops.QuantScheme{Bits: bits, Asymmetric: asymmetric, Block: b})
				}
			}
		}
	}
	return list
}

// blocksOf is a scheme's blocks on a matrix.
func blocksOf(scheme ops.QuantScheme, shape []int) reference.Blocks {
	return reference.Blocks{Rows: shape[0], Cols: shape[1], Block: scheme.Block}
}

// integers reads the integers of a matrix that is packed along rows and demands that what is not used is 0.
func (s *suite) integers(q *ops.Quantized) []float64 {
	s.Helper()
	if q.Bits == 8 {
		return s.floats(q.Data)
	}
	bytes, columns := must[[]uint8](s)(weft.ToSlice[uint8](q.Data)), q.Shape[1]
	unpack, pack := dtype.UnpackI4, dtype.PackI4
	if q.Asymmetric {
		unpack, pack = dtype.UnpackU4, dtype.PackU4
	}
	var list []float64
	for row := range slices.Chunk(bytes, max(1, (columns+1)/2)) {
		x := unpack(row, columns)
		if !slices.Equal(pack(x), row) {
			s.Errorf("a row ends with %x, which is more than its %d integers", row[len(row)-1], columns)
		}
		list = append(list, numbers(x)...)
	}
	return list
}

// quantized checks what Quantize made of x, from which it returns the exact real numbers that it stands for.
func (s *suite) quantized(q *ops.Quantized, x host) []float64 {
	s.Helper()
	b := blocksOf(q.QuantScheme, x.shape)
	quotients, scales, zeros := reference.Quantize(b, x.x, q.Bits, q.Asymmetric)
	s.compare(q.Scales, scales, func(i int) float64 { return 16 * dtype.F32.Epsilon() * scales[i] })
	found := s.floats(q.Scales)
	var points []float64
	least, most := q.Range()
	if q.Asymmetric {
		points = s.floats(q.Zeros)
		for i, z := range points {
			if d := math.Abs(z - zeros[i]); d > 1 {
				s.Errorf("zero point %d is %v, want %v", i, z, zeros[i])
			}
		}
	}
	got := s.integers(q)
	for i, v := range quotients {
		at, _ := b.Of(i)
		if q.Asymmetric {
			v += points[at]
		}
		v = min(max(v, float64(least)), float64(most))
		if math.Abs(got[i]-v) > 0.5+1e-4 {
			s.Fatalf("%v: element %d of %v became %v, want %v", q, i, x.x[i], got[i], v)
		}
	}
	exact := reference.Dequantize(b, got, found, points)
	for i, v := range x.x {
		at, _ := b.Of(i)
		if d := math.Abs(exact[i] - v); d > bounds.Quantize(weft.F32, q.Bits, found[at], v) {
			s.Fatalf("%v: element %d of %v became %v, with a scale of %v", q, i, v, exact[i], found[at])
		}
	}
	return exact
}

// roundTrip quantises a matrix and back, in given forms.
func (s *suite) roundTrip(scheme ops.QuantScheme, x host, in, outForm form, out weft.DType) {
	s.Helper()
	s.op("Quantize")
	q := must[*ops.Quantized](s)(ops.Quantize(s.input(in, x), scheme))
	defer q.Close()
	exact := s.quantized(q, x)
	s.op("Dequantize")
	y := s.output(outForm, out, x.shape...)
	s.try(ops.DequantizeInto(y.Tensor, q))
	top := largest[out]
	for i, v := range exact {
		exact[i] = min(max(v, -top), top)
	}
	y.check(exact, func(i int) float64 { return bounds.Dequantize(out, exact[i]) })
}

func quantizeSchemes(s *suite) {
	for i, scheme := range s.schemes() {
		shape := []int{9, 42}
		if scheme.Block[1] == 16 {
			shape = []int{5, 48}
		}
		elem := floatTypes[i%3]
		s.roundTrip(scheme, s.random(elem, shape...), dense, sliced, elem)
	}
}

// quantizeForms are views of every kind, odd numbers of columns, and long blocks that many programs share.
func quantizeForms(s *suite) {
	scheme := ops.QuantScheme{Bits: 4, Asymmetric: true, Block: [2]int{1, 0}}
	for _, f := range []form{transposed, stepped} {
		s.roundTrip(scheme, s.random(weft.F32, 13, 77), f, dense, weft.F32)
	}
	s.roundTrip(ops.QuantScheme{Bits: 8}, s.random(weft.F16, 300, 301), transposed, dense, weft.F32)
	s.roundTrip(ops.QuantScheme{Bits: 4, Block: [2]int{0, 1}}, s.random(weft.F32, 3001, 3), dense, dense, weft.F16)
	// A transposed matrix is packed along its columns.
	x := s.random(weft.F32, 11, 35)
	q := must[*ops.Quantized](s)(ops.Quantize(s.tensor(x), ops.QuantScheme{Bits: 4, Block: [2]int{1, 7}}))
	exact := s.quantized(q, x)
	s.op("Dequantize")
	y := s.output(transposed, weft.F32, 35, 11)
	s.try(ops.DequantizeInto(y.Tensor, q.T()))
	want := transpose(host{weft.F32, x.shape, exact})
	y.check(want, func(i int) float64 { return bounds.Dequantize(weft.F32, want[i]) })
}

// quantizeTies has given scales, powers of two, so that every quotient is exact: ties go to even and the rest saturates.
func quantizeTies(s *suite) {
	s.op("QuantizeWith")
	for _, scheme := range []ops.QuantScheme{{Bits: 4}, {Bits: 4, Asymmetric: true}, {Bits: 8}, {Bits: 8, Asymmetric: true}} {
		for _, elem := range []weft.DType{weft.F32, weft.F16} {
			x := host{elem: elem, shape: []int{3, 201}}
			for i := range 3 * 201 {
				x.x = append(x.x, float64(i-301)/4) // quotients of a half, with a scale of 1/2
			}
			zero := 0
			var zeros *weft.Tensor
			if scheme.Asymmetric {
				zero = 3
				zeros = s.tensor(host{weft.U8, []int{1, 1}, []float64{3}})
			}
			q := must[*ops.Quantized](s)(ops.QuantizeWith(s.tensor(x), scheme, s.tensor(host{elem, []int{1, 1}, []float64{0.5}}), zeros))
			least, most := scheme.Range()
			if !scheme.Asymmetric {
				least--
			}
			want := host{weft.I8, x.shape, nil}
			for _, v := range x.x {
				want.x = append(want.x, min(max(math.RoundToEven(2*v)+float64(zero), float64(least)), float64(most)))
			}
			s.compare(q.Data, stored(want, scheme).x, nil)
		}
	}
}

// dequantizeScales has scales that are NaN, infinite and so large that numbers saturate, of a few columns and of many.
func dequantizeScales(s *suite) {
	for _, elem := range floatTypes {
		top := largest[elem]
		for _, columns := range []int{3, 8, 16, 67} {
			data := host{weft.I8, []int{3, columns}, nil}
			for i := range 3 * columns {
				data.x = append(data.x, float64(i%columns%5-2))
			}
			q := must[*ops.Quantized](s)(ops.NewQuantized(ops.QuantScheme{Bits: 8, Block: [2]int{1, 0}}, 3, columns, s.tensor(data), s.tensor(host{weft.F32, []int{3, 1}, []float64{math.NaN(), math.Inf(1), 0x1p127}}), nil))
			for i, v := range s.floats(s.ok(ops.Dequantize(q, elem))) {
				x := data.x[i]
				switch row := i / columns; {
				case row == 0 || row == 1 && x == 0:
					if v == v {
						s.Errorf("%v: %v with a scale of NaN or infinity is %v", elem, x, v)
					}
				case row == 1 && v != math.Copysign(top, x), row == 2 && math.Abs(x) == 2 && v != math.Copysign(top, x):
					s.Errorf("%v: %v in row %d is %v, want the largest number", elem, x, row, v)
				}
			}
		}
	}
}

// quantizeSmallCodes has a code book of small numbers, by which the scales of large numbers would be larger than any: they are the largest then, and the numbers saturate.
func quantizeSmallCodes(s *suite) {
	values := make([]float32, 16)
	values[1], values[2] = 0x1p-12, -0x1p-12
	book := must[ops.CodeBook](s)(ops.NewCodeBook(values))
	x := s.tensor(host{weft.F32, []int{3, 2}, []float64{0x1p100, -0x1.8p99, 0x1p117, -0x1p117, 0x1p127, 0}})
	for powers, scale := range map[bool]float64{false: math.MaxFloat32, true: 0x1p126} {
		q := must[*ops.Quantized](s)(ops.Quantize(x, ops.QuantScheme{Bits: 4, Codes: book, PowersOfTwo: powers, Block: [2]int{1, 0}}))
		top := 0x1p-12 * scale
		s.compare(s.ok(ops.Dequantize(q, weft.F32)), []float64{0x1p100, -0x1p100, top, -top, top, 0}, func(i int) float64 { return bounds.Dequantize(weft.F32, top) })
	}
}

// quantizeEdges are zeros, blocks of one sign, extreme sizes of numbers and tensors.
func quantizeEdges(s *suite) {
	x := s.random(weft.F32, 6, 8)
	for i := range 8 {
		x.x[i] = 0
		x.x[8+i] = 100 + float64(i)
		x.x[16+i] = -100 - float64(i)
		x.x[24+i] *= 0x1p125
		x.x[32+i] *= 0x1p-110
	}
	x.x[24], x.x[25] = math.MaxFloat32, -math.MaxFloat32 // whose difference is no number, and half a step beyond neither
	rounded(weft.F32, x.x)
	for _, asymmetric := range []bool{false, true} {
		s.roundTrip(ops.QuantScheme{Bits: 8, Asymmetric: asymmetric, Block: [2]int{1, 0}}, x, dense, dense, weft.F32)
	}
	for _, shape := range [][2]int{{0, 5}, {5, 0}, {0, 0}} {
		for _, b := range [][2]int{{0, 0}, {1, 0}, {1, 1}} {
			q := must[*ops.Quantized](s)(ops.Quantize(s.tensor(s.random(weft.F32, shape[:]...)), ops.QuantScheme{Bits: 4, Block: b}))
			y := s.ok(ops.Dequantize(q, weft.F32))
			if y.Dim(0) != shape[0] || y.Dim(1) != shape[1] {
				s.Errorf("%v became %v", shape, y)
			}
			if product := s.ok(ops.QuantizedMatMul(s.tensor(s.random(weft.F32, 3, shape[1])), q.T())); shape[1] == 0 { // by scales of blocks of nothing
				s.compare(product, make([]float64, 3*shape[0]), nil)
			}
		}
	}
}
