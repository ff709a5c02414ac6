package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// attentionOptions are options of attention of [2,4,5,16] and keys [2,2,64,16], one by one.
var attentionOptions = []func(s *suite, a *attended){
	func(_ *suite, a *attended) { a.causal = true },
	func(_ *suite, a *attended) { a.before, a.after = 20, 3 },
	func(_ *suite, a *attended) { a.start = true },
	func(_ *suite, a *attended) {
		a.Scale = 0.7
		a.options = append(a.options, ops.AttentionScale(a.Scale))
	},
	func(s *suite, a *attended) { a.masked(s, weft.Bool, math.Log) },
	func(s *suite, a *attended) { a.masked(s, weft.F32, func(x float64) float64 { return x }) },
	func(_ *suite, a *attended) { a.lengths = []int{40, 64} },
	func(_ *suite, a *attended) { a.page = 16 },
	func(_ *suite, a *attended) { a.packed[0] = true },
	func(_ *suite, a *attended) { a.packed[1] = true },
}

// masked gives a case a random mask, whose numbers add what a function says.
func (a *attended) masked(s *suite, elem weft.DType, adds func(x float64) float64) {
	m := s.random(elem, a.Sq, a.Sk)
	a.options = append(a.options, ops.AttentionMask(s.tensor(m)))
	a.mask = func(_, _, i, j int) float64 { return adds(m.x[i*a.Sk+j]) }
}

// excluded reports whether an option does not go with another one: there is one mask, and none of packed sequences, and pages have no starts.
func excluded(i, j int) bool {
	const masks, pages = 4, 7 // the first of two masks; pages precede both kinds of starts
	mask := i == masks || i == masks+1
	return mask && (j == masks || j == masks+1 || j > pages) || i == pages && j == pages+2
}

// attentionPairs has every pair of options, each together with the log-sum-exp, in both orders; where kernels take long to compile, some of them.
func attentionPairs(s *suite) {
	n := len(attentionOptions)
	for pair := range n * n {
		i, j := pair/n, pair%n
		if i == j || excluded(i, j) || excluded(j, i) {
			continue
		}
		if !s.compilesSoon() && pair%11 != 1 {
			continue
		}
		a := attention(weft.F32, 2, 4, 2, 5, 64, 16, ops.Tiles(ops.AttentionConfig{BM: 16, BN: 16, BD: 16, BV: 16, Threads: 256}))
		attentionOptions[i](s, &a)
		attentionOptions[j](s, &a)
		s.attend(a)
	}
}
