package backendtest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

var einsumCases = []testCase{
	{"EinsumForms", einsumForms},
	{"EinsumViews", einsumViews},
	{"EinsumDots", einsumDots},
	{"EinsumRandom", einsumRandom},
	{"DotGeneral", dotGeneral},
}

// einsumOf adds up products over all values of all letters.
func einsumOf(in []string, out string, x []host) (want, magnitudes []float64, shape []int, terms int) {
	letters, sizes := "", map[rune]int{}
	for i, t := range in {
		for d, l := range t {
			if !strings.ContainsRune(letters, l) {
				letters += string(l)
			}
			sizes[l] = x[i].shape[d]
		}
	}
	var all []int
	terms = 1
	for _, l := range letters {
		all = append(all, sizes[l])
		if !strings.ContainsRune(out, l) {
			terms *= sizes[l]
		}
	}
	for _, l := range out {
		shape = append(shape, sizes[l])
	}
	want, magnitudes = make([]float64, size(shape)), make([]float64, size(shape))
	positions(all, func(_ int, at []int) {
		index := func(t string, shape []int) int {
			i := 0
			for d, l := range t {
				i = i*shape[d] + at[strings.IndexRune(letters, l)]
			}
			return i
		}
		v := 1.0
		for i, t := range in {
			v *= x[i].x[index(t, x[i].shape)]
		}
		i := index(out, shape)
		want[i], magnitudes[i] = want[i]+v, magnitudes[i]+math.Abs(v)
	})
	return want, magnitudes, shape, terms
}

// einsum checks a specification for operands whose letters have sizes.
func (s *suite) einsum(spec string, elem weft.DType, sizes map[rune]int, from []form, to form) {
	s.Helper()
	s.op("Einsum")
	left, out, arrow := strings.Cut(spec, "->")
	in := strings.Split(left, ",")
	if !arrow {
		for l := 'a'; l <= 'z'; l++ {
			if strings.Count(left, string(l)) == 1 {
				out += string(l)
			}
		}
	}
	var x []host
	var tensors []*weft.Tensor
	for i, t := range in {
		var shape []int
		for _, l := range t {
			shape = append(shape, sizes[l])
		}
		x = append(x, s.random(elem, shape...).each(func(_ int, x float64) float64 {
			if elem.IsInt() {
				return math.Mod(x, 128)
			}
			return x
		}))
		tensors = append(tensors, s.input(from[i%len(from)], x[i]))
	}
	want, magnitudes, shape, terms := einsumOf(in, out, x)
	result := elem
	if elem.IsInt() {
		result = weft.I32
	}
	to2 := s.output(to, result, shape...)
	s.try(ops.EinsumInto(to2.Tensor, spec, tensors))
	err := to2.verify(want, func(i int) float64 {
		if elem.IsInt() {
			return 0
		}
		steps := float64(len(in)) // each rounds
		return bounds.MatMul(elem, tile.IEEE, terms+len(in), want[i], magnitudes[i]) + steps*elem.Epsilon()*magnitudes[i]
	})
	if err != nil {
		s.Error(fmt.Errorf("%q of %v%v, %v to %s: %w", spec, elem, sizes, from, to, err))
	}
}

var einsumSpecs = []string{
	"bij,bjk->bik", "ij->ji", "ii", "ij,jk", "bhqd,bhkd->bhqk", "i,j->ij", "ij,ij->ij", "ij,ij", "iji->j", "abc->b", "ab,cb,dc->da", "abcd,dcef->abef",
	"ij,kj->ikj", "bij,bkj->bik", "i,i", "ab,ab,ab->a", "abc,cd->dab", "ijk,jil->kl", "a,bc,d->dcba", "aab,bc->ac", "ijk->", "ab,b->ba",
}

func einsumForms(s *suite) {
	sizes := map[rune]int{'a': 3, 'b': 4, 'c': 5, 'd': 6, 'e': 2, 'f': 3, 'h': 2, 'i': 5, 'j': 7, 'k': 6, 'l': 3, 'q': 5}
	for i, spec := range einsumSpecs[:either(s, 12, len(einsumSpecs))] {
		s.einsum(spec, floatTypes[i%3], sizes, []form{dense}, dense)
	}
	s.einsum("bij,bkj->ibk", weft.I8, sizes, []form{dense, transposed}, dense)
	s.einsum("i,j->ij", weft.U8, sizes, []form{dense}, sliced)
	s.einsum("aab,cbc->ac", weft.I8, sizes, []form{dense}, dense)
	out := s.ok(ops.Einsum("ij,jk->ik", []*weft.Tensor{s.tensor(filled(weft.F32, 1, 3, 0)), s.tensor(filled(weft.F32, 1, 0, 2))}))
	s.compare(out, make([]float64, 6), nil)
}

