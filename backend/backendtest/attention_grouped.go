package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// attentionGrouped has tiles of the queries of several heads that share keys: all of them, a part of them, and fewer than a tile has rows for, with bands, lengths and pages, in one program for each tile and in
// programs of several. Every second case has values that are not finite, so that programs compute their sums twice.
func attentionGrouped(s *suite) {
	small := ops.AttentionConfig{BM: 16, BN: 16, BD: 16, BV: 16, Threads: 64, Stages: 1}
	for i, c := range []struct {
		hq, hkv, group, before, after int
		lengths                       []int
	}{
		{4, 2, 2, -1, -1, nil}, {6, 1, 2, -1, 0, nil}, {3, 1, 4, 5, 0, []int{20}}, {8, 1, 8, -1, 0, []int{37}}, {5, 1, 8, 9, 3, nil},
	} {
		tiles := small
		tiles.TileHeads = c.group
		a := attention([]weft.DType{weft.F32, weft.F16}[i%2], 1, c.hq, c.hkv, 21, 37, 16, ops.Tiles(tiles))
		a.before, a.after, a.lengths = c.before, c.after, c.lengths
		s.attend(a)
	}
	if !s.dev.Caps().TensorMaps {
		return
	}
	for _, causal := range []int{-1, 0} { // the heads and tiles that are chosen
		s.attend(attention(weft.F16, 3, 4, 1, 133, 133, 64))
		s.attendPacked(packed{elem: weft.BF16, heads: 4, groups: 1, head: 64, before: -1, after: causal, forms: [4]form{dense, dense, dense, dense}, queries: []int{130, 1, 0, 77, 300}, keys: []int{130, 1, 7, 77, 333}})
		s.attendPacked(packed{elem: weft.F16, heads: 4, groups: 2, head: 128, before: -1, after: causal, forms: [4]form{dense, dense, dense, dense}, queries: []int{130, 300}, keys: []int{130, 333}})
	}
	window := attention(weft.F16, 2, 4, 1, 133, 150, 64)
	window.before, window.after = 40, 0
	s.attend(window)
	wide := ops.AttentionConfig{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1, InFlight: 2}
	narrow, several := wide, wide
	narrow.BN, several.Persistent = 64, 3
	shared := narrow
	shared.InFlight, shared.Workgroups = 0, 2
	lone := shared
	lone.BM, lone.Threads, lone.Workgroups, lone.Heads = 64, 128, 4, 2
	for i, c := range []struct {
		hq, hkv, group, head, before, after int
		lengths                             []int
		page                                int
		tiles                               ops.AttentionConfig
	}{
		{8, 1, 8, 128, -1, 0, nil, 0, wide}, {7, 1, 8, 128, -1, 0, nil, 0, several}, {4, 2, 2, 80, 60, -1, nil, 0, wide}, {4, 1, 2, 192, -1, 0, nil, 0, narrow}, {6, 2, 4, 256, -1, -1, nil, 0, narrow},
		{4, 1, 4, 128, -1, 0, []int{333}, 0, wide}, {8, 2, 4, 64, -1, 0, nil, 32, shared}, {8, 1, 4, 64, -1, 0, nil, 0, lone}, {4, 2, 2, 56, 70, 0, []int{377}, 0, lone}, {16, 1, 16, 128, -1, -1, nil, 0, several},
	} {
		c.tiles.TileHeads = c.group
		a := attention([]weft.DType{weft.F16, weft.BF16}[i%2], 1, c.hq, c.hkv, 131, 402, c.head, ops.Tiles(c.tiles))
		a.before, a.after, a.lengths, a.page, a.large = c.before, c.after, c.lengths, c.page, largeTiles
		if c.page > 0 {
			a.Sk = 416
		}
		if k, v := s.spoiled(a); i/2%2 == 1 {
			s.attendTo(a, k, v)
		} else {
			s.attend(a)
		}
	}
}
