package tune

import (
	"testing"

	"github.com/weftgpu/weft/target"
)

// Arithmetic takes as long as the units that have one program more than others: 147 for 132 units take as long as 264 do.
func TestUnevenPrograms(t *testing.T) {
	preset, ok := target.PresetNamed("h200")
	if !ok {
		t.Fatal("no preset")
	}
	model := ModelFor(preset.Caps)
	seconds := func(programs int) float64 { // 4 of which a unit has at a time
		return model.Seconds(Work{Programs: programs, Threads: 512, Flops: 1e8 * float64(programs)})
	}
	for _, c := range []struct {
		programs, like int
	}{{131, 132}, {133, 264}, {147, 264}, {265, 396}, {397, 528}} {
		if ratio := seconds(c.programs) / seconds(c.like); ratio < 0.8 || ratio > 1.25 {
			t.Errorf("%d programs take %.2f times what %d take", c.programs, ratio, c.like)
		}
	}
}
