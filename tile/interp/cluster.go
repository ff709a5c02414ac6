package interp

import "github.com/weftgpu/weft/fault"

// runClusters executes all programs of a kernel whose clusters of two exchange tiles, one cluster after the other: both programs of one take the same steps, and
// come to each exchange before either goes on.
func (l *Launch) runClusters() error {
	if l.grid[0]%2 != 0 {
		return fault.New(fault.ErrKernel, l.program.Kernel.Name, "%s along the first dimension of the grid, want whole clusters of 2", fault.Count(l.grid[0], "program"))
	}
	first, second := l.worker(), l.worker()
	first.peer, second.peer = second, first
	steps, ends := l.code.steps, []int(nil)
	for _, meet := range l.code.meets {
		ends = append(ends, meet, meet+1)
	}
	ends = append(ends, len(steps))
	for n := int64(0); n < l.total && first.goesOn() && second.err == nil; n += 2 {
		first.id, second.id = first.programAt(n), first.programAt(n+1)
		done := 0
		for _, end := range ends {
			for _, w := range []*worker{first, second} {
				for _, s := range steps[done:end] {
					s(w)
				}
			}
			done = end
		}
	}
	for _, w := range []*worker{first, second} {
		w.peer = nil
		l.leave(w)
	}
	return l.err
}
