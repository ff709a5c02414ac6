package gomlx

import (
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/pkg/errors"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/emulated"
)

// An execution that fails after some of its steps says each time why, and leaves no input that is written in part: one whose memory a result has taken is gone.
func TestFailedExecution(t *testing.T) {
	d, _ := emulated.Preset("webgpu")
	d.Caps.MaxBindingBytes, d.Caps.Fingerprint = 1<<10, "small bindings"
	backend.Register(emulated.New(d))
	b, err := New("emulated")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Finalize()
	ok := func(x backends.Op, err error) backends.Op {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	shape := shapes.Make(dtypes.Float32, 4)
	c := b.Builder("beyond a limit")
	x, y := ok(c.Parameter("x", shape, nil)), ok(c.Parameter("y", shape, nil))
	wide := ok(c.BroadcastInDim(y, shapes.Make(dtypes.Float32, 1000, 4), []int{1}))
	e, err := c.Compile([]backends.Op{ok(c.Add(x, y)), ok(c.Mul(wide, wide))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	buffer := func(x ...float32) backends.Buffer {
		buf, err := b.BufferFromFlatData(0, x, shape)
		if err != nil {
			t.Fatal(err)
		}
		return buf
	}
	kept, other := []float32{1, 2, 3, 4}, buffer(10, 10, 10, 10)
	in := buffer(kept...)
	for n := range 5 { // the third would be captured
		if _, err := e.Execute([]backends.Buffer{in, other}, nil, 0); err == nil || !strings.Contains(err.Error(), "limit exceeded") {
			t.Errorf("execution %d: %v", n, err)
		}
	}
	got := make([]float32, 4)
	if err := b.BufferToFlatData(in, got); err != nil || !slices.Equal(got, kept) {
		t.Errorf("an input that is not donated holds %v, %v", got, err)
	}
	if _, err := e.Execute([]backends.Buffer{in, other}, []bool{true, false}, 0); err == nil {
		t.Error("nothing is refused")
	}
	if err := b.BufferToFlatData(in, got); err == nil && !slices.Equal(got, kept) {
		t.Errorf("an input that is donated holds %v", got)
	}
	if err := b.BufferToFlatData(other, got); err != nil {
		t.Error(err)
	}
}

// Steps that cannot be captured, for want of memory, say, run one by one, now and later.
func TestFailedCapture(t *testing.T) {
	b, err := New("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Finalize()
	shape := shapes.Make(dtypes.Float32, 2)
	c := b.Builder("double")
	x, err := c.Parameter("x", shape, nil)
	if err != nil {
		t.Fatal(err)
	}
	y, err := c.Add(x, x)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile([]backends.Op{y}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := compiled.(*Executable)
	runs, step := 0, &e.plan.steps[0]
	run := step.run
	step.run = func(out, in []*weft.Tensor) error {
		if runs++; runs == settled+1 {
			return errors.New("no memory to capture this")
		}
		return run(out, in)
	}
	in, err := b.BufferFromFlatData(0, []float32{1, 2}, shape)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 2 * settled {
		out, err := e.Execute([]backends.Buffer{in}, nil, 0)
		if err != nil {
			t.Errorf("execution %d: %v", n, err)
			continue
		}
		got := make([]float32, 2)
		if err := b.BufferToFlatData(out[0], got); err != nil || !slices.Equal(got, []float32{2, 4}) {
			t.Errorf("execution %d: %v, %v", n, got, err)
		}
	}
	if e.idle[0].history.replay == nil {
		t.Error("it is not captured later")
	}
}
