package backendtest

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
)

// testAt reads and writes single elements of every type, in views of memory whose other elements stay as they are.
func testAt(s *suite) {
	for _, elem := range dtype.All() {
		if !s.has(elem) {
			continue
		}
		x := s.random(elem, 5, 7)
		want := slices.Clone(x.x)
		memory := s.tensor(x)
		view := s.ok(memory.Slices(weft.All().By(-2), weft.From(1)))
		t := view.T() // [6,3]: element i, j is 4-2j, i+1 of the memory
		for range 8 {
			i, j := s.rng.IntN(6), s.rng.IntN(3)
			at := (4-2*j)*7 + i + 1
			value := float64(s.rng.IntN(2))
			s.try(t.SetAt(value, i-6, j))
			want[at] = value
			i, j = s.rng.IntN(6), s.rng.IntN(3)
			if got, in := must[float64](s)(t.At(i, j-3)), want[(4-2*j)*7+i+1]; got != in {
				s.Errorf("%v: element %d, %d is %v, want %v", elem, i, j, got, in)
			}
		}
		s.compare(memory, want, nil)
	}
}
