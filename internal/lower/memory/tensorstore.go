package memory

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// Blocks that a kernel with producers stores go through shared memory, in parts of one line of each row, and from there to their view by a tensor
// map: threads store there what they hold, in whatever distribution, and wait for no memory beyond. Two parts
// alternate, so that one is copied while the next is filled; each ping-pong consumer group has its own.

// TensorStore is a store by a tensor map.
type TensorStore struct {
	M     *simt.TensorMap
	Along int   // of the block's two dimensions that are longer than 1, the one along which swizzle rows are
	Shape []int // of these two; the first are the rows of both if there are three
	rows  int   // of the map's second dimension if its third one has rows, too; else 0
}

// Lines are those of a box.
func (t *TensorStore) Lines() int {
	if t.rows > 0 {
		return t.M.Box[1] * t.M.Box[2]
	}
	return t.M.Box[1]
}

// cut gives a box so many lines.
func (t *TensorStore) cut(lines int) {
	t.M.Box[1] = lines
	if t.rows > 0 {
		t.M.Box[1], t.M.Box[2] = min(lines, t.rows), max(lines/t.rows, 1)
	}
}

// At is where a box begins along the first dimensions of the map.
func (t *TensorStore) At(line, across int) []int {
	if t.rows > 0 {
		return []int{line, across % t.rows, across / t.rows}
	}
	return []int{line, across}
}

// TensorStoreOf is how a tensor map stores the block of an op, nil if none does, with the reason.
func (p *Accesses) TensorStoreOf(op *tile.Op) (*TensorStore, string) {
	if !p.Caps.TensorMaps || !p.Producers || op.Kind != tile.OpStore {
		return nil, ""
	}
	t, shape := &TensorStore{}, op.AccessType().Shape
	var dims []int
	for d, n := range shape {
		if n > 1 {
			dims, t.Shape = append(dims, d), append(t.Shape, n)
		}
	}
	reason := fmt.Sprintf("a block of %v is not a matrix", shape)
	if len(dims) == 3 {
		t.rows, t.Shape = t.Shape[1], []int{t.Shape[0] * t.Shape[1], t.Shape[2]}
	}
	switch {
	case len(dims) < 2 || len(dims) > 3:
	case !p.Unaliased[op]:
		reason = "the kernel accesses its buffer elsewhere, too, or stores one block again and again"
	default:
		t.Along, t.M, reason = TensorMapOf(p.Facts.Views[op.View.Index], op, dims)
	}
	if reason != "" {
		return nil, reason
	}
	return t, ""
}

// Arrange decides where the elements of a distribution are in the boxes of a block, in how many parts it goes, how many of them are filled together
// and how many copies of those are in shared memory: one part and twice, unless the threads fill several at a time. If those are all, boxes have fewer lines, so that
// all threads fill some lines of each.
func (t *TensorStore) Arrange(dist layout.Linear) (places layout.Linear, parts, each, slots int) {
	all := t.Lines()
	for _, lines := range []int{all, min(all, t.M.Box[0]), all} {
		t.cut(lines)
		size := t.M.Box[0] * lines
		places = distribution.Offsets(t.boxRows(), dist)
		parts, each = t.Shape[0]*t.Shape[1]/size, 1
		for _, basis := range distribution.ThreadBases(places, 0) {
			for each < parts && basis >= each*size {
				each *= 2
			}
		}
		if each == 1 || each < parts {
			break
		}
	}
	return places, parts, each, min(parts/each, 2)
}

// ArrangeApart is Arrange for boxes that one warpgroup fills each: those with the same columns are next to each other. ok is false where
// the warpgroups do not have the rows of the block one after the other.
func (t *TensorStore) ArrangeApart(dist layout.Linear, warpgroups int) (places layout.Linear, boxes int, ok bool) {
	across := 1 - t.Along
	lines := t.Shape[across] / warpgroups
	if warpgroups < 2 || t.Lines() != t.Shape[across] || lines*simt.LineBytes < simt.LineAlignment {
		return places, 0, false
	}
	size := t.M.Box[0] * lines
	places = distribution.Offsets(t.boxesApart(lines, warpgroups), dist)
	threads := distribution.ThreadBases(places, 0)
	if 1<<len(threads) != warpgroups*simt.WarpgroupMMA.Threads {
		return places, 0, false
	}
	for bit, basis := range threads {
		warpgroup := 1 << bit / simt.WarpgroupMMA.Threads
		if warpgroup == 0 && basis >= size || warpgroup > 0 && basis != warpgroup*size {
			return places, 0, false
		}
	}
	t.cut(lines)
	return places, t.Shape[t.Along] / t.M.Box[0] * warpgroups, true
}

// boxesApart is where the elements of a block are in boxes of so many lines, those with the same columns next to each other.
func (t *TensorStore) boxesApart(lines, warpgroups int) layout.Linear {
	width := t.M.Box[0]
	box := slices.Clone(t.Shape)
	box[t.Along], box[1-t.Along] = width, lines
	rows := distribution.Swizzled128(box, t.Along, simt.LineBytes/width)
	var bases [2][][]int
	for d := range 2 {
		beyond := width * lines // from one box to the next along the dimension
		if d == t.Along {
			beyond *= warpgroups
		}
		for x := 1; x < t.Shape[d]; x *= 2 {
			at := []int{0, 0}
			at[d] = x % box[d]
			bases[d] = append(bases[d], []int{rows.Eval(at...)[0] + x/box[d]*beyond})
		}
	}
	return distribution.MatrixOffsets(t.Shape, bases)
}

// boxRows is where the elements of a block are box by box: those of its first lines before all others.
func (t *TensorStore) boxRows() layout.Linear {
	line, lines := t.M.Box[0], t.Lines()
	box := slices.Clone(t.Shape)
	box[1-t.Along] = lines
	rows := distribution.Swizzled128(box, t.Along, simt.LineBytes/line)
	var bases [2][][]int
	for d := range 2 {
		for x := 1; x < t.Shape[d]; x *= 2 {
			at := []int{0, 0}
			at[d] = x % box[d]
			bases[d] = append(bases[d], []int{rows.Eval(at...)[0] + x/box[d]*box[0]*box[1]})
		}
	}
	return distribution.MatrixOffsets(t.Shape, bases)
}
