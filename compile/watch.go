package compile

import "github.com/weftgpu/weft/tile"

// Launched is a launch with all that was known when it was made.
type Launched struct {
	Kernel   *tile.Kernel
	Facts    Facts
	Artifact *Artifact
	Args     []Arg
	Scalars  []uint32
	Programs [3]int // the grid that the kernel declares, of which the device may see another form
}

// Watcher is a device that is told of each launch right before it: one that shows what would be launched, say,
// and launches nothing.
type Watcher interface {
	Watch(Launched)
}
