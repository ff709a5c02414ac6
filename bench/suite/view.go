package suite

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
)

// view is how a work sees an input that is dense in memory.
type view struct {
	kind           string
	base           []int // the dense input's shape
	shape, strides []int // strides in elements of it
	offset         int
}

// dense sees a tensor as it is.
func dense(shape []int) view {
	strides, step := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		strides[d] = step
		step *= shape[d]
	}
	return view{kind: "dense", base: shape, shape: slices.Clone(shape), strides: strides}
}

// stepped sees each nth element along a dimension.
func stepped(shape []int, dim, n int) view {
	base := slices.Clone(shape)
	base[dim] *= n
	v := dense(base)
	v.kind, v.shape = "stepped", shape
	v.strides[dim] *= n
	return v
}

// sliced sees a part of a tensor that has more elements along a dimension, half of them before the part.
func sliced(shape []int, dim, more int) view {
	base := slices.Clone(shape)
	base[dim] += more
	v := dense(base)
	v.kind, v.shape, v.offset = "sliced", shape, more/2*v.strides[dim]
	return v
}

// transposed sees a tensor with its dimensions in another order: its dimension d is the dense one's dims[d].
func transposed(shape []int, dims []int) view {
	base := make([]int, len(shape))
	for d, from := range dims {
		base[from] = shape[d]
	}
	v := dense(base)
	strides := slices.Clone(v.strides)
	for d, from := range dims {
		v.strides[d] = strides[from]
	}
	v.kind, v.shape = "transposed", shape
	return v
}

// broadcast sees one element along a dimension as many.
func broadcast(shape []int, dim int) view {
	base := slices.Clone(shape)
	base[dim] = 1
	v := dense(base)
	v.kind, v.shape, v.strides[dim] = "broadcast", shape, 0
	return v
}

// at is where in memory element i is, in row-major order.
func (v view) at(i int) int {
	at := v.offset
	for d := len(v.shape) - 1; d >= 0; d-- {
		at += i % v.shape[d] * v.strides[d]
		i /= v.shape[d]
	}
	return at
}

// elements are those in memory that are seen.
func (v view) elements() float64 {
	n := 1.0
	for d, size := range v.shape {
		if v.strides[d] != 0 {
			n *= float64(size)
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
	w.Params["view"] = map[string]any{"size": v.shape, "stride": v.strides, "storage_offset": v.offset}
	run, want := w.Run, w.Want
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
		l, err := layout.Strided(v.shape, v.strides, v.offset)
		if err != nil {
			return err
		}
		seen, err := in[0].AsStrided(l)
		if err != nil {
			return err
		}
		defer seen.Close()
		return run(out, []*weft.Tensor{seen})
	}
	w.Want = func(in []Values, i int) (float64, float64) {
		return want([]Values{func(i int) float64 { return in[0](v.at(i)) }}, i)
	}
	return w
}
