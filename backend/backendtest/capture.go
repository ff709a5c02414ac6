package backendtest

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var captureCases = []testCase{
	{"CaptureReplays", testCaptureReplays},
	{"CaptureOrder", testCaptureOrder},
	{"CaptureRefuses", testCaptureRefuses},
	{"CaptureAmongGoroutines", testCaptureAmongGoroutines},
	{"Stress", testStress},
}

// pipeline is a few layers on tensors of its own: kernels of one pass and of two with a workspace, one that adds to a view that is cleared before, copies
// of views, and tensors that are made and closed on the way.
type pipeline struct {
	x, w, bias, long, out, sum, state *weft.Tensor
}

func newPipeline(dev *weft.Device, rng func() float32) (*pipeline, error) {
	p := &pipeline{}
	shapes := [][]int{{7, 33}, {19, 33}, {19}, {70_001}, {7, 19}, {1}, {19}}
	for i, t := range p.tensors() {
		var err error
		if *t, err = weft.Empty(dev, weft.F32, shapes[i]...); err != nil {
			return nil, err
		}
		if err := refill(*t, rng); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// tensors are the places of all tensors.
func (p *pipeline) tensors() []**weft.Tensor {
	return []**weft.Tensor{&p.x, &p.w, &p.bias, &p.long, &p.out, &p.sum, &p.state}
}

// randomFloats are numbers from -1 to 1, the same for equal seeds.
func randomFloats(seed uint64) func() float32 {
	rng := rand.New(rand.NewPCG(seed, 5))
	return func() float32 { return 2*rng.Float32() - 1 }
}

// refill copies random numbers to a dense tensor.
func refill(t *weft.Tensor, rng func() float32) error {
	x := make([]float32, t.Len())
	for i := range x {
		x[i] = rng()
	}
	from, err := weft.FromSlice(t.Device(), x, t.Shape()...)
	if err != nil {
		return err
	}
	defer from.Close()
	return t.CopyFrom(from)
}

// on is the pipeline on a recorder's tensors.
func (p *pipeline) on(rec *weft.Recorder) *pipeline {
	on := *p
	for _, t := range on.tensors() {
		*t = rec.Use(*t)
	}
	return &on
}

func (p *pipeline) run() error {
	hidden, err := ops.Linear(p.x, p.w, p.bias, ops.Fuse(ops.GELUMap))
	if err != nil {
		return err
	}
	defer hidden.Close()
	parts, err := ops.MatMul(hidden.T(), hidden, ops.Tiles(ops.MatMulConfig{SplitK: 2, Atomic: true}))
	if err != nil {
		return err
	}
	defer parts.Close()
	row, err := parts.Select(0, 3)
	if err != nil {
		return err
	}
	return errors.Join(
		ops.SoftmaxInto(p.out, hidden),
		ops.SumInto(p.sum, p.long, ops.KeepDims()),
		ops.AddInto(p.state, p.state, row), // each run goes on from the one before
		ops.MulInto(p.state, p.state, 0.5),
	)
}

// contents are all tensors' elements.
func (p *pipeline) contents() (all []float32, err error) {
	for _, t := range []*weft.Tensor{p.x, p.out, p.sum, p.state} {
		x, err := weft.ToSlice[float32](t)
		if err != nil {
			return nil, err
		}
		all = append(all, x...)
	}
	return all, nil
}

func (p *pipeline) close() {
	for _, t := range p.tensors() {
		(*t).Close()
	}
}

// testCaptureReplays: a replay does, to the bit, what a run does, however often and whatever the tensors hold.
func testCaptureReplays(s *suite) {
	seed := s.rng.Uint64()
	made := func() *pipeline { return must[*pipeline](s)(newPipeline(s.dev, randomFloats(seed))) }
	direct, captured := made(), made()
	defer direct.close()
	defer captured.close()
	before := must[[]float32](s)(captured.contents())
	r := must[*weft.Recording](s)(s.dev.Capture(func(rec *weft.Recorder) error { return captured.on(rec).run() }))
	defer r.Close()
	if after := must[[]float32](s)(captured.contents()); !slices.Equal(before, after) {
		s.Error("a capture has changed something")
	}
	for round := range 4 {
		for range round + 1 {
			s.try(direct.run())
			s.try(r.Replay())
		}
		want, got := must[[]float32](s)(direct.contents()), must[[]float32](s)(captured.contents())
		for i := range want {
			if want[i] != got[i] && (want[i] == want[i] || got[i] == got[i]) {
				s.Fatalf("round %d: element %d is %v after replays, %v after runs", round, i, got[i], want[i])
			}
		}
		next := s.rng.Uint64()
		for _, p := range []*pipeline{direct, captured} { // what is read changes; the recording stays
			s.try(errors.Join(refill(p.x, randomFloats(next)), refill(p.w, randomFloats(next+1))))
		}
	}
}

// testCaptureOrder: replays, launches and copies of the host take effect in the order of the calls, without a wait.
func testCaptureOrder(s *suite) {
	const n = 1000
	x := s.ok(weft.Zeros(s.dev, weft.I32, n))
	y := s.ok(weft.Zeros(s.dev, weft.I32, n))
	twice := must[*weft.Recording](s)(s.dev.Capture(func(rec *weft.Recorder) error {
		x := rec.Use(x)
		return errors.Join(ops.AddInto(y, x, x), ops.AddInto(x, y, 1), ops.MulInto(y, x, 3), ops.AddInto(y, y, x))
	}))
	defer twice.Close()
	want := int32(0) // of all elements of x
	for i := range 60 {
		switch s.rng.IntN(5) {
		case 0:
			s.try(ops.AddInto(x, x, 5))
			want += 5
		case 1:
			s.try(x.Fill(i))
			want = int32(i)
		case 2:
			from := s.ok(weft.FromSlice(s.dev, slices.Repeat([]int32{int32(-i)}, n)))
			s.try(x.CopyFrom(from))
			s.try(from.Close())
			want = int32(-i)
		default:
			s.try(twice.Replay())
			want = 2*want + 1
		}
		if s.rng.IntN(6) == 0 {
			if got := must[[]int32](s)(weft.ToSlice[int32](x)); got[0] != want || got[n-1] != want {
				s.Fatalf("step %d: %d and %d, want %d", i, got[0], got[n-1], want)
			}
		}
		want %= 1 << 20
		s.try(ops.RemInto(x, x, 1<<20))
	}
}

// testCaptureRefuses: an error within a capture leaves no trace.
func testCaptureRefuses(s *suite) {
	x := s.ok(weft.FromSlice(s.dev, []float32{1, 2, 3}))
	sentinel := errors.New("the function's own")
	for name, c := range map[string]struct {
		f    func(x *weft.Tensor) error
		kind error
	}{
		"its own error": {func(*weft.Tensor) error { return sentinel }, sentinel},
		"an op's error": {func(x *weft.Tensor) error { _, err := ops.MatMul(x.T(), nil); return err }, weft.ErrArgument},
		"a download":    {func(x *weft.Tensor) error { _, err := weft.ToSlice[float32](x); return err }, weft.ErrUnsupported},
	} {
		_, err := s.dev.Capture(func(rec *weft.Recorder) error {
			x := rec.Use(x)
			return errors.Join(ops.AddInto(x, x, x), c.f(x))
		})
		s.refused(name, c.kind, err)
	}
	if got := must[[]float32](s)(weft.ToSlice[float32](x)); !slices.Equal(got, []float32{1, 2, 3}) {
		s.Errorf("a capture that failed has run: %v", got)
	}
	empty := must[*weft.Recording](s)(s.dev.Capture(func(*weft.Recorder) error { return nil }))
	s.try(empty.Replay())
	s.try(empty.Close())
	r := must[*weft.Recording](s)(s.dev.Capture(func(rec *weft.Recorder) error { return ops.AddInto(x, rec.Use(x), x) }))
	s.try(x.Close()) // the recording holds the memory
	s.try(r.Replay())
	s.try(r.Close())
	s.refused("a closed recording", weft.ErrClosed, r.Replay())
}

// testCaptureAmongGoroutines: a capture holds what is launched on its tensors, and what others launch meanwhile runs, also on
// what the capture reads. Replays of one recording by several goroutines are whole ones.
func testCaptureAmongGoroutines(s *suite) {
	const n, rounds = 100, 10
	one := s.ok(weft.Full(s.dev, weft.I32, 1, n))
	s.together(4, func(i int, g goroutine) { g.captureAlone(s.dev, one, n, rounds, i%2 == 0) })

	x := s.ok(weft.Zeros(s.dev, weft.I32, n))
	r, err := s.dev.Capture(func(rec *weft.Recorder) error { // x + 1 by way of memory of the recording
		x := rec.Use(x)
		next, err := ops.Add(x, one)
		return cmp.Or(err, ops.MulInto(x, next, one))
	})
	s.try(err)
	s.together(4, func(_ int, g goroutine) {
		for range rounds {
			g.try(r.Replay())
		}
	})
	s.try(r.Close())
	got, err := weft.ToSlice[int32](x)
	s.try(err)
	if got[n-1] != 4*rounds {
		s.Errorf("%d replays by 4 goroutines counted %d", 4*rounds, got[n-1])
	}
}

// captureAlone counts on a tensor of its own, by replays or by launches, and finds no other's launches in it.
func (g goroutine) captureAlone(dev *weft.Device, one *weft.Tensor, n, rounds int, capture bool) {
	x := g.ok(weft.Zeros(dev, weft.I32, n))
	defer x.Close()
	for i := range rounds {
		twice := func(x *weft.Tensor) error { return errors.Join(ops.AddInto(x, x, one), ops.AddInto(x, x, one)) }
		step := func() error { return twice(x) }
		if capture {
			r, err := dev.Capture(func(rec *weft.Recorder) error { return twice(rec.Use(x)) })
			g.try(err)
			if r.Launches() != 2 {
				g.failf("a capture of 2 launches has %d", r.Launches())
			}
			step = func() error { return errors.Join(r.Replay(), r.Close()) }
		}
		g.try(step())
		got, err := weft.ToSlice[int32](x)
		g.try(err)
		if got[n-1] != int32(2*(i+1)) {
			g.failf("round %d, by capture %v: %d", i, capture, got[n-1])
		}
	}
}

// testStress: goroutines launch, allocate, capture, replay, read and close, on tensors of their own and on shared ones.
func testStress(s *suite) {
	rounds := either(s, 12, 100)
	shared := s.ok(weft.Arange(s.dev, weft.F32, 0, 1000, 1))
	seeds := make([]uint64, 6)
	for i := range seeds {
		seeds[i] = s.rng.Uint64()
	}
	s.together(len(seeds), func(i int, g goroutine) { g.stress(s.dev, shared, seeds[i], i, rounds) })
}

func (g goroutine) stress(dev *weft.Device, shared *weft.Tensor, seed uint64, worker, rounds int) {
	rng := randomFloats(seed)
	for i := range rounds {
		n := 10 + (worker*37+i*11)%990
		part := g.ok(shared.Slice(0, 0, n))
		double := g.ok(ops.Add(part, part))
		part.Close()
		p, err := newPipeline(dev, rng)
		g.try(err)
		run := p.run
		if (worker+i)%3 == 0 {
			r, err := dev.Capture(func(rec *weft.Recorder) error { return p.on(rec).run() })
			g.try(err)
			run = func() error { return errors.Join(r.Replay(), r.Close()) }
		}
		err = run()
		p.close() // with its work in flight
		got, readErr := weft.ToSlice[float32](double)
		g.try(errors.Join(err, readErr, double.Close()))
		for j, x := range got {
			if x != float32(2*j) {
				g.failf("goroutine %d, round %d: element %d of %d is %v", worker, i, j, n, x)
			}
		}
	}
}
