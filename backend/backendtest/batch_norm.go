package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

var batchNormCases = []testCase{
	{"BatchNormShapes", batchNormShapes},
	{"BatchNormViews", batchNormViews},
	{"BatchNormRunning", batchNormRunning},
	{"BatchNormLong", batchNormLong},
	{"BatchNormEdges", batchNormEdges},
	{"BatchNormInPlace", batchNormInPlace},
	{"BatchNormF64", batchNormF64},
}

// batchNorm is a batch normalisation of tensors of forms: x, dy, weight, bias and statistics, and results.
type batchNorm struct {
	catalog.BatchNorm
	s        *suite
	x        host
	channels int // the dimension
	f        [4]form

	weight, bias *host // nil for none
}

func (s *suite) newBatchNorm(x host, channels int, weighted bool, f [4]form) *batchNorm {
	n, inner := x.shape[channels], size(x.shape[channels+1:])
	b := &batchNorm{s: s, x: x, channels: channels, f: f}
	b.BatchNorm = catalog.BatchNorm{Channels: n, Channel: func(i int) int { return i / inner % n }, Epsilon: 1e-2}
	if weighted {
		weight, bias := s.random(x.elem, n), s.random(x.elem, n)
		b.weight, b.bias, b.Weight, b.Bias = &weight, &bias, weight.x, bias.x
	}
	return b
}

// optional is a tensor of a form, or nil.
func (b *batchNorm) optional(h *host) *weft.Tensor {
	if h == nil {
		return nil
	}
	return b.s.input(b.f[2], *h)
}

func (b *batchNorm) options() []ops.NormOption { return []ops.NormOption{ops.Epsilon(b.Epsilon)} }

func (b *batchNorm) check(what string, out output, want catalog.Bounded) {
	b.s.Helper()
	if err := out.verify(want.Want, func(i int) float64 { return want.Bound[i] }); err != nil {
		b.s.Error(fmt.Errorf("%s of %v%v by dimension %d, %v: %w", what, b.x.elem, b.x.shape, b.channels, b.f, err))
	}
}

// all checks the normalisation of a batch, that by given statistics, and the gradients.
func (b *batchNorm) all() {
	b.s.Helper()
	b.forward()
	mean, variance := b.statistics()
	b.inference(mean, variance)
	b.gradient(mean, variance)
}

func (b *batchNorm) forward() {
	s, elem, sum := b.s, b.x.elem, b.x.elem.Accumulator()
	s.Helper()
	s.op("BatchNorm")
	out, mean, variance := s.output(b.f[3], elem, b.x.shape...), s.output(b.f[3], sum, b.Channels), s.output(dense, sum, b.Channels)
	s.try(ops.BatchNormInto(out.Tensor, mean.Tensor, variance.Tensor, s.input(b.f[0], b.x), b.optional(b.weight), b.optional(b.bias), b.channels-len(b.x.shape), b.options()...))
	y, means, variances := b.Forward(elem, b.x.x)
	b.check("result", out, y)
	b.check("mean", mean, means)
	b.check("variance", variance, variances)
}

// statistics are some that are near those of x.
func (b *batchNorm) statistics() (mean, variance host) {
	_, means, variances := b.Forward(b.x.elem, b.x.x)
	mean, variance = filled(b.x.elem.Accumulator(), 0, b.Channels), filled(b.x.elem.Accumulator(), 0, b.Channels)
	for c := range mean.x {
		mean.x[c], variance.x[c] = means.Want[c]+0.125, 1.25*variances.Want[c]
	}
	rounded(mean.elem, mean.x)
	rounded(mean.elem, variance.x)
	return mean, variance
}

func (b *batchNorm) inference(mean, variance host) {
	s := b.s
	s.Helper()
	s.op("BatchNormInference")
	out := s.output(b.f[3], b.x.elem, b.x.shape...)
	s.try(ops.BatchNormInferenceInto(out.Tensor, s.input(b.f[0], b.x), b.optional(b.weight), b.optional(b.bias), s.input(b.f[2], mean), s.input(dense, variance), b.channels, b.options()...))
	b.check("result of given statistics", out, b.Inference(b.x.elem, b.x.x, mean.x, variance.x))
}

func (b *batchNorm) gradient(mean, variance host) {
	s, elem := b.s, b.x.elem
	s.Helper()
	dy := s.random(elem, b.x.shape...)
	s.op("BatchNormGrad")
	dx, dweight, dbias := s.output(b.f[3], elem, b.x.shape...), s.output(b.f[3], elem, b.Channels), s.output(dense, elem, b.Channels)
	s.try(ops.BatchNormGradInto(dx.Tensor, dweight.Tensor, dbias.Tensor, s.input(b.f[0], b.x), s.input(b.f[1], dy), b.optional(b.weight),
		s.input(b.f[2], mean), s.input(dense, variance), b.channels, b.options()...))
	wantX, wantWeight, wantBias := b.Grad(elem, b.x.x, dy.x, mean.x, variance.x)
	b.check("dx", dx, wantX)
	b.check("dweight", dweight, wantWeight)
	b.check("dbias", dbias, wantBias)
}

