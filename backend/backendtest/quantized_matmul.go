package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/internal/reference/golden"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/target"
)

// weights makes a quantised matrix of random integers, scales of a type and zero points, and returns the real numbers too.
func (s *suite) weights(scheme ops.QuantScheme, scale weft.DType, f form, rows, cols int) (*ops.Quantized, host) {
	s.Helper()
	b := reference.Blocks{Rows: rows, Cols: cols, Block: scheme.Block}
	_, n := b.Of(0)
	least, most := scheme.Range()
	integers := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(least + s.rng.IntN(most-least+1))
		}
		return x
	}
	shape := []int{1, 1}
	for d, size := range [2]int{rows, cols} {
		if scheme.Block[d] != 0 {
			shape[d] = size / scheme.Block[d]
		}
	}
	q := integers(rows * cols)
	scales := host{elem: scale, shape: shape}
	for range n {
		scales.x = append(scales.x, (0.5+s.rng.Float64())/float64(most))
	}
	rounded(scale, scales.x)
	data := stored(host{weft.I8, []int{rows, cols}, q}, scheme)
	var zeros []float64
	var points *weft.Tensor
	if scheme.Asymmetric {
		zeros = integers(n)
		points = s.input(f, host{weft.U8, shape, zeros})
	}
	w := must[*ops.Quantized](s)(ops.NewQuantized(scheme, rows, cols, s.input(f, data), s.input(f, scales), points))
	return w, host{weft.F32, []int{rows, cols}, reference.Dequantize(b, q, scales.x, zeros)}
}

// anyWeights makes weights of a scheme with a code book or scales of powers of two, too.
func (s *suite) anyWeights(scheme ops.QuantScheme, scale weft.DType, f form, rows, cols int) (*ops.Quantized, host) {
	s.Helper()
	if scheme.PowersOfTwo || scheme.Codes != (ops.CodeBook{}) {
		return s.codeWeights(scheme, f, rows, cols)
	}
	return s.weights(scheme, scale, f, rows, cols)
}

// stored is a matrix of integers as a scheme stores them: those of 4 bits two to a byte along rows.
func stored(data host, scheme ops.QuantScheme) host {
	if data.elem = weft.I8; scheme.Asymmetric || scheme.Bits == 4 {
		data.elem = weft.U8
	}
	if scheme.Bits == 8 {
		return data
	}
	pack := dtype.PackI4
	if scheme.Asymmetric {
		pack = dtype.PackU4
	}
	rows, cols := data.shape[0], data.shape[1]
	out := host{elem: data.elem, shape: []int{rows, (cols + 1) / 2}}
	for r := range rows {
		row := make([]int8, cols)
		for c := range row {
			row[c] = int8(data.x[r*cols+c])
		}
		out.x = append(out.x, numbers(pack(row))...)
	}
	return out
}

// quantizedProduct is one product of the cases.
type quantizedProduct struct {
	scheme ops.QuantScheme // of w [K,N], or [N,K] if transposed
	t      bool
	m, k   int
	n      int
	elem   weft.DType
	scale  weft.DType
	a, w   form
	bias   bool
	tiles  ops.MatMulConfig
}

func (s *suite) multiplyQuantized(c quantizedProduct) {
	s.Helper()
	rows, cols := c.k, c.n
	if c.t {
		rows, cols = cols, rows
	}
	w, real := s.anyWeights(c.scheme, c.scale, c.w, rows, cols)
	if c.t {
		w, real = w.T(), host{real.elem, []int{c.k, c.n}, transpose(real)}
	}
	a := s.random(c.elem, c.m, c.k)
	options := []ops.MatMulOption{ops.Tiles(c.tiles)}
	want, magnitudes := reference.MatMul(c.m, c.k, c.n, a.x, real.x)
	sums, _ := reference.MatMul(c.m, c.k, 1, absolute(a.x), filled(weft.F32, 1, c.k).x)
	if c.bias {
		bias := s.random(c.elem, c.n)
		options = append(options, ops.Bias(s.tensor(bias)))
		for i := range want {
			want[i] += bias.x[i%c.n]
			magnitudes[i] += math.Abs(bias.x[i%c.n])
		}
	}
	left, orders := s.input(c.a, a), []*ops.Quantized{w}
	if other := s.interleaved(w, c.w); other != nil && !c.tiles.InOrder && (c.tiles.Interleave == 0 || c.tiles.Interleave == other.Interleaved) {
		orders = append(orders, other)
	}
	for _, w := range orders {
		for _, options := range [][]ops.MatMulOption{options, append(options[:len(options):len(options)], ops.Pack(true))} { // the weights as they are stored, and dequantised
			out := s.output(sliced, c.elem, c.m, c.n)
			s.try(ops.QuantizedMatMulInto(out.Tensor, left, w, options...))
			out.check(want, func(i int) float64 {
				return bounds.QuantizedMatMul(c.elem, c.k+1, want[i], magnitudes[i], sums[i/max(c.n, 1)])
			})
		}
	}
}

