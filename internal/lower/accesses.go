package lower

import (
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Accesses is what the accesses of a kernel to memory are planned by.
type Accesses struct {
	caps      target.Caps
	facts     axis.Facts
	threads   int
	producers bool              // threads beside those copy blocks
	lone      map[*tile.Op]bool // stores that tensor maps may do, see loneStores
	written   map[int]bool      // buffers that the kernel writes
	thrifty   bool              // shared memory is short: what goes through it without need is avoided
}

// newAccesses plans those of a kernel.
func newAccesses(k *tile.Func, facts axis.Facts, caps target.Caps, threads int) *Accesses {
	return &Accesses{caps: caps, facts: facts, threads: threads, producers: k.Schedule.Producers > 0,
		lone: loneStores(k, facts), written: writtenBuffers(k, facts)}
}
