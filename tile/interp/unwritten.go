package interp

import (
	"fmt"

	"github.com/weftgpu/weft/tile"
)

// unwritten reports the views that are only written, or added to by Accumulate, and hold elements which no program wrote. What
// clear wrote does not count: without a split of the reduction whatever was in memory remains there.
func (s *shadow) unwritten(l *Launch) error {
	for i, v := range l.program.Kernel.Views {
		if v.Access != tile.Out && !v.Cleared {
			continue
		}
		elements := s.elements[s.buffers[i]]
		var first []int
		count, total := 0, 0
		l.views[i].each(v.Rank, func(index []int, at int) {
			if total++; !elements[at].byProgram() {
				if count++; count == 1 {
					first = append(first, index...)
				}
			}
		})
		if count == 0 {
			continue
		}
		which := fmt.Sprintf("%d of the %d elements, the first at %v, are", count, total, first)
		if count == 1 {
			which = fmt.Sprintf("1 of the %d elements, at %v, is", total, first)
		}
		f := Finding{Problem: Unwritten, Pos: v.Pos, View: v.Name,
			Text: fmt.Sprintf("%s written by no program of grid %v; a view that keeps some elements is an InOut", which, l.grid)}
		if err := s.report(f); err != nil {
			return err
		}
	}
	return nil
}

// byProgram reports whether a program wrote the element.
func (h *history) byProgram() bool {
	return h != nil && (h.writers[0].program != 0 || h.atomic[0].program != 0)
}

// each visits the elements of a view in row-major order: their indices, which visit must not keep, and their places in the buffer.
func (w *view) each(rank int, visit func(index []int, at int)) {
	index := make([]int, rank)
	var walk func(d, at int)
	walk = func(d, at int) {
		if d == rank {
			visit(index, at)
			return
		}
		for index[d] = range w.size[d] {
			walk(d+1, at+index[d]*w.stride[d])
		}
	}
	walk(0, w.offset)
}
