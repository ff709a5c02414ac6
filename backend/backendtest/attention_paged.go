package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
)

// pages are the pages of a case's keys and values in a pool, in random order, with some that no batch has.
type pages struct {
	attended
	table host
	form  form // of the table
	each  int  // pages of a batch
	count int
}

// pages gives each batch its pages. Those beyond a length have numbers of any size.
func (s *suite) pages(c attended) pages {
	p := pages{attended: c, each: c.Sk / c.page, form: forms[s.rng.IntN(len(forms))]}
	p.count = c.B*p.each + 3
	p.table = filled(weft.I32, 0, c.B, p.each)
	for i, number := range s.rng.Perm(p.count)[:c.B*p.each] {
		p.table.x[i] = float64(number)
		if c.lengths != nil && i%p.each*c.page >= c.lengths[i/p.each] {
			p.table.x[i] = []float64{-1, math.MinInt32, math.MaxInt32, float64(p.count)}[number%4]
		}
	}
	return p
}

// pool has keys or values in their pages, and NaN in the others.
func (p pages) pool(x host) host {
	pool, block := filled(x.elem, math.NaN(), p.count, p.Hkv, p.page, p.D), p.page*p.D
	for i, number := range p.table.x {
		for h := 0; h < p.Hkv && number >= 0 && number < float64(p.count); h++ {
			from := (i/p.each*p.Hkv+h)*p.each + i%p.each
			copy(pool.x[(int(number)*p.Hkv+h)*block:][:block], x.x[from*block:])
		}
	}
	return pool
}

// attentionPaged has keys and values in pages: in tiles, by rows, in parts, by matrix instructions and as the launch rule chooses, with and without lengths, bands and
// masks. What is beyond a length and in other pages is NaN.
func attentionPaged(s *suite) {
	rows := ops.AttentionConfig{ByRows: true, BM: 4, BN: 32, BD: 32, BV: 32, Threads: 64, Stages: 1, Parts: 3}
	tiles := ops.AttentionConfig{BM: 16, BN: 16, BD: 16, BV: 32, Threads: 256, Parts: 1}
	split := tiles
	split.Parts = 4
	all := s.compilesSoon()
	for i, cfg := range []ops.AttentionConfig{tiles, rows, split, {}} {
		for j, c := range []struct {
			sq, each, page, before, after int
			lengths                       []int
			mask                          weft.DType
		}{
			{20, 2, 64, 12, 0, []int{33, 0, 128}, 0}, {3, 3, 32, -1, 0, nil, 0}, {1, 6, 16, -1, -1, []int{70, 96, 1}, 0}, {4, 3, 16, -1, 0, []int{48, 47, 17}, weft.F32},
		} {
			if !all && i != j || c.sq > 4 && cfg.ByRows {
				continue
			}
			a := attention(floatTypes[(i+j)%len(floatTypes)], 3, 4, 2, c.sq, c.each*c.page, 24, ops.Tiles(cfg))
			a.page, a.lengths, a.before, a.after = c.page, c.lengths, c.before, c.after
			a.forms = [4]form{forms[i], forms[(i+j)%4], forms[j], forms[(j+1)%4]}
			s.hide(&a, c.mask)
			k, v := s.random(a.elem, a.B, a.Hkv, a.Sk, a.D), s.random(a.elem, a.B, a.Hkv, a.Sk, a.D)
			for n := range k.x {
				if row := n / a.D; c.lengths != nil && row%a.Sk >= c.lengths[row/a.Sk/a.Hkv] {
					k.x[n], v.x[n] = math.NaN(), math.Inf(1)
				}
			}
			s.attendTo(a, k, v)
			if cfg.BN > 0 && c.page >= cfg.BN && (all || i == 0) { // the steps are the same
				s.pagedLikeUnpaged(a, k, v)
			}
		}
	}
	if s.dev.Caps().MatrixTypes() == 0 {
		return
	}
	few := []ops.AttentionConfig{{BM: 16, BN: 64, Threads: 128, Stages: 2, Parts: 1}, {BM: 16, BN: 64, Threads: 128, Stages: 3, Parts: 3}}
	several := few // whose steps have several pages
	if s.dev.Caps().Registers == target.SoftwareRegisters {
		several = nil
	}
	configs := append([]ops.AttentionConfig{{}, {BM: 64, BN: 64, Threads: 128, Stages: 2, Parts: 1}, {BM: 128, BN: 64, Threads: 256, Stages: 2, Parts: 3}}, few...)
	if s.dev.Caps().TensorMaps {
		configs = append(configs, ops.AttentionConfig{BM: 64, BN: 64, Threads: 128, Stages: 2, Producers: 1, Parts: 1},
			ops.AttentionConfig{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1, Parts: 1}, ops.AttentionConfig{BM: 64, BN: 128, Threads: 128, Stages: 2, Producers: 1, Parts: 5})
	}
	for i, cfg := range configs {
		for j, page := range []int{16, 128} {
			a := attention([]weft.DType{weft.F16, weft.BF16}[i%2], 2, 4, 2, []int{260, 5}[j], 512, []int{64, 128}[(i+j)%2], ops.Tiles(cfg))
			a.page, a.lengths = page, []int{417, 512}
			if cfg != (ops.AttentionConfig{}) {
				a.large = largeTiles
			}
			a.after = i%2 - 1
			k, v := s.random(a.elem, a.B, a.Hkv, a.Sk, a.D), s.random(a.elem, a.B, a.Hkv, a.Sk, a.D)
			s.attendTo(a, k, v)
			if cfg.BN > 0 && (page >= cfg.BN || cfg.Producers > 0 || slices.Contains(several, cfg)) { // the products are the same
				s.pagedLikeUnpaged(a, k, v)
			}
		}
	}
}

// pagedLikeUnpaged demands the bits of the same keys in order, of a config that is given.
func (s *suite) pagedLikeUnpaged(a attended, k, v host) {
	s.Helper()
	var options []ops.AttentionOption
	if a.lengths != nil {
		lengths := filled(weft.I32, 0, a.B)
		for b, n := range a.lengths {
			lengths.x[b] = float64(n)
		}
		options = append(options, ops.KeyLengths(s.tensor(lengths)))
	}
	options = append(append(options, ops.SlidingWindow(a.before, a.after)), a.options...)
	q, p := s.tensor(s.random(a.elem, a.B, a.Hq, a.Sq, a.D)), s.pages(a)
	want, err := ops.Attention(q, s.tensor(k), s.tensor(v), options...)
	if s.refuses(a, err) {
		return
	}
	s.try(err)
	got := s.ok(ops.Attention(q, s.tensor(p.pool(k)), s.tensor(p.pool(v)), append(options, ops.BlockTable(s.tensor(p.table)))...))
	numbers, err := weft.ToFloats(want)
	s.try(err)
	s.compare(got, numbers, nil)
}

// compilesSoon reports whether there are all cases of large kernels: a software GPU compiles each for seconds.
func (s *suite) compilesSoon() bool {
	info := s.dev.Info()
	return info.Backend == "cpu" || s.full && info.Kind == backend.GPU
}