// Three dots are dimensions without letters, which are broadcast.
func einsumDots(s *suite) {
	for i, c := range []struct {
		spec, like string // with letters in place of the dots
		a, b       []int
	}{
		{"...ij,...jk->...ik", "pqij,pqjk->pqik", []int{2, 3, 4, 5}, []int{2, 3, 5, 6}},
		{"...ij,...jk", "pqij,qjk->pqik", []int{2, 3, 4, 5}, []int{3, 5, 6}},
		{"...ij,jk...->k...i", "pqij,jkq->kpqi", []int{2, 3, 4, 5}, []int{5, 6, 3}},
		{"...ij,...jk->...ik", "pij,qjk->pqik", []int{2, 1, 4, 5}, []int{1, 3, 5, 6}},
		{"i...,i...->...", "ip,i->p", []int{4, 7}, []int{4}},
		{"i...,i...->", "ip,ip->", []int{4, 7}, []int{4, 7}},
		{"...,...", "pq,q->pq", []int{4, 7}, []int{7}},
	} {
		a, b := s.random(weft.F32, c.a...), s.random(weft.F32, c.b...)
		left, out, _ := strings.Cut(c.like, "->")
		in := strings.Split(left, ",")
		squeezed := []host{a, b}
		for j, x := range squeezed {
			if len(in[j]) < len(x.shape) {
				squeezed[j].shape = slices.DeleteFunc(slices.Clone(x.shape), func(n int) bool { return n == 1 })
			}
		}
		want, magnitudes, shape, terms := einsumOf(in, out, squeezed)
		s.op("Einsum")
		to := s.output(forms[i%4], weft.F32, shape...)
		s.try(ops.EinsumInto(to.Tensor, c.spec, []*weft.Tensor{s.input(forms[(i+1)%len(forms)], a), s.input(dense, b)}))
		if err := to.verify(want, func(i int) float64 {
			return bounds.MatMul(weft.F32, tile.IEEE, terms+2, want[i], magnitudes[i]) + 2*weft.F32.Epsilon()*magnitudes[i]
		}); err != nil {
			s.Error(fmt.Errorf("%q of %v and %v: %w", c.spec, c.a, c.b, err))
		}
	}
	one := s.random(weft.F32, 2, 3, 3)
	want, _, shape, _ := einsumOf([]string{"pii"}, "p", []host{one})
	to := s.output(dense, weft.F32, shape...)
	s.try(ops.EinsumInto(to.Tensor, "...ii->...", []*weft.Tensor{s.tensor(one)}))
	if err := to.verify(want, func(i int) float64 { return 8 * weft.F32.Epsilon() * 10 }); err != nil {
		s.Error(err)
	}
}

func einsumViews(s *suite) {
	sizes := map[rune]int{'a': 4, 'b': 3, 'c': 6, 'd': 5, 'e': 3, 'f': 2, 'h': 3, 'i': 8, 'j': 9, 'k': 4, 'l': 5, 'q': 4}
	for i, spec := range einsumSpecs[:either(s, 8, len(einsumSpecs))] {
		s.einsum(spec, weft.F32, sizes, []form{forms[i%len(forms)], forms[(i+2)%len(forms)]}, forms[(i+1)%4])
	}
}

// Any letters in any order.
func einsumRandom(s *suite) {
	for range either(s, 6, 60) {
		sizes := map[rune]int{}
		letters := "abcdef"[:2+s.rng.IntN(5)]
		for _, l := range letters {
			sizes[l] = 1 + s.rng.IntN(5)
		}
		draw := func(most int) string {
			list := []rune(letters)
			s.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			return string(list[:s.rng.IntN(min(len(list), most)+1)])
		}
		in := []string{draw(4), draw(4), draw(3)}[:2+s.rng.IntN(2)]
		out := ""
		for _, l := range draw(4) {
			if strings.ContainsRune(strings.Join(in, ""), l) {
				out += string(l)
			}
		}
		s.einsum(strings.Join(in, ",")+"->"+out, weft.F32, sizes, []form{forms[s.rng.IntN(len(forms))], dense}, forms[s.rng.IntN(4)])
	}
}

func dotGeneral(s *suite) {
	s.op("DotGeneral")
	a, b := s.random(weft.F32, 2, 5, 3, 4), s.random(weft.F32, 4, 3, 6, 2)
	want, magnitudes, shape, terms := einsumOf([]string{"nibc", "cbjn"}, "bnij", []host{a, b})
	d := ops.DotDims{Batch: [2][]int{{-2, 0}, {1, 3}}, Contract: [2][]int{{3}, {0}}}
	for i, f := range forms {
		out := s.output(forms[i%4], weft.F32, shape...)
		s.try(ops.DotGeneralInto(out.Tensor, s.input(f, a), s.input(forms[(i+1)%len(forms)], b), d))
		out.check(want, func(i int) float64 { return bounds.MatMul(weft.F32, tile.IEEE, terms, want[i], magnitudes[i]) })
	}
	if out := s.ok(ops.DotGeneral(s.tensor(a), s.tensor(b), ops.DotDims{})); !slices.Equal(out.Shape(), []int{2, 5, 3, 4, 4, 3, 6, 2}) {
		s.Errorf("a product over nothing has shape %v", out.Shape())
	}
}