func absolute(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = math.Abs(v)
	}
	return y
}

// transpose is the elements of a matrix column by column.
func transpose(h host) []float64 {
	rows, cols := h.shape[0], h.shape[1]
	y := make([]float64, len(h.x))
	for i, v := range h.x {
		y[i%cols*rows+i/cols] = v
	}
	return y
}

// quantizedMatMul has every granularity, either packing, odd sizes and any views; by tile.Dot and row by row, with the
// reduction shared and not; from weights as they are stored, and dequantised before. One bound holds for both: see bounds.QuantizedMatMul.
func quantizedMatMul(s *suite) {
	small := ops.MatMulConfig{BM: 16, BN: 16, BK: 8, Threads: 64}
	row := ops.MatMulConfig{BM: 2, BN: 8, BK: 32, Threads: 32, RowByRow: true}
	shared, atomic, blocks := small, row, row
	shared.SplitK, atomic.SplitK, atomic.Atomic, blocks.Stages = 3, 2, true, 2
	scheme := func(bits int, asymmetric bool, rows, cols int) ops.QuantScheme {
		return ops.QuantScheme{Bits: bits, Asymmetric: asymmetric, Block: [2]int{rows, cols}}
	}
	cases := []quantizedProduct{
		{scheme: scheme(4, false, 1, 16), t: true, m: 5, k: 48, n: 37, tiles: small, bias: true},
		{scheme: scheme(4, true, 8, 1), m: 17, k: 40, n: 21, elem: weft.F16, scale: weft.F16, a: transposed, tiles: shared, bias: true},
		{scheme: scheme(8, false, 1, 0), t: true, m: 19, k: 53, n: 18, elem: weft.BF16, a: sliced, w: sliced, tiles: small},
		{scheme: scheme(4, true, 1, 12), t: true, m: 3, k: 60, n: 11, tiles: row, bias: true},
		{scheme: scheme(4, true, 0, 1), t: false, m: 2, k: 77, n: 9, elem: weft.F16, a: stepped, tiles: blocks},
		{scheme: scheme(4, false, 1, 0), t: true, m: 3, k: 77, n: 9, tiles: atomic},
		{scheme: scheme(8, true, 0, 0), m: 16, k: 30, n: 50, w: transposed, tiles: small},
		{scheme: scheme(8, true, 6, 3), m: 7, k: 30, n: 9, scale: weft.BF16, tiles: small},
		{scheme: scheme(4, false, 1, 32), t: true, m: 1, k: 320, n: 40, elem: weft.F16},   // the launch rule's choices
		{scheme: scheme(4, true, 32, 1), m: 40, k: 96, n: 70, elem: weft.F16, bias: true}, // by their defaults
		{scheme: scheme(8, false, 0, 0), m: 0, k: 4, n: 3}, {scheme: scheme(4, false, 0, 0), m: 3, k: 0, n: 5, bias: true},
	}
	if s.full {
		for _, m := range []int{1, 3, 16, 130, 700} { // of 700 rows the rule may dequantise
			for _, elem := range floatTypes {
				for _, bits := range []int{4, 8} {
					cases = append(cases,
						quantizedProduct{scheme: scheme(bits, true, 1, 128), t: true, m: m, k: 1024, n: 300, elem: elem, bias: true},
						quantizedProduct{scheme: scheme(bits, false, 64, 1), m: m, k: 2048, n: 513, elem: elem},
						quantizedProduct{scheme: scheme(bits, false, 1, 0), t: true, m: m, k: 1111, n: 257, elem: elem, bias: true})
				}
			}
		}
	}
	for _, c := range slices.Concat(cases, interleavedProducts(s.dev.Caps()), productsByRuns()) {
		for _, e := range []*weft.DType{&c.elem, &c.scale} {
			if *e == 0 {
				*e = weft.F32
			}
		}
		s.sub(func(s *suite) { s.multiplyQuantized(c) }, "%v_%v_%dx%dx%d", c.scheme, c.elem, c.m, c.k, c.n)
	}
}

