package ops_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var addBad = []badOp{{
	op: "add",
	in: []badArg{
		{name: "a", elem: weft.F32, shape: []int{3, 5}},
		{name: "b", elem: weft.F32, shape: []int{3, 5}},
	},
	out:  badArg{name: "out", elem: weft.F32, shape: []int{3, 5}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.AddInto(out, in[0], in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Add(in[0], in[1]) },
	zero: [][][]int{{{0}, {0}, {0}}, {{0, 3}, {1}, {0, 3}}, {{2, 1}, {2, 0}, {2, 0}}},
	huge: [][][]int{
		{{1 << 31}, {1}}, {{1 << 20, 1}, {1 << 20}}, // a result beyond the memory
		{{1 << 61}, {1 << 61}}, {{1 << 40, 1}, {1 << 40}}, // beyond 2^63 bytes, and elements
	},
	rows: []badRow{
		{"shapes", func(b *bad) error { return second(ops.Add(b.f32(2, 3), b.f32(4))) }, weft.ErrShape, "add: the shapes [[2 3] [4]]"},
		{"types", func(b *bad) error { return second(ops.Add(b.f32(2, 3), b.tensor(weft.F16, 2, 3))) },
			weft.ErrArgument, "add: b: the tensor holds f16, a holds f32"},
		{"bools", func(b *bad) error { return second(ops.Add(b.tensor(weft.Bool, 2), b.tensor(weft.Bool, 2))) },
			weft.ErrUnsupported, "add: a: the tensor holds bool, want one of"},
		{"type of out", func(b *bad) error { return ops.AddInto(b.tensor(weft.F16, 2), b.f32(2), b.f32(2)) },
			weft.ErrArgument, "add: out: the tensor holds f16, want f32"},
		{"shape of out", func(b *bad) error { return ops.AddInto(b.f32(3), b.f32(2, 3), b.f32(3)) },
			weft.ErrShape, "add: a: shape [2 3] does not broadcast to out's [3]"},
	},
}}

var softmaxBad = []badOp{{
	op:   "softmax",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}},
	out:  badArg{elem: weft.F32, shape: []int{3, 5}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.SoftmaxInto(out, in[0]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Softmax(in[0]) },
	zero: [][][]int{{{0}, {0}}, {{3, 0}, {3, 0}}, {{0, 3}, {0, 3}}},
	huge: [][][]int{{{1 << 31}}, {{1 << 15, 1 << 16}}, {{1 << 31, 1 << 31}}, {{1 << 62}}},
	rows: []badRow{
		{"scalar", func(b *bad) error { return second(ops.Softmax(b.f32())) }, weft.ErrShape, "softmax: x: a scalar"},
		{"shape of out", func(b *bad) error { return ops.SoftmaxInto(b.f32(3, 2), b.f32(2, 3)) }, weft.ErrShape, "softmax: out: shape [3 2], want [2 3]"},
		{"axis", func(b *bad) error { return second(ops.Softmax(b.f32(2, 3), ops.Axis(2))) }, weft.ErrArgument, "softmax: x: axis 2 of a tensor of 2 dimensions"},
		{"axes", func(b *bad) error { return second(ops.LogSoftmax(b.f32(2, 3), ops.Axis(0, 1))) }, weft.ErrArgument, "log_softmax: 2 axes given, want 1"},
		{"no axis", func(b *bad) error { return second(ops.Softmax(b.f32(2, 3), ops.Axis())) }, weft.ErrArgument, "softmax: 0 axes given, want 1"},
		{"temperature", func(b *bad) error { return second(ops.LogSoftmax(b.f32(2, 3), ops.Temperature(0))) },
			weft.ErrArgument, "log_softmax: temperature 0, want a positive"},
		{"temperature that is none", func(b *bad) error { return second(ops.Softmax(b.f32(2, 3), ops.Temperature(math.NaN()))) },
			weft.ErrArgument, "softmax: temperature NaN"},
	},
}, {
	op:   "log_softmax",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}},
	out:  badArg{elem: weft.F32, shape: []int{3, 5}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.LogSoftmaxInto(out, in[0]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.LogSoftmax(in[0]) },
	zero: [][][]int{{{0}, {0}}, {{3, 0}, {3, 0}}},
	huge: [][][]int{{{1 << 31}}, {{1 << 31, 1 << 31}}},
}}

// second is the error of a call with a new result.
func second(_ *weft.Tensor, err error) error { return err }

// The harness sees an op that launches, writes, leaks or panics before it fails.
func TestBadInputSeesFaults(t *testing.T) {
	dev, watch := openSpy(t)
	b := &bad{T: t, dev: dev, watch: watch, rng: rand.New(rand.NewPCG(5, 6))}
	x, y := b.f32(4), b.f32(4)
	for name, faulty := range map[string]func() (*weft.Tensor, error){
		"launch": func() (*weft.Tensor, error) { return nil, ops.AddInto(y, x, x) },
		"leak":   func() (*weft.Tensor, error) { return weft.Empty(dev, weft.F32, 4) },
		"upload": func() (*weft.Tensor, error) { return weft.FromSlice(dev, []float32{1}) },
	} {
		before := watch.traces(t)
		left, err := faulty()
		if err != nil {
			t.Fatal(err)
		}
		defer left.Close() // keeps it from the garbage collector
		if found := watch.changes(t, before); len(found) == 0 {
			t.Errorf("%s is not seen", name)
		}
	}
	if err := protect(func() error { panic("oh") }); err == nil {
		t.Error("a panic is not seen")
	}
}
