package suite

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// contractions are products of tensors: the scores of attention whose heads are not their batches in memory, and a layer over two dimensions.
func contractions(s Size) []Work {
	batch, tokens, heads, n := of(s, 4, 1, 2), of(s, 1024, 128, 9), of(s, 32, 4, 3), of(s, 128, 64, 6)
	scores := contraction{op: "einsum", spec: "bqhd,bkhd->bhqk", elem: weft.F16, a: []int{batch, tokens, heads, n}, b: []int{batch, tokens, heads, n},
		out: []int{batch, heads, tokens, tokens}, terms: n}
	scores.at = func(i, j int) (a, b int) {
		bt, h, q, k := place(i, heads, tokens, tokens)
		return ((bt*tokens+q)*heads+h)*n + j, ((bt*tokens+k)*heads+h)*n + j
	}
	merge := contraction{op: "dot_general", spec: "xhd,hdc->xc", elem: weft.F16, a: []int{batch * tokens, heads, n}, b: []int{heads, n, heads * n}, out: []int{batch * tokens, heads * n}, terms: heads * n,
		dims: ops.DotDims{Contract: [2][]int{{1, 2}, {0, 1}}}}
	merge.at = func(i, j int) (a, b int) { return i/(heads*n)*heads*n + j, j*heads*n + i%(heads*n) }
	return []Work{scores.work(), merge.work()}
}

// contraction is a product of two tensors; at says where term j of element i of the result is in both.
type contraction struct {
	op, spec  string
	dims      ops.DotDims
	elem      weft.DType
	a, b, out []int
	terms     int
	at        func(i, j int) (a, b int)
}

func (c contraction) work() Work {
	w := Work{
		Name: name(c.op, c.elem, fmt.Sprint(c.spec, " ", size(c.a...), ",", size(c.b...))), Op: c.op, Terms: c.terms, Params: map[string]any{"spec": c.spec},
		Inputs: []Operand{normal(c.elem, c.a...), normal(c.elem, c.b...)}, Output: normal(c.elem, c.out...), Unit: c.elem.String(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			if c.op == "dot_general" {
				return ops.DotGeneralInto(out, in[0], in[1], c.dims)
			}
			return ops.EinsumInto(out, c.spec, in)
		},
		Want: func(in []Values, i int) (want, bound float64) {
			magnitudes := 0.0
			for j := range c.terms {
				a, b := c.at(i, j)
				v := in[0](a) * in[1](b)
				want, magnitudes = want+v, magnitudes+math.Abs(v)
			}
			return want, bounds.MatMul(c.elem, tile.IEEE, c.terms, want, magnitudes)
		},
	}
	w.Flop = 2 * float64(c.terms) * float64(w.Output.Len())
	return w
}
