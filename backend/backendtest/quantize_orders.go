package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// quantizeOrders packs weights of every view for products, and takes them back to the order of files: the bytes are those that they were.
func quantizeOrders(s *suite) {
	schemes := []ops.QuantScheme{
		{Bits: 4, Block: [2]int{1, 3}}, {Bits: 4, Asymmetric: true, Block: [2]int{3, 1}}, {Bits: 8, Block: [2]int{0, 1}}, {Bits: 8, Asymmetric: true},
		{Bits: 4, Codes: ops.NF4, Block: [2]int{1, 0}},
	}
	for i, shape := range [][2]int{{21, 39}, {48, 33}, {1, 3}, {3, 1}, {9, 6}, {0, 3}, {3, 0}, {66, 102}, {6, 256}} {
		for j, scheme := range schemes {
			if shape[0]%max(1, scheme.Block[0]) != 0 || shape[1]%max(1, scheme.Block[1]) != 0 {
				continue
			}
			f := forms[(i+j)%len(forms)]
			s.ordered(scheme, f, shape, false)
			s.ordered(scheme, f, shape, true)
		}
	}
}

// ordered packs a matrix, or its transpose, and unpacks it.
func (s *suite) ordered(scheme ops.QuantScheme, f form, shape [2]int, transposed bool) {
	s.Helper()
	plain, real := s.anyWeights(scheme, weft.F16, f, shape[0], shape[1])
	w := plain
	if transposed {
		w, real = w.T(), host{real.elem, []int{shape[1], shape[0]}, transpose(real)}
	}
	s.op("Quantized.Pack")
	packed := must[*ops.Quantized](s)(w.Pack())
	defer packed.Close()
	l, size := packed.Data.Layout(), packed.Data.DType().Size()
	if packed.Data.Len() > 0 && (packed.Packed != 0 || l.Strides()[0] != 1 || l.Strides()[1]*size%16 != 0 || l.Offset()*size%16 != 0) {
		s.Errorf("packed along dimension %d, in %v", packed.Packed, l)
	}
	if packed.Interleaved > 0 && transposed {
		s.compare(s.ok(packed.Data.T(), nil), s.floats(s.interleaved(plain, dense).Data), nil)
	}
	s.op("Dequantize")
	s.compare(s.ok(ops.Dequantize(packed, weft.F32)), s.floats(s.ok(ops.Dequantize(w, weft.F32))), nil)

	s.op("QuantizedMatMul")
	rows := 1 + s.rng.IntN(20)
	k, n := real.shape[0], real.shape[1]
	a := s.random(weft.F16, rows, k)
	want, magnitudes := reference.MatMul(rows, k, n, a.x, real.x)
	sums, _ := reference.MatMul(rows, k, 1, absolute(a.x), filled(weft.F32, 1, k).x)
	out := s.output(sliced, weft.F16, rows, n)
	s.try(ops.QuantizedMatMulInto(out.Tensor, s.tensor(a), packed))
	out.check(want, func(i int) float64 {
		return bounds.QuantizedMatMul(weft.F16, k, want[i], magnitudes[i], sums[i/max(n, 1)])
	})

	s.op("Quantized.Unpack")
	back := must[*ops.Quantized](s)(packed.Unpack())
	defer back.Close()
	if back.Packed != 1 || !back.Data.Layout().IsContiguous() || !back.Scales.Layout().IsContiguous() {
		s.Errorf("unpacked along dimension %d, in %v with scales in %v", back.Packed, back.Data.Layout(), back.Scales.Layout())
	}
	if transposed {
		back = must[*ops.Quantized](s)(back.T().Unpack())
		defer back.Close()
	}
	s.compare(back.Data, s.floats(plain.Data), nil)
	s.compare(back.Scales, s.floats(plain.Scales), nil)
	if scheme.Asymmetric {
		s.compare(back.Zeros, s.floats(plain.Zeros), nil)
	}
}
