package backendtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

var failureCases = []testCase{
	{"TooManyPrograms", testTooManyPrograms},
	{"FailedKernels", testFailedKernels},
	{"SynchronizeContext", testSynchronizeContext},
}

// gridKernel adds 1 for each program of a grid that its scalars give.
var gridKernel = weft.NewKernel("grid_of_scalars", func(k *tile.Builder, _ int) {
	y := k.InOut("y", weft.I32, 1)
	k.Grid(k.Scalar("a", weft.I32), k.Scalar("b", weft.I32), k.Scalar("c", weft.I32))
	y.At(0).AtomicAdd(1)
})

// testTooManyPrograms: a grid of more than 2^31-1 programs is refused before anything runs.
func testTooManyPrograms(s *suite) {
	y := s.ok(weft.Zeros(s.dev, weft.I32, 4))
	for _, grid := range []weft.Scalars{{1 << 20, 1 << 20, 2}, {1 << 16, 1 << 15, 1}, {1<<31 - 1, 2, 1}, {1<<31 - 1, 1<<31 - 1, 1<<31 - 1}} {
		s.refused(fmt.Sprintf("grid %v", grid), weft.ErrLimit, gridKernel.LaunchWith(0, grid, y))
	}
	s.try(gridKernel.LaunchWith(0, weft.Scalars{3, 2, 5}, y))
	s.try(gridKernel.LaunchWith(0, weft.Scalars{1<<31 - 1, 0, 1<<31 - 1}, y))
	if got := s.floats(y); got[0] != 30 {
		s.Errorf("%v programs ran, want 30", got[0])
	}
}

// guarded copies x to y, and asserts that x is not negative.
var guarded = weft.NewKernel("guarded", func(k *tile.Builder, _ int) {
	x, y := k.In("x", weft.F32, 1), k.Out("y", weft.F32, 1)
	v := x.Block(4).Load(0)
	k.Assert(v.Ge(0), "negative")
	y.Block(4).Store(v, 0)
})

// testFailedKernels: where kernels make assertions, the error of a kernel is reported by reads of what depends on it, and by no others.
func testFailedKernels(s *suite) {
	if s.dev.Info().Kind != weftCPU {
		s.Skip("kernels on GPUs make no assertions")
	}
	full := func(x float64) *weft.Tensor { return s.ok(weft.Full(s.dev, weft.F32, x, 4)) }
	bad, good, y, other := full(-1), full(2), full(0), full(5)
	wantError := func(what string, t *weft.Tensor) {
		s.Helper()
		s.refused(what, weft.ErrKernel, errorOf(weft.ToFloats(t)))
	}
	wantValue := func(what string, t *weft.Tensor, want float64) {
		s.Helper()
		x, err := weft.ToFloats(t)
		for _, x := range x {
			if x != want {
				err = errors.Join(err, errors.New("another value"))
			}
		}
		if err != nil {
			s.Errorf("%s: %v, %v, want %v", what, x, err, want)
		}
	}
	s.try(guarded.Launch(0, bad, y))
	sum := s.ok(ops.Add(y, other))
	twice := s.ok(ops.Add(sum, sum))
	fine := s.ok(ops.Add(other, 1))
	wantValue("unrelated", fine, 6)
	wantValue("what failed reads", bad, -1)
	wantError("what failed wrote", y)
	wantError("what failed wrote, again", y)
	wantError("what depends on it", sum)
	wantError("what depends on that", twice)
	s.try(s.dev.Synchronize()) // it was told
	part := s.ok(y.Slice(0, 0, 2))
	s.try(part.Fill(3))
	wantError("written in part", y)
	s.try(guarded.Launch(0, good, y))
	wantValue("written whole", y, 2)
	s.try(ops.AddInto(sum, y, 1))
	wantValue("made again", sum, 3)

	s.try(guarded.Launch(0, bad, y))
	s.refused("Synchronize", weft.ErrKernel, s.dev.Synchronize())
	s.try(s.dev.Synchronize())
	wantError("after Synchronize", y)
	s.try(y.Fill(1))
	wantValue("filled", y, 1)
}

// weftCPU is the kind of devices that run kernels on the host.
const weftCPU = 0

// spin runs for as long as its scalar says, in a loop of a loop.
var spin = weft.NewKernel("spin", func(k *tile.Builder, _ int) {
	y := k.InOut("y", weft.F32, 1)
	n := k.Scalar("n", weft.I32)
	v := k.Var(y.Block(4).Load(0))
	for range k.Range(n) {
		for range k.Range(n) {
			v.Set(v.Get().Mul(0.5).Add(1))
		}
	}
	y.Block(4).Store(v.Get(), 0)
})

// testSynchronizeContext: a context that ends work which is not done gives ErrCanceled and its cause. On the CPU that work ends.
func testSynchronizeContext(s *suite) {
	y := s.ok(weft.Zeros(s.dev, weft.F32, 4))
	s.try(spin.LaunchWith(0, weft.Scalars{3}, y))
	ctx, cancel := context.WithCancelCause(context.Background())
	s.try(s.dev.SynchronizeContext(ctx))
	if s.dev.Info().Kind != weftCPU {
		cancel(nil)
		return
	}
	cause := errors.New("the user is tired")
	z := s.ok(weft.Zeros(s.dev, weft.F32, 4))
	s.try(spin.LaunchWith(0, weft.Scalars{1<<31 - 1}, y))
	next := s.ok(ops.Add(z, 1))
	time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
	canceled := s.dev.SynchronizeContext(ctx)
	for what, err := range map[string]error{
		"SynchronizeContext": canceled, "reading what ran": errorOf(weft.ToFloats(y)), "reading what waited": errorOf(weft.ToFloats(next)),
	} {
		s.refused(what, weft.ErrCanceled, err)
		s.refused(what, cause, err)
	}
	s.try(s.dev.Synchronize())
	s.try(y.Fill(1)) // the device goes on
	s.try(spin.LaunchWith(0, weft.Scalars{2}, y))
	if got := s.floats(y); got[0] != 1.9375 {
		s.Errorf("afterwards: %v, want 1.9375", got)
	}
	own := s.open(s) // and Close ends what runs
	x := s.ok(weft.Zeros(own, weft.F32, 4))
	s.try(spin.LaunchWith(0, weft.Scalars{1<<31 - 1}, x))
	s.try(own.Close())
}
