package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// Few rows slice K in workgroups, in one launch: in more slices where fewer columns fill the units, as long as K has steps for all of them. Where
// other tiles read rows less often, and for more rows, K is not sliced, nor where tiles of columns take less.
func TestSlicedRule(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct{ bits, m, n, k, slices, columns int }{
		{4, 1, 8192, 8192, 4, 16}, {4, 1, 4096, 14336, 8, 16}, {4, 1, 28672, 8192, 4, 16}, {4, 2, 8192, 8192, 8, 32}, {4, 8, 14336, 4096, 4, 32},
		{4, 8, 4096, 14336, 16, 32}, {4, 16, 8192, 8192, 8, 32}, {4, 16, 4096, 4096, 8, 32}, {4, 32, 4096, 4096, 8, 32}, {4, 32, 8192, 8192, 0, 128},
		{4, 32, 14336, 4096, 0, 128}, {4, 32, 11008, 4096, 0, 128}, {4, 32, 4096, 14336, 0, 128}, {8, 32, 8192, 8192, 0, 128},
		{4, 5, 1000, 512, 4, 16}, {4, 1, 4096, 4096, 8, 16}, {4, 1, 1024, 4096, 16, 16}, {4, 8, 1024, 4096, 16, 16}, {8, 1, 10688, 8192, 4, 16}, {4, 3, 640, 13312, 0, 32}, {4, 64, 8192, 8192, 0, 128}, {4, 64, 14336, 4096, 0, 128}, {8, 16, 8192, 8192, 8, 32},
	} {
		weights := QuantView{QuantScheme: QuantScheme{Bits: c.bits, Block: [2]int{128, 1}}, Scale: weft.F32}
		cfg := (QuantizedProblem{Elem: weft.F16, A: MatrixView(c.m, c.k, 1), N: c.n, Weights: weights}).Rule(h200.Caps)
		if cfg.SliceK != c.slices || cfg.BN != c.columns {
			t.Errorf("%d bits, %d×%d×%d: %d slices, %d columns, want %d and %d: %+v", c.bits, c.m, c.n, c.k, cfg.SliceK, cfg.BN, c.slices, c.columns, cfg)
		}
		if c.m > longRows && cfg.SliceK > 1 && cfg.Stages != 2 {
			t.Errorf("%d bits, %d×%d×%d: %d stages of a tile whose sums take registers", c.bits, c.m, c.n, c.k, cfg.Stages)
		}
		if cfg.SliceK > 1 && (cfg.SplitK > 1 || cfg.ReordersBefore()) {
			t.Errorf("%d×%d×%d takes more than one launch", c.m, c.n, c.k)
		}
	}
}

// TestScaledSlices: slices scale weights before products where the sums of groups would have threads load single words, of numbers that the rows' type holds, and load 16 bytes then.
func TestScaledSlices(t *testing.T) {
	groups := func(bits, n int, codes CodeBook) QuantScheme {
		return QuantScheme{Bits: bits, Block: [2]int{n, 1}, Codes: codes}
	}
	mx := MXFP4
	mx.Block = [2]int{32, 1}
	for _, c := range []struct {
		preset string
		scheme QuantScheme
		k      int
		block  int
		scaled bool
	}{
		{"h200", mx, 4096, 128, true}, {"h200", groups(4, 32, CodeBook{}), 4096, 128, true}, {"a100", mx, 4096, 128, true},
		{"h200", mx, 4096 + 32, 32, false}, {"h200", groups(4, 64, NF4), 4096, 64, false}, {"h200", groups(4, 32, NF4), 4096, 32, false},
		{"h200", groups(4, 64, CodeBook{}), 4096, 64, false}, {"h200", groups(4, 128, CodeBook{}), 4096, 128, false}, {"h200", groups(8, 32, CodeBook{}), 4096, 32, false},
	} {
		caps := preset(t, c.preset).Caps
		w := QuantView{QuantScheme: c.scheme, Scale: weft.F32}
		if w.PowersOfTwo {
			w.Scale = weft.U8
		}
		for _, m := range []int{1, 5, 16, 30} {
			cfg := MatMulConfig{Elem: weft.F16, Out: weft.F16, Precision: tile.Float32Accumulate, Weights: w, Interleave: w.InterleavedBlock(c.k)}
			if !cfg.slice(caps, m, 4096, c.k) {
				t.Errorf("%s, %v, %d rows of %d: no slices", c.preset, w, m, c.k)
			}
			if cfg.ScaleFirst != c.scaled || cfg.Interleave != c.block || cfg.BK%(cfg.Interleave*max(cfg.SliceK, 1)) != 0 {
				t.Errorf("%s, %v, %d rows of %d: %+v, want blocks of %d, scaled first: %v", c.preset, w, m, c.k, cfg, c.block, c.scaled)
			}
			if c.scaled && m == 1 && !w.PowersOfTwo && cfg.Stages != 2 {
				t.Errorf("%s, %v, one row of %d: %d stages of scales in two parts", c.preset, w, c.k, cfg.Stages)
			}
			if err := cfg.Legal(caps, m); err != nil {
				t.Errorf("%s, %v, %d rows of %d: %v", c.preset, w, m, c.k, err)
			}
		}
	}
}

