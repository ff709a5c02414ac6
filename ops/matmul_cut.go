package ops

import (
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// cutTune chooses whether a product is computed in two parts. Where a race found another config than the rule's for the whole product, that is taken.
var cutTune = &tune.Space[kernels.MatMulProblem, kernels.Cut]{
	Op: "matmul cut",
	List: func(caps target.Caps, p kernels.MatMulProblem) iter.Seq[kernels.Cut] {
		return slices.Values([]kernels.Cut{{}, p.Cut(caps)})
	},
	Legal: func(caps target.Caps, p kernels.MatMulProblem, c kernels.Cut) error { return p.LegalCut(caps, c) },
	Rule: func(caps target.Caps, p kernels.MatMulProblem) kernels.Cut {
		if raced, ok := matMulTune.Known(caps, p); ok && raced != p.Rule(caps) {
			return kernels.Cut{}
		}
		return p.Cut(caps)
	},
}

// launchCut starts the kernels of both parts of a product, the one that may need a workspace first.
func (o *productOptions) launchCut(dev *weft.Device, views []weft.TensorView, cut kernels.Cut) error {
	for _, second := range []bool{true, false} {
		part := slices.Clone(views)
		for i, v := range views {
			d := v.Layout.Rank() - 2
			if cut.Columns {
				d++
			}
			if cut.Columns && i == 0 || !cut.Columns && i == 1 { // an operand that both need
				continue
			}
			from, to := 0, cut.At
			if second {
				from, to = cut.At, v.Layout.Size(d)
			}
			l, err := v.Layout.Slice(d, from, to, 1)
			if err != nil {
				return err
			}
			part[i].Layout = l
		}
		if err := o.start(part[:2], part[2:], pick(matMulTune, dev, o.problem(part))); err != nil {
			return err
		}
	}
	return nil
}
