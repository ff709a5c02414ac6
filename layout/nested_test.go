package layout

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/weftgpu/weft/fault"
	"pgregory.net/rapid"
)

// drawNested draws a tree of up to 4 leaves and 96 indices. Strides are either
// arbitrary or those of a dense tensor, its leaves in any order, some with
// padding, some repeated.
func drawNested(t *rapid.T) Nested {
	sizes := rapid.SliceOfN(rapid.SampledFrom([]int{1, 2, 2, 3, 4, 4, 6, 8}), 0, 4).Draw(t, "sizes")
	for product(sizes) > 96 {
		sizes = sizes[1:]
	}
	strides := make([]int, len(sizes))
	kind := rapid.SampledFrom([]string{"arbitrary", "dense", "padded"}).Draw(t, "kind")
	run := 1
	for _, k := range rapid.Permutation(upTo(len(sizes))).Draw(t, "order") {
		strides[k] = run
		switch kind {
		case "arbitrary":
			strides[k] = rapid.IntRange(-3, 12).Draw(t, "stride")
		case "padded":
			strides[k] *= rapid.SampledFrom([]int{1, 1, 1, 0}).Draw(t, "repeat")
			run *= rapid.SampledFrom([]int{1, 1, 2, 3}).Draw(t, "pad")
		}
		run *= sizes[k]
	}
	leaves := make([]Nested, len(sizes))
	for k := range leaves {
		leaves[k] = must(Mode(sizes[k], strides[k]))
	}
	if len(leaves) == 1 && rapid.Bool().Draw(t, "leaf") {
		return leaves[0]
	}
	for len(leaves) > 1 && rapid.Bool().Draw(t, "group") {
		from := rapid.IntRange(0, len(leaves)-1).Draw(t, "from")
		to := rapid.IntRange(from, len(leaves)).Draw(t, "to")
		leaves = slices.Replace(leaves, from, to, must(Modes(leaves[from:to]...)))
	}
	return must(Modes(leaves...))
}

func product(v []int) int {
	p := 1
	for _, n := range v {
		p *= n
	}
	return p
}

// values lists the offsets of a layout by definition: the digits of the index in
// the mixed radix of the leaves, first leaf fastest.
func values(a Nested) []int {
	out := []int{0}
	for _, m := range a.leaves() {
		var next []int
		for i := range m.n {
			for _, v := range out {
				next = append(next, v+i*m.d)
			}
		}
		out = next
	}
	return out
}

// expressible reports whether a function is a sum of strides, and the fewest
// leaves that it needs: it tries every way to write its length as a product.
func expressible(f []int) (leaves int, ok bool) {
	if len(f) == 1 {
		return 1, f[0] == 0
	}
	for n := 2; n <= len(f); n++ {
		if len(f)%n != 0 {
			continue
		}
		same := true
		for i, v := range f {
			same = same && v == i%n*f[1]+f[i/n*n]
		}
		if !same || f[0] != 0 {
			continue
		}
		rest := []int{}
		for i := 0; i < len(f); i += n {
			rest = append(rest, f[i])
		}
		if len(rest) == 1 {
			return 1, true
		}
		if more, fits := expressible(rest); fits && (!ok || more+1 < leaves) {
			leaves, ok = more+1, true
		}
	}
	return leaves, ok
}

func TestNestedIsASumOfDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawNested(t)
		want := values(a)
		lo, hi := slices.Min(want), slices.Max(want)
		if gotLo, gotHi := a.Bounds(); a.Size() != len(want) || gotLo != lo || gotHi != hi || a.Cosize() != hi+1 {
			t.Fatalf("%v: size %d, bounds %d %d, cosize %d; offsets %v", a, a.Size(), gotLo, gotHi, a.Cosize(), want)
		}
		for i, v := range want {
			if a.At(i) != v || a.Flatten().At(i) != v {
				t.Fatalf("%v at %d: %d, flat %d, want %d", a, i, a.At(i), a.Flatten().At(i), v)
			}
			c, rest := make([]int, a.Rank()), i
			for k := range c {
				c[k], rest = rest%a.Mode(k).Size(), rest/a.Mode(k).Size()
			}
			if a.Rank() > 0 && a.At(c...) != v {
				t.Fatalf("%v at %v: %d, want %d", a, c, a.At(c...), v)
			}
		}
		if back := must(ParseNested(a.String())); !back.Equal(a) || back.Size() != a.Size() {
			t.Fatalf("%v came back as %v", a, back)
		}
		distinct := slices.Compact(slices.Sorted(slices.Values(want)))
		if got := a.IsInjective(); got != (len(distinct) == len(want)) {
			t.Fatalf("%v: injective %v", a, got)
		}
	})
}

func TestNestedAndLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		a, err := l.Nested()
		if (l.Len() == 0) != errors.Is(err, fault.ErrUnsupported) {
			t.Fatalf("%v: %v, error %v", l, a, err)
		}
		if err != nil {
			return
		}
		for _, c := range coords(l.Shape()) {
			if got := a.At(c...) + l.Offset(); l.Rank() > 0 && got != l.At(c...) {
				t.Fatalf("%v as %v: at %v %d, want %d", l, a, c, got, l.At(c...))
			}
		}
		if want := must(Strided(l.Shape(), l.Strides(), 0)); !a.Layout().Equal(want) {
			t.Fatalf("%v came back as %v", l, a.Layout())
		}
	})
}

func TestCompact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(1, 5), 0, 4).Draw(t, "shape")
		a := must(Compact(shape...))
		if a.Rank() != len(shape) || a.Size() != product(shape) {
			t.Fatalf("%v of %v", a, shape)
		}
		for i := range a.Size() {
			if a.At(i) != i {
				t.Fatalf("%v at %d: %d", a, i, a.At(i))
			}
		}
	})
}

func TestNestedCoalesce(t *testing.T) {
	merged := 0
	rapid.Check(t, func(t *rapid.T) {
		a := drawNested(t)
		c, by, want := a.Coalesce(), a.CoalesceModes(), values(a)
		if !slices.Equal(values(c), want) || !slices.Equal(values(by), want) {
			t.Fatalf("%v became %v and by mode %v", a, c, by)
		}
		if fewest, _ := expressible(want); len(c.leaves()) != fewest {
			t.Fatalf("%v became %v, %d leaves would do", a, c, fewest)
		}
		if by.Rank() != a.Rank() {
			t.Fatalf("%v became %v", a, by)
		}
		for k := range by.Rank() {
			if !by.Mode(k).Equal(a.Mode(k).Coalesce()) {
				t.Fatalf("%v became %v in mode %d", a, by, k)
			}
		}
		if len(c.leaves()) < len(a.leaves()) {
			merged++
		}
	})
	if merged == 0 {
		t.Error("nothing was ever merged")
	}
}

