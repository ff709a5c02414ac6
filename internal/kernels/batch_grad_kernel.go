package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// The kernels of the gradients of batch normalisation, from given statistics. Few long channels have three launches: BatchSums of parts of each channel and of
// these, and BatchGradApply.
var (
	// BatchGrad computes the gradients of channels, each of which is a program's own. Its views are x, dy, mean, variance, the weight if there is one, dweight,
	// dbias and out. Its scalar parameters are epsilon and 1/n for n elements of a channel.
	BatchGrad = weft.NewKernel("batch_norm_grad", describeBatchGrad)

	// BatchSums computes the sums of dy · x̂ and of dy of channels, where x̂ is x normalised. As ReduceWhole and ReduceParts its views are x, dy, mean and variance,
	// and its scalar parameter is epsilon; as ReduceCombine they are the states of ReduceParts. The results, if they are not those states, are both sums in the type that sums
	// are in and, where this is another one, in that of elements.
	BatchSums = weft.NewKernel("batch_norm_sums", describeBatchSums)

	// BatchGradApply computes the gradient of x. Its views are x, dy, mean, variance, the weight if there is one, the two sums and out. Its scalar
	// parameters are those of BatchGrad.
	BatchGradApply = weft.NewKernel("batch_norm_grad_apply", describeBatchGradApply)
)

// batchGrad is what gradients of batch normalisation are computed from.
type batchGrad struct {
	k                     *tile.Builder
	cfg                   BatchNormConfig
	x, dy, mean, variance *tile.View
	weight                *tile.View
	epsilon, share        *tile.Value
	scale                 *tile.Value // of the program's channels, without weights
}

// declareGrad declares the inputs that all kernels have which read x.
func (cfg BatchNormConfig) declareGrad(k *tile.Builder) *batchGrad {
	elem, rank := cfg.Rows.Elem, cfg.Rows.Rank
	g := &batchGrad{k: k, cfg: cfg}
	g.x, g.dy, g.mean, g.variance = k.In("x", elem, rank), k.In("dy", elem, rank), k.In("mean", wide(elem), rank), k.In("variance", wide(elem), rank)
	g.weight, _ = cfg.declareWeights(k)
	return g
}

// declareScalars declares the scalar parameters; the share is that of an element in the mean of its channel.
func (g *batchGrad) declareScalars(share bool) {
	if g.epsilon = realParameter(g.k, "epsilon", g.cfg.Rows.Elem); share {
		g.share = realParameter(g.k, "share", g.cfg.Rows.Elem)
	}
	g.k.Schedule(tile.Schedule{Threads: g.cfg.Rows.Threads})
}

// begin makes tiles of x deviations from the mean, with tiles of dy.
func (g *batchGrad) begin(e *element) {
	mean := e.ofChannel(g.mean)
	g.scale = e.ofChannel(g.variance).Add(g.epsilon).Rsqrt()
	e.prepare = func(e *element) {
		e.pair = e.load(g.dy, zero).Cast(wide(e.cfg.Elem))
		e.value = e.value.Sub(mean)
	}
}

// reduce is the sums of dy · x̂ and of dy. The scale is a factor of the first one, not of its terms: there are fewer roundings.
func (g *batchGrad) reduce(e *element, ins []*tile.View, out *tile.View) []*tile.Value {
	s := e.reduce(weightSums, ins, out)
	return []*tile.Value{s[0].Mul(g.scale), s[1]}
}

// gradient returns what computes the gradient of the tile at hand, of the sums of its channels: weight · scale · (dy - mean of dy - x̂ · mean of dy · x̂), with the mean and three
// more numbers for each channel, so that threads have few registers for these. The mean of dy is subtracted first: gradients that are nearly equal lose nothing.
func (g *batchGrad) gradient(e *element, dot, total *tile.Value, out *tile.View) func() {
	slope, ofX, scale := total.Mul(g.share), dot.Mul(g.share).Mul(g.scale).Neg(), g.scale
	if g.weight != nil {
		scale = scale.Mul(e.ofChannel(g.weight))
	}
	return func() {
		v := e.value.FMA(ofX, e.pair.Sub(slope)).Mul(scale)
		out.Block(e.shape...).Store(v.Cast(e.cfg.Elem), e.at...)
	}
}