// interleavedProducts have weights in K's other order, as the left operand from registers where there are matrix instructions: either number of bits, with and
// without zero points, groups of a block, of several and of whole columns, blocks of one word of a thread to four, rows that are reordered as they are
// loaded and before, the reduction shared, and sizes that are no multiples of tiles. Without matrix instructions both operands are in shared memory, where small tiles fit any device.
func interleavedProducts(caps target.Caps) []quantizedProduct {
	small := !caps.WholeTiles && caps.Language != target.CUDA
	tiles := func(bm, bn, bk, block, split int) ops.MatMulConfig {
		if small {
			bn, bk, block = min(bn, 32), min(bk, 32), min(block, 32)
		}
		return ops.MatMulConfig{BM: bm, BN: bn, BK: bk, Threads: 2 * bn, Stages: 2, SplitK: split, Interleave: block}
	}
	first := func(cfg ops.MatMulConfig) ops.MatMulConfig {
		cfg.ScaleFirst = true
		return cfg
	}
	inOrder := func(cfg ops.MatMulConfig) ops.MatMulConfig {
		cfg.InOrder = true
		return cfg
	}
	slicing := func(slices int, cfg ops.MatMulConfig) ops.MatMulConfig { // several groups of threads, with blocks of each step
		cfg.SliceK, cfg.BK, cfg.Threads = slices, slices*cfg.BK, max(cfg.Threads, 32*slices)
		for caps.SharedBytes > 0 && 4*(cfg.BM+cfg.BN)*cfg.BK > caps.SharedBytes && cfg.BN > 8 { // both operands as F32
			cfg.BN /= 2
		}
		return cfg
	}
	inStrips := func(strips int, cfg ops.MatMulConfig) ops.MatMulConfig { // of columns, which a program computes from the same rows
		if bytes := 4 * (cfg.BM + cfg.BN) * cfg.BK; small && caps.SharedBytes > 0 { // which are in shared memory together
			strips = min(strips, max(caps.SharedBytes/bytes, 1))
		}
		cfg.Strips = strips
		return cfg
	}
	apart := func(rows int, cfg ops.MatMulConfig) ops.MatMulConfig { // fewer rows than tiles hold
		cfg.RowPitch = rows
		return cfg
	}
	shared := func(producers int, cfg ops.MatMulConfig) ops.MatMulConfig { // by the programs of a cluster
		if cfg.ClusterK = true; !small { // else blocks are too short to be copied
			cfg.Producers = producers
		}
		return cfg
	}
	resident := func(workgroups int, cfg ops.MatMulConfig) ops.MatMulConfig { // with registers for so many
		cfg.Resident = workgroups
		return cfg
	}
	scheme := func(bits int, asymmetric bool, group int) ops.QuantScheme {
		return ops.QuantScheme{Bits: bits, Asymmetric: asymmetric, Block: [2]int{1, group}}
	}
	codes := func(book ops.CodeBook, group int) ops.QuantScheme {
		return ops.QuantScheme{Bits: book.Bits(), Codes: book, Block: [2]int{1, group}}
	}
	return []quantizedProduct{
		{scheme: scheme(4, false, 32), t: true, m: 5, k: 160, n: 37, elem: weft.F16, tiles: tiles(8, 32, 32, 32, 0), bias: true},
		{scheme: scheme(4, true, 64), t: true, m: 19, k: 320, n: 71, elem: weft.BF16, scale: weft.BF16, a: sliced, tiles: tiles(16, 64, 64, 64, 2), bias: true},
		{scheme: scheme(4, false, 128), t: true, m: 7, k: 384, n: 65, elem: weft.F16, scale: weft.F16, a: transposed, w: sliced, tiles: tiles(8, 64, 128, 128, 0), bias: true},
		{scheme: scheme(4, true, 128), t: true, m: 33, k: 256, n: 33, elem: weft.F16, a: stepped, tiles: tiles(64, 32, 64, 32, 0)},
		{scheme: scheme(4, true, 0), t: true, m: 3, k: 96, n: 45, elem: weft.BF16, a: transposed, tiles: tiles(8, 32, 32, 32, 3)},
		{scheme: scheme(4, false, 0), t: true, m: 21, k: 512, n: 67, elem: weft.F16, tiles: tiles(32, 64, 128, 128, 2), bias: true},
		{scheme: scheme(8, false, 32), t: true, m: 9, k: 96, n: 35, elem: weft.BF16, tiles: tiles(16, 32, 32, 32, 0)},
		{scheme: scheme(8, true, 64), t: true, m: 1, k: 192, n: 69, elem: weft.F16, a: sliced, tiles: tiles(8, 64, 64, 64, 3), bias: true},
		{scheme: scheme(8, true, 0), t: true, m: 17, k: 80, n: 39, elem: weft.F16, w: sliced, tiles: tiles(16, 32, 32, 16, 0)},
		{scheme: scheme(8, false, 0), t: true, m: 11, k: 256, n: 41, elem: weft.BF16, a: stepped, tiles: tiles(16, 32, 64, 64, 0), bias: true},

		{scheme: scheme(4, false, 128), t: true, m: 70, k: 384, n: 131, elem: weft.F16, tiles: first(tiles(64, 64, 128, 128, 0)), bias: true},
		{scheme: scheme(4, true, 64), t: true, m: 13, k: 192, n: 66, elem: weft.F16, scale: weft.F16, a: sliced, tiles: first(tiles(16, 32, 64, 64, 2)), bias: true},
		{scheme: scheme(4, true, 32), t: true, m: 19, k: 160, n: 35, elem: weft.BF16, scale: weft.BF16, tiles: first(tiles(32, 32, 32, 32, 0))},
		{scheme: scheme(8, false, 64), t: true, m: 9, k: 192, n: 65, elem: weft.F16, w: sliced, tiles: first(tiles(16, 64, 64, 64, 0))},
		{scheme: scheme(8, true, 32), t: true, m: 5, k: 96, n: 34, elem: weft.BF16, scale: weft.F16, tiles: first(tiles(8, 32, 32, 32, 0)), bias: true},
		{scheme: scheme(4, false, 32), t: true, m: 37, k: 256, n: 67, elem: weft.F16, scale: weft.F16, tiles: first(tiles(64, 64, 128, 128, 0))}, // several groups of a block

		// several blocks at once, of which the last step has fewer
		{scheme: scheme(8, false, 64), t: true, m: 70, k: 704, n: 131, elem: weft.F16, tiles: first(tiles(64, 64, 128, 64, 0)), bias: true},
		{scheme: scheme(8, true, 32), t: true, m: 37, k: 352, n: 67, elem: weft.BF16, scale: weft.BF16, a: sliced, tiles: first(tiles(64, 64, 128, 32, 2))},
		{scheme: scheme(8, true, 64), t: true, m: 33, k: 320, n: 67, elem: weft.F16, w: sliced, tiles: inOrder(first(tiles(64, 64, 128, 64, 0))), bias: true},
		{scheme: scheme(8, false, 128), t: true, m: 21, k: 384, n: 69, elem: weft.F16, a: transposed, tiles: tiles(32, 64, 256, 64, 0), bias: true},
		{scheme: scheme(4, true, 256), t: true, m: 13, k: 768, n: 66, elem: weft.BF16, scale: weft.F16, a: stepped, tiles: tiles(16, 32, 512, 128, 2)},

		{scheme: ops.MXFP4, t: true, m: 70, k: 384, n: 131, elem: weft.F16, tiles: first(tiles(64, 64, 128, 128, 0)), bias: true},
		{scheme: ops.MXFP4, t: true, m: 13, k: 256, n: 66, elem: weft.BF16, a: sliced, tiles: first(tiles(16, 32, 128, 128, 2))},
		{scheme: ops.MXFP4, t: true, m: 33, k: 256, n: 35, elem: weft.F16, w: sliced, tiles: inOrder(first(tiles(64, 32, 128, 128, 0)))},
		{scheme: codes(ops.NF4, 64), t: true, m: 70, k: 384, n: 131, elem: weft.F16, tiles: first(tiles(64, 64, 128, 128, 0)), bias: true},
		{scheme: codes(ops.NF4, 32), t: true, m: 13, k: 256, n: 66, elem: weft.BF16, a: sliced, tiles: first(tiles(16, 32, 128, 128, 2))},
		{scheme: codes(ownBook, 64), t: true, m: 33, k: 256, n: 35, elem: weft.F16, w: sliced, tiles: inOrder(first(tiles(64, 32, 128, 128, 0)))},

		{scheme: codes(ops.FP8, 0), t: true, m: 17, k: 80, n: 39, elem: weft.F16, w: sliced, tiles: tiles(16, 32, 32, 16, 0)},
		{scheme: codes(ops.FP8, 64), t: true, m: 9, k: 192, n: 65, elem: weft.F16, tiles: first(tiles(16, 64, 64, 64, 0)), bias: true},
		{scheme: codes(ops.FP8, 32), t: true, m: 5, k: 96, n: 34, elem: weft.BF16, scale: weft.F16, tiles: first(tiles(8, 32, 32, 32, 0)), bias: true},
		{scheme: codes(ops.FP8, 64), t: true, m: 33, k: 320, n: 67, elem: weft.BF16, w: sliced, tiles: inOrder(first(tiles(64, 64, 128, 64, 0)))},
		{scheme: ops.MXFP8, t: true, m: 37, k: 352, n: 67, elem: weft.F16, a: sliced, tiles: first(tiles(64, 64, 128, 32, 2))},
		{scheme: codes(ops.FP8, 0), t: true, m: 21, k: 320, n: 67, elem: weft.F16, a: sliced, tiles: shared(1, tiles(32, 64, 64, 64, 0)), bias: true},
		{scheme: codes(ops.FP8, 64), t: true, m: 7, k: 320, n: 69, elem: weft.F16, a: stepped, tiles: slicing(2, tiles(8, 32, 64, 64, 0)), bias: true},
		{scheme: codes(ops.FP8, 0), t: true, m: 2, k: 80, n: 41, elem: weft.BF16, tiles: slicing(4, tiles(8, 16, 16, 16, 0))},
		{scheme: codes(ops.FP8, 64), t: true, m: 19, k: 640, n: 133, elem: weft.F16, w: sliced, tiles: resident(4, tiles(32, 64, 128, 64, 2)), bias: true},

		{scheme: scheme(4, false, 128), t: true, m: 70, k: 384, n: 131, elem: weft.F16, tiles: inOrder(first(tiles(64, 64, 128, 128, 0)))},
		{scheme: scheme(4, true, 32), t: true, m: 9, k: 160, n: 37, elem: weft.BF16, a: sliced, tiles: inOrder(tiles(16, 32, 32, 32, 2)), bias: true},
		{scheme: scheme(4, false, 0), t: true, m: 3, k: 512, n: 45, elem: weft.F16, a: stepped, w: sliced, tiles: inOrder(tiles(8, 32, 128, 128, 0))},
		{scheme: scheme(8, true, 64), t: true, m: 21, k: 192, n: 69, elem: weft.F16, a: transposed, tiles: inOrder(tiles(32, 64, 64, 64, 0)), bias: true},
		{scheme: scheme(8, false, 0), t: true, m: 7, k: 80, n: 41, elem: weft.BF16, tiles: inOrder(tiles(8, 32, 32, 16, 0))},

		{scheme: scheme(4, false, 128), t: true, m: 70, k: 640, n: 131, elem: weft.F16, tiles: shared(1, first(tiles(64, 64, 128, 128, 0))), bias: true},
		{scheme: scheme(4, true, 64), t: true, m: 131, k: 768, n: 200, elem: weft.BF16, scale: weft.BF16, tiles: shared(1, inOrder(first(tiles(64, 64, 64, 64, 0))))},
		{scheme: scheme(8, false, 0), t: true, m: 21, k: 320, n: 67, elem: weft.F16, a: sliced, tiles: shared(1, tiles(32, 64, 64, 64, 0)), bias: true},
		{scheme: scheme(4, false, 128), t: true, m: 9, k: 128, n: 37, elem: weft.F16, tiles: shared(0, tiles(16, 32, 128, 128, 0)), bias: true}, // one step for two programs

		{scheme: scheme(4, false, 128), t: true, m: 101, k: 640, n: 131, elem: weft.F16, tiles: apart(48, shared(1, first(tiles(64, 64, 128, 128, 0)))), bias: true},
		{scheme: scheme(4, true, 64), t: true, m: 39, k: 320, n: 71, elem: weft.BF16, scale: weft.BF16, a: sliced, tiles: apart(16, tiles(32, 64, 64, 64, 2)), bias: true},
		{scheme: ops.MXFP4, t: true, m: 50, k: 384, n: 67, elem: weft.F16, w: sliced, tiles: apart(32, inOrder(first(tiles(64, 64, 128, 128, 0))))},
		{scheme: scheme(8, false, 0), t: true, m: 70, k: 256, n: 41, elem: weft.BF16, a: stepped, tiles: apart(16, tiles(32, 32, 64, 64, 0)), bias: true},

		{scheme: scheme(4, false, 128), t: true, m: 1, k: 1280, n: 70, elem: weft.F16, tiles: slicing(4, tiles(8, 32, 128, 128, 0)), bias: true},
		{scheme: scheme(4, true, 64), t: true, m: 13, k: 448, n: 37, elem: weft.BF16, scale: weft.BF16, a: sliced, tiles: slicing(2, tiles(16, 32, 64, 64, 2)), bias: true},
		{scheme: scheme(4, false, 0), t: true, m: 3, k: 768, n: 45, elem: weft.F16, a: transposed, w: sliced, tiles: slicing(4, tiles(8, 16, 64, 32, 0))},
		{scheme: scheme(8, true, 64), t: true, m: 7, k: 320, n: 69, elem: weft.F16, a: stepped, tiles: slicing(2, tiles(8, 32, 64, 64, 0)), bias: true},
		{scheme: scheme(8, false, 0), t: true, m: 2, k: 80, n: 41, elem: weft.BF16, tiles: slicing(4, tiles(8, 16, 16, 16, 0))},
		{scheme: codes(ops.NF4, 64), t: true, m: 7, k: 640, n: 67, elem: weft.F16, a: sliced, tiles: slicing(2, tiles(8, 32, 64, 64, 0)), bias: true},
		{scheme: codes(ops.NF4, 0), t: true, m: 1, k: 384, n: 35, elem: weft.BF16, w: sliced, tiles: slicing(4, tiles(8, 16, 32, 32, 0))},
		{scheme: codes(ownBook, 32), t: true, m: 19, k: 384, n: 45, elem: weft.F16, a: transposed, tiles: slicing(2, tiles(32, 32, 32, 32, 0))},
		{scheme: scheme(4, false, 128), t: true, m: 11, k: 640, n: 137, elem: weft.F16, tiles: inStrips(3, slicing(2, tiles(16, 16, 128, 128, 0))), bias: true},
		{scheme: scheme(8, true, 0), t: true, m: 5, k: 320, n: 83, elem: weft.BF16, a: sliced, tiles: inStrips(5, slicing(2, tiles(8, 16, 64, 64, 2)))},

		{scheme: scheme(4, false, 128), t: true, m: 27, k: 1152, n: 137, elem: weft.F16, scale: weft.F16, tiles: resident(2, tiles(32, 128, 128, 128, 3)), bias: true},
		{scheme: scheme(4, true, 128), t: true, m: 13, k: 1280, n: 131, elem: weft.BF16, scale: weft.BF16, a: sliced, tiles: resident(4, tiles(16, 64, 256, 128, 2))},
		{scheme: scheme(8, true, 64), t: true, m: 19, k: 640, n: 133, elem: weft.F16, w: sliced, tiles: resident(4, tiles(32, 64, 128, 64, 2)), bias: true},
		{scheme: codes(ops.NF4, 64), t: true, m: 11, k: 768, n: 130, elem: weft.F16, scale: weft.F16, tiles: resident(2, tiles(16, 128, 256, 64, 0))},
	}
}

