package ops

import (
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
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

// launchEven starts the kernels of a product whose columns, or those of its transpose, are matrices of a batch: of views of the operands, the left one first, and of the tensors of the steps and the
// result. Results of parts that overlap go to a workspace first, so that no two programs write an element.
func (o *productOptions) launchEven(views []weft.TensorView, cut kernels.Cut) error {
	whole := views
	if cut.Transposed {
		views = swapped(views)
	}
	result := views[len(views)-1]
	width, step := cut.Part(result.Layout.Size(1))
	if width != step && o.beta != 0 { // what was there before would have to come to the workspace, too
		return o.startPlain(whole[:2], whole[2:])
	}
	parts, err := evenParts(views, cut.Even, width, step)
	if err != nil {
		return err
	}
	if width == step {
		return o.startPlain(parts[:2], parts[2:])
	}
	// Columns are contiguous there, whatever they are in the result: tensor maps store rows of any number then.
	space, err := weft.Empty(result.Tensor.Device(), o.result, cut.Even, width, result.Layout.Size(0))
	if err != nil {
		return err
	}
	defer space.Close()
	stored := weft.TensorView{Tensor: space, Layout: space.Layout().Transpose()}
	list := append(slices.Clone(parts[:len(parts)-1]), stored)
	if err := o.startPlain(list[:2], list[2:]); err != nil {
		return err
	}
	to := parts[len(parts)-1]
	if err := copyParts(to, stored, [2]int{0, cut.Even - 1}, step); err != nil {
		return err
	}
	return copyParts(to, stored, [2]int{cut.Even - 1, cut.Even}, width)
}

// evenParts are views of so many matrices, whose columns are some of the views' and begin some after those of the one before. All have the left operand.
func evenParts(views []weft.TensorView, count, width, step int) ([]weft.TensorView, error) {
	list := slices.Clone(views)
	for i, v := range views {
		shape, strides := append([]int{count}, v.Layout.Shape()...), append([]int{0}, v.Layout.Strides()...)
		if i > 0 {
			shape[2], strides[0] = width, step*strides[2]
		}
		var err error
		if list[i].Layout, err = layout.Strided(shape, strides, v.Layout.Offset()); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// copyParts copies the first columns of some matrices of a view of several.
func copyParts(to, from weft.TensorView, which [2]int, columns int) error {
	var parts [2]*weft.Tensor
	for i, v := range []weft.TensorView{to, from} {
		l, err := v.Layout.Slice(0, which[0], which[1], 1)
		if err == nil {
			l, err = l.Slice(2, 0, columns, 1)
		}
		if err != nil {
			return err
		}
		if parts[i], err = v.Tensor.AsStrided(l); err != nil {
			return err
		}
		defer parts[i].Close()
	}
	return parts[0].CopyFrom(parts[1])
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
