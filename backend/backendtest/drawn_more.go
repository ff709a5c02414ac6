package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
)

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
