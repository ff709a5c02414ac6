package simt

import "slices"

// LineAlignment is the alignment of shared arrays that are in lines of 128 bytes with an XOR swizzle, by bits of the address (PTX ISA,
// "Shared Memory Matrix Layout"), and SharedAlignment that of the others in memory that a launch gives a kernel.
const (
	LineAlignment   = 1024
	SharedAlignment = 128
)

// InLines are the shared arrays that are in such lines.
func (k *Func) InLines() map[*Shared]bool {
	lines := map[*Shared]bool{}
	Walk(k.Body, func(op *Op) {
		if op.Kind == MatrixPlace || op.Kind == TensorCopy || op.Kind == TensorStore {
			lines[op.Shared] = true
		}
	})
	return lines
}

// PlaceShared is where the shared arrays of a kernel begin in memory that a launch gives it, and the size of that: circular buffers of stages first, over
// them the arrays that are used after them, then the others, of each those in lines first, so that no room is lost between them.
func (k *Func) PlaceShared() (at map[*Shared]int, bytes int) {
	at = map[*Shared]int{}
	lines := k.InLines()
	place := func(from int, which func(s *Shared) bool) int {
		arrays := slices.DeleteFunc(slices.Clone(k.Shared), func(s *Shared) bool { return !which(s) })
		slices.SortStableFunc(arrays, func(a, b *Shared) int {
			switch {
			case lines[a] == lines[b]:
				return 0
			case lines[a]:
				return -1
			}
			return 1
		})
		for _, s := range arrays {
			align := SharedAlignment
			if lines[s] {
				align = LineAlignment
			}
			from = (from + align - 1) / align * align
			at[s] = from
			from += s.Bytes()
		}
		return from
	}
	staged := place(0, func(s *Shared) bool { return s.Stages > 0 })
	late := place(0, func(s *Shared) bool { return s.Late })
	return at, place(max(staged, late), func(s *Shared) bool { return s.Stages == 0 && !s.Late })
}

// SharedBytes is the shared memory of one workgroup, with what aligning arrays to lines takes.
func (k *Func) SharedBytes() int {
	if len(k.InLines()) > 0 {
		_, bytes := k.PlaceShared()
		return bytes
	}
	rest, staged, late := 0, 0, 0
	for _, s := range k.Shared {
		switch {
		case s.Stages > 0:
			staged += s.Bytes()
		case s.Late:
			late += s.Bytes()
		default:
			rest += s.Bytes()
		}
	}
	return rest + max(staged, late)
}
