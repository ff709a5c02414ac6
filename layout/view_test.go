package layout

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/weftgpu/weft/fault"
	"pgregory.net/rapid"
)

// sameAt checks got.At(c) == l.At(back(c)) for every coordinate c of got.
func sameAt(t *rapid.T, l, got Layout, shape []int, back func(c []int) []int) {
	t.Helper()
	if !slices.Equal(got.Shape(), shape) {
		t.Fatalf("%v became %v, want shape %v", l, got, shape)
	}
	for _, c := range coords(shape) {
		if b := back(c); got.At(c...) != l.At(b...) {
			t.Fatalf("%v became %v: %v is at %d, want %v at %d", l, got, c, got.At(c...), b, l.At(b...))
		}
	}
}

// drawDim draws a layout with at least one dimension, and one of its dimensions.
func drawDim(t *rapid.T) (Layout, int) {
	l := rapid.Custom(drawLayout).Filter(func(l Layout) bool { return l.Rank() > 0 }).Draw(t, "layout")
	return l, rapid.IntRange(0, l.Rank()-1).Draw(t, "dim")
}

func TestSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, d := drawDim(t)
		n := l.Size(d)
		from := rapid.IntRange(-2, n+2).Draw(t, "from")
		to := rapid.IntRange(-2, n+2).Draw(t, "to")
		step := rapid.SampledFrom([]int{-3, -2, -1, 0, 1, 2, 3, math.MaxInt, math.MinInt}).Draw(t, "step")
		// By counting: the positions, each of which must exist.
		var at []int
		legal := step > 0 && 0 <= from && from <= to && to <= n || step < 0 && -1 <= to && to <= from && from < n
		if legal {
			for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
				if at = append(at, i); step == math.MaxInt || step == math.MinInt {
					break
				}
			}
		}
		got, err := l.Slice(d, from, to, step)
		if !legal {
			if !errors.Is(err, fault.ErrShape) {
				t.Fatalf("%v sliced %d:%d:%d is %v, error %v", l, from, to, step, got, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		// What no coordinate needs stays as it is, or it could leave an int's range.
		if len(at) == 0 && got.Offset() != l.Offset() || len(at) <= 1 && got.Stride(d) != l.Stride(d) {
			t.Fatalf("%v sliced %d:%d:%d is %v", l, from, to, step, got)
		}
		shape := l.Shape()
		shape[d] = len(at)
		sameAt(t, l, got, shape, func(c []int) []int {
			b := slices.Clone(c)
			b[d] = at[c[d]]
			return b
		})
	})
}

func TestSelectSqueezeUnsqueeze(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, d := drawDim(t)
		i := rapid.IntRange(-1, l.Size(d)).Draw(t, "index")
		got, err := l.Select(d, i)
		if i < 0 || i >= l.Size(d) {
			if !errors.Is(err, fault.ErrShape) {
				t.Fatalf("%v selecting %d of %d: %v, error %v", l, i, d, got, err)
			}
		} else {
			sameAt(t, l, must(got, err), slices.Delete(l.Shape(), d, d+1), func(c []int) []int { return slices.Insert(slices.Clone(c), d, i) })
		}
		at := rapid.IntRange(0, l.Rank()).Draw(t, "new")
		u := must(l.Unsqueeze(at))
		sameAt(t, l, u, slices.Insert(l.Shape(), at, 1), func(c []int) []int { return slices.Delete(slices.Clone(c), at, at+1) })
		if back := must(u.Squeeze(at)); !back.Equal(l) {
			t.Fatalf("%v unsqueezed to %v and squeezed to %v", l, u, back)
		}
		if s, err := l.Squeeze(d); (err == nil) != (l.Size(d) == 1) {
			t.Fatalf("%v squeezed to %v, error %v", l, s, err)
		}
	})
}

func TestPermuteAndTranspose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		p := rapid.Permutation(upTo(l.Rank())).Draw(t, "dims")
		shape := make([]int, len(p))
		for i, d := range p {
			shape[i] = l.Size(d)
		}
		sameAt(t, l, must(l.Permute(p...)), shape, func(c []int) []int {
			b := make([]int, len(c))
			for i, d := range p {
				b[d] = c[i]
			}
			return b
		})
		if l.Rank() < 2 {
			if !l.Transpose().Equal(l) {
				t.Fatalf("%v transposed is %v", l, l.Transpose())
			}
			return
		}
		swap := func(v []int) []int {
			v = slices.Clone(v)
			n := len(v)
			v[n-1], v[n-2] = v[n-2], v[n-1]
			return v
		}
		sameAt(t, l, l.Transpose(), swap(l.Shape()), swap)
	})
}

// broadcastByRule is NumPy's rule, written for a pair of shapes.
func broadcastByRule(a, b []int) ([]int, bool) {
	out := make([]int, max(len(a), len(b)))
	for i := range out { // from the last dimension
		x, y := 1, 1
		if i < len(a) {
			x = a[len(a)-1-i]
		}
		if i < len(b) {
			y = b[len(b)-1-i]
		}
		if x != y && x != 1 && y != 1 {
			return nil, false
		}
		if x == 1 {
			x = y
		}
		out[len(out)-1-i] = x
	}
	return out, true
}

