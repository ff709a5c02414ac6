package layout

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/weftgpu/weft/fault"
	"pgregory.net/rapid"
)

func drawSwizzle(t *rapid.T) Swizzle {
	bits := rapid.IntRange(0, 3).Draw(t, "bits")
	shift := bits + rapid.IntRange(0, 3).Draw(t, "apart")
	if rapid.Bool().Draw(t, "left") {
		shift = -shift
	}
	return must(NewSwizzle(bits, rapid.IntRange(0, 3).Draw(t, "base"), shift))
}

// swizzledBit by bit: bit i of the result is bit i of the offset, or that XOR the
// bit which is paired with it.
func swizzledBit(s Swizzle, x, i int) int {
	v := x >> i & 1
	for k := range s.Bits() {
		from, to := s.Base()+k+s.Shift(), s.Base()+k
		if s.Shift() < 0 {
			from, to = s.Base()+k, s.Base()+k-s.Shift()
		}
		if i == to {
			v ^= x >> from & 1
		}
	}
	return v
}

func TestSwizzle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSwizzle(t)
		span := s.Span()
		met := make([]bool, 2*span)
		for x := range 2 * span {
			y := s.At(x)
			for i := range 16 {
				if y>>i&1 != swizzledBit(s, x, i) {
					t.Fatalf("%v: %b became %b", s, x, y)
				}
			}
			if s.At(y) != x || y/span != x/span || met[y] || y != s.At(x%span)+x/span*span {
				t.Fatalf("%v: %d became %d", s, x, y)
			}
			met[y] = true
			if low := x % (1 << s.Base()); y != s.At(x-low)+low {
				t.Fatalf("%v: %d became %d, its run starts at %d", s, x, y, s.At(x-low))
			}
			other := rapid.IntRange(0, 2*span-1).Draw(t, "other")
			if s.At(x^other) != y^s.At(other) {
				t.Fatalf("%v is not linear at %d and %d", s, x, other)
			}
		}
	})
}

// drawSwizzled draws a swizzle of a layout with few negative strides and offsets.
func drawSwizzled(t *rapid.T) Swizzled {
	for {
		l := drawLayoutOf(t, drawTile(t))
		if rapid.Bool().Draw(t, "dense") {
			p := rapid.Permutation(upTo(l.Rank())).Draw(t, "perm")
			l = must(must(Contiguous(l.Shape()...)).Permute(p...))
		}
		if s, err := NewSwizzled(drawSwizzle(t), l); err == nil {
			return s
		} else if lo, _ := l.Bounds(); lo >= 0 || !errors.Is(err, fault.ErrShape) {
			t.Fatalf("%v: %v", l, err)
		}
	}
}

func TestSwizzled(t *testing.T) {
	linear, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawSwizzled(t)
		all, most := map[string]int{}, 0
		cs := coords(s.Layout().Shape())
		for _, c := range cs {
			at := s.At(c...)
			if at != s.Swizzle().At(s.Layout().At(c...)) || at < 0 || at >= s.Cosize() {
				t.Fatalf("%v at %v: %d, cosize %d", s, c, at, s.Cosize())
			}
			all[tuple(c)], most = at, max(most, at)
		}
		l, err := s.Linear()
		if err != nil {
			refused++
			if !errors.Is(err, fault.ErrUnsupported) || isLinear(all, cs) {
				t.Fatalf("%v is linear, but %v", s, err)
			}
			return
		}
		linear++
		if n := l.Shape()[0]; n < s.Cosize() || n > 1 && n/2 >= s.Cosize() {
			t.Fatalf("%v: %v for %d elements", s, l, s.Cosize())
		}
		for _, c := range cs {
			if got := l.Eval(c...)[0]; got != s.At(c...) {
				t.Fatalf("%v as %v: at %v %d, want %d", s, l, c, got, s.At(c...))
			}
		}
	})
	if linear == 0 || refused == 0 {
		t.Errorf("%d linear, %d refused", linear, refused)
	}
}

// isLinear checks f(x^y) == f(x)^f(y) over all coordinates.
func isLinear(f map[string]int, cs [][]int) bool {
	for _, x := range cs {
		for _, y := range cs {
			z := slices.Clone(x)
			for d := range z {
				z[d] ^= y[d]
			}
			if f[tuple(z)] != f[tuple(x)]^f[tuple(y)] {
				return false
			}
		}
	}
	return true
}

