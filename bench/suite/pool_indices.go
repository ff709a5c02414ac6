package suite

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// windowOf is the layer's window.
func (l layer) windowOf() ops.Window {
	return ops.Window{Size: []int{l.kernel, l.kernel}, Stride: []int{l.stride, l.stride}, Padding: [][2]int{{l.padding, l.padding}, {l.padding, l.padding}}}
}

// indexedPool is a pool of largest elements with their places, which are one more operand, or such a pool and the elements put back.
func (l layer) indexedPool(op string, elem weft.DType) Work {
	x, small := normal(elem, l.images, l.channels, l.side, l.side), []int{l.images, l.channels, l.result(), l.result()}
	places := normal(weft.I32, small...)
	w := Work{
		Name: name(op, elem, size(x.Shape...), " ", size(l.kernel, l.kernel), "/", size(l.stride)), Op: op, Params: l.params(), Terms: l.kernel * l.kernel,
		Inputs: []Operand{x, places}, Output: normal(elem, small...),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.MaxPoolIndicesInto(out, in[1], in[0], l.windowOf())
		},
		Want: func(in []Values, i int) (want, bound float64) {
			want = math.Inf(-1)
			n, c, p, q := place(i, l.channels, l.result(), l.result())
			for _, at := range l.window(n, c, p, q) {
				want = max(want, in[0](at))
			}
			return want, 0
		},
	}
	if op == "max_pool_indices" {
		return w
	}
	values := w.Output
	w.Inputs, w.Output = append(w.Inputs, values), x
	w.Bytes = 2*x.Bytes() + 2*places.Bytes() + 2*values.Bytes()
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
		if err := ops.MaxPoolIndicesInto(in[2], in[1], in[0], l.windowOf()); err != nil {
			return err
		}
		return ops.MaxUnpoolInto(out, in[2], in[1], l.side, l.side)
	}
	w.Want = func(in []Values, i int) (want, bound float64) { // of windows side by side
		n, c, row, column := place(i, l.channels, l.side, l.side)
		if row/l.stride >= l.result() || column/l.stride >= l.result() {
			return 0, 0
		}
		best := -1
		for _, at := range l.window(n, c, row/l.stride, column/l.stride) {
			if best < 0 || in[0](at) > in[0](best) {
				best = at
			}
		}
		if best == i {
			want = in[0](i)
		}
		return want, 0
	}
	return w
}
