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
		if Floor(n) != floor || Ceil(n) != ceil {
			t.Fatalf("%d: %d and %d, want %d and %d", n, Floor(n), Ceil(n), floor, ceil)
		}
	}
}
