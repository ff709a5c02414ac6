package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
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
// weights in an order of its own instead, as a device of one kind takes them).

// rowThreads are the threads that hold a row of the left operand of a matrix instruction.
const rowThreads = 4

// interleaveK reorders the elements of the last dimension of a matrix in blocks of K: what threads load in words, of which each has so many
// elements, is then what they hold. The elements of a pair are half a word apart, where integers become floats together.
func interleaveK(x *tile.Value, block, perWord int) *tile.Value {
	shape := x.Type().Shape
	words := block / (rowThreads * perWord)
	return x.Reshape(shape[0]*shape[1]/block, rowThreads, words, 2, perWord/2).Permute(0, 2, 4, 1, 3).Reshape(shape...)
}

// perWord is how many weights a word of 32 bits has.
func (v QuantView) perWord() int { return 32 / v.Bits }

// InterleavedBlock is how many elements of K a block has in which weights [K,N] are interleaved: 16 bytes of each of the threads of a row, less where fewer
// share a scale; 0 if weights are not stored along K, or the blocks do not divide K or the groups that share scales.
func (v QuantView) InterleavedBlock(k int) int {
	if v.Bits == 0 || v.Packed != 0 && v.Bits == 4 {
		return 0
	}
	for words := 4; words >= 1; words /= 2 {
		block := words * rowThreads * v.perWord()
		if k > 0 && k%block == 0 && v.Block[0]%block == 0 {
			return block
		}
	}
	return 0
}

// interleavedSums is sums for weights that are the left operand. Those of a group are integers less zero points, which every float type holds; their
// sums are multiplied by the scales.
func (cfg MatMulConfig) interleavedSums(k *tile.Builder, a *tile.View, w *quantTiles, at []tile.Operand) *tile.Value {
	row, col := at[0], at[1]
	sum := k.Var(k.Zeros(cfg.SumType(), cfg.BN, cfg.BM))
	steps := cfg.BK / cfg.Interleave
	for i := range k.SplitRange(k.CDiv(a.Dim(1), cfg.BK)) {
		for s := range steps {
			block := i
			if steps > 1 {
				block = i.Mul(steps).Add(s)
			}
			size, place := [2]int{cfg.Interleave, cfg.BN}, []tile.Operand{block, col}
			y := interleaveK(w.numbers(size, place).Cast(cfg.Elem).Transpose(), cfg.Interleave, w.perWord())
			x := a.Block(cfg.BM, cfg.Interleave).Load(row, block)
			if !cfg.ReordersBefore() {
				x = interleaveK(x, cfg.Interleave, w.perWord())
			}
			x = x.Transpose()
			if !w.Scaled() {
				sum.Set(tile.Dot(y, x, sum.Get(), cfg.Precision))
				continue
			}
			part := tile.Dot(y, x, k.Zeros(cfg.SumType(), cfg.BN, cfg.BM), cfg.Precision)
			sum.Set(part.FMA(w.scale(size, place).Transpose(), sum.Get()))
		}
	}
	if !w.Scaled() {
		sum.Set(sum.Get().Mul(w.scale([2]int{1, cfg.BN}, []tile.Operand{0, col}).Transpose()))
	}
	return sum.Get().Transpose()
}

// Interleave is the kernel that brings the rows of a matrix into the order of interleaved weights. Its views are x [M,K] and out [M,K].
var Interleave = weft.NewKernel("interleave", describeInterleave)

// InterleaveConfig is what Interleave is built for.
type InterleaveConfig struct {
	Elem           weft.DType
	Block, PerWord int // elements of a block, and of a word of the weights
	Cols           int // elements of a row in a tile, a power of two that Block divides
	Threads        int // of a workgroup; 0 lets the compiler choose
}

// InterleaveConfigFor chooses the config for rows of k elements, for weights in such blocks.
func InterleaveConfigFor(caps target.Caps, elem weft.DType, block int, weights QuantView, k int) InterleaveConfig {
	cfg := InterleaveConfig{Elem: elem, Block: block, PerWord: weights.perWord(), Cols: min(max(block, 1024), pow2.Ceil(k))}
	if !caps.WholeTiles {
		cfg.Threads = caps.FitThreads(128)
	}
	return cfg
}

