package offline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/tile"
)

func TestFields(t *testing.T) {
	type inner struct{ Rows, None int }
	config := struct {
		BM, Zero int
		Inner    inner
		Stage    tile.Precision
		Steps    [2]*int
		Do       func()
		Sizes    [2]int
		hidden   int
	}{BM: 3, Inner: inner{Rows: 4}, Stage: tile.TF32, Steps: [2]*int{new(int)}, Do: func() {}, Sizes: [2]int{5, 6}, hidden: 7}
	var list []string
	for name, value := range Fields(config) {
		list = append(list, fmt.Sprintf("%s=%v", name, value))
	}
	if got, want := strings.Join(list, " "), "BM=3 Inner.Rows=4 Stage=tf32 Sizes=[5 6]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for range Fields(config) {
		break
	}
	for range Fields(nil) {
		t.Error("nothing has fields")
	}
}
