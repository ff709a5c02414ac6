package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Weights of few bits can be the left operand of matrix instructions, which compute the transpose of the product then, and go from memory to the
// registers that hold that operand, past shared memory. A thread holds pairs of elements along K of such an operand, some
// apart. So that the words that it loads are all of what it holds, K is taken in another order, in which sums are what they were: blocks of
// four runs, one for each of the four threads of a row, of which an instruction takes a few elements each. Rows of the other operand are brought into that
// order before (Frantar, Castro, Chen, Hoefler and Alistarh, MARLIN: Mixed-Precision Auto-Regressive Parallel Inference on Large Language Models, 2024, has
// weights in an order of this kind instead, as those that Pack interleaves are).

// rowThreads are the threads that hold a row of the left operand of a matrix instruction.
const rowThreads = 4

// interleaveK reorders the elements of the last dimension of a matrix in blocks of K: what threads load in words, of which each has so many
// elements, is then what they hold. The elements of a pair are half a word apart, where integers become floats together.
func interleaveK(x *tile.Value, block, perWord int) *tile.Value {
	shape := x.Type().Shape
	words := block / (rowThreads * perWord)
	return x.Reshape(shape[0]*shape[1]/block, rowThreads, words, 2, perWord/2).Permute(0, 2, 4, 1, 3).Reshape(shape...)
}

// interleavePairs is interleaveK with neighbours as pairs, as tables have numbers by bytes.
func interleavePairs(x *tile.Value, block, perWord int) *tile.Value {
	shape := x.Type().Shape
	words := block / (rowThreads * perWord)
	return x.Reshape(shape[0]*shape[1]/block, rowThreads, words, perWord/2, 2).Permute(0, 2, 3, 1, 4).Reshape(shape...)
}

// perWord is how many weights a word of 32 bits has.
func (s QuantScheme) perWord() int { return 32 / max(s.Bits, 1) }

// InterleavedBlock is how many elements of K a block has in which weights [K,N] are interleaved: 16 bytes of each of the threads of a row, less where fewer
// share a scale; 0 if weights are not stored along K, or the blocks do not divide K or the groups that share scales.
func (v QuantView) InterleavedBlock(k int) int {
	return v.block(k, func(block int) bool { return v.Block[0]%block == 0 })
}

// ScaledBlock is InterleavedBlock for weights that are multiplied by their scales before products (MatMulConfig.ScaleFirst): a block may have several groups, where what a thread
// loads of it is in one.
func (v QuantView) ScaledBlock(k int) int {
	return v.block(k, func(block int) bool {
		group := v.Block[0]
		return group%block == 0 || group > 0 && block%group == 0 && group%(block/rowThreads) == 0
	})
}

// block is the longest block of whole words of each of the threads of a row that divides K and fits groups.
func (v QuantView) block(k int, fits func(block int) bool) int {
	if v.Bits == 0 || v.Packed != 0 && (v.Bits == 4 || v.Interleaved > 0) {
		return 0
	}
	for words := mostWords; words >= 1; words /= 2 {
		if block := words * rowThreads * v.perWord(); k > 0 && k%block == 0 && fits(block) {
			return block
		}
	}
	return 0
}

// longestBlock is the longest block of a config.
func (cfg MatMulConfig) longestBlock(k int) int {
	if cfg.ScaleFirst {
		return cfg.Weights.ScaledBlock(k)
	}
	return cfg.Weights.InterleavedBlock(k)
}

// mostWords are the most words that a thread loads at once.
const mostWords = 4

// CheckInterleave says why a config cannot interleave weights of k rows. Blocks may be parts of the longest ones, of whole words of each thread.
func (cfg MatMulConfig) CheckInterleave(k int) error {
	v, most := cfg.Weights, cfg.longestBlock(k)
	switch {
	case cfg.SliceK > 1 && cfg.Interleave == 0:
		return fmt.Errorf("%d groups of threads for parts of a step of K, want weights that are interleaved", cfg.SliceK)
	case cfg.ScaleFirst && (cfg.Interleave == 0 || !v.Scaled()) || cfg.InOrder && cfg.Interleave == 0:
		return fmt.Errorf("scales before products: %v, bytes exchanged: %v, in blocks of %d, of weights of %v; want blocks, and for scales groups that share them", cfg.ScaleFirst, cfg.InOrder, cfg.Interleave, v)
	case cfg.Interleave == 0:
		return nil
	case v.Bits == 0:
		return fmt.Errorf("blocks of %d of elements that are no weights of few bits", cfg.Interleave)
	case most == 0:
		return fmt.Errorf("blocks of %d of %d rows of weights of %v; want integers along K, and blocks of whole words that divide K and the groups that share scales", cfg.Interleave, k, v)
	case v.Interleaved > 0 && (cfg.Interleave != v.Interleaved || cfg.InOrder):
		return fmt.Errorf("blocks of %d, bytes exchanged: %v, of weights that are interleaved in blocks of %d; want the same blocks, and no exchange", cfg.Interleave, cfg.InOrder, v.Interleaved)
	case most%cfg.Interleave != 0 || cfg.Interleave%(rowThreads*v.perWord()) != 0:
		return fmt.Errorf("blocks of %d, want a multiple of %d that divides %d", cfg.Interleave, rowThreads*v.perWord(), most)
	}
	return cfg.checkInterleaved()
}

