package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// testCaps are devices of all kinds.
var testCaps = map[string]target.Caps{
	"cpu":    {Language: target.TileIR, WholeTiles: true},
	"wgsl":   {Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10},
	"cuda":   {Language: target.CUDA, MaxThreads: 1024, SharedBytes: 48 << 10, Machine: target.MachineOf("NVIDIA H200", target.Discrete)},
	"matrix": target.Caps{Language: target.CUDA, MaxThreads: 1024, SharedBytes: 227 << 10, Registers: 255, Machine: target.MachineOf("NVIDIA H200", target.Discrete)}.WithCapability(90),
}

// vulkan is an H200 whose kernels come in SPIR-V.
func vulkan(t *testing.T) target.Caps {
	t.Helper()
	p := preset(t, "vulkan-nvidia")
	caps := *p.SPIRV
	caps.Machine = target.MachineOf("NVIDIA H200", target.Discrete)
	return caps
}

// Products whose threads load what they multiply have large tiles if those keep the compute units busy, and two small workgroups in each unit otherwise.
func TestLoadedTiles(t *testing.T) {
	caps := vulkan(t)
	for _, c := range []struct{ m, n, k, bm, bn, bk, threads, split int }{
		{8192, 8192, 8192, 128, 256, 64, 256, 0},
		{4096, 4096, 4096, 128, 256, 64, 256, 0},
		{2048, 2048, 2048, 128, 256, 64, 256, 0}, // 128 tiles for 132 units
		{1024, 1024, 1024, 64, 64, 64, 128, 0},
		{512, 512, 8192, 64, 64, 64, 128, 4},
		{16, 4096, 4096, 16, 256, 32, 128, 16},
		{16, 16, 64, 16, 16, 32, 64, 0},
		{4096, 4097, 4096, 128, 256, 32, 256, 0},
	} {
		cfg := MatMulConfigFor(caps, weft.F16, c.m, c.n, c.k)
		if cfg.BM != c.bm || cfg.BN != c.bn || cfg.Threads != c.threads || cfg.SplitK != c.split || cfg.BK != c.bk {
			t.Errorf("%d×%d×%d by %+v, want tiles of %d×%d×%d in %d threads, split in %d", c.m, c.n, c.k, cfg, c.bm, c.bn, c.bk, c.threads, c.split)
		}
		if err := cfg.Legal(caps, c.m); err != nil {
			t.Errorf("%d×%d×%d: %v", c.m, c.n, c.k, err)
		}
	}
	few := caps
	few.MaxThreads = 64
	if cfg := MatMulConfigFor(few, weft.F16, 4096, 4096, 4096); cfg.Threads != 64 || cfg.Legal(few, 4096) != nil {
		t.Errorf("in 64 threads at most: %+v: %v", cfg, cfg.Legal(few, 4096))
	}
}

// Convolutions by matrix instructions read channels that are neighbours, of copies if need be; a thread of theirs has half as many sums as one of other products.
func TestRepackedConvolutions(t *testing.T) {
	images := Conv2DShape{Images: 32, Channels: 128, Height: 28, Width: 28, Filters: 128, Kernel: [2]int{3, 3}, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Groups: 1}
	last, few, grouped, odd := images, images, images, images
	last.ChannelsLast, few.Channels, grouped.Groups, odd.Channels = true, 3, 4, 407
	oddLast := odd
	oddLast.ChannelsLast = true
	for _, c := range []struct {
		name string
		caps target.Caps
		elem weft.DType
		s    Conv2DShape
		want bool
	}{
		{"SPIR-V", vulkan(t), weft.F16, images, true},
		{"wgmma", testCaps["matrix"], weft.BF16, images, true},
		{"groups", vulkan(t), weft.F16, grouped, true},
		{"channels last", vulkan(t), weft.F16, last, false},
		{"three channels", vulkan(t), weft.F16, few, false},
		{"odd channels", testCaps["matrix"], weft.BF16, odd, true},
		{"odd channels, last", testCaps["matrix"], weft.BF16, oddLast, true},
		{"f32", vulkan(t), weft.F32, images, false},
		{"no matrices", testCaps["cuda"], weft.F16, images, false},
	} {
		p := ConvProblem{Elem: c.elem, Shape: c.s}
		cfg := p.Rule(c.caps)
		if cfg.Repacked != c.want || c.want && !cfg.AlongK {
			t.Errorf("%s: %+v", c.name, cfg)
		}
		if err := p.Legal(c.caps, cfg); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if cfg.BO*cfg.BP > 64*cfg.Threads && c.caps.Language == target.SPIRV && c.elem == weft.F16 {
			t.Errorf("%s: tiles of %d×%d in %d threads", c.name, cfg.BO, cfg.BP, cfg.Threads)
		}
		if cfg.Repacked = true; c.s.ChannelsLast && !c.want && p.Legal(c.caps, cfg) == nil {
			t.Errorf("%s: copies are legal", c.name)
		}
	}
}

