package kernels

import (
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// wholeRow is the tiles of a whole row, which a program keeps in registers: one of cols elements, and one of rest elements after it unless rest
// is 0. The first of two is full, and needs no masks. Elements beyond a row's end cost as much as others, so that a row a little longer than a power
// of two would take nearly twice the time in one tile.
type wholeRow struct{ cols, rest int }

// rowTile is one of them, of cols elements from at times as many on.
type rowTile struct{ at, cols int }

func (t wholeRow) each() []rowTile {
	list := []rowTile{{0, t.cols}}
	if t.rest > 0 {
		list = append(list, rowTile{t.cols / t.rest, t.rest})
	}
	return list
}

// splitRow lists tiles for a row, the fewest elements first: at last one tile.
func splitRow(caps target.Caps, length int) (list []wholeRow) {
	cols := pow2.Ceil(length)
	for _, rest := range []int{cols / 8, cols / 4} {
		if rest >= max(caps.SubgroupSize, 32) && length <= cols/2+rest {
			list = append(list, wholeRow{cols / 2, rest})
		}
	}
	return append(list, wholeRow{cols, 0})
}

// fills reports whether the second tile has a vector for each thread. Otherwise the tiles would be distributed over threads in different ways, and the
// first would have to be in smaller vectors.
func (t wholeRow) fills(threads, vector int) bool { return t.rest == 0 || t.rest >= threads*vector }

// rowVector is how many elements of rows one access of 16 bytes loads, as far as they are aligned.
func rowVector(elem weft.DType, rows tune.View) int {
	if !rows.Unit {
		return 1
	}
	return max(min(16/max(elem.Size(), 1), int(rows.Align)), 1)
}

// wholeRowThreads are those of a workgroup that keeps rows of cols elements in registers: 16 a thread and more, so that what a warp does once
// for its part of a row is little of the whole, and at most 32.
func wholeRowThreads(caps target.Caps, cols int) int {
	if caps.WholeTiles {
		return 0
	}
	return caps.FitThreads(max(min(pow2.Floor(max(cols/16, 64)), 256), pow2.Ceil(cols/32)))
}

// sumOfTwo is the sum of two tiles along an axis.
func sumOfTwo(tiles []*tile.Value, axis int) *tile.Value {
	return overTwo(tiles, axis, (*tile.Value).Sum, (*tile.Value).Add)
}

// overTwo reduces two tiles along an axis to one value. The first one is folded to the size of the second, so that threads meet once.
func overTwo(tiles []*tile.Value, axis int, reduce func(v *tile.Value, axis int) *tile.Value, join func(v *tile.Value, x tile.Operand) *tile.Value) *tile.Value {
	shape := tiles[1].Type().Shape
	folds := tiles[0].Reshape(slices.Insert(slices.Clone(shape), axis, tiles[0].Type().Shape[axis]/shape[axis])...)
	return reduce(join(reduce(folds, axis).Reshape(shape...), tiles[1]), axis)
}

// partsTile is the size of a tile with all of so many parts of a row, of which there may be as many as given: one size for all that are few, so that
// one kernel combines them.
func partsTile(parts, most int) int { return max(pow2.Ceil(parts), min(64, pow2.Floor(most))) }

// runsBack is in how many runs the tiles of a row are walked again.
const runsBack = 2

// lastFirst are the tiles of a row that the program has just walked: in two runs, the last one first, since it is what caches still have if the
// rows that are walked at a time are more than they hold. Within a run they are in order, so that loops have edges at one end alone. (On an H100:
// softmax of 621 rows of 78071 of F32 255 µs in one run, 234 in two; eight were slower.)
func lastFirst(k *tile.Builder, from, to tile.Operand) iter.Seq[*tile.Value] {
	return func(yield func(*tile.Value) bool) {
		end := to.(*tile.Value)
		run := k.CDiv(end.Sub(from), runsBack)
		for i := range k.Range(runsBack) {
			start := run.Mul(i.Neg().Add(runsBack - 1)).Add(from)
			k.Assume(start.Ge(0))
			for j := range k.RangeStep(start, start.Add(run).Minimum(end), 1) {
				if !yield(j) {
					return
				}
			}
		}
	}
}
