package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// attentionAhead has products of two steps outstanding, and programs of several tiles, where keys are not in order: with masks, windows, lengths and pages, and of
// packed sequences. Every second case has values that are not finite, so that programs compute their sums twice.
func attentionAhead(s *suite) {
	if !s.dev.Caps().TensorMaps {
		return
	}
	wide := ops.AttentionConfig{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1, InFlight: 2}
	narrow, several := wide, wide
	narrow.BN, several.Persistent = 64, 3
	few := narrow
	few.Persistent = 2
	shared := narrow
	shared.InFlight, shared.Workgroups = 0, 2
	small := shared
	small.BM, small.Threads, small.Workgroups, small.Heads = 64, 128, 4, 3
	for i, c := range []struct {
		head, before, after int
		mask                weft.DType
		lengths             []int
		page                int
		tiles               ops.AttentionConfig
	}{
		{128, 100, 0, 0, nil, 0, wide}, {80, 70, 90, 0, nil, 0, several}, {96, 30, -1, 0, nil, 0, wide}, {192, 200, 0, 0, nil, 0, few}, {256, 150, 0, 0, nil, 0, narrow},
		{128, -1, -1, weft.Bool, nil, 0, several}, {96, -1, 0, weft.F16, nil, 0, wide}, {160, -1, -1, weft.F32, nil, 0, narrow}, {256, -1, 0, weft.Bool, nil, 0, few},
		{128, -1, 0, 0, []int{333}, 0, several}, {80, -1, -1, 0, []int{1}, 0, wide}, {128, 60, 0, 0, []int{401}, 0, wide}, {256, -1, -1, 0, []int{0}, 0, narrow},
		{128, -1, 0, 0, []int{500}, 16, wide}, {64, -1, -1, 0, []int{190}, 128, narrow}, {128, -1, 0, 0, nil, 256, several},
		{64, 90, 0, 0, nil, 0, shared}, {48, -1, 0, weft.F32, nil, 0, shared}, {64, -1, 0, 0, []int{377}, 0, shared}, {56, -1, -1, weft.Bool, nil, 0, small}, {64, -1, 0, 0, nil, 32, shared}, {40, -1, 0, 0, []int{300}, 0, small},
	} {
		a := attention([]weft.DType{weft.F16, weft.BF16}[i%2], 1, 4, 2, 260, 512, c.head, ops.Tiles(c.tiles))
		a.before, a.after, a.lengths, a.page, a.large = c.before, c.after, c.lengths, c.page, largeTiles
		s.hide(&a, c.mask)
		if k, v := s.spoiled(a); i/2%2 == 1 {
			s.attendTo(a, k, v)
		} else {
			s.attend(a)
		}
	}
	for i, tiles := range []ops.AttentionConfig{wide, several, narrow, few, shared, small} {
		s.attendPacked(packed{elem: []weft.DType{weft.F16, weft.BF16}[i%2], heads: 4, groups: 2, head: []int{128, 80, 192, 64, 64, 48}[i], before: []int{-1, 50, -1}[i/2], after: i % 2 * -1, pages: i == 3,
			forms: [4]form{dense, dense, dense, dense}, queries: []int{130, 1, 0, 64, 300}, keys: []int{130, 500, 7, 64, 333}, tiles: tiles})
	}
}