// Tiles of implicit products by fused multiply-adds are close to the best that the model knows of, though no thread has fewer than 8 sums, and columns are not written where gathering takes less.
func TestGatheredTiles(t *testing.T) {
	h200 := preset(t, "h200")
	model := tune.ModelFor(h200.Caps)
	for _, s := range []Conv2DShape{
		{Images: 11, Channels: 219, Height: 24, Width: 24, Filters: 21, Kernel: [2]int{5, 5}, Padding: [4]int{2, 2, 2, 2}},
		{Images: 3, Channels: 97, Height: 31, Width: 31, Filters: 860, Kernel: [2]int{5, 5}},
		{Images: 54, Channels: 128, Height: 28, Width: 28, Filters: 128, Kernel: [2]int{3, 3}, Padding: [4]int{1, 1, 1, 1}, ChannelsLast: true},
		{Images: 21, Channels: 3, Height: 11, Width: 11, Filters: 368, Kernel: [2]int{5, 5}},
		{Images: 64, Channels: 64, Height: 56, Width: 56, Filters: 64, Kernel: [2]int{3, 3}},
	} {
		s.Stride, s.Dilation, s.Groups = [2]int{1, 1}, [2]int{1, 1}, 1
		p := ConvProblem{Elem: weft.F32, Shape: s}
		cfg, least := p.Rule(h200.Caps), math.Inf(1)
		for _, other := range p.List(h200.Caps) {
			if other.Algorithm == ConvImplicit && p.Legal(h200.Caps, other) == nil {
				least = min(least, model.Seconds(p.Work(h200.Caps, other)))
			}
		}
		if seconds := model.Seconds(p.Work(h200.Caps, cfg)); cfg.Algorithm != ConvImplicit || seconds > 1.4*least {
			t.Errorf("%+v: %+v takes %v, want an implicit product of about %v", s, cfg, seconds, least)
		}
	}
}

// Tiles of bytes leave a compute unit two workgroups, weights of few bits are in tiles as large as others, and few rows of those take long steps, or
// slices of K where groups have whole blocks.
func TestLowBitTiles(t *testing.T) {
	caps := vulkan(t)
	weights := QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32}
	short := weights
	short.Block[0] = 8
	for _, c := range []struct {
		elem                       weft.DType
		weights                    QuantView
		m, n, k                    int
		bm, bn, bk, threads, split int
	}{
		{weft.I8, QuantView{}, 4096, 4096, 4096, 128, 128, 64, 128, 0},
		{weft.U8, QuantView{}, 8192, 4096, 4096, 128, 128, 64, 128, 0},
		{weft.F16, weights, 4096, 4096, 4096, 128, 256, 32, 256, 0},
		{weft.F16, short, 16, 4096, 4096, 16, 64, 128, 128, 0},
		{weft.F16, short, 16, 256, 16384, 16, 64, 128, 128, 32},
		{weft.BF16, short, 32, 4096, 4096, 32, 32, 128, 128, 0},
		{weft.F16, weights, 16, 4096, 4096, 16, 32, 1024, 256, 0},
		{weft.BF16, weights, 32, 4096, 4096, 32, 32, 1024, 256, 0},
	} {
		cfg := MatMulConfigFor(caps, c.elem, c.m, c.n, c.k)
		if c.weights.Bits > 0 {
			cfg = QuantizedProblem{Elem: c.elem, A: MatrixView(c.m, c.k, 1), N: c.n, Weights: c.weights}.Rule(caps)
		}
		if cfg.BM != c.bm || cfg.BN != c.bn || cfg.BK != c.bk || cfg.Threads != c.threads || cfg.SplitK != c.split {
			t.Errorf("%v %d×%d×%d by %+v, want %+v", c.elem, c.m, c.n, c.k, cfg, c)
		}
		if err := cfg.Legal(caps, c.m); err != nil {
			t.Errorf("%v %d×%d×%d: %v", c.elem, c.m, c.n, c.k, err)
		}
	}
}

