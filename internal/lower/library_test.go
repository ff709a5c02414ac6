package lower_test

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Maps like those of package ops, which needs not be compiled once more for this test.
var (
	addMap  = weft.NewMap("add", []string{"a", "b"}, func(in []*tile.Value) *tile.Value { return in[0].Add(in[1]) })
	reluMap = weft.NewMap("relu", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0].Maximum(0) })
)

// The library's kernels need each of their barriers, and their accesses to shared
// memory cost what they say.
func TestLibraryKernels(t *testing.T) {
	caps := target.Caps{Language: target.CUDA, MaxThreads: 256, SharedBytes: 48 << 10, SubgroupSize: 32, Registers: 255, Int64: true, Float64: true}
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.F64} {
		for _, side := range []int{64, 50} {
			l, err := layout.Contiguous(side, side)
			if err != nil {
				t.Fatal(err)
			}
			softmax, _ := kernels.SoftmaxConfigFor(caps, elem, l)
			online := softmax
			online.Cols /= 4
			for name, build := range map[string]func() (*tile.Func, error){
				"matmul": func() (*tile.Func, error) {
					cfg := kernels.MatMulConfigFor(caps, elem, side, side, side)
					cfg.BM, cfg.BN, cfg.BK, cfg.Threads = 32, 32, 16, 64 // of which the matrix has whole ones: the loops with and without masks both run
					return kernels.MatMul.Build(cfg)
				},
				"softmax":        func() (*tile.Func, error) { return kernels.Softmax.Build(softmax) },
				"softmax online": func() (*tile.Func, error) { return kernels.SoftmaxOnline.Build(online) },
				"add": func() (*tile.Func, error) {
					return addMap.Kernel.Build(elementwise.ConfigFor(caps, elem, elem, l, l, l))
				},
			} {
				if elem == weft.F64 && strings.HasPrefix(name, "softmax") {
					continue // it computes in F32, and the op refuses F64
				}
				t.Run(fmt.Sprintf("%s/%v/%d", name, elem, side), func(t *testing.T) {
					k, err := build()
					if err != nil {
						t.Fatal(err)
					}
					// sums of at most 64 terms in another order, and a rounding
					tol := 128*elem.Accumulator().Epsilon() + 2*elem.Epsilon()
					t.Logf("shared memory: %v", lower.CheckLibraryKernel(t, k, side, tol))
				})
			}
		}
	}
}

