package kernels

import (
	"slices"

	"github.com/weftgpu/weft/tile"
)

// A direct kernel by windows describes the positions of the convolution's kernel one by one. Each thread adds up the
// rows of a block of the result that are below one another, and columns next to each other, so that it loads an element of x
// once for all of these. The weights stay in registers, and indices and masks of rows and of columns are computed once each.
// All loads of a window are independent and outstanding together.

// MaxThreadRows is how many rows a thread adds up at most.
const MaxThreadRows = 16

// MaxThreadColumns is how many columns a thread has at most, where channels are between them in memory.
const MaxThreadColumns = 8

// Limits of what is described one by one.
const (
	maxWindow      = 320 // products of a thread for one channel
	maxWindowApart = 800 // likewise, of columns with channels between them
	maxWindowLoads = 16  // of a step, up to which channels are added to it
	maxStep        = 64  // products of a step, likewise
	accessBytes    = 16  // that a thread reads in one access at most
	fewThreads     = 512 // of a unit: with fewer, it waits for loads
)

// window is a kernel by windows that is being described: tiles are of one filter and one row of each thread.
type window struct {
	*conv
	image, group, first *tile.Value     // first is the first filter
	h, w                *tile.Value     // in x of the first row's corners
	block               ImageBlock      // of one filter and one row of each thread, of one column where those are apart
	sums                [][][]*tile.Var // by filter, row and column of a thread
}