// What was measured on an H200 to be faster than what the rules once chose is what they choose.
func TestMeasuredRules(t *testing.T) {
	h200 := preset(t, "h200")
	x, err := layout.Contiguous(16384, 4096)
	if err != nil {
		t.Fatal(err)
	}
	if s := (NormProblem{Elem: weft.F32, X: tune.ViewOf(x), Row: [MaxRank]bool{false, true}}).Rule(h200.Caps); s.Threads != 128 {
		t.Errorf("rows of 4096 are normalised by %d threads", s.Threads)
	}
	for _, c := range []struct {
		elem                      weft.DType
		rows, length              int
		cols, rest, lines, thread int
	}{
		{weft.BF16, 279398, 200, 256, 0, 8, 64}, {weft.F16, 1857787, 37, 64, 0, 32, 64}, {weft.F32, 3672, 750, 512, 256, 1, 64}, // several loads a thread
		{weft.F32, 8310, 12118, 8192, 4096, 1, 512}, {weft.F16, 87, 21556, 16384, 8192, 1, 1024}, // rows in registers
		{weft.F16, 324, 99497, 4096, 0, 1, 512}, {weft.F32, 3000, 100_000, 8192, 0, 1, 1024}, {weft.F32, 98, 90691, 2048, 0, 1, 256}, // longer ones
	} {
		rows, err := layout.Contiguous(c.rows, c.length)
		if err != nil {
			t.Fatal(err)
		}
		if s := (SoftmaxProblem{Elem: c.elem, Rows: tune.ViewOf(rows)}).Rule(h200.Caps); s.Cols != c.cols || s.Rest != c.rest || s.Rows != c.lines || s.Threads != c.thread {
			t.Errorf("softmax of %v %d×%d by %+v", c.elem, c.rows, c.length, s)
		}
	}
	if s := (ReduceProblem{Elem: weft.F32, X: tune.ViewOf(x), Reduced: [MaxRank]bool{true}}).Rule(h200.Caps); s.Area != 1024 || s.Threads != 128 {
		t.Errorf("sums of columns by %+v", s)
	}
	if s := (ReduceProblem{Elem: weft.F32, X: tune.ViewOf(x), Reduced: [MaxRank]bool{false, true}}).Rule(h200.Caps); s.Area != 4096 || s.Threads != 256 {
		t.Errorf("sums of rows by %+v", s)
	}
	weights := QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32}
	if cfg := (QuantizedProblem{Elem: weft.F16, A: MatrixView(1, 4096, 1), N: 4096, Weights: weights}).Rule(h200.Caps); cfg.Interleave != 128 || cfg.BM != 8 || cfg.BN != 16 || cfg.Threads != 256 || cfg.SliceK != 8 || cfg.SplitK != 0 {
		t.Errorf("one row times 4-bit weights by %+v", cfg)
	}
	weights.Packed = 1 // along the columns
	if cfg := (QuantizedProblem{Elem: weft.F16, A: MatrixView(1, 4096, 1), N: 4096, Weights: weights}).Rule(h200.Caps); !cfg.RowByRow || cfg.Interleave != 0 {
		t.Errorf("one row times 4-bit weights that are packed along the columns by %+v", cfg)
	}
}

