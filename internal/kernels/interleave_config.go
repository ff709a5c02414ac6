package kernels

import (
	"fmt"
	"iter"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// legalInterleave says why weights cannot be the left operand of a config.
func (cfg MatMulConfig) legalInterleave(caps target.Caps) error {
	switch {
	case cfg.Interleave == 0:
		return nil
	case cfg.Weights.Bits == 0 || cfg.RowByRow || cfg.Persistent > 0 || cfg.Consumers > 1 || cfg.Cluster > 1 || cfg.Batch > 0 || cfg.Elem.Size() != 2:
		return fmt.Errorf("weights that are interleaved, want some of few bits, a of 16 bits, and programs of one tile")
	case cfg.BK%cfg.Interleave != 0:
		return fmt.Errorf("steps of %d in blocks of %d", cfg.BK, cfg.Interleave)
	case !caps.WholeTiles && (!cfg.IsMatrix(caps) || cfg.IsCooperative(caps)):
		return fmt.Errorf("weights that are interleaved are for matrix instructions whose operands are in registers")
	case cfg.Producers > 0 && (!caps.TensorMaps || !caps.WarpGroups || cfg.Interleave*cfg.Elem.Size() < ProducerStep || cfg.Stages < 2 || cfg.Threads != 2*cfg.BN || cfg.Threads%warpgroup != 0):
		return fmt.Errorf("%s cannot serve %d rows for %d columns in %d threads, whose steps are of %d", fault.Count(cfg.Producers, "producer"), cfg.BM, cfg.BN, cfg.Threads, cfg.Interleave)
	}
	return nil
}

// mostInterleaved are the most rows in which weights are interleaved: of more, each program would convert all weights of its columns again.
const mostInterleaved = 256

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
	least := 0.0
	best := *cfg
	for t := range cfg.interleavedSpace(caps, m, k) {
		if s := t.InterleavedSeconds(caps.Facts(), m, n, k); (least == 0 || s < worthwhile*least) && t.Legal(caps, m) == nil {
			best, least = t, s
		}
	}
	*cfg = best
}

// interleavedSpace are the configs to choose from: of few rows, narrow tiles in small workgroups, of more, wide ones, which read the rows again less often; with a
// producer that copies rows by tensor maps, where the device has those.
func (cfg MatMulConfig) interleavedSpace(caps target.Caps, m, k int) iter.Seq[MatMulConfig] {
	cfg.BM = min(max(pow2.Ceil(m), 8), 128)
	step := max(cfg.Interleave, min(128, pow2.Floor(k)))
	producers := []int{0}
	if caps.TensorMaps && caps.WarpGroups {
		producers = []int{0, 1}
	}
	return func(yield func(MatMulConfig) bool) {
		for c := range combinations([]int{32, 64, 128}, []int{1, 2}, []int{2, 3, 4, 5, 6}, []int{0, 2, 3, 4, 6, 8, 12, 16}, producers) {
			t := cfg
			t.BN, t.BK, t.Stages, t.SplitK, t.Producers = c[0], c[1]*step, c[2], c[3], c[4]
			t.Threads = 2 * t.BN
			few := t.BM <= 16
			switch {
			case t.BK > k || t.SplitK > 0 && k < 4*t.BK*t.SplitK: // parts of a few steps
			case few && t.BN > 64 || !few && (t.BN < 64 || t.BK > step): // more sums than what is loaded ahead leaves room for
			case t.Producers == 0 && t.Stages > 4:
			case !yield(t):
				return
			}
		}
	}
}

const (
	// What a weight takes a thread, in multiplications, where integers become floats in pairs, and each row that it is multiplied with. (8192 × 8192 of 4 bits on an
	// H100: steps of 128 × 128 weights take a unit 0.6 µs with 32 rows and 0.8 µs with 64.)
	weightCost, rowCost = 5.5, 1.0 / 12
	// Where a producer copies rows, no fence waits for what threads have loaded ahead.
	copiedWeightCost, copiedRowCost = 3.0, 1.0 / 32
	// busyMemory is how many times the bytes that a memory delivers within its latency are asked for at once, so that it is busy.
	busyMemory = 1.5
	// sustainedCache is the part of the bandwidth of the second-level cache that tiles read with.
	sustainedCache = 0.7
)

