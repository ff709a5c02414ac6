package layout

import (
	"errors"
	"slices"
	"testing"

	"github.com/weftgpu/weft/fault"
	"pgregory.net/rapid"
)

// checkComposed checks the law of Compose against the definition.
func checkComposed(t *rapid.T, a, b, r Nested) {
	t.Helper()
	outer := values(a)
	for i, k := range values(b) {
		if r.At(i) != outer[k] {
			t.Fatalf("%v after %v is %v: at %d %d, want %d", a, b, r, i, r.At(i), outer[k])
		}
	}
	if !r.Refines(b) || r.Size() != b.Size() {
		t.Fatalf("%v after %v is %v, which does not refine", a, b, r)
	}
}

func TestNestedCompose(t *testing.T) {
	composed, refused, missed := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawNested(t), drawNested(t)
		r, err := a.Compose(b)
		lo, hi := b.Bounds()
		if outside := lo < 0 || hi >= a.Size(); outside != errors.Is(err, fault.ErrShape) {
			t.Fatalf("%v after %v: reaches %d to %d, error %v", a, b, lo, hi, err)
		} else if outside {
			return
		}
		if err == nil {
			checkComposed(t, a, b, r)
			composed++
			return
		}
		// Refused: then no sum of strides is the composition, but for strides
		// within a leaf that happen to meet the outer strides.
		refused++
		var f []int
		for _, k := range values(b) {
			f = append(f, values(a)[k])
		}
		if _, ok := expressible(f); ok {
			missed++
		}
	})
	t.Logf("%d composed, %d refused, %d of them expressible", composed, refused, missed)
	if composed == 0 || refused == 0 || missed*2 > refused {
		t.Errorf("%d composed, %d refused, %d of them expressible", composed, refused, missed)
	}
}

// TestComposePowersOfTwo: where all sizes are powers of two and the inner layout
// is a dense tensor with its leaves in any order, nothing is refused.
func TestComposePowersOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(0, 6).Draw(t, "bits")
		cut := func(name string) []Nested {
			var leaves []Nested
			for left := bits; left > 0; {
				n := rapid.IntRange(1, left).Draw(t, name)
				leaves = append(leaves, leafOf(1<<n, 1<<(bits-left)))
				left -= n
			}
			return rapid.Permutation(leaves).Draw(t, name)
		}
		a, b := groupOf(cut("outer")...), groupOf(cut("inner")...)
		for k := range a.modes {
			a.modes[k].d = rapid.IntRange(-9, 9).Draw(t, "stride")
		}
		checkComposed(t, a, b, must(a.Compose(b)))
	})
}

func TestComposeModes(t *testing.T) {
	done := 0
	rapid.Check(t, func(t *rapid.T) {
		a, tiles := drawNested(t), []Nested{drawNested(t), drawNested(t)}
		tiles = tiles[:rapid.IntRange(0, 2).Draw(t, "tiles")]
		r, err := a.ComposeModes(tiles...)
		if err != nil {
			return
		}
		if r.Rank() != a.Rank() {
			t.Fatalf("%v by mode after %v is %v", a, tiles, r)
		}
		for k := range r.Rank() {
			if k >= len(tiles) {
				if !r.Mode(k).Equal(a.Mode(k)) {
					t.Fatalf("%v by mode after %v is %v", a, tiles, r)
				}
				continue
			}
			checkComposed(t, a.Mode(k), tiles[k], r.Mode(k))
			done++
		}
	})
	if done == 0 {
		t.Error("nothing was composed")
	}
}

func TestComplement(t *testing.T) {
	done, gaps, refused := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a, target := drawNested(t), rapid.IntRange(1, 150).Draw(t, "target")
		moving := groupOf(a.filtered()...)
		own := slices.Sorted(slices.Values(values(moving)))
		r, err := a.Complement(target)
		if err != nil {
			if !errors.Is(err, fault.ErrUnsupported) || moving.IsInjective() && own[0] == 0 && tilesAnInterval(own) {
				t.Fatalf("%v to %d: %v", a, target, err)
			}
			refused++
			return
		}
		done++
		rest := values(r)
		for j := 1; j < len(rest); j++ {
			if rest[j-1] >= rest[j] {
				t.Fatalf("%v to %d is %v, which does not grow", a, target, r)
			}
		}
		var sums []int
		for _, x := range own {
			for _, y := range rest {
				sums = append(sums, x+y)
			}
		}
		slices.Sort(sums)
		period := 1
		for _, m := range moving.modes {
			period = max(period, m.n*m.d)
		}
		if want := (target + period - 1) / period * period; !slices.Equal(sums, upTo(want)) {
			t.Fatalf("%v to %d is %v; the sums are %v, want all below %d", a, target, r, sums, want)
		}
		if len(r.leaves()) > 1 {
			gaps++
		}
	})
	if done == 0 || gaps == 0 || refused == 0 {
		t.Errorf("%d complements, %d that filled gaps, %d refused", done, gaps, refused)
	}
}