// The library's products compute the same in clusters: with a program for each tile and with a few for all, of batches, of odd numbers of rows of tiles, with
// sums that programs share, and with what follows after a product.
func TestLibraryClusters(t *testing.T) {
	t.Parallel()
	base := kernels.MatMulConfig{Elem: weft.F16, Out: weft.F16, BM: 64, BN: 64, BK: 64, Threads: 128, Stages: 2, Producers: 1, Cluster: 2, Precision: tile.Float32Accumulate,
		Order: tile.Order{Kind: tile.GroupedRows, Group: 2}}
	persistent, batch, split, linear := base, base, base, base
	persistent.Persistent, persistent.BN = 4, 128
	batch.Batch, batch.Persistent = 1, 2
	split.SplitK, split.Out = 2, weft.F32
	both := split
	both.Persistent, both.Consumers, both.InFlight = 2, 2, 2
	linear.Epilogue.Steps = [4]*weft.Map{addMap, reluMap}
	linear.Epilogue.Inputs[0] = kernels.EpilogueTensor{Elem: weft.F16, Cols: true}
	for name, c := range map[string]struct {
		cfg    kernels.MatMulConfig
		shapes [][]int
	}{
		"one tile each": {base, [][]int{{192, 136}, {136, 120}, {192, 120}}},
		"one row":       {base, [][]int{{40, 128}, {128, 200}, {40, 200}}},
		"persistent":    {persistent, [][]int{{320, 200}, {200, 256}, {320, 256}}},
		"batch":         {batch, [][]int{{3, 136, 64}, {3, 64, 72}, {3, 136, 72}}},
		"shared sums":   {split, [][]int{{128, 328}, {328, 64}, {2, 128, 64}}},
		"all together":  {both, [][]int{{320, 328}, {328, 64}, {2, 320, 64}}},
		"linear":        {linear, [][]int{{192, 136}, {136, 120}, {1, 120}, {192, 120}}},
	} {
		t.Run(name, func(t *testing.T) {
			testenv.Sample(t)
			k, err := kernels.MatMul.Build(c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			lower.CheckLibraryClusters(t, k, 1e-2, c.shapes...)
		})
	}
}

// Attention by warpgroups computes the same, whether a thread of its own copies keys and values or all do: of heads that are no power of two, of queries and keys that are no multiples
// of the blocks, of several heads for one of keys, with a causal band, and with a mask and the logarithms of the sums.
func TestLibraryAttention(t *testing.T) {
	t.Parallel()
	base := kernels.AttentionConfig{Elem: weft.F16, Head: 64, BM: 64, BN: 64, BD: 64, BV: 64, Threads: 128, Stages: 2, Producers: 1, Precision: tile.Float32Accumulate, Resident: true}
	causal, wide, masked, parts := base, base, base, base
	causal.First, causal.Last, causal.BM, causal.Threads = true, true, 128, 256
	wide.Head, wide.BD, wide.BV, wide.BM, wide.Stages = 128, 128, 128, 128, 3
	masked.Mask, masked.LSE, masked.Elem = weft.Bool, true, weft.BF16
	parts.Head, parts.BD, parts.BV = 192, 256, 128
	split := base
	split.Split, split.Last, split.BN = true, true, 128
	lengths := base
	lengths.Lengths = true
	paged := lengths
	paged.Page, paged.Last, paged.LSE = 64, true, true
	smallPages := paged
	smallPages.Page = 16
	pagedSplit := split
	pagedSplit.Page, pagedSplit.BN = 128, 64
	packed, packedPages := base, paged
	packed.QueryStarts, packed.KeyStarts, packed.Last, packed.LSE = true, true, true, true
	packedPages.QueryStarts = true
	packedSplit := split
	packedSplit.QueryStarts, packedSplit.KeyStarts = true, true
	overlapped, overlappedParts, overlappedLengths := causal, parts, lengths
	overlapped.InFlight, overlappedParts.InFlight, overlappedLengths.InFlight = 2, 2, 2
	persistent, narrow := overlapped, overlapped
	persistent.Persistent = 3
	narrow.Head, narrow.BD, narrow.BV, narrow.Elem = 80, 128, 128, weft.BF16
	equal := wide
	equal.BN, equal.Threads, equal.Stages = 128, 256, 1
	for name, c := range map[string]struct {
		cfg                                 kernels.AttentionConfig
		batch, heads, groups, queries, keys int
		first, last                         int32
		copied                              int
	}{
		"plain":   {base, 2, 2, 2, 70, 200, 0, 0, 2},
		"few":     {base, 1, 1, 1, 64, 24, 0, 0, 2},
		"causal":  {causal, 1, 2, 1, 140, 200, -130, 64, 2},
		"wide":    {wide, 1, 1, 1, 130, 264, 0, 0, 2},
		"masked":  {masked, 1, 1, 1, 72, 136, 0, 0, 2},
		"parts":   {parts, 1, 2, 2, 70, 130, 0, 0, 4},
		"equal":   {equal, 1, 1, 1, 130, 264, 0, 0, 2},
		"split":   {split, 2, 2, 1, 4, 500, 0, 490, 2},
		"lengths": {lengths, 2, 2, 1, 70, 200, 0, 0, 2},

		"overlapped":         {overlapped, 1, 2, 1, 140, 200, -130, 64, 2},
		"overlapped parts":   {overlappedParts, 1, 2, 2, 70, 130, 0, 0, 4},
		"overlapped lengths": {overlappedLengths, 3, 2, 1, 70, 200, 0, 0, 2},
		"persistent":         {persistent, 2, 2, 1, 540, 600, -130, 64, 2},
		"narrow":             {narrow, 1, 2, 2, 70, 200, 0, 130, 2},

		"paged":       {paged, 2, 2, 1, 70, 256, 0, 180, 2},
		"small pages": {smallPages, 2, 2, 1, 70, 208, 0, 180, 2},
		"paged split": {pagedSplit, 2, 2, 1, 4, 512, 0, 490, 2},

		"packed":       {packed, 3, 2, 1, 150, 300, 0, 0, 2},
		"packed pages": {packedPages, 3, 2, 1, 150, 256, 0, 0, 2},
		"packed split": {packedSplit, 3, 2, 1, 72, 500, 0, 0, 2},
	} {
		check := func(t *testing.T, cfg kernels.AttentionConfig, copied int) {
			k, err := kernels.Attention.Build(cfg)
			if err != nil {
				t.Fatal(err)
			}
			q, kv := []int{c.batch, c.heads, c.queries, cfg.Head}, []int{c.batch, c.groups, c.keys, cfg.Head}
			pages := 0
			if cfg.Page > 0 {
				pages = c.keys / cfg.Page
				kv = []int{4, c.groups, cfg.Page, cfg.Head}
			}
			if cfg.QueryStarts {
				q[0] = 1
			}
			if cfg.KeyStarts {
				kv[0] = 1
			}
			shapes, numbers := [][]int{q, kv, kv}, map[int][]float64{}
			integers := func(list []float64, shape ...int) {
				numbers[len(shapes)] = list
				shapes = append(shapes, shape)
			}
			if cfg.Mask.Valid() {
				shapes = append(shapes, []int{c.batch, c.heads, c.queries, c.keys})
			}
			if cfg.Lengths {
				integers([]float64{float64(c.keys) - 75, float64(c.keys) + 1, 3}[:c.batch], c.batch)
			}
			if cfg.Page > 0 {
				table := make([]float64, c.batch*pages)
				for i := range table { // from -1, which is no page's, to one after the last
					table[i] = float64(i*5%6 - 1)
				}
				integers(table, c.batch, pages)
			}
			if n := float64(c.queries); cfg.QueryStarts { // the third sequence has none
				integers([]float64{0, n - 67, n - 2, n - 2}[:c.batch+1], c.batch+1)
			}
			if n := float64(c.keys); cfg.KeyStarts {
				integers([]float64{1, n - 135, n - 1, n}[:c.batch+1], c.batch+1)
			}
			if results := append([]int{3}, q...); cfg.Split {
				shapes = append(shapes, results, results[:4])
			} else {
				shapes = append(shapes, q)
			}
			if cfg.LSE {
				shapes = append(shapes, q[:3])
			}
			fill := func(buffers [][]byte) {
				for view, list := range numbers {
					dtype.PutFloats(dtype.I32, buffers[view], list)
				}
			}
			scalars := []uint32{math.Float32bits(float32(math.Log2E / math.Sqrt(float64(cfg.Head)))), uint32(c.first), uint32(c.last)}
			if cfg.QueryStarts {
				scalars = append(scalars, uint32(kernels.Halvings(c.batch)))
			}
			lower.CheckLibraryCopies(t, k, 2e-2, copied, fill, shapes, scalars...)
		}
		t.Run(name, func(t *testing.T) {
			testenv.Sample(t)
			check(t, c.cfg, c.copied)
			if c.cfg.Head%64 != 0 { // warps multiply what is narrower than a map's box
				return
			}
			c.cfg.Producers, c.cfg.InFlight = 0, 0
			check(t, c.cfg, 0)
		})
	}
}

// Heads of 80 elements are copied as 128 and multiplied as 80, in a loop that begins scores before the results of the step before.
func TestLibraryAttentionNarrow(t *testing.T) {
	t.Parallel()
	testenv.Sample(t)
	cfg := kernels.AttentionConfig{Elem: weft.F16, Head: 80, BM: 128, BN: 64, BD: 128, BV: 128, Threads: 256, Stages: 2, Producers: 1, InFlight: 2, Precision: tile.Float32Accumulate, Resident: true}
	k, err := kernels.Attention.Build(cfg)
	if err != nil {
		t.Fatal(err)
	}
	shape := []int{1, 2, 136, 80}
	scale := math.Float32bits(float32(math.Log2E / math.Sqrt(80)))
	kernel, _ := lower.CheckLibraryOn(t, lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper), k, 2e-2, [][]int{shape, shape, shape, shape}, scale, 0, 0)
	found := map[[2]int]int{} // by products and columns
	orders := 0
	simt.Walk(kernel.Body, func(op *simt.Op) {
		switch op.Kind {
		case simt.GroupMMA:
			products, parts := op.Products()
			found[[2]int{len(products), simt.WarpgroupMMA.Columns * len(parts)}]++
		case simt.OrderBegin:
			orders++
		}
	})
	if want := map[[2]int]int{{80 / 16, 64}: 2, {64 / 16, 80}: 2}; !maps.Equal(found, want) || orders != 2 {
		t.Errorf("products are %v, want %v; %d ops order them", found, want, orders)
	}
}

