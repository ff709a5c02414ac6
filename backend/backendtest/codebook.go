package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/internal/reference/golden"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// ownBook has numbers in no order, twice, with a gap, and none below -0.75; ownSigned has a sign, and no multiples of one number.
var (
	ownBook   = newBook(0.25, 3, -0.5, 0, 1, 1, 0.125, -0.75, 0.375, 1.5, 2, -0.25, 0.0625, 0.5, 0.75, 0.3)
	ownSigned = newBook(0, 0.1, 0.2, 0.5, 1.1, 0.7, 2.3, 1.7, float32(math.Copysign(0, -1)), -0.1, -0.2, -0.5, -1.1, -0.7, -2.3, -1.7)
)

func newBook(values ...float32) ops.CodeBook {
	b, err := ops.NewCodeBook(values)
	if err != nil {
		panic(err)
	}
	return b
}

// codeSchemes are code books and scales that are powers of two, in blocks that divide matrices of 6 × 96.
func codeSchemes() []ops.QuantScheme {
	return []ops.QuantScheme{
		ops.MXFP4, ops.MXFP4.T(), // of which the second is for 96 × 6
		{Bits: 4, Codes: ops.NF4, Block: [2]int{1, 16}},
		{Bits: 4, Codes: ops.NF4, Block: [2]int{1, 0}},
		{Bits: 4, Codes: ops.NF4, PowersOfTwo: true, Block: [2]int{3, 6}},
		{Bits: 4, Codes: ops.FP4, Block: [2]int{0, 1}},
		{Bits: 4, Codes: ops.FP4},
		{Bits: 4, Codes: ownBook, Block: [2]int{2, 12}},
		{Bits: 4, Codes: ownSigned, Block: [2]int{1, 3}},
		{Bits: 4, PowersOfTwo: true, Block: [2]int{1, 6}},
		{Bits: 8, PowersOfTwo: true, Block: [2]int{1, 32}},
		{Bits: 8, PowersOfTwo: true},
		ops.MXFP8, ops.MXFP8.T(), // of which the second is for 96 × 6
		{Bits: 8, Codes: ops.FP8, Block: [2]int{1, 0}},
		{Bits: 8, Codes: ops.FP8, Block: [2]int{3, 16}},
		{Bits: 8, Codes: ops.FP8},
	}
}

// quantizable are the numbers of a code book, but for those that Quantize makes none of: the largest that it makes in place of them.
func quantizable(book ops.CodeBook) []float32 {
	values, most := book.Values(), float32(book.Largest())
	for i, v := range values {
		values[i] = min(max(v, -most), most)
	}
	return values
}

// codesOf reads the codes, or the integers, of a matrix that is packed along rows, and demands that what is not used is 0.
func (s *suite) codesOf(q *ops.Quantized) []float64 {
	s.Helper()
	if q.Bits == 8 || q.Codes == (ops.CodeBook{}) {
		return s.integers(q)
	}
	q = &ops.Quantized{QuantScheme: ops.QuantScheme{Bits: 4, Asymmetric: true}, Shape: q.Shape, Data: q.Data}
	return s.integers(q)
}

// meant is what a scheme multiplies scales by, of codes or integers.
func meant(scheme ops.QuantScheme, q []float64) []float64 {
	book := scheme.Codes.Values()
	if book == nil {
		return q
	}
	x := make([]float64, len(q))
	for i, code := range q {
		x[i] = float64(book[int(code)])
	}
	return x
}

// scalesOf are the numbers that scales stand for.
func scalesOf(scheme ops.QuantScheme, x []float64) []float64 {
	if !scheme.PowersOfTwo {
		return x
	}
	y := make([]float64, len(x))
	for i, e := range x {
		if y[i] = math.Ldexp(1, int(e)-127); e == 255 {
			y[i] = math.NaN()
		}
	}
	return y
}

