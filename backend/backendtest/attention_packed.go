package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// packed is a case of sequences that follow each other in one batch.
type packed struct {
	elem          weft.DType
	heads, groups int
	head          int
	queries, keys []int // of each sequence
	before, after int
	start, pages  bool // pages of 32 keys in place of packed keys
	forms         [4]form
	tiles         ops.AttentionConfig
}

// attentionPacked has sequences of other lengths, among them none and those of a decoding step, in tiles, by rows, in parts, by matrix instructions and as the launch rule chooses. Keys are
// packed, too, or in pages. Rows of no sequence are NaN, and those of the result are not checked.
func attentionPacked(s *suite) {
	tiles := ops.AttentionConfig{BM: 16, BN: 16, BD: 16, BV: 32, Threads: 256, Parts: 1}
	rows := ops.AttentionConfig{ByRows: true, BM: 4, BN: 32, BD: 32, BV: 32, Threads: 64, Stages: 1, Parts: 1}
	split := tiles
	split.Parts = 3
	all := s.compilesSoon()
	cases := []packed{
		{queries: []int{20, 0, 1, 33}, keys: []int{37, 5, 0, 70}, before: -1, after: 0, tiles: tiles},
		{queries: []int{1, 2, 5}, keys: []int{70, 3, 5}, before: -1, after: 0, pages: true, tiles: rows},
		{queries: []int{3, 1, 1, 2, 7}, keys: []int{90, 64, 0, 15, 33}, before: 20, after: 0, tiles: split},
		{queries: []int{17}, keys: []int{40}, before: 5, after: 3, start: true, pages: true, tiles: tiles},
		{queries: []int{4, 3}, keys: []int{50, 9}, before: -1, after: -1, tiles: rows},
		{queries: []int{64, 1, 30}, keys: []int{64, 128, 90}, before: -1, after: 0, pages: true},
		{queries: []int{5, 100}, keys: []int{5, 100}, before: -1, after: 0},
		// decoding steps together with a few queries and whole prompts, whose heads are rows of one tile
		{heads: 12, queries: []int{1, 0, 1, 4, 1, 19}, keys: []int{70, 5, 33, 40, 1, 19}, before: -1, after: 0, pages: true, tiles: rows},
		{heads: 6, queries: []int{1, 0, 1, 4, 1, 70, 1}, keys: []int{70, 5, 0, 40, 1, 70, 300}, before: -1, after: 0},
		{heads: 16, queries: []int{1, 1, 1, 0}, keys: []int{200, 5, 77, 9}, before: -1, after: -1, pages: true},
		{heads: 10, queries: []int{1, 3, 0, 9}, keys: []int{64, 3, 90, 50}, before: 20, after: 0, tiles: split},
		{heads: 14, queries: []int{1, 1}, keys: []int{500, 129}, before: -1, after: 0},
	}
	for i, c := range cases {
		if !all && i > 2 && i != 7 && i != 8 || c.tiles.ByRows && s.dev.Caps().WholeTiles {
			continue
		}
		for j, elem := range floatTypes {
			if !all && i%len(floatTypes) != j {
				continue
			}
			if c.elem, c.groups, c.head = elem, 2, 24; c.heads == 0 {
				c.heads = 4
			}
			c.forms = [4]form{forms[i%4], forms[(i+j)%4], forms[j], forms[(j+1)%4]}
			s.attendPacked(c)
		}
	}
	if !s.dev.Caps().TensorMaps {
		return
	}
	decoding := packed{elem: weft.F16, heads: 16, groups: 2, head: 128, before: -1, after: 0, forms: [4]form{dense, dense, dense, dense}, queries: []int{1, 1, 0, 5, 1, 64}, keys: []int{130, 500, 7, 64, 1, 64}}
	for _, pages := range []bool{false, true} {
		decoding.pages = pages
		s.attendPacked(decoding)
	}
	producers := ops.AttentionConfig{BM: 64, BN: 64, Threads: 128, Stages: 2, Producers: 1, Parts: 1}
	wide := ops.AttentionConfig{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1, Parts: 1}
	for i, cfg := range []ops.AttentionConfig{producers, wide, {}, {BM: 64, BN: 128, Threads: 128, Stages: 2, Producers: 1, Parts: 3}} {
		for _, pages := range []bool{false, true} {
			s.attendPacked(packed{elem: []weft.DType{weft.F16, weft.BF16}[i%2], heads: 4, groups: 2, head: []int{64, 128}[i/2], before: -1, after: 0, pages: pages,
				forms: [4]form{dense, dense, dense, dense}, queries: []int{130, 1, 0, 64, 200}, keys: []int{130, 500, 7, 64, 333}, tiles: cfg})
		}
	}
}

// sequenceOf gives the sequence of a row and the row in it; negative for none.
func sequenceOf(lengths []int, row int) (sequence, within int) {
	for n, count := range lengths {
		if row < count {
			return n, row
		}
		row -= count
	}
	return -1, row
}

// rowsOf is how many rows sequences of some lengths have.
func rowsOf(lengths []int) (rows int) {
	for _, n := range lengths {
		rows += n
	}
	return rows
}

// starts are the cumulative lengths, from 0 on.
func (s *suite) starts(lengths []int) *weft.Tensor {
	s.Helper()
	h := filled(weft.I32, 0, len(lengths)+1)
	for n, count := range lengths {
		h.x[n+1] = h.x[n] + float64(count)
	}
	return s.input(forms[s.rng.IntN(len(forms))], h)
}

// Rows of no sequence follow the last one.
const packedRest = 3

