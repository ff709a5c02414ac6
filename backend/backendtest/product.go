package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// What MatMul does beyond one product of two matrices.
var productCases = []testCase{
	{"MatMulBatches", productBatches},
	{"MatMulBroadcast", productBroadcast},
	{"MatMulVectors", productVectors},
	{"MatMulIntegers", productIntegers},
	{"MatMulEpilogue", productEpilogue},
	{"MatMulAlphaBeta", productAlphaBeta},
	{"LinearActivations", linearActivations},
	{"LinearGate", linearGate},
	{"LinearSwiGLU", linearSwiGLU},
}

// multiplyBatch checks a product of any shapes.
func multiplyBatch(s *suite, elem, result weft.DType, aShape, bShape []int, fa, fb, fo form, options ...ops.MatMulOption) {
	s.Helper()
	multiplyTensors(s, elem, result, tile.IEEE, aShape, bShape, fa, fb, fo, options...)
}

// multiplyTensors is multiplyBatch within the bounds of a precision.
func multiplyTensors(s *suite, elem, result weft.DType, p tile.Precision, aShape, bShape []int, fa, fb, fo form, options ...ops.MatMulOption) {
	s.Helper()
	a, b := s.random(elem, aShape...), s.random(elem, bShape...)
	shape, want, magnitudes := reference.BatchedMatMul(aShape, a.x, bShape, b.x)
	out := s.output(fo, result, shape...)
	s.try(ops.MatMulInto(out.Tensor, s.input(fa, a), s.input(fb, b), options...))
	k := aShape[len(aShape)-1]
	if elem.IsInt() {
		k = 1
	}
	out.check(want, func(i int) float64 {
		if result.IsInt() {
			return 0
		}
		return bounds.MatMul(result, p, k, want[i], magnitudes[i])
	})
}

// tiny are tiles of several programs for small matrices; the other configs differ from it as they say.
var (
	tiny       = ops.MatMulConfig{BM: 16, BN: 16, BK: 8, Threads: 64}
	persistent = ops.MatMulConfig{Persistent: 5, Order: groups(2)}
	rowByRow   = ops.MatMulConfig{BM: 2, BN: 16, BK: 16, Threads: 32, RowByRow: true, Stages: 3}
)

// productBatches: batches that both operands have, in every form, by programs of one tile and of several.
func productBatches(s *suite) {
	for i, elem := range floatTypes {
		for j, f := range forms {
			if s.full || j == 0 || j-1 == i {
				multiplyBatch(s, elem, elem, []int{3, 17, 20}, []int{3, 20, 19}, f, f, f, smallTiles)
			}
		}
		multiplyBatch(s, elem, weft.F32, []int{5, 20, 9}, []int{5, 9, 33}, dense, transposed, dense, smallTiles, ops.Tiles(persistent))
	}
	multiplyBatch(s, weft.F32, weft.F32, []int{3, 17, 120}, []int{3, 120, 19}, dense, sliced, transposed, smallTiles, ops.Tiles(ops.MatMulConfig{SplitK: 3}))
	multiplyBatch(s, weft.F32, weft.F32, []int{3, 17, 0}, []int{3, 0, 19}, dense, dense, dense, smallTiles)
	multiplyBatch(s, weft.F32, weft.F32, []int{0, 17, 4}, []int{0, 4, 19}, dense, dense, dense, smallTiles)
}

// productBroadcast: batches that one operand lacks or repeats; those of the first merge with its rows, and
// beyond three that do not merge the kernel is launched several times.
func productBroadcast(s *suite) {
	shapes := [][2][]int{
		{{3, 10, 20}, {20, 19}}, {{10, 20}, {3, 20, 19}}, {{4, 1, 10, 20}, {3, 20, 19}}, {{2, 1, 2, 1, 2, 5, 6}, {2, 1, 2, 1, 6, 7}},
	}
	for _, elem := range floatTypes {
		for _, c := range shapes[:s.thorough(elem, len(shapes), 2)] {
			multiplyBatch(s, elem, elem, c[0], c[1], dense, dense, dense, smallTiles)
		}
	}
	multiplyBatch(s, weft.F32, weft.F32, shapes[2][0], shapes[2][1], sliced, transposed, sliced, smallTiles)
}

