package elementwise

import (
	"cmp"
	"iter"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
)

// MaxRank is the largest rank of a kernel's view.
const MaxRank = 5

// Config is what the kernel of a map is built for.
type Config struct {
	Elem, Out dtype.Type   // the element type that inputs share, and that of the output
	Numbers   uint16       // bit i: input i is a number
	Rank      int          // dimensions after merging, 1 to 5
	Block     [MaxRank]int // elements of one program's tile in each dimension, the first Rank of them; see ConfigFor
	Threads   int          // of a workgroup; 0 lets the compiler choose
}

// Merge brings the layouts of an element-wise kernel, the output last, into the
// fewest dimensions: it walks them in the order of the output's memory and merges neighbours
// that are one run everywhere. So NCHW to NHWC becomes a batch of transpositions of matrices.
//
// The layouts have one shape. Without any there is nothing to merge.
func Merge(layouts []layout.Layout) []layout.Layout {
	if len(layouts) == 0 {
		return nil
	}
	out := output(layouts)
	order := make([]int, out.Rank())
	for d := range order {
		order[d] = d
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(magnitude(out.Stride(b)), magnitude(out.Stride(a)))
	})
	sorted := make([]layout.Layout, len(layouts))
	for i, l := range layouts {
		l, _ = l.Permute(order...)
		for d, from := range order {
			if n := out.Size(from); n > 1 && out.Stride(from) < 0 {
				l, _ = l.Slice(d, n-1, -1, -1)
			}
		}
		sorted[i] = l
	}
	return layout.CoalesceTogether(sorted...)
}

// output is the last layout, that of a scalar if there is none.
func output(layouts []layout.Layout) layout.Layout {
	if len(layouts) == 0 {
		return layout.Layout{}
	}
	return layouts[len(layouts)-1]
}

func magnitude(x int) int { return max(x, -x) }

// What a tile of a map on a GPU is made of. A tile that inputs and output cross holds
// several vectors a thread, since its runs are as long as it is wide: 64 x 64 elements of
// 16 or 32 bits are runs of 128 bytes and more on either side.
const (
	mapThreads   = 256
	vectorBytes  = 16       // of one access
	crossedTile  = 4096     // elements
	crossedBytes = 32 << 10 // of shared memory that the elements take at most when they move to other threads
)

// mapPrograms is how many programs small tensors are split into, to occupy a whole machine: the power of two next to how many it has room for.
func mapPrograms(caps target.Caps) int {
	room := caps.Facts().Room(mapThreads)
	return pow2.Ceil(room - room/4)
}

// ConfigFor chooses the config of a map for merged layouts, the output last: dimensions
// in the order of the output's memory, as few as can be.
//
// On a GPU there are two ways. Where inputs are contiguous along the output's last dimension, a
// tile is a piece of rows, one vector for each of 256 threads, and every element is read where it is
// written, by strides alone. Where an input is contiguous along another dimension, the tile
// spans both (see Crossing): the compiler then reads along the one and writes along the
// other, and elements change threads through shared memory, swizzled so that neither way has
// a conflict of banks. The CPU gets tiles that fill its second-level cache. Small tensors get
// smaller tiles, so that there is work for the whole machine. There are MaxRank dimensions at most; without layouts the config is that of a scalar.
func ConfigFor(caps target.Caps, elem, out dtype.Type, layouts ...layout.Layout) Config {
	l := output(layouts)
	cfg := Config{Elem: elem, Out: out, Rank: l.Rank()}
	across, share := Crossing(layouts), pow2.Floor(l.Len()/mapPrograms(caps))
	size := 0
	switch {
	case caps.WholeTiles:
		size = min(max(pow2.Floor(l.Len()/16), 1<<12), 1<<15)
	case across < 0 || caps.Registers == target.SoftwareRegisters:
		cfg.Threads = caps.FitThreads(mapThreads)
		size = min(max(share, cfg.Threads), cfg.Threads*vectorOf(elem, out))
	default:
		cfg.Threads = caps.FitThreads(mapThreads)
		size = min(max(share, 4*cfg.Threads), crossedTile*max(1, 2/max(elem.Size(), out.Size(), 1)))
		for size > cfg.Threads && size*plan.ExchangeElem(caps, elem).Size() > min(crossedBytes, cmp.Or(caps.SharedBytes, crossedBytes)) {
			size /= 2
		}
	}
	cfg.fill(l, across, size, 0)
	return cfg
}

