package reference

import (
	"math"
	"testing"
)

// The known answers that the authors of Philox publish with Random123.
func TestPhiloxKnownAnswers(t *testing.T) {
	for _, c := range PhiloxAnswers {
		if got := Philox(c.Counter, c.Key); got != c.Want {
			t.Errorf("%08x under %08x is %08x, want %08x", c.Counter, c.Key, got, c.Want)
		}
	}
}

func TestStreams(t *testing.T) {
	all, part := Words(7, 0, 40), Words(7, 12, 9)
	for i, w := range part {
		if w != all[12+i] {
			t.Fatalf("word %d from 12 on is %08x, want %08x", i, w, all[12+i])
		}
	}
	if x := Uniform(7, 12, 1, 8)[0]; x != float64(part[0]>>24)/256 {
		t.Errorf("8 bits of %08x are %v", part[0], x)
	}
	x, r := Normal(7, 0, 11)
	if len(x) != 11 || math.Abs(math.Hypot(x[4], x[5])-r[4]) > 1e-14 || r[4] != r[5] {
		t.Errorf("%v with radii %v", x, r)
	}
}
