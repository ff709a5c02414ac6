package ops

import (
	"fmt"
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// matMulProblem is what the config of a product depends on: its operands […,M,K] and […,K,N]. What is fused
// behind it does not count.
type matMulProblem struct {
	Elem      weft.DType
	Precision tile.Precision `json:",omitempty"` // of F32
	A, B      tune.View
}

// config is what of a config follows from the problem alone.
func (p matMulProblem) config() MatMulConfig {
	cfg := matMulConfig(p.Elem, int(p.A.Rank)-2)
	if p.Elem == weft.F32 {
		cfg.Precision = p.Precision
	}
	return cfg
}

// takesMap reports whether a tensor map may take a view: one whose lines begin at multiples of 16 bytes.
func takesMap(elem weft.DType, v tune.View) bool { return v.Unit && int(v.Align)*elem.Size() >= 16 }

// capsFor are a device's capabilities as far as the operands can use them: instructions on elements that are not of 16 bits
// take what tensor maps copy only along the sums, but for a left operand whose words threads load.
func (p matMulProblem) capsFor(caps target.Caps) target.Caps {
	a, b := p.alongSums()
	fit := p.Elem.Size() == 2 || (a || p.config().loadsWords()) && b
	caps.TensorMaps = caps.TensorMaps && fit && takesMap(p.Elem, p.A) && takesMap(p.Elem, p.B)
	return caps
}

// alongSums reports which operands lie along the sums.
func (p matMulProblem) alongSums() (a, b bool) {
	r := p.A.Rank
	return p.A.Order[r-1] == r-1, p.B.Order[r-1] == r-2
}

// choose is the config for a product. Threads that load words take no turns, since no products are on their way meanwhile, and have 64 rows each: they load
// a word for each row.
func (p matMulProblem) choose(caps target.Caps) MatMulConfig {
	m, n, k, batch := p.sizes()
	caps = p.capsFor(caps)
	cfg := matMulConfigFor(caps, p.config(), m, n, k, batch...)
	if a, _ := p.alongSums(); !a && cfg.loadsWords() && cfg.Producers > 0 {
		cfg.fitProducers(caps, gatheredTiles, countOf(batch), m, n, k)
	}
	return cfg
}

// sizes are those of the product, and of its batch.
func (p matMulProblem) sizes() (m, n, k int, batch []int) {
	d := int(p.A.Rank) - 2
	return p.A.Size[d], p.B.Size[d+1], p.A.Size[d+1], p.A.Shape()[:d]
}

var matMulTune = &tune.Space[matMulProblem, MatMulConfig]{
	Op: "matmul",
	List: func(caps target.Caps, p matMulProblem) iter.Seq[MatMulConfig] {
		m, n, k, batch := p.sizes()
		return slices.Values(matMulConfigs(p.capsFor(caps), p.config(), m, n, k, batch...))
	},
	Legal: func(caps target.Caps, p matMulProblem, cfg MatMulConfig) error {
		m, _, _, batch := p.sizes()
		if cfg.Elem != p.Elem || cfg.Precision != p.config().Precision || cfg.Batch != len(batch) || cfg.Weights != (QuantView{}) {
			return fmt.Errorf("it is for %v with %d batch dimensions", cfg.Elem, cfg.Batch)
		}
		return cfg.legal(p.capsFor(caps), m)
	},
	Rule: func(caps target.Caps, p matMulProblem) MatMulConfig { return p.choose(caps) },
	Work: func(caps target.Caps, p matMulProblem, cfg MatMulConfig) tune.Work {
		m, n, k, batch := p.sizes()
		return cfg.work(caps, p.A, p.B, m, n, k, countOf(batch))
	},
	Bucket: func(p matMulProblem) matMulProblem {
		p.A, p.B = p.A.Bucket(), p.B.Bucket()
		return p
	},
	Kernel: func(_ target.Caps, _ matMulProblem, cfg MatMulConfig) (*tile.Func, error) {
		return MatMulKernel.Build(cfg)
	},
}

func (p matMulProblem) trial(r *trialTensors) (*tune.Trial[MatMulConfig], error) {
	m, n, k, batch := p.sizes()
	a, b := r.filled(p.Elem, p.A), r.filled(p.Elem, p.B)
	cfg := p.choose(r.dev.Caps())
	out := r.dense(cfg.Out, append(batch, m, n)...)
	call := &product{op: "matmul", operands: []operand{{"a", a}, {"b", b}}, a: a, b: b, result: cfg.Out, alpha: 1, precision: p.Precision}
	run := func(cfg MatMulConfig) error { return call.start([]weft.TensorView{view(a), view(b), view(out)}, cfg) }
	return newTrial(r, cfg, run, within(cfg.Out, MatMulSumBound(cfg.Precision, k, float64(k))), out)
}

// spareRegisters are what a thread needs beside sums that cannot leave their registers, for addresses, masks and matrix instructions:
// ptxas asked for 26 where the sums were 128.
const spareRegisters = 32

// fitsRegisters reports whether the sums of matrix instructions, which cannot leave the registers, leave threads enough of their own
// and of a multiprocessor's.
func (cfg MatMulConfig) fitsRegisters(caps target.Caps) bool {
	if caps.Registers > 0 && cfg.Threads > 0 && cfg.BM*cfg.BN/cfg.Threads+spareRegisters > caps.Registers {
		return false
	}
	if cfg.Consumers > 1 { // all threads, those of the producers too, start with as many
		threads := cfg.Consumers*cfg.Threads + warpgroup
		return threads*(cfg.BM*cfg.BN/max(cfg.Threads, 1)+spareRegisters) <= tune.MachineFor(caps).Registers
	}
	return cfg.BM*cfg.BN+spareRegisters*cfg.Threads <= tune.MachineFor(caps).Registers
}

// legal says why a config for m rows is refused.
func (cfg MatMulConfig) legal(caps target.Caps, m int) error {
	if err := checkPowers(cfg.BM, cfg.BN, cfg.BK); err != nil {
		return err
	}
	if err := checkThreads(caps, cfg.Threads); err != nil {
		return err
	}
	sums := 256 // of a thread, at most
	if scarce(caps) {
		sums = 64
	}
	switch {
	case cfg.Epilogue != (Epilogue{}) || cfg.Atomic:
		return fmt.Errorf("epilogues and atomic sums are asked for, not chosen")
	case cfg.SplitK < 0 || cfg.SplitK > 1<<12 || cfg.Stages < 0 || cfg.Stages > 8 || cfg.Persistent < 0:
		return fmt.Errorf("split %d, %d stages, %d programs", cfg.SplitK, cfg.Stages, cfg.Persistent)
	case cfg.SplitK > 1 && cfg.Batch == maxBatch:
		return fmt.Errorf("partial sums of %d batch dimensions", cfg.Batch)
	case cfg.SplitK > 1 && cfg.Persistent > 0:
		return fmt.Errorf("programs that share sums and take several tiles")
	case cfg.Order.Kind > tile.GroupedColumns:
		return fmt.Errorf("order %v", cfg.Order)
	case cfg.Producers > 0 && (!cfg.takesProducers(caps) || cfg.RowByRow || cfg.Stages < 1 || cfg.Threads != 2*cfg.BM && cfg.Threads != cfg.BM || cfg.Threads%128 != 0 || cfg.BN > 256):
		return fmt.Errorf("%d producers for tiles %d×%d in %d threads, or operands that tensor maps do not copy", cfg.Producers, cfg.BM, cfg.BN, cfg.Threads)
	case cfg.Consumers > 1 && (cfg.Producers == 0 || cfg.Persistent == 0 || cfg.Consumers > 3 || caps.MaxThreads > 0 && cfg.Consumers*cfg.Threads+warpgroup > caps.MaxThreads):
		return fmt.Errorf("%d groups of %d consumers beside %d producers in %d programs", cfg.Consumers, cfg.Threads, cfg.Producers, cfg.Persistent)
	case cfg.InFlight > 1 && (cfg.Producers == 0 || cfg.InFlight > 2 || cfg.Stages < 2):
		return fmt.Errorf("products of %d steps on their way beside %d producers, copies of %d", cfg.InFlight, cfg.Producers, cfg.Stages)
	case cfg.Consumers < 0 || cfg.InFlight < 0:
		return fmt.Errorf("%d groups of consumers, products of %d steps", cfg.Consumers, cfg.InFlight)
	case cfg.Cluster < 0 || cfg.Cluster > 2 || cfg.Cluster == 2 && (!caps.Clusters || cfg.Producers == 0 || cfg.Persistent%2 != 0):
		return fmt.Errorf("clusters of %d for %d programs with %d producers, on a device that has clusters: %v", cfg.Cluster, cfg.Persistent, cfg.Producers, caps.Clusters)
	case cfg.RowByRow && (cfg.BM > maxRowByRow || cfg.BM < m):
		return fmt.Errorf("%d rows taken one by one, %d in a tile", m, cfg.BM)
	case !cfg.RowByRow && !cfg.fitsShared(caps):
		return fmt.Errorf("tiles %d×%d by %d do not fit %d bytes of shared memory", cfg.BM, cfg.BN, cfg.BK, caps.SharedBytes)
	}
	if cfg.RowByRow {
		return checkArea(caps, cfg.BM*cfg.BK*cfg.BN, cfg.Threads)
	}
	if cfg.isMatrix(caps) && !cfg.fitsRegisters(caps) {
		return fmt.Errorf("%d sums leave %d threads less than %d registers each", cfg.BM*cfg.BN, cfg.Threads, spareRegisters)
	}
	if caps.Language != target.TileIR && cfg.Threads > 0 && cfg.BM*cfg.BN > sums*cfg.Threads {
		return fmt.Errorf("%d sums in %d threads, at most %d a thread", cfg.BM*cfg.BN, cfg.Threads, sums)
	}
	return nil
}
