package kernels

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Gather and Scatter move windows between a tensor x, in which indices say where a window starts, and a tensor y that has
// the windows of all indices. Gather reads x and writes y, Scatter reads y and changes x.
//
// The kernels see each tensor as a vector of its memory, and compute where an element is from strides, which are scalars: so
// tensors may have any number of dimensions, in any order of memory. There are three kinds of dimensions. Those of rows count
// windows: x has strides along some of them, which are batches. Those of windows count elements of one. Those of indices have a
// stride in x each.
var (
	Gather  = weft.NewKernel("gather", describeGather)
	Scatter = weft.NewKernel("scatter", describeScatter)
)

// IndexedDim is a dimension of rows or of windows: its size, and the strides along it of x, y and the indices.
type IndexedDim struct{ Size, X, Y, I int }

// IndexedCoord is an index: the stride of x along it, the most that it may be, and where it stands after the first one of a window.
type IndexedCoord struct{ X, Most, I int }

// Indexed is where the elements of x, y and the indices are, in vectors of their memory.
type Indexed struct {
	Rows, Window []IndexedDim
	Coords       []IndexedCoord
	X, Y, I      int // the first elements
}

// Scalars are the kernel's scalars.
func (x Indexed) Scalars() weft.Scalars {
	list := weft.Scalars{x.X, x.Y, x.I}
	for _, dims := range [][]IndexedDim{x.Rows, x.Window} {
		for _, d := range dims {
			list = append(list, d.Size, d.X, d.Y, d.I)
		}
	}
	for _, c := range x.Coords {
		list = append(list, c.X, c.Most, c.I)
	}
	return list
}

// indexed describes what the kernels share.
type indexed struct {
	k            *tile.Builder
	cfg          IndexedConfig
	x, y, noted  *tile.View
	indices      *tile.View
	xs, ys       *tile.Value // where the elements of a tile are
	inside       *tile.Value // those that y has
	reached      *tile.Value // those that x has, too
	row          *tile.Value // the numbers of windows
	firstX       *tile.Value
	firstY       *tile.Value
	firstI       *tile.Value
	rows, window []indexedDim
	coords       []indexedCoord
}

type indexedDim struct{ size, x, y, i *tile.Value }

type indexedCoord struct{ x, most, i *tile.Value }

// start declares the scalars after the views.
func (s *indexed) start() {
	k, cfg := s.k, s.cfg
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	scalar := func(name string, i int) *tile.Value { return k.Scalar(fmt.Sprint(name, i), dtype.I32) }
	s.firstX, s.firstY, s.firstI = k.Scalar("x_first", dtype.I32), k.Scalar("y_first", dtype.I32), k.Scalar("i_first", dtype.I32)
	for i := range cfg.Rows {
		s.rows = append(s.rows, indexedDim{scalar("rows", i), scalar("rows_x", i), scalar("rows_y", i), scalar("rows_i", i)})
	}
	for i := range cfg.Window {
		s.window = append(s.window, indexedDim{scalar("window", i), scalar("window_x", i), scalar("window_y", i), scalar("window_i", i)})
	}
	lasts := s.window // runs divide the size of a tile's last dimension
	if cfg.RowsLast {
		lasts = s.rows
	}
	if n := max(cfg.XRun, cfg.YRun); n > 1 {
		lasts[len(lasts)-1].size = lasts[len(lasts)-1].size.MultipleOf(n)
	}
	for i := range cfg.Coords {
		s.coords = append(s.coords, indexedCoord{scalar("index_x", i), scalar("index_most", i), scalar("index_i", i)})
	}
}

// product is the number of elements of dimensions.
func (s *indexed) product(dims []indexedDim) *tile.Value {
	n := s.k.Int(1)
	for _, d := range dims {
		n = n.Mul(d.size)
	}
	return n
}

// axis are the numbers of the elements of a tile along one of its dimensions, which are rows, outer and inner ones.
func (s *indexed) axis(which, n int, block *tile.Value) *tile.Value {
	place := [3]int{0, 1, 2}
	if s.cfg.RowsLast {
		place = [3]int{2, 0, 1}
	}
	shape := []int{1, 1, 1}
	shape[place[which]] = n
	return s.k.Iota(place[which], shape...).Add(block.Mul(n))
}

