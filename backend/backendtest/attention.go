package backendtest

import (
	"errors"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/internal/reference/golden"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var attentionCases = []testCase{
	{"AttentionShapes", attentionShapes},
	{"AttentionBands", attentionBands},
	{"AttentionMasks", attentionMasks},
	{"AttentionPackedMasks", attentionPackedMasks},
	{"AttentionHidden", attentionHidden},
	{"AttentionParts", attentionParts},
	{"AttentionRows", attentionRows},
	{"AttentionLengths", attentionLengths},
	{"AttentionPaged", attentionPaged},
	{"AttentionPacked", attentionPacked},
	{"AttentionReplayed", attentionReplayed},
	{"AttentionPairs", attentionPairs},
	{"AttentionViews", attentionViews},
	{"AttentionDefaults", attentionDefaults},
	{"AttentionMatrix", attentionMatrix},
	{"AttentionAhead", attentionAhead},
	{"AttentionGrouped", attentionGrouped},
	{"AttentionEmpty", attentionEmpty},
	{"AttentionGolden", attentionGolden},
}

// smallAttention keeps kernels quick to compile.
var smallAttention = ops.Tiles(ops.AttentionConfig{BM: 16, BN: 16, BD: 16, BV: 32, Threads: 256})

// attended is a case: its shape, the keys that a query sees and what its options are.
type attended struct {
	reference.Attention
	elem          weft.DType
	forms         [4]form // of q, k, v and the output
	start         bool    // query 0 stands at key 0
	before, after int     // keys seen before and after a query's own; negative for all
	mask          func(b, h, i, j int) float64
	options       []ops.AttentionOption
	lengths       []int   // of each batch's keys, nil for all
	large         int     // devices with up to so many bytes of shared memory may refuse the tiles: 0, largeTiles or largestTiles
	page          int     // keys and values are in pages of so many, 0 for none
	causal        bool    // no key after a query's own, whatever after says
	packed        [2]bool // batches of queries, and of keys and values, follow each other in one
}

// attention is a case of a shape, that sees everything.
func attention(elem weft.DType, b, hq, hkv, sq, sk, d int, options ...ops.AttentionOption) attended {
	return attended{reference.Attention{B: b, Hq: hq, Hkv: hkv, Sq: sq, Sk: sk, D: d, Scale: 1 / math.Sqrt(float64(d))},
		elem, [4]form{dense, dense, dense, dense}, false, -1, -1, nil, options, nil, 0, 0, false, [2]bool{}}
}

// attend checks the result and the log-sum-exp of a case.
func (s *suite) attend(c attended) {
	s.Helper()
	k, v := s.random(c.elem, c.B, c.Hkv, c.Sk, c.D), s.random(c.elem, c.B, c.Hkv, c.Sk, c.D)
	s.attendTo(c, k, v)
}

