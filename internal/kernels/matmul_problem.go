package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// MatMulProblem is what the config of a product depends on: its operands […,M,K] and […,K,N]. What is fused
// after it does not count.
type MatMulProblem struct {
	Elem      weft.DType
	Precision tile.Precision `json:",omitempty"` // of F32
	A, B      tune.View
	Out       tune.Strides `json:",omitzero"`  // of the result, where it is not dense
	Result    weft.DType   `json:",omitempty"` // where it is not what a product of Elem usually has
}

// result is the element type of the result.
func (p MatMulProblem) result() weft.DType { return resultOr(p.Result, p.config().Out) }

// resultOr is an element type that a problem has where it is not the usual one.
func resultOr(t, usual weft.DType) weft.DType {
	if t.Valid() {
		return t
	}
	return usual
}

// Unusual is a result's element type for a problem of Elem: zero if it is what products of that usually have.
func Unusual(elem, result weft.DType) weft.DType {
	if result == newMatMulConfig(elem, 0).Out {
		return dtype.Invalid
	}
	return result
}

// config is what of a config follows from the problem alone.
func (p MatMulProblem) config() MatMulConfig { return MatMulOf(p.Elem, p.Precision, int(p.A.Rank)-2) }

// MatMulOf is what of a config follows from the operands alone; precision is that of F32.
func MatMulOf(elem weft.DType, precision tile.Precision, batch int) MatMulConfig {
	cfg := newMatMulConfig(elem, batch)
	if elem == weft.F32 {
		cfg.Precision = precision
	}
	return cfg
}

// capsFor are a device's capabilities as far as the operands can use them: instructions on elements that are not of 16 bits
// take what tensor maps copy only along K, but for a left operand whose words threads load.
func (p MatMulProblem) capsFor(caps target.Caps) target.Caps {
	a, b := p.alongSums()
	dot := p.config().dot()
	fit := dot.TakesOrder(0, a) && dot.TakesOrder(1, b)
	caps.TensorMaps = caps.TensorMaps && fit && takesMap(p.Elem, p.A) && takesMap(p.Elem, p.B)
	return caps
}

// alongSums reports which operands are K-major.
func (p MatMulProblem) alongSums() (a, b bool) {
	r := p.A.Rank
	return p.A.Order[r-1] == r-1, p.B.Order[r-1] == r-2
}

// Swaps reports whether the transpose is the better form of a product.
func (p MatMulProblem) Swaps(caps target.Caps) bool {
	m, n, k, _ := p.Sizes()
	if !Transposes(p.Elem, m, n, k) || !p.config().TakesProducers(caps) {
		return false
	}
	a, b := p.alongSums()
	if p.capsFor(caps).TensorMaps {
		return a && (m <= mostSwapped || swapsEdge(m, n)) // whose lines along K are long, as those across are not
	}
	return a && !b && p.config().LoadsWords() && takesMap(p.Elem, p.A) && takesMap(p.Elem, p.B)
}

// Transposes reports whether a product of some type and sizes can be computed as its transpose by warpgroups.
func Transposes(elem weft.DType, m, n, k int) bool {
	return m > MaxRowByRow && n >= 64 && k*elem.Size() >= ProducerStep
}

// Rule is the rule. Threads that load words are no ping-pong consumers, since no products are outstanding meanwhile, and have 64 rows each: they load
// a word for each row.
func (p MatMulProblem) Rule(caps target.Caps) MatMulConfig {
	m, n, k, batch := p.Sizes()
	caps = p.capsFor(caps)
	cfg := completeMatMul(caps, p.config(), m, n, k, batch...)
	a, b := p.alongSums()
	switch {
	case !cfg.streams(caps) || !b:
	case int(p.B.Align)*p.Elem.Size() >= 16 && cfg.columnStream(caps.Facts().Units, countOf(batch), n, k):
	default:
		cfg.narrowStreams(caps.Facts().Units, countOf(batch), m, n, k)
	}
	switch r := requestsOf(p.Elem, p.A, p.B); {
	case cfg.Producers == 0:
	case !a && cfg.LoadsWords():
		cfg.fitProducers(caps, gatheredTiles, r, countOf(batch), m, n, k)
	default:
		least := cfg.fitProducers(caps, producerTiles, r, countOf(batch), m, n, k)
		cfg.shareK(caps, producerTiles, r, countOf(batch), m, n, k, least)
	}
	p.splitWaits(caps, &cfg)
	return cfg
}

const (
	copiedRun  = 16 // bytes of a row that are a copy of a vector
	loadsAlive = 16 // loads of a thread that are outstanding at once
	waiting    = 4  // programs of a unit that hide each other's waits
)

