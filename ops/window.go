package ops

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// Window says which elements of a tensor windows have, dimension by dimension. Its lists are for the last dimensions of the tensor, as many as Size
// has; the dimensions before them have no windows. Lists that are nil stand for ones, but for Stride, and Padding, none if nil.
type Window struct {
	Size         []int    // elements of a window
	Stride       []int    // from a window to the next one; that of Size if nil, so that windows are side by side
	Dilation     []int    // from an element of a window to the next one
	BaseDilation []int    // from an element of the tensor to the next one, between which there is nothing
	Padding      [][2]int // what windows have before the first element and after the last one, which is nothing; less than 0 leaves elements out
}

// WindowReduction is what is computed of the elements in a window.
type WindowReduction uint8

// The reductions of windows. Padding, and what there is between elements with a base dilation, is no part of any of them but of WindowMeanPadded.
const (
	WindowSum        WindowReduction = iota
	WindowMean                       // of the elements that there are
	WindowMeanPadded                 // the sum divided by the number of places in a window
	WindowMax                        // NaN if an element is
	WindowMin
	WindowProd
	windowReductions
)

var windowOps = [windowReductions]kernels.ReduceOp{kernels.ReduceSum, kernels.ReduceMean, kernels.ReduceMean, kernels.ReduceMax, kernels.ReduceMin, kernels.ReduceProd}

// maxWindow is how many dimensions windows have at most.
const maxWindow = 8

// windowCall is a call's window, as a part of a memo's key.
type windowCall struct {
	given
	kind                   WindowReduction
	dims                   int8
	adaptive               bool // size holds those of the result
	size, stride, gap, zap [maxWindow]int32
	padding                [maxWindow][2]int32
	wrong                  string // what is wrong with the lists
	beyond                 string // what of them is beyond 32 bits
}

func newWindow(op string, kind WindowReduction, w Window) windowCall {
	c := windowCall{given: given{op: op}, kind: kind}
	n := len(w.Size)
	if n > maxWindow {
		c.wrong = fmt.Sprintf("size: %d dimensions, want at most %d", n, maxWindow)
		return c
	}
	c.dims = int8(n)
	if w.Stride == nil {
		w.Stride = w.Size
	}
	for _, l := range []struct {
		name string
		from []int
		to   *[maxWindow]int32
	}{{"size", w.Size, &c.size}, {"stride", w.Stride, &c.stride}, {"dilation", w.Dilation, &c.gap}, {"base dilation", w.BaseDilation, &c.zap}} {
		if l.from != nil && len(l.from) != n {
			c.wrong = fmt.Sprintf("%s: %d numbers, size has %d", l.name, len(l.from), n)
			return c
		}
		for d := range n {
			if l.to[d] = 1; l.from != nil {
				l.to[d] = fit32(l.from[d])
			}
			if l.to[d] < 1 {
				c.wrong = fmt.Sprintf("%s: %d, want at least 1", l.name, l.from[d])
				return c
			}
			if counts := l.to == &c.size || l.to == &c.zap; counts && l.from != nil && l.from[d] > math.MaxInt32 { // a longer step leads out of any tensor
				c.beyond = fmt.Sprintf("%s: %d, want at most 2^31-1", l.name, l.from[d])
			}
		}
	}
	if w.Padding != nil && len(w.Padding) != n {
		c.wrong = fmt.Sprintf("padding: %d pairs, size has %d numbers", len(w.Padding), n)
		return c
	}
	for d, sides := range w.Padding {
		c.padding[d] = [2]int32{fit32(sides[0]), fit32(sides[1])}
		if least, most := min(sides[0], sides[1]), max(sides[0], sides[1]); least < -math.MaxInt32 || most > math.MaxInt32 {
			c.beyond = fmt.Sprintf("padding: %v, want magnitudes of at most 2^31-1", sides)
		}
	}
	return c
}

// windowDim is a dimension of a kernel: see kernels.WindowShape.
type windowDim struct {
	size, stride, gap, base, offset int
	resized                         bool // the result has more or fewer elements along it, if only at the end
}

// noWindow is a dimension without windows.
var noWindow = windowDim{size: 1, stride: 1, gap: 1, base: 1}

func (w windowDim) trivial() bool {
	return w.size == 1 && w.stride == 1 && w.base == 1 && w.offset == 0 && !w.resized
}

