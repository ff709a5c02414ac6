package layout

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/weftgpu/weft/fault"
	"pgregory.net/rapid"
)

// drawTile draws a shape of powers of two with at most 2^7 elements.
func drawTile(t *rapid.T) []int {
	shape := rapid.SliceOfN(rapid.SampledFrom([]int{1, 2, 4, 8}), 0, 3).Draw(t, "tile")
	if n := len(coords(shape)); n > 128 {
		shape[0] = 2
	}
	return shape
}

// drawLinear draws a layout of a tile: any bases, among them zeros and bases
// that depend on others; or a shuffled distribution with a few free bits.
func drawLinear(t *rapid.T, shape []int, names ...string) Linear {
	if len(names) == 0 {
		names = []string{Register, Thread}
	}
	tile := coords(shape)
	ins := make([]Input, len(names))
	for i, name := range names {
		ins[i].Name = name
	}
	if rapid.Bool().Draw(t, "arbitrary") {
		for i := range ins {
			for range rapid.IntRange(0, 4).Draw(t, "bits") {
				ins[i].Bases = append(ins[i].Bases, rapid.SampledFrom(tile).Draw(t, "basis"))
			}
		}
		return must(NewLinear(shape, ins))
	}
	units := [][]int{}
	for d, n := range shape {
		for bit := 1; bit < n; bit *= 2 {
			u := make([]int, len(shape))
			u[d] = bit
			units = append(units, u)
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "free") {
		units = append(units, make([]int, len(shape)))
	}
	for _, i := range rapid.Permutation(upTo(len(units))).Draw(t, "order") {
		to := rapid.IntRange(0, len(ins)-1).Draw(t, "input")
		ins[to].Bases = append(ins[to].Bases, units[i])
	}
	return must(NewLinear(shape, ins))
}

// points lists the input values of a layout, in the order of its inputs.
func points(l Linear) [][]int {
	sizes := []int{}
	for _, name := range l.Inputs() {
		sizes = append(sizes, l.Size(name))
	}
	return coords(sizes)
}

// byDefinition combines the bases of the set bits by XOR.
func byDefinition(l Linear, x []int) []int {
	out := make([]int, len(l.Shape()))
	for i, name := range l.Inputs() {
		for bit := range l.Bits(name) {
			if x[i]>>bit&1 == 1 {
				for d, v := range l.Basis(name, bit) {
					out[d] ^= v
				}
			}
		}
	}
	return out
}

// holders lists, for every element of the tile, the inputs that hold it.
func holders(l Linear) map[string][][]int {
	at := map[string][][]int{}
	for _, x := range points(l) {
		key := fmt.Sprint(byDefinition(l, x))
		at[key] = append(at[key], x)
	}
	return at
}

func TestNewLinearKeepsWhatItIsGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := drawTile(t)
		ins := []Input{{Name: "lane"}, {Name: "warp"}}
		for i := range ins {
			ins[i].Bases = rapid.SliceOfN(rapid.SampledFrom(coords(shape)), 0, 4).Draw(t, "bases")
		}
		l := must(NewLinear(shape, ins))
		if !slices.Equal(l.Shape(), shape) || !slices.Equal(l.Inputs(), []string{"lane", "warp"}) {
			t.Fatalf("%v of shape %v", l, shape)
		}
		for _, in := range ins {
			if l.Bits(in.Name) != len(in.Bases) || l.Size(in.Name) != 1<<len(in.Bases) {
				t.Fatalf("%v: %d bits of %s, given %v", l, l.Bits(in.Name), in.Name, in.Bases)
			}
			for bit, b := range in.Bases {
				if !slices.Equal(l.Basis(in.Name, bit), b) {
					t.Fatalf("%v: basis %v, given %v", l, l.Basis(in.Name, bit), b)
				}
			}
		}
		if l.Bits("block") != 0 || l.Size("block") != 1 || l.FreeBits("block") != 0 {
			t.Fatalf("%v has an input that it was not given", l)
		}
	})
}

