package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

var matmulBad = append([]badOp{{
	op: "matmul",
	in: []badArg{
		{name: "a", elem: weft.F32, shape: []int{3, 5}},
		{name: "b", elem: weft.F32, shape: []int{5, 4}},
	},
	out:  badArg{name: "out", elem: weft.F32, shape: []int{3, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.MatMulInto(out, in[0], in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.MatMul(in[0], in[1]) },
	zero: [][][]int{{{0, 3}, {3, 2}, {0, 2}}, {{2, 3}, {3, 0}, {2, 0}}, {{0, 0}, {0, 0}, {0, 0}}},
	huge: [][][]int{
		{{1 << 20, 2}, {2, 1 << 20}}, {{1 << 31, 1}, {1, 1 << 31}}, {{1 << 40, 2}, {2, 1 << 40}}, // results
		{{2, 1 << 40}, {1 << 40, 2}}, {{2, 1 << 31}, {1 << 31, 2}}, {{3, 1 << 60}, {1 << 60, 1}}, // reductions
	},
	rows: []badRow{
		{"inner sizes", func(b *bad) error { return second(ops.MatMul(b.f32(2, 3), b.f32(4, 5))) },
			weft.ErrShape, "matmul: b: shape [4 5] does not fit a's [2 3]"},
		{"scalar", func(b *bad) error { return second(ops.MatMul(b.f32(2, 3), b.f32())) }, weft.ErrShape, "matmul: b: a scalar"},
		{"vectors", func(b *bad) error { return second(ops.MatMul(b.f32(2), b.f32(3))) },
			weft.ErrShape, "matmul: b: shape [3] does not fit a's [2]"},
		{"batches", func(b *bad) error { return second(ops.MatMul(b.f32(2, 2, 3), b.f32(4, 3, 2))) },
			weft.ErrShape, "matmul: b: shape [4 3 2] does not fit a's [2 2 3]: the batches [2] and [4] do not broadcast"},
		{"types", func(b *bad) error { return second(ops.MatMul(b.tensor(weft.F16, 2, 3), b.f32(3, 3))) },
			weft.ErrArgument, "matmul: b: the tensor holds f32"},
		{"bools", func(b *bad) error { return second(ops.MatMul(b.tensor(weft.Bool, 2, 2), b.tensor(weft.Bool, 2, 2))) },
			weft.ErrUnsupported, "matmul: a: the tensor holds bool, want one of"},
		{"shape of out", func(b *bad) error { return ops.MatMulInto(b.f32(2, 2), b.f32(2, 3), b.f32(3, 3)) },
			weft.ErrShape, "matmul: out: shape [2 2], want [2 3]"},
		{"out is b transposed", func(b *bad) error { x := b.f32(6, 6); return ops.MatMulInto(x, b.f32(6, 6), x.T()) },
			weft.ErrUnsupported, "matmul: b: it overlaps out"},
		{"tiles of a convolution", func(b *bad) error {
			return second(ops.MatMul(b.f32(2, 3), b.f32(3, 4), ops.Tiles(ops.Conv2DConfig{BK: 16})))
		}, weft.ErrArgument, "matmul: Tiles: the config is of type Conv2DConfig, want MatMulConfig"},
		{"tiles", func(b *bad) error {
			return second(ops.MatMul(b.f32(6, 6), b.f32(6, 6), ops.Tiles(ops.MatMulConfig{BM: 24})))
		}, weft.ErrArgument, "matmul: Tiles.BM: 24 is not a power of two"},
		{"tiles of too many elements", func(b *bad) error {
			return second(ops.MatMul(b.f32(6, 6), b.f32(6, 6), ops.Tiles(ops.MatMulConfig{BM: 1 << 12, BN: 1 << 12})))
		}, weft.ErrShape, "weft: matmul: its kernel is refused: "},
		{"interleaved elements", func(b *bad) error {
			return second(ops.MatMul(b.tensor(weft.F16, 6, 32), b.tensor(weft.F16, 32, 6), ops.Tiles(ops.MatMulConfig{BM: 8, BN: 8, BK: 32, Interleave: 32})))
		}, weft.ErrArgument, "matmul: Tiles.Interleave: blocks of 32 of elements that are no weights of few bits"},
		{"type of out", func(b *bad) error { return ops.MatMulInto(b.tensor(weft.I32, 2, 2), b.f32(2, 2), b.f32(2, 2)) },
			weft.ErrUnsupported, "matmul: out: the tensor holds i32, want one of f16, bf16, f32 with operands of f32"},
		{"type of result", func(b *bad) error { return second(ops.MatMul(b.f32(2, 2), b.f32(2, 2), ops.ResultType(weft.I8))) },
			weft.ErrUnsupported, "matmul: a result of i8 from operands of f32"},
		{"no precision", func(b *bad) error { return second(ops.MatMul(b.f32(2, 2), b.f32(2, 2), ops.Precision(tile.TF32x3+1))) },
			weft.ErrArgument, "matmul: precision: 4 is not a precision"},
		{"precision of f16", func(b *bad) error {
			return second(ops.MatMul(b.f32(2, 2), b.f32(2, 2), ops.Precision(tile.Float32Accumulate)))
		}, weft.ErrArgument, "matmul: precision: f32acc is not for operands of f32, want ieee, tf32x3 or tf32"},
		{"beta of nothing", func(b *bad) error { return second(ops.MatMul(b.f32(2, 2), b.f32(2, 2), ops.Beta(1))) },
			weft.ErrArgument, "matmul: beta: there is no result to add to"},
		{"broken alpha", func(b *bad) error {
			return second(ops.MatMul(b.tensor(weft.I8, 2, 2), b.tensor(weft.I8, 2, 2), ops.Alpha(0.5)))
		}, weft.ErrArgument, "matmul: alpha: 0.5 for a result of i32"},
		{"atomic f16", func(b *bad) error {
			return second(ops.MatMul(b.tensor(weft.F16, 6, 6), b.tensor(weft.F16, 6, 6), ops.Tiles(ops.MatMulConfig{SplitK: 2, Atomic: true})))
		}, weft.ErrUnsupported, "there are no atomic sums of f16; store partial sums instead"},
		{"atomic bias", func(b *bad) error {
			return second(ops.MatMul(b.f32(6, 6), b.f32(6, 6), ops.Bias(b.f32(6)), ops.Tiles(ops.MatMulConfig{SplitK: 2, Atomic: true})))
		}, weft.ErrUnsupported, "matmul: atomic sums have no epilogue"},
		{"nil bias", withBias(func(*bad) *weft.Tensor { return nil }), weft.ErrArgument, "matmul: bias: the tensor is nil"},
		{"shape of bias", withBias(func(b *bad) *weft.Tensor { return b.f32(3) }), weft.ErrShape, "matmul: bias: shape [3] does not broadcast to the result's [2 2]"},
		{"rank of bias", withBias(func(b *bad) *weft.Tensor { return b.f32(1, 2, 2) }), weft.ErrShape, "matmul: bias: shape [1 2 2] does not broadcast"},
		{"bools as bias", withBias(func(b *bad) *weft.Tensor { return b.tensor(weft.Bool, 2) }), weft.ErrUnsupported, "matmul: bias: the tensor holds bool, want one of"},
		{"closed bias", withBias(func(b *bad) *weft.Tensor {
			x := b.must(b.f32(2).Reshape(2))
			x.Close()
			return x
		}), weft.ErrClosed, "matmul: bias: tensor"},
		{"out is bias", func(b *bad) error { x := b.f32(2, 2); return ops.MatMulInto(x, b.f32(2, 2), b.f32(2, 2), ops.Bias(x)) },
			weft.ErrUnsupported, "matmul: bias: it overlaps out"},
		{"nil map", fusing(nil), weft.ErrArgument, "matmul: the map to fuse is nil"},
		{"tensors of a map", fusing(ops.AddMap), weft.ErrArgument, "matmul: the map has inputs [a b], with 0 tensors given"},
		{"many steps", func(b *bad) error {
			relu := ops.Fuse(ops.ReLUMap)
			return second(ops.MatMul(b.f32(2, 2), b.f32(2, 2), relu, relu, relu, relu, relu))
		}, weft.ErrLimit, "matmul: 5 steps with 0 tensors after a product"},
		{"broken map", fusing(weft.NewMap("broken", []string{"x"}, func(in []*tile.Value) *tile.Value { return nil })), weft.ErrKernel, "badinput_matmul_test.go:"},
		{"map that reduces", fusing(weft.NewMap("center", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0].Sub(in[0].Max(0)) })),
			weft.ErrKernel, "center: max cannot be in a map"},
		{"map of another shape", fusing(weft.NewMap("sum", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0].Reshape(1) })),
			weft.ErrShape, "badinput_matmul_test.go:"},
	},
}}, linearBad...)

