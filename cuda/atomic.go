package cuda

import (
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

var atomics = [simt.NumRMW]string{
	simt.RMWAdd: "atomicAdd", simt.RMWMax: "atomicMax", simt.RMWMin: "atomicMin", simt.RMWAnd: "atomicAnd", simt.RMWOr: "atomicOr",
	simt.RMWXor: "atomicXor", simt.RMWExchange: "atomicExch", simt.RMWCompare: "atomicCAS",
}

// Atomic calls CUDA's function.
func (w *writer) Atomic(op *simt.Op, index, value, compare cstyle.Expr) cstyle.Expr {
	place := cstyle.Prefix("&", cstyle.Index(cstyle.Atom(w.buffers[op.Buffer]), index))
	if op.RMW == simt.RMWCompare {
		return cstyle.Call(atomics[op.RMW], place, compare, value)
	}
	return cstyle.Call(atomics[op.RMW], place, value)
}