// attendTo does so for keys and values of its own.
func (s *suite) attendTo(c attended, k, v host) {
	s.Helper()
	if c.start {
		c.options = append(c.options, ops.FromStart())
	}
	if c.lengths != nil {
		lengths := filled(weft.I32, 0, c.B)
		for b, n := range c.lengths {
			lengths.x[b] = float64(n)
		}
		c.options = append(c.options, ops.KeyLengths(s.tensor(lengths)))
	}
	if c.causal {
		c.options = append(c.options, ops.Causal())
	}
	if c.before >= 0 || c.after >= 0 {
		c.options = append(c.options, ops.SlidingWindow(c.before, c.after))
	}
	c.Mask = func(b, h, i, j int) float64 {
		n, at := c.Sk, 0
		if c.lengths != nil {
			n = c.lengths[b]
		}
		if !c.start {
			at = n - c.Sq
		}
		switch {
		case j >= n:
			return math.Inf(-1)
		case c.before >= 0 && j < i+at-c.before || c.after >= 0 && j > i+at+c.after || c.causal && j > i+at:
			return math.Inf(-1)
		case c.mask != nil:
			return c.mask(b, h, i, j)
		}
		return 0
	}
	q := s.random(c.elem, c.B, c.Hq, c.Sq, c.D)
	queries, keys, values := q, k, v
	if c.packed[0] {
		queries = inOneBatch(q)
		c.options = append(c.options, ops.QueryStarts(s.starts(slices.Repeat([]int{c.Sq}, c.B))))
	}
	switch {
	case c.packed[1]:
		keys, values = inOneBatch(k), inOneBatch(v)
		c.options = append(c.options, ops.KeyStarts(s.starts(slices.Repeat([]int{c.Sk}, c.B))))
	case c.page > 0:
		p := s.pages(c)
		keys, values = p.pool(k), p.pool(v)
		c.options = append(c.options, ops.BlockTable(s.input(p.form, p.table)))
	}
	out, lse := s.output(c.forms[3], c.elem, queries.shape...), s.output(dense, weft.F32, queries.shape[:3]...)
	err := ops.AttentionInto(out.Tensor, s.input(c.forms[0], queries), s.input(c.forms[1], keys), s.input(c.forms[2], values),
		append(c.options, ops.LogSumExp(lse.Tensor))...)
	if s.refuses(c, err) {
		return
	}
	s.try(err)
	want := c.Compute(q.x, k.x, v.x)
	if c.packed[0] {
		for _, x := range []*[]float64{&want.Out, &want.Magnitudes, &want.Scores, &want.LSE} {
			rows := host{elem: weft.F64, x: *x, shape: []int{c.B, c.Hq, c.Sq, len(*x) / (c.B * c.Hq * c.Sq)}}
			*x = inOneBatch(rows).x
		}
	}
	out.check(want.Out, func(i int) float64 {
		return bounds.Attention(c.elem, c.Sk, c.D, want.Out[i], want.Magnitudes[i], want.Scores[i/c.D], want.Values)
	})
	lse.check(want.LSE, func(i int) float64 { return bounds.AttentionLSE(c.Sk, c.D, want.LSE[i], want.Scores[i]) })
}

// inOneBatch has the rows of all batches of x [B,H,S,D] one after the other, [1,H,B·S,D].
func inOneBatch(x host) host {
	batches, heads, block := x.shape[0], x.shape[1], x.shape[2]*x.shape[3]
	y := filled(x.elem, 0, 1, heads, batches*x.shape[2], x.shape[3])
	for i := range batches * heads {
		copy(y.x[(i%heads*batches+i/heads)*block:], x.x[i*block:][:block])
	}
	return y
}

// attentionShapes has heads that are sums of powers of two, groups of heads, and few queries.
func attentionShapes(s *suite) {
	shapes := more(s, [][6]int{
		{2, 4, 2, 21, 37, 24}, // for every type
		{1, 6, 2, 1, 50, 40}, {1, 3, 1, 33, 19, 5},
	}, [][6]int{{1, 1, 1, 1, 1, 1}, {2, 2, 2, 5, 70, 96}, {3, 2, 1, 100, 1, 64}, {1, 8, 2, 3, 200, 80}, {1, 2, 2, 65, 129, 128}, {1, 2, 1, 40, 50, 200}, {1, 1, 1, 30, 70, 256}}...)
	for _, elem := range floatTypes {
		for _, c := range shapes[:s.thorough(elem, len(shapes), 1)] {
			s.attend(attention(elem, c[0], c[1], c[2], c[3], c[4], c[5], smallAttention))
		}
	}
}

// attentionBands has causal attention for as many keys as queries, more and fewer, and windows, with scales of all kinds.
func attentionBands(s *suite) {
	for i, c := range []struct {
		sq, sk, before, after int
		start                 bool
	}{
		{40, 40, -1, 0, false}, {21, 70, -1, 0, false}, {70, 21, -1, 0, false}, {21, 70, -1, 0, true},
		{80, 80, 20, 0, false}, {70, 90, 7, 9, false}, {50, 90, 3, -1, true}, {90, 30, 5, 5, true}, {1, 90, 30, 0, false},
	} {
		if !s.full && i > 5 {
			break
		}
		a := attention(weft.F32, 1, 2, 1, c.sq, c.sk, 16, smallAttention)
		a.before, a.after, a.start = c.before, c.after, c.start
		if i > 0 && i < 5 { // which change the order of scores, make them alike, take them far apart, or are below normal numbers
			a.Scale = []float64{-0.4, 0, 2.5, 1e-40}[i-1]
			a.options = append(a.options, ops.AttentionScale(a.Scale))
		}
		s.attend(a)
	}
}

