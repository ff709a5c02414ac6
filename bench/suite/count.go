package suite

import (
	"math"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// counts count elements by few bins and by many, of which all have as many or one has nearly all.
func counts(s Size) []Work {
	n, many := s.vector(), of(s, 1<<20, 1<<14, 500)
	return []Work{
		binned(n, 256, 256), binned(n, many, many), binned(n, many, 1), binned(n, 256, 1), weighed(n, 256),
		histogram(weft.F16, n, 100), histogram(weft.F32, n, 4096),
	}
}

// binned counts integers, of which there are some different ones.
func binned(n, bins, different int) Work {
	var all counted
	return Work{
		Name: name("bincount", weft.I32, size(n), " of ", different, " by ", bins), Op: "bincount", Terms: n, Params: map[string]any{"bins": bins},
		Inputs: []Operand{indices(different, n)}, Output: normal(weft.I32, bins),
		Run:  func(out *weft.Tensor, in []*weft.Tensor) error { return ops.BincountInto(out, in[0], bins) },
		Want: func(in []Values, i int) (want, bound float64) { return all.of(n, in[0], nil, bins)[i], 0 },
	}
}

// weighed adds up weights by integers.
func weighed(n, bins int) Work {
	var all, sizes counted
	return Work{
		Name: name("bincount", weft.F32, size(n), " weights by ", bins), Op: "bincount", Terms: n, Params: map[string]any{"bins": bins},
		Inputs: []Operand{indices(bins, n), normal(weft.F32, n)}, Output: normal(weft.F32, bins),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.BincountInto(out, in[0], bins, ops.Weights(in[1]))
		},
		Want: func(in []Values, i int) (want, bound float64) {
			size := sizes.of(n, in[0], func(at int) float64 { return math.Abs(in[1](at)) }, bins)[i]
			return all.of(n, in[0], in[1], bins)[i], float64(n) / float64(bins) * 2 * 0x1p-24 * size
		},
	}
}

// histogram counts floats, which are normally distributed, from -4 to 4. The edges are elements, or apart from all: those of 2^n bins, and those of F16 of
// hundreds.
func histogram(elem weft.DType, n, bins int) Work {
	var all counted
	return Work{
		Name: name("histogram", elem, size(n), " by ", bins), Op: "histogram", Terms: n, Params: map[string]any{"bins": bins, "lo": -4, "hi": 4},
		Inputs: []Operand{normal(elem, n)}, Output: normal(weft.I32, bins), Theirs: float64(n) * 0x1p-18, // edges of 32 bits
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.HistogramInto(out, in[0], -4, 4, bins) },
		Want: func(in []Values, i int) (want, bound float64) {
			binOf := func(at int) float64 {
				x := in[0](at)
				if math.Abs(x) > 4 {
					return -1
				}
				return min(math.Floor((x+4)*float64(bins)/8), float64(bins-1))
			}
			return all.of(n, binOf, nil, bins)[i], 0
		},
	}
}

// counted are counts, or sums of weights, that are computed once.
type counted struct {
	once sync.Once
	sums []float64
}

func (c *counted) of(n int, binOf, weight Values, bins int) []float64 {
	c.once.Do(func() {
		c.sums = make([]float64, bins)
		for i := range n {
			b, w := int(binOf(i)), 1.0
			if weight != nil {
				w = weight(i)
			}
			if b >= 0 && b < bins {
				c.sums[b] += w
			}
		}
	})
	return c.sums
}