// productsByRuns have threads that multiply runs of weights: either number of bits, with and without zero points, runs of a word of weights and of two, groups of one run
// and of several, columns with one scale, the reduction shared, and sizes that are no multiples of blocks.
func productsByRuns() []quantizedProduct {
	tiles := func(bm, bn, threads, run, split int) ops.MatMulConfig {
		return ops.MatMulConfig{RowByRow: true, BM: bm, BN: bn, BK: run * threads, Threads: threads, Run: run, SplitK: split, Stages: 1}
	}
	scheme := func(bits int, asymmetric bool, group int) ops.QuantScheme {
		return ops.QuantScheme{Bits: bits, Asymmetric: asymmetric, Block: [2]int{1, group}}
	}
	ahead := func(cfg ops.MatMulConfig) ops.MatMulConfig { // the next step's loads are under way
		cfg.Stages = 2
		return cfg
	}
	return []quantizedProduct{
		{scheme: scheme(4, false, 128), t: true, m: 1, k: 1280, n: 37, elem: weft.F16, tiles: tiles(1, 8, 64, 8, 0), bias: true},
		{scheme: scheme(4, true, 64), t: true, m: 3, k: 448, n: 33, elem: weft.BF16, scale: weft.BF16, a: sliced, tiles: tiles(4, 4, 32, 8, 0), bias: true},
		{scheme: scheme(4, false, 8), t: true, m: 2, k: 560, n: 19, elem: weft.F16, a: stepped, w: sliced, tiles: tiles(2, 2, 32, 8, 2)},
		{scheme: scheme(8, true, 32), t: true, m: 5, k: 352, n: 21, elem: weft.F16, scale: weft.F16, tiles: tiles(8, 2, 32, 8, 0), bias: true},
		{scheme: scheme(8, false, 0), t: true, m: 7, k: 301, n: 18, elem: weft.BF16, a: transposed, tiles: tiles(8, 2, 32, 8, 0)},
		{scheme: scheme(4, true, 0), t: true, m: 4, k: 640, n: 9, elem: weft.F32, tiles: tiles(4, 2, 32, 16, 0), bias: true},
		{scheme: scheme(4, false, 32), t: true, m: 1, k: 2656, n: 21, elem: weft.F16, tiles: ahead(tiles(1, 8, 32, 32, 0)), bias: true},
		{scheme: scheme(4, true, 64), t: true, m: 2, k: 1344, n: 13, elem: weft.BF16, tiles: ahead(tiles(2, 4, 64, 16, 0))},
		{scheme: scheme(4, false, 16), t: true, m: 13, k: 592, n: 27, elem: weft.F16, tiles: tiles(8, 4, 32, 16, 0), bias: true}, // two blocks of rows
		{scheme: scheme(8, false, 32), t: true, m: 1, k: 1120, n: 11, elem: weft.BF16, scale: weft.F16, tiles: tiles(1, 4, 32, 16, 2)},
	}
}

