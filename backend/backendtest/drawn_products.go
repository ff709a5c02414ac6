package backendtest

import (
	"math"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// product3 draws the sizes of a matrix product.
func (s *suite) product3() [3]int {
	elements, work := s.largestDraw()
	for {
		if c := [3]int(s.extents(3, work)); max(c[0]*c[1], c[1]*c[2], c[0]*c[2]) <= elements {
			return c
		}
	}
}

// drawMatMul multiplies matrices and batches of them, of integers too, and applies functions to products.
func drawMatMul(s *suite) {
	c := s.product3()
	s.op("MatMul")
	s.Logf("%v", c)
	batch := s.extent(3)
	switch f := [6]form{s.form(), s.form(), s.form(), s.form(), s.form(), s.form()}; s.rng.IntN(5) {
	case 0:
		bias := pickOf(s, []int{c[2]}, []int{c[0], 1}, []int{batch, 1, 1}, []int{batch, c[0], c[2]})
		s.epilogue(pickOf(s, floatTypes...), [4]int{batch, c[0], c[1], c[2]}, bias, f)
		return
	case 1:
		elem := pickOf(s, floatTypes...)
		b := pickOf(s, []int{c[1], c[2]}, []int{batch, c[1], c[2]}, []int{1, c[1], c[2]})
		multiplyBatch(s, elem, pickOf(s, elem, weft.F32), []int{batch, c[0], c[1]}, b, f[0], f[1], f[2])
		return
	case 2:
		multiplyBatch(s, pickOf(s, weft.I8, weft.U8), weft.I32, c[:2], c[1:], f[0], f[1], f[2])
		return
	}
	elem := pickOf(s, s.reals()...)
	precision := tile.IEEE
	if elem == weft.F32 {
		precision = pickOf(s, tile.IEEE, tile.TF32, tile.TF32x3)
	}
	multiplyAs(s, elem, precision, c, s.form(), s.form(), s.form(), ops.Precision(precision))
}

// drawQuantizedMatMul has few rows more often than many, and weights as files have them: columns of a product stored as rows, with groups along these.
func drawQuantizedMatMul(s *suite) {
	s.op("QuantizedMatMul")
	elements, work := s.largestDraw()
	c := quantizedProduct{elem: pickOf(s, floatTypes...), scale: pickOf(s, floatTypes...), a: s.form(), w: pickOf(s, dense, dense, sliced), bias: s.coin(), t: s.often()}
	c.m = s.extent(pickOf(s, 8, 8, 64, 300))
	group := pickOf(s, 0, 8, 16, 32, 64, 128, 1+s.rng.IntN(40))
	c.n = s.extent(either(s, 100, 1000))
	c.k = s.extent(max(min(work/c.m, elements)/c.n, 1))
	if group > 0 {
		c.k = (c.k + group - 1) / group * group
	}
	c.scheme = ops.QuantScheme{Bits: pickOf(s, 4, 4, 8), Asymmetric: s.coin(), Block: [2]int{1, group}}
	switch s.rng.IntN(6) {
	case 0:
		book := pickOf(s, ops.NF4, ops.FP4, ops.FP8)
		c.scheme = ops.QuantScheme{Bits: book.Bits(), Codes: book, Block: [2]int{1, group}}
	case 1:
		c.scheme, c.k = pickOf(s, ops.MXFP4, ops.MXFP8), (c.k+31)/32*32
	}
	if !c.t {
		c.scheme.Block = [2]int{c.scheme.Block[1], c.scheme.Block[0]}
	}
	s.Logf("%+v", c)
	s.multiplyQuantized(c)
}

// drawEinsum multiplies two or three operands with any letters in any order.
func drawEinsum(s *suite) {
	elements, _ := s.largestDraw()
	letters := "abcdef"[:2+s.rng.IntN(5)]
	sizes := map[rune]int{}
	for i, n := range s.extents(len(letters), 2*elements) {
		sizes[rune(letters[i])] = n
	}
	in, used := make([]string, 2+s.rng.IntN(8)/7), ""
	for i := range in {
		for _, at := range s.rng.Perm(len(letters)) {
			if l := letters[at : at+1]; s.rng.IntN(3) > 0 || in[i] == "" {
				in[i], used = in[i]+l, used+l
			}
		}
	}
	out := ""
	for _, at := range s.rng.Perm(len(letters)) {
		if l := letters[at : at+1]; strings.Contains(used, l) && s.coin() {
			out += l
		}
	}
	s.einsum(strings.Join(in, ",")+"->"+out, pickOf(s, floatTypes...), sizes, []form{s.form(), s.form(), s.form()}, s.form())
}

// drawConv has one to three spatial dimensions.
func drawConv(s *suite) {
	for {
		c := s.drawnConv()
		elem, forms := pickOf(s, floatTypes...), s.rng.IntN(len(forms))
		elements, work := s.largestDraw()
		if slices.Min(append(c.result(), 1)) < 1 || len(c.result()) == 0 {
			continue
		}
		x, w, y := c.shapes()
		if size(w[1:])*size(y) > work || max(size(x), size(y)) > elements {
			continue
		}
		s.Logf("%v %+v", elem, c)
		switch s.rng.IntN(3) {
		case 0:
			s.op("Conv")
			if s.coin() {
				c.algorithm, c.tiles = ops.ConvImplicit, ops.Conv2DConfig{BO: 16, BP: 16, BK: 8, Threads: 64, Parts: s.rng.IntN(9)}
			}
			c.check(s, elem, forms)
		case 1:
			s.op("ConvTranspose")
			c.gradient(s, "ConvTranspose", elem, forms)
		default:
			s.op("ConvWeightGrad")
			c.gradient(s, "ConvWeightGrad", elem, forms)
		}
		return
	}
}

func (s *suite) drawnConv() spatialConv {
	c := spatialConv{images: s.extent(4), groups: pickOf(s, 1, 1, 1, 2, 3, 8), last: s.coin(), bias: s.coin()}
	c.channels, c.filters = c.groups*s.extent(70/c.groups), c.groups*s.extent(70/c.groups)
	for range 1 + s.rng.IntN(3) {
		c.sizes = append(c.sizes, s.extent(40))
		c.kernel = append(c.kernel, pickOf(s, 1, 2, 3, 3, 5, 7))
		c.stride = append(c.stride, pickOf(s, 1, 1, 2, 3))
		c.dilation = append(c.dilation, pickOf(s, 1, 1, 2))
		c.padding = append(c.padding, s.rng.IntN(4), s.rng.IntN(4))
	}
	return c
}

// drawAttention has heads in groups, few and many queries, and any of the options.
func drawAttention(s *suite) {
	s.op("Attention")
	elements, work := s.largestDraw()
	elem, d := pickOf(s, floatTypes...), pickOf(s, 64, 128, 16, 80, 1+s.rng.IntN(256))
	groups := s.extent(4)
	heads := groups * pickOf(s, 1, 1, 2, 3, 8)
	if s.rng.IntN(4) == 0 {
		c := packed{elem: elem, heads: heads, groups: groups, head: d, before: pickOf(s, -1, -1, s.rng.IntN(40)), after: pickOf(s, -1, 0, s.rng.IntN(9)),
			start: s.coin(), pages: s.coin(), forms: [4]form{s.form(), s.form(), s.form(), s.form()}}
		for range 1 + s.rng.IntN(6) {
			q := s.rng.IntN(s.extent(40))
			c.queries, c.keys = append(c.queries, q), append(c.keys, pickOf(s, 0, q, s.extent(300)))
		}
		s.Logf("%+v", c)
		s.attendPacked(c)
		return
	}
	b := s.extent(3)
	keys := s.extent(max(elements/b/groups/d, 1))
	queries := pickOf(s, 1, s.extent(16), s.extent(max(min(work/keys, elements)/b/heads/d, 1)))
	c := attended{Attention: reference.Attention{B: b, Hq: heads, Hkv: groups, Sq: queries, Sk: keys, D: d, Scale: 1 / math.Sqrt(float64(d))}, elem: elem,
		forms: [4]form{s.form(), s.form(), s.form(), s.form()}, start: s.coin(), before: -1, after: -1, causal: s.coin()}
	if !s.often() {
		c.before = s.rng.IntN(keys)
	}
	if !s.often() {
		c.after = s.rng.IntN(keys)
	}
	if s.coin() {
		if s.coin() {
			c.page = pickOf(s, 16, 32, 64)
			c.Sk = (keys + c.page - 1) / c.page * c.page
		}
		for range b {
			c.lengths = append(c.lengths, s.rng.IntN(c.Sk+1))
		}
	}
	k, v := s.drawnKeys(&c)
	s.Logf("%+v", c)
	s.attendTo(c, k, v)
}

// drawnKeys are keys and values of a case: with a mask or another scale, with what is not finite, and of magnitudes whose sums only F32 holds.
func (s *suite) drawnKeys(c *attended) (k, v host) {
	k, v = s.random(c.elem, c.B, c.Hkv, c.Sk, c.D), s.random(c.elem, c.B, c.Hkv, c.Sk, c.D)
	switch s.rng.IntN(8) {
	case 0:
		s.hide(c, pickOf(s, weft.Bool, weft.F32, weft.F16, weft.BF16))
	case 1:
		c.Scale = pickOf(s, -c.Scale, 0, 1e-30, 2.5)
		c.options = append(c.options, ops.AttentionScale(c.Scale))
	case 2:
		if c.Sk >= 8 {
			return s.spoiled(*c)
		}
	case 3: // as a value may be at most, since weights are rounded up, too
		k.each(func(_ int, x float64) float64 { return 0x1p8 * x })
		v.each(func(_ int, x float64) float64 { return math.Copysign(60000, x) })
	}
	return k, v
}

// drawRotary rotates rows, and appends them to a cache.
func drawRotary(s *suite) {
	s.op("Rotary")
	elements, _ := s.largestDraw()
	d := 2 * s.extent(64)
	c := rotated{elem: pickOf(s, floatTypes...), b: s.extent(3), h: s.extent(5), d: d, rotation: rotation{interleaved: s.coin()}, from: s.form(), to: s.form(), inPlace: s.coin()}
	c.s = s.extent(max(elements/c.b/c.h/d, 1))
	if s.coin() {
		c.positions = []float64{float64(s.rng.IntN(5000)), 0, float64(s.rng.IntN(100))}
	}
	if !s.often() {
		c.dims = 2 * (1 + s.rng.IntN(d/2))
	}
	s.Logf("%+v", c)
	if s.coin() {
		s.rotates(c)
		return
	}
	a := rotatedAppend{appended: appended{elem: c.elem, b: c.b, h: c.h, s: min(c.s, 100), d: d, capacity: s.extent(50), x: c.from, cache: c.to, list: s.form()}, rotation: c.rotation, q: s.form()}
	for range c.b {
		a.positions = append(a.positions, float64(pickOf(s, s.rng.IntN(5000), s.rng.IntN(a.capacity), -s.rng.IntN(9))))
	}
	if s.coin() {
		a.pages, a.most = s.extent(20), s.extent(6)
	}
	a.queries = a.h * s.rng.IntN(4)
	s.rotateAppend(a)
}

// drawQuantize quantises a matrix and back.
func drawQuantize(s *suite) {
	elements, _ := s.largestDraw()
	shape := s.extents(2, elements)
	block := func(n int) int { return pickOf(s, 0, 1, s.extent(n)) }
	scheme := ops.QuantScheme{Bits: pickOf(s, 4, 8), Asymmetric: s.coin(), Block: [2]int{block(shape[0]), block(shape[1])}}
	for d, n := range scheme.Block {
		if n > 0 {
			shape[d] = max(shape[d]/n, 1) * n
		}
	}
	s.roundTrip(scheme, s.random(pickOf(s, floatTypes...), shape...), s.form(), s.form(), pickOf(s, floatTypes...))
}

// drawDecode calls what a step of a language model is made of: rows of a table, of a cache and those that are sampled.
func drawDecode(s *suite) {
	elements, _ := s.largestDraw()
	elem := pickOf(s, floatTypes...)
	switch s.rng.IntN(4) {
	case 0:
		s.op("Embedding")
		table := s.random(elem, s.extents(2, elements)...)
		s.embeds(table, s.ids(table.shape[0], s.extents(s.rng.IntN(3), 50)...), [3]form{s.form(), s.form(), s.form()})
	case 1:
		s.op("CacheAppend")
		a := appended{elem: elem, b: s.extent(4), h: s.extent(6), s: s.extent(20), capacity: s.extent(64), x: s.form(), cache: s.form(), list: s.form()}
		a.d = s.extent(max(elements/a.b/a.h/(a.s+a.capacity), 1))
		for range a.b {
			a.positions = append(a.positions, float64(pickOf(s, s.rng.IntN(a.capacity), s.rng.IntN(4*a.capacity)-a.capacity)))
		}
		if s.coin() {
			a.pages, a.most = s.extent(20), s.extent(6)
		}
		s.append(a)
	case 2:
		c := s.product3()
		s.gatedLayer(elem, []int{c[0]}, c[1], c[2], [3]form{s.form(), s.form(), s.form()})
	default:
		c := reference.Sampling{Temperature: pickOf(s, 0, 0.5, 2, 1e-30, 1e30), K: pickOf(s, 0, 1, s.extent(100), math.MaxInt32), P: pickOf(s, 0, 0.3, 0.95, 1e-30)}
		scale, without := pickOf(s, 4, 4, 0, 1e4), s.rng.Float64() // some tokens have no probability, or none has
		logits := s.random(elem, s.extents(2, elements)...).each(func(_ int, x float64) float64 {
			if s.rng.Float64() < without*without {
				return math.Inf(-1)
			}
			return scale * x
		})
		s.sampled(c, logits, ops.Stream{Seed: s.rng.Uint64(), Offset: s.rng.Uint64() >> 20 &^ 3}, s.form(), s.form())
	}
}
