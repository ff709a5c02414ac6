package emit

import (
	"math"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Indices are taken apart into what they have in common and constants, through vectors, too.
func TestAddends(t *testing.T) {
	b := simt.NewBuilder("k", 32)
	value := func(kind simt.Kind) *simt.Value { return b.Emit(&simt.Op{Kind: kind}, simt.Scalar(dtype.I32)) }
	thread, program := value(simt.ThreadID), value(simt.WorkgroupID)
	lanes := b.Compose(b.Int(0), b.Binary(simt.Add, thread, b.Int(5)))
	sum := b.Binary(simt.Add, lanes, b.Splat(program, 2))
	many := thread
	for i := range maxAddends {
		many = b.Binary(simt.Add, many, b.Binary(simt.Mul, thread, b.Int(3+2*i)))
	}
	element := b.Extract(b.Binary(simt.Mul, sum, sum), 1)
	for name, c := range map[string]struct {
		index    *simt.Value
		terms    []*simt.Value
		constant int
	}{
		"a value":                    {thread, []*simt.Value{thread}, 0},
		"a constant":                 {b.Int(7), nil, 0},
		"a sum":                      {b.Binary(simt.Add, b.Int(7), b.Binary(simt.Add, thread, b.Int(2))), []*simt.Value{thread}, 9},
		"of a vector's lane 0":       {b.Extract(sum, 0), []*simt.Value{program}, 0},
		"of a vector's lane 1":       {b.Extract(sum, 1), []*simt.Value{thread, program}, 5},
		"constants beyond 32 bits":   {b.Binary(simt.Add, b.Binary(simt.Add, thread, b.Int(math.MaxInt32)), b.Int(1)), nil, 0},
		"of too many values":         {many, nil, 0},
		"of a vector that is no sum": {element, []*simt.Value{element}, 0},
	} {
		terms, constant, ok := addends(c.index)
		var want [maxAddends]*simt.Value
		copy(want[:], c.terms)
		if ok != (c.terms != nil) || ok && (terms != want || constant != c.constant) {
			t.Errorf("%s: %v + %d, %t", name, terms, constant, ok)
		}
	}
}

// Indices that are constants apart are counted from the least of them, unless they are further apart than a number of 32 bits.
func TestOffsetsOf(t *testing.T) {
	b := simt.NewBuilder("k", 32)
	value := func(kind simt.Kind) *simt.Value { return b.Emit(&simt.Op{Kind: kind}, simt.Scalar(dtype.I32)) }
	thread, program := value(simt.ThreadID), value(simt.WorkgroupID)
	plus := func(v *simt.Value, n int) *simt.Value { return b.Binary(simt.Add, v, b.Int(n)) }
	low, mid, high, other := plus(thread, -1), thread, plus(thread, 4), plus(program, 4)
	got := offsetsOf([]*simt.Value{high, low, other, mid})
	for index, want := range map[*simt.Value]pointOffset{low: {low, 0}, mid: {low, 1}, high: {low, 5}, other: {other, 0}, program: {program, 0}} {
		if from, by := got.of(index); from != want.from || by != want.by {
			t.Errorf("%v is %v + %d, want %v + %d", index, from, by, want.from, want.by)
		}
	}
	if got := offsetsOf([]*simt.Value{thread, program}); got != nil {
		t.Errorf("indices with nothing in common: %v", got)
	}
	far, near := plus(thread, math.MaxInt32), plus(thread, -2)
	if from, by := offsetsOf([]*simt.Value{near, far}).of(far); from != far || by != 0 {
		t.Errorf("an index 2^31 from another is that + %d", by)
	}
}
