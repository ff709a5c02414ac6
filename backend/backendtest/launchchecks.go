package backendtest

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// testSteps runs loops with steps that the device alone knows. One whose index would leave 32 bits ends there.
func testSteps(s *suite) {
	bounds := []float64{ // from, to, step
		0, 10, 3,
		maxInt - 10, maxInt, 7,
		maxInt - 1, maxInt, maxInt,
		minInt, maxInt, 1 << 30,
		minInt, minInt + 5, 4,
		5, 2, 4,
		-7, 8, 5,
		maxInt - 2, maxInt, 1,
	}
	n := len(bounds) / 3
	s.agree(func(k *tile.Builder) {
		x, b, o := k.In("x", weft.I32, 1), k.In("bounds", weft.I32, 2), k.Out("out", weft.I32, 2)
		k.Grid(b.Dim(0))
		p := k.ProgramID(0)
		at := func(i int) *tile.Value { return b.At(p, i).Gather() }
		count, sum := k.Var(k.Int(0)), k.Var(k.Zeros(weft.I32, 1, 32))
		for i := range k.RangeStep(at(0), at(1), at(2)) {
			count.Set(count.Get().Add(1))
			v := x.Block(32).Load(i.And(3)).Reshape(1, 32)
			sum.Set(sum.Get().Mul(3).Add(v.Mul(i)).Add(v.Sum(1)))
		}
		o.Block(1, 32).Store(sum.Get(), p, 0)
		o.Block(1, 1).Store(count.Get(), p, 32)
	}, nil, in(s.random(weft.I32, 128)), in(host{weft.I32, []int{n, 3}, bounds}), out(weft.I32, n, 33))

	s.sub(stepsNotPositive, "not positive")
	s.sub(stepsOfSizes, "of sizes")
}

// stepsNotPositive: the interpreter reports such a step; other devices make no iteration.
func stepsNotPositive(s *suite) {
	kernel := weft.NewKernel("steps", func(k *tile.Builder, _ struct{}) {
		x, o := k.In("step", weft.I32, 1), k.Out("out", weft.I32, 1)
		count := k.Var(k.Int(0))
		for range k.RangeStep(0, 4, x.At(0).Gather()) {
			count.Set(count.Get().Add(1))
		}
		o.Block(1).Store(count.Get(), 0)
	})
	for _, step := range []float64{0, -1, minInt} {
		out := s.ok(weft.Full(s.dev, weft.I32, 7, 1))
		err := kernel.Launch(struct{}{}, s.tensor(host{weft.I32, []int{1}, []float64{step}}), out)
		var got []float64
		if err == nil {
			got, err = weft.ToFloats(out)
		}
		if err != nil && !errors.Is(err, weft.ErrKernel) || err == nil && !slices.Equal(got, []float64{0}) {
			s.Errorf("step %v: %v, %v; want no iterations or ErrKernel", step, got, err)
		}
		if err != nil {
			_ = s.dev.Synchronize() // which may report it again
		}
	}
}

// stepsOfSizes: a step that the host can compute is checked by the launch.
func stepsOfSizes(s *suite) {
	kernel := weft.NewKernel("steps", func(k *tile.Builder, _ struct{}) {
		n, x := k.Scalar("n", weft.I32), k.InOut("x", weft.F32, 1)
		for range k.RangeStep(0, 4, x.Dim(0).Sub(n)) {
			x.Block(8).Store(x.Block(8).Load(0).Add(1), 0)
		}
	})
	x := s.ok(weft.Zeros(s.dev, weft.F32, 8))
	for n, want := range map[int]float64{4: 1, 6: 2, 8: 0, 9: 0} {
		s.try(x.Fill(0))
		err := kernel.LaunchWith(struct{}{}, weft.Scalars{n}, x)
		if fails := n >= 8; fails != errors.Is(err, weft.ErrKernel) || fails && !strings.Contains(err.Error(), "launchchecks.go:") {
			s.Errorf("n = %d: %v", n, err)
		}
		if got := s.floats(x); got[0] != want || got[7] != want {
			s.Errorf("n = %d: %v, want %v", n, got, want)
		}
	}
}

// testRequire launches a kernel with sizes and scalars that it takes, and with others, alternately: what is remembered of launches
// is of those alone that a launch checked.
func testRequire(s *suite) {
	s.agree(func(k *tile.Builder) {
		x, y := k.In("x", weft.I32, 1), k.Out("y", weft.I32, 1)
		k.Require(x.Dim(0).Eq(y.Dim(0)))
		k.Grid(k.CDiv(y.Dim(0), 64))
		y.Block(64).Store(x.Block(64).Load(k.ProgramID(0)).Add(x.Dim(0)), k.ProgramID(0))
	}, nil, in(s.random(weft.I32, 100)), out(weft.I32, 100))

	kernel := weft.NewKernel("require", func(k *tile.Builder, _ struct{}) {
		n := k.Scalar("n", weft.I32)
		x, y := k.In("x", weft.F32, 1), k.InOut("y", weft.F32, 1)
		k.Require(x.Dim(0).Eq(y.Dim(0)).And(y.Dim(0).Rem(n).Eq(0)))
		k.Grid(k.CDiv(y.Dim(0), 16))
		p := k.ProgramID(0)
		y.Block(16).Store(x.Block(16).Load(p).Add(y.Block(16).Load(p)), p)
	})
	one := func(n int) *weft.Tensor { return s.ok(weft.Full(s.dev, weft.F32, 1, n)) }
	x, y, short := one(12), one(12), one(11)
	sum := 1.0
	for range 2 {
		for _, c := range []struct {
			n    int
			x    *weft.Tensor
			says string
		}{
			{3, x, ""},
			{5, x, "y.Dim(0) % n is 2"},
			{3, short, "x.Dim(0) is 11 and y.Dim(0) is 12"},
			{4, x, ""},
		} {
			err := kernel.LaunchWith(struct{}{}, weft.Scalars{c.n}, c.x, y)
			if c.says == "" {
				s.try(err)
				sum++
			} else if !errors.Is(err, weft.ErrShape) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "launchchecks.go:") {
				s.Errorf("n = %d: %v, want ErrShape that says %q", c.n, err, c.says)
			}
		}
	}
	for i, got := range s.floats(y) {
		if got != sum || math.IsNaN(got) {
			s.Fatalf("element %d is %v, want %v", i, got, sum)
		}
	}
}
