package memo_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/internal/recent"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
	"github.com/weftgpu/weft/memo"
	"github.com/weftgpu/weft/tile"
)

func open(t *testing.T) *weft.Device {
	t.Helper()
	dev := ok[*weft.Device](t)(weft.Open("cpu"))
	t.Cleanup(func() { dev.Close() })
	return dev
}

// ok returns a function that passes a value on if there is no error.
func ok[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

var (
	double = weft.NewMap("double", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0].Add(in[0]) })
	minus  = weft.NewMap("minus", []string{"x", "y"}, func(in []*tile.Value) *tile.Value { return in[0].Sub(in[1]) })
)

// A call like one before launches the same on its own tensors; others are run: those with other options, types,
// layouts or shared memory.
func TestMemoRunsOnceForEqualCalls(t *testing.T) {
	dev := open(t)
	runs := 0
	calls := memo.New(func(times int, x []*weft.Tensor) error { // out = 2^times · in - in, through a tensor of its own
		runs++
		work, err := weft.Empty(dev, x[1].DType(), x[1].Shape()...)
		if err != nil {
			return err
		}
		defer work.Close()
		if err := work.CopyFrom(x[1]); err != nil {
			return err
		}
		for range times {
			if err := double.Into(work, work); err != nil {
				return err
			}
		}
		return minus.Into(x[0], work, x[1])
	})
	vector := func(from float64, n int) *weft.Tensor {
		return ok[*weft.Tensor](t)(weft.Arange(dev, weft.F32, from, from+float64(n), 1))
	}
	call := func(name string, times int, out, in *weft.Tensor, wantRuns int) {
		t.Helper()
		want := ok[[]float64](t)(weft.ToFloats(in))
		for i, x := range want {
			want[i] = x*float64(int(1)<<times) - x
		}
		if err := calls.Run(times, out, in); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := ok[[]float64](t)(weft.ToFloats(out)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if runs != wantRuns {
			t.Errorf("%s: the function ran %d times, want %d", name, runs, wantRuns)
		}
	}
	a, b := vector(1, 6), vector(0, 6)
	call("first", 2, b, a, 1)
	call("again", 2, vector(0, 6), vector(7, 6), 1)
	call("the other way", 2, a, b, 1)
	call("in place", 2, a, a, 2)
	call("another in place", 2, b, b, 2)
	call("other options", 1, b, a, 3)
	call("another length", 2, vector(0, 7), vector(5, 7), 4)
	turned := ok[*weft.Tensor](t)(a.Flip())
	call("another view", 2, b, turned, 5)
	call("another view again", 2, vector(0, 6), ok[*weft.Tensor](t)(vector(3, 6).Flip()), 5)
	recent.Forget()
	call("forgotten", 2, b, a, 6)
	other := open(t)
	if err := calls.Run(2, b, ok[*weft.Tensor](t)(weft.Zeros(other, weft.F32, 6))); err == nil {
		t.Error("tensors of two devices")
	}
	a.Close()
	if err := calls.Run(2, b, a); err == nil {
		t.Error("a closed tensor")
	}
}

// A call that does something which a plan cannot hold is run each time.
func TestMemoKeepsNoHalfPlans(t *testing.T) {
	dev := open(t)
	one := ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, 1, 4))
	for name, run := range map[string]func(out *weft.Tensor) error{
		"copies from the host": func(out *weft.Tensor) error {
			x, err := weft.FromSlice(dev, []float32{1, 2, 3, 4})
			if err != nil {
				return err
			}
			defer x.Close()
			return double.Into(out, x)
		},
		"reads on the host": func(out *weft.Tensor) error {
			x, err := weft.ToSlice[float32](out)
			if err != nil {
				return err
			}
			return out.Fill(x[0] + 1)
		},
		"clears from the host": func(out *weft.Tensor) error {
			x, err := weft.Zeros(dev, weft.F32, 4)
			if err != nil {
				return err
			}
			defer x.Close()
			return double.Into(out, x)
		},
		"fills on the device": func(out *weft.Tensor) error {
			x, err := weft.Full(dev, weft.F32, 3, 4)
			if err != nil {
				return err
			}
			defer x.Close()
			return double.Into(out, x)
		},
		"takes another tensor": func(out *weft.Tensor) error { return double.Into(out, one) },
		"writes behind its back": func(out *weft.Tensor) error {
			return theOut.Fill(3)
		},
	} {
		runs := 0
		calls := memo.New(func(_ struct{}, x []*weft.Tensor) error { runs++; return run(x[0]) })
		theOut = ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 4))
		for range 3 {
			if err := calls.Run(struct{}{}, theOut); err != nil {
				t.Fatal(err)
			}
		}
		if runs != 3 {
			t.Errorf("%s: run %d times", name, runs)
		}
	}
}

