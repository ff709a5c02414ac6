package kernels

import (
	"github.com/weftgpu/weft"
)

func Numeric(t weft.DType) bool { return t.IsFloat() || t.IsInt() }