// A few rows are multiplied with weights by runs where warps have no matrix instructions: by blocks with a thread for each run, which are legal and fill the units if there are
// columns for it. Cooperative matrices take more than four rows.
func TestRunsOfWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	vulkan := preset(t, "vulkan-nvidia")
	for range 300 {
		caps, most := vulkan.Caps, 2*mostWeightRows
		if rng.IntN(2) == 0 {
			caps, most = *vulkan.SPIRV, mostRunRows
		}
		if caps.SubgroupSize = 32; rng.IntN(2) == 0 && caps.Language == target.WGSL {
			caps.SubgroupSize = 0
		}
		m, n, k := 1+rng.IntN(2*mostWeightRows), 1+rng.IntN(1<<rng.IntN(15)), 1+rng.IntN(1<<rng.IntN(15))
		w := QuantView{QuantScheme: QuantScheme{Bits: 4 << rng.IntN(2), Asymmetric: rng.IntN(2) == 0, Block: [2]int{[]int{0, 8, 32, 128}[rng.IntN(4)], 1}}, Scale: weft.F32}
		p := QuantizedProblem{Elem: weft.F16, A: MatrixView(m, k, 1), N: n, Weights: w}
		cfg := p.Rule(caps)
		if cfg.SliceK > 1 { // see TestSlicesOfCooperativeMatrices
			most = 0
		}
		if cfg.byRuns() != (m <= most) {
			t.Errorf("%d×%d×%d of %v for %v: by runs: %v\n%+v", m, n, k, w, caps.Language, cfg.byRuns(), cfg)
			continue
		}
		if err := p.Legal(caps, cfg); err != nil {
			t.Errorf("%d×%d×%d of %v by %+v: %v", m, n, k, w, cfg, err)
		}
		if !cfg.byRuns() {
			continue
		}
		units := caps.Facts().Units
		enough, ahead := runPrograms*units, cfg.BM <= runsAhead && CeilDiv(n, cfg.BN) < runPrograms*units
		if cfg.BM > runsAhead {
			enough = rowPrograms * units
		}
		if alone := cfg.Threads == runThreads/2 && k > cfg.BK; alone != (caps.SubgroupSize == 0 && CeilDiv(n, cfg.BN) >= enough && k > cfg.BK) || (cfg.Stages == 2) != ahead {
			t.Errorf("%d×%d×%d of %v by %+v in subgroups of %d", m, n, k, w, cfg, caps.SubgroupSize)
		}
		if cfg.Threads*cfg.Run != cfg.BK || cfg.BM < min(m, mostWeightRows) || cfg.BN > 1 && CeilDiv(n, cfg.BN) < 2*units || cfg.SplitK > 1 && CeilDiv(n, cfg.BN)*cfg.SplitK > 2*units {
			t.Errorf("%d×%d×%d of %v by %+v for %d units", m, n, k, w, cfg, units)
		}
		for _, other := range p.List(caps) {
			if other.byRuns() && p.Legal(caps, other) != nil {
				t.Errorf("%d×%d×%d of %v: listed %+v: %v", m, n, k, w, other, p.Legal(caps, other))
			}
		}
	}
}

