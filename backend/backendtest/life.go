package backendtest

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

var lifeCases = []testCase{
	{"Goroutines", testGoroutines},
	{"ErrorsLaunchNothing", testErrors},
	{"Timestamps", testTimestamps},
	{"TensorClose", testTensorClose},
	{"Reuse", testReuse},
	{"DeviceClose", testDeviceClose},
	{"Caps", testCaps},
	{"TooLarge", testTooLarge},
	{"LargeViews", testLargeViews},
}

// testGoroutines: many goroutines allocate, launch and read on one device.
func testGoroutines(s *suite) {
	const rounds = 6
	s.together(8, func(w int, g goroutine) { g.work(s.dev, w, rounds) })
}

// work adds, multiplies and normalises matrices whose results are known.
func (g goroutine) work(dev *weft.Device, w, rounds int) {
	for i := range rounds {
		n := 17 + 13*(w%2) + 6*(i%2)
		a := g.ok(weft.FromSlice(dev, slices.Repeat([]float32{float32(w + i)}, n*n), n, n))
		twice := g.ok(ops.Add(a, a))
		square := g.ok(ops.MatMul(twice, a.T(), smallTiles))
		g.try(ops.SoftmaxInto(a, a))
		for t, want := range map[*weft.Tensor]float64{
			twice: float64(2 * (w + i)), square: float64(2 * n * (w + i) * (w + i)), a: 1 / float64(n),
		} {
			got, err := weft.ToFloats(t)
			g.try(err)
			for j, x := range got {
				if math.Abs(x-want) > 1e-5*math.Abs(want) {
					g.failf("worker %d, round %d: element %d of %v is %v, want %v", w, i, j, t, x, want)
				}
			}
			g.try(t.Close())
		}
	}
}

// testErrors: bad input is named, and the output is as it was.
func testErrors(s *suite) {
	make2 := func(elem weft.DType, m, n int) *weft.Tensor { return s.tensor(s.random(elem, m, n)) }
	a, b, half := make2(weft.F32, 4, 5), make2(weft.F32, 6, 7), make2(weft.F16, 4, 5)
	out := s.output(dense, weft.F32, 4, 5)
	fill := func(elem weft.DType) *weft.Kernel[struct{}] {
		return weft.NewKernel("fill", func(k *tile.Builder, _ struct{}) {
			k.Out("o", weft.F32, 2).Block(4, 8).Store(k.Full(elem, 1, 4, 8), 0, 0)
		})
	}
	kernel, broken := fill(weft.F32), fill(weft.I32)
	for name, c := range map[string]struct{ err, want error }{
		"add: shapes":            {ops.AddInto(out.Tensor, a, b), weft.ErrShape},
		"add: types":             {ops.AddInto(out.Tensor, a, half), weft.ErrArgument},
		"add: out too small":     {ops.AddInto(s.ok(out.Slice(0, 0, 1)), a, a), weft.ErrShape},
		"add: nil":               {ops.AddInto(out.Tensor, a, nil), weft.ErrArgument},
		"add: nil out":           {ops.AddInto(nil, a, a), weft.ErrArgument},
		"matmul: inner":          {ops.MatMulInto(out.Tensor, a, b), weft.ErrShape},
		"matmul: out":            {ops.MatMulInto(out.Tensor, a, a.T()), weft.ErrShape},
		"softmax: out":           {ops.SoftmaxInto(out.Tensor, b), weft.ErrShape},
		"softmax: types":         {ops.SoftmaxInto(out.Tensor, half), weft.ErrArgument},
		"kernel: no tensors":     {kernel.Launch(struct{}{}), weft.ErrArgument},
		"kernel: too many":       {kernel.Launch(struct{}{}, out.Tensor, a), weft.ErrArgument},
		"kernel: type":           {kernel.Launch(struct{}{}, half), weft.ErrArgument},
		"kernel: rank":           {kernel.Launch(struct{}{}, s.ok(out.Reshape(20))), weft.ErrShape},
		"kernel: scalars":        {kernel.LaunchWith(struct{}{}, weft.Scalars{1}, out.Tensor), weft.ErrArgument},
		"kernel: does not build": {broken.Launch(struct{}{}, out.Tensor), weft.ErrKernel},
	} {
		s.refused(name, c.want, c.err)
	}
	out.check(filled(weft.F32, sentinel(weft.F32), 4, 5).x, nil)
	s.try(kernel.Launch(struct{}{}, out.Tensor))
	out.check(filled(weft.F32, 1, 4, 5).x, nil)
}

func testTimestamps(s *suite) {
	a := s.tensor(s.random(weft.F32, 300, 300))
	var wall time.Duration
	took := must[time.Duration](s)(s.dev.Time(func() error {
		start := time.Now()
		defer func() { wall = time.Since(start) }()
		_, err := ops.MatMul(a, a, smallTiles)
		return err
	}))
	if took < 0 || took > wall+time.Minute {
		s.Errorf("a launch took %v of device time and %v by the wall clock", took, wall)
	}
}

