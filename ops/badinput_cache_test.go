package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var cacheBad = []badOp{{
	op:   "cache_append",
	in:   []badArg{{elem: weft.F32, shape: []int{2, 3, 2, 4}}, {elem: weft.I32, shape: []int{2}}},
	out:  badArg{elem: weft.F32, shape: []int{2, 3, 5, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.CacheAppend(out, in[0], in[1], nil) },
	zero: [][][]int{{{0, 3, 2, 4}, {0}, {0, 3, 5, 4}}, {{2, 3, 0, 4}, {2}, {2, 3, 5, 4}}, {{2, 3, 2, 4}, {2}, {2, 3, 0, 4}}, {{2, 0, 2, 4}, {2}, {2, 0, 5, 4}}},
	rows: []badRow{
		{"three dimensions", func(b *bad) error { return ops.CacheAppend(b.f32(3, 5, 4), b.f32(3, 2, 4), b.tensor(weft.I32, 3), nil) },
			weft.ErrShape, "cache_append: x: shape [3 2 4] has 3 dimensions"},
		{"positions of other batches", appending([]int{2, 3, 5, 4}, []int{2, 3, 2, 4}, 3), weft.ErrShape, "cache_append: positions: shape [3], want [2]"},
		{"positions of floats", func(b *bad) error { return ops.CacheAppend(b.f32(2, 3, 5, 4), b.f32(2, 3, 2, 4), b.f32(2), nil) },
			weft.ErrArgument, "cache_append: positions: the tensor holds f32, want i32"},
		{"batches", appending([]int{3, 3, 5, 4}, []int{2, 3, 2, 4}, 2), weft.ErrShape, "cache_append: cache: shape [3 3 5 4] does not fit x's [2 3 2 4]"},
		{"heads", appending([]int{2, 4, 5, 4}, []int{2, 3, 2, 4}, 2), weft.ErrShape, "cache_append: cache: shape [2 4 5 4] does not fit"},
		{"head size", appending([]int{2, 3, 5, 3}, []int{2, 3, 2, 4}, 2), weft.ErrShape, "cache_append: cache: shape [2 3 5 3] does not fit"},
		{"type of cache", func(b *bad) error {
			return ops.CacheAppend(b.tensor(weft.F16, 2, 3, 5, 4), b.f32(2, 3, 2, 4), b.tensor(weft.I32, 2), nil)
		}, weft.ErrArgument, "cache_append: cache: the tensor holds f16, want f32"},
		{"table of a vector", appending([]int{9, 3, 5, 4}, []int{2, 3, 2, 4}, 2, 2), weft.ErrShape, "cache_append: table: shape [2], want 2 rows, one of each batch"},
		{"table of other batches", appending([]int{9, 3, 5, 4}, []int{2, 3, 2, 4}, 2, 3, 4), weft.ErrShape, "cache_append: table: shape [3 4], want 2 rows, one of each batch"},
		{"heads of pages", appending([]int{9, 4, 5, 4}, []int{2, 3, 2, 4}, 2, 2, 4), weft.ErrShape, "cache_append: cache: shape [9 4 5 4] does not fit"},
	},
}, {
	op:   "cache_append",
	in:   []badArg{{elem: weft.F32, shape: []int{2, 3, 2, 4}}, {elem: weft.I32, shape: []int{2}}, {elem: weft.I32, shape: []int{2, 3}}},
	out:  badArg{elem: weft.F32, shape: []int{9, 3, 5, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.CacheAppend(out, in[0], in[1], in[2]) },
}}

// appending is an append to a cache of x and so many positions, with a table of some shape or none.
func appending(cache, x []int, positions int, table ...int) func(b *bad) error {
	return func(b *bad) error {
		c, v, p := b.f32(cache...), b.f32(x...), b.tensor(weft.I32, positions)
		if table == nil {
			return ops.CacheAppend(c, v, p, nil)
		}
		return ops.CacheAppend(c, v, p, b.tensor(weft.I32, table...))
	}
}
