package layout

import (
	"errors"
	"slices"
	"testing"

	"github.com/weftgpu/weft/fault"
	"pgregory.net/rapid"
)

// equalUpToOrder compares the bases of every input by its name.
func equalUpToOrder(a, b Linear) bool {
	if !slices.Equal(a.Shape(), b.Shape()) {
		return false
	}
	for _, name := range append(a.Inputs(), b.Inputs()...) {
		if !slices.Equal(a.of(name), b.of(name)) {
			return false
		}
	}
	return true
}

func TestQuotient(t *testing.T) {
	divided, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		shape := drawTile(t)
		a := drawLinear(t, shape, "x", "y")
		times := slices.Clone(shape)
		for d := range times {
			times[d] = 1 << rapid.IntRange(0, 2).Draw(t, "times")
		}
		l := must(Product(a, drawLinear(t, times, "y", "z")))
		if rapid.Bool().Draw(t, "any") {
			l = drawLinear(t, l.Shape(), "x", "y", "z")
		}
		q, err := l.Quotient(a)
		if err == nil {
			divided++
			if p := must(Product(a, q)); !equalUpToOrder(p, l) || !slices.Equal(q.Inputs(), l.Inputs()) {
				t.Fatalf("%v over %v is %v, whose product is %v", l, a, q, p)
			}
			return
		}
		refused++
		// The only candidate is what each coordinate counts of whole pieces.
		if !errors.Is(err, fault.ErrUnsupported) || isRepeated(l, a) {
			t.Fatalf("%v over %v: %v", l, a, err)
		}
	})
	if divided == 0 || refused == 0 {
		t.Errorf("%d divided, %d refused", divided, refused)
	}
}

// isRepeated checks at every input value that l is a in the piece that the high
// bits select, and that the low bits do not change the piece.
func isRepeated(l, a Linear) bool {
	for i, name := range a.Inputs() {
		if len(a.bases[i]) > l.Bits(name) {
			return false
		}
	}
	for _, x := range points(l) {
		low, high, in := map[string]int{}, map[string]int{}, map[string]int{}
		for i, name := range l.Inputs() {
			in[name] = x[i]
			high[name] = x[i] / a.Size(name) * a.Size(name)
			if a.Bits(name) > 0 {
				low[name] = x[i] % a.Size(name)
			}
		}
		c, piece, within := l.Apply(in), l.Apply(high), a.Apply(low)
		for d, n := range a.Shape() {
			if l.Shape()[d]%n != 0 || piece[d]%n != 0 || c[d] != piece[d]+within[d] {
				return false
			}
		}
	}
	return true
}

func TestSublayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLinear(t, drawTile(t), "x", "y", "z")
		ins := rapid.Permutation([]string{"x", "y", "z", "none"}).Draw(t, "ins")[:rapid.IntRange(0, 4).Draw(t, "inputs")]
		rank := len(l.Shape())
		dims := rapid.Permutation(upTo(rank)).Draw(t, "dims")[:rapid.IntRange(0, rank).Draw(t, "rank")]
		s := must(l.Sublayout(ins, dims))
		if !slices.Equal(s.Inputs(), ins) {
			t.Fatalf("%v of %v is %v", ins, l, s)
		}
		for _, x := range points(s) {
			in := map[string]int{}
			for i, name := range ins {
				in[name] = x[i]
			}
			whole, got := l.Apply(in), s.Eval(x...)
			for i, d := range dims {
				if got[i] != whole[d] || s.Shape()[i] != l.Shape()[d] {
					t.Fatalf("%v, dimensions %v of %v is %v: at %v %v, want %v", ins, dims, l, s, x, got, whole)
				}
			}
		}
	})
}

func TestQuotientAndSublayoutErrors(t *testing.T) {
	lanes := must(NewLinear([]int{1, 2}, []Input{{Thread, [][]int{{0, 1}}}}))
	for name, c := range map[string]struct {
		do   func() (Linear, error)
		kind error
	}{
		"rank": {func() (Linear, error) { return tile44.Quotient(Linear{}) }, fault.ErrShape},
		"size": {func() (Linear, error) { return tile44.Quotient(must(NewLinear([]int{8, 1}, nil))) }, fault.ErrUnsupported},
		"bits": {func() (Linear, error) {
			return tile44.Quotient(must(NewLinear([]int{1, 2}, []Input{{"lane", [][]int{{0, 1}}}})))
		}, fault.ErrUnsupported},
		"basis":           {func() (Linear, error) { return tile44.Quotient(lanes) }, fault.ErrUnsupported},
		"within":          {func() (Linear, error) { return tile44.Quotient(must(NewLinear([]int{1, 4}, nil))) }, fault.ErrUnsupported},
		"dimension":       {func() (Linear, error) { return tile44.Sublayout(nil, []int{2}) }, fault.ErrArgument},
		"dimension twice": {func() (Linear, error) { return tile44.Sublayout(nil, []int{1, 1}) }, fault.ErrArgument},
		"input twice":     {func() (Linear, error) { return tile44.Sublayout([]string{Thread, Thread}, nil) }, fault.ErrArgument},
	} {
		if got, err := c.do(); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, error %v, want %v", name, got, err, c.kind)
		}
	}
}
