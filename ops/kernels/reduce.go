package kernels

import (
	"github.com/weftgpu/weft"
)

func (op ReduceOp) Takes(elem weft.DType) bool {
	if op == ReduceMean || op == ReduceVar {
		return elem.IsFloat()
	}
	return Numeric(elem)
}
