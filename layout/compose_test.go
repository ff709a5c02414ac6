package layout

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestInverse(t *testing.T) {
	inverted := 0
	rapid.Check(t, func(t *rapid.T) {
		l := drawLinear(t, drawTile(t))
		inv, err := l.Inverse()
		if (err == nil) != l.IsSurjective() {
			t.Fatalf("%v: surjective %v, inverse %v, error %v", l, l.IsSurjective(), inv, err)
		}
		if err != nil {
			return
		}
		inverted++
		free := []int{l.FreeBits(Register), l.FreeBits(Thread)}
		for _, c := range coords(l.Shape()) {
			x := inv.Eval(c...)
			if !slices.Equal(l.Eval(x...), c) {
				t.Fatalf("%v: %v is said to be at %v, which holds %v", l, c, x, l.Eval(x...))
			}
			if x[0]&free[0] != 0 || x[1]&free[1] != 0 {
				t.Fatalf("%v: %v is said to be at %v, free bits %b", l, c, x, free)
			}
		}
		// Bits whose basis depends on earlier ones are 0: the earlier place wins.
		for _, xs := range holders(l) {
			first := xs[0]
			for _, x := range xs {
				if less(x, first) {
					first = x
				}
			}
			if got := inv.Eval(l.Eval(first...)...); !slices.Equal(got, first) {
				t.Fatalf("%v: %v gives %v, the inverse names %v", l, first, l.Eval(first...), got)
			}
		}
	})
	if inverted == 0 {
		t.Error("no layout had an inverse")
	}
}

// less compares the inputs as one number, the last input highest: the least
// holder of an element uses no bit whose basis depends on earlier ones.
func less(x, y []int) bool {
	x, y = slices.Clone(x), slices.Clone(y)
	slices.Reverse(x)
	slices.Reverse(y)
	return slices.Compare(x, y) < 0
}

func TestInverseOfApplyClearsFreeBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawBlocked(t, drawTile(t))
		inv := must(l.Inverse())
		for _, x := range points(l) {
			want := []int{x[0] &^ l.FreeBits(Register), x[1] &^ l.FreeBits(Thread)}
			if got := inv.Eval(l.Eval(x...)...); !slices.Equal(got, want) {
				t.Fatalf("%v: %v came back as %v", l, x, got)
			}
		}
	})
}

func TestCompose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		outer := drawLinear(t, drawTile(t), "a", "b", "c")
		names := rapid.Permutation([]string{"a", "b", "c"}).Draw(t, "names")[:rapid.IntRange(0, 3).Draw(t, "rank")]
		shape := make([]int, len(names))
		for d, name := range names {
			shape[d] = 1 << rapid.IntRange(0, outer.Bits(name)).Draw(t, "size")
		}
		l := drawLinear(t, shape)
		both := must(l.Compose(outer, names...))
		for _, x := range points(l) {
			at := make([]int, len(outer.Inputs())) // those that are not composed stay 0
			for d, v := range l.Eval(x...) {
				at[slices.Index(outer.Inputs(), names[d])] = v
			}
			if got, want := both.Eval(x...), outer.Eval(at...); !slices.Equal(got, want) {
				t.Fatalf("%v then %v by %v: %v gave %v, want %v", l, outer, names, x, got, want)
			}
		}
	})
}

func TestTransposeAndReshapeOfLinear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLinear(t, drawTile(t))
		p := rapid.Permutation(upTo(len(l.Shape()))).Draw(t, "perm")
		tr := l.Transpose(p)
		flat := must(l.Reshape(len(coords(l.Shape()))))
		for _, x := range points(l) {
			c, got := l.Eval(x...), tr.Eval(x...)
			for i, d := range p {
				if got[i] != c[d] || tr.Shape()[i] != l.Shape()[d] {
					t.Fatalf("%v by %v is %v: %v moved to %v", l, p, tr, c, got)
				}
			}
			if flat.Eval(x...)[0] != must(Contiguous(l.Shape()...)).At(c...) {
				t.Fatalf("%v flattened is %v: %v is at %v", l, flat, c, flat.Eval(x...))
			}
		}
		if back := must(flat.Reshape(l.Shape()...)); !back.Equal(l) {
			t.Fatalf("%v flattened and back is %v", l, back)
		}
	})
}

func TestDropIsProjection(t *testing.T) {
	removed := 0
	rapid.Check(t, func(t *rapid.T) {
		shape := drawTile(t)
		if len(shape) == 0 {
			return
		}
		l := drawLinear(t, shape)
		dim := rapid.IntRange(0, len(shape)-1).Draw(t, "dim")
		d := l.Drop(dim)
		if d.FreeBits(Register) != 0 || d.Bits(Thread) != l.Bits(Thread) {
			t.Fatalf("%v without %d is %v", l, dim, d)
		}
		used := map[int]bool{}
		for _, x := range points(l) {
			want := l.Eval(x...)
			want[dim] = 0
			r := l.DropRegister(dim, x[0])
			used[r] = true
			if got := d.At(r, x[1]); !slices.Equal(got, want) {
				t.Fatalf("%v without %d is %v: %v in register %d is %v, want %v", l, dim, d, x, r, got, want)
			}
		}
		if len(used) != d.Size(Register) { // every register of the result is reached
			t.Fatalf("%v without %d is %v: %d registers used", l, dim, d, len(used))
		}
		if d.Bits(Register) < l.Bits(Register) {
			removed++
		}
	})
	if removed == 0 {
		t.Error("no register bit was ever removed")
	}
}

// TestBlockedIsAProduct: elements of a thread, then threads, then more elements, each beyond those before.
func TestBlockedIsAProduct(t *testing.T) {
	want := must(NewLinear([]int{64}, []Input{{Register, [][]int{{1}, {2}, {32}}}, {Thread, [][]int{{4}, {8}, {16}}}}))
	if got := Blocked([]int{64}, 8, []int{0}, []int{4}); !got.Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOperandsStay(t *testing.T) {
	a := Blocked([]int{4, 4}, 4, []int{1, 0}, []int{1, 2})
	a.Drop(1)
	a.Transpose([]int{1, 0})
	if !a.Equal(tile44) {
		t.Errorf("%v became %v", tile44, a)
	}
}