func testTensorClose(s *suite) {
	x := s.random(weft.F32, 4, 6)
	t := s.ok(weft.FromFloats(s.dev, weft.F32, x.x, 4, 6))
	view := t.T()
	other := s.tensor(x)
	s.try(t.Close())
	s.try(t.Close())
	s.refused("read after Close", weft.ErrClosed, errorOf(weft.ToSlice[float32](t)))
	s.refused("add after Close", weft.ErrClosed, errorOf(ops.Add(other, t)))
	s.refused("matmul with a view made after Close", weft.ErrClosed, errorOf(ops.MatMul(other, t.T())))
	s.refused("softmax into a closed tensor", weft.ErrClosed, ops.SoftmaxInto(t, other))
	// A view made before keeps the memory.
	s.compare(view.T(), x.x, nil)
	s.try(view.Close())
	// A result survives the Close of what it is computed from, launched or not.
	a := s.ok(weft.FromFloats(s.dev, weft.F32, x.x, 4, 6))
	result := s.ok(ops.Add(a, other))
	s.try(a.Close())
	s.result(result).check(sum(s, x, x, x.shape))
}

func testDeviceClose(s *suite) {
	dev := s.open(s.T)
	a := s.ok(weft.Zeros(dev, weft.F32, 8, 8))
	s.refused("operands on two devices", weft.ErrDevice, errorOf(ops.Add(a, s.tensor(filled(weft.F32, 1, 8, 8)))))
	s.ok(ops.MatMul(a, a, smallTiles)) // runs while the device closes
	moved := s.ok(a.To(s.dev))
	s.compare(moved, make([]float64, 64), nil)
	s.try(dev.Close())
	s.try(dev.Close())
	for name, err := range map[string]error{
		"read": errorOf(weft.ToSlice[float32](a)), "alloc": errorOf(weft.Empty(dev, weft.F32, 3)), "launch": errorOf(ops.Add(a, a)),
		"record": errorOf(dev.Record()), "synchronize": dev.Synchronize(),
	} {
		s.refused(name+" on a closed device", weft.ErrClosed, err)
	}
	s.try(a.Close())
}

// testCaps holds what rules read of a device to what they take for granted.
func testCaps(s *suite) {
	caps := s.dev.Caps()
	if caps.Language == target.TileIR && !caps.WholeTiles || caps.WholeTiles && (caps.MaxThreads != 0 || caps.SharedBytes != 0 || caps.Registers != 0) {
		s.Errorf("the source is %v; whole tiles: %v, with %d threads, %d bytes of shared memory and %d registers", caps.Language, caps.WholeTiles, caps.MaxThreads, caps.SharedBytes, caps.Registers)
	}
	if m := caps.Facts(); m.Name == "" || m.Units <= 0 || m.Threads <= 0 || m.Workgroups <= 0 || m.Memory <= 0 || m.Cache <= 0 || m.Flops <= 0 || m.L2 <= 0 {
		s.Errorf("the machine is %+v", *m)
	}
}

// tooLarge reports whether an error says that something is larger than a limit or than the memory.
func tooLarge(err error) bool {
	return errors.Is(err, weft.ErrLimit) || errors.Is(err, weft.ErrOutOfMemory)
}

// testTooLarge asks for more than there is.
func testTooLarge(s *suite) {
	for _, shape := range [][]int{{math.MaxInt}, {1 << 31, 1 << 31}, {1 << 20, 1 << 20, 1 << 10}} {
		if err := errorOf(weft.Empty(s.dev, weft.F32, shape...)); !tooLarge(err) {
			s.Errorf("shape %v: %v, want ErrLimit or ErrOutOfMemory", shape, err)
		}
	}
	if limit := s.dev.Caps().MaxBufferBytes; limit > 0 && limit < math.MaxInt64 {
		s.refused("one byte more than allowed", weft.ErrLimit, errorOf(weft.Empty(s.dev, weft.U8, int(limit)+1)))
	}
	// A buffer may be larger than what a kernel can be given.
	if limit := s.dev.Caps().MaxBindingBytes; limit > 0 && (limit <= 1<<27 || s.full) {
		n := int(limit/4) + 1
		big, err := weft.Empty(s.dev, weft.F32, n)
		if err == nil {
			switch err := errorOf(ops.Softmax(big)); {
			case s.dev.Caps().DeviceAddresses:
				s.try(err)
			case !tooLarge(err):
				s.Errorf("a kernel on %d bytes, where %d can be bound: %v, want ErrLimit", 4*n, limit, err)
			}
			s.try(big.Close())
		} else if !tooLarge(err) {
			s.Error(err)
		}
	}
	if err := s.dev.Synchronize(); err != nil {
		s.Errorf("after the refusals: %v", err)
	}
	one := s.tensor(filled(weft.F32, 1, 1))
	s.compare(s.ok(ops.Add(one, one)), []float64{2}, nil)
}
