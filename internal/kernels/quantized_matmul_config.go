package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// Fastest is the dimension of a matrix along which its elements are contiguous.
func Fastest(l layout.Layout) int {
	if l.Size(1) <= 1 || l.Size(0) > 1 && l.Stride(0) < l.Stride(1) {
		return 0
	}
	return 1
}

// QuantizedProblem is what the config of a product with quantised weights [K,N] depends on: a [M,K], and along which
// dimension the integers are contiguous.
type QuantizedProblem struct {
	Elem    weft.DType
	A       tune.View
	N       int
	Weights QuantView
	Fastest int
	Data    tune.Strides `json:",omitzero"`  // of the integers, where they are not dense
	Out     tune.Strides `json:",omitzero"`  // of the result, where it is not dense
	Result  weft.DType   `json:",omitempty"` // where it is not Elem
}

func (p QuantizedProblem) result() weft.DType { return resultOr(p.Result, p.Elem) }

func (p QuantizedProblem) sizes() (m, n, k int) { return p.A.Size[0], p.N, p.A.Size[1] }

// Rule is the launch rule. Tiles are those of MatMul but for one: a few rows are limited by the memory that the weights come from, so
// that programs read these in runs of 128 bytes at least.
func (p QuantizedProblem) Rule(caps target.Caps) MatMulConfig {
	m, n, k := p.sizes()
	cfg := newMatMulConfig(p.Elem, 0)
	cfg.Weights = p.Weights
	if p.interleaves(caps, &cfg) {
		return cfg
	}
	caps.TensorMaps = false // weights are no numbers before threads have computed them
	if cfg.fitRuns(caps, p.Fastest, m, n, k) {
		return cfg
	}
	if !caps.WholeTiles && m <= p.rowsOneByOne(caps, cfg) {
		cfg.RowByRow, cfg.BM = true, pow2.Ceil(max(m, 1))
		cfg.fitWeights(caps, p.Fastest, m, n, k)
		cfg.fitBlocks()
		return cfg
	}
	rows := m
	if !caps.WholeTiles {
		rows = max(m, MaxRowByRow+1)
	}
	if cfg = completeMatMul(caps, cfg, rows, n, k); m <= FewRows && p.Fastest == 0 && cfg.IsCooperative(caps) {
		cfg.fitFewRows(caps, m, n, k)
	}
	cfg.fitBlocks()
	return cfg
}

// mostWeightRows are the most rows that are multiplied with weights of few bits one by one: to convert the weights takes longest.
const mostWeightRows = 8

// rowsOneByOne is up to how many rows are multiplied one by one. Cooperative matrices take as long for three as for sixteen. Without instructions for them
// products of more rows go through shared memory, where weights are as long as numbers.
func (p QuantizedProblem) rowsOneByOne(caps target.Caps, cfg MatMulConfig) int {
	cfg.BM, cfg.BN, cfg.BK = fewMatrixRows, 64, 64
	switch {
	case p.Fastest != 0 || scarce(caps):
	case cfg.IsCooperative(caps):
		return 2
	case !cfg.IsMatrix(caps):
		return mostWeightRows
	}
	return MaxRowByRow
}

// fitWeights chooses blocks of weights for products of a few rows. Along a run that is the reduction they are long: their columns are then so many
// programs that few have to share one.
func (cfg *MatMulConfig) fitWeights(caps target.Caps, fastest, m, n, k int) {
	area := min(1<<13, 1<<14/cfg.BM)  // at most 64 sums in each of 256 threads
	run := 128 * 8 / cfg.Weights.Bits // 128 bytes
	each := 16                        // weights of a thread
	programs := 4                     // of a unit, at least
	switch {
	case scarce(caps): // at most 32 sums in each thread
		area, each = min(1<<10, 1<<13/cfg.BM), max(min(16, 32/cfg.BM), 1)
		if fastest == 0 {
			run *= 8 // all threads, 4 bytes each
		}
		run = min(run, area/2) // which leaves two, whole bytes, across
	case fastest == 0 && cfg.BM == 1:
		// One row is all waiting for memory. Each warp reads whole columns of a block, 16 bytes a thread or 8: sums that several warps have parts of go
		// through shared memory. Weights of 8 bits are two loads a thread.
		area, run, each, programs = 1<<12, 1<<9, 4*cfg.Weights.Bits, 2
	case fastest == 0: // 64 sums in each thread. Columns share the elements of rows that threads have loaded
		area, run, each, programs = 1<<11, 2*run, max(64/cfg.BM, 16), 2
	case cfg.BM == 1:
		// 16 weights and as many sums in a thread take 60 registers, twice as many 98: four workgroups share a multiprocessor, not
		// two, and one row is all waiting for memory.
		area, run = 1<<12, min(run, 1<<9)
	}
	run = min(run, area)
	along, across := &cfg.BK, &cfg.BN
	sizes := [2]int{k, n}
	if fastest == 1 {
		along, across, sizes = across, along, [2]int{n, k}
	}
	*along = min(pow2.Ceil(max(sizes[0], 2)), run) // 2: whole bytes
	*across = min(pow2.Ceil(max(sizes[1], 2)), area / *along)
	cfg.Threads = min(max(cfg.BK*cfg.BN/each, 32), 256)
	cfg.limitThreads(caps)
	cfg.split(programs*caps.Facts().Units, 4*cfg.BK, 1, m, n, k)
}

