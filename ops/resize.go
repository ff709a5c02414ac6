package ops

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// ResizeMode says which elements of a tensor a resized one is made of.
type ResizeMode = kernels.ResizeMode

// The modes of Resize. Element o of a dimension of m elements, of one of n, is at (o + ½)·n/m - ½ in it, counted in elements, or with AlignCorners
// at o·(n-1)/(m-1). Elements outside of the tensor are those at its edge.
const (
	// ResizeNearest takes element ⌊o·n/m⌋, which is PyTorch's "nearest".
	ResizeNearest = kernels.ResizeNearest
	// ResizeNearestExact takes the element that is nearest, the later one of two: ⌊(o + ½)·n/m⌋, PyTorch's "nearest-exact".
	ResizeNearestExact = kernels.ResizeNearestExact
	// ResizeLinear is a mean of the two elements next to the place, by its distances from them, along each dimension: bilinear in two dimensions,
	// trilinear in three.
	ResizeLinear = kernels.ResizeLinear
	// ResizeCubic is a cubic convolution of the four next elements with a slope of -0.75, along each dimension: PyTorch's "bicubic" in two dimensions.
	ResizeCubic = kernels.ResizeCubic
)

// ResizeOption changes where the elements of a resized tensor are.
type ResizeOption interface{ setResize(*resizeCall) }

type resizeOption func(*resizeCall)

func (f resizeOption) setResize(c *resizeCall) { f(c) }

// AlignCorners has Resize put the first and the last element of each dimension where those of the tensor are, in the modes linear and cubic.
func AlignCorners() ResizeOption { return resizeOption(func(c *resizeCall) { c.corners = true }) }

// ResizeScales has Resize make ⌊n·scale⌋ elements of n along each of the last dimensions, as many as there are scales, and has them 1/scale elements apart, even
// where the sizes say something else. A scale counts as a fraction: the first one of its continued fraction that rounds to it, so that 1.1 is
// 11/10, or the last one of terms up to 2^27. With AlignCorners scales only give the sizes.
func ResizeScales(scales ...float64) ResizeOption {
	return resizeOption(func(c *resizeCall) {
		if c.scaled = int8(min(len(scales), maxWindow)); len(scales) > maxWindow {
			c.wrong = fmt.Sprintf("%d scales, want at most %d", len(scales), maxWindow)
			return
		}
		for d, s := range scales {
			if !(s >= 0x1p-20 && s <= 0x1p20) { // NaN, too
				c.wrong = fmt.Sprintf("scale %v, want 2^-20 to 2^20", s)
				return
			}
			c.scales[d] = s
		}
	})
}

// resizeCall is what a call asks for.
type resizeCall struct {
	given
	mode    ResizeMode
	corners bool
	dims    int8 // how many sizes there are
	scaled  int8 // how many scales there are
	sizes   [maxWindow]int
	scales  [maxWindow]float64
	wrong   string
}

var resizePool = sync.Pool{New: func() any { return new(resizeCall) }}

func newResize(op string, mode ResizeMode, sizes []int, options []ResizeOption) resizeCall {
	c := applied(&resizePool, resizeCall{given: given{op: op}, mode: mode}, options, ResizeOption.setResize)
	if c.dims = int8(min(len(sizes), maxWindow)); len(sizes) > maxWindow {
		c.wrong = fmt.Sprintf("%d sizes, want at most %d", len(sizes), maxWindow)
	}
	copy(c.sizes[:], sizes)
	return c
}

var resizes = declare(declaration[resizeCall]{
	inputs: []string{"x"}, needed: 1, types: resizeTypes,
	check: func(c *resizeCall, in []*weft.Tensor) ([]int, error) {
		from := in[0].Shape()
		to, err := c.results(from)
		if err != nil {
			return nil, err
		}
		_, _, err = c.lines(from, to)
		return to, err
	},
	launch: func(c *resizeCall, out *weft.Tensor, in []*weft.Tensor) error {
		taps, lines, err := c.lines(in[0].Shape(), out.Shape())
		if err != nil {
			return err
		}
		return c.run(out, in[0], taps, lines)
	},
})