// codes checks what Quantize made of x, from which it returns the exact real numbers that it stands for.
func (s *suite) codes(q *ops.Quantized, x host) []float64 {
	s.Helper()
	b := blocksOf(q.QuantScheme, x.shape)
	quotients, scales := reference.QuantizeCodes(b, x.x, q.Largest(), q.PowersOfTwo)
	found := scalesOf(q.QuantScheme, s.floats(q.Scales))
	far := 1e-4 // by how much a quotient may be wrong
	if q.PowersOfTwo {
		far = 0
	}
	for i, v := range scales {
		if !(math.Abs(found[i]-v) <= 16*dtype.F32.Epsilon()*v*math.Ceil(far)) {
			s.Fatalf("%v: scale %d is %v, want %v", q, i, found[i], v)
		}
	}
	got, book := s.codesOf(q), quantizable(q.Codes)
	means := meant(q.QuantScheme, got)
	for i, v := range quotients {
		at, _ := b.Of(i)
		want := math.RoundToEven(min(max(v, -q.Largest()-1), q.Largest())) // -128 and -8, too
		if book != nil {
			want = float64(book[reference.Nearest(book, v)])
		}
		if d := math.Abs(means[i] - v); d > math.Abs(want-v)+far {
			s.Fatalf("%v: element %d of %v became %v, want %v", q, i, x.x[i], means[i], want)
		}
		if d := math.Abs(means[i]*found[at] - x.x[i]); d > bounds.QuantizeCodes(weft.F32, q.Reach(), found[at], x.x[i]) {
			s.Fatalf("%v: element %d of %v became %v, with a scale of %v", q, i, x.x[i], means[i]*found[at], found[at])
		}
	}
	return reference.Dequantize(b, means, found, nil)
}

// codesTo quantises a matrix and back, in given forms.
func (s *suite) codesTo(scheme ops.QuantScheme, x host, in, outForm form, elem weft.DType) {
	s.Helper()
	s.op("Quantize")
	rows, cols := x.shape[0], x.shape[1]
	bytes, count := cols, scheme.ScalesShape([2]int{rows, cols})
	if scheme.Bits == 4 {
		bytes = (cols + 1) / 2
	}
	data, scales := s.output(outForm, scheme.Stored(), rows, bytes), s.output(outForm, scheme.ComputedScales(), count[:]...)
	q := &ops.Quantized{QuantScheme: scheme, Shape: [2]int{rows, cols}, Data: data.Tensor, Scales: scales.Tensor, Packed: 1}
	s.try(ops.QuantizeInto(q, s.input(in, x)))
	exact := s.codes(q, x)
	data.check(s.floats(data.Tensor), nil) // and that nothing around it was written
	scales.check(s.floats(scales.Tensor), nil)
	s.op("Dequantize")
	top := largest[elem]
	for _, f := range []form{outForm, transposed} {
		y := s.output(f, elem, rows, cols)
		s.try(ops.DequantizeInto(y.Tensor, q))
		for i, v := range exact {
			exact[i] = min(max(v, -top), top)
		}
		y.check(exact, func(i int) float64 { return bounds.Dequantize(elem, exact[i]) })
	}
}

func quantizeCodes(s *suite) {
	for i, scheme := range codeSchemes() {
		shape := []int{6, 96}
		if scheme.Block[0] == 32 {
			shape = []int{96, 6}
		}
		for j, elem := range floatTypes {
			if s.full || i%3 == j {
				s.codesTo(scheme, s.random(elem, shape...), []form{dense, transposed, stepped}[i/3%3], sliced, elem)
			}
		}
	}
	// Odd numbers of columns, long blocks that many programs share, zeros, and sizes of numbers from the least to the largest.
	s.codesTo(ops.QuantScheme{Bits: 4, Codes: ops.NF4}, s.random(weft.F32, 301, 77), dense, dense, weft.F32)
	s.codesTo(ops.QuantScheme{Bits: 4, Codes: ops.FP4, PowersOfTwo: true, Block: [2]int{0, 1}}, s.random(weft.F16, 3001, 3), dense, sliced, weft.F16)
	x := s.random(weft.F32, 5, 64)
	for i := range x.x {
		x.x[i] *= []float64{0x1p125, 0x1p-100, 0, 1, 0x1p60}[i/64]
	}
	x.x[0], x.x[1] = math.MaxFloat32, -math.MaxFloat32
	rounded(weft.F32, x.x)
	s.codesTo(ops.MXFP4, x, dense, dense, weft.F32)
	s.codesTo(ops.QuantScheme{Bits: 4, Codes: ops.NF4, Block: [2]int{1, 64}}, x, dense, dense, weft.F32)
	s.codesTo(ops.MXFP8, x, dense, dense, weft.F32)
	s.codesTo(ops.QuantScheme{Bits: 8, Codes: ops.FP8, Block: [2]int{1, 64}}, x, dense, dense, weft.F32)
}