// of are the dimensions of a tensor, and the shape of the result.
func (c *windowCall) of(x *weft.Tensor) (dims []windowDim, shape []int, err error) {
	first := x.Rank() - int(c.dims)
	switch {
	case c.wrong != "":
		return nil, nil, fault.New(weft.ErrArgument, c.op, "%s", c.wrong).For("window")
	case c.beyond != "":
		return nil, nil, fault.New(weft.ErrLimit, c.op, "%s", c.beyond).For("window")
	case c.kind >= windowReductions:
		return nil, nil, fault.New(weft.ErrArgument, c.op, "%d is no reduction", c.kind).For("reduction")
	case first < 0:
		return nil, nil, fault.New(weft.ErrShape, c.op, "shape %v has %s, the window has %d", x.Shape(), fault.Count(x.Rank(), "dimension"), c.dims).For("x")
	}
	shape = x.Shape()
	for d, n := range shape {
		w := noWindow
		if i := d - first; i >= 0 && c.adaptive {
			if w, err = c.divide(x.Shape(), d, n, int(c.size[i])); err != nil {
				return nil, nil, err
			}
			shape[d] = int(c.size[i])
		} else if i >= 0 {
			w = windowDim{size: int(c.size[i]), stride: int(c.stride[i]), gap: int(c.gap[i]), base: int(c.zap[i]), offset: -int(c.padding[i][0])}
			if shape[d], err = c.results(x, d, n, w, int(c.padding[i][1])); err != nil {
				return nil, nil, err
			}
			w.resized = shape[d] != n
		}
		dims = append(dims, w)
	}
	if x.Len() == 0 && !slices.Contains(shape, 0) {
		return nil, nil, fault.New(weft.ErrShape, c.op, "shape %v has no elements", x.Shape()).For("x")
	}
	return dims, shape, nil
}

// results is how many windows there are along dimension d of n elements.
func (c *windowCall) results(x *weft.Tensor, d, n int, w windowDim, after int) (int, error) {
	if n == 0 && w.trivial() && after == 0 {
		return 0, nil
	}
	length := max(n-1, 0)*w.base + min(n, 1) - w.offset + after
	reach := (w.size-1)*w.gap + 1
	if length < reach {
		return 0, fault.New(weft.ErrShape, c.op, "windows reach over %s of dimension %d, which has %d with its padding, of shape %v", fault.Count(reach, "element"), d, length, x.Shape()).For("window")
	}
	if length > math.MaxInt32 || reach > math.MaxInt32 {
		return 0, fault.New(weft.ErrLimit, c.op, "dimension %d has %d elements with its padding, want at most 2^31-1", d, length).For("window")
	}
	return (length-reach)/w.stride + 1, nil
}

// divide is the window of dimension d, of n elements of a tensor of a shape, that has so many results: parts that are equal, or as equal as can be.
func (c *windowCall) divide(shape []int, d, n, results int) (windowDim, error) {
	switch {
	case results < 0:
		return windowDim{}, fault.New(weft.ErrArgument, c.op, "%d, want at least 0", results).For("sizes")
	case n == 0 && results > 0:
		return windowDim{}, fault.New(weft.ErrShape, c.op, "dimension %d of shape %v has no elements", d, shape).For("x")
	case results == 0 || n%results == 0:
		size := n / max(results, 1)
		return windowDim{size: max(size, 1), stride: max(size, 1), gap: 1, base: 1}, nil
	case int64(n)*int64(results+1) > math.MaxInt32:
		return windowDim{}, fault.New(weft.ErrLimit, c.op, "%d parts of %d elements, want a product of at most 2^31-1", results, n).For("sizes")
	}
	size := 2 // windows of one place are none to the kernel, and with more results than elements several have the same one
	for o := range results {
		size = max(size, ((o+1)*n+results-1)/results-o*n/results)
	}
	return windowDim{size: size, gap: 1, base: 1}, nil // a stride of 0 says that the parts differ
}

var windows = declare(declaration[windowCall]{
	inputs: []string{"x"}, needed: 1,
	types: func(c windowCall, t weft.DType) bool { return c.takes(t) },
	check: func(c *windowCall, in []*weft.Tensor) ([]int, error) {
		_, shape, err := c.of(in[0])
		return shape, err
	},
	launch: func(c *windowCall, out *weft.Tensor, in []*weft.Tensor) error {
		dims, _, err := c.of(in[0])
		if err != nil {
			return err
		}
		r := windowRun{op: c.op, kind: windowOps[c.kind], dims: dims, each: c.kind == WindowMean}
		if whole, ok := r.whole(out, in[0]); ok {
			return whole.run(out, in[0])
		}
		return r.run(out, in[0], nil)
	},
})