func TestNestedErrors(t *testing.T) {
	parse := func(s string) Nested { return must(ParseNested(s)) }
	for _, c := range []struct {
		name string
		do   func() (Nested, error)
		kind error
	}{
		{"size 0", func() (Nested, error) { return Mode(0, 1) }, fault.ErrShape},
		{"size negative", func() (Nested, error) { return Compact(2, -1) }, fault.ErrShape},
		{"stride too large", func() (Nested, error) { return Mode(3, math.MaxInt/2+1) }, fault.ErrLimit},
		{"too many", func() (Nested, error) { return Modes(parse("2:0"), must(Mode(math.MaxInt, 0))) }, fault.ErrLimit},
		{"too many, dense", func() (Nested, error) { return Compact(1<<20, 1<<20, 1<<20, 1<<20) }, fault.ErrLimit},
		{"nesting", func() (Nested, error) { return ParseNested("(2,3):6") }, fault.ErrArgument},
		{"nesting of a leaf", func() (Nested, error) { return ParseNested("2:(1)") }, fault.ErrArgument},
		{"ranks", func() (Nested, error) { return ParseNested("(2,3):(1,2,3)") }, fault.ErrArgument},
		{"open", func() (Nested, error) { return ParseNested("(2,3:(1,2)") }, fault.ErrArgument},
		{"rest", func() (Nested, error) { return ParseNested("(2)2:(1)2") }, fault.ErrArgument},
		{"no stride", func() (Nested, error) { return ParseNested("4") }, fault.ErrArgument},
		{"empty text", func() (Nested, error) { return ParseNested("") }, fault.ErrArgument},
		{"no number", func() (Nested, error) { return ParseNested("(2,x):(1,1)") }, fault.ErrArgument},
		{"size 0 read", func() (Nested, error) { return ParseNested("(2,0):(1,1)") }, fault.ErrShape},
		{"number too large", func() (Nested, error) { return ParseNested("99999999999999999999:1") }, fault.ErrLimit},

		{"compose outside", func() (Nested, error) { return parse("4:1").Compose(parse("3:2")) }, fault.ErrShape},
		{"compose below", func() (Nested, error) { return parse("4:1").Compose(parse("2:-1")) }, fault.ErrShape},
		{"compose stride", func() (Nested, error) { return parse("(4,6):(1,8)").Compose(parse("4:3")) }, fault.ErrUnsupported},
		{"compose size", func() (Nested, error) { return parse("(4,6):(1,8)").Compose(parse("5:2")) }, fault.ErrUnsupported},
		{"compose carry", func() (Nested, error) { return parse("(6,2):(1,100)").Compose(parse("(3,2):(2,3)")) }, fault.ErrUnsupported},
		{"compose carry, run through", func() (Nested, error) { return parse("(4,6):(1,100)").Compose(parse("(4,3):(2,1)")) }, fault.ErrUnsupported},
		{"compose modes", func() (Nested, error) { return parse("4:1").ComposeModes(parse("2:1"), parse("2:1")) }, fault.ErrShape},
		{"compose mode", func() (Nested, error) { return parse("(4,4):(1,4)").ComposeModes(parse("8:1")) }, fault.ErrShape},

		{"complement of a target", func() (Nested, error) { return parse("4:1").Complement(0) }, fault.ErrArgument},
		{"complement, holes", func() (Nested, error) { return parse("(2,2):(1,3)").Complement(12) }, fault.ErrUnsupported},
		{"complement, twice", func() (Nested, error) { return parse("(4,2):(1,2)").Complement(12) }, fault.ErrUnsupported},
		{"complement, negative", func() (Nested, error) { return parse("2:-1").Complement(12) }, fault.ErrUnsupported},
		{"complement too large", func() (Nested, error) { return parse("4:3").Complement(math.MaxInt) }, fault.ErrLimit},
		{"complement past the end", func() (Nested, error) { return must(Mode(2, math.MaxInt)).Complement(5) }, fault.ErrLimit},
		{"left inverse, twice", func() (Nested, error) { return parse("(4,2):(1,0)").LeftInverse() }, fault.ErrUnsupported},
		{"left inverse, holes", func() (Nested, error) { return parse("(2,2):(1,3)").LeftInverse() }, fault.ErrUnsupported},

		{"divide", func() (Nested, error) { return parse("10:1").LogicalDivide(parse("4:1")) }, fault.ErrShape},
		{"divide modes", func() (Nested, error) { return parse("8:1").FlatDivide(parse("4:1"), parse("4:1")) }, fault.ErrShape},
		{"divide zipped", func() (Nested, error) { return parse("8:1").ZippedDivide(parse("3:1")) }, fault.ErrShape},
		{"divide tiled", func() (Nested, error) { return parse("8:1").TiledDivide(parse("(2,2):(1,1)")) }, fault.ErrUnsupported},
		{"product", func() (Nested, error) { return parse("4:2").LogicalProduct(parse("3:1")) }, fault.ErrUnsupported},
		{"product blocked", func() (Nested, error) { return parse("4:2").BlockedProduct(parse("3:1")) }, fault.ErrUnsupported},
		{"product raked", func() (Nested, error) { return parse("(2,2):(1,3)").RakedProduct(parse("3:1")) }, fault.ErrUnsupported},
		{"product too large", func() (Nested, error) { return must(Mode(math.MaxInt/4, 1)).LogicalProduct(must(Mode(8, 1))) }, fault.ErrLimit},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := c.do(); !errors.Is(err, c.kind) {
				t.Errorf("got %v, error %v; want %v", got, err, c.kind)
			}
		})
	}
}

func TestNestedPanics(t *testing.T) {
	a := must(Compact(2, 3))
	for name, do := range map[string]func(){
		"too many coordinates": func() { a.At(1, 2, 0) },
		"no coordinate":        func() { a.At() },
		"no such mode":         func() { a.Mode(2) },
		"no mode of a leaf":    func() { a.Mode(0).Mode(1) },
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
