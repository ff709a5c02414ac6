package kernels

import (
	"fmt"

	"github.com/weftgpu/weft/target"
)

// Cut divides the result of a product in two, each of which is a product with tiles of its own. The first part is whole waves of tiles. The second one is the tiles
// that would fill a part of a wave, as smaller tiles or with K split. (Stream-K divides such tiles in the same launch: Osama et al., Stream-K: Work-Centric Parallel
// Decomposition for Dense Matrix-Matrix Multiplication on the GPU, 2023.)
//
// With Even it divides columns in parts of one width instead, which are the matrices of a batch: see even.
type Cut struct {
	Columns bool `json:",omitempty"` // divides columns of the result, not rows
	At      int  `json:",omitempty"` // where the second part begins; 0 does not divide it

	Even       int  `json:",omitempty"` // parts of one width; 0 for none
	Transposed bool `json:",omitempty"` // they are of the transpose, whose columns are the result's rows
}

const (
	// worthCutting is the part of a product's time that its parts take at most.
	worthCutting = 0.96
	// cutUnit is what the second part begins at multiples of: a side of the smallest tile after which results are cut.
	cutUnit = 128
)

// Cut is the one by which the product should be ready first.
func (p MatMulProblem) Cut(caps target.Caps) (best Cut) {
	if !p.takesCuts(caps) {
		return best
	}
	m, n, k, _ := p.Sizes()
	machine := caps.Facts()
	best, least := bestCut(p.cuts(machine.Units), m, n, machine.Launch+machine.Latency, func(m, n int) float64 { return p.producersSeconds(caps, m, n) })
	if _, shared := p.inBatch(caps, producerTiles, 1, m, n, k); shared < least {
		best, least = Cut{}, shared
	}
	if even, s := p.even(caps); even.Even > 0 && s < worthCutting*least {
		return even
	}
	return best
}

// parts are the rows and columns of the parts of a result.
func (c Cut) parts(m, n int) (first, second [2]int) {
	first, second = [2]int{m, n}, [2]int{m, n}
	d := 0
	if c.Columns {
		d = 1
	}
	first[d], second[d] = c.At, second[d]-c.At
	return first, second
}

// bestCut is the cut whose parts should be ready first, none if the whole is nearly as soon, and how long that takes. Between the parts pass so many seconds.
func bestCut(cuts []Cut, m, n int, between float64, seconds func(m, n int) float64) (best Cut, least float64) {
	whole := seconds(m, n)
	least = worthCutting * whole
	for _, c := range cuts {
		first, second := c.parts(m, n)
		if s := seconds(first[0], first[1]) + seconds(second[0], second[1]) + between; s < least {
			best, least = c, s
		}
	}
	if best == (Cut{}) {
		return best, whole
	}
	return best, least
}

// takesCuts reports whether warpgroups compute one product of what tensor maps copy.
func (p MatMulProblem) takesCuts(caps target.Caps) bool {
	m, _, k, batch := p.Sizes()
	cfg := p.config()
	a, _ := p.alongSums()
	return len(batch) == 0 && m > MaxRowByRow && p.capsFor(caps).TensorMaps && cfg.TakesProducers(p.capsFor(caps)) && k*p.Elem.Size() >= ProducerStep && (a || !cfg.LoadsWords())
}

// producersSeconds are those of so many rows and columns of the product.
func (p MatMulProblem) producersSeconds(caps target.Caps, m, n int) float64 {
	_, _, k, _ := p.Sizes()
	cfg := p.config()
	return cfg.fitProducers(p.capsFor(caps), producerTiles, requestsOf(p.Elem, p.A, p.B), 1, m, n, k)
}

// inBatch is the config, by one of some tiles, of a batch of so many products of some size that have the same left operand, and how long it should take.
func (p MatMulProblem) inBatch(caps target.Caps, among []producerTile, count, m, n, k int) (MatMulConfig, float64) {
	cfg, r := p.config(), requestsOf(p.Elem, p.A, p.B)
	r.alike, caps = [2]int{count, 1}, p.capsFor(caps)
	s := cfg.shareK(caps, among, r, count, m, n, k, cfg.fitProducers(caps, among, r, count, m, n, k))
	return cfg, s
}

// cuts lists those of the tiles of whole programs.
func (p MatMulProblem) cuts(units int) (list []Cut) {
	m, n, _, _ := p.Sizes()
	for _, t := range producerTiles {
		if t.cluster <= 1 && t.most == 0 {
			list = appendCuts(list, units, m, n, t.bm, t.bn)
		}
	}
	return list
}

// appendCuts adds those after as many whole rows or columns of tiles as all units take together, once or several times, but for the last time or the last two.
func appendCuts(list []Cut, units, m, n, bm, bn int) []Cut {
	if bm < cutUnit {
		return list
	}
	rows, columns := CeilDiv(m, bm), CeilDiv(n, bn)
	times := rows * columns / units
	for i := max(times-1, 1); i <= times; i++ {
		if at := i * units / columns * bm; at > 0 && at < m && at%cutUnit == 0 {
			list = appendNew(list, Cut{At: at})
		}
		if at := i * units / rows * bn; at > 0 && at < n && at%cutUnit == 0 {
			list = appendNew(list, Cut{Columns: true, At: at})
		}
	}
	return list
}

// LegalCut says why a cut is refused.
func (p MatMulProblem) LegalCut(caps target.Caps, c Cut) error {
	m, n, _, _ := p.Sizes()
	if c != (Cut{}) && !p.takesCuts(caps) {
		return fmt.Errorf("the product is not of matrices that warpgroups multiply as tensor maps copy them")
	}
	if c.Even > 0 {
		return p.legalEven(c)
	}
	return c.check(m, n)
}

// check refuses a cut that is not inside of a result, or where no tile ends.
func (c Cut) check(m, n int) error {
	size := m
	if c.Columns {
		size = n
	}
	if c != (Cut{}) && (c.At <= 0 || c.At >= size || c.At%cutUnit != 0) {
		return fmt.Errorf("a cut at %d of %d, want a multiple of %d between", c.At, size, cutUnit)
	}
	return nil
}

// Seconds is how long so many rows of the product should take in one launch where warpgroups multiply what tensor maps copy; elsewhere ok is false.
func (p MatMulProblem) Seconds(caps target.Caps, rows int) (s float64, ok bool) {
	_, n, _, _ := p.Sizes()
	if rows <= MaxRowByRow || !p.takesCuts(caps) {
		return 0, false
	}
	machine := caps.Facts()
	return p.producersSeconds(caps, rows, n) + machine.Launch + machine.Latency, true
}

// WaveRows lists numbers of rows, at most so many, whose tiles all units take together once or several times: the most for each tile.
func (p MatMulProblem) WaveRows(units, most int) (list []int) {
	_, n, _, _ := p.Sizes()
	for _, t := range producerTiles {
		if t.bm < cutUnit || t.cluster > 1 || t.most > 0 {
			continue
		}
		columns := CeilDiv(n, t.bn)
		for times := most / t.bm * columns / units; times > 0; times-- {
			if rows := times * units / columns * t.bm; rows > 0 && rows <= most {
				list = appendNew(list, rows)
				break
			}
		}
	}
	return list
}
