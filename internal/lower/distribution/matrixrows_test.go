package distribution

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/layout"
)

// RowsOfWords says yes of the distributions alone in which, of each group of 32 threads and each word of two registers, thread 4·r+w holds word w of four that are neighbours along one dimension,
// begin at a multiple of 8 there, and are in one place along the other, a place for each r. It is checked thread by thread.
func TestRowsOfWords(t *testing.T) {
	rng, yes, no := rand.New(rand.NewPCG(8, 8)), 0, 0
	for range 4000 {
		along := rng.IntN(2)
		unit := func(d, at int) []int {
			basis := []int{0, 0}
			basis[d] = at
			return basis
		}
		bits := [][]int{unit(along, 1), unit(along, 2), unit(along, 4), unit(along, 8), unit(along, 16), unit(1-along, 1), unit(1-along, 2), unit(1-along, 4)}
		if rng.IntN(2) == 0 { // another order of all but the words
			rng.Shuffle(5, func(i, j int) { bits[3+i], bits[3+j] = bits[3+j], bits[3+i] })
		}
		if rng.IntN(4) == 0 {
			i, j := rng.IntN(len(bits)), rng.IntN(len(bits))
			bits[i], bits[j] = bits[j], bits[i]
		}
		shape := []int{8, 8}
		shape[along] = 32
		register := [][]int{bits[0], bits[3], bits[4]}
		thread := append([][]int{bits[1], bits[2]}, bits[5:]...)
		if rng.IntN(8) == 0 { // one row, which all groups of four threads hold
			shape[1-along] = 1
			register, thread = [][]int{unit(along, 1), unit(along, 8), unit(along, 16)}, [][]int{unit(along, 2), unit(along, 4), {0, 0}, {0, 0}, {0, 0}}
		}
		l := MustLinear(shape, register, thread)
		got, ok := RowsOfWords(l)
		if want := rowsOfWords(l, along); ok != want || ok && got != along {
			t.Fatalf("%v: along %d, %v; want %d, %v", l, got, ok, along, want)
		}
		if ok {
			yes++
		} else {
			no++
		}
	}
	if yes < 100 || no < 100 {
		t.Errorf("%d are rows of words, %d are not", yes, no)
	}
}

// rowsOfWords is what RowsOfWords says, by definition.
func rowsOfWords(l layout.Linear, along int) bool {
	for word := 0; word < l.Size(layout.Register); word += 2 {
		places := map[int]bool{}
		for r := range 8 {
			first := l.At(word, 4*r)
			if first[along]%8 != 0 {
				return false
			}
			for e := range 8 {
				at := l.At(word+e%2, 4*r+e/2)
				if at[along] != first[along]+e || at[1-along] != first[1-along] {
					return false
				}
			}
			places[first[0]<<16|first[1]] = true
		}
		if one := l.Shape()[1-along] == 1; len(places) != 8 && !one {
			return false
		}
	}
	return true
}
