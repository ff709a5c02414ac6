package backendtest

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/testenv"
)

// drawnCases are calls of ops with all that a caller chooses drawn at random: element types, ranks, sizes, options and the
// layouts of all tensors. The launch rules choose the configs. WEFT_SEED and WEFT_DRAWS ask for other problems, and for more.
var drawnCases = []testCase{
	{"DrawnElementwise", drawn(drawElementwise)},
	{"DrawnReduce", drawn(drawReduce)},
	{"DrawnScan", drawn(drawScan)},
	{"DrawnSort", drawn(drawSort)},
	{"DrawnSoftmax", drawn(drawSoftmax)},
	{"DrawnNorm", drawn(drawNorm)},
	{"DrawnMove", drawn(drawMove)},
	{"DrawnIndexed", drawn(drawIndexed)},
	{"DrawnWindow", drawn(drawWindow)},
	{"DrawnMatMul", drawn(drawMatMul)},
	{"DrawnQuantizedMatMul", drawn(drawQuantizedMatMul)},
	{"DrawnQuantize", drawn(drawQuantize)},
	{"DrawnDecode", drawn(drawDecode)},
	{"DrawnEinsum", drawn(drawEinsum)},
	{"DrawnConv", drawn(drawConv)},
	{"DrawnAttention", drawn(drawAttention)},
	{"DrawnRotary", drawn(drawRotary)},
	{"DrawnBatchNorm", drawn(drawBatchNorm)},
	{"DrawnLoss", drawn(drawLoss)},
	{"DrawnCounts", drawn(drawCounts)},
	{"DrawnResize", drawn(drawResize)},
}

// drawn is a case that draws some problems, each from a seed of its own, which its name tells.
func drawn(draw func(*suite)) func(*suite) {
	return func(s *suite) {
		first, own := testenv.Seed(), s.rng.Uint64() // of the case's name
		n := 2
		if b := s.dev.Info().Backend; b == "vulkan" || b == "webgpu" { // software takes a second to compile a kernel
			n = 1
		}
		for i := range testenv.Draws(either(s, n, 8)) {
			s.sub(func(s *suite) {
				s.rng = rand.New(rand.NewPCG(own, first+uint64(i)))
				draw(s)
			}, "seed=%d", first+uint64(i))
		}
	}
}

// extent draws a size from 1 to most: a small one, one next to a power of two, or any, small ones as often as large ones.
func (s *suite) extent(most int) int {
	n := int(math.Exp(s.rng.Float64() * math.Log(float64(most)+1)))
	switch s.rng.IntN(4) {
	case 0:
		n = 1 + s.rng.IntN(8)
	case 1:
		n = 1<<s.rng.IntN(16) + s.rng.IntN(3) - 1
	}
	return min(max(n, 1), most)
}

// extents draws the sizes of so many dimensions with at most so many elements.
func (s *suite) extents(rank, elements int) []int {
	shape := make([]int, rank)
	for _, d := range s.rng.Perm(rank) {
		shape[d] = s.extent(elements)
		elements /= shape[d]
	}
	return shape
}

// largestDraw is how many elements the largest tensors of drawn problems have, and how many products.
func (s *suite) largestDraw() (elements, work int) {
	return either(s, 30_000, 300_000), either(s, 400_000, 20_000_000)
}

func pickOf[T any](s *suite, list ...T) T { return list[s.rng.IntN(len(list))] }

func (s *suite) form() form { return pickOf(s, forms...) }

func (s *suite) often() bool { return s.rng.IntN(4) > 0 }

func (s *suite) coin() bool { return s.rng.IntN(2) == 0 }

// someOf draws some of the dimensions, at least one.
func (s *suite) someOf(rank int) []int {
	axes := s.rng.Perm(rank)[:1+s.rng.IntN(rank)]
	slices.Sort(axes)
	return axes
}

// typeThat draws an element type that the device computes on and an op takes.
func (s *suite) typeThat(takes func(weft.DType) bool, of []weft.DType) weft.DType {
	return pickOf(s, slices.DeleteFunc(slices.Clone(of), func(e weft.DType) bool { return !takes(e) })...)
}
