package compile

import (
	"github.com/weftgpu/weft/tile"
)

// Build makes a kernel launchable, wherever it is found.
func (c *Compiler) Build(k *tile.Kernel, facts Facts) error {
	_, err := c.entry(k, facts)
	return err
}

// Forget lets go of what is in memory, and of the files too if disk is false.
func (c *Compiler) Forget(keepDisk bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.cache {
		e.program.Close()
	}
	c.cache = map[cacheKey]*entry{}
	if !keepDisk {
		c.disk.store = nil
	}
}
