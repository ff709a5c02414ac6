package ops_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tune"
)

// pagedCache is keys, or values, [B,Hkv,Sk,D] as a pool of pages in random order, with some that no batch has, and its table.
type pagedCache struct {
	size, each, pages int
	table             []int32
}

func newPagedCache(rng *rand.Rand, batch, keys, size int) pagedCache {
	c := pagedCache{size: size, each: (keys + size - 1) / size}
	c.pages = batch*c.each + rng.IntN(4)
	for _, p := range rng.Perm(c.pages)[:batch*c.each] {
		c.table = append(c.table, int32(p))
	}
	return c
}

// pool has x, of which each batch has as many keys as its pages, and NaN in other pages.
func (c pagedCache) pool(t *testing.T, dev *weft.Device, elem weft.DType, x []float64, batch, heads, head int) *weft.Tensor {
	t.Helper()
	block := c.size * head
	data := make([]float64, c.pages*heads*block)
	for i := range data {
		data[i] = math.NaN()
	}
	for b := range batch {
		for p := range c.each {
			for h := range heads {
				from := (b*heads+h)*c.each*block + p*block
				copy(data[(int(c.table[b*c.each+p])*heads+h)*block:][:block], x[from:from+block])
			}
		}
	}
	pool, err := weft.FromFloats(dev, elem, data, c.pages, heads, c.size, head)
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// Attention of a paged cache gives the bits of attention of the same keys in order, whatever the config and the other options are.
func TestAttentionPagedLikeUnpaged(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(11, 1))
	for range 60 {
		b, groups, size := 1+rng.IntN(3), 1+rng.IntN(2), 16<<rng.IntN(3)
		heads, queries, head, elem := groups*(1+rng.IntN(3)), 1+rng.IntN(1+rng.IntN(50)), 1+rng.IntN(80), floatTypes[rng.IntN(3)]
		cache := newPagedCache(rng, b, rng.IntN(200), size)
		keys := cache.each * size
		q, _ := random(t, dev, rng, elem, b, heads, queries, head)
		k, x := random(t, dev, rng, elem, b, groups, keys, head)
		v, y := random(t, dev, rng, elem, b, groups, keys, head)
		table, err := weft.FromSlice(dev, cache.table, b, cache.each)
		if err != nil {
			t.Fatal(err)
		}
		options := []ops.AttentionOption{ops.Tiles(ops.AttentionConfig{BM: 16, BN: 8 << rng.IntN(2), Parts: 1 + rng.IntN(4)})}
		if rng.IntN(2) == 0 {
			lengths := make([]int32, b)
			for i := range lengths {
				lengths[i] = int32(rng.IntN(keys + 1))
			}
			n, err := weft.FromSlice(dev, lengths, b)
			if err != nil {
				t.Fatal(err)
			}
			options = append(options, ops.KeyLengths(n))
		}
		if rng.IntN(2) == 0 {
			options = append(options, ops.Causal())
		}
		if rng.IntN(3) == 0 {
			options = append(options, ops.SlidingWindow(rng.IntN(20), rng.IntN(20)))
		}
		if rng.IntN(3) == 0 && keys > 0 {
			mask, _ := random(t, dev, rng, weft.F32, queries, keys)
			options = append(options, ops.AttentionMask(mask))
		}
		bits := func(k, v *weft.Tensor, more ...ops.AttentionOption) []byte {
			lse, err := weft.Empty(dev, weft.F32, b, heads, queries)
			if err != nil {
				t.Fatal(err)
			}
			out, err := ops.Attention(q, k, v, append(append(more, ops.LogSumExp(lse)), options...)...)
			if err != nil {
				t.Fatal(err)
			}
			return append(bitsOf(t, out), bitsOf(t, lse)...)
		}
		want := bits(k, v)
		got := bits(cache.pool(t, dev, elem, x, b, groups, head), cache.pool(t, dev, elem, y, b, groups, head), ops.BlockTable(table))
		if !bytes.Equal(got, want) {
			t.Fatalf("%d×%d heads of %d queries × %d keys of %d, pages of %d: not the bits of keys in order", b, heads, queries, keys, head, size)
		}
	}
}

// A number in the table that is no page's counts as the nearest page, and numbers beyond a length have no part in the result.
func TestAttentionTableOutOfRange(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(12, 1))
	q, _ := random(t, dev, rng, weft.F32, 1, 2, 3, 24)
	pool, _ := random(t, dev, rng, weft.F32, 5, 2, 16, 24)
	lengths, err := weft.FromSlice(dev, []int32{40}, 1)
	if err != nil {
		t.Fatal(err)
	}
	result := func(numbers ...int32) []byte {
		table, err := weft.FromSlice(dev, numbers, 1, len(numbers))
		if err != nil {
			t.Fatal(err)
		}
		out, err := ops.Attention(q, pool, pool, ops.BlockTable(table), ops.KeyLengths(lengths))
		if err != nil {
			t.Fatal(err)
		}
		return bitsOf(t, out)
	}
	want := result(0, 4, 2, 1)
	for _, last := range []int32{-1, 5, math.MaxInt32, math.MinInt32} {
		if !bytes.Equal(result(-1, 5, 2, last), want) || !bytes.Equal(result(math.MinInt32, math.MaxInt32, 2, last), want) {
			t.Errorf("with %d after the last page: not the result of the nearest pages", last)
		}
	}
	if bytes.Equal(result(0, 4, 3, 1), want) {
		t.Error("another page gives the same result")
	}
}

// bitsOf are a tensor's numbers.
func bitsOf(t *testing.T, x *weft.Tensor) []byte {
	t.Helper()
	numbers, err := weft.ToFloats(x)
	if err != nil {
		t.Fatal(err)
	}
	var bits []byte
	for _, n := range numbers {
		bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(n))
	}
	return bits
}

// Decoding from a cache that grows from 1 to 8192 keys takes few kernels: from pages, also where the table has no more of them than there are keys, and
// from a view of the keys so far (page 0).
func TestAttentionGrowingCacheKernels(t *testing.T) {
	whole := dense([]int{4, 8, 8192, 128})
	for _, page := range []int{0, 16, 64, 256} {
		launched := map[any]bool{}
		for keys := 1; keys <= 8192; keys += 7 {
			problem := kernels.AttentionProblem{Elem: weft.F16, Q: tune.ViewOf(dense([]int{4, 32, 1, 128})), Last: true}
			if page > 0 {
				problem.K = tune.ViewOf(dense([]int{3000, 8, page, 128}))
				problem = problem.Pages(page, kernels.CeilDiv(keys, page))
			} else {
				sofar, err := whole.Slice(2, 0, keys, 1)
				if err != nil {
					t.Fatal(err)
				}
				problem.K = tune.ViewOf(sofar)
			}
			cfg := problem.Rule(matrixCaps)
			if err := problem.Legal(matrixCaps, cfg); err != nil || page > 0 && cfg.BN > page && !cfg.ByRows && cfg.Producers == 0 && cfg.BM > 16 { // a step of others has keys of one page
				t.Fatalf("%d keys in pages of %d: %+v, %v", keys, page, cfg, err)
			}
			first, parts := cfg.Passes()
			if launched[first] = true; first.Split {
				launched[kernels.AttentionPartsConfigFor(matrixCaps, weft.F16, parts, 1, 128)] = true
			}
		}
		if len(launched) > 8 {
			t.Errorf("%d kernels for pages of %d: %+v", len(launched), page, launched)
		}
	}
}