// Configs lists configs of a map for merged layouts, the output last, that the device can run:
// the one of ConfigFor first, then tiles of other sizes, shapes and numbers of threads.
func Configs(caps target.Caps, elem, out dtype.Type, layouts ...layout.Layout) iter.Seq[Config] {
	return func(yield func(Config) bool) {
		l, across := output(layouts), Crossing(layouts)
		seen := map[Config]bool{}
		try := func(cfg Config) bool {
			known := seen[cfg]
			seen[cfg] = true
			return known || yield(cfg)
		}
		if !try(ConfigFor(caps, elem, out, layouts...)) {
			return
		}
		threads := []int{128, 256, 512}
		if caps.WholeTiles {
			threads = threads[:1]
		}
		for _, n := range threads {
			cfg := Config{Elem: elem, Out: out, Rank: l.Rank(), Threads: n}
			if caps.WholeTiles {
				cfg.Threads = 0
			} else if caps.FitThreads(n) != n {
				continue
			}
			for size := n; size <= 1<<15; size *= 2 {
				if cfg.Threads > 0 && size > 4*n*vectorOf(elem, out) { // more than registers are for
					break
				}
				rows := cfg
				rows.fill(l, -1, size, 0)
				if !try(rows) {
					return
				}
				if across < 0 || caps.SharedBytes > 0 && size*plan.ExchangeElem(caps, elem).Size() > caps.SharedBytes {
					continue
				}
				for _, side := range []int{32, 64, 128, 256} { // of the output's last dimension
					crossed := cfg
					if crossed.fill(l, across, size, side); side < size && !try(crossed) {
						return
					}
				}
			}
		}
	}
}

// vectorOf is how many elements one access covers of the widest of some types.
func vectorOf(elems ...dtype.Type) int {
	n := vectorBytes
	for _, e := range elems {
		n = min(n, max(vectorBytes/max(e.Size(), 1), 1))
	}
	return n
}

// fill spreads the elements of a tile over the dimensions, the last one first. If an
// input crosses the output, the dimension across gets as many as the last one, or the latter
// side elements, and what one of the two is too short for goes to the other.
func (cfg *Config) fill(out layout.Layout, across, size, side int) {
	last := cfg.Rank - 1
	for d := range cfg.Rank {
		cfg.Block[d] = 1
	}
	grow := func(d, most int) {
		n := min(pow2.Ceil(out.Size(d)), most, cfg.Block[d]*size)
		size /= n / cfg.Block[d]
		cfg.Block[d] = n
	}
	if across >= 0 {
		if side == 0 {
			for side = 1; side*side < size; side *= 2 {
			}
		}
		grow(last, whole(out.Size(last), side))
		for d := last; d-1 > across && cfg.Block[d] >= out.Size(d) && cfg.Block[d] < side; d-- { // rows that are shorter than the side: those next to them
			side /= cfg.Block[d]
			grow(d-1, whole(out.Size(d-1), side))
		}
		grow(across, whole(out.Size(across), size))
	}
	for d := last; d >= 0; d-- {
		grow(d, cfg.Block[d]*size)
	}
}

// whole is the longest side of a tile up to most, though no shorter than 32, that divides a size, so
// that no tile reaches beyond the edge; most if there is none.
func whole(size, most int) int {
	for n := most; n >= 32; n /= 2 {
		if size%n == 0 {
			return n
		}
	}
	return most
}

// Crossing is the dimension along which an input is contiguous while the output, the last layout,
// does so along the last one; -1 if there is no such input.
func Crossing(layouts []layout.Layout) int {
	for _, l := range layouts {
		last := l.Rank() - 1
		for d := range last {
			if l.Size(d) > 1 && l.Stride(d) == 1 && magnitude(l.Stride(last)) > 1 {
				return d
			}
		}
	}
	return -1
}