// attentionMasks has masks of Bool and of addends, with all dimensions and with
// repeated ones; some queries see nothing.
func attentionMasks(s *suite) {
	shapes := [][]int{{2, 4, 21, 37}, {21, 1}, {2, 1, 1, 37}}
	for n, elem := range []weft.DType{weft.Bool, weft.F32, weft.F16} {
		for i, shape := range shapes {
			if !s.full && i != n {
				continue
			}
			m := s.random(elem, shape...)
			all := broadcastTo(s, m, []int{2, 4, 21, 37})
			a := attention(weft.F32, 2, 4, 2, 21, 37, 16, smallAttention, ops.AttentionMask(s.input(forms[i], m)))
			a.mask = func(b, h, i, j int) float64 {
				x := all[((b*4+h)*21+i)*37+j]
				if elem != weft.Bool {
					return x
				}
				return math.Log(x)
			}
			s.attend(a)
		}
	}
}

// attentionPackedMasks has masks of Bool that are packed to bits before warpgroups multiply: with all dimensions and with repeated ones, rows that begin at any byte, and keys that end within a word.
func attentionPackedMasks(s *suite) {
	if caps := s.dev.Caps(); caps.MatrixTypes() == 0 || !caps.TensorMaps {
		return
	}
	configs := []ops.AttentionConfig{
		{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1, InFlight: 2, Persistent: 3},
		{BM: 64, BN: 64, Threads: 128, Stages: 2, Producers: 1},
	}
	const b, heads, groups = 2, 4, 2
	for i, c := range []struct {
		queries, keys int
		mask          []int
	}{
		{133, 203, []int{b, heads, 133, 203}}, {133, 203, []int{133, 203}}, {133, 203, []int{b, 1, 1, 203}}, {133, 203, []int{heads, 133, 1}},
		{260, 384, []int{b, heads, 260, 384}}, {41, 171, []int{b, heads, 41, 171}}, {70, 0, []int{70, 0}},
	} {
		m := s.random(weft.Bool, c.mask...)
		all := broadcastTo(s, m, []int{b, heads, c.queries, c.keys})
		a := attention([]weft.DType{weft.F16, weft.BF16}[i%2], b, heads, groups, c.queries, c.keys, 64, ops.Tiles(configs[i%2]), ops.AttentionMask(s.input(forms[i%4], m)))
		a.large = largeTiles
		switch i {
		case 1:
			a.causal = true
		case 2:
			a.lengths = []int{150, c.keys}
		case 4:
			a.before, a.after = 70, 5
		}
		a.mask = func(b, h, i, j int) float64 { return math.Log(all[((b*heads+h)*c.queries+i)*c.keys+j]) }
		s.attend(a)
	}
}

func attentionViews(s *suite) {
	for i, f := range forms {
		if !s.full && i%2 == 0 {
			continue
		}
		a := attention(weft.F16, 1, 4, 2, 19, 35, 24, smallAttention)
		a.forms = [4]form{f, forms[(i+1)%4], forms[(i+2)%4], forms[(i+3)%4]}
		a.after = 0
		s.attend(a)
	}
}

