package ops

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// TestClusterConfigs: clusters are asked for, where a device has them and tensor maps copy the operands, and no rule or search asks for them yet.
func TestClusterConfigs(t *testing.T) {
	for _, p := range target.Presets() {
		cfg := kernels.MatMulConfigFor(p.Caps, weft.F16, 4096, 4096, 4096)
		for _, other := range kernels.MatMulConfigs(p.Caps, weft.F16, 4096, 4096, 4096) {
			if other.Cluster > 1 {
				t.Errorf("%s: %+v", p.Name, other)
			}
		}
		if cfg.Cluster = 2; (cfg.Legal(p.Caps, 4096) == nil) != (p.Caps.Clusters && p.Caps.TensorMaps) {
			t.Errorf("%s: clusters of two: %v", p.Name, cfg.Legal(p.Caps, 4096))
		}
	}
	h200, _ := target.PresetNamed("h200")
	for what, change := range map[string]func(cfg *MatMulConfig, caps *target.Caps){
		"clusters of 3":               func(cfg *MatMulConfig, _ *target.Caps) { cfg.Cluster = 3 },
		"clusters of -1":              func(cfg *MatMulConfig, _ *target.Caps) { cfg.Cluster = -1 },
		"for 131 persistent programs": func(cfg *MatMulConfig, _ *target.Caps) { cfg.Persistent = 131 },
		"with 0 producers":            func(cfg *MatMulConfig, _ *target.Caps) { cfg.Producers = 0 },
		"has clusters: false":         func(_ *MatMulConfig, caps *target.Caps) { caps.Clusters = false },
	} {
		caps, cfg := h200.Caps, kernels.MatMulConfigFor(h200.Caps, weft.F16, 4096, 4096, 4096)
		cfg.Cluster = 2
		change(&cfg, &caps)
		if err := cfg.Legal(caps, 4096); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestSharedK: where tiles are few the rule has clusters share K, on devices that have clusters alone, in one launch whose programs all run at once; what contradicts that is refused.
func TestSharedK(t *testing.T) {
	rng, chosen := rand.New(rand.NewPCG(5, 8)), 0
	for range 200 {
		m, n, k := 5+rng.IntN(500), 64*(1+rng.IntN(200)), 64*(1+rng.IntN(300))
		weights := kernels.QuantView{QuantScheme: kernels.QuantScheme{Bits: 4 + 4*rng.IntN(2), Block: [2]int{0, 1}}, Scale: weft.F32}
		for _, p := range target.Presets() {
			for _, cfg := range []MatMulConfig{
				(kernels.MatMulProblem{Elem: weft.F16, A: kernels.MatrixView(m, k, 1), B: kernels.MatrixView(k, n, 0)}).Rule(p.Caps),
				(kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(m, k, 1), N: n, Weights: weights}).Rule(p.Caps),
			} {
				if !cfg.ClusterK {
					continue
				}
				chosen++
				if err := cfg.Legal(p.Caps, m); err != nil || cfg.SplitK > 1 || cfg.Persistent > 0 || cfg.Producers == 0 {
					t.Errorf("%s, %d×%d×%d: %v: %+v", p.Name, m, n, k, err, cfg)
				}
				refuses(t, cfg, p.Caps, m, map[string]func(cfg *MatMulConfig){
					"K split in 3":             func(cfg *MatMulConfig) { cfg.SplitK = 3 },
					"2 persistent programs":    func(cfg *MatMulConfig) { cfg.Persistent = 2 },
					"clusters of 2":            func(cfg *MatMulConfig) { cfg.Cluster = 2 },
					"share K with 0 producers": func(cfg *MatMulConfig) { cfg.Producers = 0 },
				})
			}
		}
	}
	shared := MatMulConfig{BM: 64, BN: 128, BK: 64, Threads: 128, Stages: 4, Producers: 1, ClusterK: true}
	for _, given := range []MatMulConfig{{Persistent: 132}, {SplitK: 2}, {Cluster: 2}, {Consumers: 2}, {SliceK: 4}, {BM: 32}, {BM: 4, RowByRow: true}} { // each in place of sharing
		cfg := shared
		if cfg.Merge(given); cfg.ClusterK || cfg.Consistent() != nil {
			t.Errorf("%+v merged: %+v, %v", given, cfg, cfg.Consistent())
		}
	}
	for _, given := range []MatMulConfig{{BN: 64}, {Stages: 2}, {Order: tile.Order{Kind: tile.GroupedRows, Group: 4}}} {
		cfg := shared
		if cfg.Merge(given); !cfg.ClusterK || cfg.Consistent() != nil {
			t.Errorf("%+v merged: %+v, %v", given, cfg, cfg.Consistent())
		}
	}
	for _, cfg := range []MatMulConfig{{BM: 64, SplitK: 8}, {BM: 64, Persistent: 132, Consumers: 2, Producers: 1}, {BM: 64, Cluster: 2, Producers: 1}} { // sharing in place of each
		if cfg.Merge(MatMulConfig{ClusterK: true}); !cfg.ClusterK || cfg.Consistent() != nil {
			t.Errorf("shared: %+v, %v", cfg, cfg.Consistent())
		}
	}
	if chosen < 50 {
		t.Errorf("chosen %d times", chosen)
	}
}

// TestPingPongIsChosen: groups ping-pong where sums are short and tiles many, so that each has several, and no choice leaves the last wave of tiles
// mostly empty where another tile fills it. Convolutions, which tensor maps do not copy for, have no such groups.
func TestPingPongIsChosen(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	for _, c := range []struct {
		m, n, k, count int
		bm, bn         int
		consumers      int
	}{
		{4096, 4096, 4096, 1, 128, 256, 0},
		{8192, 8192, 8192, 1, 128, 256, 0},
		{32768, 4096, 1024, 1, 128, 128, 2},
		{1024, 1024, 1024, 64, 128, 128, 2},
		{8192, 8192, 1024, 1, 128, 128, 2},
		{2048, 2048, 1024, 1, 128, 256, 0}, // fewer than two tiles for each group
		{4096, 4224, 8192, 1, 256, 128, 0}, // 528 tiles in 4 waves; of 128×256 there would be 544
	} {
		cfg := kernels.MatMulConfigFor(h200.Caps, weft.F16, c.m, c.n, c.k, c.count)
		if cfg.BM != c.bm || cfg.BN != c.bn || cfg.Consumers != c.consumers || (cfg.InFlight == 2) != (c.consumers == 2) || cfg.Legal(h200.Caps, c.m) != nil {
			t.Errorf("%+v: %+v, %v", c, cfg, cfg.Legal(h200.Caps, c.m))
		}
		conv := kernels.Conv2DConfigFor(h200.Caps, weft.F16, kernels.Conv2DShape{Images: c.count, Channels: c.k / 4, Height: c.n/64 + 1, Width: 65, Filters: c.m,
			Kernel: [2]int{2, 2}, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Groups: 1, ChannelsLast: true})
		if want := cfg.Threads * max(cfg.Consumers, 1); conv.Threads < want {
			t.Errorf("%+v as a convolution: %+v", c, conv)
		}
	}
}

// TestRolesAreRefused: groups of consumers that a workgroup has no threads for, and products in flight without a stage for them, are no configs to race: their
// kernels would be those of one group, or of one step.
func TestRolesAreRefused(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	cfg := kernels.MatMulConfigFor(h200.Caps, weft.F16, 4096, 4096, 4096)
	cfg.BM, cfg.BN, cfg.Threads, cfg.Stages, cfg.Consumers, cfg.InFlight, cfg.Persistent = 256, 32, 256, 2, 2, 2, 132
	if err := cfg.Legal(h200.Caps, 4096); err != nil {
		t.Fatal(err)
	}
	refuses(t, cfg, h200.Caps, 4096, map[string]func(cfg *MatMulConfig){
		"2 consumer warpgroups of 512 threads": func(cfg *MatMulConfig) { cfg.Threads = 512 },
		"4 consumer warpgroups":                func(cfg *MatMulConfig) { cfg.Consumers = 4 },
		"in 0 persistent programs":             func(cfg *MatMulConfig) { cfg.Persistent = 0 },
		"2 outstanding products":               func(cfg *MatMulConfig) { cfg.Stages = 1 },
		"3 outstanding products":               func(cfg *MatMulConfig) { cfg.InFlight = 3 },
	})
}

// refuses checks that a legal config is refused after each change, with an error that has a text.
func refuses(t *testing.T, cfg MatMulConfig, caps target.Caps, m int, changes map[string]func(cfg *MatMulConfig)) {
	t.Helper()
	for text, change := range changes {
		wrong := cfg
		change(&wrong)
		if err := wrong.Legal(caps, m); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestTilesOfRoles: what goes with producers is taken from Tiles, and not taken over from the choice for tiles that it was not made for.
func TestTilesOfRoles(t *testing.T) {
	chosen := MatMulConfig{BM: 128, BN: 256, Threads: 256, Producers: 1, InFlight: 2}
	for name, c := range map[string]struct{ tiles, want MatMulConfig }{
		"all":           {MatMulConfig{BM: 64, Producers: 1, Cluster: 2}, MatMulConfig{BM: 64, BN: 256, Threads: 256, Producers: 1, Cluster: 2}},
		"other tiles":   {MatMulConfig{BM: 64}, MatMulConfig{BM: 64, BN: 256, Threads: 256}},
		"a cluster":     {MatMulConfig{Cluster: 2}, MatMulConfig{BM: 128, BN: 256, Threads: 256, Producers: 1, InFlight: 2, Cluster: 2}},
		"groups":        {MatMulConfig{Consumers: 2}, MatMulConfig{BM: 128, BN: 256, Threads: 256, Producers: 1, InFlight: 2, Consumers: 2}},
		"one in flight": {MatMulConfig{InFlight: 1}, MatMulConfig{BM: 128, BN: 256, Threads: 256, Producers: 1, InFlight: 1}},
	} {
		got := chosen
		if got.Merge(c.tiles); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	h200, _ := target.PresetNamed("h200")
	turns := kernels.MatMulConfigFor(h200.Caps, weft.F16, 8192, 8192, 1024)
	for _, tiles := range []MatMulConfig{{SplitK: 4}, {SplitK: 4, Threads: 128}, {SplitK: 4, Stages: 2}, {BN: 256, Stages: 4}} { // one tile for each program, or too large for a group
		got := turns
		threads := 256
		if tiles.Threads > 0 {
			threads = tiles.Threads
		}
		if got.Merge(tiles); turns.Consumers != 2 || got.Consumers != 0 || got.Threads != threads || got.Legal(h200.Caps, 8192) != nil {
			t.Errorf("%+v instead of %+v: %+v, %v", tiles, turns, got, got.Legal(h200.Caps, 8192))
		}
	}
}

// TestSumsOfWarpgroups: a thread has registers for its sums and what else they need. (NVRTC spills those of 128×256 in one warpgroup, and serializes
// the products.)
func TestSumsOfWarpgroups(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	for _, c := range []struct {
		bm, bn, threads int
		fits            bool
	}{{128, 256, 256, true}, {128, 128, 128, true}, {256, 128, 256, true}, {128, 256, 128, false}, {256, 256, 256, false}} {
		cfg := kernels.MatMulConfigFor(h200.Caps, weft.F16, 4096, 4096, 4096)
		cfg.BM, cfg.BN, cfg.Threads, cfg.Stages = c.bm, c.bn, c.threads, 3
		if err := cfg.Legal(h200.Caps, 4096); (err == nil) != c.fits {
			t.Errorf("%d×%d in %d threads: %v", c.bm, c.bn, c.threads, err)
		}
	}
}

// TestAttentionProducers: producers are tried, and allowed, where tensor maps take the keys alone: lines that begin at multiples of 16 bytes.
func TestAttentionProducers(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	heads := func(size int) layout.Layout {
		l, err := layout.Contiguous(2, 8, 512, size)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	across, err := layout.Contiguous(2, 8, 128, 512)
	if err != nil {
		t.Fatal(err)
	}
	inColumns, err := across.Permute(0, 1, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		keys layout.Layout
		want bool
	}{"dense": {heads(128), true}, "of 2 × 100 bytes": {heads(100), false}, "in columns": {inColumns, true}} {
		p := kernels.AttentionProblem{Elem: weft.F16, Q: tune.ViewOf(heads(c.keys.Size(3))), K: tune.ViewOf(c.keys)}
		tried := false
		for cfg := range attentionTune.List(h200.Caps, p) {
			tried = tried || cfg.Producers > 0
		}
		cfg := attentionTune.Rule(h200.Caps, p)
		cfg.BM, cfg.BN, cfg.Threads, cfg.Stages, cfg.Producers = 128, 64, 256, 2, 1
		if err := attentionTune.Legal(h200.Caps, p, cfg); tried != c.want || (err == nil) != c.want {
			t.Errorf("keys %s: tried %v, %v", name, tried, err)
		}
	}
}

// TestAttentionProducersAreChosen: by rule keys and values are copied by producers where warpgroups multiply what tensor maps copy, of the views that they are; and
// tiles of one's own have those that they ask for.
func TestAttentionProducersAreChosen(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	for _, c := range []struct {
		elem                weft.DType
		queries, keys, head int
		want                int
	}{
		{weft.F16, 4096, 4096, 128, 1}, {weft.BF16, 33, 33, 40, 1}, {weft.F16, 100, 1, 64, 1}, {weft.F16, 17, 4096, 128, 1}, {weft.F16, 4096, 4096, 32, 0},
		{weft.BF16, 4096, 4096, 192, 1}, {weft.BF16, 4096, 4096, 256, 1}, {weft.F32, 4096, 4096, 128, 0},
	} {
		cfg := kernels.AttentionConfigFor(h200.Caps, c.elem, c.queries, c.keys, c.head)
		if err := cfg.Legal(h200.Caps); err != nil || cfg.Producers != c.want {
			t.Errorf("%+v: %+v, %v", c, cfg, err)
		}
		var views [2]layout.Layout // of keys, as they should be and beginning at an odd element
		for i := range views {
			var err error
			if views[i], err = layout.Strided([]int{1, 1, c.keys, c.head}, []int{c.keys * 256, c.keys * 256, 256, 1}, i); err != nil {
				t.Fatal(err)
			}
		}
		q := views[0].Shape()
		q[2] = c.queries
		queries, err := layout.Contiguous(q...)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{c.want, 0} {
			problem := kernels.AttentionProblem{Elem: c.elem, Q: viewOf(queries), K: viewOf(views[i])}
			if rule := attentionTune.Rule(h200.Caps, problem); rule.Producers != want || attentionTune.Legal(h200.Caps, problem, rule) != nil {
				t.Errorf("%+v, keys from element %d: %+v, %v", c, i, rule, attentionTune.Legal(h200.Caps, problem, rule))
			}
		}
	}
	for tiles, want := range map[AttentionConfig]int{{}: 1, {Stages: 3}: 1, {BM: 64}: 0, {Threads: 128}: 0, {BM: 64, Threads: 128, Producers: 1}: 1} {
		cfg := kernels.AttentionConfigFor(h200.Caps, weft.F16, 4096, 4096, 128)
		if cfg.Replace(tiles); cfg.Producers != want {
			t.Errorf("%+v: %d producers", tiles, cfg.Producers)
		}
	}
}
