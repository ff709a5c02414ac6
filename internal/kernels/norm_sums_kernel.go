package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// NormSumsConfig is what NormSums is built for.
type NormSumsConfig struct {
	Rows ReduceConfig  // how what shares a weight, its reduced dimensions, is walked: by ReduceParts, or by ReduceCombine; Op is left at 0, Out the weight's type
	Of   [MaxRank]bool // the dimensions that make up a row of the normalisation, along which mean and scale have size 1
	RMS  bool          // of RMSNorm, whose mean is 0
	Bias bool          // the sums of dy are wanted, too
}

// NormSums is the kernel of the gradients of weights and biases, sums of dy · x̂ and of dy. As ReduceParts its views are x, dy, the mean, unless that is 0,
// the scale, and the states of several parts; as ReduceCombine the states, or what RowGrad folded, and dweight and, if there is one, dbias.
var NormSums = weft.NewKernel("norm_sums", describeNormSums)

func describeNormSums(k *tile.Builder, cfg NormSumsConfig) {
	rows, r := cfg.Rows, weightSums
	slots := r.States(rows.Elem)
	if !cfg.Bias {
		slots = slots[:1]
	}
	var ins, outs []*tile.View
	var prepare func(e *element)
	if rows.Pass == ReduceCombine {
		for _, s := range slots {
			ins = append(ins, k.In(s.name, s.Elem, rows.Rank))
		}
		for _, name := range []string{"dweight", "dbias"}[:len(slots)] {
			outs = append(outs, k.Out(name, rows.Out, rows.Rank))
		}
	} else {
		ins = append(ins, k.In("x", rows.Elem, rows.Rank))
		prepare = cfg.normalised(k)
		for _, s := range slots {
			outs = append(outs, k.Out(s.name, s.Elem, rows.Rank))
		}
	}
	k.Schedule(tile.Schedule{Threads: rows.Threads})
	to := k.ProgramTile(outs[0], rows.grid()...)
	e := newElement(k, rows, ins[0], to)
	e.prepare = prepare
	if !cfg.Bias {
		r = r.firsts(1)
	}
	block := rows.within(func(d int) bool { return !rows.Reduced[d] })
	for i, v := range e.reduce(r, ins, outs[0]) {
		outs[i].Block(block...).Store(v.Cast(outs[i].Elem), to...)
	}
}

// normalised declares dy and the statistics of rows. What it returns reads dy, and normalises x.
func (cfg NormSumsConfig) normalised(k *tile.Builder) func(e *element) {
	sum := wide(cfg.Rows.Elem)
	dy := k.In("dy", cfg.Rows.Elem, cfg.Rows.Rank)
	var mean *tile.View
	if !cfg.RMS {
		mean = k.In("mean", sum, cfg.Rows.Rank)
	}
	scale := k.In("scale", sum, cfg.Rows.Rank)
	others := func(d int) bool { return !cfg.Of[d] }
	return func(e *element) {
		of := func(v *tile.View) *tile.Value { return v.Block(cfg.Rows.within(others)...).Load(e.among(others)...) }
		e.pair = e.load(dy, zero).Cast(sum)
		if mean != nil {
			e.value = e.value.Sub(of(mean))
		}
		e.value = e.value.Mul(of(scale))
	}
}

// weightSums is the reduction to the sums of products of pairs and of their second elements.
var weightSums = reducer{
	Fill: zero,
	States: func(elem weft.DType) []slot {
		return []slot{{"dot", wide(elem), zero}, {"total", wide(elem), zero}}
	},
	lift: func(e element) []*tile.Value { return []*tile.Value{e.value.Mul(e.pair), e.pair} },
	step: func(s []*tile.Value, e element) []*tile.Value {
		return []*tile.Value{e.value.FMA(e.pair, s[0]), s[1].Add(e.pair)}
	},
	combine: addAll,
	gather:  func(_ element, s []*tile.Value, axes []int) []*tile.Value { return sumsOver(axes, s...) },
}

// firsts is a reduction to the first n values of the state alone, which do not depend on others.
func (r reducer) firsts(n int) reducer {
	all := r
	r.States = func(elem weft.DType) []slot { return all.States(elem)[:n] }
	r.lift = func(e element) []*tile.Value { return all.lift(e)[:n] }
	r.step = func(s []*tile.Value, e element) []*tile.Value { return all.step(slices.Concat(s, s), e)[:n] }
	return r
}
