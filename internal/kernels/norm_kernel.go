package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Norm is the kernel of LayerNorm and RMSNorm. A row that fits stays in registers between its
// statistics and the result; longer ones are walked twice. Its views are x, weight and bias as far
// as they are there, with size 1 in all dimensions but the row's, and out; its scalar parameter is
// epsilon.
var Norm = weft.NewKernel("normalise", describeNorm)

func describeNorm(k *tile.Builder, cfg NormConfig) {
	rows := cfg.Rows
	x := k.In("x", rows.Elem, rows.Rank)
	var weight, bias *tile.View
	if cfg.Weight {
		weight = k.In("weight", rows.Elem, rows.Rank)
	}
	if cfg.Bias {
		bias = k.In("bias", rows.Elem, rows.Rank)
	}
	out := k.Out("out", rows.Elem, rows.Rank)
	epsilon := k.Scalar("epsilon", dtype.F32)
	k.Schedule(tile.Schedule{Threads: rows.Threads})

	e := newElement(k, rows, x, k.ProgramTile(out, rows.grid()...))
	r := spreading
	if cfg.RMS {
		r = squaring
	}
	s := e.reduce(r, []*tile.View{x}, nil)
	scale := r.finish(s).Div(e.count()).Add(epsilon).Rsqrt()
	part := slices.Clone(e.shape) // of weight and bias
	for d := range part {
		if !rows.Reduced[d] {
			part[d] = 1
		}
	}
	alongRow := func(v *tile.View) *tile.Value {
		at := slices.Clone(e.at)
		for d := range at {
			if !rows.Reduced[d] {
				at[d] = 0
			}
		}
		return v.Block(part...).Load(at...).Cast(dtype.F32)
	}
	e.walk(0, nil, func() {
		v := e.value
		if rows.Walks() {
			v = e.load(x, zero).Cast(dtype.F32)
		}
		if !cfg.RMS {
			v = v.Sub(s[1])
		}
		v = v.Mul(scale)
		if weight != nil {
			v = v.Mul(alongRow(weight))
		}
		if bias != nil {
			v = v.Add(alongRow(bias))
		}
		out.Block(e.shape...).Store(v.Cast(rows.Elem), e.at...)
	})
}

// squaring is the reduction to the sum of squares.
var squaring = reducer{
	Fill:   zero,
	States: func(weft.DType) []slot { return []slot{{"squares", weft.F32, zero}} },
	lift:   func(e element) []*tile.Value { return []*tile.Value{e.value.Mul(e.value)} },
	step: func(s []*tile.Value, e element) []*tile.Value {
		return []*tile.Value{e.value.FMA(e.value, s[0])}
	},
	gather: func(_ element, s []*tile.Value, axes []int) []*tile.Value {
		return []*tile.Value{over(axes, s[0], (*tile.Value).Sum)}
	},
	finish: first,
}
