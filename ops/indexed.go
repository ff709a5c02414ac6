package ops

import (
	"cmp"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// indexedForm is how indices name windows.
type indexedForm uint8

const (
	formAlong   indexedForm = iota // an index for each element, along one dimension
	formSelect                     // an index for each slice of a dimension
	formSlice                      // one window, whose start is a vector
	formWindows                    // as Windows says
)

// indexedOptions is what a call of an op with indices asks for.
type indexedOptions struct {
	given
	form  indexedForm
	dim   int
	spec  string // of formWindows, encoded; of formSlice the sizes
	kind  kernels.ScatterKind
	order bool // the last update of an element wins
	fixed bool // all runs give the same result
}

// indexedCall is where the elements of three tensors are that have their part in a call.
type indexedCall struct {
	kernels.Indexed
	clamp, strict bool // windows are moved into x; those that are not within it count
}

// row and window append dimensions.
func (c *indexedCall) row(size, x, y, i int) {
	c.Rows = append(c.Rows, kernels.IndexedDim{Size: size, X: x, Y: y, I: i})
}

func (c *indexedCall) window(size, x, y int) {
	c.Window = append(c.Window, kernels.IndexedDim{Size: size, X: x, Y: y})
}

// call is the call for layouts of x, the indices, and the tensor with the windows, which were checked.
func (o *indexedOptions) call(x, indices, y layout.Layout) (c indexedCall) {
	dim := 0
	if n := x.Rank(); n > 0 {
		dim = (o.dim + n) % n
	}
	switch o.form {
	case formAlong:
		for d := range indices.Rank() {
			stride := x.Stride(d)
			if d == dim {
				stride = 0
			}
			c.row(indices.Size(d), stride, y.Stride(d), indices.Stride(d))
		}
		c.Coords = []kernels.IndexedCoord{{X: x.Stride(dim), Most: x.Size(dim) - 1}}
	case formSelect:
		for d := range indices.Rank() {
			c.row(indices.Size(d), 0, y.Stride(dim+d), indices.Stride(d))
		}
		for d := range x.Rank() {
			switch {
			case d < dim:
				c.window(x.Size(d), x.Stride(d), y.Stride(d))
			case d > dim:
				c.window(x.Size(d), x.Stride(d), y.Stride(d+indices.Rank()-1))
			}
		}
		c.Coords = []kernels.IndexedCoord{{X: x.Stride(dim), Most: x.Size(dim) - 1}}
	case formSlice:
		c.clamp = true
		for d := range x.Rank() {
			c.window(y.Size(d), x.Stride(d), y.Stride(d))
			if most := x.Size(d) - y.Size(d); most > 0 {
				c.Coords = append(c.Coords, kernels.IndexedCoord{X: x.Stride(d), Most: most, I: d * indices.Stride(0)})
			}
		}
	case formWindows:
		c.clamp = o.op == "gather"
		c.strict = !c.clamp
		decodeWindows(o.spec).call(&c, x, indices, y)
	}
	return c
}

// merge drops dimensions of one element and merges those that are one run in all tensors, rows in their order and dimensions of windows in
// the order of memory of y.
func (c *indexedCall) merge() {
	slices.SortStableFunc(c.Window, func(a, b kernels.IndexedDim) int { return cmp.Compare(max(b.Y, -b.Y), max(a.Y, -a.Y)) })
	c.Rows, c.Window = mergedDims(c.Rows), mergedDims(c.Window)
}

func mergedDims(dims []kernels.IndexedDim) (merged []kernels.IndexedDim) {
	for _, d := range dims {
		last := len(merged) - 1
		switch {
		case d.Size == 1:
		case last >= 0 && merged[last].X == d.Size*d.X && merged[last].Y == d.Size*d.Y && merged[last].I == d.Size*d.I:
			merged[last] = kernels.IndexedDim{Size: merged[last].Size * d.Size, X: d.X, Y: d.Y, I: d.I}
		default:
			merged = append(merged, d)
		}
	}
	if merged == nil {
		merged = []kernels.IndexedDim{{Size: 1}}
	}
	return merged
}

// steps are all strides of x, or of y.
func (c *indexedCall) steps(of func(kernels.IndexedDim) int, coords bool) (list []*int) {
	for _, dims := range [][]kernels.IndexedDim{c.Rows, c.Window} {
		for i := range dims {
			d := &dims[i]
			if of(kernels.IndexedDim{X: 1}) == 1 {
				list = append(list, &d.X)
			} else {
				list = append(list, &d.Y)
			}
		}
	}
	for i := range c.Coords {
		if coords {
			list = append(list, &c.Coords[i].X)
		}
	}
	return list
}

func xOf(d kernels.IndexedDim) int { return d.X }

func yOf(d kernels.IndexedDim) int { return d.Y }

// inner is the last dimension of windows.
func (c *indexedCall) inner() *kernels.IndexedDim { return &c.Window[len(c.Window)-1] }

// scaled counts in words of n elements each, if x and y consist of whole ones; x and y are where they start.
func (c *indexedCall) scaled(n int, x, y *int) bool {
	in := c.inner()
	if in.X != 1 || in.Y != 1 || in.Size%n != 0 || *x%n != 0 || *y%n != 0 {
		return false
	}
	all := append(c.steps(xOf, true), c.steps(yOf, false)...)
	for _, s := range all {
		if s != &in.X && s != &in.Y && *s%n != 0 {
			return false
		}
	}
	for _, s := range all {
		if s != &in.X && s != &in.Y {
			*s /= n
		}
	}
	in.Size, *x, *y = in.Size/n, *x/n, *y/n
	return true
}

// halved counts in words, of which each element of 64 bits has two.
func (c *indexedCall) halved(x, y *int) {
	for _, s := range append(c.steps(xOf, true), c.steps(yOf, false)...) {
		*s *= 2
	}
	*x, *y = 2**x, 2**y
	c.window(2, 1, 1)
	c.Window = mergedDims(c.Window)
}

// run is how many elements along the last dimension of a tile are neighbours and aligned, at most a vector; 0 if strides there are not 1.
func (c *indexedCall) run(elem weft.DType, first int, of func(kernels.IndexedDim) int, coords, rowsLast bool) int {
	last := *c.inner()
	if rowsLast {
		if last = c.Rows[len(c.Rows)-1]; len(c.Rows) > 1 || coords {
			return 0
		}
	}
	if of(last) != 1 {
		return 0
	}
	together := 16/elem.Size() | first | last.Size
	for _, s := range c.steps(of, coords) {
		if *s != 1 {
			together |= *s
		}
	}
	n := 0
	for _, s := range c.steps(of, coords) {
		if *s == 1 {
			n++
		}
	}
	if n > 1 { // another dimension has stride 1, too
		return 1
	}
	return together & -together
}

// memoryOf is the memory that a tensor reaches as a vector of elements of a type, and where the tensor's first element is in it.
func memoryOf(op, name string, t *weft.Tensor, elem weft.DType, words, parts int) (weft.TensorView, int, error) {
	lo, hi := t.Layout().Bounds()
	first := t.Layout().Offset()
	if lo > hi { // nothing
		lo, hi, first = 0, -1, 0
	}
	const align = 16
	lo = lo / align * align
	n := (hi - lo + 1) * words / parts
	if n > math.MaxInt32 {
		return weft.TensorView{}, 0, fault.New(weft.ErrLimit, op, "its elements reach over %d, want less than 2^31", hi-lo+1).For(name)
	}
	l, err := layout.Strided([]int{n}, []int{1}, lo*words/parts)
	return weft.TensorView{Tensor: t, Layout: l, Elem: elem}, first - lo, err
}

// indexedTensors are the tensors of a call with their names.
type indexedTensors struct{ x, indices, y operand }

// problem prepares a launch that moves elements as they are, or changes those of x.
func (o *indexedOptions) problem(c *indexedCall, t indexedTensors, kind ScatterKind, scatter bool) (p kernels.IndexedProblem, views [3]weft.TensorView, err error) {
	elem := t.x.tensor.DType()
	c.merge()
	var x, y int
	words, parts, seen := 1, 1, elem
	if views[0], x, err = memoryOf(o.op, t.x.name, t.x.tensor, elem, 1, 1); err != nil {
		return p, views, err
	}
	if views[2], y, err = memoryOf(o.op, t.y.name, t.y.tensor, t.y.tensor.DType(), 1, 1); err != nil {
		return p, views, err
	}
	moves := kind == kernels.ScatterSet || kind == kernels.ScatterNote || kind == kernels.ScatterNoted
	switch {
	case elem.Size() == 8 && (!scatter || moves && !t.x.tensor.Device().Caps().Int64):
		c.halved(&x, &y)
		words, seen = 2, weft.U32
	case elem.Size() == 8 && kind == kernels.ScatterAdd:
		words = 2
	case moves && elem.Size() < 8 && kind != kernels.ScatterNote && kind != kernels.ScatterNoted:
		if n := 4 / elem.Size(); n == 1 || c.scaled(n, &x, &y) {
			parts, seen = n, weft.U32
		} else if elem == weft.Bool {
			seen = weft.U8
		}
	case moves && elem == weft.Bool:
		seen = weft.U8
	case moves && elem == weft.F64:
		seen = weft.U64
	}
	err = o.finish(&p, c, t, seen, words, parts, x, y, kind, scatter, &views)
	return p, views, err
}

// finish fills in a problem and the views of what kernels see as elements of a type.
func (o *indexedOptions) finish(p *kernels.IndexedProblem, c *indexedCall, t indexedTensors, seen weft.DType, words, parts, x, y int, kind ScatterKind, scatter bool, views *[3]weft.TensorView) (err error) {
	view := seen
	if words == 2 {
		view = weft.U32
	}
	from := view
	if scatter && t.y.tensor.DType() != t.x.tensor.DType() {
		from = t.y.tensor.DType()
	}
	if views[0], _, err = memoryOf(o.op, t.x.name, t.x.tensor, view, words, parts); err != nil {
		return err
	}
	if views[2], _, err = memoryOf(o.op, t.y.name, t.y.tensor, from, words, parts); err != nil {
		return err
	}
	index := t.indices.tensor.DType()
	pairs, seenIndex := 1, index
	if index == weft.I64 {
		pairs, seenIndex = 2, weft.U32
	}
	if views[1], c.I, err = memoryOf(o.op, t.indices.name, t.indices.tensor, seenIndex, pairs, 1); err != nil {
		return err
	}
	c.X, c.Y = x, y
	rows := c.Rows[len(c.Rows)-1]
	in := *c.inner()
	*p = kernels.IndexedProblem{
		Elem: seen, From: from, Index: index, Rows: int8(len(c.Rows)), Window: int8(len(c.Window)), Coords: int8(len(c.Coords)), Clamp: c.clamp,
		Scatter: scatter, Kind: kind, RowsLast: rows.Size > 1 && (in.Size == 1 || max(rows.Y, -rows.Y) < max(in.Y, -in.Y)), Sizes: [3]int{1, 1, in.Size}, Known: 1,
	}
	for _, d := range c.Rows {
		p.Sizes[0] *= d.Size
	}
	for _, d := range c.Window[:len(c.Window)-1] {
		p.Sizes[1] *= d.Size
	}
	for _, coord := range c.Coords {
		p.Known = min(p.Known*max(coord.Most+1, 1), math.MaxInt32)
	}
	if p.Sizes[0] > math.MaxInt32 || p.Sizes[1] > math.MaxInt32 || p.Sizes[2] > math.MaxInt32 {
		return fault.New(weft.ErrLimit, o.op, "%v windows and elements, want less than 2^31", p.Sizes).For(t.indices.name)
	}
	if scatter {
		views[0].Elem, views[2].Elem = p.Config(kernels.IndexedSizes{}).ScatterViews()
	}
	p.XRun, p.YRun = int8(c.run(seen, x, xOf, true, p.RowsLast)), int8(c.run(seen, y, yOf, false, p.RowsLast))
	return nil
}

// checkIndices checks the indices' type and device.
func checkIndices(op string, indices, x operand) error {
	if indices.tensor == nil {
		return fault.New(weft.ErrArgument, op, "the tensor is nil").For(indices.name)
	}
	if e := indices.tensor.DType(); e != weft.U32 && e != weft.I64 {
		return checkGiven(op, indices, x, weft.I32)
	}
	return checkGiven(op, indices, x, indices.tensor.DType())
}
