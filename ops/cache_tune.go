package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

var cacheTune = space[cacheTrials]("cache_append")

type cacheTrials struct{}

// trialPage is the largest page of races.
const trialPage = 64

// Trial appends to a cache that is written whole, so that all of it can be compared.
func (cacheTrials) Trial(p kernels.CacheProblem, r *trialTensors, rule kernels.RowSizes) (*tune.Trial[kernels.RowSizes], error) {
	x := r.filled(p.Elem, p.X)
	batch, heads, rows, cols := p.X.Size[0], p.X.Size[1], p.X.Size[2], p.X.Size[3]
	if r.err != nil {
		return nil, r.err
	}
	page, pages := rows, 1
	for p.Paged && (page > trialPage || rows%page != 0) {
		page--
	}
	pages = rows / page
	cache := r.result(p.Elem, p.Cache, batch*pages, heads, page, cols)
	views := []weft.TensorView{view(x), view(r.keep(weft.Zeros(r.dev, weft.I32, batch)))}
	if p.Paged {
		list := r.keep(weft.Arange(r.dev, weft.I32, 0, float64(batch*pages), 1))
		if r.err != nil {
			return nil, r.err
		}
		views = append(views, view(r.keep(list.Reshape(batch, pages))))
	}
	views = append(views, view(cache))
	run := func(s kernels.RowSizes) error { return kernels.CacheAppend.LaunchViews(p.Config(s), nil, views...) }
	value := r.valuesOf(x)
	r.exactly(1, func(at []int) float64 { return value(at[0]/pages, at[1], at[0]%pages*page+at[2], at[3]) })
	return newTrial(r, rule, run, tolerance{}, cache)
}
