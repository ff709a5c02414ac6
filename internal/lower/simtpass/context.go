package simtpass

import (
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Context is a kernel on its way through the passes, and what they go by.
type Context struct {
	Kernel *simt.Func
	Caps   target.Caps

	Stages    int  // iterations of loops in flight
	Consumers int  // groups of threads that are to share a loop over tiles
	Distinct  bool // its iterations store to places of their own and load nothing that is stored
	InFlight  int  // iterations whose products are on their way at once
	Padded    bool // operands have elements between rows, which go before arrays share places behind more barriers
	Dump      *pass.Dump

	// Words says which launch word each of the kernel's words is. The launch words are those
	// of tile.Func.Words, then the grid's three dimensions, then the width
	// of the folded grid.
	Words []int
	// Refused says why the kernel has to be lowered without tensor maps, "" if it has not to.
	Refused string
	// Notes are the choices made, one a line: the kernel's line, what was chosen and why.
	Notes []string
}

// DefaultStages is how many iterations of a loop are in flight where the kernel does not say.
const DefaultStages = 2