// Channels that fit in registers, that programs walk, and that they share, in any dimension.
func batchNormShapes(s *suite) {
	type batch struct {
		shape    []int
		channels int
	}
	for i, c := range more(s, []batch{{[]int{3, 12, 7, 9}, 1}, {[]int{3, 7, 9, 12}, 3}, {[]int{7, 90}, 0}, {[]int{2, 3, 110, 100}, 1}, {[]int{2, 110, 100, 8}, 3}, {[]int{1, 5}, 1}},
		batch{[]int{35, 6}, 1}, batch{[]int{4, 1, 3}, 1}, batch{[]int{2, 100, 80, 81}, 1}, batch{[]int{30_000, 40}, 1}, batch{[]int{3000, 130}, 1}, batch{[]int{40, 3000}, 0}, batch{[]int{9, 300, 7, 7}, 1}, batch{[]int{9, 7, 7, 300}, 3}, batch{[]int{40, 2, 5, 3000}, 1}) {
		for j := range either(s, 1, 3) {
			s.newBatchNorm(s.shifted(floatTypes[(i+j)%3], c.shape...), c.channels, (i+j)%4 != 2, denseForms).all()
		}
	}
}

// Any dimension, in any views.
func batchNormViews(s *suite) {
	for i := range either(s, 5, 50) {
		shape := make([]int, 2+s.rng.IntN(3))
		for d := range shape {
			shape[d] = 1 + s.rng.IntN(9)
		}
		f := [4]form{}
		for j := range f {
			f[j] = forms[s.rng.IntN(len(forms))]
		}
		s.newBatchNorm(s.shifted(floatTypes[i%3], shape...), s.rng.IntN(len(shape)), i%3 != 1, f).all()
	}
	// Channels that are last in memory, of a tensor whose second dimension they are.
	x := s.shifted(weft.F16, 2, 90, 70)
	s.newBatchNorm(x, 1, true, [4]form{transposed, transposed, dense, transposed}).all()
	s.newBatchNorm(x, 2, true, [4]form{transposed, dense, dense, dense}).all()
}

// Running statistics, of channels that are a program's own and of those that programs share; and calls that give new tensors.
func batchNormRunning(s *suite) {
	for i, shape := range [][]int{{5, 40, 9}, {2, 1, 50_001}, {9000, 3}} {
		elem := floatTypes[i%3]
		b := s.newBatchNorm(s.shifted(elem, shape...), 1, true, denseForms)
		y, mean, variance := b.Forward(elem, b.x.x)
		sum, momentum, n := elem.Accumulator(), 0.25, float64(len(b.x.x)/b.Channels)
		old := [2]host{s.random(sum, b.Channels), s.random(sum, b.Channels)}
		running := [2]output{s.outputOf(stepped, old[0]), s.outputOf(dense, old[1])}
		s.op("BatchNorm")
		gotY, gotMean, gotVariance, err := ops.BatchNorm(s.tensor(b.x), b.optional(b.weight), b.optional(b.bias), 1, append(b.options(), ops.Running(running[0].Tensor, running[1].Tensor, momentum))...)
		s.try(err)
		b.check("result", s.result(gotY), y)
		b.check("mean", s.result(gotMean), mean)
		b.check("variance", s.result(gotVariance), variance)
		for j, of := range []catalog.Bounded{mean, variance} {
			want := catalog.Bounded{Want: make([]float64, b.Channels), Bound: make([]float64, b.Channels)}
			for c, v := range of.Want {
				bound := of.Bound[c]
				if j == 1 {
					v, bound = v*n/(n-1), bound*n/(n-1)
				}
				want.Want[c] = (1-momentum)*old[j].x[c] + momentum*v
				want.Bound[c] = momentum*bound + 8*sum.Epsilon()*(math.Abs(old[j].x[c])+math.Abs(v))
			}
			b.check([]string{"running mean", "running variance"}[j], running[j], want)
		}
		s.op("BatchNormInference")
		given, spread := b.statistics()
		got := s.ok(ops.BatchNormInference(s.tensor(b.x), b.optional(b.weight), nil, s.tensor(given), s.tensor(spread), 1, b.options()...))
		b.Bias = nil
		b.check("result of given statistics", s.result(got), b.Inference(elem, b.x.x, given.x, spread.x))
		s.op("BatchNormGrad")
		dy := s.random(elem, shape...)
		dx, dweight, dbias, err := ops.BatchNormGrad(s.tensor(b.x), s.tensor(dy), b.optional(b.weight), s.tensor(given), s.tensor(spread), 1, b.options()...)
		s.try(err)
		wantX, wantWeight, wantBias := b.Grad(elem, b.x.x, dy.x, given.x, spread.x)
		b.check("dx", s.result(dx), wantX)
		b.check("dweight", s.result(dweight), wantWeight)
		b.check("dbias", s.result(dbias), wantBias)
		if dx, dweight, dbias, err = ops.BatchNormGrad(s.tensor(b.x), s.tensor(dy), nil, s.tensor(given), s.tensor(spread), 1); err != nil || dx == nil || dweight != nil || dbias != nil {
			s.Errorf("a gradient without a weight is %v, %v, %v, %v", dx, dweight, dbias, err)
		}
		alone := s.output(dense, elem, b.Channels)
		b.s.try(ops.BatchNormGradInto(s.output(dense, elem, shape...).Tensor, nil, alone.Tensor, s.tensor(b.x), s.tensor(dy), nil, s.tensor(given), s.tensor(spread), 1, b.options()...))
		b.check("dbias alone", alone, wantBias)
	}
}

