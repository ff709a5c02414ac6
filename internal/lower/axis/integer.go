package axis

import (
	"math"

	"github.com/weftgpu/weft/tile"
)

// Integer is the one integer, or Bool, that all elements of a value are.
func Integer(v *tile.Value) (int64, bool) {
	op := v.Op()
	for op != nil && op.Kind == tile.OpSplat {
		op = op.Args[0].Op()
	}
	if op == nil || op.Kind != tile.OpConst || v.Type().Elem.IsFloat() || math.Abs(op.Number) >= 1<<62 {
		return 0, false
	}
	return int64(op.Number), true
}
