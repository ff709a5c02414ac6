package lower

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/target"
)

// registerLanes is the most elements of one register vector: what WGSL's and CUDA's
// own vector types hold.
const registerLanes = 4

// maxVector is the most elements of a memory type that one access to a buffer covers.
func maxVector(elem dtype.Type, caps target.Caps) int {
	return registerLanes
}
