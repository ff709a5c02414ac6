package kernels

import (
	"fmt"

	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/target"
)

// Cut is the one by which the product should be ready first, of weights that are the left operand.
func (p QuantizedProblem) Cut(caps target.Caps) Cut {
	cut, _ := p.cut(caps)
	return cut
}

// Seconds is how long the product should take in one part or in two, where weights are the left operand and producers copy the rows; elsewhere ok is false.
func (p QuantizedProblem) Seconds(caps target.Caps) (s float64, ok bool) {
	m, n, _ := p.sizes()
	if p.Rule(caps).Interleave == 0 {
		return 0, false
	}
	if !p.takesCuts(caps) {
		return p.partSeconds(caps, m, n), true
	}
	_, s = p.cut(caps)
	return s, true
}

func (p QuantizedProblem) cut(caps target.Caps) (Cut, float64) {
	m, n, _ := p.sizes()
	if !p.takesCuts(caps) {
		return Cut{}, 0
	}
	var list []Cut
	for _, t := range interleavedTiles {
		list = appendCuts(list, caps.Facts().Units, m, n, t.rows, t.columns)
	}
	return bestCut(list, m, n, caps.Facts().Latency, func(m, n int) float64 { return p.partSeconds(caps, m, n) })
}

// takesCuts reports whether there are producers, and integers with scales of single columns, of which either part has some. What codes take in
// two parts was not measured.
func (p QuantizedProblem) takesCuts(caps target.Caps) bool {
	cfg := p.Rule(caps)
	return cfg.Interleave > 0 && cfg.Producers > 0 && p.Weights.Block[1] == 1 && !p.Weights.Codes.ofFour()
}

// partSeconds are those of so many rows and columns of the product, in one launch or with K in parts.
func (p QuantizedProblem) partSeconds(caps target.Caps, m, n int) float64 {
	rows, columns, k := p.sizes()
	p.A.Size[0], p.N = m, n
	cfg := p.Rule(caps)
	s := cfg.InterleavedSeconds(caps, m, n, k)
	if cfg.RowPitch > 0 && plan.MapAligns(cfg.Out, n) && !takesMap(cfg.Out, MatrixView(rows, columns, 1).With(p.Out)) { // rows of a part are as far apart as those of the whole
		s += singleStoreSeconds(caps.Facts(), m*n)
	}
	return s
}

// LegalCut says why a cut is refused.
func (p QuantizedProblem) LegalCut(caps target.Caps, c Cut) error {
	m, n, _ := p.sizes()
	if c != (Cut{}) && !p.takesCuts(caps) {
		return fmt.Errorf("the weights are not multiplied as they are by rows that tensor maps copy")
	}
	return c.check(m, n)
}
