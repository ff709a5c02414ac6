package gomlx

import (
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// trained is a computation like a step of training: weights, which are donated, a batch and a rate give new weights and a loss.
func trained(t *testing.T, b backends.Backend) backends.Executable {
	t.Helper()
	c := b.Builder("step")
	op := func(x backends.Op, err error) backends.Op {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	w := op(c.Parameter("w", shapes.Make(dtypes.Float32, 3), nil))
	x := op(c.Parameter("x", shapes.Make(dtypes.Float32, 2, 3), nil))
	rate := op(c.Parameter("rate", shapes.Make(dtypes.Float32), nil))
	y := op(c.Dot(x, w))
	loss := op(c.ReduceSum(op(c.Mul(y, y))))
	gradient := op(c.DotGeneral(y, []int{0}, nil, x, []int{0}, nil))
	next := op(c.Sub(w, op(c.Mul(gradient, rate))))
	e, err := c.Compile([]backends.Op{next, loss}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A loop of executions is captured once its tensors come again, gives what it gives without, takes the memory of donated weights, and goes
// back to single launches when other tensors come.
func TestReplay(t *testing.T) {
	for _, config := range []string{"cpu", "cpu,replay=off"} {
		b, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Finalize()
		e := trained(t, b)
		upload := func(x []float32, dims ...int) backends.Buffer {
			buf, err := b.BufferFromFlatData(0, x, shapes.Make(dtypes.Float32, dims...))
			if err != nil {
				t.Fatal(err)
			}
			return buf
		}
		w, rate := upload([]float32{1, 2, 3}, 3), upload([]float32{0.01})
		want := []float32{1, 2, 3}
		for step := range 20 {
			if step == 12 { // weights from elsewhere
				w, want = upload([]float32{3, 2, 1}, 3), []float32{3, 2, 1}
			}
			x := []float32{1, 0, float32(step % 3), 0, 1, 1}
			y := [2]float32{want[0] + x[2]*want[2], want[1] + want[2]}
			out, err := e.Execute([]backends.Buffer{w, upload(x, 2, 3), rate}, []bool{true, false, false}, 0)
			if err != nil {
				t.Fatal(step, err)
			}
			for k, g := range []float32{y[0], y[1], x[2]*y[0] + y[1]} {
				want[k] -= 0.01 * g
			}
			got, loss := make([]float32, 3), make([]float32, 1)
			w = out[0]
			for k, to := range [][]float32{got, loss} {
				if err := b.BufferToFlatData(out[k], to); err != nil {
					t.Fatal(err)
				}
			}
			near := func(a, b float32) bool { return a-b < 1e-4 && b-a < 1e-4 }
			if !near(loss[0], y[0]*y[0]+y[1]*y[1]) || !near(got[0], want[0]) || !near(got[1], want[1]) || !near(got[2], want[2]) {
				t.Fatalf("%s, step %d: weights %v and loss %v, want %v", config, step, got, loss, want)
			}
			if err := b.BufferFinalize(out[1]); err != nil {
				t.Fatal(err)
			}
			replays := e.(*Executable).idle[0].history.replay != nil
			if on := config == "cpu" && (step >= 4 && step < 12 || step > 15); on && !replays || config != "cpu" && replays {
				t.Errorf("%s, step %d: replayed: %v", config, step, replays)
			}
		}
		e.Finalize()
	}
}
