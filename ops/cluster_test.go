package ops

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
)

// TestClusterConfigs: clusters are asked for, where a device has them and tensor maps copy the operands, and no rule or search asks for them yet.
func TestClusterConfigs(t *testing.T) {
	for _, p := range target.Presets() {
		cfg := MatMulConfigFor(p.Caps, weft.F16, 4096, 4096, 4096)
		for _, other := range MatMulConfigs(p.Caps, weft.F16, 4096, 4096, 4096) {
			if other.Cluster > 1 {
				t.Errorf("%s: %+v", p.Name, other)
			}
		}
		if cfg.Cluster = 2; (cfg.legal(p.Caps, 4096) == nil) != (p.Name == "h200") {
			t.Errorf("%s: clusters of two: %v", p.Name, cfg.legal(p.Caps, 4096))
		}
	}
	h200, _ := target.PresetNamed("h200")
	for what, change := range map[string]func(cfg *MatMulConfig, caps *target.Caps){
		"clusters of 3":       func(cfg *MatMulConfig, _ *target.Caps) { cfg.Cluster = 3 },
		"clusters of -1":      func(cfg *MatMulConfig, _ *target.Caps) { cfg.Cluster = -1 },
		"for 131 programs":    func(cfg *MatMulConfig, _ *target.Caps) { cfg.Persistent = 131 },
		"with 0 producers":    func(cfg *MatMulConfig, _ *target.Caps) { cfg.Producers = 0 },
		"has clusters: false": func(_ *MatMulConfig, caps *target.Caps) { caps.Clusters = false },
	} {
		caps, cfg := h200.Caps, MatMulConfigFor(h200.Caps, weft.F16, 4096, 4096, 4096)
		cfg.Cluster = 2
		change(&cfg, &caps)
		if err := cfg.legal(caps, 4096); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	var merged MatMulConfig
	if merged.merge(MatMulConfig{BM: 128, Producers: 1, Cluster: 2}); merged.Cluster != 2 {
		t.Errorf("Tiles lose the cluster: %+v", merged)
	}
}
