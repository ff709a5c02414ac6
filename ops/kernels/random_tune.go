package kernels

import (
	"fmt"

	"github.com/weftgpu/weft/target"
)

// Legal says why a config is refused.
func (cfg RandomConfig) Legal(caps target.Caps) error {
	if err := checkThreads(caps, cfg.Threads); err != nil {
		return err
	}
	if err := checkPowers(cfg.Block); err != nil {
		return err
	}
	if cfg.Block < 4 || cfg.Block > 1<<16 {
		return fmt.Errorf("a program of %d numbers, want 4 to 2^16", cfg.Block)
	}
	return checkArea(caps, cfg.Block, cfg.Threads)
}
