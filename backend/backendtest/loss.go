package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var lossCases = []testCase{
	{"CrossEntropyWidths", crossEntropyWidths},
	{"CrossEntropyOptions", crossEntropyOptions},
	{"CrossEntropyViews", crossEntropyViews},
	{"CrossEntropyInfinities", crossEntropyInfinities},
	{"CrossEntropyNothing", crossEntropyNothing},
	{"CrossEntropyInPlace", crossEntropyInPlace},
	{"NLLLosses", nllLosses},
}

// loss is a call of a loss, and of its gradient.
type loss struct {
	catalog.Loss
	x           host
	axis        int
	index       weft.DType // of targets; invalid for probabilities
	smoothing   float64
	weights     bool
	ignore      int // 0 for that of no option
	reduction   string
	forget      bool // the gradient gets no logarithms of sums
	ones        bool // it gets no gradients of the losses
	inPlace     bool
	x2, t2, out form // of logits, targets and the gradient
}

func (l loss) String() string {
	return fmt.Sprintf("%s of %v%v along %d, targets %v, smoothing %v, weights %v, ignored %d, %q, %s, %s, %s", l.Name, l.x.elem, l.x.shape, l.axis, l.index, l.smoothing, l.weights,
		l.ignore, l.reduction, l.x2, l.t2, l.out)
}

// formOf is a form, dense if it is not given.
func formOf(f form) form {
	if f == "" {
		return dense
	}
	return f
}

// lossTargets are random targets: indices, of which a few are ignored and a few may be none, or probabilities.
func (s *suite) lossTargets(l loss, rows []int, wrong bool) host {
	if !l.index.Valid() {
		n := float64(l.x.shape[l.axis])
		return s.random(l.x.elem, l.x.shape...).each(func(_ int, x float64) float64 { return math.Abs(x) / n })
	}
	classes := l.x.shape[l.axis]
	return filled(l.index, 0, rows...).each(func(i int, _ float64) float64 {
		switch {
		case i%7 == 3 && l.index != weft.U32:
			return l.ignored()
		case i%11 == 5 && wrong:
			return float64(classes)
		case i%11 == 9 && wrong && l.index == weft.I64:
			return 1<<32 + 1
		case i%11 == 9 && wrong && l.index == weft.I32:
			return -1
		}
		return float64(s.rng.IntN(classes))
	})
}

func (l loss) ignored() float64 {
	if l.ignore == 0 {
		return -100
	}
	return float64(l.ignore)
}

// lossRows are the rows of a call.
func lossRows(l loss, targets host, weights []float64) (rows []catalog.LossRow, at func(row, class int) int) {
	n, inner := l.x.shape[l.axis], size(l.x.shape[l.axis+1:])
	at = func(row, class int) int { return (row/inner*n+class)*inner + row%inner }
	for r := range len(l.x.x) / max(n, 1) {
		row := catalog.LossRow{Log: l.Log, X: make([]float64, n), Weights: weights, Smoothing: l.smoothing, Ignore: l.ignored()}
		if !l.index.Valid() {
			row.Shares = make([]float64, n)
		} else {
			row.Target = targets.x[r]
		}
		for c := range n {
			row.X[c] = l.x.x[at(r, c)]
			if row.Shares != nil {
				row.Shares[c] = targets.x[at(r, c)]
			}
		}
		rows = append(rows, row)
	}
	return rows, at
}

// loss checks a loss, the logarithms of sums that it stores, and its gradient.
func (s *suite) loss(l loss, wrong bool) {
	s.Helper()
	l.x2, l.t2, l.out = formOf(l.x2), formOf(l.t2), formOf(l.out)
	each := slices.Delete(slices.Clone(l.x.shape), l.axis, l.axis+1)
	targets := s.lossTargets(l, each, wrong)
	wide := l.x.elem.Accumulator()
	options := []ops.LossOption{ops.Axis(l.axis)}
	var weights []float64
	if l.weights {
		w := s.random(wide, l.x.shape[l.axis]).each(func(_ int, x float64) float64 { return math.Abs(x) })
		weights = w.x
		options = append(options, ops.ClassWeights(s.input(stepped, w)))
	}
	if l.smoothing > 0 {
		options = append(options, ops.LabelSmoothing(l.smoothing))
	}
	if l.ignore != 0 {
		options = append(options, ops.IgnoreIndex(l.ignore))
	}
	shape := each
	switch l.reduction {
	case "mean":
		options, shape = append(options, ops.MeanLoss()), []int{}
	case "sum":
		options, shape = append(options, ops.SumLoss()), []int{}
	}
	rows, at := lossRows(l, targets, weights)
	x, t := s.input(l.x2, l.x), s.input(l.t2, targets)

	s.op(l.Function)
	out, lse := s.output(formOf(l.out), wide, shape...), s.output(formOf(l.t2), wide, each...)
	stored := options
	if !l.Log {
		stored = append(slices.Clip(options), ops.LogSumExp(lse.Tensor))
	}
	s.try(l.Into(out.Tensor, x, t, stored...))
	want, bound, counted := lossWant(l, rows)
	errs := []error{out.verify(want, func(i int) float64 { return bound[i] })}
	if !l.Log {
		logs := make([]float64, len(rows))
		for i, r := range rows {
			logs[i] = r.LogSum()
		}
		errs = append(errs, lse.verify(logs, func(i int) float64 { return rows[i].LogSumBound(l.x.elem) }))
		if !l.forget {
			options = stored
		}
	}
	errs = append(errs, s.lossGrad(l, rows, at, counted, x, t, shape, options))
	for _, err := range errs {
		if err != nil {
			s.Error(fmt.Errorf("%v: %w", l, err))
		}
	}
}