// Where a device tells how cooperative matrices are distributed over threads, as mma.sync has them, weights of more rows than runs suit stay in registers, and subgroups slice K. Others
// take tiles through shared memory.
func TestSlicesOfCooperativeMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	nvidia := preset(t, "vulkan-nvidia")
	amd := preset(t, "vulkan-amd")
	unknown := *nvidia.SPIRV
	rows := slices.Clone(unknown.Cooperative.Rows())
	for i := range rows {
		rows[i].FragmentA, rows[i].FragmentB, rows[i].FragmentC, rows[i].Unknown = target.Fragment{}, target.Fragment{}, target.Fragment{}, "not asked"
	}
	unknown.Cooperative = target.CooperativeOf(rows...)
	for range 80 {
		m, n, k := 1+rng.IntN(1<<(2+rng.IntN(4))), 1+rng.IntN(1<<rng.IntN(15)), 128*(1+rng.IntN(1<<rng.IntN(8)))
		w := QuantView{QuantScheme: QuantScheme{Bits: 4, Asymmetric: rng.IntN(2) == 0, Block: [2]int{[]int{0, 128, 32}[rng.IntN(3)], 1}}, Scale: weft.F32}
		p := QuantizedProblem{Elem: []weft.DType{weft.F16, weft.BF16}[rng.IntN(2)], A: MatrixView(m, k, 1), N: n, Weights: w}
		for name, caps := range map[string]target.Caps{"nvidia": *nvidia.SPIRV, "amd": *amd.SPIRV, "unknown": unknown} {
			cfg := p.Rule(caps)
			narrow := p.Elem == weft.F16 && m <= narrowMatrix // there are no matrices of BF16 with 8 columns
			short := w.Block[0] == 32                         // which slices of one or two rows would wait for
			rows, slices, runs := fewMatrixRows, leastSlices, (short || !narrow) && m <= wideRuns || m <= MaxRowByRow && p.readsLonger(caps)
			if narrow {
				rows, slices = narrowMatrix, leastHeld
			}
			if want := name == "nvidia" && !runs && m <= FewRows && k >= slices*128; (cfg.SliceK > 1) != want {
				t.Errorf("%d×%d×%d of %v on %s: %+v", m, n, k, w, name, cfg)
			}
			if cfg.SliceK > 1 && (cfg.SliceK < slices || cfg.BM != max(pow2.Ceil(m), rows) || cfg.Stages != 1) {
				t.Errorf("%d×%d×%d of %v on %s: %+v", m, n, k, w, name, cfg)
			}
			if step := cfg.SliceK * cfg.Interleave; cfg.SliceK > 1 && cfg.BK != step {
				t.Errorf("%d×%d×%d of %v on %s: %+v, steps of %d", m, n, k, w, name, cfg, step)
			}
			for _, c := range p.List(caps) {
				if err := p.Legal(caps, c); c.SliceK > 1 && (err != nil || name != "nvidia") {
					t.Errorf("%d×%d×%d of %v on %s: listed %+v, legal: %v", m, n, k, w, name, c, err)
				}
			}
		}
	}
}

// Attention by rows loads a step ahead where there are no asynchronous copies: few keys of a slot where threads shuffle, more where each step has barriers.
func TestAttentionRows(t *testing.T) {
	for name, want := range map[string]struct{ stages, keys, one, threads int }{
		"vulkan-nvidia": {2, keysAhead, keysAhead, 256}, "webgpu-amd": {2, keysExchanged, keysExchanged, 128}, "a100": {1, keysOfSlots, 2 * keysOfSlots, 128},
	} {
		preset := preset(t, name)
		for queries := 1; queries <= mostRows; queries *= 2 {
			for _, head := range []int{64, 128} {
				cfg := attentionRows(preset.Caps, weft.F16, queries, head)
				keys, threads := want.keys, want.threads
				switch {
				case queries == 1:
					keys = want.one
				case queries == mostRows && name == "webgpu-amd":
					keys = keysOfSlots
				}
				if threads = min(threads, cfg.Threads); queries == 4 && threads != want.threads || cfg.Stages != want.stages || cfg.BN != keys*cfg.slots() {
					t.Errorf("%s, %d queries of %d: %+v", name, queries, head, cfg)
				}
				if cfg.Head = head; cfg.Legal(preset.Caps) != nil {
					t.Errorf("%s, %d queries of %d: %v", name, queries, head, cfg.Legal(preset.Caps))
				}
			}
		}
	}
}