// resizeTypes are all types for elements that only move.
func resizeTypes(c resizeCall, t weft.DType) bool {
	if c.op == "resize" && c.mode.Taps() <= 1 {
		return t.Valid()
	}
	return t.IsFloat()
}

// Resize returns x with other sizes of its last dimensions, as many as sizes are given: images [N,C,H,W] by two, sequences [N,C,L] by one, volumes
// by three, and images [N,H,W,C] by sizes such as h, w, C. x is of floats, in any view, and in the modes nearest of any element type. Places of elements are
// computed in integers and hold for all sizes; weighted sums are computed in F32, or in F64 of F64, and rounded once. Elements that have a weight
// of 0 have no part in a sum, not even infinite ones.
//
// Errors: ErrArgument for nil, sizes below 0, a mode that there is not, AlignCorners in a mode nearest, and sizes next to ResizeScales; ErrShape for more
// sizes than x has dimensions, and for a dimension without elements that is to have some; ErrUnsupported for other element types and for more than 5 dimensions
// that do not merge; ErrLimit for sizes whose ratio has terms beyond 2^27; ErrClosed, ErrOutOfMemory.
func Resize(x *weft.Tensor, mode ResizeMode, sizes []int, options ...ResizeOption) (*weft.Tensor, error) {
	return resizes.new(newResize("resize", mode, sizes, options), x)
}

// ResizeInto writes what Resize returns into out.
//
// Errors: as for Resize, and ErrUnsupported if out repeats elements or overlaps x.
func ResizeInto(out, x *weft.Tensor, mode ResizeMode, sizes []int, options ...ResizeOption) error {
	return resizes.into(newResize("resize", mode, sizes, options), out, x)
}

// check checks what does not depend on tensors but for the rank of one.
func (c *resizeCall) check(arg string, shape []int, dims int) error {
	switch {
	case c.wrong != "":
		return fault.New(weft.ErrArgument, c.op, "%s", c.wrong).For("sizes")
	case !c.mode.Valid():
		return fault.New(weft.ErrArgument, c.op, "mode %d does not exist", uint8(c.mode)).For("mode")
	case c.corners && c.mode.Taps() == 1:
		return fault.New(weft.ErrArgument, c.op, "corners are aligned in the modes linear and cubic alone, not in %v", c.mode).For("mode")
	case dims > len(shape):
		return fault.New(weft.ErrShape, c.op, "shape %v has %s, %d are resized", shape, fault.Count(len(shape), "dimension"), dims).For(arg)
	}
	for _, n := range c.sizes[:c.dims] {
		if n < 0 {
			return fault.New(weft.ErrArgument, c.op, "%d, want at least 0", n).For("sizes")
		}
	}
	return nil
}

// results is the shape of what Resize makes of a shape.
func (c *resizeCall) results(from []int) ([]int, error) {
	dims := int(max(c.dims, c.scaled))
	if err := c.check("x", from, dims); err != nil {
		return nil, err
	}
	if c.dims > 0 && c.scaled > 0 {
		return nil, fault.New(weft.ErrArgument, c.op, "%s and %s, want one of them", fault.Count(int(c.dims), "size"), fault.Count(int(c.scaled), "scale")).For("sizes")
	}
	to := slices.Clone(from)
	for i, d := 0, len(from)-dims; i < dims; i, d = i+1, d+1 {
		to[d] = c.sizes[i]
		if c.scaled > 0 {
			to[d] = scaledSize(from[d], c.scales[i])
		}
		if to[d] > math.MaxInt32 {
			return nil, fault.New(weft.ErrLimit, c.op, "dimension %d of %d elements becomes one of %d, want at most 2^31-1", d, from[d], to[d]).For("sizes")
		}
	}
	return to, nil
}

func scaledSize(n int, scale float64) int { return int(math.Floor(float64(n) * scale)) }