func TestSwizzleErrors(t *testing.T) {
	plain := must(Contiguous(32, 32))
	back := must(Strided([]int{4}, []int{-1}, 0))
	rows := Blocked([]int{32, 32}, 32, []int{1, 0}, []int{1, 1})
	other := must(NewLinear([]int{32, 32}, []Input{{"block", [][]int{{1, 0}}}}))
	access := func(l Layout, dist Linear, elem int) error {
		_, err := must(NewSwizzled(Swizzle{}, l)).Access(dist, elem)
		return err
	}
	free := func(l Layout, w, r Linear, elem int) error {
		_, err := ConflictFree(l, w, r, elem)
		return err
	}
	array := func(w, r Linear, elem int) error {
		_, err := ConflictFreeArray(w, r, elem)
		return err
	}
	of1 := func(l, dist Linear, elem int) error {
		_, err := l.Access(dist, elem)
		return err
	}
	offsets := must(must(NewSwizzled(Swizzle{}, plain)).Linear())
	wave := func(width int, at ...int) error {
		_, err := Wavefronts(at, width)
		return err
	}
	swizzle := func(bits, base, shift int) error {
		_, err := NewSwizzle(bits, base, shift)
		return err
	}
	of := func(s Swizzle, l Layout) error {
		_, err := NewSwizzled(s, l)
		return err
	}
	for name, c := range map[string]struct{ err, kind error }{
		"bits negative":        {swizzle(-1, 0, 1), fault.ErrArgument},
		"base negative":        {swizzle(1, -1, 1), fault.ErrArgument},
		"shift too small":      {swizzle(3, 0, -2), fault.ErrArgument},
		"shift the least int":  {swizzle(3, 0, math.MinInt), fault.ErrArgument},
		"too many bits":        {swizzle(20, 20, 30), fault.ErrLimit},
		"shift the most int":   {swizzle(3, 0, math.MaxInt), fault.ErrLimit},
		"negative offsets":     {of(Swizzle{}, back), fault.ErrShape},
		"offsets too large":    {of(Swizzle{}, must(Strided([]int{2}, []int{math.MaxInt}, 0))), fault.ErrLimit},
		"width 3":              {wave(3, 0), fault.ErrArgument},
		"width 0":              {wave(0, 0), fault.ErrArgument},
		"width 32":             {wave(32, 0), fault.ErrArgument},
		"33 lanes":             {wave(4, make([]int, 33)...), fault.ErrArgument},
		"misaligned":           {wave(8, 0, 4), fault.ErrArgument},
		"access tile":          {access(plain.Transpose(), must(rows.Reshape(1024)), 4), fault.ErrShape},
		"access element":       {access(plain, rows, 3), fault.ErrArgument},
		"access wide element":  {access(plain, rows, 32), fault.ErrArgument},
		"access input":         {access(plain, other, 4), fault.ErrUnsupported},
		"access of carries":    {access(must(Strided([]int{32, 32}, []int{33, 1}, 0)), rows, 4), fault.ErrUnsupported},
		"free, negative":       {free(back, rows, rows, 4), fault.ErrShape},
		"free, write":          {free(plain, other, rows, 4), fault.ErrUnsupported},
		"free, read":           {free(plain, rows, must(rows.Reshape(1024)), 4), fault.ErrShape},
		"free, element":        {free(plain, rows, rows, 5), fault.ErrArgument},
		"array tiles":          {array(rows, must(rows.Reshape(1024)), 4), fault.ErrShape},
		"array element":        {array(rows, rows, 6), fault.ErrArgument},
		"array input":          {array(rows, other, 4), fault.ErrUnsupported},
		"linear, two offsets":  {of1(rows, rows, 4), fault.ErrShape},
		"linear, dimensions":   {of1(offsets, must(rows.Reshape(1024)), 4), fault.ErrArgument},
		"linear, element":      {of1(offsets, rows, 0), fault.ErrArgument},
		"linear, input":        {of1(offsets, other, 4), fault.ErrUnsupported},
		"free, array of sizes": {free(must(Contiguous(31, 32)), rows, rows, 4), fault.ErrShape},
	} {
		if !errors.Is(c.err, c.kind) {
			t.Errorf("%s: error %v, want %v", name, c.err, c.kind)
		}
	}
}