// Rows of queries that leave warps waiting share keys: up to 16 in all programs of single warps, up to 64 where copies to shared memory wait. More have rows for each warp.
func TestAttentionSharedRows(t *testing.T) {
	preset := preset(t, "vulkan-nvidia")
	for queries, want := range map[int][2]int{5: {16, 128}, 16: {16, 128}, 17: {32, 128}, 64: {32, 128}, 65: {128, 256}} {
		pages := []int{0, 64}
		if queries <= fewMatrixRows { // of which a step takes several
			pages = append(pages, 16)
		}
		for _, page := range pages {
			cfg := attentionConfigFor(*preset.SPIRV, weft.F16, queries, 4096, 128, page, suitable)
			if cfg.Legal(*preset.SPIRV) != nil || [2]int{cfg.BM, cfg.Threads} != want || cfg.BN != 64 {
				t.Errorf("%d queries, pages of %d: %+v, %v", queries, page, cfg, cfg.Legal(*preset.SPIRV))
			}
		}
		if cfg := attentionConfigFor(*preset.SPIRV, weft.F16, queries, 4096, 128, 16, suitable); queries > fewMatrixRows && cfg.BN > 16 && !cfg.ByRows || cfg.Legal(*preset.SPIRV) != nil {
			t.Errorf("%d queries, pages of 16: %+v, %v", queries, cfg, cfg.Legal(*preset.SPIRV))
		}
	}
}

// A vector times a K-major matrix takes a program for each column, or where columns are short one of few threads, and no second launch; four rows, and MN-major
// matrices, keep the columns that runs of memory are of.
func TestNarrowStreams(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct {
		m, n, k                int
		kMajor                 bool
		bn, bk, threads, split int
	}{
		{1, 1383, 2432, true, 1, 2048, 128, 0}, {1, 1383, 2432, false, 32, 256, 512, 2}, {4, 4096, 4096, true, 16, 256, 256, 0},
		{1, 8192, 8192, true, 1, 2048, 128, 0}, {1, 100, 8192, true, 1, 1024, 64, 0}, {1, 3, 3, true, 1, 4, 32, 0},
	} {
		p := MatMulProblem{Elem: weft.F16, A: MatrixView(c.m, c.k, 1), B: MatrixView(c.k, c.n, 1)}
		if c.kMajor {
			p.B = MatrixView(c.k, c.n, 0)
		}
		cfg := p.Rule(h200.Caps)
		if err := p.Legal(h200.Caps, cfg); err != nil || cfg.BN != c.bn || cfg.BK != c.bk || cfg.Threads != c.threads || cfg.SplitK != c.split {
			t.Errorf("%+v: %+v, legal: %v", c, cfg, err)
		}
	}
	rng := rand.New(rand.NewPCG(5, 1))
	for range 300 {
		m, n, k := 1+rng.IntN(MaxRowByRow), 1+rng.IntN(1<<rng.IntN(14)), 1+rng.IntN(1<<rng.IntN(16))
		for _, elem := range []weft.DType{weft.F16, weft.F32, weft.I8} {
			p := MatMulProblem{Elem: elem, A: MatrixView(m, k, 1), B: MatrixView(k, n, 0)}
			cfg := p.Rule(h200.Caps)
			if each := cfg.BN * cfg.BK / cfg.Threads; p.Legal(h200.Caps, cfg) != nil || each > 16 || cfg.SplitK > 1 && cfg.tilesOf(m, n) >= h200.Caps.Facts().Units {
				t.Errorf("%v %d×%d×%d: %+v: %v", elem, m, n, k, cfg, p.Legal(h200.Caps, cfg))
			}
		}
	}
}

// What the rule chooses comes first in the list of what may be tried, whatever the order of the operands.
func TestRuleComesFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, preset := range target.Presets() {
		for range 20 {
			m, n, k := 1+rng.IntN(1<<rng.IntN(13)), 1+rng.IntN(1<<rng.IntN(13)), 1+rng.IntN(1<<rng.IntN(13))
			for _, elem := range []weft.DType{weft.F16, weft.F32, weft.I8} {
				p := MatMulProblem{Elem: elem, A: MatrixView(m, k, rng.IntN(2)), B: MatrixView(k, n, rng.IntN(2))}
				if cfg, list := p.Rule(preset.Caps), p.List(preset.Caps); list[0] != cfg || slices.Contains(list[1:], cfg) || p.Legal(preset.Caps, cfg) != nil {
					t.Errorf("%s: %v %d×%d×%d: %+v, legal: %v; the list begins with %+v", preset.Name, elem, m, n, k, cfg, p.Legal(preset.Caps, cfg), list[0])
				}
			}
		}
	}
}

