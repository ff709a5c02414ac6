//go:build linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"testing"

	"github.com/weftgpu/weft/backend"
)

// Edges let kernels start early that wait by themselves, where the driver can, all that such a kernel runs after is kernels, and nothing between
// implies the edge.
func TestEdges(t *testing.T) {
	const early, plain, order = "dependent", "vadd", ""
	type step struct {
		kernel string
		use    [3]int // the buffers a and b, which it reads, and out
	}
	for name, c := range map[string]struct {
		steps []step
		want  int64
	}{
		"a chain":                        {[]step{{early, [3]int{0, 1, 2}}, {early, [3]int{2, 1, 3}}, {early, [3]int{3, 0, 4}}}, 2},
		"an edge that others imply":      {[]step{{early, [3]int{0, 1, 2}}, {early, [3]int{2, 1, 3}}, {early, [3]int{3, 2, 4}}}, 2},
		"implied from further before":    {[]step{{early, [3]int{0, 1, 2}}, {early, [3]int{2, 1, 3}}, {early, [3]int{3, 1, 4}}, {early, [3]int{4, 2, 0}}}, 3},
		"two kernels before one":         {[]step{{early, [3]int{0, 1, 2}}, {early, [3]int{0, 1, 3}}, {early, [3]int{2, 3, 4}}}, 2},
		"after one that waits otherwise": {[]step{{plain, [3]int{0, 1, 2}}, {early, [3]int{2, 1, 3}}}, 1},
		"before one that waits not":      {[]step{{early, [3]int{0, 1, 2}}, {plain, [3]int{2, 1, 3}}}, 0},
		"after what is no kernel":        {[]step{{early, [3]int{0, 1, 2}}, {order, [3]int{2, 2, 2}}, {early, [3]int{2, 0, 3}}}, 0},
		"after that and a kernel":        {[]step{{early, [3]int{0, 1, 2}}, {order, [3]int{1, 1, 1}}, {early, [3]int{2, 1, 3}}}, 0},
	} {
		for _, able := range []bool{true, false} {
			f := newFake(t)
			if !able {
				f.GraphAddDependencies2 = proc{}
				c.want = 0
			}
			r := rig{Device: f.open(t), fake: f}
			var buffers [5]backend.Buffer
			for i := range buffers {
				buffers[i] = r.buffer(t, noise(400))
			}
			var steps []backend.Step
			for _, s := range c.steps {
				if s.kernel == order {
					steps = append(steps, backend.Step{Work: backend.Order{{Buffer: buffers[s.use[2]], Access: backend.ReadWrite}}})
					continue
				}
				steps = append(steps, backend.Step{Program: r.program(t, s.kernel), Launch: backend.Launch{
					Grid: [3]int{1, 1, 1}, Words: []uint32{100}, Buffers: []backend.Buffer{buffers[s.use[0]], buffers[s.use[1]], buffers[s.use[2]]}}})
			}
			q, err := r.Stream().Sequence(steps)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := f.value(fakeDependent); got != c.want {
				t.Errorf("%s, with a driver that can (%v): %d kernels may start early, want %d", name, able, got, c.want)
			}
			if err := errors.Join(q.Launch(), r.Stream().Synchronize()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
