package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

// drawElementwise calls one of the functions, of operands that broadcast to a shape.
func drawElementwise(s *suite) {
	elements, _ := s.largestDraw()
	o := pickOf(s, ops.Elementwise()...)
	s.op(o.Name)
	elem := s.typeThat(o.Types, append(s.numeric(), weft.Bool))
	shape := s.extents(1+s.rng.IntN(4), elements)
	shapes := make([][]int, len(o.Inputs))
	for i := range shapes {
		shapes[i] = append([]int(nil), shape...)
		for d := range shapes[i] {
			if i > 0 && !s.often() {
				shapes[i][d] = 1
			}
		}
		if i > 0 && !s.often() { // dimensions in front are left out
			shapes[i] = shapes[i][s.rng.IntN(len(shape)):]
		}
	}
	in := s.operands(o, elem, shapes...)
	tensors := make([]weft.TensorOrNumber, len(in))
	for i, h := range in {
		tensors[i] = s.input(s.form(), h)
	}
	out := s.output(s.form(), result(o, elem), shape...)
	s.try(o.Map.Into(out.Tensor, tensors...))
	want, bound := s.exactly(o, elem, in, shape)
	if err := out.verify(want, bound); err != nil {
		s.Errorf("%s of %v%v: %v", o.Name, elem, shapes, err)
	}
}

func drawReduce(s *suite) {
	elements, _ := s.largestDraw()
	r := pickOf(s, catalog.AllReductions...)
	x := s.fitting(r.String(), s.typeThat(r.Takes, append(s.numeric(), weft.Bool)), s.extents(1+s.rng.IntN(4), elements)...)
	s.reduces(r.String(), x, s.form(), s.form(), s.someOf(len(x.shape)))
}

func drawScan(s *suite) {
	elements, _ := s.largestDraw()
	c := pickOf(s, catalog.Scans...)
	x := s.fitting(c.ReduceOp.String(), pickOf(s, floatTypes...), s.extents(1+s.rng.IntN(4), elements)...)
	s.scans(c, x, s.rng.IntN(len(x.shape)), pickOf(s, scanForms...), s.form(), s.form())
}

func drawSort(s *suite) {
	elements, _ := s.largestDraw()
	x := s.random(pickOf(s, s.numeric()...), s.extents(1+s.rng.IntN(3), elements/2)...)
	if s.coin() { // many are equal
		x = s.small(x.elem, x.shape...).each(func(_ int, x float64) float64 { return math.Mod(x, 5) })
	}
	dim := s.rng.IntN(len(x.shape))
	if x.elem != weft.F64 && s.coin() {
		s.topK(x, 1+s.rng.IntN(min(x.shape[dim], 100)), dim, s.form(), s.form(), s.form())
		return
	}
	s.sort(x, dim, s.coin(), true, s.form(), s.form(), s.form())
}

func drawSoftmax(s *suite) {
	elements, _ := s.largestDraw()
	shape := s.extents(1+s.rng.IntN(4), elements)
	elem, axis, temperature := pickOf(s, s.reals()...), s.rng.IntN(len(shape)), pickOf(s, 1, 1, 0.5, 3)
	if s.coin() {
		g := pickOf(s, catalog.SoftmaxGrads...)
		s.softmaxGrad(g, s.softmaxResults(g, elem, axis, shape...), axis, temperature, s.form(), s.form(), s.form())
		return
	}
	s.softmaxes(pickOf(s, "Softmax", "LogSoftmax"), s.scores(elem, shape...), s.form(), s.form(), axis, temperature)
}

func drawNorm(s *suite) {
	elements, _ := s.largestDraw()
	shape := s.extents(2+s.rng.IntN(3), elements)
	if s.rng.IntN(8) == 0 {
		shape = []int{1 + s.rng.IntN(2), elements + s.rng.IntN(3*elements)} // rows that programs share
	}
	elem, rms := pickOf(s, s.reals()...), s.coin()
	dims := 1 + s.rng.IntN(len(shape))
	x := s.shifted(elem, shape...)
	switch s.rng.IntN(4) {
	case 0:
		s.normGradient(s.gradOver(x, rms, s.someOf(len(shape))...), x, [4]form{s.form(), s.form(), s.form(), s.form()}, [2]bool{s.often(), s.often()})
	case 1:
		channels := 1 + s.rng.IntN(len(shape)-1)
		groups := 1 + s.rng.IntN(shape[channels])
		for shape[channels]%groups != 0 {
			groups--
		}
		s.groupNorm(x, groups, channels, s.often(), [4]form{s.form(), s.form(), s.form(), s.form()})
	case 2:
		s.residual(s.allOperands(elem, rms, shape[len(shape)-dims:]...), elem, shape, s.form(), s.form(), s.rng.IntN(3))
	default:
		s.normalises(s.allOperands(elem, rms, shape[len(shape)-dims:]...), x, s.form(), s.form())
	}
}

