package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// A direct kernel by windows describes the positions of the convolution's kernel one by one. Each thread adds up the
// rows of a block of the result that are below one another, so that it loads an element of x once for all of these rows. The
// weights stay in registers, and indices and masks of rows and of columns are computed once each. All loads of a
// window are independent and outstanding together.

// MaxThreadRows is how many rows a thread adds up at most.
const MaxThreadRows = 16

// Limits of what is described one by one.
const (
	maxWindow      = 256 // products of a thread for one channel
	maxWindowLoads = 16  // of a step, up to which channels are added to it
	maxStep        = 64  // products of a step, likewise
	accessBytes    = 16  // that a thread reads in one access at most
	fewThreads     = 512 // of a unit: with fewer, it waits for loads
)

// window is a kernel by windows that is being described: tiles are of one filter and one row of each thread.
type window struct {
	*conv
	image, group, first *tile.Value   // first is the first filter
	h, w                *tile.Value   // in x of the first row's corners
	sums                [][]*tile.Var // by filter and row
}

// describeConvWindow is describeConvDirect with the window unrolled. The tiles of one row of each thread are blocks of
// the result, so that no two stores need a barrier between them.
func describeConvWindow(k *tile.Builder, cfg Conv2DConfig) {
	w := &window{conv: cfg.declare(k)}
	at := k.ProgramTile(w.out, cfg.Block.shape()...)
	b := cfg.Block
	b.Size[2], b.Size[3] = 1, b.Size[3]/cfg.ThreadRows
	coords, row := slices.Clone(at), slices.Index(b.Memory[:], 3)
	first := k.Int(cfg.ThreadRows).Mul(at[row])
	coords[row] = first
	w.image, w.group, w.first = b.index(k, at, 0), b.index(k, at, 1), cfg.Block.begin(k, at, 2)
	w.h, w.w = w.corner(b.index(k, coords, 3), b.index(k, at, 4))

	for range cfg.Block.Size[2] {
		var rows []*tile.Var
		for range cfg.ThreadRows {
			rows = append(rows, k.Var(k.Zeros(dtype.F32, b.shape()...)))
		}
		w.sums = append(w.sums, rows)
	}
	if cfg.Channels > 0 {
		for channel := range cfg.Channels {
			w.add(k.Int(channel))
		}
	} else {
		for i := range k.Range(k.CDiv(w.weight.Dim(3), cfg.ChannelStep)) {
			for channel := range cfg.ChannelStep {
				w.add(i.Mul(cfg.ChannelStep).Add(channel))
			}
		}
	}
	for r := range cfg.ThreadRows {
		coords[row] = first.Add(r)
		w.store(coords, r)
	}
}

// store stores a row of each thread: of all filters together if they are neighbours in memory.
func (w *window) store(coords []tile.Operand, row int) {
	b, filters := w.Block, slices.Index(w.Block.Memory[:], 2)
	b.Size[3] /= w.ThreadRows
	var results []*tile.Value
	for f, sums := range w.sums {
		results = append(results, w.finish(sums[row].Get(), w.group, w.first.Add(f)))
	}
	if filters == len(b.Memory)-1 {
		for f, x := range results { // a tile has five dimensions at most
			results[f] = x.Reshape(b.Size[1] * b.Size[3] * b.Size[4])
		}
		w.out.Block(b.shape()...).Store(interleaved(results).Reshape(b.shape()...), coords...)
		return
	}
	coords = slices.Clone(coords)
	b.Size[2] = 1
	for f, result := range results {
		coords[filters] = w.first.Add(f)
		w.out.Block(b.shape()...).Store(result, coords...)
	}
}

// interleaved has the elements of tiles, as many as a power of two, next to each other in new last dimensions.
func interleaved(tiles []*tile.Value) *tile.Value {
	if len(tiles) == 1 {
		return tiles[0]
	}
	var even, odd []*tile.Value
	for i, x := range tiles {
		if i%2 == 0 {
			even = append(even, x)
		} else {
			odd = append(odd, x)
		}
	}
	return interleaved(even).Join(interleaved(odd))
}

// add adds the products of one channel.
func (w *window) add(channel *tile.Value) {
	weights := make([][]*tile.Value, len(w.sums))
	for f := range weights {
		for i := range w.Kernel[0] * w.Kernel[1] {
			weights[f] = append(weights[f], w.weight.At(w.group, w.first.Add(f), i, channel).Gather().Cast(dtype.F32))
		}
	}
	var columns []*tile.Value
	for j := range w.Kernel[1] {
		columns = append(columns, w.w.Add(j*w.Dilation[1]))
	}
	for _, below := range w.windowRows(w.ThreadRows) {
		row := w.h.Add(below)
		for j, column := range columns {
			x := w.x.At(w.image, w.group, channel, row, column).Gather().Cast(dtype.F32)
			for r := range w.ThreadRows {
				i, ok := w.positionOf(below - r*w.Stride[0])
				for f := range w.sums {
					if ok {
						sum := w.sums[f][r]
						sum.Set(weights[f][i*w.Kernel[1]+j].FMA(x, sum.Get()))
					}
				}
			}
		}
	}
}

