package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Columns of a result in parts of one width are tiles of any width: each part has one tile of columns, of which no more are copied and multiplied than there are (see MatMulConfig.ColumnPitch). Of tiles
// whose widths are powers of two the last one may be nearly empty, and takes as long as the others. (F16 300×8192×8192 on an H200: 89 µs by tiles of 128×256, of which the last has 44 rows; cuBLAS 67.)

const (
	mostEven    = 8  // parts
	otherWidths = 3  // numbers of parts above the fewest that are tried
	leastEven   = 64 // columns of a part
)

// Width is the width of a part of n columns, of which the last may have fewer.
func (c Cut) Width(n int) int { return tileSize(CeilDiv(n, c.Even)) }

// even is the number of such parts, of the product or of its transpose, with which the product should be ready first, and how long that takes; none if there is none.
func (p MatMulProblem) even(caps target.Caps) (best Cut, least float64) {
	for _, transposed := range []bool{false, true} {
		q := p
		if transposed {
			q = p.transpose()
		}
		m, n, k, _ := q.Sizes()
		if a, b := q.alongSums(); !Transposes(p.Elem, n, m, k) || !b || !a && p.config().LoadsWords() {
			continue
		}
		fewest := max(CeilDiv(n, plan.MostColumns()), 2)
		for parts := fewest; parts <= min(fewest+otherWidths, mostEven); parts++ {
			c := Cut{Even: parts, Transposed: transposed}
			if p.legalEven(c) != nil {
				continue
			}
			_, s := q.inParts(caps, c)
			if s += p.storeSeconds(caps.Facts()); least == 0 || s < least {
				best, least = c, s
			}
		}
	}
	return best, least
}

// evenTiles are those of parts. Threads store the results, since tensor maps store whole tiles: ping-pong groups would wait for one another, and one warpgroup by itself multiplies nothing meanwhile. (F16 on an
// H200, µs by whole tiles, and by tiles of one warpgroup that share K: 1034×512×3584 13.8, 18.8; 520×1024×4096 16.0, 18.3.)
var evenTiles = slices.DeleteFunc(slices.Clone(producerTiles), func(t producerTile) bool { return t.consumers > 1 || t.cluster > 1 || t.bm < 2*groupRows })

// storeWaits is how long threads take to store their results more than tensor maps do, in latencies of memory. (It tells F16 541×3072×8192 on an H200, 46 µs in 5 parts and 55 as a whole, from 1600×512×4096,
// 21.1 in 5 parts and 17.9, which were expected to take 0.92 and 0.95 of the time without it.)
const storeWaits = 1

// singleStore is what a thread takes to store an element by itself, in multiplications: results of tiles that are divided, in rows that vectors do not begin in. (16.8 million of F16 4095×4097×4093 on an H200 took 41 µs.)
const singleStore = 72

// singleStoreSeconds is how long threads take to store so many elements one by one.
func singleStoreSeconds(machine *target.Machine, elements int) float64 {
	return 2 * singleStore * float64(elements) / machine.Flops
}

// storeSeconds is how long threads take to store the result more than tensor maps do.
func (p MatMulProblem) storeSeconds(machine *target.Machine) float64 {
	m, n, _, _ := p.Sizes()
	s := storeWaits * machine.Latency
	if !takesMap(p.result(), MatrixView(m, n, 1).With(p.Out)) {
		s += singleStoreSeconds(machine, m*n)
	}
	return s
}

// inParts is the config of a product whose columns are in parts, as one of as many products that have the same left operand, and how long it should take.
func (p MatMulProblem) inParts(caps target.Caps, c Cut) (MatMulConfig, float64) {
	m, n, k, _ := p.Sizes()
	width := c.Width(n)
	cfg, s := p.inBatch(caps, evenTiles, c.Even, m, width, k)
	cfg.Order, cfg.MostColumns = tile.Order{}, 0 // parts of the same rows follow each other
	if width < cfg.BN {
		cfg.ColumnPitch = width
	}
	return cfg, s
}

// EvenConfig is the config of the product, or of its transpose, with columns in parts of one width.
func (p MatMulProblem) EvenConfig(caps target.Caps, c Cut) MatMulConfig {
	if c.Transposed {
		p = p.transpose()
	}
	cfg, _ := p.inParts(caps, c)
	return cfg
}

// legalEven says why parts of one width are refused, which has to be that of a matrix instruction.
func (p MatMulProblem) legalEven(c Cut) error {
	m, n, _, _ := p.Sizes()
	if c.Transposed {
		n = m
	}
	if c.Even < 2 || n/c.Even < leastEven || c.Columns || c.At != 0 || CeilDiv(n, c.Width(n)) != c.Even {
		return fmt.Errorf("%d parts of %d columns", c.Even, n)
	}
	if width := c.Width(n); width > plan.MostColumns() {
		return fmt.Errorf("parts of %d columns, want at most %d", width, plan.MostColumns())
	}
	return nil
}

// SharesLeft reports whether matrices with these layouts, of an operand each, are a few with the same left one along the last dimension of the batch.
func SharesLeft(a, b layout.Layout) bool {
	d := a.Rank() - 3
	return d >= 0 && a.Stride(d) == 0 && b.Stride(d) != 0 && b.Size(d) > 1 && b.Size(d) <= mostEven
}

// transpose is the problem of the transpose.
func (p MatMulProblem) transpose() MatMulProblem {
	p.A, p.B = p.B.Transpose(), p.A.Transpose()
	return p
}