func describeInterleave(k *tile.Builder, cfg InterleaveConfig) {
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	x, out := k.In("a", cfg.Elem, 2), k.Out("out", cfg.Elem, 2)
	at := k.ProgramTile(out, 1, cfg.Cols)
	y := interleaveK(x.Block(1, cfg.Cols).Load(at...), cfg.Block, cfg.PerWord)
	out.Block(1, cfg.Cols).Store(y, at...)
}

// legalInterleave says why weights cannot be the left operand of a config.
func (cfg MatMulConfig) legalInterleave(caps target.Caps) error {
	switch {
	case cfg.Interleave == 0:
		return nil
	case cfg.Weights.Bits == 0 || cfg.RowByRow || cfg.Producers > 0 || cfg.Persistent > 0 || cfg.Batch > 0 || cfg.Elem.Size() != 2:
		return fmt.Errorf("weights that are interleaved, want some of few bits, a of 16 bits, and programs of one tile without producers")
	case cfg.BK%cfg.Interleave != 0:
		return fmt.Errorf("steps of %d in blocks of %d", cfg.BK, cfg.Interleave)
	case !caps.WholeTiles && (!cfg.IsMatrix(caps) || cfg.IsCooperative(caps)):
		return fmt.Errorf("weights that are interleaved are for matrix instructions whose operands are in registers")
	}
	return nil
}

// mostInterleaved are the most rows in which weights are interleaved: of more, each program would convert all weights of its columns again.
const mostInterleaved = 128

// interleaves completes a config for weights as the left operand, or reports that they cannot be.
func (p QuantizedProblem) interleaves(caps target.Caps, cfg *MatMulConfig) bool {
	m, n, k := p.sizes()
	c := *cfg
	c.Interleave = p.Weights.InterleavedBlock(k)
	if p.Fastest != 0 || c.Interleave == 0 || m > mostInterleaved {
		return false
	}
	c.RowByRow, c.Order, c.SplitK = false, tile.Order{}, 0
	c.fitInterleaved(caps, m, n, k)
	if c.Legal(caps, m) != nil {
		return false
	}
	*cfg = c
	return true
}

// fitInterleaved chooses tiles, stages and parts of K for weights as the left operand by a model of their time.
func (cfg *MatMulConfig) fitInterleaved(caps target.Caps, m, n, k int) {
	cfg.BM = max(pow2.Ceil(m), 8)
	cfg.BK = max(cfg.Interleave, min(128, pow2.Floor(k)))
	best, least := *cfg, 0.0
	for c := range combinations([]int{32, 64, 128}, []int{1, 2}, []int{2, 3, 4}, []int{1, 2, 3, 4, 6, 8, 12, 16}) {
		t := *cfg
		t.BN, t.BK, t.Stages, t.SplitK = c[0], c[1]*cfg.BK, c[2], c[3]
		t.Threads = 2 * t.BN
		if t.SplitK > 1 && k < 4*t.BK*t.SplitK || t.BK > k || t.BM > 16 && (t.BN < 64 || t.BK > cfg.BK) || t.BM <= 16 && t.BN > 64 || t.Threads > max(caps.MaxThreads, 32) {
			continue // parts of a few steps; and more sums than what is loaded ahead leaves room for
		}
		if t.SplitK == 1 {
			t.SplitK = 0
		}
		if s := t.InterleavedSeconds(caps.Facts(), m, n, k); least == 0 || s < worthwhile*least {
			best, least = t, s
		}
	}
	*cfg = best
}

const (
	// What a weight takes a thread, in multiplications, where integers become floats in pairs, and each row that it is multiplied with. (8192 × 8192 of 4 bits on an
	// H100: steps of 128 × 128 weights take a unit 0.6 µs with 32 rows and 0.8 µs with 64.)
	weightCost, rowCost = 5.5, 1.0 / 12
	// busyMemory is how many times the bytes that a memory delivers within its latency are asked for at once, so that it is busy.
	busyMemory = 1.5
	// sustainedCache is the part of the bandwidth of the second-level cache that tiles read with.
	sustainedCache = 0.7
)