// place computes where the elements of a tile are.
func (s *indexed) place() {
	k, cfg, last := s.k, s.cfg, s.cfg.Window-1
	rows, outer, inner := s.product(s.rows), s.product(s.window[:last]), s.window[last].size
	across, down := k.CDiv(inner, cfg.InnerTile), k.CDiv(outer, cfg.OuterTile)
	k.Grid(k.CDiv(rows, cfg.RowTile).Mul(down).Mul(across))
	at := k.ProgramID(0)
	rest := at.Div(across)
	s.row = s.axis(0, cfg.RowTile, rest.Div(down))
	o, c := s.axis(1, cfg.OuterTile, rest.Rem(down)), s.axis(2, cfg.InnerTile, at.Rem(across))

	there := s.row.Lt(rows)
	x, y, i := s.offsets(s.row, s.rows)
	xo, yo, _ := s.offsets(o, s.window[:last])
	reached := there
	for _, coord := range s.coords {
		index := s.index(i.Add(coord.i).Add(s.firstI), there)
		if cfg.Clamp {
			index = index.Maximum(0).Minimum(coord.most)
		} else {
			within := index.Ge(0).And(index.Le(coord.most))
			reached, index = reached.And(within), k.Where(within, index, 0)
		}
		x = x.Add(index.Mul(coord.x))
	}
	xi, yi := c, c
	if cfg.XRun == 0 || cfg.RowsLast {
		xi = c.Mul(s.window[last].x)
	}
	if cfg.YRun == 0 || cfg.RowsLast {
		yi = c.Mul(s.window[last].y)
	}
	window := o.Lt(outer).And(c.Lt(inner))
	s.inside, s.reached = there.And(window), reached.And(window)
	s.xs, s.ys = x.Add(xo).Add(xi).Add(s.firstX), y.Add(yo).Add(yi).Add(s.firstY)
	shape := s.shape()
	s.inside, s.reached = s.inside.Broadcast(shape...), s.reached.Broadcast(shape...)
	s.xs, s.ys = run(s.xs.Broadcast(shape...), cfg.XRun), run(s.ys.Broadcast(shape...), cfg.YRun)
}

// run promises runs of n elements.
func run(at *tile.Value, n int) *tile.Value {
	if n > 1 {
		return at.Contiguous(n)
	}
	return at
}

// shape is that of a tile.
func (s *indexed) shape() []int {
	if s.cfg.RowsLast {
		return []int{s.cfg.OuterTile, s.cfg.InnerTile, s.cfg.RowTile}
	}
	return []int{s.cfg.RowTile, s.cfg.OuterTile, s.cfg.InnerTile}
}

// offsets are where element number n of dimensions is in each tensor.
func (s *indexed) offsets(n *tile.Value, dims []indexedDim) (x, y, i *tile.Value) {
	add := func(sum, at, stride *tile.Value) *tile.Value {
		if at = at.Mul(stride); sum == nil {
			return at
		}
		return sum.Add(at)
	}
	for d := len(dims) - 1; d >= 0; d-- {
		at := n
		if d > 0 {
			at, n = n.Rem(dims[d].size), n.Div(dims[d].size)
		}
		x, y, i = add(x, at, dims[d].x), add(y, at, dims[d].y), add(i, at, dims[d].i)
	}
	if x == nil {
		zero := n.Mul(0)
		return zero, zero, zero
	}
	return x, y, i
}

// index are indices as I32, at its ends where they are beyond.
func (s *indexed) index(at, there *tile.Value) *tile.Value {
	k := s.k
	load := func(at *tile.Value) *tile.Value { return s.indices.At(at).Mask(there).Gather() }
	switch s.cfg.Index {
	case dtype.I64: // two words
		low, high := load(at.Mul(2)).Bitcast(dtype.I32), load(at.Mul(2).Add(1)).Bitcast(dtype.I32)
		return k.Where(high.Eq(low.Shr(31)), low, k.Where(high.Lt(0), math.MinInt32, math.MaxInt32))
	case dtype.U32:
		return load(at).Minimum(math.MaxInt32).Bitcast(dtype.I32)
	}
	return load(at)
}

// indexType is the element type of the indices as the kernel sees them.
func (cfg IndexedConfig) indexType() weft.DType {
	if cfg.Index == dtype.I64 {
		return dtype.U32
	}
	return cfg.Index
}

// describeGather has the views x, indices and y, all vectors of memory. A window that is not within x reads as 0.
func describeGather(k *tile.Builder, cfg IndexedConfig) {
	s := &indexed{k: k, cfg: cfg, x: k.In("x", cfg.Elem, 1)}
	if cfg.Coords > 0 {
		s.indices = k.In("indices", cfg.indexType(), 1)
	}
	s.y = k.InOut("out", cfg.Elem, 1) // whose memory may have other elements, too
	s.start()
	s.place()
	s.y.At(s.ys).Mask(s.inside).Scatter(s.x.At(s.xs).Mask(s.reached).Gather())
}