// tilesAnInterval decides by trying whether disjoint copies of a set, which
// starts at 0, cover an interval: the next copy must start at the first hole.
func tilesAnInterval(set []int) bool {
	covered := map[int]bool{}
	for hole := range 1000 {
		if hole > 0 && len(covered) == hole {
			return true // nothing lies beyond the hole
		}
		if covered[hole] {
			continue
		}
		for _, x := range set {
			if covered[hole+x] {
				return false
			}
			covered[hole+x] = true
		}
	}
	return false
}

func TestInversesOfNested(t *testing.T) {
	longer, lefts := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a := drawNested(t)
		own := values(a)
		right := a.RightInverse()
		for k, i := range values(right) {
			if i < 0 || i >= len(own) || own[i] != k {
				t.Fatalf("%v: offset %d is said to be at index %d by %v", a, k, i, right)
			}
		}
		if right.Size() > 1 {
			longer++
		}
		if a.IsInjective() && slices.Min(own) == 0 && slices.Contains(own, right.Size()) {
			t.Fatalf("%v reaches %d, its inverse is %v", a, right.Size(), right)
		}
		left, err := a.LeftInverse()
		if err != nil {
			return
		}
		lefts++
		if !a.IsInjective() || left.Size() < a.Cosize() {
			t.Fatalf("%v has the left inverse %v", a, left)
		}
		for k, i := range values(left) {
			if at := slices.Index(own, k); at >= 0 && i != at || at < 0 && i < len(own) {
				t.Fatalf("%v: offset %d is at %d, the inverse %v says %d", a, k, at, left, i)
			}
		}
	})
	if longer == 0 || lefts == 0 {
		t.Errorf("%d right inverses above 1, %d left inverses", longer, lefts)
	}
}

func TestMaxCommonLayout(t *testing.T) {
	longer, shorter := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a := drawNested(t)
		b := drawNested(t)
		if rapid.Bool().Draw(t, "related") { // the same leaves with some strides changed
			b = groupOf(a.leaves()...)
			for k := range b.modes {
				b.modes[k].d *= rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "factor")
			}
		}
		r := MaxCommonLayout(a, b)
		va, vb := values(a), values(b)
		for k, i := range values(r) {
			if i >= len(va) || i >= len(vb) || va[i] != k || vb[i] != k {
				t.Fatalf("%v and %v: %v is not common", a, b, r)
			}
		}
		if MaxCommonVector(a, b) != r.Size() {
			t.Fatalf("%v and %v: vector %d of %v", a, b, MaxCommonVector(a, b), r)
		}
		if !a.IsInjective() || !b.IsInjective() || slices.Min(va) < 0 || slices.Min(vb) < 0 {
			return
		}
		if i := slices.Index(va, r.Size()); i >= 0 && i < len(vb) && vb[i] == r.Size() {
			t.Fatalf("%v and %v: %v, but index %d is common too", a, b, r, i)
		}
		if r.Size() > 1 {
			longer++
		}
		if r.Size() < min(len(va), len(vb)) {
			shorter++
		}
	})
	if longer == 0 || shorter == 0 {
		t.Errorf("%d above 1, %d below the whole", longer, shorter)
	}
}

// TestInversesWhereRandomOnesAreRare pins cases that random layouts hardly meet:
// two leaves of one stride, and common runs that end within a leaf and could be
// taken to go on behind it.
func TestInversesWhereRandomOnesAreRare(t *testing.T) {
	parse := func(s string) Nested { return must(ParseNested(s)) }
	for _, c := range []struct{ got, want Nested }{
		{parse("(2,4):(1,1)").RightInverse(), parse("4:2")},
		{parse("(4,2):(1,1)").RightInverse(), parse("4:1")},
		{parse("(1,3):(1,1)").RightInverse(), parse("3:1")},
		{MaxCommonLayout(parse("(4,2,2):(1,8,4)"), parse("(2,4,2):(1,4,2)")), parse("2:1")},
		{MaxCommonLayout(parse("(2,4,2):(1,4,2)"), parse("(4,2,2):(1,8,4)")), parse("2:1")},
		{MaxCommonLayout(parse("(4,2,2):(1,8,4)"), parse("(4,2,2):(1,8,4)")), parse("(4,2,2):(1,8,4)")},
	} {
		if !c.got.Equal(c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}
