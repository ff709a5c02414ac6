package kernels

import (
	"fmt"

	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
)

// Columns of a result in parts of one width are tiles of any width: each part is a matrix of a batch and has one tile of columns, of which no more are copied and multiplied than there are
// (see FitColumns). All have the same left operand. Of tiles whose widths are powers of two the last one may be nearly empty, and takes as long as the others. (F16 300×8192×8192 on an H200: 89 µs by
// tiles of 128×256, of which the last has 44 rows; cuBLAS 67.)

const (
	mostEven    = 8  // parts
	otherWidths = 3  // numbers of parts above the fewest that are tried
	leastEven   = 64 // columns of a part
)

// Part is the width of a part of n columns and how many columns after the one before each begins. Where the number does not divide the columns, parts overlap: their results go to a workspace first.
func (c Cut) Part(n int) (width, step int) {
	if n%c.Even == 0 {
		return n / c.Even, n / c.Even
	}
	for width = CeilDiv(n, c.Even); (n-width)%(c.Even-1) != 0; {
		width++
	}
	return width, (n - width) / (c.Even - 1)
}

// partsCopySeconds is how long the results of parts that overlap take from a workspace to where they belong, of which the last part has a launch of its own.
func partsCopySeconds(machine *target.Machine, bytes int) float64 {
	return 2*(machine.Launch+2*machine.Latency) + 2*float64(bytes)/machine.Cache
}

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
			width, step := c.Part(n)
			s := q.batchSeconds(caps, [2]int{parts, 1}, parts, m, width, k)
			if width != step {
				s += partsCopySeconds(caps.Facts(), p.result().Size()*m*n)
			}
			if least == 0 || s < least {
				best, least = c, s
			}
		}
	}
	return best, least
}

// legalEven says why parts of one width are refused, which has to be that of a matrix instruction.
func (p MatMulProblem) legalEven(c Cut) error {
	m, n, _, _ := p.Sizes()
	if c.Transposed {
		n = m
	}
	if c.Even < 2 || n/c.Even < leastEven || c.Columns || c.At != 0 {
		return fmt.Errorf("%d parts of %d columns", c.Even, n)
	}
	if width, _ := c.Part(n); width > plan.MostColumns() {
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
