package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// Strips are for 17 to 32 rows of integers that are interleaved, where no tile whose columns are a power of two gives the unit that has the most as few columns, and tiles of columns in parts do not take less. All programs run at once then, each of
// whose steps is one of several of K.
func TestStrips(t *testing.T) {
	h200 := preset(t, "h200")
	rule := func(bits, m, n, k int) MatMulConfig {
		w := QuantView{QuantScheme: QuantScheme{Bits: bits, Block: [2]int{128 * (8/bits - 1), 1}}, Scale: weft.F32, Interleaved: 512 / bits}
		p := QuantizedProblem{Elem: weft.F16, A: MatrixView(m, k, 1), N: n, Weights: w}
		cfg := p.Rule(h200.Caps)
		if err := p.Legal(h200.Caps, cfg); err != nil {
			t.Fatalf("%d bits, %d×%d×%d: %+v: %v", bits, m, n, k, cfg, err)
		}
		return cfg
	}
	for _, c := range []struct{ bits, m, n, k, strips int }{
		{4, 32, 6144, 4096, 3}, {4, 17, 5120, 5120, 0}, {8, 32, 5120, 5120, 0}, {8, 24, 6144, 4096, 3},
		{4, 16, 6144, 4096, 0}, {4, 33, 6144, 4096, 0}, {4, 32, 4096, 4096, 0}, {4, 32, 8192, 8192, 0}, {4, 32, 4608, 3584, 0}, {4, 32, 300, 4096, 0}, {4, 32, 1 << 20, 4096, 0},
	} {
		if cfg := rule(c.bits, c.m, c.n, c.k); cfg.Strips != c.strips {
			t.Errorf("%d bits, %d×%d×%d: %d strips, want %d: %+v", c.bits, c.m, c.n, c.k, cfg.Strips, c.strips, cfg)
		}
	}
	units, rng, found := h200.Caps.Facts().Units, rand.New(rand.NewPCG(3, 16)), 0
	for range 400 {
		bits, m, n, k := 4<<rng.IntN(2), 17+rng.IntN(16), 16*(1+rng.IntN(800)), 128*(1+rng.IntN(128))
		cfg := rule(bits, m, n, k)
		if cfg.Strips == 0 {
			continue
		}
		found++
		most := cfg.busiestColumns(units, n)
		for columns := 32; columns <= 64; columns *= 2 {
			if each := (&MatMulConfig{BN: columns}).busiestColumns(units, n); each <= most {
				t.Errorf("%d bits, %d×%d×%d: %d columns of a unit in %d strips, %d in tiles of %d", bits, m, n, k, most, cfg.Strips, each, columns)
			}
		}
		if cfg.tilesOf(m, n) > units || cfg.BN != stripColumns || cfg.SliceK < busyWide || cfg.SplitK > 1 || k < leastParts*cfg.BK {
			t.Errorf("%d bits, %d×%d×%d: %+v", bits, m, n, k, cfg)
		}
	}
	if found == 0 {
		t.Error("no product of 400 has strips")
	}
}

// A race for a product whose rule has strips is between configs with them and without, of slices and with producers.
func TestStripsRace(t *testing.T) {
	h200 := preset(t, "h200")
	w := QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32, Interleaved: 128}
	p := QuantizedProblem{Elem: weft.F16, A: MatrixView(32, 4096, 1), N: 6144, Weights: w}
	found := map[string]int{}
	for _, cfg := range p.List(h200.Caps) {
		switch {
		case cfg.Strips > 1:
			found["strips"]++
		case cfg.SliceK > 1:
			found["slices"]++
		case cfg.Producers > 0 && cfg.Interleave > 0:
			found["producers"]++
		}
	}
	for _, kind := range []string{"strips", "slices", "producers"} {
		if found[kind] == 0 {
			t.Errorf("no config with %s", kind)
		}
	}
}

// What a program does in two strips is what it does in a tile of as many columns.
func TestStripsWork(t *testing.T) {
	h200 := preset(t, "h200")
	w := QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32, Interleaved: 128}
	p := QuantizedProblem{Elem: weft.F16, A: MatrixView(20, 4096, 1), N: 6144, Weights: w}
	whole := MatMulConfig{Elem: weft.F16, Out: weft.F16, Precision: tile.Float32Accumulate, BM: 32, BN: 32, BK: 1024, Threads: 256, Stages: 2, Interleave: 128, SliceK: 8, Weights: w}
	strips := whole
	strips.BN, strips.Strips = 16, 2
	if a, b := p.Work(h200.Caps, whole), p.Work(h200.Caps, strips); a != b {
		t.Errorf("in strips %+v, in a tile %+v", b, a)
	}
}

// Strips are of slices, as many as registers hold; other columns or slices drop those that were chosen.
func TestStripChecks(t *testing.T) {
	h200 := preset(t, "h200")
	good := MatMulConfig{Elem: weft.F16, Out: weft.F16, BM: 32, BN: 16, BK: 1024, Threads: 256, Stages: 2, Interleave: 128, SliceK: 8, Strips: 3,
		Weights: QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32}}
	if err := good.Legal(h200.Caps, 20); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(cfg *MatMulConfig){
		"negative":      func(cfg *MatMulConfig) { cfg.Strips = -1 },
		"too many sums": func(cfg *MatMulConfig) { cfg.Strips = 5 },
		"too long":      func(cfg *MatMulConfig) { cfg.BM, cfg.Strips = 8, MostStrips+1 },
		"one slice":     func(cfg *MatMulConfig) { cfg.SliceK, cfg.BN = 0, 64 },
	} {
		bad := good
		if change(&bad); bad.Legal(h200.Caps, 8) == nil {
			t.Errorf("%s: %+v is legal", name, bad)
		}
	}
	alone := good
	if alone.SliceK = 0; alone.Consistent() == nil {
		t.Error("strips of one slice are consistent")
	}
	for _, tiles := range []MatMulConfig{{BN: 32}, {BK: 512}, {BM: 32, BN: 32, BK: 1024, Interleave: 128, SliceK: 8}} {
		cfg := good
		if cfg.Merge(tiles); cfg.Strips != 0 {
			t.Errorf("%+v keeps strips: %+v", tiles, cfg)
		}
	}
}