// FewRows are the most rows of products that wait for their weights, however these are multiplied.
const FewRows = 32

// fewSteps are so many steps of K that they take less time than what the programs of a few tiles gain by a second launch.
const fewSteps = 64

// fitFewRows chooses tiles for products of few rows by cooperative matrices: steps of 64 bytes of each column of the weights, in one launch but where there are few tiles of many
// steps. (H100, 4 bits, µs with K in parts by two launches and in one: 8×4096×4096 22.3, 11.2; 8×14336×4096 43, 30; 16×1024×4096 12.3, 6.2; 8×4096×14336 40, 42; of
// 32 rows tiles of 32 columns instead of 64: 32×4096×4096 33, 19.)
func (cfg *MatMulConfig) fitFewRows(caps target.Caps, m, n, k int) {
	cfg.BK = min(64*8/cfg.Weights.Bits, pow2.Ceil(k))
	cfg.BN = min(cfg.BN, 64, max(64*fewMatrixRows/cfg.BM, fewMatrixRows))
	cfg.Threads = caps.FitThreads(128)
	for least := 32 / cfg.Elem.Size(); !cfg.FitsShared(caps) && cfg.BK > least; {
		cfg.BK /= 2
	}
	cfg.SplitK = 0
	if units := caps.Facts().Units; 4*cfg.tilesOf(m, n) < units && CeilDiv(k, cfg.BK) > fewSteps {
		cfg.split(4*units, 4*cfg.BK, 1, m, n, k)
	}
}

// fitBlocks makes steps along the reduction hold whole groups, or groups whole steps, unless they would become too short, and tiles
// whole bytes.
func (cfg *MatMulConfig) fitBlocks() {
	w := cfg.Weights
	if group := w.Block[0]; group > 0 && group%cfg.BK != 0 && cfg.BK%group != 0 {
		if part := group & -group; part >= 8 {
			cfg.BK = min(cfg.BK, part)
		}
	}
	if w.Bits == 4 && w.Packed == 0 {
		cfg.BK = max(cfg.BK, 2)
	} else if w.Bits == 4 {
		cfg.BN = max(cfg.BN, 2)
	}
}

func (p QuantizedProblem) List(caps target.Caps) []MatMulConfig {
	m, n, k := p.sizes()
	list := []MatMulConfig{p.Rule(caps)}
	seen := map[MatMulConfig]bool{list[0]: true}
	for _, cfg := range p.interleavedConfigs(caps) {
		if !seen[cfg] {
			seen[cfg] = true
			list = append(list, cfg)
		}
	}
	caps.TensorMaps = false
	if c := list[0]; c.byRuns() {
		for _, cfg := range c.withRuns(caps) {
			if !seen[cfg] {
				seen[cfg] = true
				list = append(list, cfg)
			}
		}
	}
	for _, cfg := range MatMulConfigs(caps, p.Elem, m, n, k) {
		cfg.Weights = p.Weights
		if cfg.fitBlocks(); !seen[cfg] {
			seen[cfg] = true
			list = append(list, cfg)
		}
	}
	return list
}

func (p QuantizedProblem) Legal(caps target.Caps, cfg MatMulConfig) error {
	if cfg.Elem != p.Elem || cfg.Weights != p.Weights || cfg.Batch != 0 {
		return fmt.Errorf("the config is for %v with weights of %v", cfg.Elem, cfg.Weights)
	}
	fitted := cfg
	if fitted.fitBlocks(); fitted != cfg {
		return fmt.Errorf("steps of %d do not fit blocks of %v", cfg.BK, cfg.Weights.Block)
	}
	m, _, k := p.sizes()
	if cfg.Interleave > 0 && (p.Fastest != 0 || cfg.Interleave != cfg.longestBlock(k)) {
		return fmt.Errorf("weights are interleaved in blocks of %d, want %d", cfg.Interleave, cfg.longestBlock(k))
	}
	return cfg.Legal(caps, m)
}

func (p QuantizedProblem) Work(caps target.Caps, cfg MatMulConfig) tune.Work {
	m, n, k := p.sizes()
	return cfg.work(caps, p.A, MatrixView(k, n, p.Fastest), m, n, k, 1)
}

func (p QuantizedProblem) Bucket() QuantizedProblem {
	p.A, p.N = p.A.Bucket(), tune.Bucket(p.N)
	return p
}

func (p QuantizedProblem) Kernel(cfg MatMulConfig) (*tile.Func, error) { return MatMul.Build(cfg) }
