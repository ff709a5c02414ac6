package backendtest

import (
	"errors"
	"math"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// matmulDouble: products of F64 in all forms, by tiles, by rows, by parts of K and by the configs of the rule; they are refused before a launch where the device
// has no F64.
func matmulDouble(s *suite) {
	if !s.has(weft.F64) {
		a, out := s.tensor(s.random(weft.F64, 9, 9)), s.output(dense, weft.F64, 9, 9)
		for name, err := range map[string]error{
			"tiles": ops.MatMulInto(out.Tensor, a, a, smallTiles), "parts": ops.MatMulInto(out.Tensor, a, a, smallTiles, ops.Tiles(ops.MatMulConfig{SplitK: 2})),
			"a layer": ops.LinearInto(out.Tensor, a, a, nil), "a gate": ops.LinearSwiGLUInto(out.Tensor, a, a, a), "an einsum": ops.EinsumInto(out.Tensor, "ij,jk->ik", []*weft.Tensor{a, a}),
		} {
			if !errors.Is(err, weft.ErrUnsupported) || !strings.Contains(err.Error(), noDouble) {
				s.Errorf("%s on a device without F64: %v", name, err)
			}
		}
		s.Skip(noDouble)
	}
	for i, c := range more(s, [][3]int{{17, 33, 29}, {64, 64, 64}, {5, 0, 3}, {1, 1, 1}}, [][3]int{{130, 5, 67}, {33, 257, 65}, {200, 1, 3}, {0, 4, 3}}...) {
		multiply(s, weft.F64, c, forms[i%len(forms)], forms[(i+1)%len(forms)], forms[(i+2)%len(forms)], smallTiles)
	}
	for _, c := range more(s, [][3]int{{130, 67, 65}, {3, 300, 70}, {1, 513, 130}}, [][3]int{{300, 500, 700}, {513, 1025, 257}, {1, 4096, 1000}, {1000, 300, 1}}...) {
		multiply(s, weft.F64, c, dense, dense, dense)
		multiply(s, weft.F64, c, transposed, transposed, sliced)
	}
	multiplyBatch(s, weft.F64, weft.F64, []int{3, 17, 20}, []int{20, 19}, sliced, transposed, dense, smallTiles, ops.Tiles(persistent))
	multiplyBatch(s, weft.F64, weft.F64, []int{4, 1, 10, 20}, []int{3, 20, 19}, dense, stepped, dense, smallTiles)
	multiplyBatch(s, weft.F64, weft.F64, []int{17, 120}, []int{120, 19}, dense, dense, transposed, smallTiles, ops.Tiles(ops.MatMulConfig{SplitK: 3}))
	multiplyBatch(s, weft.F64, weft.F64, []int{2, 70}, []int{70, 37}, dense, transposed, dense, ops.Tiles(rowByRow))
	multiplyBatch(s, weft.F64, weft.F64, []int{70}, []int{70}, stepped, dense, dense)
	multiplyBatch(s, weft.F64, weft.F64, []int{35, 51}, []int{51, 43}, transposed, sliced, dense, smallTiles, ops.Pack(true))
	a := s.tensor(s.random(weft.F64, 9, 9))
	s.refused("atomic sums", weft.ErrUnsupported, errorOf(ops.MatMul(a, a, smallTiles, ops.Tiles(ops.MatMulConfig{SplitK: 2, Atomic: true}))))
	sizes := map[rune]int{'a': 3, 'b': 4, 'c': 5, 'd': 6, 'i': 5, 'j': 7, 'k': 6}
	for i, spec := range []string{"bij,bjk->bik", "ij,kj->ikj", "ab,cb,dc->da", "iji->j", "ij,ij"} {
		s.einsum(spec, weft.F64, sizes, []form{forms[i%len(forms)], dense}, forms[(i+1)%2])
	}
}

// matmulDoubleEpilogue: scalars that no F32 is, a bias, activations and gates are of F64, too, after whole sums and after stored parts.
func matmulDoubleEpilogue(s *suite) {
	if !s.has(weft.F64) {
		s.Skip(noDouble)
	}
	const alpha, beta, elem = 1.0 / 3, -0.1, weft.F64
	unit := elem.Epsilon()
	for i, cfg := range []ops.MatMulConfig{tiny, {BM: 16, BN: 16, BK: 8, Threads: 64, SplitK: 2}, rowByRow} {
		a, b, bias, old := s.random(elem, 17, 50), s.random(elem, 50, 19), s.random(elem, 19), s.random(elem, 17, 19)
		_, sums, magnitudes := reference.BatchedMatMul(a.shape, a.x, b.shape, b.x)
		want, bound := make([]float64, len(sums)), make([]float64, len(sums))
		for j, x := range sums {
			want[j] = math.Tanh(alpha*x + beta*old.x[j] + bias.x[j%19])
			parts := math.Abs(alpha*x) + math.Abs(beta*old.x[j]) + math.Abs(bias.x[j%19])
			bound[j] = bounds.Activation(elem, alpha*x, alpha*bounds.ProductSum(elem, tile.IEEE, 50, magnitudes[j])+8*unit*parts, want[j])
		}
		out := s.outputOf(forms[i], old)
		s.try(ops.MatMulInto(out.Tensor, s.input(dense, a), s.input(transposed, b), ops.Tiles(cfg), ops.Alpha(alpha), ops.Beta(beta),
			ops.Bias(s.input(stepped, bias)), ops.Fuse(ops.TanhMap)))
		out.check(want, func(i int) float64 { return bound[i] })
	}
	for i, rows := range []int{1, 3, 33} {
		x, gate, up := s.random(elem, rows, 70), s.random(elem, 45, 70), s.random(elem, 45, 70)
		_, gates, gateMagnitudes := reference.BatchedMatMul(x.shape, x.x, []int{70, 45}, transpose(gate))
		_, ups, upMagnitudes := reference.BatchedMatMul(x.shape, x.x, []int{70, 45}, transpose(up))
		want := make([]float64, len(gates))
		for i, g := range gates {
			want[i] = g / (1 + math.Exp(-g)) * ups[i]
		}
		out := s.output(forms[i], elem, rows, 45)
		s.op("LinearSwiGLU")
		s.try(ops.LinearSwiGLUInto(out.Tensor, s.input(dense, x), s.input(dense, gate), s.input(sliced, up)))
		out.check(want, func(i int) float64 {
			return bounds.LinearSwiGLU(elem, 70, gates[i], gateMagnitudes[i], ups[i], upMagnitudes[i])
		})
	}
}
