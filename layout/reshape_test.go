package layout

import (
	"errors"
	"slices"
	"testing"

	"github.com/weftgpu/weft/fault"
	"pgregory.net/rapid"
)

// asShape returns the layout of a shape that visits the given offsets in order,
// if strides for that exist: each is forced by the step to its neighbour.
func asShape(want []int, shape []int) (Layout, bool) {
	if len(want) == 0 {
		return Layout{}, false
	}
	stride, run := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		if shape[d] > 1 {
			stride[d] = want[run] - want[0]
		}
		run *= shape[d]
	}
	l := must(Strided(shape, stride, want[0]))
	return l, slices.Equal(offsets(l), want)
}

// factorings lists the shapes of a rank, without sizes of 1, that have n elements.
func factorings(n, rank int) (all [][]int) {
	if rank == 1 {
		return [][]int{{n}}
	}
	for f := 2; f < n; f++ {
		if n%f == 0 {
			for _, rest := range factorings(n/f, rank-1) {
				if rest[0] > 1 {
					all = append(all, append([]int{f}, rest...))
				}
			}
		}
	}
	return all
}

func TestCoalesceIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		c := l.Coalesce()
		want := offsets(l)
		if !slices.Equal(offsets(c), want) || c.Rank() < 1 {
			t.Fatalf("%v coalesced to %v: %v", l, c, offsets(c))
		}
		for rank := 1; rank < c.Rank(); rank++ {
			for _, shape := range factorings(len(want), rank) {
				if m, ok := asShape(want, shape); ok {
					t.Fatalf("%v coalesced to %v, but %v does", l, c, m)
				}
			}
		}
		if l.IsContiguous() && (c.Rank() != 1 || c.Stride(0) != 1) {
			t.Fatalf("contiguous %v coalesced to %v", l, c)
		}
	})
}

func TestCoalesceTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := drawShape(t)
		ls := make([]Layout, rapid.IntRange(1, 3).Draw(t, "layouts"))
		for i := range ls {
			ls[i] = drawLayoutOf(t, shape)
		}
		got := CoalesceTogether(ls...)
		for i, g := range got {
			if !slices.Equal(g.Shape(), got[0].Shape()) {
				t.Fatalf("%v became %v of different shapes", ls, got)
			}
			// Equal sequences for each, hence equal tuples.
			if !slices.Equal(offsets(g), offsets(ls[i])) {
				t.Fatalf("%v became %v: different order", ls, got)
			}
		}
		rank := got[0].Rank()
		if rank < 1 || rank > 1 && slices.Contains(got[0].Shape(), 1) {
			t.Fatalf("%v became %v", ls, got)
		}
		for d := 0; d+1 < rank; d++ { // no neighbours are left that all could merge
			all := true
			for _, g := range got {
				all = all && g.Stride(d) == g.Size(d+1)*g.Stride(d+1)
			}
			if all {
				t.Fatalf("%v became %v: dimensions %d and %d are one run", ls, got, d, d+1)
			}
		}
	})
	if got := CoalesceTogether(); len(got) != 0 {
		t.Errorf("no layouts became %v", got)
	}
}

func TestReshapeIsExact(t *testing.T) {
	var refused, done int
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		shape := drawShape(t)
		if n := l.Len(); n > 0 && rapid.IntRange(0, 9).Draw(t, "fitting") > 0 {
			shape = drawFactoring(t, n)
		}
		asked := slices.Clone(shape)
		if len(asked) > 0 && len(coords(shape)) > 0 && rapid.Bool().Draw(t, "hole") {
			asked[rapid.IntRange(0, len(asked)-1).Draw(t, "at")] = -1
		}
		got, err := l.Reshape(asked...)
		if len(coords(shape)) != l.Len() {
			// A hole may still find a size; then it must find the right one.
			if err == nil && (got.Len() != l.Len() || !slices.Equal(offsets(got), offsets(l))) {
				t.Fatalf("%v to %v is %v", l, asked, got)
			}
			return
		}
		if errors.Is(err, fault.ErrUnsupported) {
			if m, ok := asShape(offsets(l), shape); ok {
				t.Fatalf("%v to %v was refused, but %v does", l, shape, m)
			}
			refused++
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Shape(), shape) || got.Offset() != l.Offset() || !slices.Equal(offsets(got), offsets(l)) {
			t.Fatalf("%v to %v is %v", l, asked, got)
		}
		if c := must(Contiguous(l.Shape()...)); !must(c.Reshape(shape...)).Equal(must(Contiguous(shape...))) {
			t.Fatalf("%v to %v is %v", c, shape, must(c.Reshape(shape...)))
		}
		done++
	})
	if refused == 0 || done == 0 {
		t.Errorf("%d reshapes refused, %d done: one branch was never met", refused, done)
	}
}

// drawFactoring draws a shape of n elements, sizes of 1 among them.
func drawFactoring(t *rapid.T, n int) []int {
	var shape []int
	for n > 1 {
		var divisors []int
		for f := 1; f <= n; f++ {
			if n%f == 0 {
				divisors = append(divisors, f)
			}
		}
		f := rapid.SampledFrom(divisors).Draw(t, "factor")
		shape = append(shape, f)
		n /= f
	}
	return append(shape, slices.Repeat([]int{1}, rapid.IntRange(0, 1).Draw(t, "ones"))...)
}