// withBias adds something to a product of 2 × 2.
func withBias(bias func(b *bad) *weft.Tensor) func(*bad) error {
	return func(b *bad) error { return second(ops.MatMul(b.f32(2, 2), b.f32(2, 2), ops.Bias(bias(b)))) }
}

// fusing applies a map to a product that several programs share.
func fusing(m *weft.Map) func(*bad) error {
	return func(b *bad) error {
		return second(ops.MatMul(b.f32(2, 200), b.f32(200, 2), ops.Fuse(m), ops.Tiles(ops.MatMulConfig{SplitK: 2})))
	}
}

var linearBad = []badOp{{
	op:   "linear_swiglu",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.F32, shape: []int{4, 5}}, {elem: weft.F32, shape: []int{4, 5}}},
	out:  badArg{elem: weft.F32, shape: []int{3, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.LinearSwiGLUInto(out, in[0], in[1], in[2]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.LinearSwiGLU(in[0], in[1], in[2]) },
	zero: [][][]int{{{0, 3}, {2, 3}, {2, 3}, {0, 2}}, {{2, 3}, {0, 3}, {0, 3}, {2, 0}}},
	rows: []badRow{
		{"inner sizes", func(b *bad) error { return second(ops.LinearSwiGLU(b.f32(2, 3), b.f32(4, 5), b.f32(4, 5))) },
			weft.ErrShape, "linear_swiglu: gate: shape [4 5] does not fit x's [2 3]: x has 3 columns, gate has 5 columns"},
		{"other weights", func(b *bad) error { return second(ops.LinearSwiGLU(b.f32(2, 3), b.f32(4, 3), b.f32(5, 3))) },
			weft.ErrShape, "linear_swiglu: up: shape [5 3], want [4 3]"},
		{"rank", func(b *bad) error { return second(ops.LinearSwiGLU(b.f32(2, 3), b.f32(3), b.f32(3))) },
			weft.ErrShape, "linear_swiglu: gate: shape [3] has 1 dimension, want 2"},
		{"x that is a scalar", func(b *bad) error { return second(ops.LinearSwiGLU(b.f32(), b.f32(4, 1), b.f32(4, 1))) },
			weft.ErrShape, "linear_swiglu: x: a scalar, want"},
		{"integers", func(b *bad) error {
			return second(ops.LinearSwiGLU(b.tensor(weft.I8, 2, 3), b.tensor(weft.I8, 4, 3), b.tensor(weft.I8, 4, 3)))
		}, weft.ErrUnsupported, "linear_swiglu: x: the tensor holds i8"},
	},
}, {
	op: "linear",
	in: []badArg{
		{name: "x", elem: weft.F32, shape: []int{3, 5}},
		{name: "w", elem: weft.F32, shape: []int{4, 5}},
		{name: "bias", elem: weft.F32, shape: []int{4}, optional: true},
	},
	out:  badArg{name: "out", elem: weft.F32, shape: []int{3, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.LinearInto(out, in[0], in[1], in[2]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Linear(in[0], in[1], in[2]) },
	zero: [][][]int{{{0, 3}, {2, 3}, {2}, {0, 2}}, {{2, 3}, {0, 3}, {0}, {2, 0}}},
	huge: [][][]int{{{1 << 20, 2}, {1 << 20, 2}, {1 << 20}}, {{1 << 31, 1}, {1 << 31, 1}, {1 << 31}}, {{2, 1 << 40}, {2, 1 << 40}, {2}}},
	rows: []badRow{
		{"inner sizes", func(b *bad) error { return second(ops.Linear(b.f32(2, 3), b.f32(4, 5), nil)) },
			weft.ErrShape, "linear: w: shape [4 5] does not fit x's [2 3]: x has 3 columns, w has 5 columns"},
		{"short bias", func(b *bad) error { return second(ops.Linear(b.f32(2, 3), b.f32(4, 3), b.f32(1))) },
			weft.ErrShape, "linear: bias: shape [1], want [4]"},
		{"rank of w", func(b *bad) error { return second(ops.Linear(b.f32(2, 3), b.f32(2, 4, 3), nil)) },
			weft.ErrShape, "linear: w: shape [2 4 3] has 3 dimensions, want 2"},
	},
}}
