package layout

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestOverlapsIsExactOnSmallLayouts(t *testing.T) {
	counts := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		l, m := drawLayout(t), drawLayout(t)
		common := false
		touched := map[int]bool{}
		for _, at := range offsets(l) {
			touched[at] = true
		}
		for _, at := range offsets(m) {
			common = common || touched[at]
		}
		if l.Overlaps(m) != common || m.Overlaps(l) != common {
			t.Fatalf("%v and %v: %v and %v, by counting %v", l, m, l.Overlaps(m), m.Overlaps(l), common)
		}
		if lo, hi := l.Bounds(); hi >= lo { // count those that bounds do not decide
			if mlo, mhi := m.Bounds(); mlo <= hi && lo <= mhi {
				counts[common]++
			}
		}
	})
	if counts[true] == 0 || counts[false] == 0 {
		t.Errorf("only one answer within overlapping bounds: %v", counts)
	}
}

func TestIsInjectiveIsExactOnSmallLayouts(t *testing.T) {
	counts := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		distinct := map[int]bool{}
		for _, at := range offsets(l) {
			distinct[at] = true
		}
		want := len(distinct) == l.Len()
		if l.IsInjective() != want {
			t.Fatalf("%v: %v, by counting %v", l, l.IsInjective(), want)
		}
		counts[want]++
	})
	if counts[true] == 0 || counts[false] == 0 {
		t.Errorf("only one answer: %v", counts)
	}
}

// TestOverlapOfRealViews: views as programs make them, far too large to count.
func TestOverlapOfRealViews(t *testing.T) {
	a := must(Contiguous(10_000, 7_001))
	left := must(a.Slice(1, 0, 3_500, 1))
	right := must(a.Slice(1, 3_500, 7_001, 1))
	even := must(a.Slice(1, 0, 7_001, 2))
	odd := must(a.Slice(1, 1, 7_001, 2))
	back := must(a.Slice(0, 9_999, -1, -1))
	column := must(a.Select(1, 17))
	for _, c := range []struct {
		name string
		l, m Layout
		want bool
	}{
		{"halves", left, right, false},
		{"half and its transpose", left, left.Transpose(), true},
		{"other half transposed", left, right.Transpose(), false},
		{"even and odd columns", even, odd, false}, // rows are aligned although their length is odd
		{"even columns and column 17", even, column, false},
		{"odd columns and column 17", odd, column, true},
		{"reversed rows", left, must(back.Slice(1, 3_500, 7_001, 1)), false},
		{"reversed rows, same columns", left, back, true},
		{"empty", left, must(left.Slice(0, 3, 3, 1)), false},
		{"one broadcast element", must(Layout{}.Broadcast(5, 5)), a, true},
	} {
		if got := c.l.Overlaps(c.m); got != c.want {
			t.Errorf("%s: %v and %v: %v", c.name, c.l, c.m, got)
		}
	}
	for _, l := range []Layout{a, left, even, back, column, a.Transpose()} {
		if !l.IsInjective() {
			t.Errorf("%v is not injective", l)
		}
	}
	if l := must(column.Broadcast(3, 10_000)); l.IsInjective() {
		t.Errorf("%v is injective", l)
	}
	// A collision that takes a step back by one stride and forward by another: 5+1 == 2*3.
	if l := must(Strided([]int{2, 3, 2}, []int{5, 3, 1}, 0)); l.IsInjective() {
		t.Errorf("%v is injective", l)
	}
	// A collision among the small strides alone: 4 == 2*2.
	if l := must(Strided([]int{2, 2, 3}, []int{100, 4, 2}, 0)); l.IsInjective() {
		t.Errorf("%v is injective", l)
	}
	windows := must(Strided([]int{1000, 64}, []int{32, 1}, 0)) // half-overlapping frames of a signal
	if windows.IsInjective() {
		t.Errorf("%v is injective", windows)
	}
}

// TestSearchGivesUp: where the strides make a knapsack problem the answer is the
// conservative one, after a bounded number of steps.
func TestSearchGivesUp(t *testing.T) {
	stride := []int{1000003, 1000033, 1000037, 1000039, 1000081, 1000099, 1000117, 1000121, 1000133, 1000151}
	shape := slices.Repeat([]int{8}, len(stride))
	l := must(Strided(shape, stride, 0))
	_, hi := l.Bounds()
	m := must(Strided(shape, stride, hi/2+500_001))
	if v := search(append(l.terms(), m.terms()...), int64(hi)+int64(m.Offset())); v != unknown {
		t.Errorf("verdict %d: this case no longer exhausts the search", v)
	}
	if !l.Overlaps(m) || l.IsInjective() {
		t.Errorf("overlaps %v, injective %v", l.Overlaps(m), l.IsInjective())
	}
}

func TestHugeOffsetsAreConservative(t *testing.T) {
	big := math.MaxInt / 2
	l := must(Strided([]int{2, 3}, []int{big, 1}, 0))
	m := must(Strided([]int{2, 3}, []int{big, 1}, 3))
	if !l.searchable() && !l.Overlaps(m) {
		t.Errorf("%v and %v: an answer that was not searched for", l, m)
	}
	if !l.IsInjective() {
		t.Errorf("%v nests and is injective", l)
	}
	// 0 2 4 3 5 7 are distinct, but only a search can tell; far out it is not made.
	for _, offset := range []int{0, big} {
		if l := must(Strided([]int{2, 3}, []int{3, 2}, offset)); l.IsInjective() != l.searchable() {
			t.Errorf("%v: injective %v, searchable %v", l, l.IsInjective(), l.searchable())
		}
	}
}
