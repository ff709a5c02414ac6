package suite

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops/bounds"
)

// pools are windows of images as networks have them, and the gradients of the largest elements.
func pools(s Size) (list []Work) {
	images := layer{images: of(s, 32, 1, 1), channels: of(s, 64, 64, 5), side: of(s, 112, 56, 13), kernel: 3, stride: 2, padding: 1}
	pair := images
	pair.kernel, pair.stride, pair.padding = 2, 2, 0
	list = append(list, images.pool("max_pool", weft.F32), images.pool("max_pool", weft.F16), pair.pool("avg_pool", weft.F32),
		images.pool("reduce_window", weft.F32), images.pool("reduce_window_grad", weft.F32),
		images.indexedPool("max_pool_indices", weft.F32), images.indexedPool("max_pool_indices", weft.F16), pair.indexedPool("max_unpool", weft.F32))
	images.last = true
	return append(list, images.pool("max_pool", weft.F16), adaptive(weft.F32, images.images, of(s, 512, 64, 3), of(s, 30, 15, 7), of(s, 7, 7, 3)),
		adaptiveGradient(weft.F32, images.images, of(s, 512, 64, 3), of(s, 30, 15, 7), of(s, 7, 7, 3)))
}

// pool is a reduction of the layer's windows, or its gradient.
func (l layer) pool(op string, elem weft.DType) Work {
	images := size(l.images, l.channels, l.side, l.side)
	suffix := ""
	if l.last {
		suffix = " nhwc"
	}
	w := listed(op, elem, images+","+size(l.kernel, l.kernel), l.set)
	w.Name, w.Params, w.Terms = name(op, elem, images, " ", size(l.kernel, l.kernel), "/", size(l.stride), suffix), l.params(), l.kernel*l.kernel
	w.Want = func(in []Values, i int) (want, bound float64) {
		if op == "reduce_window_grad" {
			return l.poolGradient(in, i, elem)
		}
		n, c, p, q := place(i, l.channels, l.result(), l.result())
		if l.last {
			n, p, q, c = place(i, l.result(), l.result(), l.channels)
		}
		sum, magnitude, largest := 0.0, 0.0, math.Inf(-1)
		for _, at := range l.window(n, c, p, q) {
			x := in[0](at)
			sum, magnitude, largest = sum+x, magnitude+math.Abs(x), max(largest, x)
		}
		places := float64(l.kernel * l.kernel)
		switch op {
		case "max_pool":
			return largest, 0
		case "avg_pool":
			return sum / places, bounds.Mean(elem, l.kernel*l.kernel, sum/places, magnitude/places)
		}
		return sum, bounds.Sum(elem, l.kernel*l.kernel, sum, magnitude)
	}
	return w
}

// window lists the elements of a window.
func (l layer) window(n, c, p, q int) (list []int) {
	for i := range l.kernel {
		for j := range l.kernel {
			if at := l.at(n, c, p*l.stride-l.padding+i, q*l.stride-l.padding+j); at >= 0 {
				list = append(list, at)
			}
		}
	}
	return list
}

// poolGradient is the gradient of an element of the images: those of the windows in which it is the first of the largest ones.
func (l layer) poolGradient(in []Values, i int, elem weft.DType) (want, bound float64) {
	n, c, row, column := place(i, l.channels, l.side, l.side)
	magnitude := 0.0
	for p := max((row+l.padding-l.kernel)/l.stride, 0); p < l.result() && p*l.stride-l.padding <= row; p++ {
		for q := max((column+l.padding-l.kernel)/l.stride, 0); q < l.result() && q*l.stride-l.padding <= column; q++ {
			best := -1
			for _, at := range l.window(n, c, p, q) {
				if best < 0 || in[0](at) > in[0](best) {
					best = at
				}
			}
			if best == i {
				dy := in[1](((n*l.channels+c)*l.result()+p)*l.result() + q)
				want, magnitude = want+dy, magnitude+math.Abs(dy)
			}
		}
	}
	return want, bounds.Sum(elem, l.kernel*l.kernel, want, magnitude)
}

// adaptive is the means of parts of images.
func adaptive(elem weft.DType, images, channels, side, parts int) Work {
	w := listed("adaptive_pool", elem, size(images, channels, side, side)+","+size(parts, parts), func(*catalog.Options) {})
	w.Name, w.Params = name("adaptive_pool", elem, size(images, channels, side, side), " to ", size(parts, parts)), map[string]any{"parts": parts}
	w.Want = func(in []Values, i int) (want, bound float64) {
		n, c, p, q := place(i, channels, parts, parts)
		ends := func(i int) (from, to int) { return i * side / parts, ((i+1)*side + parts - 1) / parts }
		sum, magnitude, count := 0.0, 0.0, 0
		up, down := ends(p)
		left, right := ends(q)
		for row := up; row < down; row++ {
			for column := left; column < right; column++ {
				x := in[0](((n*channels+c)*side+row)*side + column)
				sum, magnitude, count = sum+x, magnitude+math.Abs(x), count+1
			}
		}
		mean := sum / float64(count)
		return mean, bounds.Mean(elem, count, mean, magnitude/float64(count))
	}
	return w
}

// adaptiveGradient is the gradient of adaptive.
func adaptiveGradient(elem weft.DType, images, channels, side, parts int) Work {
	w := listed("adaptive_pool_grad", elem, size(images, channels, side, side)+","+size(parts, parts), func(*catalog.Options) {})
	w.Name, w.Params = name("adaptive_pool_grad", elem, size(images, channels, side, side), " to ", size(parts, parts)), map[string]any{"parts": parts}
	w.Want = func(in []Values, i int) (want, bound float64) {
		n, c, row, column := place(i, channels, side, side)
		magnitude, terms := 0.0, 0
		for p := range parts {
			for q := range parts {
				ends := func(i int) (from, to int) { return i * side / parts, ((i+1)*side + parts - 1) / parts }
				up, down := ends(p)
				left, right := ends(q)
				if row < up || row >= down || column < left || column >= right {
					continue
				}
				v := in[0](((n*channels+c)*parts+p)*parts+q) / float64((down-up)*(right-left))
				want, magnitude, terms = want+v, magnitude+math.Abs(v), terms+1
			}
		}
		return want, bounds.Sum(elem, terms, want, magnitude) + 2*elem.Epsilon()*magnitude
	}
	return w
}