// TestScaledRow: a row alone has tiles of 32 columns where scales take registers and each unit has such a tile.
func TestScaledRow(t *testing.T) {
	caps := preset(t, "h200").Caps
	for _, c := range []struct{ group, n, columns int }{{32, 8192, 32}, {32, 28672, 32}, {32, 4096, 16}, {128, 28672, 16}} {
		w := QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{c.group, 1}}, Scale: weft.F32}
		if cfg := (QuantizedProblem{Elem: weft.F16, A: MatrixView(1, 8192, 1), N: c.n, Weights: w}).Rule(caps); cfg.SliceK <= 1 || cfg.BN != c.columns {
			t.Errorf("groups of %d, %d columns: %+v, want tiles of %d", c.group, c.n, cfg, c.columns)
		}
	}
}

// Slices of one row run at once if any of fewer registers, stages or slices do, and take registers that threads can have; steps go beyond K by no more than a part where they were made longer.
func TestWavesOfSlices(t *testing.T) {
	h200 := preset(t, "h200")
	machine, rng := h200.Caps.Facts(), rand.New(rand.NewPCG(5, 8))
	for range 300 {
		bits, n, k := 4<<rng.IntN(2), 1+rng.IntN(40000), 256*(2+rng.IntN(60))
		p := QuantizedProblem{Elem: weft.F16, A: MatrixView(1, k, 1), N: n, Weights: QuantView{QuantScheme: QuantScheme{Bits: bits, Asymmetric: rng.IntN(2) == 0, Block: [2]int{128, 1}}, Scale: weft.F32}}
		cfg := p.Rule(h200.Caps)
		if cfg.SliceK <= 1 || cfg.SplitK > 1 {
			continue
		}
		short := cfg
		short.setSlices(slicedTile{rows: cfg.BM, columns: cfg.BN, blocks: 1}, leastSlices)
		short.Stages = 2
		tiles := CeilDiv(n, cfg.BN)
		if once := tiles <= cfg.atOnce(machine); once != (tiles <= max(short.atOnce(machine), cfg.atOnce(machine))) {
			t.Errorf("%d bits 1×%d×%d: %d programs, %d at once by %+v, %d by the least", bits, n, k, tiles, cfg.atOnce(machine), cfg, short.atOnce(machine))
		}
		if beyond := CeilDiv(k, cfg.BK)*cfg.BK - k; cfg.SliceK > leastSlices && cfg.SliceK*CeilDiv(n, 16) > busyWarps*machine.Units && beyond > k/mostBeyond || cfg.BK > k {
			t.Errorf("%d bits 1×%d×%d: steps of %d", bits, n, k, cfg.BK)
		}
		long := cfg
		if long.Stages = mostAhead; long.atOnce(machine) > cfg.atOnce(machine) {
			t.Errorf("more room for more stages: %+v", cfg)
		}
	}
}

// Slices are powers of two of interleaved blocks that each step has, with neither producers nor exchanged bytes, and a warp each.
func TestSliceChecks(t *testing.T) {
	h200 := preset(t, "h200")
	good := MatMulConfig{Elem: weft.F16, Out: weft.F16, BM: 8, BN: 32, BK: 512, Threads: 128, Stages: 2, Interleave: 128, SliceK: 4,
		Weights: QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32}}
	for name, c := range map[string]struct {
		change func(cfg *MatMulConfig)
		want   bool // by any device
	}{
		"as they should be":      {func(*MatMulConfig) {}, true},
		"several blocks each":    {func(cfg *MatMulConfig) { cfg.BK = 1024 }, true},
		"no blocks":              {func(cfg *MatMulConfig) { cfg.Interleave = 0 }, false},
		"fewer blocks":           {func(cfg *MatMulConfig) { cfg.BK = 256 }, false},
		"no power of two":        {func(cfg *MatMulConfig) { cfg.SliceK, cfg.BK = 3, 768 }, false},
		"a producer":             {func(cfg *MatMulConfig) { cfg.Producers = 1 }, false},
		"exchanged bytes":        {func(cfg *MatMulConfig) { cfg.InOrder = true }, false},
		"scales before products": {func(cfg *MatMulConfig) { cfg.ScaleFirst = true }, true},
	} {
		cfg := good
		c.change(&cfg)
		if err := cfg.CheckInterleave(4096); (err == nil) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	few := good
	if few.Legal(h200.Caps, 1) != nil {
		t.Errorf("refused: %v", few.Legal(h200.Caps, 1))
	}
	if few.Threads = 64; few.Legal(h200.Caps, 1) == nil {
		t.Error("slices without a warp each are taken")
	}
}
