package memory

import (
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Accesses is what the accesses of a kernel to memory are planned by.
type Accesses struct {
	Caps        target.Caps
	Facts       axis.Facts
	Threads     int
	Producers   bool              // threads beside those copy blocks
	Unaliased   map[*tile.Op]bool // stores that tensor maps may do, see unaliasedStores
	Written     map[int]bool      // buffers that the kernel writes
	AvoidShared bool              // shared memory is short: what goes through it without need is avoided
}

// New plans those of a kernel.
func New(k *tile.Func, facts axis.Facts, caps target.Caps, threads int) *Accesses {
	return &Accesses{Caps: caps, Facts: facts, Threads: threads, Producers: k.Schedule.Producers > 0,
		Unaliased: unaliasedStores(k, facts), Written: writtenBuffers(k, facts)}
}
