package compile

import (
	"slices"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/tile"
)

// Launched is a launch with all that was known when it was made.
type Launched struct {
	Kernel   *tile.Func
	Facts    Facts
	Artifact *Artifact
	Args     []Arg
	Scalars  []uint32
	Programs [3]int // the grid that the kernel declares, of which the device may see another form
}

// Watcher is a device that is told about each launch right before it, for example one that shows what would be launched,
// and launches nothing.
type Watcher interface {
	Watch(Launched)
}

// watched is what a Prepared tells a watcher, but for the buffers and the scalars.
type watched struct {
	by Watcher
	Launched
}

func (w watched) tell(args []backend.Buffer, scalars []uint32) {
	l := w.Launched
	l.Args, l.Scalars = slices.Clone(l.Args), scalars
	for i, b := range args {
		l.Args[i].Buffer = b
	}
	w.by.Watch(l)
}
