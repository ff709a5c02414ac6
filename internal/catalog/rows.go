package catalog

import (
	"slices"

	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// rowOps are what walks along dimensions: reductions, softmax and norms.
func rowOps() []*Op {
	list := []*Op{
		softmaxOp("softmax", "Softmax", weftops.SoftmaxInto),
		softmaxOp("log_softmax", "LogSoftmax", weftops.LogSoftmaxInto),
		normOp("layernorm", "LayerNorm", "weight · (x - mean) / √(variance + ε) + bias for each row", true),
		normOp("rmsnorm", "RMSNorm", "weight · x / √(mean of x² + ε) for each row", false),
	}
	for _, r := range []struct {
		name, function, about string
		into                  func(out, x *weft.Tensor, options ...weftops.ReduceOption) error
	}{
		{"sum", "Sum", "sum over all dimensions or one", weftops.SumInto},
		{"mean", "Mean", "mean over all dimensions or one", weftops.MeanInto},
		{"prod", "Prod", "product over all dimensions or one", weftops.ProdInto},
		{"max", "Max", "largest element over all dimensions or one", weftops.MaxInto},
		{"min", "Min", "smallest element over all dimensions or one", weftops.MinInto},
		{"argmax", "ArgMax", "index of the largest element over all dimensions or one", weftops.ArgMaxInto},
		{"argmin", "ArgMin", "index of the smallest element over all dimensions or one", weftops.ArgMinInto},
		{"var", "Var", "variance over all dimensions or one", weftops.VarInto},
	} {
		list = append(list, reduceOp(r.name, r.function, r.about, r.into))
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

func checkAxis(op string) func(o Options, typed []int) error {
	return func(o Options, typed []int) error { _, _, err := o.axis(op, len(typed)); return err }
}

func normOp(name, function, about string, hasBias bool) *Op {
	return &Op{Name: name, Function: function, About: about, Shape: "any shape, rows last", Example: "8192x4096 --dtype f16", Kind: Rows,
		want: "one shape, whose last dimension is a row",
		problem: func(o Options, _, sizes []int) Problem {
			row := sizes[len(sizes)-1]
			p := Problem{
				In:  []Operand{o.operand("x", sizes...), o.operand("weight", row)},
				Out: []Operand{o.operand("y", sizes...)},
				Run: func(out, in []*weft.Tensor) error { return weftops.RMSNormInto(out[0], in[0], in[1]) },
			}
			if hasBias {
				p.In = append(p.In, o.operand("bias", row))
				p.Run = func(out, in []*weft.Tensor) error { return weftops.LayerNormInto(out[0], in[0], in[1], in[2]) }
			}
			return p
		}}
}

func reduceOp(name, function, about string, into func(out, x *weft.Tensor, options ...weftops.ReduceOption) error) *Op {
	return &Op{Name: name, Function: function, About: about, Shape: "any shape", Example: "4096x4096 --axis 1", Kind: Reductions, Takes: []string{"axis"},
		check: checkAxis(name),
		problem: func(o Options, _, sizes []int) Problem {
			y, options := o.operand("y"), []weftops.ReduceOption(nil)
			y.Shape = []int{}
			switch {
			case name == "argmax" || name == "argmin":
				y.Elem = weft.I32
			case name == "sum" || name == "prod":
				y.Elem = sumType(y.Elem)
			}
			if axis, all, _ := o.axis(name, len(sizes)); !all {
				y.Shape = slices.Delete(slices.Clone(sizes), axis, axis+1)
				options = append(options, weftops.Axis(axis))
			}
			return Problem{
				In:  []Operand{o.operand("x", sizes...)},
				Out: []Operand{y},
				Run: func(out, in []*weft.Tensor) error { return into(out[0], in[0], options...) },
			}
		}}
}

// sumType is the element type of sums and products.
func sumType(elem weft.DType) weft.DType {
	if elem == weft.I8 || elem == weft.U8 {
		return weft.I32
	}
	return elem
}
