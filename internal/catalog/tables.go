package catalog

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	weftops "github.com/weftgpu/weft/ops"
)

// dataOps prepare rows for attention, and move them.
var dataOps = []*Op{
	{Name: "embedding", Function: "Embedding", About: "the rows of a table [V,D] that N ids name", Shape: "NxVxD",
		Example: "8192x8192x4096 --dtype f16", want: "NxVxD", sizes: []string{"N V D"}, problem: embedding},
	{Name: "embedding_grad", Function: "EmbeddingGrad", About: "the gradient of a table [V,D], rows of which N ids named", Shape: "NxVxD",
		Example: "8192x8192x4096 --dtype f16", want: "NxVxD", sizes: []string{"N V D"}, problem: embeddingGrad},
	{Name: "cache_append", Function: "CacheAppend", About: "rows x [B,H,S,D] written into a cache [B,H,C,D] at positions of its batches", Shape: "BxHxSxCxD",
		Example: "16x8x1x4096x128 --dtype f16", want: "BxHxSxCxD", sizes: []string{"B H S C D"}, problem: cacheAppend},
	{Name: "rotary", Function: "Rotary", About: "x [B,H,S,D] with its rotary position embedding", Shape: "BxHxSxD",
		Example: "4x32x4096x128 --dtype f16", want: "BxHxSxD with an even D", sizes: []string{"B H S D"}, check: checkRotary, problem: rotary},
	{Name: "rotary_append", Function: "RotaryAppend", About: "q [B,Hq,S,D] and k [B,H,S,D] rotated, k and v written into caches [B,H,C,D] at positions of their batches", Shape: "BxHqxHxSxCxD",
		Example: "16x32x8x1x4096x128 --dtype f16", want: "BxHqxHxSxCxD with an even D", sizes: []string{"B Hq H S C D"}, check: checkRotary, problem: rotaryAppend},
}

func embedding(o Options, _, sizes []int) Problem {
	n, v, d := sizes[0], sizes[1], sizes[2]
	return Problem{
		In:  []Operand{o.operand("table", v, d), {Name: "ids", Elem: weft.I32, Shape: []int{n}, Below: v}},
		Out: []Operand{o.operand("out", n, d)},
		Run: func(out, in []*weft.Tensor) error { return weftops.EmbeddingInto(out[0], in[0], in[1]) },
	}
}

func embeddingGrad(o Options, _, sizes []int) Problem {
	n, v, d := sizes[0], sizes[1], sizes[2]
	return Problem{
		In:  []Operand{o.operand("dy", n, d), {Name: "ids", Elem: weft.I32, Shape: []int{n}, Below: v}},
		Out: []Operand{o.operand("out", v, d)},
		Run: func(out, in []*weft.Tensor) error { return weftops.EmbeddingGradInto(out[0], in[0], in[1]) },
	}
}

// cacheAppend appends at random positions.
func cacheAppend(o Options, _, sizes []int) Problem {
	b, h, s, c, d := sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]
	return Problem{
		In:  []Operand{o.operand("x", b, h, s, d), {Name: "positions", Elem: weft.I32, Shape: []int{b}, Below: max(c-s+1, 1)}},
		Out: []Operand{o.operand("cache", b, h, c, d)},
		Run: func(out, in []*weft.Tensor) error { return weftops.CacheAppend(out[0], in[0], in[1], nil) },
	}
}

func checkRotary(_ Options, typed []int) error {
	if d := typed[len(typed)-1]; d%2 != 0 {
		return fault.New(weft.ErrShape, "rotary", "rows of %d, want an even number", d)
	}
	return nil
}

func rotary(o Options, _, sizes []int) Problem {
	return Problem{
		In:  []Operand{o.operand("x", sizes...)},
		Out: []Operand{o.operand("out", sizes...)},
		Run: func(out, in []*weft.Tensor) error { return weftops.RotaryInto(out[0], in[0]) },
	}
}

// rotaryAppend appends at random positions.
func rotaryAppend(o Options, _, sizes []int) Problem {
	b, hq, h, s, c, d := sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5]
	return Problem{
		In:  []Operand{o.operand("k", b, h, s, d), o.operand("v", b, h, s, d), {Name: "positions", Elem: weft.I32, Shape: []int{b}, Below: max(c-s+1, 1)}},
		Out: []Operand{o.operand("keys", b, h, c, d), o.operand("values", b, h, c, d), o.operand("q", b, hq, s, d)},
		Run: func(out, in []*weft.Tensor) error {
			return weftops.RotaryAppend(out[0], out[1], out[2], in[0], in[1], in[2], nil)
		},
	}
}