// One channel of many elements, and few: results are the same in every run.
func batchNormLong(s *suite) {
	for i, shape := range more(s, [][]int{{1, 1, 300_007}, {100_003, 2}}, []int{3, 1, 1_000_003}, []int{300_003, 17}) {
		b := s.newBatchNorm(s.shifted(floatTypes[i%2], shape...), 1, true, denseForms)
		b.all()
		x, dy := s.tensor(b.x), s.tensor(s.random(b.x.elem, shape...))
		var first []float64
		for range 2 {
			y, mean, variance, err := ops.BatchNorm(x, nil, nil, 1)
			s.try(err)
			dx, dweight, dbias, err := ops.BatchNormGrad(x, dy, s.tensor(*b.weight), mean, variance, 1)
			s.try(err)
			all := slices.Concat(s.floats(y), s.floats(mean), s.floats(variance), s.floats(dx), s.floats(dweight), s.floats(dbias))
			if first != nil && !slices.Equal(first, all) {
				s.Errorf("results of one tensor differ from run to run")
			}
			first = all
		}
	}
}

// Large means, constant channels, and channels that are not finite, which spoil no other channel; batches of nothing.
func batchNormEdges(s *suite) {
	for i, n := range []int{50, 20_000} {
		for channels := 1; channels <= either(s, 1+i, 2); channels++ {
			shape := []int{2, n, n}
			shape[channels] = 3
			x := s.random(weft.F32, shape...)
			b := s.newBatchNorm(x, channels, true, denseForms)
			for i := range x.x {
				if x.x[i] += 1000; b.Channel(i) == 1 {
					x.x[i] = 3
				}
			}
			rounded(weft.F32, x.x)
			b.all()
			x.x[len(x.x)-1] = math.NaN() // of the last channel
			b.forward()
		}
	}
	empty, weight := s.tensor(filled(weft.F32, 0, 0, 4, 5)), s.tensor(s.ones(weft.F32, 4))
	s.op("BatchNorm")
	y, mean, variance, err := ops.BatchNorm(empty, weight, nil, 1)
	s.try(err)
	if nan := s.floats(mean)[3] + s.floats(variance)[3]; !slices.Equal(y.Shape(), empty.Shape()) || !math.IsNaN(nan) {
		s.Errorf("statistics of nothing add up to %v, the result has shape %v", nan, y.Shape())
	}
	s.op("BatchNormGrad")
	_, dweight, dbias, err := ops.BatchNormGrad(empty, empty, weight, mean, variance, 1)
	s.try(err)
	s.compare(dweight, make([]float64, 4), nil)
	s.compare(dbias, make([]float64, 4), nil)
}

// Results may take the place of x.
func batchNormInPlace(s *suite) {
	for _, shape := range [][]int{{3, 5, 70}, {2, 2, 30_001}} {
		b := s.newBatchNorm(s.shifted(weft.F32, shape...), 1, true, denseForms)
		want, _, _ := b.Forward(weft.F32, b.x.x)
		out := s.outputOf(sliced, b.x)
		s.op("BatchNorm")
		s.try(ops.BatchNormInto(out.Tensor, nil, nil, out.Tensor, b.optional(b.weight), b.optional(b.bias), 1, b.options()...))
		b.check("result in place", out, want)

		mean, variance := b.statistics()
		dy := s.random(weft.F32, shape...)
		wantX, wantWeight, _ := b.Grad(weft.F32, b.x.x, dy.x, mean.x, variance.x)
		dx, dweight := s.outputOf(sliced, b.x), s.output(dense, weft.F32, b.Channels)
		s.op("BatchNormGrad")
		s.try(ops.BatchNormGradInto(dx.Tensor, dweight.Tensor, nil, dx.Tensor, s.tensor(dy), b.optional(b.weight), s.tensor(mean), s.tensor(variance), 1, b.options()...))
		b.check("dx in place", dx, wantX)
		b.check("dweight in place", dweight, wantWeight)
	}
}

func batchNormF64(s *suite) {
	if !s.has(weft.F64) {
		return
	}
	for i, shape := range [][]int{{5, 7, 30}, {300, 9}, {2, 2, 30_001}, {20_000, 3}} {
		s.newBatchNorm(s.shifted(weft.F64, shape...), 1, i%2 == 0, [4]form{sliced, dense, dense, dense}).all()
	}
}