// A left operand that warpgroups wait for in each step has K in short parts, as long as their sums take less; one that is copied in long runs does not.
func TestSplitWaits(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct {
		m, n, k, least, most int
	}{{50, 576, 832, 7, 13}, {64, 576, 832, 0, 2}, {565, 43, 7847, 8, 20}} {
		p := MatMulProblem{Elem: weft.BF16, A: MatrixView(c.m, c.k, 0), B: MatrixView(c.k, c.n, 1)}
		if cfg := p.Rule(h200.Caps); cfg.SplitK < c.least || cfg.SplitK > c.most || p.Legal(h200.Caps, cfg) != nil {
			t.Errorf("%d rows: %+v", c.m, cfg)
		}
	}
}

// Three workgroups share a unit where that takes all tiles at once and two would leave one over; else as many as have registers for any kernel.
func TestProducersShare(t *testing.T) {
	h200 := preset(t, "h200")
	units := h200.Caps.Facts().Units
	for _, c := range []struct{ each, resident int }{{1, 0}, {2, 0}, {3, 3}, {4, 0}, {5, 0}, {6, 0}} {
		cfg := newMatMulConfig(weft.F16, 0)
		cfg.fitProducers(h200.Caps, []producerTile{{bm: 64, bn: 128, consumers: 1, rate: 0.85, lone: 0.6, store: 3}, {bm: 64, bn: 128, consumers: 1, resident: 3, rate: 0.85, lone: 0.6, store: 3}}, whole, 1, 64*units*c.each, 128, 1024)
		if cfg.Resident != c.resident || (cfg.Persistent != 0) != (c.each > 3) || c.resident*cfg.plan(h200.Caps).SharedBytes > h200.Caps.Facts().Shared {
			t.Errorf("%d tiles for each unit: %+v", c.each, cfg)
		}
	}
}

// Few workgroups that gather have more threads, and many as many as products have.
func TestWidenGathers(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct{ images, threads int }{{1, 256}, {16, 128}, {64, 64}} {
		s := Conv2DShape{Images: c.images, Channels: 3, Height: 224, Width: 224, Filters: 64, Kernel: [2]int{4, 4}, Stride: [2]int{4, 4}, Dilation: [2]int{1, 1}, Groups: 1}
		if cfg := Conv2DConfigFor(h200.Caps, weft.BF16, s); cfg.Algorithm != ConvImplicit || cfg.Threads != c.threads {
			t.Errorf("%d images: %+v", c.images, cfg)
		}
	}
}

// Few tiles share a long reduction, by tiles that keep the matrix instructions of a unit busy; where tiles fill the units, each has its own.
func TestProducersSplit(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct{ m, n, k, bm, bn, split int }{
		{549, 1024, 4096, 128, 128, 3}, {200, 1000, 6000, 128, 128, 8}, {1024, 1024, 1024, 64, 128, 0}, {4096, 4096, 4096, 128, 256, 0}, {256, 15264, 12480, 128, 256, 0},
	} {
		if cfg := MatMulConfigFor(h200.Caps, weft.F16, c.m, c.n, c.k); cfg.BM != c.bm || cfg.BN != c.bn || cfg.SplitK != c.split {
			t.Errorf("%+v: %+v", c, cfg)
		}
	}
}

// Programs share long rows of a gradient only where a kernel may have a view for each number of their parts.
func TestRowGradViews(t *testing.T) {
	for name, shares := range map[string]bool{"h200": true, "webgpu": false} {
		preset := preset(t, name)
		p := RowGradProblem{Op: GradMoments, Elem: weft.F32, X: MatrixView(4, 1<<22, 1), Row: [MaxRank]bool{1: true}, Along: [MaxRank]bool{1: true}, Sums: true}
		if parts := p.Plan(p.Rule(preset.Caps)).Parts; (parts > 1) != shares {
			t.Errorf("%s: rows in %d parts, shared: %v", name, parts, shares)
		}
		for _, s := range p.List(preset.Caps) {
			if parts := p.Plan(s).Parts; parts > 1 && !shares {
				t.Errorf("%s: %+v has rows in %d parts", name, s, parts)
			}
		}
	}
}
