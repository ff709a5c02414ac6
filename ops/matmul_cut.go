package ops

import (
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// cutTune and quantizedCutTune choose whether a product is computed in two parts.
var (
	cutTune          = cutSpace("matmul cut", matMulTune)
	quantizedCutTune = cutSpace("quantized_matmul cut", quantizedTune)
)

// cutProblem is a product that may be divided.
type cutProblem[P comparable] interface {
	kernels.Problem[P, MatMulConfig]
	Cut(caps target.Caps) kernels.Cut
	LegalCut(caps target.Caps, c kernels.Cut) error
}

// cutSpace is the choice for products whose configs another space chooses. Where a race found another config than the rule's for the whole product, that is taken.
func cutSpace[P cutProblem[P], T trials[P, MatMulConfig]](op string, of search[P, MatMulConfig, T]) *tune.Space[P, kernels.Cut] {
	return &tune.Space[P, kernels.Cut]{
		Op: op,
		List: func(caps target.Caps, p P) iter.Seq[kernels.Cut] {
			return slices.Values([]kernels.Cut{{}, p.Cut(caps)})
		},
		Legal: func(caps target.Caps, p P, c kernels.Cut) error { return p.LegalCut(caps, c) },
		Rule: func(caps target.Caps, p P) kernels.Cut {
			if raced, ok := of.Known(caps, p); ok && raced != p.Rule(caps) {
				return kernels.Cut{}
			}
			return p.Cut(caps)
		},
	}
}

// launchEven starts the kernels of a product whose columns, or those of its transpose, are in parts of one width: of views of the operands, the left one first, and of the tensors of the steps and the
// result.
func (o *productOptions) launchEven(views []weft.TensorView, cut kernels.Cut) error {
	cfg := o.problem(views).EvenConfig(views[0].Tensor.Device().Caps(), cut)
	if cut.Transposed {
		views = swapped(views)
	}
	return o.start(views[:2], views[2:], cfg)
}

// launchCut starts the kernels of both parts of a product, the one that may need a workspace first: of views of the operands, the left one first, and of the tensors of the
// steps and the result.
func launchCut(factors, views []weft.TensorView, cut kernels.Cut, start func(factors, views []weft.TensorView) error) error {
	for _, second := range []bool{true, false} {
		part := func(v weft.TensorView) (weft.TensorView, error) {
			d := v.Layout.Rank() - 2
			if cut.Columns {
				d++
			}
			from, to := 0, cut.At
			if second {
				from, to = cut.At, v.Layout.Size(d)
			}
			var err error
			v.Layout, err = v.Layout.Slice(d, from, to, 1)
			return v, err
		}
		parts := [2][]weft.TensorView{slices.Clone(factors), slices.Clone(views)}
		for i, list := range parts {
			for j, v := range list {
				if i == 0 && cut.Columns == (j == 0) { // an operand that both need
					continue
				}
				var err error
				if list[j], err = part(v); err != nil {
					return err
				}
			}
		}
		if err := start(parts[0], parts[1]); err != nil {
			return err
		}
	}
	return nil
}
