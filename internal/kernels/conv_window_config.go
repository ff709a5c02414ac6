package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// sizeWindow gives each thread a vector of channels where those are neighbours, the filters of a group, and as many
// rows as registers hold and leave threads for all units. It leaves kernels to loops whose windows are too large. Where
// channels are neighbours, threads also have as many columns as let them load the fewest elements of x for each of
// the result: 8 × 8 of a kernel of 5 × 5 for 4 × 4, 12 × 5 for 8 rows.
func (cfg *Conv2DConfig) sizeWindow(caps target.Caps, s Conv2DShape) bool {
	if !s.ChannelsLast {
		return cfg.sizeLanes(caps, s, func(filters, elements int) int { return s.lanes(caps, cfg.Elem, filters, elements) })
	}
	least, start := 0.0, *cfg
	for lanes := 1; lanes <= MaxThreadColumns; lanes *= 2 {
		other := start
		if !other.sizeLanes(caps, s, func(int, int) int { return lanes }) {
			break
		}
		if loads := float64(other.windowLoads()) / float64(other.ThreadRows*lanes); least == 0 || loads < least {
			*cfg, least = other, loads
		}
	}
	return least > 0
}

// sizeLanes is sizeWindow for a number of columns of a thread that is chosen by the filters of one and all elements.
func (cfg *Conv2DConfig) sizeLanes(caps target.Caps, s Conv2DShape, choose func(filters, elements int) int) bool {
	cfg.ThreadColumns, cfg.Lead = 0, 0
	positions := s.Kernel[0] * s.Kernel[1]
	if positions == 1 || positions > maxWindow/2 || caps.WholeTiles { // of one position, loops load the weights of several filters together
		return false
	}
	rows, columns := s.Result()
	filters, vector, room := min(pow2.Ceil(max(s.GroupFilters(), 1)), maxDirect), 1, registersFor(caps)
	if s.ChannelsLast && s.GroupChannels() == 1 && s.GroupFilters() == 1 {
		for 2*vector*cfg.Elem.Size() <= accessBytes && s.Groups%(2*vector) == 0 && 3*vector*positions <= room {
			vector *= 2
		}
	}
	elements := s.Images * s.Groups * CeilDiv(s.GroupFilters(), filters) * rows * columns
	lanes, apart, most, weights := choose(filters, elements), 1, maxWindow, vector*positions
	switch {
	case lanes > 1 && s.ChannelsLast:
		cfg.ThreadColumns, apart, most = lanes, lanes, maxWindowApart
	case lanes > 1:
		cfg.ThreadColumns, cfg.Lead, vector = lanes, s.lead(lanes), lanes
	}
	registers := func(rows int) int { return (rows*apart*vector + weights) * filters }
	suits := func(rowsOfThread int) bool {
		padded := CeilDiv(rows, rowsOfThread) * rowsOfThread
		enough := elements/(rowsOfThread*apart*vector) >= fewThreads*caps.Facts().Units
		return enough && 3*padded <= 4*rows && rowsOfThread*lanes*filters*positions <= most && registers(rowsOfThread) <= room
	}
	switch {
	case registers(1) > max(room, caps.Registers-addressRegisters): // weights would be in memory again
		return false
	case apart > 1 && (3*CeilDiv(columns, apart)*apart > 4*columns || !suits(1)):
		return false
	}
	threads := 128
	if scarce(caps) {
		threads = 64
	}
	threads = caps.FitThreads(threads)
	left := threads * vector
	cfg.Block = ImageBlock{Size: [5]int{1, 1, filters, 1, 1}, Memory: [5]int{0, 1, 2, 3, 4}}
	give := func(d, n, most, least int) {
		cfg.Block.Size[d] = fitting(n, min(most, left), least)
		left /= cfg.Block.Size[d]
	}
	if s.ChannelsLast {
		cfg.Block.Memory = [5]int{0, 3, 4, 1, 2}
		give(1, s.Groups, 32*vector, vector)
		give(4, CeilDiv(columns, apart), left, 4)
		cfg.Block.Size[4] *= apart
	} else {
		give(4, columns, left, 16)
		give(1, s.Groups, left, 1)
	}
	cfg.ThreadRows = 1
	for n := MaxThreadRows; n > 1 && 4*left <= threads; n /= 2 {
		if suits(n) {
			cfg.ThreadRows = n
			break
		}
	}
	if cfg.Block.Size[3] = cfg.ThreadRows; cfg.ThreadRows == 1 {
		give(3, rows, left, 1)
	}
	cfg.fitSteps(s)
	cfg.Threads = caps.FitThreads(max(threads/left, min(threads, 32)))
	return true
}

