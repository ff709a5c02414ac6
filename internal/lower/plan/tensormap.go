package plan

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

const (
	// MapBytes divides the offset of what a tensor map copies, and all its strides but the 1.
	MapBytes = 16
	// lineRows is how many swizzle rows repeat: the fewest of a block.
	lineRows = 8
)

// MapAligns reports whether a tensor map takes an offset or a stride that is a multiple of so many elements.
func MapAligns(elem dtype.Type, elements int) bool { return elements*elem.Size()%MapBytes == 0 }

// NoBox says why no tensor map copies blocks of so many rows of n elements each that are contiguous, "" if one does.
func NoBox(elem dtype.Type, n, rows int) (reason string) {
	switch {
	case n*elem.Size() < simt.LineBytes || rows < lineRows:
		return fmt.Sprintf("a block of %d rows of %d elements is smaller than %d rows of %d bytes", rows, n, lineRows, simt.LineBytes)
	case rows > simt.MaxBox:
		return fmt.Sprintf("the block has %d rows, a box has at most %d", rows, simt.MaxBox)
	}
	return ""
}
