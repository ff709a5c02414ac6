package ops

import (
	"slices"

	"github.com/weftgpu/weft/layout"
)

// mergedRows brings x and out, which are not empty, into the fewest dimensions: those adjacent to the
// rows ordered by out's strides and merged where they are one run in both, and the rows as the last
// dimension, or before the last where that runs with smaller strides.
func mergedRows(op string, axis int, x, out layout.Layout) (rows [2]layout.Layout, columns bool, err error) {
	both := []layout.Layout{x, out}
	kept := make([]layout.Layout, len(both))
	for i, l := range both {
		kept[i], _ = l.Select(axis, 0)
	}
	order := memoryOrder(kept[1])
	for i := range kept {
		kept[i], _ = kept[i].Permute(order...)
	}
	kept = layout.CoalesceTogether(kept...)
	at := kept[1].Rank()
	if err := checkMerged(op, x.Shape(), at+1); err != nil {
		return rows, false, err
	}
	size := func(stride int) int { return max(stride, -stride) }
	if columns = kept[1].Size(at-1) > 1 && size(kept[1].Stride(at-1)) < size(out.Stride(axis)); columns {
		at--
	}
	for i, l := range both {
		shape := slices.Insert(kept[i].Shape(), at, l.Size(axis))
		strides := slices.Insert(kept[i].Strides(), at, l.Stride(axis))
		if rows[i], err = layout.Strided(shape, strides, l.Offset()); err != nil {
			return rows, columns, err
		}
	}
	return rows, columns, nil
}
