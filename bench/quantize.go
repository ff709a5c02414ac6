package main

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// quantizeWorks are the layers of a language model with weights [N,K] of few bits: one row and a few, which the
// memory limits, and many, which arithmetic does. PyTorch's eager form dequantises first, and so does the peer.
func quantizeWorks(s sizes) (list []work) {
	k := max(s.side/128, 1) * 128
	int4 := ops.QuantScheme{Bits: 4, Block: [2]int{1, 128}}
	int8 := ops.QuantScheme{Bits: 8, Block: [2]int{1, 0}}
	for _, m := range []int{1, 16, s.side} {
		list = append(list, quantizedMatMulWork(int4, m, s.side, k), quantizedMatMulWork(int4, m, s.side*7/2, k), quantizedMatMulWork(int8, m, s.side, k))
	}
	return append(list, quantizeWork(int4, s.side, k), dequantizeWork(int4, s.side, k))
}

// schemeName is "i4/128" for groups of 128 and "i8" for channels.
func schemeName(scheme ops.QuantScheme) string {
	name := fmt.Sprintf("i%d", scheme.Bits)
	if group := scheme.Block[1]; group != 0 {
		name += fmt.Sprintf("/%d", group)
	}
	return name
}

// weights are the operands of a symmetric matrix [n,k], a scale to each block of a row.
func weights(scheme ops.QuantScheme, n, k int) (data, scales operand) {
	data, scales = uniform(-128, 128, weft.I8, n, k), uniform(0.01, 0.02, weft.F32, n, 1)
	if scheme.Bits == 4 {
		data = uniform(0, 256, weft.U8, n, k/2)
	}
	if group := scheme.Block[1]; group != 0 {
		scales.shape[1] = k / group
	}
	return data, scales
}

// weight is element i of such a matrix of k columns.
func weight(scheme ops.QuantScheme, data, scales values, i, k int) float64 {
	group := k
	if scheme.Block[1] != 0 {
		group = scheme.Block[1]
	}
	q := data(i / (8 / scheme.Bits))
	if scheme.Bits == 4 {
		q = float64(int8(uint8(q)>>(i%2*4)<<4) >> 4)
	}
	return q * scales(i/group)
}

// held makes the matrix, or its transpose, of its operands once.
func held(scheme ops.QuantScheme, n, k int, transpose bool) func(data, scales *weft.Tensor) (*ops.Quantized, error) {
	var of *weft.Tensor
	var q *ops.Quantized
	return func(data, scales *weft.Tensor) (_ *ops.Quantized, err error) {
		if of != data {
			if q, err = ops.NewQuantized(scheme, n, k, data, scales, nil); err != nil {
				return nil, err
			}
			if of = data; transpose {
				q = q.T()
			}
		}
		return q, nil
	}
}

func quantizedMatMulWork(scheme ops.QuantScheme, m, n, k int) work {
	data, scales := weights(scheme, n, k)
	matrix := held(scheme, n, k, true)
	w := work{
		Op:     fmt.Sprintf("lowbit f16 %s %dx%dx%d, peer dequantises first", schemeName(scheme), m, n, k),
		inputs: []operand{normal(weft.F16, m, k), data, scales}, output: normal(weft.F16, m, n),
		run: func(out *weft.Tensor, in []*weft.Tensor) error {
			q, err := matrix(in[1], in[2])
			if err != nil {
				return err
			}
			return ops.QuantizedMatMulInto(out, in[0], q)
		},
		check: func(out values, in []values) error {
			return compare(out, m*n, func(i int) (want, bound float64) {
				row, column, magnitudes, activations := i/n, i%n, 0.0, 0.0
				for p := range k {
					a := in[0](row*k + p)
					x := a * weight(scheme, in[1], in[2], column*k+p, k)
					want += x
					magnitudes += math.Abs(x)
					activations += math.Abs(a)
				}
				return want, ops.QuantizedMatMulBound(weft.F16, k, want, magnitudes, activations)
			})
		},
	}
	if m <= 16 {
		w.Bytes = float64(data.len()*data.elem.Size() + 4*scales.len() + 2*m*(k+n))
	} else {
		w.Flop = 2 * float64(m) * float64(n) * float64(k)
	}
	return w
}

func quantizeWork(scheme ops.QuantScheme, n, k int) work {
	data, scales := weights(scheme, n, k)
	group := scheme.Block[1]
	return work{
		Op: fmt.Sprintf("quantize f32 %s %dx%d", schemeName(scheme), n, k), Bytes: 4.5*float64(n*k) + 4*float64(scales.len()),
		inputs: []operand{normal(weft.F32, n, k), scales}, output: data,
		run: func(out *weft.Tensor, in []*weft.Tensor) error {
			q, err := ops.NewQuantized(scheme, n, k, out, in[1], nil)
			if err != nil {
				return err
			}
			return ops.QuantizeInto(q, in[0])
		},
		check: func(out values, in []values) error {
			low := func(i int) float64 { return float64(int8(uint8(out(i))<<4) >> 4) } // every second integer
			return compare(low, n*k/2, func(i int) (want, bound float64) {
				largest := 0.0
				for p := range group {
					largest = max(largest, math.Abs(in[0](2*i/group*group+p)))
				}
				return in[0](2*i) / (largest / 7), 0.5 + 1e-4
			})
		},
	}
}

func dequantizeWork(scheme ops.QuantScheme, n, k int) work {
	data, scales := weights(scheme, n, k)
	matrix := held(scheme, n, k, false)
	return work{
		Op: fmt.Sprintf("dequantize f16 %s %dx%d", schemeName(scheme), n, k), Bytes: 2.5*float64(n*k) + 4*float64(scales.len()),
		inputs: []operand{data, scales}, output: normal(weft.F16, n, k),
		run: func(out *weft.Tensor, in []*weft.Tensor) error {
			q, err := matrix(in[0], in[1])
			if err != nil {
				return err
			}
			return ops.DequantizeInto(out, q)
		},
		check: func(out values, in []values) error {
			return compare(out, n*k, func(i int) (want, bound float64) {
				want = weight(scheme, in[0], in[1], i, k)
				return want, ops.DequantizeBound(weft.F16, want)
			})
		},
	}
}