// productVectors: products of few rows or columns, one row at a time, and those of vectors.
func productVectors(s *suite) {
	rows := ops.Tiles(rowByRow)
	for _, elem := range floatTypes {
		for _, f := range []form{dense, transposed} {
			multiplyBatch(s, elem, elem, []int{1, 70}, []int{70, 37}, dense, f, dense, rows)
			multiplyBatch(s, elem, elem, []int{37, 70}, []int{70, 3}, f, dense, sliced, rows)
		}
	}
	multiplyBatch(s, weft.F32, weft.F32, []int{70}, []int{70}, dense, dense, dense, rows)
	multiplyBatch(s, weft.F32, weft.F32, []int{70}, []int{3, 70, 20}, stepped, dense, dense, rows)
	multiplyBatch(s, weft.F32, weft.F32, []int{3, 20, 70}, []int{70}, sliced, stepped, stepped, rows)
	multiplyBatch(s, weft.F16, weft.F16, []int{1, 3000}, []int{3000, 37}, dense, dense, dense) // what the launch rule makes of it
	multiplyBatch(s, weft.F32, weft.F32, []int{1, 300}, []int{300, 9}, dense, dense, dense, rows, ops.Tiles(ops.MatMulConfig{SplitK: 3, Atomic: true}))
}

// productIntegers: sums of bytes are exact in I32, and rounded once in other types.
func productIntegers(s *suite) {
	for _, elem := range []weft.DType{weft.I8, weft.U8} {
		multiplyBatch(s, elem, weft.I32, []int{20, 33}, []int{33, 19}, dense, transposed, dense, smallTiles)
		multiplyBatch(s, elem, weft.F32, []int{2, 20, 35}, []int{2, 35, 18}, sliced, dense, dense, smallTiles)
	}
	multiplyBatch(s, weft.I8, weft.I32, []int{1, 300}, []int{300, 21}, dense, dense, dense, ops.Tiles(rowByRow), ops.Tiles(ops.MatMulConfig{SplitK: 2}))
	multiplyBatch(s, weft.U8, weft.I32, []int{20, 300}, []int{300, 21}, stepped, dense, dense, smallTiles, ops.Tiles(ops.MatMulConfig{SplitK: 2, Atomic: true}))
}

// gate is an epilogue of a user's own, of two tensors in addition to the product.
var gate = weft.NewMap("gate", []string{"x", "g", "r"}, func(in []*tile.Value) *tile.Value {
	return in[0].Mul(in[1]).Add(in[2].Mul(0.5))
})

// productEpilogue: a bias of every kind, ReLU and a user's map, after whole sums and after stored parts.
func productEpilogue(s *suite) {
	biases := [][]int{{19}, {17, 1}, {3, 1, 1}, {3, 17, 19}}
	for i, elem := range floatTypes {
		for j, shape := range biases {
			if !s.full && i != 0 && i != j {
				continue
			}
			cfg := tiny
			if j%2 == 1 {
				cfg.SplitK = 2
			}
			s.epilogue(elem, [4]int{3, 17, 20, 19}, shape, [6]form{dense, transposed, sliced, transposed, dense, forms[i+j&1]}, ops.Tiles(cfg))
		}
	}
}