func TestEvalIsXorOfBases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLinear(t, drawTile(t))
		row := must(Contiguous(l.Shape()...))
		for _, x := range points(l) {
			want := byDefinition(l, x)
			forms := [][]int{l.Eval(x...), l.At(x[0], x[1])}
			for i, got := range forms {
				if !slices.Equal(got, want) {
					t.Fatalf("%v at %v: form %d gave %v, want %v", l, x, i, got, want)
				}
			}
			if l.Index(x[0], x[1]) != row.At(want...) {
				t.Fatalf("%v at %v: index %d, want %d", l, x, l.Index(x[0], x[1]), row.At(want...))
			}
		}
	})
}

func TestSurjectiveInjectiveFree(t *testing.T) {
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		l := drawLinear(t, drawTile(t))
		at := holders(l)
		surjective := len(at) == len(coords(l.Shape()))
		injective := len(at) == len(points(l))
		if l.IsSurjective() != surjective || l.IsInjective() != injective {
			t.Fatalf("%v: surjective %v, injective %v; by counting %v, %v", l, l.IsSurjective(), l.IsInjective(), surjective, injective)
		}
		counts[fmt.Sprint(surjective, injective)]++
		for i, name := range l.Inputs() {
			free := 0
			for bit := range l.Bits(name) { // free: flipping it never moves anything
				moved := false
				for _, x := range points(l) {
					y := slices.Clone(x)
					y[i] ^= 1 << bit
					moved = moved || !slices.Equal(l.Eval(x...), l.Eval(y...))
				}
				if !moved {
					free |= 1 << bit
				}
			}
			if l.FreeBits(name) != free {
				t.Fatalf("%v: free bits %b of %s, want %b", l, l.FreeBits(name), name, free)
			}
		}
	})
	if len(counts) != 4 {
		t.Errorf("not every combination was met: %v", counts)
	}
}

func TestContiguousRun(t *testing.T) {
	longer := 0
	rapid.Check(t, func(t *rapid.T) {
		shape := drawTile(t)
		if len(shape) == 0 {
			return
		}
		l := drawLinear(t, shape)
		if rapid.Bool().Draw(t, "blocked") {
			l = drawBlocked(t, shape)
		}
		dim := rapid.IntRange(0, len(shape)-1).Draw(t, "dim")
		for i, name := range l.Inputs() {
			// The longest power of two for which the law holds everywhere.
			want := 1
			for n := 2; n <= min(l.Size(name), shape[dim]) && runs(l, i, dim, n); n *= 2 {
				want = n
			}
			if got := l.ContiguousRun(name, dim); got != want {
				t.Fatalf("%v: run of %s along %d is %d, want %d", l, name, dim, got, want)
			}
			if want > 1 {
				longer++
			}
		}
	})
	if longer == 0 {
		t.Error("no run above 1 was met")
	}
}

func runs(l Linear, in, dim, n int) bool {
	for _, x := range points(l) {
		base, want := slices.Clone(x), l.Eval(x...)
		base[in] = x[in] / n * n
		from := l.Eval(base...)
		from[dim] += x[in] % n
		if !slices.Equal(from, want) {
			return false
		}
	}
	return true
}

func drawBlocked(t *rapid.T, shape []int) Linear {
	vec := make([]int, len(shape))
	for d := range vec {
		vec[d] = 1 << rapid.IntRange(0, 4).Draw(t, "vec")
	}
	order := rapid.Permutation(upTo(len(shape))).Draw(t, "order")
	return Blocked(shape, 1<<rapid.IntRange(0, 6).Draw(t, "threads"), order, vec)
}

