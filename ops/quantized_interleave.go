package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
)

// orderedRows is a copy of the rows that quantised weights are multiplied with, as a config has them, which is the caller's to close; nil if it has them as they are. They are in another
// order of K, or, where a producer would not copy them well, without gaps.
func orderedRows(a weft.TensorView, cfg MatMulConfig) (*weft.Tensor, error) {
	block := cfg.OrderBefore()
	plain := block == 0 && cfg.Weights.Interleaved > 0 && cfg.Producers > 0 && !kernels.RowsFit(cfg.Elem, viewOf(a.Layout))
	if block == 0 && !plain {
		return nil, nil
	}
	dev, k := a.Tensor.Device(), a.Layout.Size(1)
	rows, err := weft.Empty(dev, cfg.Elem, a.Layout.Shape()...)
	if err != nil {
		return nil, err
	}
	if plain {
		err = copyView(rows, a)
	} else {
		err = kernels.Interleave.LaunchViews(kernels.InterleaveConfigFor(dev.Caps(), cfg.Elem, block, cfg.Weights, k), nil, a, view(rows))
	}
	if err != nil {
		rows.Close()
		return nil, err
	}
	return rows, nil
}

// copyView copies a view to a tensor.
func copyView(to *weft.Tensor, from weft.TensorView) error {
	t, err := from.Tensor.AsStrided(from.Layout)
	if err != nil {
		return err
	}
	defer t.Close()
	return to.CopyFrom(t)
}
