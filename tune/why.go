package tune

import (
	"fmt"
	"math"
	"strings"
)

// why says in a few words in what work differs from that of a faster config for the worse, as the model counts it:
// "1.8× the bytes from memory, 64 workgroups for 132 compute units". It is empty where the model sees no difference.
func (m Model) why(w, faster Work) string {
	w, faster = w.withDefaults(), faster.withDefaults()
	var list []string
	add := func(when bool, format string, args ...any) {
		if when && len(list) < 2 {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	if m.Tells != Ranking { // there are facts about units
		e, f := m.Estimate(w), m.Estimate(faster)
		add(w.Programs < m.Machine.Units && w.Programs < faster.Programs, "%d workgroups for %d compute units", w.Programs, m.Machine.Units)
		add(e.idle() > f.idle()+0.05 && e.Waves > 1 && e.Waves < 10, "%s", e.waves())
		add(e.Resident*w.Threads < f.Resident*faster.Threads && e.Resident < f.Resident, "workgroups a compute unit has room for: %d, not %d", e.Resident, f.Resident)
	}
	for _, c := range []struct {
		name   string
		mine   float64
		theirs float64
	}{
		{"the bytes from memory", w.Memory, faster.Memory},
		{"the bytes from the second-level cache", w.Cache, faster.Cache},
		{"the bytes through shared memory", w.Staged, faster.Staged},
		{"the operations", w.Flops + w.Extra + w.Matrix, faster.Flops + faster.Extra + faster.Matrix},
		{"the loads that wait for each other", float64(w.Chain), float64(faster.Chain)},
	} {
		add(c.theirs > 0 && c.mine >= 1.15*c.theirs, "%.2g× %s", c.mine/c.theirs, c.name)
	}
	add(w.Access < faster.Access, "accesses of %d bytes, not %d", w.Access, faster.Access)
	add(faster.Async && !w.Async, "no copies in the background")
	add(w.Passes > faster.Passes, "%d launches, not %d", w.Passes, faster.Passes)
	return strings.Join(list, ", ")
}

// idle is the part of the units' slots that have no program, on the average of the waves.
func (e Estimate) idle() float64 { return 1 - e.Waves/math.Ceil(e.Waves) }

// waves says how often the units are filled.
func (e Estimate) waves() string {
	whole, part := math.Modf(e.Waves)
	noun := "waves"
	if whole == 1 {
		noun = "wave"
	}
	return fmt.Sprintf("%.0f %s and %.0f %% of the next", whole, noun, 100*part)
}