func TestBroadcast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		shape := drawShape(t)
		if rapid.Bool().Draw(t, "fitting") { // random shapes seldom fit
			shape = append(rapid.SliceOfN(rapid.IntRange(0, 3), 0, 2).Draw(t, "lead"), l.Shape()...)
			for d := range shape {
				if shape[d] == 1 {
					shape[d] = rapid.IntRange(0, 4).Draw(t, "size")
				}
			}
		}
		common, fits := broadcastByRule(l.Shape(), shape)
		fits = fits && slices.Equal(common, shape)
		got, err := l.Broadcast(shape...)
		if !fits {
			if !errors.Is(err, fault.ErrShape) {
				t.Fatalf("%v to %v is %v, error %v", l, shape, got, err)
			}
			return
		}
		sameAt(t, l, must(got, err), shape, func(c []int) []int {
			b := slices.Clone(c[len(c)-l.Rank():])
			for d := range b {
				if l.Size(d) == 1 {
					b[d] = 0
				}
			}
			return b
		})
	})
}

func TestBroadcastShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shapes := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]int{1, 1, 1, 3, 3, 0, 2}), 0, 3), 0, 3).Draw(t, "shapes")
		want, fits := []int{}, true
		for _, s := range shapes {
			if fits {
				want, fits = broadcastByRule(want, s)
			}
		}
		got, err := BroadcastShapes(shapes...)
		if !fits {
			if !errors.Is(err, fault.ErrShape) {
				t.Fatalf("%v gave %v, error %v", shapes, got, err)
			}
			return
		}
		if d := cmp.Diff(want, must(got, err)); d != "" {
			t.Fatalf("%v: %s", shapes, d)
		}
		for _, s := range shapes {
			must(must(Contiguous(s...)).Broadcast(got...))
		}
	})
}

func TestViewErrors(t *testing.T) {
	l := must(Contiguous(3, 4))
	big := math.MaxInt/2 + 1
	wide := must(Contiguous(1, big))
	for _, c := range []struct {
		name string
		do   func() (Layout, error)
		kind error
	}{
		{"contiguous negative", func() (Layout, error) { return Contiguous(3, -1) }, fault.ErrShape},
		{"strided lengths", func() (Layout, error) { return Strided([]int{3}, nil, 0) }, fault.ErrShape},
		{"strided negative", func() (Layout, error) { return Strided([]int{-3}, []int{1}, 0) }, fault.ErrShape},
		{"slice dimension", func() (Layout, error) { return l.Slice(2, 0, 1, 1) }, fault.ErrArgument},
		{"slice negative dimension", func() (Layout, error) { return l.Slice(-1, 0, 1, 1) }, fault.ErrArgument},
		{"slice step", func() (Layout, error) { return l.Slice(0, 0, 1, 0) }, fault.ErrShape},
		{"select dimension", func() (Layout, error) { return l.Select(2, 0) }, fault.ErrArgument},
		{"select index", func() (Layout, error) { return l.Select(1, 4) }, fault.ErrShape},
		{"permute too few", func() (Layout, error) { return l.Permute(0) }, fault.ErrShape},
		{"permute twice", func() (Layout, error) { return l.Permute(1, 1) }, fault.ErrArgument},
		{"permute range", func() (Layout, error) { return l.Permute(0, 2) }, fault.ErrArgument},
		{"squeeze dimension", func() (Layout, error) { return l.Squeeze(2) }, fault.ErrArgument},
		{"squeeze size", func() (Layout, error) { return l.Squeeze(1) }, fault.ErrShape},
		{"unsqueeze dimension", func() (Layout, error) { return l.Unsqueeze(3) }, fault.ErrArgument},
		{"broadcast rank", func() (Layout, error) { return l.Broadcast(4) }, fault.ErrShape},
		{"broadcast size", func() (Layout, error) { return l.Broadcast(3, 8) }, fault.ErrShape},
		{"broadcast negative", func() (Layout, error) { return wide.Broadcast(-1, big) }, fault.ErrShape},
		{"broadcast count", func() (Layout, error) { return wide.Broadcast(4, big) }, fault.ErrLimit},
		{"reshape count", func() (Layout, error) { return l.Reshape(13) }, fault.ErrShape},
		{"reshape two holes", func() (Layout, error) { return l.Reshape(-1, -1) }, fault.ErrShape},
		{"reshape negative", func() (Layout, error) { return l.Reshape(-2, 6) }, fault.ErrShape},
		{"reshape indivisible", func() (Layout, error) { return l.Reshape(-1, 5) }, fault.ErrShape},
		{"reshape ambiguous", func() (Layout, error) { return must(Contiguous(0, 3)).Reshape(-1, 0) }, fault.ErrShape},
		{"reshape to zero", func() (Layout, error) { return l.Reshape(-1, 0) }, fault.ErrShape},
		{"reshape overflow", func() (Layout, error) { return l.Reshape(big, 4, 3) }, fault.ErrLimit},
		{"reshape hole over overflow", func() (Layout, error) { return l.Reshape(big, 4, -1) }, fault.ErrShape},
		{"reshape copy", func() (Layout, error) { return l.Transpose().Reshape(12) }, fault.ErrUnsupported},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := c.do(); !errors.Is(err, c.kind) {
				t.Errorf("got %v, error %v; want %v", got, err, c.kind)
			} else if got.Rank() != 0 {
				t.Errorf("%v with an error", got)
			}
		})
	}
	if _, err := BroadcastShapes([]int{-1}); !errors.Is(err, fault.ErrShape) {
		t.Errorf("negative size: %v", err)
	}
}

func TestPanicsOnBadRank(t *testing.T) {
	for name, do := range map[string]func(){
		"at":       func() { must(Contiguous(3, 4)).At(1) },
		"together": func() { CoalesceTogether(must(Contiguous(3, 4)), must(Contiguous(4, 3))) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			do()
		}()
	}
}