// InterleavedSeconds is a model of the time of weights as the left operand: of their bytes, as far as those that are asked for at once keep the memory busy, of the
// rows that each tile reads again, of conversions, and of further launches.
func (cfg MatMulConfig) InterleavedSeconds(machine *target.Machine, m, n, k int) float64 {
	tiles, parts, units := cfg.tilesOf(m, n), max(cfg.SplitK, 1), machine.Units
	bits := float64(cfg.Weights.Bits)
	registers := 64 + 2*cfg.BM*cfg.BN/cfg.Threads + cfg.Stages*cfg.BN*cfg.BK*cfg.Weights.Bits/32/cfg.Threads
	room := min(machine.Threads/cfg.Threads, max(machine.Registers/(registers*cfg.Threads), 1))
	perUnit := min(CeilDiv(tiles*parts, units), room)
	rounds := CeilDiv(tiles*parts, units*room)
	step := float64(cfg.BN*cfg.BK) * bits / 8
	ahead := cfg.Stages - 1
	if !cfg.ReordersBefore() { // rows go through shared memory, one step at a time
		ahead = 1
	}
	asked := float64(min(tiles*parts, perUnit*units)*ahead) * step
	busy := min(asked/(busyMemory*machine.Memory*machine.Latency), 1)
	weights := float64(n*k) * bits / 8 / (machine.Memory * busy)
	rows := (float64(tiles*cfg.BM*k*cfg.Elem.Size()) + float64(n*k)*bits/8) / (sustainedCache * machine.Cache)
	each := float64(cfg.BN*k) / float64(parts) // weights of a program
	convert := float64(CeilDiv(tiles*parts, units)*units) * each * (weightCost + rowCost*float64(cfg.BM)) * 2 / machine.Flops
	launches := 1
	s := max(weights, rows, convert)
	if parts > 1 {
		launches++
		s += 2 * float64(4*parts*m*n) / machine.Cache
	}
	if cfg.ReordersBefore() {
		launches++
	}
	return s + float64(launches)*machine.Launch + float64(rounds+launches)*startLoads*machine.Latency
}

// interleavedTiles lists the configs to choose from.
func (p QuantizedProblem) interleavedTiles(caps target.Caps) (list []MatMulConfig) {
	m, _, k := p.sizes()
	rule := newMatMulConfig(p.Elem, 0)
	rule.Weights = p.Weights
	if !p.interleaves(caps, &rule) {
		return nil
	}
	list = append(list, rule)
	for c := range combinations([]int{32, 64, 128, 256}, []int{1, 2}, []int{2, 3, 4}, []int{1, 2, 4, 8, 16}, []int{1, 2}) {
		cfg := rule
		cfg.BN, cfg.BK, cfg.Stages, cfg.SplitK = c[0], c[1]*max(cfg.Interleave, min(128, pow2.Floor(k))), c[2], 0
		cfg.Threads = 2 * cfg.BN / c[4]
		if c[3] > 1 && k >= 2*cfg.BK*c[3] {
			cfg.SplitK = c[3]
		}
		if cfg.BK <= k && cfg.Threads >= 32 && cfg.Threads <= 512 && cfg.Legal(caps, m) == nil {
			list = appendNew(list, cfg)
		}
	}
	return list
}

// interleavedDot is the product of a step.
func (cfg MatMulConfig) interleavedDot() plan.Dot {
	return dotOf(cfg.Elem, cfg.Precision, cfg.BN, cfg.BM, cfg.Interleave)
}

// ordersWithin is the most rows of a whose order a program changes by itself, as it loads them: of more, a pass before takes less.
const ordersWithin = 8

// ReordersBefore reports whether the order of the other operand is changed before, by Interleave.
func (cfg MatMulConfig) ReordersBefore() bool { return cfg.BM > ordersWithin }