func TestBlockedCoversAndReplicatesOnFreeBitsOnly(t *testing.T) {
	free := 0
	rapid.Check(t, func(t *rapid.T) {
		shape := drawTile(t)
		vec := make([]int, len(shape))
		for d := range vec {
			vec[d] = 1 << rapid.IntRange(0, 4).Draw(t, "vec")
		}
		threads := 1 << rapid.IntRange(0, 7).Draw(t, "threads")
		order := rapid.Permutation(upTo(len(shape))).Draw(t, "order")
		l := Blocked(shape, threads, order, vec)
		if l.Size(Thread) != threads || !slices.Equal(l.Shape(), shape) {
			t.Fatalf("%v for %d threads of %v", l, threads, shape)
		}
		if l.FreeBits(Register) != 0 {
			t.Fatalf("%v: registers hold copies", l)
		}
		mask := l.FreeBits(Thread)
		copies := 1 << bits.OnesCount(uint(mask))
		at := holders(l)
		if len(at) != len(coords(shape)) {
			t.Fatalf("%v holds %d elements of %v", l, len(at), shape)
		}
		for key, xs := range at {
			if len(xs) != copies {
				t.Fatalf("%v: %s is held by %v, want %d copies", l, key, xs, copies)
			}
			for _, x := range xs {
				if x[0] != xs[0][0] || x[1]&^mask != xs[0][1]&^mask {
					t.Fatalf("%v: %s is held by %v, free bits %b", l, key, xs, mask)
				}
			}
		}
		if mask != 0 {
			free++
		}
		checkBlock(t, l, threads, order, vec)
	})
	if free == 0 {
		t.Error("no layout with superfluous threads was met")
	}
}

// checkBlock checks the stated order by counting in mixed radix: registers run
// over the block in order, then threads over the blocks in order, then registers
// over the repetitions in order.
func checkBlock(t *rapid.T, l Linear, threads int, order, vec []int) {
	shape := l.Shape()
	left := threads
	var radix []digit
	for _, d := range order {
		radix = append(radix, digit{d, min(vec[d], shape[d]), 1, false})
	}
	for i, d := range order {
		n := min(left, shape[d]/radix[i].n)
		left /= n
		radix = append(radix, digit{d, n, radix[i].n, true})
	}
	for i, d := range order {
		held := radix[i].n * radix[i+len(order)].n
		radix = append(radix, digit{d, shape[d] / held, held, false})
	}
	for _, x := range points(l) {
		r, th := x[0], x[1]
		want := make([]int, len(shape))
		for _, g := range radix {
			src := &r
			if g.thread {
				src = &th
			}
			want[g.dim] += *src % g.n * g.unit
			*src /= g.n
		}
		if got := l.At(x[0], x[1]); !slices.Equal(got, want) {
			t.Fatalf("%v: register %d of thread %d is %v, want %v", l, x[0], x[1], got, want)
		}
	}
}

// digit is one digit of register or thread: n values, each unit elements of dim apart.
type digit struct {
	dim, n, unit int
	thread       bool
}

func TestLinearErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func() (Linear, error)
		kind error
	}{
		{"size 3", func() (Linear, error) { return NewLinear([]int{4, 3}, nil) }, fault.ErrShape},
		{"size 0", func() (Linear, error) { return NewLinear([]int{0}, nil) }, fault.ErrShape},
		{"size -4", func() (Linear, error) { return NewLinear([]int{-4}, nil) }, fault.ErrShape},
		{"tile too large", func() (Linear, error) { return NewLinear(slices.Repeat([]int{1 << 20}, 4), nil) }, fault.ErrLimit},
		{"unnamed", func() (Linear, error) { return NewLinear([]int{4}, []Input{{}}) }, fault.ErrArgument},
		{"twice", func() (Linear, error) { return NewLinear([]int{4}, []Input{{Name: "a"}, {Name: "a"}}) }, fault.ErrArgument},
		{"basis rank", func() (Linear, error) { return NewLinear([]int{4}, []Input{{"a", [][]int{{1, 0}}}}) }, fault.ErrShape},
		{"basis outside", func() (Linear, error) { return NewLinear([]int{4}, []Input{{"a", [][]int{{4}}}}) }, fault.ErrShape},
		{"basis negative", func() (Linear, error) { return NewLinear([]int{4}, []Input{{"a", [][]int{{-1}}}}) }, fault.ErrShape},
		{"input too large", func() (Linear, error) {
			return NewLinear([]int{4}, []Input{{"a", slices.Repeat([][]int{{0}}, 64)}})
		}, fault.ErrLimit},
		{"inverse of a part", func() (Linear, error) { return must(NewLinear([]int{4}, []Input{{"a", [][]int{{1}}}})).Inverse() }, fault.ErrUnsupported},
		{"inverse too large", func() (Linear, error) {
			many := slices.Repeat([][]int{{0}}, maxBits)
			return must(NewLinear([]int{1}, []Input{{"a", many}, {"b", many}})).Inverse()
		}, fault.ErrLimit},
		{"compose names", func() (Linear, error) { return tile44.Compose(tile44, Register) }, fault.ErrArgument},
		{"compose twice", func() (Linear, error) { return tile44.Compose(tile44, Register, Register) }, fault.ErrArgument},
		{"compose too small", func() (Linear, error) { return tile44.Compose(Linear{}, Register, Thread) }, fault.ErrArgument},
		{"compose one bit too small", func() (Linear, error) {
			return must(NewLinear([]int{8, 4}, nil)).Compose(tile44, Register, Thread)
		}, fault.ErrArgument},
		{"reshape count", func() (Linear, error) { return tile44.Reshape(8) }, fault.ErrShape},
		{"reshape size", func() (Linear, error) { return tile44.Reshape(3, 4) }, fault.ErrShape},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := c.do(); !errors.Is(err, c.kind) {
				t.Errorf("got %v, error %v; want %v", got, err, c.kind)
			}
		})
	}
}

var tile44 = Blocked([]int{4, 4}, 4, []int{1, 0}, []int{1, 2})

func TestLinearPanics(t *testing.T) {
	for name, do := range map[string]func(){
		"register too large": func() { tile44.At(4, 0) },
		"thread negative":    func() { tile44.At(0, -1) },
		"too few values":     func() { tile44.Eval(1) },
		"no such bit":        func() { tile44.Basis(Register, 2) },
		"no permutation":     func() { tile44.Transpose([]int{0, 0}) },
		"no such dimension":  func() { tile44.Drop(2) },
		"blocked size":       func() { Blocked([]int{3}, 4, []int{0}, []int{1}) },
		"blocked threads":    func() { Blocked([]int{4}, 3, []int{0}, []int{1}) },
		"blocked vec":        func() { Blocked([]int{4}, 4, []int{0}, []int{3}) },
		"blocked order":      func() { Blocked([]int{4}, 4, []int{1}, []int{1}) },
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

func TestLinearEqualAndString(t *testing.T) {
	same := must(NewLinear([]int{4, 4}, []Input{
		{Register, [][]int{{0, 1}, {2, 0}}}, {Thread, [][]int{{0, 2}, {1, 0}}},
	}))
	if !tile44.Equal(same) {
		t.Errorf("%v differs from %v", tile44, same)
	}
	for _, m := range []Linear{
		tile44.Transpose([]int{1, 0}), Blocked([]int{4, 4}, 2, []int{1, 0}, []int{1, 2}), must(tile44.Reshape(16)),
		must(NewLinear([]int{4, 4}, []Input{{Thread, [][]int{{0, 2}, {1, 0}}}, {Register, [][]int{{0, 1}, {2, 0}}}})),
	} {
		if tile44.Equal(m) {
			t.Errorf("%v equals %v", tile44, m)
		}
	}
	for want, l := range map[string]Linear{
		"(4,4) register:(0,1)(2,0) thread:(0,2)(1,0)": tile44,
		"(2) register:- thread:(1)(0)":                Blocked([]int{2}, 4, []int{0}, []int{1}),
		"()":                                          {},
	} {
		if d := cmp.Diff(want, l.String()); d != "" {
			t.Error(d)
		}
	}
}
