package kernels

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// The results that have a part of an element are those that the gradient starts from and reaches.
func TestResizeLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		n, m := 1+rng.IntN(40), 1+rng.IntN(40)
		mode := ResizeMode(rng.IntN(int(numResizeModes)))
		corners := mode.Taps() > 1 && rng.IntN(2) == 0
		num, den := n, m
		if rng.IntN(3) == 0 { // a scale of which the size is the whole part
			num, den = 1+rng.IntN(12), 1+rng.IntN(12)
			if m = n * den / num; m == 0 {
				continue
			}
		}
		l, ok := ResizeLineOf(mode, corners, n, m, num, den)
		taps := mode.Taps()
		if n == 1 {
			taps = 1
		}
		if !ok {
			t.Fatalf("%v of %d to %d by %d/%d: %+v", mode, n, m, num, den, l)
		}
		first, last := make([]int, n), make([]int, n)
		for o := range m {
			before, rest := l.forward(taps).of(o)
			switch {
			case taps == 2 && before >= n-1:
				before, rest = n-1, 0
			case taps == 4:
				before--
			}
			from, to := before, before
			if rest > 0 {
				from, to = before-(taps/2-1), before+taps/2
			}
			if taps == 1 {
				from, to = before, before
			}
			for i := max(min(from, n-1), 0); i <= min(max(to, 0), n-1); i++ {
				if last[i] == 0 {
					first[i] = o
				}
				last[i] = o + 1
			}
		}
		reach, longest := l.reach(taps, n, m), 0
		for i := range n {
			start, _ := l.backward(taps).of(i)
			if last[i] > 0 && (start > first[i] || start+reach < last[i]) {
				t.Fatalf("%v (corners %v) of %d to %d by %d/%d: element %d is in results %d to %d, the gradient adds up %d from %d on", mode, corners, n, m, num, den, i, first[i], last[i]-1, reach, start)
			}
			longest = max(longest, last[i]-first[i])
		}
		if reach > longest+2 && n > 2*taps { // fewer elements are all at an edge
			t.Errorf("%v (corners %v) of %d to %d by %d/%d: %d results are added up, %d are the most", mode, corners, n, m, num, den, reach, longest)
		}
	}
}

// Quotients of numbers of more than 31 bits are those of a division.
func TestWideQuotient(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	check := func(x uint64, div int) {
		t.Helper()
		l := ResizeLine{1, 0, div}.divisible()
		if l.Div != div {
			x *= 2
		}
		s := l.scalars(true)
		factor, shift := uint64(s[3].(uint32))|uint64(s[4].(uint32))<<32, s[5].(uint32)
		high, _ := bits.Mul64(x, factor)
		if got := high >> shift; got != x/uint64(l.Div) {
			t.Fatalf("%d / %d is %d with factor %d and shift %d, want %d", x, l.Div, got, factor, shift, x/uint64(l.Div))
		}
	}
	for range 300_000 {
		div := 1 + rng.IntN(1<<(1+rng.IntN(29)))
		quotient := uint64(rng.Int64N(1 << (1 + rng.IntN(31))))
		for _, rest := range []int{0, div - 1, rng.IntN(div)} {
			check(quotient*uint64(div)+uint64(rest), div)
		}
	}
}