// checkInterleaved says what of a config does not go with interleaved weights, whatever these are.
func (cfg MatMulConfig) checkInterleaved() error {
	switch {
	case cfg.RowByRow || cfg.BK%cfg.Interleave != 0:
		return fmt.Errorf("blocks of %d, in steps of %d, row by row: %v; want steps of whole blocks, not row by row", cfg.Interleave, cfg.BK, cfg.RowByRow)
	case cfg.SliceK > 1 && (cfg.BK%(cfg.Interleave*cfg.SliceK) != 0 || cfg.SliceK&(cfg.SliceK-1) != 0 || cfg.InOrder || cfg.Producers > 0):
		return fmt.Errorf("%d groups of threads for blocks of %d in steps of %d; want a power of two, steps of as many blocks, and neither producers nor exchanged bytes", cfg.SliceK, cfg.Interleave, cfg.BK)
	case cfg.Elem.Size() != 2:
		return fmt.Errorf("rows of %v, want a type of 16 bits", cfg.Elem)
	case cfg.Persistent > 0:
		return fmt.Errorf("%d persistent programs, want programs of one tile", cfg.Persistent)
	case cfg.Producers > 0 && cfg.Interleave*cfg.Elem.Size() < ProducerStep:
		return fmt.Errorf("%s for blocks of %d, want blocks of %d bytes of rows", fault.Count(cfg.Producers, "producer"), cfg.Interleave, ProducerStep)
	}
	return nil
}

// interleavedSums is sums for weights that are the left operand. Those of a group are integers less zero points, which every float type holds, and their
// sums are multiplied by the scales; or, with ScaleFirst, numbers that are rounded once. Then there is one set of accumulators, not another one for each
// group's sums, which leaves room for more rows: what conversions take is for all of them.
func (cfg MatMulConfig) interleavedSums(k *tile.Builder, a *tile.View, w *quantTiles, at []tile.Operand) *tile.Value {
	row, col := at[0], at[1]
	sum := k.Var(k.Zeros(cfg.SumType(), cfg.BN, cfg.BM))
	depth := cfg.DotDepth()
	steps := cfg.BK / depth
	for i := range cfg.steps(k, k.CDiv(a.Dim(1), cfg.BK)) {
		for s := range steps {
			block := i
			if steps > 1 {
				block = i.Mul(steps).Add(s)
			}
			size, place := [2]int{depth, cfg.BN}, []tile.Operand{block, col}
			scale := func() *tile.Value { return w.scale(size, place) }
			y, x := cfg.factors(w.numbers(size, place), scale), matrixBlock(a, []tile.Operand{row, block}, cfg.BM, depth)
			if !cfg.InOrder {
				y = interleaveK(y, cfg.Interleave, w.perWord())
			}
			if cfg.reordersWithin() {
				x = interleaveK(x, cfg.Interleave, w.perWord())
			}
			x = x.Transpose()
			if !w.Scaled() || cfg.ScaleFirst {
				sum.Set(tile.Dot(y, x, sum.Get(), cfg.Precision))
				continue
			}
			part := tile.Dot(y, x, k.Zeros(cfg.SumType(), cfg.BN, cfg.BM), cfg.Precision)
			sum.Set(part.FMA(scale().Transpose(), sum.Get()))
		}
	}
	if !w.Scaled() {
		sum.Set(sum.Get().Mul(w.scale([2]int{1, cfg.BN}, []tile.Operand{0, col}).Transpose()))
	}
	return sum.Get().Transpose()
}

// factors are the numbers of a tile of weights [K,N], as products take them: their transpose, multiplied by the scales if those come first.
func (cfg MatMulConfig) factors(numbers *tile.Value, scale func() *tile.Value) *tile.Value {
	if cfg.ScaleFirst {
		numbers = numbers.Mul(scale())
	}
	return numbers.Cast(cfg.Elem).Transpose()
}

