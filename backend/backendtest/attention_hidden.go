package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// attentionHidden has NaN and infinities in the keys and values that some queries do not see, and others do: by causal
// masks, windows, both, masks of Bool and added ones. What a query does not see leaves its result as it is, in
// tiles of any size.
func attentionHidden(s *suite) {
	for i, c := range []struct {
		before, after int
		start         bool
		mask          weft.DType // also, without a window
		tiles         ops.AttentionConfig
	}{
		{before: 9, after: 3},
		{before: -1, after: 0, mask: weft.Bool, tiles: ops.AttentionConfig{BM: 8, BN: 32, BV: 16}},
		{before: -1, after: -1, mask: weft.F32, tiles: ops.AttentionConfig{BN: 8}},
		{before: -1, after: 0, start: true},
		{before: 5, after: -1, tiles: ops.AttentionConfig{BN: 64}},
		{before: -1, after: -1, mask: weft.Bool},
		{before: 20, after: 0, start: true, mask: weft.BF16},
	} {
		for j, elem := range floatTypes {
			if !s.full && s.dev.Info().Backend != "cpu" && (i > 3 || i%len(floatTypes) != j) { // compiling takes long
				continue
			}
			cfg := ops.AttentionConfig{BM: 16, BN: 16, BD: 16, BV: 32, Threads: 256}
			cfg.Replace(c.tiles)
			a := attention(elem, 1, 2, 1, 37, 83, 24, ops.Tiles(cfg))
			a.before, a.after, a.start = c.before, c.after, c.start
			s.hide(&a, c.mask)
			k, v := s.spoiled(a)
			s.attendTo(a, k, v)
		}
	}
	if s.dev.Caps().MatrixTypes() == 0 {
		return
	}
	configs := []ops.AttentionConfig{{}, {BM: 64, BN: 64, Threads: 128, Stages: 2}, {BM: 128, BN: 64, Threads: 256, Stages: 2}}
	if s.dev.Caps().TensorMaps {
		configs = append(configs, ops.AttentionConfig{BM: 64, BN: 64, Threads: 128, Stages: 2, Producers: 1}, ops.AttentionConfig{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1})
	}
	for i, cfg := range configs {
		for j, d := range []int{64, 128, 96} {
			a := attention([]weft.DType{weft.F16, weft.BF16}[i%2], 1, 2, 1, 260, 519, d, ops.Tiles(cfg))
			a.large = largeTiles
			a.before, a.after, a.start = []int{-1, 70, -1}[(i+j)%3], []int{0, 5, -1}[(i+j)%3], i%2 == 0
			s.hide(&a, []weft.DType{0, 0, weft.Bool}[(i+j)%3])
			k, v := s.spoiled(a)
			s.attendTo(a, k, v)
		}
	}
}

// hide gives a case a mask of an element type that hides half of the keys, none for dtype.Invalid.
func (s *suite) hide(a *attended, elem weft.DType) {
	if !elem.Valid() {
		return
	}
	m := s.random(elem, a.Sq, a.Sk)
	for i := range m.x {
		hidden := s.rng.IntN(2) == 0
		switch {
		case elem == weft.Bool && hidden:
			m.x[i] = 0
		case elem == weft.Bool:
			m.x[i] = 1
		case hidden && (elem == weft.F16 || i%2 == 0):
			m.x[i] = math.Inf(-1)
		case hidden: // which hides as well, of a type that has such numbers
			m.x[i] = -largest[elem]
		}
	}
	a.options = append(a.options, ops.AttentionMask(s.tensor(m)))
	a.mask = func(b, h, i, j int) float64 {
		switch x := m.x[i*a.Sk+j]; {
		case elem != weft.Bool && x > -0x1p127:
			return x
		case elem != weft.Bool:
			return math.Inf(-1)
		case x == 0:
			return math.Inf(-1)
		}
		return 0
	}
}

// spoiled are keys and values of a case with NaN in two keys, and NaN and infinities in some elements of many values.
func (s *suite) spoiled(a attended) (k, v host) {
	k, v = s.random(a.elem, a.B, a.Hkv, a.Sk, a.D), s.random(a.elem, a.B, a.Hkv, a.Sk, a.D)
	for _, j := range []int{a.Sk * 2 / 5, a.Sk - 3} {
		k.x[j*a.D+s.rng.IntN(a.D)] = math.NaN()
	}
	kinds := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
	for j := a.Sk / 8; j < a.Sk; j += 3 + a.Sk/16 {
		for n := range a.D / 6 {
			v.x[j*a.D+s.rng.IntN(a.D)] = kinds[(n+j)%len(kinds)]
		}
	}
	return k, v
}