// splitWaits splits K into more parts where warpgroups wait for the left operand in each step: where threads load it into registers, or copy it in
// short runs. (BF16 50×576×832 on an H200 by 9 tiles, the left operand loaded by single elements: 33 µs, of which a
// step takes 1.9; in 13 parts 11. 565×43×7847 by 9 tiles, in vectors shifted out of two: 25 µs in 14 parts, 36 in 41.)
func (p MatMulProblem) splitWaits(caps target.Caps, cfg *MatMulConfig) {
	m, n, k, batch := p.Sizes()
	left := operandOf(p.Elem, p.A, int(p.A.Rank)-1)
	if left.Run >= copiedRun || cfg.RowByRow || cfg.Batch == MaxBatch || p.Plan(caps, *cfg).Reasons[0] != "" { // against warpgroups
		return
	}
	loads, size := perThread(cfg.BM*cfg.BK, cfg.Threads), p.Elem.Size()
	switch {
	case left.Run >= plan.CopiedBytes:
		loads = CeilDiv(loads, left.Run/size)
	case left.Run > 0: // vectors, shifted out of two
		loads = 2 * CeilDiv(loads, copiedRun/size)
	}
	machine, count := caps.Facts(), countOf(batch)
	tiles, steps := count*cfg.tilesOf(m, n), CeilDiv(k, cfg.BK)
	seconds := func(parts int) float64 {
		wait := machine.Latency * float64(loads) / loadsAlive
		return float64(CeilDiv(steps, parts))*wait + sumPartsSeconds(machine, parts, count*m*n)
	}
	for parts := max(cfg.SplitK, 1) + 1; parts <= steps && parts*tiles <= waiting*machine.Units; parts++ {
		if seconds(parts) < worthwhile*seconds(max(cfg.SplitK, 1)) {
			cfg.SplitK = parts
		}
	}
}

// Sizes are those of the product, and of its batch.
func (p MatMulProblem) Sizes() (m, n, k int, batch []int) {
	d := int(p.A.Rank) - 2
	return p.A.Size[d], p.B.Size[d+1], p.A.Size[d+1], p.A.Shape()[:d]
}

func (p MatMulProblem) List(caps target.Caps) []MatMulConfig {
	m, n, k, batch := p.Sizes()
	caps = p.capsFor(caps)
	list := p.config().alternatives(caps, p.Rule(caps), m, n, k, batch...)
	other := p.config()
	if other.KMajor = true; m > MaxRowByRow && p.takesKMajor() && p.Legal(caps, list[0].withKMajor()) == nil {
		other.fitUnits(caps, countOf(batch), m, n, k)
		list = appendNew(appendNew(list, list[0].withKMajor()), other)
	}
	return list
}

// withKMajor is a config with K-major operands.
func (cfg MatMulConfig) withKMajor() MatMulConfig {
	cfg.KMajor = true
	return cfg
}

func (p MatMulProblem) Legal(caps target.Caps, cfg MatMulConfig) error {
	m, n, _, batch := p.Sizes()
	cfg.MostColumns = cfg.FitColumns(n)
	if cfg.Elem != p.Elem || cfg.Precision != p.config().Precision || cfg.Batch != len(batch) || cfg.Weights != (QuantView{}) {
		return fmt.Errorf("the config is for %v with %s", cfg.Elem, fault.Count(cfg.Batch, "batch dimension"))
	}
	if cfg.KMajor && !p.takesKMajor() {
		return fmt.Errorf("no operand for KMajor; want one that is K-major in memory, with rows at multiples of %d bytes", copiedRun)
	}
	return cfg.Legal(p.capsFor(caps), m)
}

// takesKMajor reports whether an operand is K-major, with rows for asynchronous copies of vectors.
func (p MatMulProblem) takesKMajor() bool {
	last := int(p.A.Rank) - 1
	a, b := operandOf(p.Elem, p.A, last), operandOf(p.Elem, p.B, last-1)
	return a.KMajor && a.Run >= copiedRun || b.KMajor && b.Run >= copiedRun
}

func (p MatMulProblem) Work(caps target.Caps, cfg MatMulConfig) tune.Work {
	m, n, k, batch := p.Sizes()
	return cfg.work(caps, p.A, p.B, m, n, k, countOf(batch))
}

func (p MatMulProblem) Bucket() MatMulProblem {
	p.A, p.B = p.A.Bucket(), p.B.Bucket()
	return p
}

func (p MatMulProblem) Kernel(cfg MatMulConfig) (*tile.Func, error) { return MatMul.Build(cfg) }
