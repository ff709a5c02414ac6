package distribution

import (
	"slices"

	"github.com/weftgpu/weft/layout"
)

// MatrixRow is how many elements of 16 bits of a row of a matrix the instructions read that spread matrices over the threads of a subgroup.
const MatrixRow = AccessBytes / 2

// RowsOfWords reports whether threads of a distribution of a matrix hold words of two elements of rows along a dimension as those instructions give them: two neighbours in the first register bit, four
// words of a row in neighbouring threads, and rows of their own in the next eight groups of those, or the only row in each.
func RowsOfWords(to layout.Linear) (along int, ok bool) {
	if to.Rank() != 2 || to.Bits(layout.Thread) < 5 || to.Bits(layout.Register) == 0 || to.FreeBits(layout.Register) != 0 {
		return 0, false
	}
	register, thread := basesOf(to, layout.Register), basesOf(to, layout.Thread)
	if along = 0; register[0][1] == 1 {
		along = 1
	}
	words := [][]int{register[0], thread[0], thread[1]}
	for i, want := range Units(along, 1, MatrixRow) {
		if !slices.Equal(words[i], want) {
			return 0, false
		}
	}
	for _, basis := range slices.Concat(register[1:], thread[2:]) {
		if basis[along]%MatrixRow != 0 {
			return 0, false
		}
	}
	zero := func(basis []int) bool { return basis[0] == 0 && basis[1] == 0 }
	return along, to.Shape()[1-along] == 1 || !slices.ContainsFunc(thread[2:5], zero)
}