// addressRegisters is how many registers of a thread are neither sums nor weights.
const addressRegisters = 40

// lead is how many elements before the kernel's first column vectors of so many columns begin, of columns that are neighbours.
func (s Conv2DShape) lead(lanes int) int {
	if s.ChannelsLast {
		return 0
	}
	return (lanes - s.Padding[2]%lanes) % lanes
}

// lanes is how many pixels of a row a thread adds up: those of a vector where vectors of both images begin at
// multiples of their size, and threads are enough.
func (s Conv2DShape) lanes(caps target.Caps, elem weft.DType, filters, elements int) int {
	n, positions := 1, s.Kernel[0]*s.Kernel[1]
	_, columns := s.Result()
	if s.Stride[1] != 1 {
		return 1
	}
	for 2*n*elem.Size() <= accessBytes/2 && s.Width%(2*n) == 0 && columns%(2*n) == 0 && 2*n*filters*positions <= maxWindow &&
		elements/(2*n) >= fewThreads*caps.Facts().Units {
		n *= 2
	}
	return n
}

// registersFor is how many registers sums and weights may have of a thread.
func registersFor(caps target.Caps) int {
	if caps.Registers == 0 {
		return 64
	}
	return min(caps.Registers*3/8, 96)
}

// fitSteps decides how many channels one step of the loop over them adds, or that there is no loop.
func (cfg *Conv2DConfig) fitSteps(s Conv2DShape) {
	channels, loads, products := s.GroupChannels(), cfg.windowLoads(), cfg.windowProducts()
	cfg.Channels, cfg.ChannelStep = 0, 1
	if channels > 0 && (channels == 1 || channels*loads <= 2*maxWindowLoads && channels*products <= maxWindow) {
		cfg.Channels, cfg.ChannelStep = channels, 0
		return
	}
	for 2*cfg.ChannelStep <= channels && 2*cfg.ChannelStep*loads <= maxWindowLoads && 2*cfg.ChannelStep*products <= maxStep {
		cfg.ChannelStep *= 2
	}
}

// fitting is the largest power of two up to most of whose blocks n elements fill six sevenths, or the one from least
// on that they fill best.
func fitting(n, most, least int) int {
	n = max(n, 1)
	padded := func(size int) int { return CeilDiv(n, size) * size }
	best := min(pow2.Ceil(n), most)
	for size := best; size >= min(least, most); size /= 2 {
		if 6*padded(size) <= 7*n {
			return size
		}
		if padded(size) < padded(best) {
			best = size
		}
	}
	return best
}