func (c *windowCall) takes(t weft.DType) bool {
	return c.kind >= windowReductions || windowOps[c.kind].Takes(t)
}

// ReduceWindow reduces the elements in each of the windows of x: a new tensor with a result for each window, of the element type of x. Windows are
// along the last dimensions of x, as many as w.Size has, and have
//
//	⌊((n-1)·BaseDilation + 1 + before + after - (Size-1)·Dilation - 1) / Stride⌋ + 1
//
// results in a dimension of n elements. x is of any numeric type, of floats for means, in any views. Sums and products of floats are in F32, and are rounded
// once; those of integers wrap. Reductions of no elements are 0, those to a product 1, and those to the largest or smallest element the least or
// greatest number of the type, of floats an infinity.
//
// Errors: ErrArgument for nil, lists of another length than Size, and sizes, strides and dilations below 1; ErrShape for windows that
// reach beyond x and its padding, for more dimensions of windows than x has, and for an x without elements that is to have results; ErrUnsupported for other element types and for more than 5
// dimensions that do not merge; ErrLimit, ErrClosed.
func ReduceWindow(x *weft.Tensor, r WindowReduction, w Window) (*weft.Tensor, error) {
	return windows.new(newWindow("reduce_window", r, w), x)
}

// ReduceWindowInto writes what ReduceWindow returns into out.
//
// Errors: as for ReduceWindow, and ErrUnsupported if out repeats elements or overlaps x.
func ReduceWindowInto(out, x *weft.Tensor, r WindowReduction, w Window) error {
	return windows.into(newWindow("reduce_window", r, w), out, x)
}

// MaxPool returns the largest element of each window: of images [N,C,H,W] with a Size of two numbers, of sequences [N,C,L] with one, of volumes
// with three, and of images [N,H,W,C] with a Size such as {2, 2, 1}. It is ReduceWindow with WindowMax.
func MaxPool(x *weft.Tensor, w Window) (*weft.Tensor, error) {
	return windows.new(newWindow("max_pool", WindowMax, w), x)
}

// MaxPoolInto writes what MaxPool returns into out; see ReduceWindowInto.
func MaxPoolInto(out, x *weft.Tensor, w Window) error {
	return windows.into(newWindow("max_pool", WindowMax, w), out, x)
}

// AvgPool returns the mean of each window, padding being zeros of it: ReduceWindow with WindowMeanPadded. WindowMean leaves padding out. See MaxPool.
func AvgPool(x *weft.Tensor, w Window) (*weft.Tensor, error) {
	return windows.new(newWindow("avg_pool", WindowMeanPadded, w), x)
}

// AvgPoolInto writes what AvgPool returns into out; see ReduceWindowInto.
func AvgPoolInto(out, x *weft.Tensor, w Window) error {
	return windows.into(newWindow("avg_pool", WindowMeanPadded, w), out, x)
}

// AdaptivePool reduces parts of x: along its last dimensions into as many as sizes say, which are as equal as can be. Part i of m of n elements has those
// from ⌊i·n/m⌋ to below ⌈(i+1)·n/m⌉, as in PyTorch. For types see ReduceWindow.
//
// Errors: as for ReduceWindow, ErrShape for parts of nothing, and ErrLimit if parts that are not equal are so many that their number times that of the elements is
// beyond 31 bits.
func AdaptivePool(x *weft.Tensor, r WindowReduction, sizes ...int) (*weft.Tensor, error) {
	return windows.new(newAdaptive("adaptive_pool", r, sizes), x)
}

// AdaptivePoolInto writes what AdaptivePool returns into out; see ReduceWindowInto.
func AdaptivePoolInto(out, x *weft.Tensor, r WindowReduction, sizes ...int) error {
	return windows.into(newAdaptive("adaptive_pool", r, sizes), out, x)
}

func newAdaptive(op string, r WindowReduction, sizes []int) windowCall {
	c := windowCall{given: given{op: op}, kind: r, adaptive: true, dims: int8(min(len(sizes), maxWindow))}
	if len(sizes) > maxWindow {
		c.wrong = fmt.Sprintf("%d sizes, want at most %d", len(sizes), maxWindow)
	}
	if c.kind == WindowMeanPadded {
		c.kind = WindowMean
	}
	for d, n := range sizes[:c.dims] {
		c.size[d] = fit32(n)
	}
	return c
}

// fit32 is an int as an option's field, at the end of its range if it is beyond.
func fit32(x int) int32 { return int32(min(max(x, -1<<31), 1<<31-1)) }