// quantizeCodeTies has the number in the middle of each two and those next to it, by given scales that make every quotient exact.
func quantizeCodeTies(s *suite) {
	s.op("QuantizeWith")
	for _, book := range []ops.CodeBook{ops.NF4, ops.FP4, ownBook, ownSigned, ops.FP8} {
		values := quantizable(book)
		sorted := slices.Clone(values)
		slices.Sort(sorted)
		x := host{elem: weft.F32, shape: []int{1, 0}}
		for i, v := range sorted[1:] {
			middle := float32((float64(v) + float64(sorted[i])) / 2)
			for _, y := range []float32{v, math.Nextafter32(middle, -9), middle, math.Nextafter32(middle, 9)} {
				if y == 0 || math.Abs(float64(y)) > 0x1p-100 { // not subnormal
					x.x = append(x.x, float64(y))
				}
			}
		}
		x.x = append(x.x, 1000, -1000, -0.01)
		x.shape[1] = len(x.x)
		want, codes := host{weft.U8, x.shape, nil}, ops.QuantScheme{Bits: book.Bits(), Asymmetric: true}
		for i, v := range x.x {
			code := reference.Nearest(values, v)
			if v == 0 { // of either sign
				x.x[i], code = 0, reference.Nearest(values, 0)
			}
			want.x = append(want.x, float64(code))
			x.x[i] *= 0.25
		}
		scheme := ops.QuantScheme{Bits: book.Bits(), Codes: book, PowersOfTwo: true}
		q := must[*ops.Quantized](s)(ops.QuantizeWith(s.tensor(x), scheme, s.tensor(host{weft.U8, []int{1, 1}, []float64{125}}), nil))
		if got := s.codesOf(q); !slices.Equal(got, want.x) {
			s.Errorf("%v: %v became %v, want %v", book, x.x, got, want.x)
		}
		s.compare(q.Data, stored(want, codes).x, nil)
		// By other scales, numbers that are not near the middle of two.
		scheme.PowersOfTwo = false
		for i := range x.x {
			code := i % len(values)
			x.x[i], want.x[i] = float64(values[code])*0.5, float64(reference.Nearest(values, float64(values[code])))
		}
		q = must[*ops.Quantized](s)(ops.QuantizeWith(s.tensor(x), scheme, s.tensor(host{weft.F16, []int{1, 1}, []float64{0.5}}), nil))
		s.compare(q.Data, stored(want, codes).x, nil)
	}
}

// The tables as they are published: of NF4 in appendix E of QLoRA, of E2M1 in the Microscaling specification, of E4M3 in table 1 of the 8-bit Floating Point Specification,
// whose NaN count on.
var publishedCodes = map[ops.CodeBook][]float64{
	ops.NF4: {-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
		-0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
		0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0},
	ops.FP4: {0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6},
	ops.FP8: publishedFloats(),
}

func publishedFloats() []float64 {
	table := make([]float64, 256)
	for code := range table {
		table[code] = reference.Float8(code)
	}
	return table
}

