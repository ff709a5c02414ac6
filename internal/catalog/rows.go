package catalog

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	weftops "github.com/weftgpu/weft/ops"
)

// rowOps are what walks along dimensions: reductions, softmax and norms.
func rowOps() []*Op {
	list := []*Op{
		normOp("layernorm", "LayerNorm", "weight · (x - mean) / √(variance + ε) + bias for each row", true),
		normOp("rmsnorm", "RMSNorm", "weight · x / √(mean of x² + ε) for each row", false),
		normGradOp("layernorm_grad", "LayerNormGrad", "gradients of x, weight and bias of LayerNorm", true),
		normGradOp("rmsnorm_grad", "RMSNormGrad", "gradients of x and weight of RMSNorm", false),
	}
	list = append(list, groupNormOps()...)
	list = append(list, batchNormOps()...)
	for _, g := range SoftmaxGrads {
		list = append(list, softmaxGradOp(g))
	}
	list = append(list, lossOps()...)
	list = append(list, &Op{Name: "top_k", Function: "TopK", About: "the largest elements along the last dimension or another, in order, and their indices", Shape: "any shape",
		Example: "64x128256 --dtype f16 --top-k 50", Takes: []string{"axis", "top-k"}, check: checkTopK, problem: topK})
	for _, s := range Softmaxes {
		list = append(list, softmaxOp(s.Name, s.Function, s.Into))
	}
	for _, s := range Scans {
		list = append(list, scanOp(s))
	}
	list = append(append(list, sortOps()...), countOps()...)
	for _, r := range AllReductions {
		list = append(list, reduceOp(r))
	}
	return list
}

func softmaxOp(name, function string, into func(out, x *weft.Tensor, options ...weftops.SoftmaxOption) error) *Op {
	return &Op{Name: name, Function: function, About: function + " along the last dimension or another", Shape: "any shape",
		Example: "8192x4096", Kind: Rows, Takes: []string{"axis"}, check: checkAxis(name),
		problem: func(o Options, _, sizes []int) Problem {
			axis, _, _ := o.axis(name, len(sizes)) // checked before
			return Problem{
				In:  []Operand{o.operand("x", sizes...)},
				Out: []Operand{o.operand("y", sizes...)},
				Run: func(out, in []*weft.Tensor) error { return into(out[0], in[0], weftops.Axis(axis)) },
			}
		}}
}

func checkTopK(o Options, typed []int) error {
	axis, _, err := o.axis("top_k", len(typed))
	if err == nil && (o.TopK < 0 || o.TopK > typed[axis]) {
		return fault.New(weft.ErrArgument, "top_k", "--top-k %d of %d elements", o.TopK, typed[axis])
	}
	return err
}

func topK(o Options, _, sizes []int) Problem {
	axis, _, _ := o.axis("top_k", len(sizes)) // checked before
	k := o.TopK
	if k == 0 {
		k = min(50, sizes[axis])
	}
	shape := slices.Clone(sizes)
	shape[axis] = k
	indices := o.operand("indices", shape...)
	indices.Elem = weft.I32
	return Problem{
		In:  []Operand{o.operand("x", sizes...)},
		Out: []Operand{o.operand("values", shape...), indices},
		Run: func(out, in []*weft.Tensor) error { return weftops.TopKInto(out[0], out[1], in[0], k, axis) },
	}
}

func checkAxis(op string) func(o Options, typed []int) error {
	return func(o Options, typed []int) error { _, _, err := o.axis(op, len(typed)); return err }
}

func normOp(name, function, about string, hasBias bool) *Op {
	return &Op{Name: name, Function: function, About: about, Shape: "any shape, rows last", Example: "8192x4096 --dtype f16", Kind: Rows, Takes: []string{"residual"},
		want: "one shape, whose last dimension is a row",
		problem: func(o Options, _, sizes []int) Problem {
			row := sizes[len(sizes)-1]
			p := Problem{
				In:  []Operand{o.operand("x", sizes...), o.operand("weight", row)},
				Out: []Operand{o.operand("y", sizes...)},
			}
			if hasBias {
				p.In = append(p.In, o.operand("bias", row))
			}
			if o.Residual {
				p.In, p.Out = append(p.In, o.operand("residual", sizes...)), append(p.Out, o.operand("sum", sizes...))
			}
			p.Run = func(out, in []*weft.Tensor) error {
				var options []weftops.NormOption
				if o.Residual {
					options = append(options, weftops.Residual(in[len(in)-1], out[1]))
				}
				if hasBias {
					return weftops.LayerNormInto(out[0], in[0], in[1], in[2], options...)
				}
				return weftops.RMSNormInto(out[0], in[0], in[1], options...)
			}
			return p
		}}
}

func reduceOp(r Reduction) *Op {
	name, example := r.String(), "4096x4096 --axis 1"
	if !r.Takes(weft.F32) {
		example += integers
	}
	return &Op{Name: name, Function: r.Function, About: r.about + " over all dimensions or one", Shape: "any shape", Example: example,
		Kind: Reductions, Takes: []string{"axis"}, check: checkAxis(name),
		problem: func(o Options, _, sizes []int) Problem {
			y, options := o.operand("y"), []weftops.ReduceOption(nil)
			y.Shape, y.Elem = []int{}, r.Result(y.Elem)
			if axis, all, _ := o.axis(name, len(sizes)); !all {
				y.Shape = slices.Delete(slices.Clone(sizes), axis, axis+1)
				options = append(options, weftops.Axis(axis))
			}
			return Problem{
				In:  []Operand{o.operand("x", sizes...)},
				Out: []Operand{y},
				Run: func(out, in []*weft.Tensor) error { return r.Into(out[0], in[0], options...) },
			}
		}}
}
