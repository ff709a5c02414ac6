package tune

import (
	"testing"

	"github.com/weftgpu/weft/layout"
)

// Strides with sizes are the view again, and of dense layouts they are zero in the order in which these are dense alone.
func TestStrides(t *testing.T) {
	dense, err := layout.Contiguous(6, 1, 20)
	if err != nil {
		t.Fatal(err)
	}
	moved, err := layout.Strided([]int{6, 1, 20}, []int{20, 7, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := dense.Permute(2, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	part, err := dense.Slice(2, 0, 19, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		l     layout.Layout
		order []int
		dense bool
	}{
		"dense":               {dense, nil, true},
		"dense, in order":     {dense, []int{0, 1, 2}, true},
		"at an odd element":   {moved, nil, false},
		"permuted":            {columns, nil, false},
		"permuted, its order": {columns, []int{1, 2, 0}, true},
		"rows of longer ones": {part, nil, false},
	} {
		s, v := StridesOf(c.l, c.order...), ViewOf(c.l)
		if (s == Strides{}) != c.dense || !c.dense && s != v.Strides() {
			t.Errorf("%s: %+v", name, s)
		}
		bare := View{Rank: v.Rank, Size: v.Size}
		if got := bare.With(v.Strides()); got != v {
			t.Errorf("%s: %+v, want %+v", name, got, v)
		}
		if v.With(Strides{}) != v || v.Unlike(v) != (Strides{}) || v.Unlike(bare) != v.Strides() {
			t.Errorf("%s: %+v", name, v)
		}
		var read Strides
		text, err := v.Strides().MarshalText()
		if err == nil {
			err = read.UnmarshalText(text)
		}
		if err != nil || read != v.Strides() {
			t.Errorf("%s: %q is read as %+v, %v", name, text, read, err)
		}
		if n := v.Elements(); n != c.l.Len() {
			t.Errorf("%s: %d elements", name, n)
		}
	}
	for _, text := range []string{"order=01", "order=012345 align=1", "align=1", "order=00 align=1", "order=01 align=3", "2x2 order=01 align=1"} {
		if s := (&Strides{}); s.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is read as %+v", text, *s)
		}
	}
	if text, err := (Strides{}).MarshalText(); err != nil || len(text) > 0 || (&Strides{Align: 1}).UnmarshalText(text) != nil {
		t.Errorf("zero strides are %q, %v", text, err)
	}
	if n := (View{Rank: 2, Repeat: 1, Size: [MaxRank]int{5, 7}}).Elements(); n != 7 {
		t.Errorf("%d elements of repeated rows", n)
	}
}
