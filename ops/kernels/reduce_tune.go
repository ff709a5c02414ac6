package kernels

import (
	"fmt"

	"github.com/weftgpu/weft/target"
)

// Legal says why sizes are refused.
func (s ReduceSizes) Legal(caps target.Caps) error {
	if err := checkThreads(caps, s.Threads); err != nil {
		return err
	}
	if err := checkPowers(s.Area); err != nil {
		return err
	}
	if s.Programs < 1 || s.Programs > 1<<20 {
		return fmt.Errorf("%d programs, want 1 to 2^20", s.Programs)
	}
	return checkArea(caps, s.Area, s.Threads)
}