// Interleave is the kernel that brings the rows of a matrix into the order in which a product takes K: that in which threads have loaded weights, or that of weights that are interleaved, where they are
// multiplied in another way. It also interleaves weights themselves, and brings them back. Its views are x [M,K] and out [M,K].
var Interleave = weft.NewKernel("interleave", describeInterleave)

// InterleaveConfig is what Interleave is built for.
type InterleaveConfig struct {
	Elem           weft.DType
	Nibbles        bool `json:",omitempty"` // elements are of 4 bits, two to one of Elem
	Block, PerWord int  // elements of a block, and of a word of the weights
	Back           bool `json:",omitempty"` // into the order of weights that are interleaved
	Cols           int  // of a row in a tile, in memory: a power of two that blocks divide
	Threads        int  // of a workgroup; 0 lets the compiler choose
}

// InterleaveConfigFor chooses the config for rows of k elements, for weights in such blocks, or, back, that are interleaved themselves.
func InterleaveConfigFor(caps target.Caps, elem weft.DType, block int, weights QuantView, k int) InterleaveConfig {
	cfg := InterleaveConfig{Elem: elem, Block: block, PerWord: weights.perWord(), Back: weights.Interleaved > 0}
	return cfg.in(caps, block, k)
}

// in is the config with tiles for a device, of rows of k elements in memory, in blocks of so many.
func (cfg InterleaveConfig) in(caps target.Caps, block, k int) InterleaveConfig {
	cfg.Cols = min(max(block, 1024), pow2.Ceil(k))
	if !caps.WholeTiles {
		cfg.Threads = caps.FitThreads(128)
	}
	return cfg
}

func describeInterleave(k *tile.Builder, cfg InterleaveConfig) {
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	x, out := k.In("a", cfg.Elem, 2), k.Out("out", cfg.Elem, 2)
	at := k.ProgramTile(out, 1, cfg.Cols)
	y, reorder := x.Block(1, cfg.Cols).Load(at...), interleaveK
	if cfg.Back {
		reorder = deinterleave
	}
	if cfg.Nibbles {
		y = reorder(y.Unpack4(1, cfg.Elem), cfg.Block, cfg.PerWord).Pack4(1, cfg.Elem)
	} else {
		y = reorder(y, cfg.Block, cfg.PerWord)
	}
	out.Block(1, cfg.Cols).Store(y, at...)
}

// DotDepth is how many elements of K are multiplied at once where weights are interleaved: as many blocks of a step as share scales, or all where these are multiplied before, as products are waited for after each time. (8 bits in groups of 128 by two
// blocks of 64 on an H200: 15 works of 12 to 2048 rows take 0.93 of the time by one; with a scale for each column 1.00 to 1.07: these stay single blocks.) Four warpgroups have too few registers for that.
func (cfg MatMulConfig) DotDepth() int {
	switch {
	case cfg.SliceK > 1 || !cfg.Weights.Scaled() || cfg.Threads > 2*warpgroup:
		return cfg.Interleave
	case cfg.ScaleFirst:
		return cfg.BK
	}
	depth := cfg.Interleave
	for 2*depth <= cfg.BK && cfg.BK%(2*depth) == 0 && cfg.Weights.Block[0]%(2*depth) == 0 {
		depth *= 2
	}
	return depth
}

// interleavedDot is the product of a step, or of a part of it.
func (cfg MatMulConfig) interleavedDot() plan.Dot {
	d := dotOf(cfg.Elem, cfg.Precision, cfg.BN, cfg.BM, cfg.DotDepth())
	d.Batch = cfg.SliceK > 1
	return d
}

// ordersWithin is the most rows of a whose order a program changes by itself, as it loads them: of more, a pass before takes less.
const ordersWithin = 8

// OrderBefore is the block in which rows are brought into another order before a product, 0 if they are not: that of weights which programs load as operands, or which are interleaved and
// multiplied in another way.
func (cfg MatMulConfig) OrderBefore() int {
	switch {
	case cfg.Interleave == 0:
		return cfg.Weights.Interleaved
	case cfg.ReordersBefore():
		return cfg.Interleave
	}
	return 0
}

// reordersWithin reports whether a program changes the order of the other operand.
func (cfg MatMulConfig) reordersWithin() bool {
	return cfg.Weights.Interleaved == 0 && !cfg.InOrder && !cfg.ReordersBefore()
}

// ReordersBefore reports whether the order of the other operand is changed before, by Interleave: tensor maps copy it as it is.
func (cfg MatMulConfig) ReordersBefore() bool {
	return cfg.Weights.Interleaved == 0 && !cfg.InOrder && cfg.SliceK <= 1 && (cfg.BM > ordersWithin || cfg.Producers > 0)
}
