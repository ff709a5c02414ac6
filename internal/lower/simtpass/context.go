package simtpass

import (
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Context is a kernel that the passes change, and what they decide by.
type Context struct {
	Kernel *simt.Func
	Caps   target.Caps

	Stages    int  // pipeline stages of loops
	Ahead     bool // the schedule asks for stages: loops without products load ahead, too
	Consumers int  // ping-pong consumer groups of a loop over tiles
	Distinct  bool // the stores of different tiles have no aliases, and nothing loads what they store
	InFlight  int  // iterations with outstanding products
	Padded    bool // operands have padded rows, which are given up before arrays share memory at the cost of more barriers
	Dump      *pass.Dump

	// Words says which launch word each of the kernel's words is: those of tile.Func.Words, then
	// the three dimensions of the grid, then the width of the folded grid.
	Words []int
	// Refused says why the kernel has to be lowered without tensor maps, "" if it has not to.
	Refused string
	// TooLarge is set where there is too little shared memory for padded rows: the kernel has to be lowered without them.
	TooLarge bool
	// Notes are the choices made, one a line: the kernel's line, what was chosen and why.
	Notes []string
}