// lossWant is what a loss should be, with bounds and what all rows count together.
func lossWant(l loss, rows []catalog.LossRow) (want, bound []float64, counted float64) {
	sum, off, size := 0.0, 0.0, 0.0
	for _, r := range rows {
		loss, n, b := r.Loss(l.x.elem)
		want, bound = append(want, loss), append(bound, b)
		sum, off, size, counted = sum+loss, off+b, size+math.Abs(loss), counted+n
	}
	relative := bounds.RelativeSum(len(rows))
	if l.x.elem == weft.F64 {
		relative *= 0x1p-28
	}
	off += relative * size
	switch l.reduction {
	case "mean":
		mean := sum / counted
		return []float64{mean}, []float64{off/counted + 2*relative*math.Abs(mean)}, counted
	case "sum":
		return []float64{sum}, []float64{off + relative*math.Abs(sum)}, counted
	}
	return want, bound, counted
}

// lossGrad checks the gradient.
func (s *suite) lossGrad(l loss, rows []catalog.LossRow, at func(row, class int) int, counted float64, x, t *weft.Tensor, shape []int, options []ops.LossOption) error {
	s.Helper()
	s.op(l.Function + "Grad")
	var dy *weft.Tensor
	seeds := filled(l.x.elem.Accumulator(), 1, shape...)
	if !l.ones {
		seeds = s.random(seeds.elem, shape...)
		dy = s.input(formOf(l.t2), seeds)
	}
	want, bound := make([]float64, len(l.x.x)), make([]float64, len(l.x.x))
	relative := 0.0
	for i, r := range rows {
		seed := seeds.x[min(i, len(seeds.x)-1)]
		if l.reduction == "mean" {
			seed /= counted
			relative = bounds.RelativeSum(len(rows))
		}
		w, b := r.Grad(l.x.elem, seed, relative)
		for c := range w {
			want[at(i, c)], bound[at(i, c)] = w[c], b[c]
		}
	}
	var out output
	if l.inPlace {
		out = s.outputOf(formOf(l.out), l.x)
		x = out.Tensor
	} else {
		out = s.output(formOf(l.out), l.x.elem, l.x.shape...)
	}
	s.try(l.GradInto(out.Tensor, x, t, dy, options...))
	if err := out.verify(want, func(i int) float64 { return bound[i] }); err != nil {
		return fmt.Errorf("gradient: %w", err)
	}
	return nil
}

// Rows of a few classes, of many in registers, walked, and shared by programs.
func crossEntropyWidths(s *suite) {
	ce := catalog.Losses[0]
	for i, c := range more(s, [][2]int{{700, 10}, {3, 1000}, {3, 20_001}, {2, 150_001}}, [2]int{1, 1}, [2]int{70, 33}, [2]int{2, 4097}, [2]int{1, 1_000_003}, [2]int{100_000, 7}) {
		for j, elem := range s.reals() {
			if !s.full && (i+j)%3 != 0 && elem != weft.F32 {
				continue
			}
			s.loss(loss{Loss: ce, x: s.scores(elem, c[:]...), axis: 1, index: indexTypes[(i+j)%3], forget: j == 1}, j != 0)
			s.loss(loss{Loss: ce, x: s.scores(elem, c[:]...), axis: 1, smoothing: 0.1 * float64((i+j)%2), ones: true}, false)
		}
	}
}

// All options with each other.
func crossEntropyOptions(s *suite) {
	ce, i := catalog.Losses[0], 0
	for _, reduction := range []string{"", "mean", "sum"} {
		for _, weights := range []bool{false, true} {
			for _, smoothing := range []float64{0, 0.3} {
				for _, index := range []weft.DType{0, weft.I32, weft.I64} {
					if i++; !s.full && i%2 == 0 {
						continue
					}
					l := loss{Loss: ce, x: s.scores(floatTypes[i%3], 30, 77), axis: 1, index: index, smoothing: smoothing, weights: weights, reduction: reduction, forget: i%3 == 0, ones: i%5 == 0}
					if index.Valid() {
						l.ignore = []int{0, 5, -1}[i%3]
					}
					s.loss(l, false)
				}
			}
		}
	}
	long := s.scores(weft.F32, 1, 140_000)
	s.loss(loss{Loss: ce, x: long, axis: 1, index: weft.I32, smoothing: 0.2, weights: true, reduction: "mean"}, false)
	s.loss(loss{Loss: ce, x: long, axis: 1, smoothing: 0.2, weights: true, reduction: "sum", forget: true}, false)
}