// describeConvWindow is describeConvDirect with the window unrolled. The tiles of one row of each thread are blocks of
// the result, so that no two stores need a barrier between them.
func describeConvWindow(k *tile.Builder, cfg Conv2DConfig) {
	w := &window{conv: cfg.declare(k)}
	at := k.ProgramTile(w.out, cfg.Block.shape()...)
	b := cfg.Block
	b.Size[2], b.Size[3] = 1, b.Size[3]/cfg.ThreadRows
	if cfg.columnsApart() {
		b.Size[4] /= cfg.lanes()
	}
	w.block = b
	coords, row := slices.Clone(at), slices.Index(b.Memory[:], 3)
	first := k.Int(cfg.ThreadRows).Mul(at[row])
	coords[row] = first
	w.image, w.group, w.first = b.index(k, at, 0), b.index(k, at, 1), cfg.Block.begin(k, at, 2)
	column := b.index(k, at, 4)
	switch {
	case cfg.columnsApart():
		column = column.Mul(cfg.lanes())
	case cfg.columnVectors():
		w.left = w.left.Add(cfg.Lead).MultipleOf(cfg.lanes())
	}
	w.h, w.w = w.corner(b.index(k, coords, 3), column)

	for range cfg.Block.Size[2] {
		var rows [][]*tile.Var
		for range cfg.ThreadRows {
			var lanes []*tile.Var
			for range cfg.lanes() {
				lanes = append(lanes, k.Var(k.Zeros(w.wide(), w.laneShape()...)))
			}
			rows = append(rows, lanes)
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
	b, filters := w.block, slices.Index(w.Block.Memory[:], 2)
	if w.columnsApart() {
		b.Size[4] = w.Block.Size[4]
	}
	if filters == len(b.Memory)-1 {
		b.Size[2] = w.Block.Size[2]
		w.out.Block(b.shape()...).Store(w.together(row).Reshape(b.shape()...), coords...)
		return
	}
	coords = slices.Clone(coords)
	for f, sums := range w.sums {
		coords[filters] = w.first.Add(f)
		w.out.Block(b.shape()...).Store(w.finish(w.joined(sums[row]), w.group, w.first.Add(f)), coords...)
	}
}

// together are the results of a row of each thread, the filters last, before them the groups, and before these the columns.
func (w *window) together(row int) *tile.Value {
	size := w.block.Size
	filters := func(sums func(f int) *tile.Value) *tile.Value {
		var results []*tile.Value
		for f := range w.sums {
			x := w.finish(sums(f), w.group, w.first.Add(f))
			results = append(results, x.Reshape(size[0]*size[1]*size[3]*size[4])) // a tile has five dimensions at most
		}
		return interleaved(results)
	}
	if !w.columnsApart() {
		return filters(func(f int) *tile.Value { return w.joined(w.sums[f][row]) })
	}
	var columns []*tile.Value
	inner := size[1] * len(w.sums)
	for lane := range w.lanes() {
		x := filters(func(f int) *tile.Value { return w.sums[f][row][lane].Get() })
		columns = append(columns, x.Reshape(size[0]*size[3]*size[4], inner))
	}
	return interleaved(columns).Reshape(size[0]*size[3]*size[4], inner, w.lanes()).Permute(0, 2, 1)
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
	x := interleaved(even).Join(interleaved(odd))
	shape := x.Type().Shape
	if n := len(shape) - 2; n == 3 { // a tile has five dimensions at most: more may follow
		return x.Reshape(append(slices.Clone(shape[:n]), shape[n]*shape[n+1])...)
	}
	return x
}

// add adds the products of one channel.
func (w *window) add(channel *tile.Value) {
	weights := make([][]*tile.Value, len(w.sums))
	for f := range weights {
		for i := range w.Kernel[0] * w.Kernel[1] {
			x := w.weight.At(w.group, w.first.Add(f), i, channel).Gather().Cast(w.wide())
			weights[f] = append(weights[f], w.inLanes(x))
		}
	}
	for _, below := range w.reached(0, w.ThreadRows) {
		columns := w.columns(channel, w.h.Add(below))
		for r := range w.ThreadRows {
			i, ok := w.positionOf(0, below-r*w.Stride[0])
			for j := range w.Kernel[1] {
				for f := range w.sums {
					for lane, sum := range w.sums[f][r] {
						if ok {
							sum.Set(weights[f][i*w.Kernel[1]+j].FMA(columns(j, lane), sum.Get()))
						}
					}
				}
			}
		}
	}
}

// columns loads a row of x and returns what is at a column of the kernel for a column of each thread. Several columns
// of a thread that are neighbours in memory are lanes of vectors, which begin Lead elements before the kernel does.
func (w *window) columns(channel, row *tile.Value) func(column, lane int) *tile.Value {
	load := func(right int) *tile.Value {
		return w.x.At(w.image, w.group, channel, row, w.w.Add(right)).Gather().Cast(w.wide())
	}
	n := w.lanes()
	if w.columnVectors() {
		var list []*tile.Value
		for i := range w.windowAccesses() {
			list = append(list, apart(load(i*n).Reshape(w.vectorShape()...), n)...)
		}
		return func(column, lane int) *tile.Value { return list[w.Lead+column*w.Dilation[1]+lane] }
	}
	loaded := map[int]*tile.Value{}
	for _, right := range w.reached(1, n) {
		loaded[right] = load(right)
	}
	return func(column, lane int) *tile.Value { return loaded[lane*w.Stride[1]+column*w.Dilation[1]] }
}

// lanes is how many columns a thread adds up.
func (cfg Conv2DConfig) lanes() int { return max(cfg.ThreadColumns, 1) }

// columnVectors reports whether a thread has several columns that are neighbours in memory.
func (cfg Conv2DConfig) columnVectors() bool { return cfg.lanes() > 1 && cfg.Block.Memory[4] == 4 }

// columnsApart reports whether a thread has several columns with channels between them in memory: there is a tile for each.
func (cfg Conv2DConfig) columnsApart() bool { return cfg.lanes() > 1 && !cfg.columnVectors() }

// windowAccesses is how many elements, or vectors of columns, of a row a thread loads for a channel.
func (cfg Conv2DConfig) windowAccesses() int {
	n := cfg.lanes()
	if cfg.columnVectors() {
		return CeilDiv(cfg.Lead+(cfg.Kernel[1]-1)*cfg.Dilation[1]+n, n)
	}
	return len(cfg.reached(1, n))
}

// laneShape is the shape of one column of each thread: all else is one dimension where several columns are vectors,
// since tiles have five at most.
func (w *window) laneShape() []int {
	if !w.columnVectors() {
		return w.block.shape()
	}
	return []int{w.block.Size[1] * w.block.Size[3] * w.block.Size[4] / w.lanes()}
}

// vectorShape has the columns of a thread in dimensions of two.
func (w *window) vectorShape() []int {
	shape := w.laneShape()
	for n := w.lanes(); n > 1; n /= 2 {
		shape = append(shape, 2)
	}
	return shape
}

// inLanes is a tile of groups in the shape of lanes.
func (w *window) inLanes(x *tile.Value) *tile.Value {
	if !w.columnVectors() {
		return x
	}
	b := w.block
	b.Size[4] /= w.lanes()
	return x.Broadcast(b.shape()...).Reshape(w.laneShape()...)
}

// joined is the tile of the columns of each thread.
func (w *window) joined(lanes []*tile.Var) *tile.Value {
	var list []*tile.Value
	for _, x := range lanes {
		list = append(list, x.Get())
	}
	if len(list) == 1 {
		return list[0]
	}
	return interleaved(list).Reshape(w.block.shape()...)
}

// apart undoes interleaved for a number of tiles.
func apart(x *tile.Value, n int) []*tile.Value {
	if n == 1 {
		return []*tile.Value{x}
	}
	first, second := x.Split()
	even, odd := apart(first, n/2), apart(second, n/2)
	var list []*tile.Value
	for i := range even {
		list = append(list, even[i], odd[i])
	}
	return list
}

// positionOf is the row of the kernel (dimension 0) that is so many rows of x below its corner, or the column (1) that is so many right of it, if there is one.
func (cfg Conv2DConfig) positionOf(d, offset int) (position int, ok bool) {
	position = offset / cfg.Dilation[d]
	return position, offset >= 0 && offset%cfg.Dilation[d] == 0 && position < cfg.Kernel[d]
}

// reached are the rows of x that so many rows of the result need (dimension 0), below the first one's corner, or the columns (1), right of it, ascending.
func (cfg Conv2DConfig) reached(d, n int) (list []int) {
	for offset := range (n-1)*cfg.Stride[d] + (cfg.Kernel[d]-1)*cfg.Dilation[d] + 1 {
		for i := range n {
			if _, ok := cfg.positionOf(d, offset-i*cfg.Stride[d]); ok {
				list = append(list, offset)
				break
			}
		}
	}
	return list
}

// windowLoads is how many elements of x a thread loads for a channel, and windowProducts how many products it adds.
func (cfg Conv2DConfig) windowLoads() int {
	return len(cfg.reached(0, cfg.ThreadRows)) * cfg.windowAccesses()
}

func (cfg Conv2DConfig) windowProducts() int {
	return cfg.ThreadRows * cfg.lanes() * max(cfg.Block.Size[2], 1) * cfg.Kernel[0] * cfg.Kernel[1]
}
