package measure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// explained says which kernels a work launches on a device with which configs, such as "matmul BM=128 BN=128", and of
// works drawn at random what 'weft explain' tells of them: it runs the work on a device of the same abilities that is
// not there. It is empty if that fails.
func explained(caps target.Caps, w suite.Work) (configs string, launches []result.Launch) {
	dev, record := offline.Open("bench", caps)
	defer dev.Close()
	var in []*weft.Tensor
	for _, o := range append(w.Inputs[:len(w.Inputs):len(w.Inputs)], w.Output) {
		t, err := weft.Empty(dev, o.Elem, o.Shape...)
		if err != nil {
			return "", nil
		}
		in = append(in, t)
	}
	last := len(in) - 1
	if w.Prepare != nil {
		release, err := w.Prepare(in[:last])
		if err != nil {
			return "", nil
		}
		defer release()
		record.Take()
	}
	if err := w.Run(in[last], in[:last]); err != nil {
		return "", nil
	}
	var list []string
	for _, l := range record.Take() {
		text := l.Kernel.Name
		for name, value := range offline.Fields(l.Kernel.Config) {
			text += fmt.Sprintf(" %s=%v", name, value)
		}
		list = append(list, text)
		if slices.Contains(w.Sets, suite.Sampled) {
			launches = append(launches, launchOf(caps, l))
		}
	}
	return strings.Join(list, "; "), launches
}

// launchOf is what is told of a launch.
func launchOf(caps target.Caps, l offline.Launch) result.Launch {
	source := l.Artifact.Source
	r := result.Launch{Kernel: l.Kernel.Name, Config: tune.WordsOf(l.Kernel.Config), Workgroups: l.Grid[0] * l.Grid[1] * l.Grid[2],
		Threads: source.Threads, Shared: source.Shared, Choices: offline.Fold(l.Artifact.Notes)}
	if m := caps.Facts(); !m.Generic && !caps.WholeTiles {
		room := m.Units * perUnit(m, source.Threads, source.Shared)
		r.Waves = float64(r.Workgroups) / float64(max(room, 1))
	}
	return r
}

// perUnit is how many workgroups a unit has at a time, as far as threads and shared memory limit it.
func perUnit(m *target.Machine, threads, shared int) int {
	n := max(m.Threads/max(threads, 1), 1)
	if m.Workgroups > 0 {
		n = min(n, m.Workgroups)
	}
	if shared > 0 && m.Shared > 0 {
		n = min(n, max(m.Shared/shared, 1))
	}
	return n
}