// NaN and infinities in what some queries do not see: attention computes its sums again without them, after the loop that tensor maps fill the arrays
// of, which have as many stages as without. The second pass shares the memory of what the loop left.
func TestLibraryAttentionHidden(t *testing.T) {
	t.Parallel()
	base := kernels.AttentionConfig{Elem: weft.F16, Head: 128, BM: 128, BN: 128, BD: 128, BV: 128, Threads: 256, Stages: 2, Producers: 1, Last: true, Precision: tile.Float32Accumulate, Resident: true}
	window, masked := base, base
	window.Head, window.BD, window.BV, window.BM, window.BN, window.Threads, window.Stages, window.First = 64, 64, 64, 64, 64, 128, 3, true
	masked.Elem, masked.Last, masked.Mask, masked.BM, masked.BN, masked.Threads = weft.BF16, false, weft.Bool, 64, 64, 128
	for name, c := range map[string]struct {
		cfg           kernels.AttentionConfig
		queries, keys int
		first, last   int32
	}{
		"causal": {base, 130, 140, 0, 8},
		"window": {window, 70, 200, -20, 64},
		"masked": {masked, 40, 136, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			k, err := kernels.Attention.Build(c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			head := c.cfg.Head
			q, kv := []int{1, 1, c.queries, head}, []int{1, 1, c.keys, head}
			shapes := [][]int{q, kv, kv}
			if c.cfg.Mask.Valid() {
				shapes = append(shapes, []int{1, 1, c.queries, c.keys})
			}
			spoil := func(buffers [][]byte) {
				k, v := buffers[1], buffers[2]
				put := func(b []byte, key, d int, x float64) {
					at := (key*head + d) * c.cfg.Elem.Size()
					dtype.PutFloats(c.cfg.Elem, b[at:at+c.cfg.Elem.Size()], []float64{x})
				}
				put(k, c.keys-1, 3, math.NaN())
				for key := 7; key < c.keys; key += 9 {
					put(v, key, key*5%head, math.NaN())
					put(v, key, key*3%head, math.Inf(1))
					put(v, key, key*7%head, math.Inf(-1))
				}
			}
			scale := math.Float32bits(float32(math.Log2E / math.Sqrt(float64(head))))
			lower.CheckLibraryHidden(t, k, 2e-2, 2, c.cfg.Stages, spoil, append(shapes, q), scale, uint32(c.first), uint32(c.last))
		})
	}
}
