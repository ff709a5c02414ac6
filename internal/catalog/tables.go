package catalog

import (
	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// dataOps move rows of tables and caches.
var dataOps = []*Op{
	{Name: "embedding", Function: "Embedding", About: "the rows of a table [V,D] that N ids name", Shape: "NxVxD",
		Example: "8192x8192x4096 --dtype f16", want: "NxVxD", sizes: []string{"N V D"}, problem: embedding},
}

func embedding(o Options, _, sizes []int) Problem {
	n, v, d := sizes[0], sizes[1], sizes[2]
	return Problem{
		In:  []Operand{o.operand("table", v, d), {Name: "ids", Elem: weft.I32, Shape: []int{n}, Below: v}},
		Out: []Operand{o.operand("out", n, d)},
		Run: func(out, in []*weft.Tensor) error { return weftops.EmbeddingInto(out[0], in[0], in[1]) },
	}
}