// attentionDefaults runs the configs that the launch rule chooses, with the sizes of heads that models have.
func attentionDefaults(s *suite) {
	cases := []attended{attention(weft.F32, 1, 2, 1, 70, 90, 64)}
	for i, d := range []int{64, 80, 96, 112, 128, 160, 192, 256} {
		for j, elem := range floatTypes {
			switch {
			case s.full:
				cases = append(cases, attention(elem, 1, 4, 2, 200, 333, d), attention(elem, 2, 8, 2, 1, 1000, d))
			case s.compilesSoon() && j > 0: // of 16 bits
				cases = append(cases, attention(elem, 1, 4, 2, 33*(1+(i+j)%2), 75, d), attention(elem, 2, 8, 2, 1, 130, d))
			}
		}
	}
	for _, c := range cases {
		c.after = 0
		s.attend(c)
	}
	thin := attention(weft.BF16, 1, 1, 1, 79, 64, 1) // a single column, and a mask that is one, too
	m := s.random(weft.F32, thin.Sq, 1)
	thin.options, thin.mask = append(thin.options, ops.AttentionMask(s.tensor(m))), func(_, _, i, _ int) float64 { return m.x[i] }
	s.attend(thin)
}

// attentionParts has keys that several programs share, some of which have none of them, for heads that are rows of one, with masks, windows and values that are not
// finite; and what the launch rule chooses for few queries.
func attentionParts(s *suite) {
	tiles := func(parts int) ops.AttentionOption {
		return ops.Tiles(ops.AttentionConfig{BM: 16, BN: 16, BD: 16, BV: 32, Threads: 256, Parts: parts})
	}
	for i, c := range []struct {
		sq, sk, before, after, parts int
		mask                         weft.DType
	}{
		{1, 150, -1, -1, 4, 0}, {3, 150, -1, 0, 3, 0}, {5, 150, 30, 2, 7, 0}, {21, 70, -1, 0, 40, 0}, {1, 70, -1, -1, 2, weft.Bool}, {4, 7, -1, 0, 2, 0}, {3, 90, 9, 0, 3, weft.F32},
	} {
		for j, elem := range floatTypes {
			if !s.full && (i > 3 || i%len(floatTypes) != j) {
				continue
			}
			a := attention(elem, 2, 6, 2, c.sq, c.sk, 24, tiles(c.parts))
			a.before, a.after = c.before, c.after
			s.hide(&a, c.mask)
			if k, v := s.spoiled(a); i%2 == 0 {
				s.attendTo(a, k, v)
			} else {
				s.attend(a)
			}
		}
	}
	if !s.full {
		return
	}
	for _, elem := range floatTypes {
		for _, c := range [][5]int{{8, 2, 1, 5000, 128}, {8, 1, 4, 3001, 64}, {4, 4, 1, 4099, 80}, {2, 1, 7, 2500, 256}} {
			a := attention(elem, 1, c[0], c[1], c[2], c[3], c[4])
			a.after = 0
			s.attend(a)
		}
	}
}

// attentionRows has few queries, each multiplied with keys element by element.
func attentionRows(s *suite) {
	for i, c := range []struct {
		heads, sq, sk, head, before, after, bm, bn, parts int
		mask                                              weft.DType
	}{
		{16, 1, 150, 24, -1, -1, 8, 16, 3, 0}, {2, 3, 70, 40, -1, 0, 4, 64, 1, 0}, {6, 2, 150, 16, 30, 2, 8, 32, 4, weft.Bool}, {4, 1, 90, 32, -1, 0, 2, 32, 1, weft.F32},
		{4, 5, 33, 24, -1, 0, 2, 16, 2, 0}, {2, 1, 5, 16, -1, -1, 1, 64, 1, 0}, {8, 2, 200, 64, 50, 0, 8, 16, 5, 0}, {6, 1, 150, 24, -1, -1, 4, 16, 3, 0}, {14, 1, 90, 64, -1, -1, 8, 32, 2, 0},
	} {
		for j, elem := range floatTypes {
			if !s.full && (i > 3 || i%len(floatTypes) != j) {
				continue
			}
			tiles := ops.AttentionConfig{ByRows: true, BM: c.bm, BN: c.bn, BD: pow2.Ceil(c.head), BV: pow2.Ceil(c.head), Threads: 64, Stages: 1 + i%2, Parts: c.parts}
			a := attention(elem, 2, c.heads, 2, c.sq, c.sk, c.head, ops.Tiles(tiles))
			a.before, a.after = c.before, c.after
			s.hide(&a, c.mask)
			if k, v := s.spoiled(a); i%2 == 1 {
				s.attendTo(a, k, v)
			} else {
				s.attend(a)
			}
		}
	}
}

