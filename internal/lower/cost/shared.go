package cost

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
)

// TileBytes is the shared memory that a tile takes whose elements have a type there.
func TileBytes(l layout.Linear, elem dtype.Type) int { return l.Len() * elem.Size() }
