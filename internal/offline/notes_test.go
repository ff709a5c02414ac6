package offline

import (
	"slices"
	"testing"
)

func TestFold(t *testing.T) {
	if got, want := Fold([]string{"b", "a", "b", "c", "b"}), []string{"b (3 times)", "a", "c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Fold(nil); len(got) > 0 {
		t.Errorf("%q of nothing", got)
	}
}
