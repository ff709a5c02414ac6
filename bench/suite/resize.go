package suite

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops/bounds"
)

// resizing are images, or sequences and volumes, of one side that become those of another.
type resizing struct {
	op, mode string
	elem     weft.DType
	images   int
	channels int
	dims     int
	from, to int
	last     bool // channels are last
}

// resizes are images as networks enlarge them and as data is prepared, and their gradients.
func resizes(s Size) (list []Work) {
	double := resizing{op: "resize", mode: "linear", elem: weft.F32, images: of(s, 32, 1, 1), channels: of(s, 64, 64, 3), dims: 2, from: of(s, 112, 56, 9)}
	double.to = 2 * double.from
	back, halves, last, nearest, nearestBack, cubic, cubicBack := double, double, double, double, double, double, double
	back.op, halves.elem, last.elem, last.last, nearest.mode, nearestBack.mode, nearestBack.op = "resize_grad", weft.F16, weft.F16, true, "nearest", "nearest", "resize_grad"
	cubic.mode, cubicBack.mode, cubicBack.op = "cubic", "cubic", "resize_grad"
	backLast := last
	backLast.op = "resize_grad"
	odd := double // to sizes that share no factor
	odd.from, odd.to, odd.images = of(s, 255, 127, 13), of(s, 224, 112, 8), of(s, 64, 1, 1)
	oddBack := odd
	oddBack.op = "resize_grad"
	volumes := resizing{op: "resize", mode: "linear", elem: weft.F16, images: of(s, 2, 1, 1), channels: of(s, 64, 16, 2), dims: 3, from: of(s, 48, 20, 4)}
	volumes.to = 2 * volumes.from
	volumesBack := volumes
	volumesBack.op = "resize_grad"
	for _, r := range []resizing{double, halves, last, nearest, cubic, odd, volumes, back, backLast, nearestBack, cubicBack, oddBack, volumesBack} {
		list = append(list, r.work())
	}
	return list
}

// sides are the sizes of an operand.
func (r resizing) sides(side int) []int {
	shape := []int{r.images, r.channels}
	for range r.dims {
		shape = append(shape, side)
	}
	return shape
}

func (r resizing) work() Work {
	to := r.sides(r.to)[2:]
	w := listed(r.op, r.elem, size(r.sides(r.from)...)+","+size(to...), func(o *catalog.Options) { o.Mode, o.ChannelsLast = r.mode, r.last })
	suffix := ""
	if r.last {
		suffix = " nhwc"
	}
	w.Name, w.Params = name(r.op, r.elem, size(r.sides(r.from)...), " to ", size(to...), " "+r.mode+suffix), map[string]any{"mode": r.mode, "last": r.last, "to": to}
	w.Want = r.want
	if r.mode != "nearest" { // places of 32 bits: weights are off by a few units in the last place of an index, times elements of a few units
		w.Theirs = float64(r.from) * 0x1p-20
	}
	if r.op == "resize_grad" { // each term is added up in the element type, in any order
		w.Theirs += float64(int(1)<<r.dims) * r.elem.Epsilon()
	}
	return w
}

// split is what an index along all dimensions says of one side: the offset of its image and channel as elements of another side, and the places.
func (r resizing) split(i, side int) (plane int, places []int) {
	channel := 0
	if r.last {
		channel, i = i%r.channels, i/r.channels
	}
	places = make([]int, r.dims)
	for d := r.dims - 1; d >= 0; d-- {
		places[d], i = i%side, i/side
	}
	if r.last {
		return i*r.channels + channel, places
	}
	return i, places
}

// at is the index of an element of a side.
func (r resizing) at(plane, side int, places []int) int {
	i := plane
	if r.last {
		i = plane / r.channels
	}
	for _, p := range places {
		i = i*side + p
	}
	if r.last {
		i = i*r.channels + plane%r.channels
	}
	return i
}

func (r resizing) want(in []Values, i int) (want, bound float64) {
	taps := map[string]int{"nearest": 1, "linear": 2, "cubic": 4}[r.mode]
	magnitude, terms := 0.0, 0
	add := func(x, weight float64) {
		want, magnitude, terms = want+weight*x, magnitude+math.Abs(weight*x), terms+1
	}
	if r.op == "resize" {
		plane, places := r.split(i, r.to)
		r.walk(places, nil, 1, func(from []int, weight float64) { add(in[0](r.at(plane, r.from, from)), weight) })
		if taps == 1 {
			return want, 0
		}
		return want, bounds.Resize(r.elem, taps, r.dims, want, magnitude)
	}
	plane, element := r.split(i, r.from)
	r.readers(element, nil, 1, func(o []int, weight float64) { add(in[0](r.at(plane, r.to, o)), weight) })
	return want, bounds.ResizeGrad(r.elem, taps, r.dims, terms, want, magnitude)
}

// weights calls f for the elements of a dimension that one of the result is made of.
func (r resizing) weights(o int, f func(i int, weight float64)) {
	edge := func(i int) int { return min(max(i, 0), r.from-1) }
	if r.mode == "nearest" {
		f(o*r.from/r.to, 1)
		return
	}
	at, unit := (2*o+1)*r.from-r.to, 2*r.to
	if r.mode == "linear" {
		at = min(max(at, 0), (r.from-1)*unit)
	}
	first := (at+unit)/unit - 1 // of places from -1 on
	x, y := float64(at-first*unit)/float64(unit), float64((first+1)*unit-at)/float64(unit)
	if r.mode == "linear" {
		f(first, y)
		f(edge(first+1), x)
		return
	}
	near := func(x float64) float64 { return (1.25*x-2.25)*x*x + 1 }
	f(edge(first-1), -0.75*x*y*y)
	f(edge(first), near(x))
	f(edge(first+1), near(y))
	f(edge(first+2), -0.75*y*x*x)
}

// walk calls f for what an element of the result is made of.
func (r resizing) walk(places, from []int, weight float64, f func(from []int, weight float64)) {
	if len(from) == len(places) {
		f(from, weight)
		return
	}
	r.weights(places[len(from)], func(i int, w float64) { r.walk(places, append(from, i), weight*w, f) })
}

// readers calls f for the elements of the result that one is part of.
func (r resizing) readers(element, o []int, weight float64, f func(o []int, weight float64)) {
	if len(o) == len(element) {
		f(o, weight)
		return
	}
	i := element[len(o)]
	for p := max((i-3)*r.to/r.from-1, 0); p < r.to && p <= (i+3)*r.to/r.from+1; p++ {
		r.weights(p, func(of int, w float64) {
			if of == i {
				r.readers(element, append(o, p), weight*w, f)
			}
		})
	}
}