// Any dimension of tensors of any rank, in any views.
func crossEntropyViews(s *suite) {
	for i := range either(s, 12, 120) {
		shape := make([]int, 1+s.rng.IntN(4))
		for d := range shape {
			shape[d] = 1 + s.rng.IntN(9)
		}
		any := func() form { return forms[s.rng.IntN(len(forms))] }
		l := loss{Loss: catalog.Losses[i%2], x: s.scores(floatTypes[i%3], shape...), axis: s.rng.IntN(len(shape)), x2: any(), t2: any(), out: any(), forget: i%4 == 0}
		if i%3 > 0 {
			l.index = indexTypes[s.rng.IntN(3)]
		}
		if l.weights = i%5 == 0; i%7 == 0 {
			l.smoothing = 0.25
		}
		s.loss(l, false)
	}
	for _, shape := range [][]int{{300, 70}, {2, 900, 50}, {2, 5, 3, 4}} { // classes before pixels
		s.loss(loss{Loss: catalog.Losses[0], x: s.scores(weft.F32, shape...), axis: len(shape) - 2, index: weft.I64, x2: dense}, true)
	}
}

// Infinities and NaN in rows of some widths.
func crossEntropyInfinities(s *suite) {
	for i, n := range []int{1, 5, 300, 9000} {
		for j, smoothing := range []float64{0, 0.1} {
			x := s.scores(floatTypes[(i+j)%3], 7, n)
			row := func(r int) []float64 { return x.x[r*n : (r+1)*n] }
			for c := range n {
				row(1)[c] = -inf
				if c != n/2 {
					row(2)[c] = -inf
				}
			}
			row(3)[n-1], row(4)[0], row(5)[n/3] = inf, nan, -inf // row 3 is ignored if its target is an index
			s.loss(loss{Loss: catalog.Losses[0], x: x, axis: 1, index: weft.I32, smoothing: smoothing}, false)
			s.loss(loss{Loss: catalog.Losses[0], x: x, axis: 1, index: weft.I64, smoothing: smoothing, reduction: "mean"}, false)
			if smoothing == 0 {
				s.loss(loss{Loss: catalog.Losses[0], x: x, axis: 1}, false)
			}
		}
	}
}

// No rows, and rows that are all ignored.
func crossEntropyNothing(s *suite) {
	empty, none := s.tensor(filled(weft.F32, 0, 0, 5)), s.tensor(filled(weft.I32, 0, 0))
	x, ignored := s.tensor(s.scores(weft.F32, 3, 5)), s.tensor(filled(weft.I32, -100, 3))
	for _, c := range []struct {
		x, targets *weft.Tensor
		option     ops.LossOption
		want       []float64
	}{
		{empty, none, ops.MeanLoss(), []float64{nan}}, {empty, none, ops.SumLoss(), []float64{0}}, {empty, none, ops.Axis(1), nil},
		{empty, empty, ops.MeanLoss(), []float64{nan}},
		{x, ignored, ops.MeanLoss(), []float64{nan}}, {x, ignored, ops.SumLoss(), []float64{0}}, {x, ignored, ops.Axis(1), []float64{0, 0, 0}},
	} {
		s.op("CrossEntropy")
		s.compare(s.ok(ops.CrossEntropy(c.x, c.targets, c.option)), c.want, nil)
		s.op("CrossEntropyGrad")
		s.compare(s.ok(ops.CrossEntropyGrad(c.x, c.targets, nil, c.option)), make([]float64, c.x.Len()), nil)
	}
	s.op("NLLLoss")
	s.compare(s.ok(ops.NLLLoss(empty, none)), nil, nil)
	s.op("NLLLossGrad")
	s.compare(s.ok(ops.NLLLossGrad(empty, none, nil)), nil, nil)
}

func crossEntropyInPlace(s *suite) {
	for i, n := range []int{70, 9000, 100_003} {
		l := loss{Loss: catalog.Losses[i%2], x: s.scores(floatTypes[i], 3, n), axis: 1, index: weft.I64, out: forms[i], inPlace: true, forget: i == 0, smoothing: 0.1 * float64(i)}
		if i == 2 {
			l.index = 0
		}
		s.loss(l, false)
	}
}

// Logarithms of probabilities, of which little is read.
func nllLosses(s *suite) {
	for i, c := range more(s, [][2]int{{500, 10}, {70, 1003}, {2, 120_001}}, [2]int{1, 1}, [2]int{10_000, 33}) {
		for j, elem := range s.reals() {
			if !s.full && (i+j)%2 != 0 {
				continue
			}
			x := s.random(elem, c[:]...).each(func(_ int, x float64) float64 { return -math.Abs(x) - 3 })
			l := loss{Loss: catalog.Losses[1], x: x, axis: 1, index: indexTypes[(i+j)%3], weights: i%2 == 0, reduction: []string{"mean", "", "sum"}[j%3]}
			s.loss(l, false)
			l.smoothing, l.ones = 0.1, true
			s.loss(l, false)
			l.index = 0
			s.loss(l, false)
		}
	}
}