func describeBatchGrad(k *tile.Builder, cfg BatchNormConfig) {
	rows, g := cfg.Rows, cfg.declareGrad(k)
	sums := []*tile.View{k.Out("dweight", rows.Elem, rows.Rank), k.Out("dbias", rows.Elem, rows.Rank)}
	out := k.Out("out", rows.Elem, rows.Rank)
	g.declareScalars(true)
	cfg.require(k, g.x, []*tile.View{g.dy, out}, append(sums, g.mean, g.variance, g.weight))
	e := newElement(k, rows, g.x, k.ProgramTile(out, rows.grid()...))
	g.begin(e)
	s := g.reduce(e, nil, nil)
	for i, to := range sums {
		to.Block(rows.within(rows.ofChannels)...).Store(s[i].Cast(rows.Elem), e.among(rows.ofChannels)...)
	}
	store := g.gradient(e, s[0], s[1], out)
	e.walk(0, nil, func() {
		if rows.Walks() {
			e.loadValue(weightSums)
		}
		store()
	})
}

func describeBatchSums(k *tile.Builder, cfg BatchNormConfig) {
	rows, slots := cfg.Rows, weightSums.States(cfg.Rows.Elem)
	var ins, outs []*tile.View
	var g *batchGrad
	if rows.Pass == ReduceCombine {
		for _, s := range slots {
			ins = append(ins, k.In("part_"+s.name, s.Elem, rows.Rank))
		}
	} else {
		g = cfg.declareGrad(k)
		ins = append(ins, g.x)
	}
	for _, s := range slots {
		outs = append(outs, k.Out(s.name, s.Elem, rows.Rank))
	}
	if rows.Pass != ReduceParts && cfg.narrow() {
		outs = append(outs, k.Out("dweight", rows.Elem, rows.Rank), k.Out("dbias", rows.Elem, rows.Rank))
	}
	to := outs
	if rows.Pass == ReduceParts {
		to = nil // which have more than one element for a channel
	}
	if g == nil {
		k.Schedule(tile.Schedule{Threads: rows.Threads})
		cfg.require(k, ins[0], ins[1:], to)
	} else {
		g.declareScalars(false)
		cfg.require(k, g.x, []*tile.View{g.dy}, append([]*tile.View{g.mean, g.variance}, to...))
	}
	e := newElement(k, rows, ins[0], k.ProgramTile(outs[0], rows.grid()...))
	at := append([]tile.Operand(nil), e.at...)
	var s []*tile.Value
	if g != nil {
		g.begin(e)
		s = g.reduce(e, ins, outs[0])
	} else {
		s = e.reduce(weightSums, ins, outs[0])
	}
	for i, to := range outs {
		to.Block(rows.within(rows.ofChannels)...).Store(s[i%len(s)].Cast(to.Elem), at...)
	}
}

func describeBatchGradApply(k *tile.Builder, cfg BatchNormConfig) {
	rows, g := cfg.Rows, cfg.declareGrad(k)
	dot, total := k.In("dot", wide(rows.Elem), rows.Rank), k.In("total", wide(rows.Elem), rows.Rank)
	out := k.Out("out", rows.Elem, rows.Rank)
	g.declareScalars(true)
	cfg.require(k, g.x, []*tile.View{g.dy, out}, []*tile.View{g.mean, g.variance, g.weight, dot, total})
	cfg.steps(k, g.x, out, func(e *element) func() {
		g.begin(e)
		store := g.gradient(e, e.ofChannel(dot), e.ofChannel(total), out)
		return func() {
			e.loadValue(weightSums)
			store()
		}
	})
}