// rows are random rows of sequences of some lengths, with NaN in those of no sequence.
func (c packed) rows(s *suite, heads int, lengths []int) host {
	h := s.random(c.elem, 1, heads, rowsOf(lengths)+packedRest, c.head)
	for i := range h.x {
		if row := i / c.head % h.shape[2]; row >= rowsOf(lengths) {
			h.x[i] = math.NaN()
		}
	}
	return h
}

// sequence is the rows of one sequence, [heads, rows, head].
func (c packed) sequence(h host, lengths []int, n int) (x []float64) {
	from := rowsOf(lengths[:n])
	for g := range h.shape[1] {
		at := (g*h.shape[2] + from) * c.head
		x = append(x, h.x[at:at+lengths[n]*c.head]...)
	}
	return x
}

// inPages moves packed keys and values to pages, and gives the options that say where they are.
func (c packed) inPages(s *suite, k, v host) (keys, values host, options []ops.AttentionOption) {
	s.Helper()
	const page = 32
	n := len(c.keys)
	p := s.pages(attended{Attention: reference.Attention{B: n, Hkv: c.groups, Sk: (slices.Max(c.keys) + page - 1) / page * page, D: c.head}, lengths: c.keys, page: page})
	spread := func(h host) host {
		x := filled(c.elem, math.NaN(), n, c.groups, p.Sk, c.head)
		for i := range n {
			own := c.sequence(h, c.keys, i)
			for g := range c.groups {
				copy(x.x[(i*c.groups+g)*p.Sk*c.head:], own[g*c.keys[i]*c.head:(g+1)*c.keys[i]*c.head])
			}
		}
		return p.pool(x)
	}
	keys, values = spread(k), spread(v)
	lengths := filled(weft.I32, 0, n)
	for i, count := range c.keys {
		lengths.x[i] = float64(count)
	}
	return keys, values, []ops.AttentionOption{ops.BlockTable(s.input(p.form, p.table)), ops.KeyLengths(s.tensor(lengths))}
}

// alone computes attention of each sequence by itself.
func (c packed) alone(q, k, v host) []reference.AttentionResult {
	results := make([]reference.AttentionResult, len(c.queries))
	for i := range results {
		at := c.keys[i] - c.queries[i]
		if c.start {
			at = 0
		}
		a := reference.Attention{B: 1, Hq: c.heads, Hkv: c.groups, Sq: c.queries[i], Sk: c.keys[i], D: c.head, Scale: 1 / math.Sqrt(float64(c.head)), Mask: func(_, _, i, j int) float64 {
			if c.before >= 0 && j < i+at-c.before || c.after >= 0 && j > i+at+c.after {
				return math.Inf(-1)
			}
			return 0
		}}
		results[i] = a.Compute(c.sequence(q, c.queries, i), c.sequence(k, c.keys, i), c.sequence(v, c.keys, i))
	}
	return results
}

// element finds the element of a sequence's result for one of all rows, of so many numbers each; a negative sequence for none.
func (c packed) element(i, each int) (sequence, at int) {
	rows := rowsOf(c.queries) + packedRest
	row, h := i/each%rows, i/each/rows
	sequence, within := sequenceOf(c.queries, row)
	if sequence < 0 {
		return -1, 0
	}
	return sequence, (h*c.queries[sequence]+within)*each + i%each
}

// attendPacked compares each sequence with attention of it alone.
func (s *suite) attendPacked(c packed) {
	s.Helper()
	q := c.rows(s, c.heads, c.queries)
	k, v := c.rows(s, c.groups, c.keys), c.rows(s, c.groups, c.keys)
	options := []ops.AttentionOption{ops.Tiles(c.tiles), ops.QueryStarts(s.starts(c.queries)), ops.SlidingWindow(c.before, c.after)}
	if c.start {
		options = append(options, ops.FromStart())
	}
	keys, values := k, v
	if c.pages {
		var places []ops.AttentionOption
		keys, values, places = c.inPages(s, k, v)
		options = append(options, places...)
	} else {
		options = append(options, ops.KeyStarts(s.starts(c.keys)))
	}
	out, lse := s.output(c.forms[3], c.elem, q.shape...), s.output(dense, weft.F32, q.shape[:3]...)
	s.try(ops.AttentionInto(out.Tensor, s.input(c.forms[0], q), s.input(c.forms[1], keys), s.input(c.forms[2], values), append(options, ops.LogSumExp(lse.Tensor))...))

	results := c.alone(q, k, v)
	check := func(t output, each int, of func(r reference.AttentionResult) []float64, bound func(r reference.AttentionResult, keys, at int) float64) {
		want, err := weft.ToFloats(t.Tensor)
		s.try(err)
		for i := range want { // rows of no sequence are as they are
			if n, at := c.element(i, each); n >= 0 {
				want[i] = of(results[n])[at]
			}
		}
		t.check(want, func(i int) float64 {
			n, at := c.element(i, each)
			if n < 0 {
				return math.Inf(1)
			}
			return bound(results[n], c.keys[n], at)
		})
	}
	check(out, c.head, func(r reference.AttentionResult) []float64 { return r.Out }, func(r reference.AttentionResult, keys, at int) float64 {
		return bounds.Attention(c.elem, keys, c.head, r.Out[at], r.Magnitudes[at], r.Scores[at/c.head], r.Values)
	})
	check(lse, 1, func(r reference.AttentionResult) []float64 { return r.LSE }, func(r reference.AttentionResult, keys, at int) float64 {
		return bounds.AttentionLSE(keys, c.head, r.LSE[at], r.Scores[at])
	})
}