// dequantizeCodes has every code with every power of two, exactly.
func dequantizeCodes(s *suite) {
	s.op("Dequantize")
	for book, table := range publishedCodes {
		var data, scales, want []float64
		for e := range 255 {
			scales = append(scales, float64(e))
			for code := range table {
				switch {
				case book.Bits() == 8:
					data = append(data, float64(code))
				case code%2 == 1:
					data = append(data, float64(code-1|code<<4))
				}
				x := table[code] * math.Ldexp(1, e-127)
				want = append(want, min(max(x, -math.MaxFloat32), math.MaxFloat32))
			}
		}
		scheme := ops.QuantScheme{Bits: book.Bits(), Codes: book, PowersOfTwo: true, Block: [2]int{1, 0}}
		columns, bytes := len(table), len(data)/255
		q := must[*ops.Quantized](s)(ops.NewQuantized(scheme, 255, columns, s.tensor(host{weft.U8, []int{255, bytes}, data}), s.tensor(host{weft.U8, []int{255, 1}, scales}), nil))
		y := s.output(sliced, weft.F32, 255, columns)
		s.try(ops.DequantizeInto(y.Tensor, q))
		y.check(want, func(i int) float64 {
			if math.Abs(want[i]) < 0x1p-126 || i < columns { // a number or scale that is subnormal may be 0
				return math.Abs(want[i])
			}
			return 0
		})
		scheme.Block = [2]int{}
		q = must[*ops.Quantized](s)(ops.NewQuantized(scheme, 1, columns, s.tensor(host{weft.U8, []int{1, bytes}, data[:bytes]}), s.tensor(host{weft.U8, []int{1, 1}, []float64{255}}), nil))
		for i, v := range s.floats(s.ok(ops.Dequantize(q, weft.F32))) {
			if v == v {
				s.Errorf("%v: code %d with a scale of NaN is %v", book, i, v)
			}
		}
	}
}

// codebookGolden quantises and dequantises as NumPy and ml_dtypes did.
func codebookGolden(s *suite) {
	s.golden("codebooks", []weft.DType{weft.F32}, nil, func(s *suite, elem weft.DType, c golden.Case) {
		scheme := ops.QuantScheme{Bits: 4, Codes: ops.NF4, Block: [2]int{1, c.Get("group").Int()}}
		if c.Name[:2] == "mx" {
			scheme = ops.MXFP4
		}
		s.op("Quantize")
		real, scale, back := c.Get("real"), c.Get("scale"), c.Get("back")
		q := must[*ops.Quantized](s)(ops.Quantize(s.tensor(array(elem, real)), scheme))
		s.compare(q.Scales, scale.X, nil)
		s.compare(q.Data, stored(host{weft.U8, real.Shape, c.Get("q").X}, ops.QuantScheme{Bits: 4, Asymmetric: true}).x, nil)
		s.op("Dequantize")
		s.compare(s.ok(ops.Dequantize(q, elem)), back.X, func(i int) float64 { return bounds.Dequantize(elem, back.X[i]) })
	})
}

// codeWeights makes weights of random codes or integers and scales, and returns the real numbers too.
func (s *suite) codeWeights(scheme ops.QuantScheme, f form, rows, cols int) (*ops.Quantized, host) {
	s.Helper()
	b := reference.Blocks{Rows: rows, Cols: cols, Block: scheme.Block}
	least, most := scheme.Range()
	q := make([]float64, rows*cols)
	for i := range q {
		q[i] = float64(least + s.rng.IntN(most-least+1))
	}
	count := scheme.ScalesShape([2]int{rows, cols})
	scales := host{elem: weft.F32, shape: count[:]}
	for range count[0] * count[1] {
		scales.x = append(scales.x, (0.5+s.rng.Float64())/scheme.Largest())
	}
	rounded(weft.F32, scales.x)
	if scheme.PowersOfTwo {
		scales.elem = weft.U8
		for i := range scales.x {
			scales.x[i] = float64(120 + s.rng.IntN(8))
		}
	}
	packed := scheme
	packed.Asymmetric = scheme.Codes != (ops.CodeBook{})
	data := stored(host{weft.I8, []int{rows, cols}, q}, packed)
	w := must[*ops.Quantized](s)(ops.NewQuantized(scheme, rows, cols, s.input(f, data), s.input(f, scales), nil))
	return w, host{weft.F32, []int{rows, cols}, reference.Dequantize(b, meant(scheme, q), scalesOf(scheme, scales.x), nil)}
}