// epilogue checks a product [B,M,K] @ [K,N] with a bias of a shape, ReLU and gate, of tensors of forms: both operands, the bias, those of gate and the result.
func (s *suite) epilogue(elem weft.DType, sizes [4]int, shape []int, f [6]form, options ...ops.MatMulOption) {
	s.Helper()
	m, k, n := sizes[1], sizes[2], sizes[3]
	a, b := s.random(elem, sizes[0], m, k), s.random(elem, k, n)
	bias, g, r := s.random(weft.F32, shape...), s.random(elem, sizes[0], m, n), s.random(elem, sizes[0], 1, n)
	full, sums, magnitudes := reference.BatchedMatMul(a.shape, a.x, b.shape, b.x)
	v, gv, rv := broadcastTo(s, bias, full), broadcastTo(s, g, full), broadcastTo(s, r, full)
	want := make([]float64, len(sums))
	for i, x := range sums {
		want[i] = max(x+v[i], 0)*gv[i] + rv[i]*0.5
	}
	out := s.output(f[5], elem, full...)
	s.try(ops.MatMulInto(out.Tensor, s.input(f[0], a), s.input(f[1], b), append(options,
		ops.Bias(s.input(f[2], bias)), ops.Fuse(ops.ReLUMap), ops.Fuse(gate, s.input(f[3], g), s.input(f[4], r)))...))
	out.check(want, func(i int) float64 {
		size := math.Abs(sums[i]) + math.Abs(v[i])
		e := math.Abs(gv[i])*(bounds.MatMulSum(tile.IEEE, k, magnitudes[i])+0x1p-22*size) + 0x1p-22*math.Abs(rv[i])
		return e + elem.Epsilon()*(math.Abs(want[i])+e) + 0x1p-25
	})
}

// productAlphaBeta: what the result held before takes part, unless beta is 0: then it may be NaN.
func productAlphaBeta(s *suite) {
	for _, c := range []struct {
		elem, result weft.DType
		alpha, beta  float64
		cfg          ops.MatMulConfig
	}{
		{weft.F32, weft.F32, -0.5, 2, tiny}, {weft.F16, weft.F32, 1, 1, tiny}, {weft.BF16, weft.BF16, 3, 0, tiny},
		{weft.F32, weft.F32, 2, -1, ops.MatMulConfig{BM: 16, BN: 16, BK: 8, Threads: 64, SplitK: 2}},
		{weft.BF16, weft.F32, 2, 0.5, ops.MatMulConfig{BM: 16, BN: 32, BK: 8, Threads: 64, ColumnPitch: 16}}, {weft.I8, weft.I32, -3, 5, rowByRow},
	} {
		a, b, old := s.random(c.elem, 17, 20), s.random(c.elem, 20, 19), s.random(c.result, 17, 19)
		if c.result == weft.I32 {
			old.each(func(_ int, x float64) float64 { return math.Trunc(x / 16) })
		}
		_, want, magnitudes := reference.BatchedMatMul(a.shape, a.x, b.shape, b.x)
		bound := make([]float64, len(want))
		for i, x := range want {
			want[i] = c.alpha*x + c.beta*old.x[i]
			if c.result.IsFloat() {
				e := math.Abs(c.alpha)*bounds.MatMulSum(tile.IEEE, 20, magnitudes[i]) + 0x1p-22*(math.Abs(c.alpha*x)+math.Abs(c.beta*old.x[i]))
				bound[i] = e + c.result.Epsilon()*(math.Abs(want[i])+e) + 0x1p-25
			}
		}
		if c.beta == 0 {
			old = filled(c.result, math.NaN(), 17, 19)
		}
		out := s.input(sliced, old)
		s.try(ops.MatMulInto(out, s.input(dense, a), s.input(dense, b), ops.Alpha(c.alpha), ops.Beta(c.beta), ops.Tiles(c.cfg)))
		s.compare(out, want, func(i int) float64 { return bound[i] })
	}
}

// linearGate: the second of two layers is the gate of the first one's result, as in the MLP of a Llama.
func linearGate(s *suite) {
	for i, rows := range []int{1, 33} {
		elem := floatTypes[(i+1)%len(floatTypes)]
		x, w, up := s.random(elem, rows, 70), s.random(elem, 45, 70), s.random(elem, rows, 45)
		_, sums, magnitudes := reference.BatchedMatMul(x.shape, x.x, []int{70, 45}, transpose(w))
		want := make([]float64, len(sums))
		for i, gate := range sums {
			want[i] = gate / (1 + math.Exp(-gate)) * up.x[i]
		}
		out := s.output(forms[i], elem, rows, 45)
		s.op("Linear")
		s.try(ops.LinearInto(out.Tensor, s.input(dense, x), s.input(dense, w), nil, ops.Fuse(ops.SwiGLUMap, s.input(sliced, up))))
		out.check(want, func(i int) float64 {
			e := bounds.Activation(weft.F32, sums[i], bounds.MatMulSum(tile.IEEE, 70, magnitudes[i]), want[i]/up.x[i]) * math.Abs(up.x[i])
			return e + elem.Epsilon()*(math.Abs(want[i])+e) + 0x1p-22*math.Abs(want[i]) + bounds.Smallest(elem)
		})
	}
}

