package lowertest

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// CostCheck compares what accesses to shared memory say they cost with the wavefronts of
// the addresses that they reach.
type CostCheck struct {
	seen map[*simt.Op]int
	Err  error
}

// See counts an execution of an op, whose threads access these addresses.
func (c *CostCheck) See(op *simt.Op, at []int) {
	if (op.Kind == simt.SharedLoad || op.Kind == simt.SharedStore || op.Kind == simt.SharedAtomic || op.Kind == simt.SharedRank) && op.Cost == 0 { // not known: by addresses that depend on where the view is, or on data
		return
	}
	if c.seen == nil {
		c.seen = map[*simt.Op]int{}
	}
	c.seen[op]++
	if n := c.seen[op]; n&(n-1) != 0 || c.Err != nil { // executions 1, 2, 4, ..: iterations of loops differ little
		return
	}
	if got := countWavefronts(op, at); got != op.Cost {
		c.Err = fmt.Errorf("%v of %s at %s costs %d wavefronts, said to cost %d", op.Kind, op.Shared.Name, op.Line, got, op.Cost)
	}
}

// countWavefronts counts by addresses, warp by warp.
func countWavefronts(op *simt.Op, at []int) (n int) {
	value := op.Result()
	if value == nil {
		value = op.Args[1]
	}
	switch op.Kind {
	case simt.MatrixPlace: // which accesses nothing by itself
		return 0
	case simt.CooperativeLoad, simt.CooperativeStore: // of which only the device knows which thread reads what
		return op.Cost
	}
	bytes := value.Type.Width * op.Shared.Elem.Size()
	switch {
	case op.Kind == simt.LoadMatrix || op.Kind == simt.StoreMatrix:
		bytes = 16
	case op.Kind == simt.CopyAsync:
		bytes = op.Count * op.Shared.Elem.Size()
	case op.Packed:
		bytes = 4 * value.Type.Width
	}
	pieces := max(1, bytes/16)
	for threads := range slices.Chunk(at, 32) {
		addresses := make([]int, len(threads))
		for i, x := range threads {
			addresses[i] = -1
			if x >= 0 {
				addresses[i] = x * op.Shared.Elem.Size()
			}
		}
		w, err := layout.Wavefronts(addresses, bytes/pieces)
		if err != nil {
			panic(err)
		}
		n += pieces * w
	}
	return n
}
