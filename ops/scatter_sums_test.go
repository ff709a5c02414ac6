package ops

import (
	"math/rand"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// Windows at different places have different digits, and none has those of -1, which stands for no place.
func TestDigitsOfPlaces(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 2000 {
		s, unit := sortedUpdates{}, 1<<random.Intn(6)
		s.c.X = random.Intn(40)
		first, last, places := s.c.X, s.c.X, []int{s.c.X}
		extend := func(size, stride int) {
			var next []int
			for i := range size {
				for _, at := range places {
					next = append(next, at+i*stride)
					first, last = min(first, at+i*stride), max(last, at+i*stride)
				}
			}
			places = next
		}
		for range random.Intn(3) {
			row := kernels.IndexedDim{Size: 1 + random.Intn(4), X: unit * random.Intn(9)}
			s.c.Rows = append(s.c.Rows, row)
			extend(row.Size, row.X)
		}
		for range 1 + random.Intn(2) {
			coord := kernels.IndexedCoord{X: unit * (random.Intn(9) - 4), Most: random.Intn(9)}
			s.c.Coords = append(s.c.Coords, coord)
			extend(coord.Most+1, coord.X)
		}
		for i := range places { // memory starts with the first of them
			places[i] -= first
		}
		s.c.X -= first
		n := last - first + 1 + random.Intn(3)
		line, err := layout.Contiguous(n)
		if err != nil {
			t.Fatal(err)
		}
		s.x = weft.TensorView{Layout: line}
		low, count := s.digits()
		if low < 0 || count < 1 || low+count > 32 {
			t.Fatalf("%d digits from %d on", count, low)
		}
		all, of := uint32(1)<<count-1, map[uint32]int{}
		for _, at := range places {
			digits := uint32(at) >> low & all
			if other, ok := of[digits]; digits == all || ok && other != at {
				t.Fatalf("%+v of %d elements: place %d has digits %x of %x, as %d has", s.c, n, at, digits, all, other)
			}
			of[digits] = at
		}
	}
}
