package lower_test

import (
	"cmp"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Weights of few bits are the left operand of products, from memory to registers: by warpgroups and by warps, in pairs of integers where the type of a holds
// them, for each form of weights and groups of several sizes, at edges of both dimensions of the result, with K in parts.
func TestLibraryInterleaved(t *testing.T) {
	t.Parallel()
	hopper := lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
	ampere := lowertest.MatrixTarget("sm_80", 163<<10)
	var none kernels.CodeBook
	for name, c := range map[string]struct {
		elem       weft.DType
		bits       int
		asymmetric bool
		group      int // of a column; 0 is all of it
		m, n, k    int
		bm, bn, bk int
		split      int
		pairs      bool
		first      bool       // scales before products
		inOrder    bool       // K in its order
		scale      weft.DType // F32 if it is 0
		codes      kernels.CodeBook
	}{
		"groups":                 {weft.F16, 4, false, 128, 5, 100, 384, 8, 64, 128, 0, true, false, false, 0, none},
		"small groups":           {weft.F16, 4, false, 32, 20, 72, 192, 32, 64, 64, 0, true, false, false, 0, none},
		"large groups":           {weft.BF16, 4, false, 256, 16, 64, 512, 16, 64, 128, 2, true, false, false, 0, none},
		"columns":                {weft.BF16, 4, false, 0, 33, 130, 256, 64, 128, 128, 0, true, false, false, 0, none},
		"one row":                {weft.F16, 4, false, 128, 1, 70, 768, 8, 32, 256, 3, true, false, false, 0, none},
		"few rows":               {weft.BF16, 4, true, 128, 13, 100, 512, 16, 32, 256, 0, true, false, false, 0, none},
		"columns of few rows":    {weft.F16, 4, false, 128, 24, 260, 1536, 32, 128, 128, 3, true, false, false, 0, none},
		"columns of 16 rows":     {weft.BF16, 4, true, 128, 13, 100, 2048, 16, 64, 256, 2, true, false, false, 0, none},
		"one row of bytes":       {weft.F16, 8, false, 0, 2, 40, 384, 8, 32, 128, 0, true, false, false, 0, none},
		"equal sides":            {weft.F16, 4, false, 128, 60, 130, 384, 64, 64, 128, 0, true, false, false, 0, none},
		"zero points":            {weft.F16, 4, true, 128, 9, 64, 256, 16, 64, 128, 0, true, false, false, 0, none},
		"zero points of BF16":    {weft.BF16, 4, true, 64, 9, 64, 192, 16, 64, 64, 0, true, false, false, 0, none},
		"bytes":                  {weft.F16, 8, false, 64, 17, 80, 256, 32, 64, 128, 3, true, false, false, 0, none},
		"bytes, zero points":     {weft.F16, 8, true, 64, 17, 64, 128, 32, 64, 64, 0, true, false, false, 0, none},
		"bytes of BF16":          {weft.BF16, 8, false, 0, 8, 64, 128, 8, 64, 64, 0, false, false, false, 0, none},
		"scales first":           {weft.F16, 4, false, 128, 40, 130, 384, 64, 128, 128, 0, true, true, false, 0, none},
		"four consumers":         {weft.F16, 4, false, 128, 60, 260, 256, 64, 256, 128, 2, true, true, false, 0, none},
		"scales of F16 first":    {weft.F16, 4, true, 64, 33, 70, 192, 32, 64, 64, 2, true, true, false, weft.F16, none},
		"scales of BF16 first":   {weft.BF16, 4, false, 128, 70, 100, 256, 64, 128, 64, 0, true, true, false, weft.BF16, none},
		"bytes, scales first":    {weft.F16, 8, true, 64, 17, 80, 256, 32, 64, 128, 0, true, true, false, 0, none},
		"other scales first":     {weft.BF16, 8, false, 64, 8, 64, 128, 8, 64, 64, 0, false, true, false, weft.F16, none},
		"in order":               {weft.F16, 4, false, 128, 40, 130, 384, 64, 128, 128, 0, true, false, true, 0, none},
		"in order, scales first": {weft.F16, 4, true, 64, 33, 70, 192, 32, 64, 64, 2, true, true, true, weft.F16, none},
		"in order, one row":      {weft.BF16, 4, false, 128, 1, 70, 768, 8, 32, 256, 3, true, false, true, 0, none},
		"in order, columns":      {weft.BF16, 4, false, 0, 33, 130, 256, 64, 128, 128, 0, true, false, true, 0, none},
		"in order, short blocks": {weft.F16, 4, false, 32, 20, 72, 192, 32, 64, 64, 0, true, false, true, 0, none},
		"NF4":                    {weft.F16, 4, false, 64, 5, 100, 384, 8, 64, 128, 0, true, false, false, 0, kernels.NF4},
		"NF4 of BF16":            {weft.BF16, 4, false, 64, 30, 130, 384, 32, 64, 128, 2, true, false, false, 0, kernels.NF4},
		"NF4, columns":           {weft.F16, 4, false, 0, 1, 70, 768, 8, 32, 256, 3, true, false, false, 0, kernels.NF4},
		"NF4, in order":          {weft.F16, 4, false, 128, 20, 130, 384, 32, 64, 128, 0, true, false, true, 0, kernels.NF4},
		"NF4, scales first":      {weft.F16, 4, false, 64, 33, 70, 192, 32, 64, 64, 0, true, true, false, 0, kernels.NF4},
		"NF4 in long blocks":     {weft.F16, 4, false, 64, 40, 130, 384, 64, 128, 128, 2, true, true, false, 0, kernels.NF4},
		"NF4 of BF16 first":      {weft.BF16, 4, false, 64, 70, 100, 256, 64, 128, 128, 2, true, true, false, weft.BF16, kernels.NF4},
		"FP4":                    {weft.F16, 4, false, 64, 9, 64, 256, 16, 64, 128, 0, true, false, false, 0, kernels.FP4},
		"MXFP4":                  {weft.F16, 4, false, 32, 9, 64, 256, 16, 64, 64, 0, true, false, false, weft.U8, kernels.FP4},
		"MXFP4, scales first":    {weft.BF16, 4, false, 32, 40, 100, 256, 64, 128, 64, 2, true, true, false, weft.U8, kernels.FP4},
		"MXFP4 in long blocks":   {weft.F16, 4, false, 32, 40, 130, 384, 64, 128, 128, 0, true, true, false, weft.U8, kernels.FP4},
		"MXFP4 of 256 columns":   {weft.BF16, 4, false, 32, 40, 260, 256, 64, 256, 128, 2, true, true, false, weft.U8, kernels.FP4},
		"MXFP4 in order":         {weft.F16, 4, false, 32, 70, 130, 384, 64, 128, 128, 0, true, true, true, weft.U8, kernels.FP4},
		"small groups first":     {weft.F16, 4, false, 32, 40, 130, 384, 64, 128, 128, 0, true, true, false, weft.F16, none},
		"FP4, scales first":      {weft.BF16, 4, false, 128, 70, 100, 256, 64, 128, 64, 0, true, true, false, 0, kernels.FP4},
		"in order, bytes":        {weft.F16, 8, true, 64, 17, 80, 256, 32, 64, 128, 3, true, false, true, 0, none},
	} {
		for device, caps := range map[string]target.Caps{"warpgroups": hopper, "producer": hopper, "warps": ampere} {
			producers := 0
			if device == "producer" {
				producers = 1
			}
			t.Run(name+"/"+device, func(t *testing.T) {
				testenv.Sample(t)
				view := kernels.QuantView{QuantScheme: kernels.QuantScheme{Bits: c.bits, Asymmetric: c.asymmetric, Block: [2]int{c.group, 1}}, Packed: 0, Scale: cmp.Or(c.scale, weft.F32)}
				view.Codes, view.PowersOfTwo = c.codes, c.scale == weft.U8
				cfg := kernels.MatMulConfig{Elem: c.elem, Out: c.elem, BM: c.bm, BN: c.bn, BK: c.bk, Threads: 2 * c.bn, Stages: 3, Producers: producers, SplitK: c.split,
					Precision: tile.Float32Accumulate, Weights: view, Interleave: min(view.InterleavedBlock(c.k), c.bk), ScaleFirst: c.first, InOrder: c.inOrder}
				if c.first {
					cfg.Interleave = min(view.ScaledBlock(c.k), c.bk)
				}
				if producers > 0 && (cfg.Interleave < 64 || cfg.Threads < 128) {
					t.Skip("no warpgroup, or rows that tensor maps do not copy")
				}
				if err := cfg.Legal(caps, c.m); err != nil {
					t.Fatal(err)
				}
				if cfg.Partial() {
					cfg.Out = weft.F32
				}
				kernel, notes := checkInterleaved(t, caps, cfg, c.m, c.n, c.k)
				defer func() {
					if t.Failed() {
						t.Log(strings.Join(notes, "\n"))
					}
				}()
				if got := lowertest.Count(kernel, simt.PairFMA) > 0 || c.codes != none && lowertest.Count(kernel, simt.PickBytes) > 0; got != c.pairs {
					t.Errorf("weights become floats in pairs: %v, want %v", got, c.pairs)
				}
				kind := simt.MMA
				if caps.WarpGroups && cfg.Interleave > 32 && cfg.Threads >= 128 { // rows of which are a swizzle row
					kind = simt.GroupMMA
				}
				if lowertest.Count(kernel, kind) == 0 {
					t.Errorf("no products by %v", kind)
				}
				products := cfg.DotDepth() / 16 // of a matrix along K
				if c.first || view.Scaled() {
					products = max(products/4, 1)
				}
				simt.Walk(kernel.Body, func(op *simt.Op) {
					if op.Kind != simt.GroupMMA {
						return
					}
					if pairs, _ := op.Products(); len(pairs)/max(op.Matrices, 1) != products {
						t.Errorf("%d products of a matrix at once, want %d", len(pairs)/max(op.Matrices, 1), products)
					}
				})
				if (kernel.Producers > 0) != (producers > 0) {
					t.Errorf("%d producers, want %d", kernel.Producers, producers)
				}
				simt.Walk(kernel.Body, func(loop *simt.Op) {
					if loop.Kind != simt.For {
						return
					}
					simt.Walk(loop.Body, func(op *simt.Op) {
						switch stores := op.Kind == simt.SharedStore || op.Kind == simt.StoreMatrix; {
						case stores && cfg.ReordersBefore():
							t.Errorf("loops store to shared memory, want weights in registers")
						case stores && op.Shared.Len >= cfg.BN*cfg.Interleave: // than what rows of a need that are reordered
							t.Errorf("loops store %d elements to shared memory, want weights in registers", op.Shared.Len)
						}
					})
				})
			})
		}
	}
}

// checkInterleaved lowers a config of interleaved weights and compares what the kernel computes with the tile IR's meaning.
func checkInterleaved(t *testing.T, caps target.Caps, cfg kernels.MatMulConfig, m, n, k int) (*simt.Func, []string) {
	t.Helper()
	w := cfg.Weights
	f, err := kernels.MatMul.Build(cfg)
	if err != nil {
		t.Fatal(err)
	}
	dense := func(shape ...int) layout.Layout {
		l, err := layout.Contiguous(shape...)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	groups := 1
	if w.Block[0] > 0 {
		groups = k / w.Block[0]
	}
	scales := dense(groups, n)
	if w.Block[0] < cfg.Interleave || w.Scale.Size() == 2 { // of a block each thread loads its own; those of 16 bits are stored as weights are
		scales = dense(n, groups).Transpose()
	}
	views := []layout.Layout{dense(m, k), dense(n, k*w.Bits/8).Transpose(), scales}
	if w.Asymmetric {
		views = append(views, dense(groups, n))
	}
	if cfg.Partial() {
		views = append(views, dense(cfg.SplitK, m, n))
	} else {
		views = append(views, dense(m, n))
	}
	rng := rand.New(rand.NewPCG(1, uint64(len(t.Name()))))
	fill := func(buffers [][]byte) {
		weights := buffers[1:2:2]
		if w.Asymmetric {
			weights = append(weights, buffers[3])
		}
		if w.PowersOfTwo {
			for j := range buffers[2] {
				buffers[2][j] = byte(124 + rng.IntN(7))
			}
		}
		for i, buffer := range weights {
			for j := range buffer {
				if buffer[j] = byte(rng.Uint32()); i == 1 && w.Bits == 4 {
					buffer[j] &= 15
				}
			}
		}
	}
	return lower.CheckFilledOn(t, caps, f, 2e-2, fill, views)
}
