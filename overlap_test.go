package weft

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/layout"
)

// randomLayout has up to 3 dimensions with strides that may be zero, negative,
// nested or not.
func randomLayout(t *testing.T, rng *rand.Rand) layout.Layout {
	rank := rng.IntN(4)
	shape, stride := make([]int, rank), make([]int, rank)
	for d := range rank {
		shape[d], stride[d] = rng.IntN(5), rng.IntN(25)-8
	}
	l, err := layout.Strided(shape, stride, rng.IntN(40))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestMeetAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	apart := 0
	for range 20_000 {
		l, m := randomLayout(t, rng), randomLayout(t, rng)
		seen := map[int]bool{}
		for at := range l.Offsets() {
			seen[at] = true
		}
		want := false
		for at := range m.Offsets() {
			want = want || seen[at]
		}
		if got := meet(l, m); got != want {
			t.Fatalf("meet(%v, %v) = %v, want %v", l, m, got, want)
		}
		if !want && l.Len() > 0 && m.Len() > 0 {
			apart++
		}
	}
	if apart < 1000 {
		t.Fatalf("only %d pairs were apart; the test proves little", apart)
	}
}

// Views of a dense tensor, however sliced and permuted, repeat exactly if they were
// broadcast; any layout that repeats is found.
func TestRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	distinct := func(l layout.Layout) bool {
		seen := map[int]bool{}
		for at := range l.Offsets() {
			if seen[at] {
				return false
			}
			seen[at] = true
		}
		return true
	}
	for range 20_000 {
		if l := randomLayout(t, rng); !repeats(l) && !distinct(l) {
			t.Fatalf("%v repeats elements", l)
		}
	}
	for range 2_000 {
		l, err := layout.Contiguous(1+rng.IntN(5), 1+rng.IntN(5), 1+rng.IntN(5))
		if err != nil {
			t.Fatal(err)
		}
		l, err = l.Permute(rng.Perm(3)...)
		if err != nil {
			t.Fatal(err)
		}
		l, err = l.Slice(1, l.Size(1)-1, -1, -1-rng.IntN(2))
		if err != nil {
			t.Fatal(err)
		}
		if repeats(l) {
			t.Fatalf("%v does not repeat elements", l)
		}
	}
}