// drawMove joins or pads tensors of any type.
func drawMove(s *suite) {
	elements, _ := s.largestDraw()
	elem, shape := pickOf(s, dtype.All()...), s.extents(1+s.rng.IntN(4), elements/4)
	dim := s.rng.IntN(len(shape))
	if s.coin() {
		mode := ops.PadMode(s.rng.IntN(5))
		s.pads(s.random(elem, shape...), s.padSizes(shape, mode), mode, 0, s.form(), s.form())
		return
	}
	arrays := make([]host, 1+s.rng.IntN(5))
	for i := range arrays {
		own := append([]int(nil), shape...)
		own[dim] = s.extent(2 * shape[dim])
		arrays[i] = s.random(elem, own...)
	}
	s.joins(dim, s.form(), []form{s.form(), s.form(), s.form()}, arrays...)
}

// drawIndexed reads and updates elements at indices.
func drawIndexed(s *suite) {
	elements, _ := s.largestDraw()
	shape := s.extents(1+s.rng.IntN(3), elements/4)
	dim, index := s.rng.IntN(len(shape)), pickOf(s, indexTypes...)
	switch elem := pickOf(s, dtype.All()...); s.rng.IntN(3) {
	case 0:
		s.selects(s.random(elem, shape...), s.places(index, shape[dim], s.extents(1+s.rng.IntN(2), 40)...), dim, [3]form{s.form(), s.form(), s.form()})
	case 1:
		at := append([]int(nil), shape...)
		at[dim] = s.extent(2 * shape[dim])
		s.takes(s.random(elem, shape...), s.places(index, shape[dim], at...), dim, [3]form{s.form(), s.form(), s.form()})
	default:
		s.updates(pickOf(s, kindsOf(elem)...), elem, shape, dim, index, s.extents(1+s.rng.IntN(2), 40), [3]form{s.form(), s.form(), s.form()})
	}
}

func drawWindow(s *suite) {
	elements, _ := s.largestDraw()
	shape := s.extents(1+s.rng.IntN(4), elements/8)
	for d := range shape {
		shape[d] = max(shape[d], 2)
	}
	x, w := s.random(pickOf(s, floatTypes...), shape...), s.randomWindow(shape, s.coin())
	r := pickOf(s, ops.WindowSum, ops.WindowMax, ops.WindowMean, ops.WindowMin, ops.WindowMeanPadded)
	if s.coin() {
		s.gradient(x, r, w, s.form(), s.form())
		return
	}
	s.windows(x, r, w, s.form(), s.form())
}

func drawBatchNorm(s *suite) {
	elements, _ := s.largestDraw()
	shape := s.extents(2+s.rng.IntN(3), elements)
	x := s.shifted(pickOf(s, s.reals()...), shape...)
	s.newBatchNorm(x, s.rng.IntN(len(shape)), s.often(), [4]form{s.form(), s.form(), s.form(), s.form()}).all()
}

func drawLoss(s *suite) {
	elements, _ := s.largestDraw()
	shape := s.extents(1+s.rng.IntN(3), elements)
	l := loss{Loss: catalog.Losses[0], x: s.scores(pickOf(s, floatTypes...), shape...), axis: s.rng.IntN(len(shape)), index: pickOf(s, 0, weft.I32, weft.I64),
		smoothing: pickOf(s, 0, 0, 0.2), weights: s.coin(), reduction: pickOf(s, "", "mean", "sum"), forget: s.coin(), ones: s.coin(), x2: s.form(), t2: s.form(), out: s.form()}
	s.Logf("%v", l)
	s.loss(l, false)
}

func drawCounts(s *suite) {
	elements, _ := s.largestDraw()
	shape, bins := s.extents(1+s.rng.IntN(3), elements), s.extent(elements/8)
	var weights *host
	if s.coin() {
		w := s.random(pickOf(s, floatTypes...), shape...)
		weights = &w
	}
	if s.coin() {
		s.bincount(s.numbersTo(pickOf(s, weft.I32, weft.U8, weft.U32, weft.I16), bins, shape...), bins, weights, s.form(), s.form())
		return
	}
	bins = min(bins, 1000) // whose inner edges floats of 32 bits tell apart
	s.histogram(s.between(weft.F32, -3, 5, bins, shape...), -3, 5, bins, weights, s.form(), s.form())
}

func drawResize(s *suite) {
	elements, _ := s.largestDraw()
	r := resizing{elem: pickOf(s, s.reals()...), shape: s.extents(1+s.rng.IntN(4), elements/8), mode: pickOf(s, resizeModesOf...), forms: [4]form{s.form(), s.form(), s.form(), s.form()}}
	room := elements
	for _, n := range r.shape {
		room /= n
	}
	for d := len(r.shape) - 1; d >= 0 && len(r.to) < 3 && (len(r.to) == 0 || s.coin()); d-- {
		n := s.extent(min(room*r.shape[d], 3000))
		room = max(room*r.shape[d]/n, 1)
		r.to = append([]int{n}, r.to...)
	}
	r.corners = r.mode.Taps() > 1 && s.coin()
	s.Logf("%+v", r)
	s.resize(r)
}
