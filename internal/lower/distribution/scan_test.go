package distribution

import (
	"testing"

	"github.com/weftgpu/weft/layout"
)

// A scan takes any distribution: those of other ops' results and hostile ones.
func TestScanOf(t *testing.T) {
	linear := func(reg, thr [][]int) layout.Linear {
		l, err := layout.NewLinear([]int{8, 8}, []layout.Input{{Name: layout.Register, Bases: reg}, {Name: layout.Thread, Bases: thr}})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, c := range []struct {
		name string
		dist layout.Linear
		fits [2]bool
	}{
		{"blocked", layout.Blocked([]int{8, 8}, 8, []int{1, 0}, []int{1, 4}), [2]bool{true, true}},
		{"free threads", layout.Blocked([]int{8, 8}, 256, []int{0, 1}, []int{1, 1}), [2]bool{true, true}},
		{"threads below registers", linear([][]int{{0, 2}, {0, 4}, {2, 0}}, [][]int{{0, 1}, {1, 0}, {4, 0}}), [2]bool{false, true}},
		{"xor", linear([][]int{{0, 1}, {0, 2}, {0, 4}}, [][]int{{1, 1}, {2, 2}, {4, 4}}), [2]bool{false, false}},
	} {
		for axis, want := range c.fits {
			if _, ok := ScanOf(c.dist, axis); ok != want {
				t.Errorf("%s axis %d: %v, want %v", c.name, axis, ok, want)
			}
			if _, ok := ScanOf(ScanTile([]int{8, 8}, axis, 8), axis); !ok {
				t.Error("scanTile does not fit")
			}
		}
	}
}
