package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// byBlocks is a scheme for matrices of 4 × 6.
var byBlocks = ops.QuantScheme{Bits: 8, Asymmetric: true, Block: [2]int{1, 3}}

var quantizeBad = []badOp{{
	op: "quantize",
	in: []badArg{
		{elem: weft.F32, shape: []int{4, 6}},
		{elem: weft.F32, shape: []int{4, 2}, required: true},
		{elem: weft.U8, shape: []int{4, 2}, required: true},
	},
	out: badArg{elem: weft.U8, shape: []int{4, 6}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.QuantizeInto(&ops.Quantized{QuantScheme: byBlocks, Shape: shapeOf(in[0]), Data: out, Scales: in[1], Zeros: in[2]}, in[0])
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) {
		q, err := ops.Quantize(in[0], byBlocks)
		if err != nil {
			return nil, err
		}
		q.Scales.Close()
		q.Zeros.Close()
		return q.Data, nil
	},
	zero: [][][]int{{{0, 6}, {0, 2}, {0, 2}, {0, 6}}, {{4, 0}, {4, 0}, {4, 0}, {4, 0}}},
	huge: [][][]int{{{1 << 20, 3 << 20}, {1, 1}, {1, 1}}, {{1 << 31, 3 << 28}, {1, 1}, {1, 1}}},
	rows: []badRow{
		{"vector", quantizing(byBlocks, 6), weft.ErrShape, "quantize: x: shape [6], want a matrix"},
		{"group", quantizing(ops.QuantScheme{Bits: 4, Block: [2]int{1, 4}}, 4, 6), weft.ErrShape, "quantize: scheme: blocks [1 4] of shape [4 6]: 4 does not divide 6"},
		{"negative group", quantizing(ops.QuantScheme{Bits: 4, Block: [2]int{-1, 1}}, 4, 6), weft.ErrShape, "quantize: scheme: blocks [-1 1]"},
		{"bits", quantizing(ops.QuantScheme{Bits: 5}, 4, 6), weft.ErrArgument, "quantize: scheme: 5 bits, want 4 or 8"},
		{"no scheme", quantizing(ops.QuantScheme{}, 4, 6), weft.ErrArgument, "0 bits"},
		{"code book of 8 bits", quantizing(ops.QuantScheme{Bits: 8, Codes: ops.NF4}, 4, 6), weft.ErrArgument, "quantize: scheme: 8 bits, want the 4 of codes of NF4"},
		{"floats of 4 bits", quantizing(ops.QuantScheme{Bits: 4, Codes: ops.FP8}, 4, 6), weft.ErrArgument, "quantize: scheme: 4 bits, want the 8 of codes of FP8"},
		{"code book with zeros", quantizing(ops.QuantScheme{Bits: 4, Codes: ops.FP4, Asymmetric: true}, 4, 6), weft.ErrArgument, "quantize: scheme: a code book has no zero points"},
		{"powers of two with zeros", quantizing(ops.QuantScheme{Bits: 8, PowersOfTwo: true, Asymmetric: true}, 4, 6), weft.ErrArgument, "quantize: scheme: scales that are powers of two have no zero points"},
		{"group of mxfp4", quantizing(ops.MXFP4, 4, 48), weft.ErrShape, "quantize: scheme: blocks [1 32] of shape [4 48]: 32 does not divide 48"},
		{"15 codes", codeBook(make([]float32, 15)), weft.ErrArgument, "code_book: values: 15 values, want 16: one for each code of 4 bits"},
		{"no codes", codeBook(nil), weft.ErrArgument, "code_book: values: 0 values, want 16"},
		{"codes of 0", codeBook(make([]float32, 16)), weft.ErrArgument, "code_book: values: all values are 0"},
		{"a code that is no number", codeBook(append(make([]float32, 15), float32(math.NaN()))), weft.ErrArgument, "code_book: values: value 15 is NaN, want 0 or a magnitude from 2^-14 to 65504"},
		{"a large code", codeBook(append(make([]float32, 15), -1e6)), weft.ErrArgument, "code_book: values: value 15 is -1e+06"},
		{"a small code", codeBook(append(make([]float32, 15), 1e-6)), weft.ErrArgument, "code_book: values: value 15 is 1e-06"},
		{"float scales of powers of two", func(b *bad) error {
			return ops.QuantizeInto(&ops.Quantized{QuantScheme: ops.MXFP4, Shape: [2]int{4, 32}, Data: b.tensor(weft.U8, 4, 16), Scales: b.f32(4, 1), Packed: 1}, b.f32(4, 32))
		}, weft.ErrUnsupported, "quantize: scales: the tensor holds f32, want u8"},
		{"nil matrix", func(b *bad) error { return ops.QuantizeInto(nil, b.f32(4, 6)) }, weft.ErrArgument, "quantize: quantized: the matrix is nil"},
		{"scales of f16", func(b *bad) error {
			return ops.QuantizeInto(&ops.Quantized{QuantScheme: ops.QuantScheme{Bits: 8}, Shape: [2]int{4, 6},
				Data: b.tensor(weft.I8, 4, 6), Scales: b.tensor(weft.F16, 1, 1)}, b.f32(4, 6))
		}, weft.ErrUnsupported, "quantize: scales: the tensor holds f16, want f32 for scales that are computed"},
		{"given scales of another shape", func(b *bad) error {
			_, err := ops.QuantizeWith(b.f32(4, 6), byBlocks, b.f32(4, 6), b.tensor(weft.U8, 4, 2))
			return err
		}, weft.ErrShape, "quantize: scales: shape [4 6], want [4 2] for 8 bits, 1 × 3, asymmetric of shape [4 6]"},
	},
}, {
	op: "dequantize",
	in: []badArg{
		{name: "data", elem: weft.U8, shape: []int{4, 6}},
		{name: "scales", elem: weft.F32, shape: []int{4, 2}},
		{name: "zeros", elem: weft.U8, shape: []int{4, 2}},
	},
	out: badArg{name: "out", elem: weft.F32, shape: []int{4, 6}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.DequantizeInto(out, &ops.Quantized{QuantScheme: byBlocks, Shape: shapeOf(in[0]), Data: in[0], Scales: in[1], Zeros: in[2]})
	},
	zero: [][][]int{{{0, 6}, {0, 2}, {0, 2}, {0, 6}}, {{4, 0}, {4, 0}, {4, 0}, {4, 0}}},
	rows: []badRow{
		{"type", func(b *bad) error {
			q := &ops.Quantized{QuantScheme: ops.QuantScheme{Bits: 8}, Shape: [2]int{4, 6}, Data: b.tensor(weft.I8, 4, 6), Scales: b.f32(1, 1)}
			return second(ops.Dequantize(q, weft.I32))
		}, weft.ErrUnsupported, "dequantize: out: the tensor holds i32, want one of"},
		{"shape of out", func(b *bad) error {
			q := &ops.Quantized{QuantScheme: ops.QuantScheme{Bits: 8}, Shape: [2]int{4, 6}, Data: b.tensor(weft.I8, 4, 6), Scales: b.f32(1, 1)}
			return ops.DequantizeInto(b.f32(6, 4), q)
		}, weft.ErrShape, "dequantize: out: shape [6 4], want [4 6]"},
		{"nil matrix", func(b *bad) error { b.f32(1); return second(ops.Dequantize(nil, weft.F32)) }, weft.ErrArgument, "dequantize: quantized: the matrix is nil"},
		{"signed data", making(weft.I8, weft.F32, 4, 3, weft.U8), weft.ErrUnsupported, "quantized: data: the tensor holds i8, want u8"},
		{"data that are not packed", making(weft.U8, weft.F32, 4, 6, weft.U8), weft.ErrShape, "quantized: data: shape [4 6], want [4 3] for 4 bits, 1 × 3, asymmetric of shape [4 6]"},
		{"whole scales", making(weft.U8, weft.I32, 4, 3, weft.U8), weft.ErrUnsupported, "quantized: scales: the tensor holds i32, want one of"},
		{"real zeros", making(weft.U8, weft.F32, 4, 3, weft.F32), weft.ErrUnsupported, "quantized: zeros: the tensor holds f32, want u8"},
		{"bytes of a code book's scales", func(b *bad) error {
			_, err := ops.NewQuantized(ops.QuantScheme{Bits: 4, Codes: ops.NF4}, 4, 6, b.tensor(weft.U8, 4, 3), b.tensor(weft.U8, 1, 1), nil)
			return err
		}, weft.ErrUnsupported, "quantized: scales: the tensor holds u8, want one of"},
		{"signed codes", func(b *bad) error {
			_, err := ops.NewQuantized(ops.MXFP4, 4, 32, b.tensor(weft.I8, 4, 16), b.tensor(weft.U8, 4, 1), nil)
			return err
		}, weft.ErrUnsupported, "quantized: data: the tensor holds i8, want u8"},
		{"zeros of a code book", func(b *bad) error {
			_, err := ops.NewQuantized(ops.MXFP4, 4, 32, b.tensor(weft.U8, 4, 16), b.tensor(weft.U8, 4, 1), b.tensor(weft.U8, 4, 1))
			return err
		}, weft.ErrArgument, "quantized: zeros: a symmetric scheme has no zero points"},
		{"no zeros", func(b *bad) error {
			_, err := ops.NewQuantized(byBlocks, 4, 6, b.tensor(weft.U8, 4, 6), b.f32(4, 2), nil)
			return err
		}, weft.ErrArgument, "quantized: zeros: the tensor is nil"},
		{"zeros of a symmetric scheme", func(b *bad) error {
			_, err := ops.NewQuantized(ops.QuantScheme{Bits: 8}, 4, 6, b.tensor(weft.I8, 4, 6), b.f32(1, 1), b.tensor(weft.U8, 1, 1))
			return err
		}, weft.ErrArgument, "quantized: zeros: a symmetric scheme has no zero points"},
		{"closed data", func(b *bad) error {
			data := b.tensor(weft.U8, 4, 3)
			data.Close()
			_, err := ops.NewQuantized(ops.QuantScheme{Bits: 4}, 4, 6, data, b.f32(1, 1), nil)
			return err
		}, weft.ErrClosed, "quantized: data: "},
		{"as many columns as there are numbers", func(b *bad) error {
			_, err := ops.NewQuantized(ops.QuantScheme{Bits: 4}, 1, math.MaxInt, b.tensor(weft.U8, 1, 2), b.f32(1, 1), nil)
			return err
		}, weft.ErrShape, "quantized: data: shape [1 2], want [1 4611686018427387904]"},
		{"packed along no dimension", func(b *bad) error {
			return ops.QuantizeInto(&ops.Quantized{QuantScheme: ops.QuantScheme{Bits: 4}, Shape: [2]int{2, 4}, Data: b.tensor(weft.U8, 2, 2), Scales: b.f32(1, 1), Packed: 2}, b.f32(2, 4))
		}, weft.ErrShape, "quantize: quantized: shape [2 4] packed along dimension 2"},
		{"negative shape", func(b *bad) error {
			_, err := ops.NewQuantized(ops.QuantScheme{Bits: 8}, -4, 6, b.tensor(weft.I8, 4, 6), b.f32(1, 1), nil)
			return err
		}, weft.ErrShape, "quantized: quantized: shape [-4 6]"},
	},
}, {
	op: "quantized_matmul",
	in: []badArg{
		{name: "a", elem: weft.F32, shape: []int{5, 6}},
		{name: "data", elem: weft.U8, shape: []int{4, 6}},
		{name: "scales", elem: weft.F32, shape: []int{4, 2}},
		{name: "zeros", elem: weft.U8, shape: []int{4, 2}},
	},
	out: badArg{name: "out", elem: weft.F32, shape: []int{5, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.QuantizedMatMulInto(out, in[0], quantizedLayer(in[1:]))
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) {
		return ops.QuantizedMatMul(in[0], quantizedLayer(in[1:]))
	},
	zero: [][][]int{{{0, 6}, {4, 6}, {4, 2}, {4, 2}, {0, 4}}, {{5, 6}, {0, 6}, {0, 2}, {0, 2}, {5, 0}}},
	huge: [][][]int{
		{{1 << 20, 3}, {1 << 20, 3}, {1 << 20, 1}, {1 << 20, 1}}, {{1 << 31, 3}, {1 << 31, 3}, {1 << 31, 1}, {1 << 31, 1}}, // results
		{{2, 3 << 40}, {2, 3 << 40}, {2, 1 << 40}, {2, 1 << 40}}, // a reduction
	},
	rows: []badRow{
		{"inner sizes", func(b *bad) error {
			return second(ops.QuantizedMatMul(b.f32(5, 4), quantizedLayer([]*weft.Tensor{b.tensor(weft.U8, 4, 6), b.f32(4, 2), b.tensor(weft.U8, 4, 2)})))
		}, weft.ErrShape, "quantized_matmul: a: shape [5 4], want [M 6] for weights [6 4]"},
		{"no weights", func(b *bad) error { return second(ops.QuantizedMatMul(b.f32(5, 4), nil)) }, weft.ErrArgument, "quantized_matmul: quantized: the matrix is nil"},
		{"shape of bias", func(b *bad) error {
			w := quantizedLayer([]*weft.Tensor{b.tensor(weft.U8, 4, 6), b.f32(4, 2), b.tensor(weft.U8, 4, 2)})
			return second(ops.QuantizedMatMul(b.f32(5, 6), w, ops.Bias(b.f32(6))))
		}, weft.ErrShape, "quantized_matmul: bias: shape [6] does not broadcast to the result's [5 4]"},
		{"beta of nothing", func(b *bad) error {
			w := quantizedLayer([]*weft.Tensor{b.tensor(weft.U8, 4, 6), b.f32(4, 2), b.tensor(weft.U8, 4, 2)})
			return second(ops.QuantizedMatMul(b.f32(5, 6), w, ops.Beta(1)))
		}, weft.ErrArgument, "quantized_matmul: beta: there is no result to add to"},
		{"inner sizes of mxfp4", func(b *bad) error {
			w := &ops.Quantized{QuantScheme: ops.MXFP4, Shape: [2]int{4, 32}, Data: b.tensor(weft.U8, 4, 16), Scales: b.tensor(weft.U8, 4, 1), Packed: 1}
			return second(ops.QuantizedMatMul(b.f32(5, 16), w.T()))
		}, weft.ErrShape, "quantized_matmul: a: shape [5 16], want [M 32] for weights [32 4]"},
		{"columns without whole bytes", halfBytes(func(w *ops.Quantized) *ops.Quantized { return w }, ops.MatMulConfig{BM: 4, BN: 1}), weft.ErrArgument,
			"quantized_matmul: Tiles.BN: 1 is half a byte of weights of 4 bits, want at least 2"},
		{"rows without whole bytes", halfBytes((*ops.Quantized).T, ops.MatMulConfig{BM: 16, BN: 16, BK: 1}), weft.ErrArgument,
			"quantized_matmul: Tiles.BK: 1 is half a byte of weights of 4 bits, want at least 2"},
		{"rows without whole bytes, row by row", halfBytes((*ops.Quantized).T, ops.MatMulConfig{BM: 1, BK: 1, RowByRow: true}), weft.ErrArgument, "quantized_matmul: Tiles.BK: 1 is half a byte"},
		{"interleaved codes", interleavedTiles(weft.F16, ops.QuantScheme{Bits: 4, Codes: ops.NF4, Block: [2]int{1, 16}}, 128, 32), weft.ErrArgument,
			"quantized_matmul: Tiles.Interleave: blocks of 32 of 128 rows of weights of 4 bits, NF4, 16 × 1"},
		{"interleaved MXFP4", interleavedTiles(weft.F16, ops.MXFP4, 128, 64), weft.ErrArgument, "quantized_matmul: Tiles.Interleave: blocks of 64, want a multiple of 32 that divides 32"},
		{"interleaved blocks of parts of words", interleavedTiles(weft.F16, ops.QuantScheme{Bits: 4}, 128, 16), weft.ErrArgument,
			"quantized_matmul: Tiles.Interleave: blocks of 16, want a multiple of 32 that divides 128"},
		{"interleaved blocks of several groups", interleavedTiles(weft.F16, ops.QuantScheme{Bits: 4, Block: [2]int{1, 32}}, 128, 64), weft.ErrArgument,
			"quantized_matmul: Tiles.Interleave: blocks of 64, want a multiple of 32 that divides 32"},
		{"interleaved blocks that do not divide K", interleavedTiles(weft.F16, ops.QuantScheme{Bits: 4}, 112, 32), weft.ErrArgument,
			"quantized_matmul: Tiles.Interleave: blocks of 32 of 112 rows of weights of 4 bits"},
		{"interleaved blocks of more than a step", interleavedTiles(weft.F16, ops.QuantScheme{Bits: 4}, 128, 128), weft.ErrArgument,
			"quantized_matmul: Tiles.Interleave: blocks of 128, in steps of 64"},
		{"interleaved weights of rows of F32", interleavedTiles(weft.F32, ops.QuantScheme{Bits: 4}, 128, 32), weft.ErrArgument,
			"quantized_matmul: Tiles.Interleave: rows of f32, want a type of 16 bits"},
		{"interleaved weights along the columns", func(b *bad) error {
			w, err := ops.NewQuantized(ops.QuantScheme{Bits: 4}, 128, 4, b.tensor(weft.U8, 128, 2), b.f32(1, 1), nil)
			if err != nil {
				return err
			}
			return second(ops.QuantizedMatMul(b.tensor(weft.F16, 5, 128), w, ops.Tiles(ops.MatMulConfig{BM: 8, BN: 32, BK: 64, Interleave: 32})))
		}, weft.ErrArgument, "quantized_matmul: Tiles.Interleave: blocks of 32 of 128 rows of weights of 4 bits"},
		{"interleaved, row by row", func(b *bad) error {
			return interleavedBy(b, ops.MatMulConfig{BM: 8, BN: 32, BK: 64, Interleave: 32, RowByRow: true})
		}, weft.ErrArgument, "quantized_matmul: Tiles.Interleave: blocks of 32, in steps of 64, row by row: true"},
		{"atomic sums of F16", func(b *bad) error {
			return interleavedBy(b, ops.MatMulConfig{BM: 8, BN: 32, BK: 64, SplitK: 2, Atomic: true})
		}, weft.ErrUnsupported, "quantized_matmul: Tiles.Atomic: there are no atomic sums of f16"},
		{"interleaved by persistent programs", func(b *bad) error {
			return interleavedBy(b, ops.MatMulConfig{BM: 8, BN: 32, BK: 64, Interleave: 32, Persistent: 2})
		}, weft.ErrArgument, "quantized_matmul: Tiles.Interleave: 2 persistent programs, want programs of one tile"},
	},
}}

// halfBytes multiplies by weights of 4 bits, or by what of returns of them, in tiles.
func halfBytes(of func(*ops.Quantized) *ops.Quantized, tiles ops.MatMulConfig) func(b *bad) error {
	return func(b *bad) error {
		w, err := ops.NewQuantized(ops.QuantScheme{Bits: 4}, 6, 6, b.tensor(weft.U8, 6, 3), b.f32(1, 1), nil)
		if err != nil {
			return err
		}
		return second(ops.QuantizedMatMul(b.f32(5, 6), of(w), ops.Tiles(tiles)))
	}
}

// interleavedTiles multiplies by weights [k,4] that were quantised as [4,k], in blocks of K's other order that they do not fit.
func interleavedTiles(elem weft.DType, scheme ops.QuantScheme, k, block int) func(b *bad) error {
	return func(b *bad) error {
		groups := scheme.ScalesShape([2]int{4, k})
		scales := b.f32(groups[:]...)
		if scheme.PowersOfTwo {
			scales = b.tensor(weft.U8, groups[:]...)
		}
		w, err := ops.NewQuantized(scheme, 4, k, b.tensor(weft.U8, 4, k/2), scales, nil)
		if err != nil {
			return err
		}
		return second(ops.QuantizedMatMul(b.tensor(elem, 5, k), w.T(), ops.Tiles(ops.MatMulConfig{BM: 8, BN: 32, BK: 64, Interleave: block})))
	}
}

// interleavedBy multiplies by weights that fit blocks of K's other order, by tiles that do not.
func interleavedBy(b *bad, tiles ops.MatMulConfig) error {
	w, err := ops.NewQuantized(ops.QuantScheme{Bits: 4}, 4, 128, b.tensor(weft.U8, 4, 64), b.f32(1, 1), nil)
	if err != nil {
		return err
	}
	return second(ops.QuantizedMatMul(b.tensor(weft.F16, 5, 128), w.T(), ops.Tiles(tiles)))
}

// quantizedLayer is the weights [6,4] of a layer, quantised as [4,6].
func quantizedLayer(in []*weft.Tensor) *ops.Quantized {
	q := &ops.Quantized{QuantScheme: byBlocks, Shape: shapeOf(in[0]), Data: in[0], Scales: in[1], Zeros: in[2]}
	return q.T()
}

// quantizing quantises a tensor of a shape.
func quantizing(scheme ops.QuantScheme, shape ...int) func(*bad) error {
	return func(b *bad) error {
		_, err := ops.Quantize(b.f32(shape...), scheme)
		return err
	}
}

// codeBook makes a code book.
func codeBook(values []float32) func(*bad) error {
	return func(b *bad) error {
		b.f32(1)
		_, err := ops.NewCodeBook(values)
		return err
	}
}

// making puts a matrix of 4 × 6 in 4 bits together.
func making(data, scales weft.DType, rows, columns int, zeros weft.DType) func(*bad) error {
	return func(b *bad) error {
		scheme := byBlocks
		scheme.Bits = 4
		_, err := ops.NewQuantized(scheme, 4, 6, b.tensor(data, rows, columns), b.tensor(scales, 4, 2), b.tensor(zeros, 4, 2))
		return err
	}
}

// shapeOf is a matrix's shape, and 4 × 6 of what is none.
func shapeOf(x *weft.Tensor) [2]int {
	if x == nil || x.Rank() != 2 {
		return [2]int{4, 6}
	}
	return [2]int{x.Dim(0), x.Dim(1)}
}
