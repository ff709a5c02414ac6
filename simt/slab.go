package simt

// slab allocates many objects at a time.
type slab[T any] struct {
	part []T
	used int
}

func (s *slab[T]) take() *T {
	if s.used == len(s.part) {
		s.part, s.used = make([]T, min(max(8, 2*len(s.part)), 64)), 0
	}
	s.used++
	return &s.part[s.used-1]
}

// giveBack frees what was taken last.
func (s *slab[T]) giveBack() {
	s.used--
	clear(s.part[s.used : s.used+1])
}
