package weft

import "github.com/weftgpu/weft/internal/pool"

// PoolEnv says how much memory the pool of each device keeps: a size such as "512MiB", or "off".
const PoolEnv = pool.Env

// MemoryStats counts the uses of a device's memory, in bytes. It counts the memory of
// tensors; kernels, copies under way and drivers take some more.
type MemoryStats struct {
	InUse  int64 // of tensors that are not closed, each up to an eighth more than its length, 256 at least
	Peak   int64 // the most that InUse and Pooled were together
	Pooled int64 // of closed tensors, kept for later ones
	Budget int64 // that Pooled stays within
	Hits   int64 // allocations that the pool had memory for
	Misses int64 // allocations that the driver had to make
	Freed  int64 // buffers that the pool gave back to the driver
}

// MemoryStats returns the counts of the device's memory so far.
func (d *Device) MemoryStats() MemoryStats {
	if d == nil || d.pool == nil {
		return MemoryStats{}
	}
	return MemoryStats(d.pool.Stats())
}

// SetPoolBudget sets how many bytes of closed tensors the device keeps for later ones; 0
// frees memory at once, as WEFT_POOL=off does. By default it is an eighth of a GPU's memory, and a
// 32nd of the host's on others. What is kept is also freed when memory runs out.
func (d *Device) SetPoolBudget(bytes int64) error {
	if err := d.check("set pool budget"); err != nil {
		return err
	}
	return d.pool.SetBudget(bytes)
}

// TrimPool frees all memory that the device keeps of closed tensors, for other programs on
// the device. It returns how many bytes it freed.
func (d *Device) TrimPool() int64 {
	if d == nil || d.pool == nil {
		return 0
	}
	return d.pool.Trim()
}