// quantizedMatMulCodes are products as in quantizedMatMul.
func quantizedMatMulCodes(s *suite) {
	small := ops.MatMulConfig{BM: 16, BN: 16, BK: 8, Threads: 64}
	row := ops.MatMulConfig{BM: 2, BN: 8, BK: 32, Threads: 32, RowByRow: true}
	shared, atomic, blocks := small, row, row
	shared.SplitK, atomic.SplitK, atomic.Atomic, blocks.Stages = 3, 2, true, 2
	runs := func(bm, bn int) ops.MatMulConfig {
		return ops.MatMulConfig{RowByRow: true, BM: bm, BN: bn, BK: 256, Threads: 32, Run: 8}
	}
	nf4 := func(rows, cols int) ops.QuantScheme {
		return ops.QuantScheme{Bits: 4, Codes: ops.NF4, Block: [2]int{rows, cols}}
	}
	fp8 := func(rows, cols int) ops.QuantScheme {
		return ops.QuantScheme{Bits: 8, Codes: ops.FP8, Block: [2]int{rows, cols}}
	}
	cases := []quantizedProduct{
		{scheme: ops.MXFP4, t: true, m: 5, k: 96, n: 37, elem: weft.F16, a: transposed, tiles: small, bias: true},
		{scheme: ops.MXFP4.T(), m: 3, k: 64, n: 21, elem: weft.BF16, w: sliced, tiles: row},
		{scheme: nf4(1, 16), t: true, m: 17, k: 48, n: 19, elem: weft.BF16, tiles: shared, bias: true},
		{scheme: nf4(0, 1), m: 3, k: 77, n: 9, elem: weft.F32, a: stepped, tiles: blocks},
		{scheme: nf4(1, 0), t: true, m: 19, k: 53, n: 18, elem: weft.F16, a: sliced, w: sliced, tiles: small},
		{scheme: ops.QuantScheme{Bits: 4, Codes: ops.FP4}, m: 16, k: 31, n: 51, elem: weft.F16, w: transposed, tiles: small},
		{scheme: ops.QuantScheme{Bits: 4, Codes: ops.FP4, Block: [2]int{1, 0}}, t: true, m: 3, k: 77, n: 9, elem: weft.F32, tiles: atomic},
		{scheme: ops.QuantScheme{Bits: 4, Codes: ownBook, Block: [2]int{6, 3}}, m: 7, k: 30, n: 9, elem: weft.F32, tiles: small},
		{scheme: ops.QuantScheme{Bits: 4, Codes: ownSigned, Block: [2]int{1, 0}, PowersOfTwo: true}, t: true, m: 4, k: 33, n: 9, elem: weft.BF16, tiles: small},
		{scheme: ops.QuantScheme{Bits: 8, PowersOfTwo: true, Block: [2]int{1, 32}}, t: true, m: 9, k: 64, n: 23, elem: weft.F32, tiles: small},
		{scheme: ops.MXFP4, t: true, m: 2, k: 576, n: 23, elem: weft.F16, tiles: runs(2, 4)},
		{scheme: nf4(1, 64), t: true, m: 1, k: 320, n: 19, elem: weft.BF16, tiles: runs(1, 8), bias: true},
		{scheme: ops.MXFP4, t: true, m: 1, k: 320, n: 40, elem: weft.F16},      // the launch rule's choices
		{scheme: ops.MXFP8, t: true, m: 64, k: 32, n: 5, elem: weft.F16},       // one group is all of a column
		{scheme: nf4(64, 1), m: 40, k: 128, n: 70, elem: weft.F16, bias: true}, // by their defaults
		{scheme: ops.MXFP8, t: true, m: 5, k: 96, n: 37, elem: weft.F16, a: transposed, tiles: small, bias: true},
		{scheme: ops.MXFP8.T(), m: 3, k: 64, n: 21, elem: weft.BF16, w: sliced, tiles: row},
		// Groups end within tiles of columns.
		{scheme: ops.QuantScheme{Bits: 4, Codes: ops.FP4, Block: [2]int{31, 32}}, t: true, m: 3, k: 96, n: 62, elem: weft.F16},
		{scheme: fp8(1, 0), t: true, m: 19, k: 53, n: 18, elem: weft.F16, a: sliced, w: sliced, tiles: shared, bias: true},
		{scheme: fp8(0, 1), m: 3, k: 77, n: 9, elem: weft.F32, a: stepped, tiles: blocks},
		{scheme: fp8(16, 32), t: true, m: 17, k: 96, n: 48, elem: weft.BF16, tiles: small, bias: true},
		{scheme: fp8(1, 32), t: true, m: 2, k: 576, n: 23, elem: weft.F16, tiles: runs(2, 4)},
		{scheme: fp8(0, 0), t: true, m: 1, k: 320, n: 40, elem: weft.BF16},
		{scheme: fp8(1, 64), t: true, m: 40, k: 128, n: 70, elem: weft.F16, bias: true},
	}
	if s.full {
		for _, m := range []int{1, 16, 130, 700} {
			for _, elem := range floatTypes {
				cases = append(cases,
					quantizedProduct{scheme: ops.MXFP4, t: true, m: m, k: 1024, n: 300, elem: elem, bias: true},
					quantizedProduct{scheme: nf4(1, 64), t: true, m: m, k: 1024, n: 257, elem: elem},
					quantizedProduct{scheme: fp8(1, 128), t: true, m: m, k: 1024, n: 257, elem: elem},
					quantizedProduct{scheme: fp8(1, 0), t: true, m: m, k: 1111, n: 257, elem: elem, bias: true},
					quantizedProduct{scheme: nf4(1, 0), t: true, m: m, k: 1111, n: 257, elem: elem, bias: true})
			}
		}
	}
	for _, c := range cases {
		s.sub(func(s *suite) { s.multiplyQuantized(c) }, "%v_%v_%dx%dx%d", name(c.scheme), c.elem, c.m, c.k, c.n)
	}
	for _, elem := range []weft.DType{weft.F16, weft.BF16} {
		s.sub(func(s *suite) { s.multiplyPowers(elem) }, "powers of two, %v", elem)
	}
}