var theOut *weft.Tensor

// Many goroutines share what is remembered.
func TestMemoFromManyGoroutines(t *testing.T) {
	dev := open(t)
	calls := memo.New(func(_ struct{}, x []*weft.Tensor) error { return double.Into(x[0], x[1]) })
	shared := ok[*weft.Tensor](t)(weft.Arange(dev, weft.F32, 0, 100, 1))
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			out, err := weft.Empty(dev, weft.F32, 100)
			if err != nil {
				t.Error(err)
				return
			}
			defer out.Close()
			for range 50 {
				in, want := shared, float32(2*99)
				if g%2 == 0 {
					in, want = out, 0
					if err := out.Fill(0); err != nil {
						t.Error(err)
					}
				}
				if err := calls.Run(struct{}{}, out, in); err != nil {
					t.Error(err)
				}
				if got, err := weft.ToSlice[float32](out); err != nil || got[99] != want {
					t.Errorf("%v, %v", got, err)
				}
			}
		})
	}
	all.Wait()
}

var affine = weft.NewKernel("affine", func(k *tile.Builder, block int) {
	x, y := k.In("x", weft.I32, 1), k.Out("y", weft.I32, 1)
	factor, plus := k.Scalar("factor", weft.I32), k.Scalar("plus", weft.I32)
	at := k.ProgramTile(y, block)
	y.Block(block).Store(x.Block(block).Load(at...).Mul(factor).Add(plus), at...)
})

// The words of a call are the scalars of its kernels, in a later call, too; a function that does something else with
// them is run each time.
func TestMemoTakesWords(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.FromSlice(dev, []int32{1, 2, 3}))
	out := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 3))
	for _, c := range []struct {
		name string
		runs int
		run  func(w []uint32, x []*weft.Tensor) error
		want func(factor, plus int32) int32 // of 3
	}{
		{"as they are", 1, func(w []uint32, x []*weft.Tensor) error {
			if err := affine.LaunchWith(4, weft.Scalars{int32(w[0]), int32(w[1])}, x[1], x[0]); err != nil {
				return err
			}
			return double.Into(x[0], x[0]) // without scalars
		}, func(f, p int32) int32 { return 2 * (3*f + p) }},
		{"swapped", 5, func(w []uint32, x []*weft.Tensor) error {
			return affine.LaunchWith(4, weft.Scalars{int32(w[1]), int32(w[0])}, x[1], x[0])
		}, func(f, p int32) int32 { return 3*p + f }},
		{"others", 5, func(w []uint32, x []*weft.Tensor) error {
			return affine.LaunchWith(4, weft.Scalars{7, int32(w[0])}, x[1], x[0])
		}, func(f, _ int32) int32 { return 21 + f }},
	} {
		runs := 0
		calls := memo.NewWith(func(_ string, w []uint32, x []*weft.Tensor) error { runs++; return c.run(w, x) })
		for i := range int32(5) {
			f, p := 10-i, 100*i-7
			if err := calls.RunWith(c.name, []uint32{uint32(f), uint32(p)}, out, x); err != nil {
				t.Fatal(c.name, err)
			}
			if got := ok[[]int32](t)(weft.ToSlice[int32](out)); got[2] != c.want(f, p) {
				t.Errorf("%s: %d and %d give %d, want %d", c.name, f, p, got[2], c.want(f, p))
			}
		}
		if runs != c.runs {
			t.Errorf("%s: the function ran %d times, want %d", c.name, runs, c.runs)
		}
	}
}

// A memo that is nil, zero or has no function says so.
func TestNilMemos(t *testing.T) {
	for i, m := range []*memo.Memo[int]{nil, {}, memo.New[int](nil), memo.NewWith[int](nil)} {
		if err := m.Run(1); !errors.Is(err, weft.ErrArgument) {
			t.Errorf("memo %d: %v, want ErrArgument", i, err)
		}
	}
	broken := errors.New("the function's own")
	m := memo.New(func(int, []*weft.Tensor) error { return broken })
	for _, tensors := range [][]*weft.Tensor{nil, {nil}, {{}}} {
		if err := m.Run(1, tensors...); !errors.Is(err, broken) {
			t.Errorf("of %v: %v, want the function's error", tensors, err)
		}
	}
}