// legalWindow says why rows or steps are refused.
func (cfg Conv2DConfig) legalWindow(s Conv2DShape) error {
	switch {
	case cfg.ThreadRows != 1 && cfg.ThreadRows != cfg.Block.Size[3]:
		return fmt.Errorf("%d rows of a thread in blocks of %d, want 1 or all", cfg.ThreadRows, cfg.Block.Size[3])
	case cfg.lanes()&(cfg.lanes()-1) != 0 || cfg.Block.Size[4]%cfg.lanes() != 0 || cfg.columnVectors() && s.Stride[1] != 1:
		return fmt.Errorf("%d columns of a thread in blocks of %d with a stride of %d, want a power of two that divides it, and neighbours in both images", cfg.lanes(), cfg.Block.Size[4], s.Stride[1])
	case cfg.Lead != s.lead(cfg.lanes()):
		return fmt.Errorf("vectors that begin %d elements before the kernel, want %d", cfg.Lead, s.lead(cfg.lanes()))
	case cfg.windowProducts() > max(2*maxWindow, maxWindowApart):
		return fmt.Errorf("windows of %d products, want at most %d", cfg.windowProducts(), max(2*maxWindow, maxWindowApart))
	case cfg.Channels != 0 && cfg.Channels != s.GroupChannels() || cfg.Channels == 0 && cfg.ChannelStep < 1:
		return fmt.Errorf("%d channels without a loop and %d in a step of one, want all %d or a step", cfg.Channels, cfg.ChannelStep, s.GroupChannels())
	}
	return nil
}

// directConfigs are those that tuning tries on GPUs: windows, loops, and threads that share channels.
func (cfg Conv2DConfig) directConfigs(caps target.Caps, s Conv2DShape) (list []Conv2DConfig) {
	window := cfg
	window.ByChannels, window.Repacked, window.PixelsFirst, window.BO, window.BP, window.BK, window.ThreadColumns = false, false, false, 0, 0, 0, 0
	window.sizeDirect(caps, s)
	list = append(list, window)
	if window.ThreadRows > 0 {
		list = append(list, window.windowConfigs(caps, s)...)
	}
	return append(list, window.channelsConfigs(caps, s)...)
}

// windowConfigs are those that tuning tries: other rows and columns, and loops.
func (cfg Conv2DConfig) windowConfigs(caps target.Caps, s Conv2DShape) (list []Conv2DConfig) {
	most, products := 1, maxWindow
	switch {
	case s.ChannelsLast:
		most, products = MaxThreadColumns, maxWindowApart
	case s.Stride[1] == 1:
		most = accessBytes / 2 / cfg.Elem.Size()
	}
	for lanes := 1; lanes <= most; lanes *= 2 {
		other := cfg
		if sized := other.sizeLanes(caps, s, func(int, int) int { return lanes }); !sized || other.Block.Size[4] < lanes {
			break
		}
		same := other.ThreadRows > 1
		for rows := 1; rows <= MaxThreadRows; rows *= 2 {
			if other.ThreadRows = rows; other.windowProducts() > products {
				break
			}
			if rows > 1 || same {
				other.Block.Size[3] = rows
			}
			other.fitSteps(s)
			list = append(list, other)
		}
	}
	loop := cfg
	loop.ThreadRows, loop.ThreadColumns, loop.Lead, loop.Channels, loop.ChannelStep = 0, 0, 0, 0, 0
	loop.sizeLoops(caps, s)
	return append(list, loop)
}

// windowWork is the work of windows for so many elements of the result: an element of x is loaded once for a
// thread's rows, a weight once for all that the thread adds up, and one step's loads are outstanding together.
func (cfg Conv2DConfig) windowWork(s Conv2DShape, w *tune.Work, elements float64) {
	filters, rows := float64(cfg.Block.Size[2]), float64(cfg.ThreadRows)
	if cfg.columnsApart() {
		rows *= float64(cfg.lanes()) // which share loads in the same way
	}
	vector := 1.0
	if s.ChannelsLast && s.GroupChannels() == 1 {
		vector = min(accessBytes/float64(cfg.Elem.Size()), float64(cfg.Block.Size[1]))
	}
	channels := float64(s.GroupChannels())
	loads := elements * channels * float64(cfg.windowLoads()) / (rows * filters)
	weights := elements * channels * float64(cfg.Kernel[0]*cfg.Kernel[1]) / (rows * vector)
	w.Cache = float64(cfg.Elem.Size()) * loads
	w.Extra = (loadCost+2*integerCost)*(loads/vector+weights/vector) + convertCost/4*loads
	w.Chain = CeilDiv(s.GroupChannels(), max(cfg.Channels, cfg.ChannelStep, 1))
}