// describeScatter has the views updates, indices and x, and for two kinds one before x: the numbers of updates. The kind that notes
// these has no updates.
func describeScatter(k *tile.Builder, cfg IndexedConfig) {
	s := &indexed{k: k, cfg: cfg}
	seen, from := cfg.ScatterViews()
	if cfg.Kind != scatterNote {
		s.y = k.In("updates", from, 1)
	}
	if cfg.Coords > 0 {
		s.indices = k.In("indices", cfg.indexType(), 1)
	}
	if cfg.Kind == scatterNoted {
		s.noted = k.In("noted", dtype.I32, 1)
	}
	s.x = k.InOut("out", seen, 1)
	s.start()
	s.place()
	if cfg.Kind == scatterNote {
		s.x.At(s.xs).Mask(s.reached).AtomicMax(s.row.Broadcast(s.shape()...))
		return
	}
	if cfg.Kind == scatterNoted {
		last := s.noted.At(s.xs).Mask(s.reached).Gather().Eq(s.row.Broadcast(s.shape()...))
		s.reached = s.reached.And(last)
	}
	if cfg.wide() {
		s.addWide()
		return
	}
	v, points := s.y.At(s.ys).Mask(s.reached).Gather().Cast(cfg.Elem), s.x.At(s.xs).Mask(s.reached)
	switch {
	case cfg.swaps():
		s.swap(v)
	case cfg.Kind == ScatterAdd:
		points.AtomicAdd(v)
	case cfg.Kind == ScatterMin:
		points.AtomicMin(v)
	case cfg.Kind == ScatterMax:
		points.AtomicMax(v)
	default:
		points.Scatter(v)
	}
}

// addWide adds integers of 64 bits, whose words are elements of x and y: each sum of low words that wraps carries to the high one,
// whichever comes first.
func (s *indexed) addWide() {
	word := func(v *tile.View, at *tile.Value, i int) tile.Points { return v.At(at.Mul(2).Add(i)).Mask(s.reached) }
	low := word(s.y, s.ys, 0).Gather()
	carry := word(s.x, s.xs, 0).AtomicAdd(low).Add(low).Lt(low).Cast(dtype.U32)
	word(s.x, s.xs, 1).AtomicAdd(word(s.y, s.ys, 1).Gather().Add(carry))
}

// wide reports whether elements are added word by word.
func (cfg IndexedConfig) wide() bool { return cfg.Elem.Size() == 8 && cfg.Kind == ScatterAdd }

// ScatterViews are the element types of the views of x and of updates.
func (cfg IndexedConfig) ScatterViews() (x, updates weft.DType) {
	switch {
	case cfg.wide():
		return dtype.U32, dtype.U32
	case cfg.swaps():
		return dtype.U32, cfg.From
	}
	return cfg.Elem, cfg.From
}

// swaps reports whether elements change by compare-and-swap: by what no device has an atomic op for.
func (cfg IndexedConfig) swaps() bool {
	switch cfg.Kind {
	case ScatterMul:
		return true
	case ScatterMin, ScatterMax:
		return cfg.Elem == dtype.F32
	}
	return false
}

// swap changes elements, each as often as another program, or another update of the tile, comes between.
func (s *indexed) swap(v *tile.Value) {
	k, points := s.k, s.x.At(s.xs)
	pending, old := k.Var(s.reached.Cast(dtype.I32)), k.Var(points.Mask(s.reached).Gather())
	for range k.While(func() *tile.Value {
		return pending.Get().Max(0).Max(1).Max(2).At(0, 0, 0).Gt(0)
	}) {
		left := pending.Get().Gt(0)
		seen := points.Mask(left).AtomicCompareAndSwap(old.Get(), s.combine(old.Get().Bitcast(s.cfg.Elem), v).Bitcast(dtype.U32))
		pending.Set(left.And(seen.Ne(old.Get())).Cast(dtype.I32))
		old.Set(seen)
	}
}

// combine is an element with an update. Of a NaN and a number a NaN is kept.
func (s *indexed) combine(x, v *tile.Value) *tile.Value {
	switch s.cfg.Kind {
	case ScatterMul:
		return x.Mul(v)
	case ScatterMin:
		return s.k.Where(x.IsNaN(), x, s.k.Where(v.IsNaN(), v, x.Minimum(v)))
	}
	return s.k.Where(x.IsNaN(), x, s.k.Where(v.IsNaN(), v, x.Maximum(v)))
}