// attentionLengths has batches of their own numbers of keys, the rest of which holds what no result may see: in tiles, by rows, in parts, and as the launch rule chooses.
func attentionLengths(s *suite) {
	rows := ops.AttentionConfig{ByRows: true, BM: 4, BN: 32, BD: 32, BV: 32, Threads: 64, Stages: 1, Parts: 3}
	tiles := ops.AttentionConfig{BM: 16, BN: 16, BD: 16, BV: 32, Threads: 256}
	split := tiles
	split.Parts = 4
	for i, cfg := range []ops.AttentionConfig{tiles, rows, split, {}} {
		for j, sq := range []int{1, 3, 20} {
			if !s.full && (cfg == ops.AttentionConfig{} || j > 1 && i != 2) || sq > 4 && cfg.ByRows {
				continue
			}
			a := attention(floatTypes[(i+j)%len(floatTypes)], 4, 4, 2, sq, 90, 24, ops.Tiles(cfg))
			a.lengths = []int{70, 90, 1, 0}
			a.before, a.after = []int{-1, -1, 12}[j], []int{-1, 0, 0}[j]
			a.start = j == 1 && i == 0
			k, v := s.random(a.elem, a.B, a.Hkv, a.Sk, a.D), s.random(a.elem, a.B, a.Hkv, a.Sk, a.D)
			for n := range k.x {
				if row := n / a.D; row%a.Sk >= a.lengths[row/a.Sk/a.Hkv] {
					k.x[n], v.x[n] = math.NaN(), math.Inf(1)
				}
			}
			s.attendTo(a, k, v)
		}
	}
}

// attentionEmpty has no keys, heads of no elements, whose scores are 0, and then no queries.
func attentionEmpty(s *suite) {
	s.attend(attention(weft.F32, 1, 2, 2, 5, 0, 16, smallAttention))
	for _, parts := range []int{1, 3} {
		a := attention(weft.F32, 2, 4, 2, 3, 50, 0, ops.Tiles(ops.AttentionConfig{Parts: parts}))
		a.Scale, a.lengths, a.causal = 1, []int{50, 7}, true
		s.attend(a)
	}
	q, k := s.tensor(filled(weft.F32, 1, 1, 2, 0, 16)), s.tensor(filled(weft.F32, 1, 1, 2, 4, 16))
	if out := s.ok(ops.Attention(q, k, k)); out.Len() != 0 {
		s.Errorf("%v of no queries", out)
	}
}

// attentionGolden compares with PyTorch's attention: groups of heads, causal offsets, masks.
func attentionGolden(s *suite) {
	quick := []string{"full", "grouped_causal", "one_query", "bias_of_heads", "mask"}
	fits := func(c golden.Case) bool {
		return s.full || s.dev.Info().Backend == "cpu" || slices.Contains(quick, c.Name)
	}
	s.golden("attention", floatTypes, fits, func(s *suite, elem weft.DType, c golden.Case) {
		q, k, v := array(elem, c.Get("q")), array(elem, c.Get("k")), array(elem, c.Get("v"))
		scale, keys, head := c.Get("scale").X[0], k.shape[2], q.shape[3]
		options := []ops.AttentionOption{smallAttention, ops.AttentionScale(scale)}
		if c.Get("causal").Int() == 1 {
			options = append(options, ops.Causal())
		}
		if c.Has("bias") {
			options = append(options, ops.AttentionMask(s.tensor(array(elem, c.Get("bias")))))
		}
		if c.Has("mask") {
			options = append(options, ops.AttentionMask(s.tensor(array(weft.Bool, c.Get("mask")))))
		}
		out, lse := s.output(dense, elem, q.shape...), s.output(dense, weft.F32, q.shape[:3]...)
		s.try(ops.AttentionInto(out.Tensor, s.tensor(q), s.tensor(k), s.tensor(v), append(options, ops.LogSumExp(lse.Tensor))...))
		const largest = 4 // of all operands
		scores, want := scale*float64(head)*largest*largest+largest, c.Get("y").X
		out.check(want, func(i int) float64 { return bounds.Attention(elem, keys, head, want[i], largest, scores, largest) })
		sums := c.Get("lse").X
		lse.check(sums, func(i int) float64 { return bounds.AttentionLSE(keys, head, sums[i], scores) })
	})
}

