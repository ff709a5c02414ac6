package assign

import (
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// defaultThreads is the size of a workgroup where the kernel does not say and its tiles are not wide.
const defaultThreads = 256

// mostThreads is the most that a kernel gets without asking: what CUDA has, and most others.
const mostThreads = 1024

// Threads is the size of a kernel's workgroups: what its schedule says or, without, as many threads as leave each a bounded number
// of elements of the widest tile, up to the device's limit.
func Threads(k *tile.Func, caps target.Caps) int {
	if k.Schedule.Threads > 0 {
		return k.Schedule.Threads
	}
	threads, widest := caps.FitThreads(defaultThreads), widestTile(k.Body)
	for widest > threads*heldElements(caps) && threads < caps.FitThreads(mostThreads) {
		threads *= 2
	}
	return threads
}

// heldElements is how many elements of a tile a thread may hold without more threads being taken: half of the registers that it may have,
// so that a product's 128 × 256 sums remain with 256 threads. Where there are few registers, or the number is not known,
// it is 64: threads of software implementations cost, too.
func heldElements(caps target.Caps) int { return max(64, (caps.Registers+1)/2) }

// widestTile is the number of elements of the widest value in a region.
func widestTile(r *tile.Region) int {
	n, _ := Widest(r)
	return n
}

// Widest is the number of elements of the widest value in a region, and the op that makes it, nil for an argument.
func Widest(r *tile.Region) (widest int, by *tile.Op) {
	for _, v := range r.Args {
		widest = max(widest, v.Type().Len())
	}
	for _, op := range r.Ops {
		for _, v := range op.Out {
			if n := v.Type().Len(); n > widest {
				widest, by = n, op
			}
		}
		for _, body := range op.Regions() {
			if n, inner := Widest(body); n > widest {
				if widest, by = n, inner; by == nil {
					by = op
				}
			}
		}
	}
	return widest, by
}
