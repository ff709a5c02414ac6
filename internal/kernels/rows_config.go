package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// RowSizes are what is chosen for ops that move rows from place to place, such as Embedding.
type RowSizes struct {
	Rows    int // of one program, a power of two
	Cols    int // elements of a row in one tile, a power of two
	Threads int // of a workgroup; 0 lets the compiler choose
}

// rowSizesFor chooses the sizes for count rows of cols elements, of which so many are adjacent. A
// thread of a GPU has a vector of each of a few rows, whose loads are outstanding together: each
// waits for where its row is. Fewer rows are spread over the machine.
func rowSizesFor(caps target.Caps, elem weft.DType, count, adjacent, cols int) RowSizes {
	const each = 4 // vectors of a thread
	s := RowSizes{Rows: pow2.Ceil(max(adjacent, 1)), Cols: pow2.Ceil(max(cols, 1))}
	if caps.WholeTiles {
		s.Cols = min(s.Cols, 1<<14)
		s.Rows = min(s.Rows, max(1<<14/s.Cols, 1))
		return s
	}
	s.Threads = caps.FitThreads(128)
	vectors := loadBytes / max(elem.Size(), 1) * s.Threads // elements of a vector of each thread
	s.Cols = min(s.Cols, vectors)
	s.Rows = min(s.Rows, each*vectors/s.Cols)
	for room := caps.Facts().Room(s.Threads); s.Rows > max(vectors/s.Cols, 1) && s.programs(count, cols) < room; {
		s.Rows /= 2
	}
	return s
}

// programs is how many programs count rows take.
func (s RowSizes) programs(count, cols int) int {
	return CeilDiv(count, s.Rows) * CeilDiv(cols, s.Cols)
}

// around lists sizes near those chosen, which come first.
func (s RowSizes) around() []RowSizes {
	list := []RowSizes{s}
	for c := range combinations([]int{s.Threads / 2, s.Threads, 2 * s.Threads}, []int{s.Cols / 2, s.Cols, 2 * s.Cols}, []int{s.Rows / 4, s.Rows / 2, s.Rows, 2 * s.Rows, 4 * s.Rows}) {
		list = appendNew(list, RowSizes{Rows: c[2], Cols: c[1], Threads: c[0]})
	}
	return list
}

// legal says why sizes are refused.
func (s RowSizes) legal(caps target.Caps) error {
	if err := checkTile(caps, s.Threads, s.Rows, s.Cols, s.Rows*s.Cols); err != nil {
		return err
	}
	return checkArea(caps, s.Rows*s.Cols, s.Threads)
}

// work is what so many programs along the rows do that each read and write their rows once, given
// one of the views.
func (s RowSizes) work(elem weft.DType, v tune.View, programs, cols int) tune.Work {
	across := CeilDiv(cols, s.Cols)
	area := s.Rows * s.Cols
	w := streamWork(v, elem, float64(programs*across*area), 2, programs*across, area, s.Cols, s.Threads)
	w.Chain = 2 // a row's number comes before the row
	return w
}
