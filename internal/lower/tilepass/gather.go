package tilepass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/tile"
)

// findRuns marks gathers and scatters whose points come in groups that one access may cover:
// neighbours along an axis of the tile that are neighbours in memory, start at a multiple of
// their number, and are inside or outside together. It then drops promises of contiguous tiles,
// of which nothing else makes use.
func findRuns(k *Kernel) {
	defer dropPromises(k.Func.Body)
	points := func(op *tile.Op) bool {
		return (op.Kind == tile.OpGather || op.Kind == tile.OpScatter) && !op.Args[0].Type().IsScalar()
	}
	if !has(k.Func.Body, points) {
		return
	}
	axes := axis.Analyse(k.Func, k.Facts)
	for op, facts := range axes.Args {
		if !points(op) {
			continue
		}
		values, _, _ := op.Points()
		view := k.Facts.Views[op.View.Index]
		unit := slices.IndexFunc(view.Dims, func(f axis.DimFacts) bool { return f.Kind == axis.UnitStride })
		if unit < 0 {
			k.explain(op, "no dimension has stride 1")
			continue
		}
		why := ""
		for axis := range op.Args[0].Type().Shape {
			if n, reason := runAlong(view, facts[len(values):], axis, unit); n > op.Run {
				op.Run, op.Axis, why = n, axis, reason
			}
		}
		k.explain(op, why)
	}
}

// runAlong is how many elements along the axis along one access moves where the view has stride 1 along
// dimension unit, and what limits it. Of the indices, and then the mask if there is one, facts are known.
func runAlong(view axis.ViewFacts, facts []axis.Value, along, unit int) (n int, reason string) {
	f := facts[unit].Axes[along]
	n = facts[unit].Aligned(along, axis.StrideLimit)
	reason = fmt.Sprintf("indices contiguous by %d and divisible by %d along axis %d", f.Contiguity, f.Divisibility, along)
	limit := func(divisor int, format string, args ...any) {
		if divisor < n {
			n, reason = divisor, fmt.Sprintf(format, args...)
		}
	}
	limit(view.Offset, "offset known to be a multiple of %d", view.Offset)
	limit(view.Dims[unit].Size, "size of dimension %d known to be a multiple of %d", unit, view.Dims[unit].Size)
	for d, at := range view.Dims {
		if d == unit {
			continue
		}
		equal := facts[d].Axes[along].Constancy
		limit(equal, "indices of dimension %d equal by %d along axis %d", d, equal, along)
		if at.Kind != axis.ZeroStride {
			limit(at.Stride, "stride of dimension %d known to be a multiple of %d", d, at.Stride)
		}
	}
	if len(facts) > len(view.Dims) {
		equal := facts[len(view.Dims)].Axes[along].Constancy
		limit(equal, "mask equal by %d along axis %d", equal, along)
	}
	return n, reason
}

// dropPromises drops the promises of contiguous tiles.
func dropPromises(r *tile.Region) {
	promise := func(op *tile.Op) bool { return op != nil && op.Kind == tile.OpContiguous }
	for _, op := range r.Ops {
		for i := range op.Args {
			for promise(op.Args[i].Op()) {
				op.Args[i] = op.Args[i].Op().Args[0]
			}
		}
		for _, body := range op.Regions() {
			dropPromises(body)
		}
	}
	r.Ops = slices.DeleteFunc(r.Ops, promise)
}
