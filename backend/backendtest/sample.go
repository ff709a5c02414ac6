package backendtest

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
)

var sampleCases = []testCase{
	{"SampleRows", sampleRows},
	{"SampleEdges", sampleEdges},
	{"SampleSteps", sampleSteps},
	{"SampleReplay", sampleReplay},
	{"SampleSpread", sampleSpread},
}

// sampled checks draws from rows, which are the same everywhere.
func (s *suite) sampled(c reference.Sampling, logits host, stream ops.Stream, from, to form) {
	s.Helper()
	s.op("Sample")
	last := len(logits.shape) - 1
	row := logits.shape[last]
	var options []ops.SampleOption
	if c.K > 0 {
		options = append(options, ops.SampleTopK(c.K))
	}
	if c.P > 0 {
		options = append(options, ops.SampleTopP(c.P))
	}
	if c.Temperature > 0 {
		options = append(options, ops.Temperature(c.Temperature))
	}
	out := s.output(to, weft.I32, logits.shape[:last]...)
	s.try(ops.SampleInto(out.Tensor, s.input(from, logits), stream, options...))
	want := make([]float64, size(logits.shape[:last]))
	for i := range want {
		want[i] = float64(c.Draw(logits.x[i*row:][:row], stream.Seed, stream.Offset, i))
	}
	if err := out.verify(want, nil); err != nil {
		s.Error(fmt.Errorf("%v%v, %s to %s, %+v: %w", logits.elem, logits.shape, from, to, c, err))
	}
}

// Rows of all lengths in any views, and all that tokens are kept by.
func sampleRows(s *suite) {
	stream := ops.Stream{Seed: 0x123456789abcdef, Offset: 1<<34 - 8}
	for i, n := range []int{1000, 1, 1025, 70_001, 33, 2, 9001, 128_256, 262_145}[:either(s, 4, 9)] {
		for j, c := range []reference.Sampling{{}, {K: 3}, {P: 0.9, Temperature: 0.7}, {K: 40, P: 0.5, Temperature: 3}} {
			if !s.full && (i+j)%4 > 0 {
				continue
			}
			elem := floatTypes[(i+j)%len(floatTypes)]
			x := s.random(elem, 7, n).each(func(_ int, x float64) float64 { return 4 * x })
			s.sampled(c, x, stream, forms[(i+j)%len(forms)], forms[j%len(forms)])
		}
	}
	c := reference.Sampling{K: 5, P: 0.8}
	s.sampled(c, s.random(weft.F32, 2, 3, 4, 17), stream, sliced, stepped)
	if s.full { // software GPUs compile each for seconds
		s.sampled(c, s.random(weft.F16, 3, 2, 40), stream, transposed, transposed)
		s.sampled(c, s.random(weft.F32, 100), stream, stepped, dense)
	}
}

// Ties, rows that have no distribution, tokens without a probability, and limits that keep one token or all.
func sampleEdges(s *suite) {
	stream, inf := ops.Stream{Seed: 5}, math.Inf(1)
	const n = 1500
	x := s.random(weft.F32, 12, n)
	row := func(i int, f func(j int) float64) {
		for j := range n {
			x.x[i*n+j] = f(j)
		}
	}
	row(0, func(j int) float64 { return -inf })
	row(1, func(j int) float64 { return []float64{0, -inf}[min(j%7, 1)] })                      // a choice among equals
	row(2, func(j int) float64 { return map[bool]float64{true: -3e38, false: -inf}[j == n-1] }) // one token alone
	row(3, func(j int) float64 { return float64(j % 4) })                                       // ties at every limit
	row(4, func(j int) float64 { return 3e38 * math.Cos(float64(j)) })
	row(5, func(j int) float64 { return 0x1p-140 * float64(j) }) // subnormal numbers, which are as good as 0
	x.x[6*n+3], x.x[7*n+n-1], x.x[8*n] = math.NaN(), inf, -inf
	row(9, func(j int) float64 { return []float64{0, math.Copysign(0, -1)}[j%2] })
	rounded(weft.F32, x.x)
	for i, c := range []reference.Sampling{
		{}, {K: 1}, {K: n}, {K: math.MaxInt32}, {P: 1}, {P: 1e-30}, {P: 0x1p-40, K: 2}, {P: 0.5}, {P: 1 - 0x1p-40}, {K: 500, P: 0.25},
		{Temperature: 1e-30, P: 0.5}, {Temperature: 1e30, K: 100}, {Temperature: 1e-3},
	} {
		if s.full || i%2 == 1 || i < 3 || i > 9 {
			s.sampled(c, x, stream, dense, dense)
		}
	}
	empty := s.tensor(filled(weft.F32, 0, 0, 3))
	s.compare(s.ok(ops.Sample(empty, stream)), nil, nil)
}