// positionOf is the row of the kernel that is so many rows of x below its corner, if there is one.
func (cfg Conv2DConfig) positionOf(below int) (row int, ok bool) {
	row = below / cfg.Dilation[0]
	return row, below >= 0 && below%cfg.Dilation[0] == 0 && row < cfg.Kernel[0]
}

// windowRows are the rows of x that so many rows of the result need, below the first one's corner, ascending.
func (cfg Conv2DConfig) windowRows(rows int) (list []int) {
	for below := range (rows-1)*cfg.Stride[0] + (cfg.Kernel[0]-1)*cfg.Dilation[0] + 1 {
		for r := range rows {
			if _, ok := cfg.positionOf(below - r*cfg.Stride[0]); ok {
				list = append(list, below)
				break
			}
		}
	}
	return list
}

// windowLoads is how many elements of x a thread loads for a channel, and windowProducts how many products it adds.
func (cfg Conv2DConfig) windowLoads() int { return len(cfg.windowRows(cfg.ThreadRows)) * cfg.Kernel[1] }

func (cfg Conv2DConfig) windowProducts() int {
	return cfg.ThreadRows * max(cfg.Block.Size[2], 1) * cfg.Kernel[0] * cfg.Kernel[1]
}

// sizeWindow gives each thread a vector of channels where those are neighbours, the filters of a group, and as many
// rows as registers hold and leave threads for all units. It leaves kernels to loops whose windows are too large.
func (cfg *Conv2DConfig) sizeWindow(caps target.Caps, s Conv2DShape) bool {
	positions := s.Kernel[0] * s.Kernel[1]
	if positions > maxWindow/2 || caps.WholeTiles {
		return false
	}
	rows, columns := s.Result()
	filters, vector, room := min(pow2.Ceil(max(s.GroupFilters(), 1)), maxDirect), 1, registersFor(caps)
	if s.ChannelsLast && s.GroupChannels() == 1 && s.GroupFilters() == 1 {
		for 2*vector*cfg.Elem.Size() <= accessBytes && s.Groups%(2*vector) == 0 && 3*vector*positions <= room {
			vector *= 2
		}
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
		give(4, columns, left, 4)
	} else {
		give(4, columns, left, 16)
		give(1, s.Groups, left, 1)
	}
	cfg.ThreadRows = 1
	elements := s.Images * s.Groups * CeilDiv(s.GroupFilters(), filters) * rows * columns / vector
	for n := MaxThreadRows; n > 1 && 4*left <= threads; n /= 2 {
		if elements/n >= fewThreads*caps.Facts().Units && 3*CeilDiv(rows, n)*n <= 4*rows && n*filters*positions <= maxWindow && (n+positions)*vector*filters <= room {
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
	case cfg.windowProducts() > 2*maxWindow:
		return fmt.Errorf("windows of %d products, want at most %d", cfg.windowProducts(), 2*maxWindow)
	case cfg.Channels != 0 && cfg.Channels != s.GroupChannels() || cfg.Channels == 0 && cfg.ChannelStep < 1:
		return fmt.Errorf("%d channels without a loop and %d in a step of one, want all %d or a step", cfg.Channels, cfg.ChannelStep, s.GroupChannels())
	}
	return nil
}

// windowConfigs are those that tuning tries: other rows, and loops.
func (cfg Conv2DConfig) windowConfigs(caps target.Caps, s Conv2DShape) (list []Conv2DConfig) {
	for rows := 1; rows <= MaxThreadRows; rows *= 2 {
		other := cfg
		if other.ThreadRows = rows; other.windowProducts() > maxWindow {
			break
		}
		if rows > 1 || cfg.ThreadRows > 1 {
			other.Block.Size[3] = rows
		}
		other.fitSteps(s)
		list = append(list, other)
	}
	loop := cfg
	loop.ThreadRows, loop.Channels, loop.ChannelStep = 0, 0, 0
	loop.sizeLoops(caps, s)
	return append(list, loop)
}

// windowWork is the work of windows for so many elements of the result: an element of x is loaded once for a
// thread's rows, a weight once for all that the thread adds up, and one step's loads are outstanding together.
func (cfg Conv2DConfig) windowWork(s Conv2DShape, w *tune.Work, elements float64) {
	filters, rows := float64(cfg.Block.Size[2]), float64(cfg.ThreadRows)
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
