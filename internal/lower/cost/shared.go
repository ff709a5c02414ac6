package cost

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// TileBytes is the shared memory that a tile takes whose elements have a type there.
func TileBytes(l layout.Linear, elem dtype.Type) int { return l.Len() * elem.Size() }

// SharedElem is the type that registers of a type have in shared memory.
func SharedElem(e dtype.Type) dtype.Type {
	if e = simt.Register(e); e == dtype.Bool {
		return dtype.U32
	}
	return e
}

// ExchangeElem is the type that elements have in shared memory which change threads there.
func ExchangeElem(caps target.Caps, e dtype.Type) dtype.Type {
	if caps.Language != target.WGSL && simt.PerWord(e) > 0 {
		return e
	}
	return SharedElem(e)
}