// lines are how many elements are weighted along each dimension, 0 where it stays as it is, and where elements are, from a shape to another.
func (c *resizeCall) lines(from, to []int) ([]int, []kernels.ResizeLine, error) {
	taps, lines := make([]int, len(from)), make([]kernels.ResizeLine, len(from))
	first := len(from) - int(max(c.dims, c.scaled))
	for d := max(first, 0); d < len(from); d++ {
		n, m, num, den := from[d], to[d], from[d], to[d]
		if c.scaled > 0 {
			num, den = scaleTerms(c.scales[d-first])
			num, den = den, num // elements are as far apart as there are fewer of them
		}
		switch {
		case n == 0 && m > 0:
			return nil, nil, fault.New(weft.ErrShape, c.op, "dimension %d of shape %v has no elements", d, from).For("x")
		case m == 0 || n == m && (num == den || c.corners):
			continue
		}
		if taps[d] = c.mode.Taps(); n == 1 {
			taps[d] = 1
		}
		line, fits := kernels.ResizeLineOf(c.mode, c.corners, n, m, num, den)
		if !fits {
			return nil, nil, fault.New(weft.ErrLimit, c.op, "dimension %d of %d elements to %d, want a ratio of terms up to 2^27", d, n, m).For("sizes")
		}
		lines[d] = line
	}
	return taps, lines, nil
}

// scaleTerms is the first fraction of a number's continued fraction that rounds to it, or the last one of terms up to 2^27.
func scaleTerms(x float64) (num, den int) {
	const most = 1 << 27
	exact := new(big.Rat)
	exact.SetFloat64(x)
	a, b := new(big.Int).Set(exact.Num()), new(big.Int).Set(exact.Denom())
	before, last := [2]int{0, 1}, [2]int{1, 0}
	for b.Sign() > 0 && (last[1] == 0 || float64(last[0])/float64(last[1]) != x) {
		whole, rest := new(big.Int).QuoRem(a, b, new(big.Int))
		if !whole.IsInt64() || whole.Int64() > most {
			break
		}
		n := int(whole.Int64())
		next := [2]int{n*last[0] + before[0], n*last[1] + before[1]}
		if max(next[0], next[1]) > most {
			break
		}
		before, last = last, next
		a, b = b, rest
	}
	return last[0], last[1]
}

// run makes out of x by lines.
func (c *resizeCall) run(out, x *weft.Tensor, taps []int, lines []kernels.ResizeLine) error {
	a, err := mergeAxes([]layout.Layout{x.Layout(), out.Layout()}, func(d int) bool { return taps[d] > 0 })
	if err != nil {
		return err
	}
	p := kernels.ResizeProblem{Grad: c.op != "resize"}
	views := []weft.TensorView{ownView(x), ownView(out)}
	views[0].Layout, views[1].Layout = a.layouts[0], a.layouts[1]
	own := a.own
	if !slices.ContainsFunc(taps, func(n int) bool { return n > 1 }) && !p.Grad { // elements move
		if views = asBytes(views); x.DType().Size() == 8 {
			views, own = halvesOf(views), append(slices.Clone(own), -1)
		}
	}
	rank := views[1].Layout.Rank()
	if err := checkRank(c.op, "x", x.Shape(), rank); err != nil {
		return err
	}
	p.Elem, p.Out = seenElem(views[1]), viewOf(views[1].Layout)
	merged := make([]kernels.ResizeLine, rank)
	for i := range rank {
		p.From[i] = views[0].Layout.Size(i)
		if i < len(own) && own[i] >= 0 {
			p.Taps[i], merged[i] = int8(taps[own[i]]), lines[own[i]]
		}
	}
	reach := p.SetLines(merged)
	cfg := p.Config(pick(resizeTune, x.Device(), p))
	if p.Grad {
		return kernels.ResizeGrad.LaunchViews(cfg, p.GradScalars(merged, reach), views...)
	}
	return kernels.Resize.LaunchViews(cfg, p.Scalars(merged), views...)
}
