package kernels

import (
	"github.com/weftgpu/weft/tile"
)

// Merge takes over the fields of t that are set.
func (cfg *MatMulConfig) Merge(t MatMulConfig) {
	for _, f := range []struct{ to, from *int }{
		{&cfg.BM, &t.BM}, {&cfg.BN, &t.BN}, {&cfg.BK, &t.BK}, {&cfg.Persistent, &t.Persistent},
		{&cfg.SplitK, &t.SplitK}, {&cfg.Threads, &t.Threads}, {&cfg.Stages, &t.Stages},
		{&cfg.Producers, &t.Producers}, {&cfg.Consumers, &t.Consumers}, {&cfg.InFlight, &t.InFlight}, {&cfg.Cluster, &t.Cluster},
	} {
		if *f.from != 0 {
			*f.to = *f.from
		}
	}
	if t.BM != 0 {
		cfg.RowByRow, cfg.Producers, cfg.Consumers, cfg.InFlight, cfg.Cluster = t.RowByRow, t.Producers, t.Consumers, t.InFlight, t.Cluster
	}
	if t.BM != 0 || t.SplitK > 1 { // neither goes with programs that were chosen for other tiles
		cfg.Persistent = t.Persistent
	}
	if (cfg.Persistent == 0 || t.BN != 0) && cfg.Consumers > 1 && t.Consumers == 0 { // groups that were chosen have no such tiles to take turns with
		if cfg.Consumers = 0; t.Threads == 0 {
			cfg.Threads = min(2*cfg.BM, 256)
		}
	}
	if t.Order != (tile.Order{}) {
		cfg.Order = t.Order
	}
	cfg.Atomic = cfg.Atomic || t.Atomic
}
