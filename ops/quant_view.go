package ops

import (
	"github.com/weftgpu/weft/internal/kernels"
)

// view is how kernels see a matrix. Blocks that are a whole dimension are 0, whatever its size.
func (q *Quantized) view() kernels.QuantView {
	v := kernels.QuantView{QuantScheme: q.QuantScheme, Packed: q.Packed, Scale: q.Scales.DType(), Interleaved: q.Interleaved}
	for d, n := range q.ScalesShape(q.Shape) {
		if n <= 1 {
			v.Block[d] = 0
		}
	}
	if q.Bits == 8 && q.Interleaved == 0 {
		v.Packed = 0
	}
	return v
}