// linearSwiGLU: both products of a gate at once, of a vector, of few rows and of many, in any views.
func linearSwiGLU(s *suite) {
	for i, c := range more(s, [][]int{{70, 45, 1}, {33, 300, 3}, {20, 19, 2, 9}}, [][]int{{2500, 40, 4}, {64, 128, 2, 2}, {17, 1, 1}, {50, 30}, {300, 257, 200}}...) {
		s.gatedLayer(floatTypes[i%len(floatTypes)], c[2:], c[0], c[1], [3]form{forms[i%len(forms)], forms[(i+1)%len(forms)], forms[(2*i+1)%len(forms)]})
	}
	empty := s.output(dense, weft.F32, 2, 4)
	s.try(ops.LinearSwiGLUInto(empty.Tensor, s.tensor(filled(weft.F32, 0, 2, 0)), s.tensor(filled(weft.F32, 0, 4, 0)), s.tensor(filled(weft.F32, 0, 4, 0))))
	empty.check(make([]float64, 8), nil)
}

// gatedLayer checks LinearSwiGLU of rows of k elements, with n results each, in tensors of the forms of x and up, gate, and the result.
func (s *suite) gatedLayer(elem weft.DType, lead []int, k, n int, f [3]form) {
	s.Helper()
	rows := append(slices.Clone(lead), k)
	x, gate, up := s.random(elem, rows...), s.random(elem, n, k), s.random(elem, n, k)
	flat := []int{size(lead), k}
	_, gates, gateMagnitudes := reference.BatchedMatMul(flat, x.x, []int{k, n}, transpose(gate))
	_, ups, upMagnitudes := reference.BatchedMatMul(flat, x.x, []int{k, n}, transpose(up))
	want := make([]float64, len(gates))
	for i, g := range gates {
		want[i] = g / (1 + math.Exp(-g)) * ups[i]
	}
	out := s.output(f[2], elem, append(slices.Clone(lead), n)...)
	s.op("LinearSwiGLU")
	s.try(ops.LinearSwiGLUInto(out.Tensor, s.input(f[0], x), s.input(f[1], gate), s.input(f[0], up)))
	out.check(want, func(i int) float64 {
		return bounds.LinearSwiGLU(elem, k, gates[i], gateMagnitudes[i], ups[i], upMagnitudes[i])
	})
}

// linearActivations: a layer with each activation after it, of one row and of several.
func linearActivations(s *suite) {
	for i, c := range []struct {
		m *weft.Map
		f func(float64) float64
	}{
		{ops.ReLUMap, func(x float64) float64 { return max(x, 0) }},
		{ops.GELUMap, func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }},
		{ops.GELUTanhMap, func(x float64) float64 { return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))) }},
		{ops.SiLUMap, func(x float64) float64 { return x / (1 + math.Exp(-x)) }},
		{ops.SigmoidMap, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
		{ops.TanhMap, math.Tanh},
	} {
		elem := floatTypes[i%len(floatTypes)]
		x, w, bias := s.random(elem, 3, 5, 20), s.random(elem, 19, 20), s.random(elem, 19)
		shape, sums, magnitudes := reference.BatchedMatMul(x.shape, x.x, []int{20, 19}, transpose(w))
		v, want := broadcastTo(s, bias, shape), make([]float64, len(sums))
		for i := range sums {
			sums[i] += v[i]
			want[i] = c.f(sums[i])
		}
		out := s.output(dense, elem, shape...)
		s.try(ops.LinearInto(out.Tensor, s.input(dense, x), s.input(dense, w), s.input(dense, bias), ops.Fuse(c.m), smallTiles))
		out.check(want, func(i int) float64 {
			e := bounds.MatMulSum(tile.IEEE, 20, magnitudes[i]) + 0x1p-23*math.Abs(sums[i])
			return bounds.Activation(elem, sums[i], e, want[i])
		})
	}
}
