package suite

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// tables look up, rotate and move rows, as the layers of Llama-3-8B do.
func tables(s Size) []Work {
	tokens, cols := of(s, 8192, 512, 9), of(s, 4096, 1024, 33)
	return []Work{
		embedding(s.elem(), tokens, of(s, 128256, 8192, 50), cols),
		embeddingGrad(tokens, of(s, 32000, 8192, 50), cols, false), embeddingGrad(tokens, of(s, 32000, 8192, 50), cols, true),
		appended(s.elem(), of(s, 4, 1, 2), of(s, 8, 4, 3), of(s, 4096, 512, 7), of(s, 128, 64, 9)),
		appended(s.elem(), of(s, 64, 8, 2), of(s, 8, 4, 3), 1, of(s, 128, 64, 9)),
		rotary(s.elem(), of(s, 4, 1, 2), of(s, 32, 4, 3), of(s, 4096, 512, 7), of(s, 128, 64, 10)),
		rotary(s.elem(), of(s, 64, 8, 2), of(s, 32, 4, 3), 1, of(s, 128, 64, 10)),
		rotaryAppended(s.elem(), of(s, 4, 1, 2), of(s, 32, 4, 6), of(s, 8, 2, 3), of(s, 4096, 512, 7), of(s, 128, 64, 10)),
		rotaryAppended(s.elem(), of(s, 64, 8, 2), of(s, 32, 4, 6), of(s, 8, 2, 3), 1, of(s, 128, 64, 10)),
	}
}

// embedding looks n ids up in a table.
func embedding(elem weft.DType, n, rows, cols int) Work {
	w := listed("embedding", elem, size(n, rows, cols), nil)
	w.Name = name("embedding", elem, size(n), " of ", size(rows, cols))
	w.Inputs[1].Draw = Draw{0, float64(rows)}
	w.Bytes = 2*w.Output.Bytes() + w.Inputs[1].Bytes() // most ids differ
	w.Want = func(in []Values, i int) (want, bound float64) { return in[0](int(in[1](i/cols))*cols + i%cols), 0 }
	return w
}

// embeddingGrad adds the gradients of n rows that were looked up to those of the table, in an order that is the same in every run if fixed is set.
func embeddingGrad(n, rows, cols int, fixed bool) Work {
	dy, out := normal(weft.F32, n, cols), normal(weft.F32, rows, cols)
	note, options := "", []ops.ScatterOption(nil)
	if fixed {
		note, options = "deterministic ", []ops.ScatterOption{ops.Deterministic()}
	}
	return Work{
		Name: name("embedding_grad", weft.F32, note, size(n), " of ", size(rows, cols)), Op: "embedding_grad", Params: map[string]any{"rows": rows, "deterministic": fixed},
		Inputs: []Operand{dy, indices(rows, n)}, Output: out, Terms: n, Bytes: out.Bytes() + dy.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.EmbeddingGradInto(out, in[0], in[1], options...)
		},
		Want: func(in []Values, i int) (want, bound float64) {
			var list []float64
			for j := range n {
				if int(in[1](j)) == i/cols {
					list = append(list, in[0](j*cols+i%cols))
				}
			}
			return combinedWith(ops.ScatterAdd, 0, list)
		},
	}
}

// appended fills a cache of as many rows as are appended, so that all of it can be checked: with a
// prompt, or one token of each batch.
func appended(elem weft.DType, batch, heads, rows, head int) Work {
	w := listed("cache_append", elem, size(batch, heads, rows, rows, head), nil)
	w.Name = name("cache_append", elem, size(batch, heads, rows, head))
	w.Inputs[1].Draw = Draw{0, 1}
	w.Want = func(in []Values, i int) (want, bound float64) { return in[0](i), 0 }
	return w
}

// rotary rotates heads at positions from 0 on.
func rotary(elem weft.DType, batch, heads, rows, head int) Work {
	w := listed("rotary", elem, size(batch, heads, rows, head), nil)
	w.Name = name("rotary", elem, size(batch, heads, rows, head))
	w.Want = rotated(elem, rows, head)
	return w
}

// rotated are rows of heads of the first input, rotated by positions from 0 on.
func rotated(elem weft.DType, rows, head int) func(in []Values, i int) (want, bound float64) {
	return func(in []Values, i int) (want, bound float64) {
		row, d, half := i/head, i%head, head/2
		first, second := in[0](row*head+d%half), in[0](row*head+d%half+half)
		angle := float64(row%rows) * math.Pow(10000, -2*float64(d%half)/float64(head))
		want = first*math.Cos(angle) - second*math.Sin(angle)
		if d >= half {
			want = second*math.Cos(angle) + first*math.Sin(angle)
		}
		return want, bounds.Rotary(elem, want, first, second)
	}
}

// rotaryAppended fills caches of as many rows as are appended, with a prompt or one token of each batch. Queries are rotated in place; what
// is checked are the keys, the first result.
func rotaryAppended(elem weft.DType, batch, queries, heads, rows, head int) Work {
	w := listed("rotary_append", elem, size(batch, queries, heads, rows, rows, head), nil)
	w.Name = name("rotary_append", elem, size(batch), "x", size(queries), "+", size(heads), "x", size(rows, head))
	w.Inputs[2].Draw = Draw{0, 1}
	w.Inputs = append(w.Inputs, w.Output, normal(elem, batch, queries, rows, head))
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.RotaryAppend(out, in[3], in[4], in[0], in[1], in[2], nil)
	}
	w.Want = rotated(elem, rows, head)
	return w
}
