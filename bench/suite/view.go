package suite

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
)

// view is how a work sees an input that is dense in memory.
type view struct {
	kind string
	base []int // the dense input's shape
	layout.Layout
}

// viewed is a view of a dense tensor, by an operation that its sizes allow.
func viewed(kind string, base []int, op func(l layout.Layout) (layout.Layout, error)) view {
	l, err := layout.Contiguous(base...)
	if err == nil {
		l, err = op(l)
	}
	if err != nil {
		panic(err) // the sizes are the suite's own
	}
	return view{kind, base, l}
}

// resized is a shape with another size of a dimension.
func resized(shape []int, dim, size int) []int {
	other := slices.Clone(shape)
	other[dim] = size
	return other
}

// stepped sees each nth element along a dimension.
func stepped(shape []int, dim, n int) view {
	return viewed("stepped", resized(shape, dim, n*shape[dim]), func(l layout.Layout) (layout.Layout, error) { return l.Slice(dim, 0, l.Size(dim), n) })
}

// sliced sees a part of a tensor that has more elements along a dimension, half of them before the part.
func sliced(shape []int, dim, more int) view {
	return viewed("sliced", resized(shape, dim, shape[dim]+more), func(l layout.Layout) (layout.Layout, error) {
		return l.Slice(dim, more/2, more/2+shape[dim], 1)
	})
}

// transposed sees a tensor with its dimensions in another order: its dimension d is the dense one's dims[d].
func transposed(shape []int, dims []int) view {
	base := make([]int, len(shape))
	for d, from := range dims {
		base[from] = shape[d]
	}
	return viewed("transposed", base, func(l layout.Layout) (layout.Layout, error) { return l.Permute(dims...) })
}

// broadcast sees one element along a dimension as many.
func broadcast(shape []int, dim int) view {
	return viewed("broadcast", resized(shape, dim, 1), func(l layout.Layout) (layout.Layout, error) { return l.Broadcast(shape...) })
}

// element is where in memory element i is, in row-major order.
func (v view) element(i int) int {
	at := v.Offset()
	for d := v.Rank() - 1; d >= 0; d-- {
		at += i % v.Size(d) * v.Stride(d)
		i /= v.Size(d)
	}
	return at
}

// elements are those in memory that are seen.
func (v view) elements() float64 {
	n := 1.0
	for d := range v.Rank() {
		if v.Stride(d) != 0 {
			n *= float64(v.Size(d))
		}
	}
	return n
}

// seen is the work of a dense input with a view of it in the input's place.
func (w Work) seen(v view) Work {
	x := &w.Inputs[0]
	w.Name += " " + v.kind
	w.Bytes = w.Output.Bytes() + v.elements()*float64(x.Elem.Size())
	x.Shape = v.base
	w.Params["view"] = map[string]any{"size": v.Shape(), "stride": v.Strides(), "storage_offset": v.Offset()}
	run, want := w.Run, w.Want
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
		seen, err := in[0].AsStrided(v.Layout)
		if err != nil {
			return err
		}
		defer seen.Close()
		return run(out, []*weft.Tensor{seen})
	}
	w.Want = func(in []Values, i int) (float64, float64) {
		return want([]Values{func(i int) float64 { return in[0](v.element(i)) }}, i)
	}
	return w
}
