package catalog

import (
	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// seed is that of every stream here.
var seed = weftops.Stream{Seed: 1}

// randomOps draw numbers.
var randomOps = []*Op{
	drawOp("uniform", "Uniform", "numbers from 0 to 1", weftops.UniformInto),
	drawOp("normal", "Normal", "normally distributed numbers", weftops.NormalInto),
	{Name: "sample", Function: "Sample", About: "a token drawn from each row of logits", Shape: "any shape, rows last", Example: "64x128256 --dtype f16 --top-p 0.9",
		Takes: []string{"top-k", "top-p"}, want: "one shape, whose last dimension is a row",
		problem: func(o Options, _, sizes []int) Problem {
			out, options := o.operand("tokens", sizes[:len(sizes)-1]...), []weftops.SampleOption(nil)
			out.Elem = weft.I32
			if o.TopK > 0 {
				options = append(options, weftops.SampleTopK(o.TopK))
			}
			if o.TopP > 0 {
				options = append(options, weftops.SampleTopP(o.TopP))
			}
			return Problem{
				In:  []Operand{o.operand("logits", sizes...)},
				Out: []Operand{out},
				Run: func(out, in []*weft.Tensor) error {
					return weftops.SampleInto(out[0], in[0], seed, options...)
				},
			}
		}},
	{Name: "dropout", Function: "Dropout", About: "x with a share of its elements dropped and the others scaled", Shape: "any shape",
		Example: "4096x4096 --p 0.1", Kind: Elements, Takes: []string{"p"},
		problem: func(o Options, _, sizes []int) Problem {
			return Problem{
				In:  []Operand{o.operand("x", sizes...)},
				Out: []Operand{o.operand("y", sizes...)},
				Run: func(out, in []*weft.Tensor) error {
					return weftops.DropoutInto(out[0], in[0], o.Probability, seed, nil)
				},
			}
		}},
}

func drawOp(name, function, about string, into func(out *weft.Tensor, s weftops.Stream) error) *Op {
	return &Op{Name: name, Function: function, About: about, Shape: "any shape", Example: "1048576", Kind: Elements,
		problem: func(o Options, _, sizes []int) Problem {
			return Problem{
				Out: []Operand{o.operand("out", sizes...)},
				Run: func(out, _ []*weft.Tensor) error { return into(out[0], seed) },
			}
		}}
}