// Steps of rows say how far the stream was used, below 0, too, and beyond what a product of 32 bits holds.
func sampleSteps(s *suite) {
	stream := ops.Stream{Seed: 9, Offset: 1<<33 + 4}
	numbers := []float64{0, 1, -1, 7, math.MaxInt32, math.MinInt32}
	for i, c := range []reference.Sampling{{}, {K: 30, P: 0.9}} {
		for j, shape := range [][]int{{6, 300}, {2, 3, 4, 50}, {2, 1<<14 + 9}, {70}, {2, 2, 20_001}}[:either(s, 3, 5)] { // long rows may be shared
			s.op("Sample")
			last := len(shape) - 1
			rows, row, form := size(shape[:last]), shape[last], forms[(i+j)%len(forms)]
			x, steps := s.random(weft.F32, shape...), filled(weft.I32, 0, shape[:last]...)
			options := []ops.SampleOption{ops.SampleTopK(max(c.K, 1)), ops.SampleTopP(c.P)}
			if c.K == 0 {
				options = nil
			}
			want := make([]float64, rows)
			for r := range want {
				steps.x[r] = numbers[r%len(numbers)]
				offset := stream.Offset + 4*uint64(rows)*uint64(int64(steps.x[r]))
				want[r] = float64(c.Draw(x.x[r*row:][:row], stream.Seed, offset, r))
			}
			out := s.output(form, weft.I32, shape[:last]...)
			s.try(ops.SampleInto(out.Tensor, s.input(form, x), stream, append(options, ops.SampleSteps(s.input(form, steps)))...))
			if err := out.verify(want, nil); err != nil {
				s.Error(fmt.Errorf("%v%v, %s to %s, %+v: %w", x.elem, x.shape, form, form, c, err))
			}
		}
	}
}

// A step that is captured draws by other numbers in each replay, those of a loop on the host.
func sampleReplay(s *suite) {
	const rows, row, replays = 3, 200, 4
	c, stream := reference.Sampling{K: 50, P: 0.9}, ops.Stream{Seed: 3, Offset: 8}
	x := s.random(weft.F32, rows, row)
	logits, steps, out := s.tensor(x), s.ok(weft.Zeros(s.dev, weft.I32, rows)), s.ok(weft.Empty(s.dev, weft.I32, rows))
	step, err := s.dev.Capture(func(rec *weft.Recorder) error {
		steps := rec.Use(steps)
		if err := ops.SampleInto(rec.Use(out), logits, stream, ops.SampleTopK(c.K), ops.SampleTopP(c.P), ops.SampleSteps(steps)); err != nil {
			return err
		}
		return ops.AddInto(steps, steps, 1)
	})
	s.try(err)
	defer step.Close()
	differ := false
	for i := range replays {
		s.op("Sample")
		s.try(step.Replay())
		want := make([]float64, rows)
		for r := range want {
			want[r] = float64(c.Draw(x.x[r*row:][:row], stream.Seed, stream.Skip(4*rows*i).Offset, r))
			differ = differ || want[r] != float64(c.Draw(x.x[r*row:][:row], stream.Seed, stream.Offset, r))
		}
		s.compare(out, want, nil)
	}
	if !differ {
		s.Error("all replays should draw the same")
	}
}

// Many draws are distributed as softmax says, in float64, of the tokens that are kept, and no others are drawn.
func sampleSpread(s *suite) {
	const n, rows = 40, 4000
	one := s.random(weft.F32, n).each(func(_ int, x float64) float64 { return 2 * x })
	x := s.ok(s.tensor(one).Broadcast(rows, n))
	for i, c := range []reference.Sampling{{P: 0.8}, {}, {K: 7, Temperature: 1.5}} {
		if !s.full && i > 0 {
			break
		}
		s.op("Sample")
		options := []ops.SampleOption{ops.SampleTopK(max(c.K, 1+n*(1-min(c.K, 1)))), ops.Temperature(max(c.Temperature, 1))}
		if c.P > 0 {
			options = append(options, ops.SampleTopP(c.P))
		}
		counts := make([]float64, n)
		for _, token := range s.floats(s.ok(ops.Sample(x, ops.Stream{Seed: uint64(i)}, options...))) {
			counts[int(token)]++
		}
		if err := c.Judge(one.x, counts); err != nil {
			s.Errorf("%+v: %v", c, err)
		}
	}
}
