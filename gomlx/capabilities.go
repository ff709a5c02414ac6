package gomlx

import (
	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"

	"github.com/weftgpu/weft"
)

// built lists ops that the builder makes of others.
var built = []backends.OpType{backends.OpTypeParameter, backends.OpTypeClamp, backends.OpTypeDot, backends.OpTypeBatchNormForInference}

// capabilities lists the ops, which are the same everywhere, and the element types that a device has.
func capabilities(dev *weft.Device) backends.Capabilities {
	c := backends.Capabilities{Operations: map[backends.OpType]bool{}, DTypes: map[dtypes.DType]bool{}}
	for op := range lowerings {
		c.Operations[op] = true
	}
	for op := range elementwise {
		c.Operations[op] = true
	}
	for _, op := range built {
		c.Operations[op] = true
	}
	for op := range backends.OpTypeLast {
		if isView(op) {
			c.Operations[op] = true
		}
	}
	for _, t := range elementTypes {
		if t.fits(dev) {
			c.DTypes[t.dtype] = true
		}
	}
	return c
}
