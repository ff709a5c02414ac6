package measure

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/target"
)

// Works that were drawn at random come with their launches, as they are on the device; others with the configs alone.
func TestExplained(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	works, err := suite.ListSampled(suite.Tiny, suite.Sample{Seed: 3, Count: 4}, suite.Sampled)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range works {
		configs, launches := explained(h200.Caps, w)
		if len(launches) == 0 || len(launches) != 1+strings.Count(configs, "; ") {
			t.Errorf("%s: launches %+v with configs %q", w.Name, launches, configs)
		}
		for _, l := range launches {
			if l.Kernel == "" || l.Config == "" || l.Workgroups < 1 || l.Threads < 1 || l.Waves <= 0 || len(l.Choices) == 0 {
				t.Errorf("%s: %+v", w.Name, l)
			}
		}
		w.Sets = []string{"square"}
		if configs, launches := explained(h200.Caps, w); configs == "" || launches != nil {
			t.Errorf("%s of another set: launches %+v with configs %q", w.Name, launches, configs)
		}
	}
	h200.Caps.Machine = &target.Machine{Units: 10, Threads: 1024, Workgroups: 4, Shared: 64 << 10}
	for _, c := range []struct{ threads, shared, want int }{{512, 0, 2}, {64, 0, 4}, {64, 20 << 10, 3}, {2048, 80 << 10, 1}} {
		if got := perUnit(h200.Caps.Machine, c.threads, c.shared); got != c.want {
			t.Errorf("%d workgroups of %d threads and %d bytes in a unit, want %d", got, c.threads, c.shared, c.want)
		}
	}
}