// multiplyPowers has weights of MXFP4 with every scale whose products a type holds, each a result.
func (s *suite) multiplyPowers(elem weft.DType) {
	s.Helper()
	const rows, n, k, group = 128, 64, 128, 32
	least, most := 127-30, 127+13 // of F16 all weights of the least are 0
	if elem == weft.BF16 {
		least, most = 8, 127+125
	}
	a, scales, data := filled(elem, 0, rows, k), host{elem: weft.U8, shape: []int{n, k / group}}, host{elem: weft.U8, shape: []int{n, k / 2}}
	for i := range rows {
		a.x[i*k+i] = 1
	}
	table, want := publishedCodes[ops.FP4], make([]float64, rows*n)
	for col := range n {
		for g := range k / group {
			scales.x = append(scales.x, float64(least+(col*k/group+g)%(most-least+1)))
		}
		for i := range k {
			code := s.rng.IntN(16)
			if want[i*n+col] = table[code] * math.Ldexp(1, int(scales.x[col*k/group+i/group])-127); i%2 == 0 {
				data.x = append(data.x, float64(code))
			} else {
				data.x[len(data.x)-1] += float64(code * 16)
			}
		}
	}
	w := must[*ops.Quantized](s)(ops.NewQuantized(ops.MXFP4, n, k, s.tensor(data), s.tensor(scales), nil))
	y := s.output(sliced, elem, rows, n)
	s.try(ops.QuantizedMatMulInto(y.Tensor, s.tensor(a), w.T()))
	y.check(want, func(i int) float64 { return bounds.QuantizedMatMul(elem, k, want[i], math.Abs(want[i]), 1) })
}

// name is a scheme without the numbers of a code book of one's own.
func name(scheme ops.QuantScheme) string {
	if scheme.Codes != (ops.CodeBook{}) && publishedCodes[scheme.Codes] == nil {
		scheme.Codes = ops.CodeBook{}
		return fmt.Sprintf("own codes of %v", scheme)
	}
	return scheme.String()
}
