package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
)

// interleaved is a copy of the rows that quantised weights are multiplied with, in the order that a config has them in, which is the caller's to close.
func interleaved(a weft.TensorView, cfg MatMulConfig) (*weft.Tensor, error) {
	dev, k := a.Tensor.Device(), a.Layout.Size(1)
	rows, err := weft.Empty(dev, cfg.Elem, a.Layout.Shape()...)
	if err != nil {
		return nil, err
	}
	copying := kernels.InterleaveConfigFor(dev.Caps(), cfg.Elem, cfg.Interleave, cfg.Weights, k)
	if err := kernels.Interleave.LaunchViews(copying, nil, a, view(rows)); err != nil {
		rows.Close()
		return nil, err
	}
	return rows, nil
}