// InterleavedSeconds is a model of the time of weights as the left operand: of their bytes, as far as those that are asked for at once keep the memory busy, of the
// rows that each tile reads again, of conversions, and of further launches.
func (cfg MatMulConfig) InterleavedSeconds(machine *target.Machine, m, n, k int) float64 {
	tiles, parts, units := cfg.tilesOf(m, n), max(cfg.SplitK, 1), machine.Units
	programs, bits := tiles*parts, float64(cfg.Weights.Bits)
	room := cfg.interleavedRoom(machine)
	ahead := cfg.Stages - 1
	if cfg.Producers == 0 { // a fence or a barrier in each step waits for what was loaded
		ahead = 1
	}
	asked := float64(min(programs, units*room)*ahead*cfg.BN*cfg.BK) * bits / 8
	busy := min(asked/(busyMemory*machine.Memory*machine.Latency), 1)
	weights := float64(n*k) * bits / 8 / (machine.Memory * busy)
	working := min(float64(programs)/float64(units), 1) // units
	rows := (float64(tiles*cfg.BM*k*cfg.Elem.Size()) + float64(n*k)*bits/8) / (sustainedCache * machine.Cache * working)
	weight, row := weightCost, rowCost
	if cfg.Producers > 0 {
		weight, row = copiedWeightCost, copiedRowCost
	}
	each := float64(cfg.BN*k) / float64(parts) // weights of a program
	convert := float64(CeilDiv(programs, units)*units) * each * (weight + row*float64(cfg.BM)) * 2 / machine.Flops
	s, launches := max(weights, rows, convert), 1
	if parts > 1 {
		launches++
		s += 2 * float64(4*parts*m*n) / machine.Cache
	}
	if cfg.ReordersBefore() {
		launches++
	}
	return s + float64(launches)*machine.Launch + float64(CeilDiv(programs, units*room))*StartSeconds(machine)
}

// StartSeconds is what a program takes before its first step and after its last one.
func StartSeconds(machine *target.Machine) float64 { return startLoads * machine.Latency }

// interleavedRoom is how many programs a unit runs at a time.
func (cfg MatMulConfig) interleavedRoom(machine *target.Machine) int {
	threads := cfg.Threads
	switch {
	case cfg.Producers > 0 && threads > warpgroup: // registers are divided between the roles, and are all there are
		return 1
	case cfg.Producers > 0:
		threads += 32
	}
	words := cfg.BN * cfg.BK * cfg.Weights.Bits / 32 / cfg.Threads // of weights of a step
	registers := 64 + 2*cfg.BM*cfg.BN/cfg.Threads + cfg.Stages*words
	n := min(machine.Threads/threads, max(machine.Registers/(registers*threads), 1))
	if cfg.ReordersBefore() && machine.Shared > 0 {
		n = min(n, machine.Shared/(cfg.Stages*cfg.BM*cfg.BK*cfg.Elem.Size()+target.SystemShared))
	}
	return max(n, 1)
}

// interleavedTiles lists the configs to choose from, the rule's first.
func (p QuantizedProblem) interleavedTiles(caps target.Caps) (list []MatMulConfig) {
	m, _, k := p.sizes()
	rule := newMatMulConfig(p.Elem, 0)
	rule.Weights = p.Weights
	if !p.interleaves(caps, &rule) {
		return nil
	}
	list = append(list, rule)
	for cfg := range rule.interleavedSpace(caps, m, k) {
		if cfg.Legal(caps, m) == nil {
			list = appendNew(list, cfg)
		}
	}
	return list
}
