package pow2

import "testing"

func TestFloorAndCeil(t *testing.T) {
	for n := -3; n < 5000; n++ {
		floor, ceil := 1, 1
		for floor*2 <= n {
			floor *= 2
		}
		for ceil < n {
			ceil *= 2
		}
		if Floor(n) != floor || Ceil(n) != ceil || 1<<Log2(n) != floor {
			t.Fatalf("%d: %d, %d and 2^%d, want %d, %d and the first", n, Floor(n), Ceil(n), Log2(n), floor, ceil)
		}
	}
}