// lowbitGolden quantises, dequantises and multiplies as NumPy and PyTorch did. Signed integers with zero points become
// unsigned ones that are larger by 128.
func lowbitGolden(s *suite) {
	s.golden("lowbit", []weft.DType{weft.F32}, nil, func(s *suite, elem weft.DType, c golden.Case) {
		least, most := c.Get("range").Ints()[0], c.Get("range").Ints()[1]
		scheme := ops.QuantScheme{Bits: 4, Asymmetric: true}
		if most-least == 255 {
			scheme.Bits = 8
		}
		offset := -float64(least)
		moved := func(a golden.Array, shape []int) host {
			return host{weft.U8, shape, slices.Clone(a.X)}.each(func(_ int, x float64) float64 { return x + offset })
		}
		q := c.Get("q")
		shape := q.Shape
		if !c.Has("w") {
			s.op("QuantizeWith")
			given := must[*ops.Quantized](s)(ops.QuantizeWith(s.tensor(array(elem, c.Get("x"))), scheme,
				s.tensor(host{weft.F32, []int{1, 1}, c.Get("scale").X}), s.tensor(moved(c.Get("zero"), []int{1, 1}))))
			s.compare(given.Data, stored(moved(q, shape), scheme).x, nil)
			return
		}
		scheme.Block = [2]int{1, c.Get("group").Int()}
		w := must[*ops.Quantized](s)(ops.NewQuantized(scheme, shape[0], shape[1], s.tensor(stored(moved(q, shape), scheme)),
			s.tensor(array(weft.F32, c.Get("scale"))), s.tensor(moved(c.Get("zero"), c.Get("zero").Shape))))
		real := c.Get("w").X
		s.op("Dequantize")
		s.compare(s.ok(ops.Dequantize(w, elem)), real, func(i int) float64 { return bounds.Dequantize(elem, real[i]) })
		s.op("QuantizedMatMul")
		y := c.Get("y")
		out := s.output(dense, elem, y.Shape...)
		small := ops.Tiles(ops.MatMulConfig{BM: 16, BN: 8, BK: 8, Threads: 64})
		s.try(ops.QuantizedMatMulInto(out.Tensor, s.tensor(array(elem, c.Get("x"))), w.T(), small))
		largest, k := max(slices.Max(real), -slices.Min(real)), shape[1]
		out.check(y.X, func(i int) float64 { // activations are 4 at most
			return bounds.QuantizedMatMul(elem, k, y.X[i], 4*largest*float64(k), 4*float64(k))
		})
	})
}