// The shared memory of devices that may refuse tiles: 48 KiB are NVIDIA's by Vulkan, 64 KiB AMD's.
const largeTiles, largestTiles = 48 << 10, 64 << 10

// refuses reports whether an error is that of tiles that the device has no shared memory for, and need not have.
func (s *suite) refuses(c attended, err error) bool {
	shared := s.dev.Caps().SharedBytes
	if shared == 0 || shared > c.large || !errors.Is(err, weft.ErrLimit) {
		return false
	}
	s.Logf("%d bytes of shared memory: %v", shared, err)
	return true
}

// attentionMatrix runs tiles for matrix instructions, of warps and of warpgroups, over several steps of keys; other devices have no
// room for them.
func attentionMatrix(s *suite) {
	if s.dev.Caps().MatrixTypes() == 0 {
		return
	}
	configs := []ops.AttentionConfig{{}, {BM: 64, BN: 64, Threads: 128, Stages: 3}, {BM: 128, BN: 64, Threads: 256, Stages: 2},
		{}, {BM: 64, BN: 128, Threads: 128, Stages: 2}, {BM: 128, BN: 64, Threads: 128, Stages: 2},
		// both products of one shape, whose left operands are easily taken for each other: of whole heads, of parts of the values, and without copies ahead
		{BM: 64, BN: 64, Threads: 128, Stages: 2}, {BM: 128, BN: 128, Threads: 256, Stages: 1}, {BM: 128, BN: 64, BV: 64, Threads: 256, Stages: 2},
		// warps that share queries
		{BM: 16, BN: 64, Threads: 128, Stages: 2}, {BM: 16, BN: 64, Threads: 128, Stages: 3, Parts: 2}, {BM: 16, BN: 32, Threads: 64, Stages: 2}}
	heads := []int{64, 96, 64, 128, 128, 64, 64, 128, 128, 128, 80, 64}
	if s.dev.Caps().TensorMaps { // keys and values copied by a thread of its own
		configs = append(configs, ops.AttentionConfig{BM: 64, BN: 64, Threads: 128, Stages: 2, Producers: 1}, ops.AttentionConfig{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1},
			ops.AttentionConfig{BM: 128, BN: 64, Threads: 256, Stages: 4, Producers: 1}, ops.AttentionConfig{BM: 64, BN: 64, Threads: 128, Stages: 2, Producers: 1, Parts: 3},
			ops.AttentionConfig{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1, Parts: 5},
			// scores a step ahead, and programs of several tiles, in pairs where they are causal
			ops.AttentionConfig{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1, InFlight: 2}, ops.AttentionConfig{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1, InFlight: 2, Persistent: 2},
			ops.AttentionConfig{BM: 128, BN: 64, Threads: 256, Stages: 2, Producers: 1, InFlight: 2, Persistent: 3}, ops.AttentionConfig{BM: 64, BN: 64, Threads: 128, Stages: 2, Producers: 1, Persistent: 3})
		heads = append(heads, 64, 128, 64, 128, 64, 128, 112, 192, 64)
	}
	for i, cfg := range configs {
		c := attention([]weft.DType{weft.F16, weft.BF16}[i%2], 1, 2, 1, 260, 520, heads[i], ops.Tiles(cfg))
		switch {
		case cfg == ops.AttentionConfig{}: // those that are chosen fit
		case cfg.BN*heads[i] >= 128*128: // of which the keys or the values of a step take 32 KiB, and all operands up to 80
			c.large = largestTiles
		default:
			c.large = largeTiles
		}
		if i%2 == 1 {
			c.after = 0
		}
		s.attend(c)
	}
}
