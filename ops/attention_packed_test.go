package ops_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// starts are the cumulative lengths of sequences of random lengths up to one, which begin with 0.
func randomStarts(t *testing.T, dev *weft.Device, rng *rand.Rand, sequences, most int) ([]int32, *weft.Tensor) {
	t.Helper()
	list := []int32{0}
	for n := range sequences {
		list = append(list, list[n]+int32(rng.IntN(1+rng.IntN(most+1))))
	}
	starts, err := weft.FromSlice(dev, list, len(list))
	if err != nil {
		t.Fatal(err)
	}
	return list, starts
}

// Starts beyond the queries, however far, are their end.
func TestAttentionStartsBeyond(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(13, 2))
	for range 150 {
		n, groups, rows := 1+rng.IntN(6), 1+rng.IntN(2), 1+rng.IntN(40)
		q, _ := random(t, dev, rng, weft.F32, 1, groups*(1+rng.IntN(3)), rows, 8)
		kv, _ := random(t, dev, rng, weft.F32, n, groups, 9, 8)
		near := make([]int32, n+1)
		for i := range n {
			near[i+1] = min(near[i]+int32(rng.IntN(6*rows/n+2)), int32(rows))
		}
		far := slices.Clone(near)
		for i := range far {
			if i > 0 && near[i] == int32(rows) {
				far[i] = []int32{int32(rows) + 1, 1 << 29, math.MaxInt32}[rng.IntN(3)]
			}
		}
		slices.Sort(far)
		var results [2][]float64
		for i, list := range [][]int32{near, far} {
			starts, err := weft.FromSlice(dev, list, n+1)
			if err != nil {
				t.Fatal(err)
			}
			out, err := weft.Full(dev, weft.F32, -77, q.Shape()...)
			if err != nil {
				t.Fatal(err)
			}
			if err := ops.AttentionInto(out, q, kv, kv, ops.QueryStarts(starts)); err != nil {
				t.Fatal(err)
			}
			if results[i], err = weft.ToFloats(out); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(results[0], results[1]) {
			t.Errorf("starts %v give other rows than %v", far, near)
		}
	}
}

// Attention of packed sequences gives each what attention of it alone gives, whatever the config and the other options are, and
// leaves rows after the last one as they are.
func TestAttentionPackedLikeAlone(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(13, 1))
	for range 80 {
		n, groups := 1+rng.IntN(9), 1+rng.IntN(2)
		heads, head, elem := groups*(1+rng.IntN(3)), 1+rng.IntN(80), floatTypes[rng.IntN(3)]
		queries, queryStarts := randomStarts(t, dev, rng, n, 50)
		keys, keyStarts := randomStarts(t, dev, rng, n, 90)
		form := rng.IntN(4) // packed queries and keys, packed queries, packed keys, pages
		rows, same := int(queries[n])+1+rng.IntN(3), 1+rng.IntN(20)
		tiles := ops.Tiles(ops.AttentionConfig{BM: 8 << rng.IntN(2), BN: 16, Parts: 1})
		var options []ops.AttentionOption
		if rng.IntN(2) == 0 {
			options = append(options, ops.Causal())
		}
		if rng.IntN(3) == 0 {
			options = append(options, ops.SlidingWindow(rng.IntN(40), rng.IntN(20)))
		}
		if rng.IntN(3) == 0 {
			options = append(options, ops.FromStart())
		}
		if rng.IntN(4) == 0 {
			options = append(options, ops.AttentionScale(-0.3))
		}
		q, _ := random(t, dev, rng, elem, 1, heads, rows, head)
		k, x := random(t, dev, rng, elem, 1, groups, int(keys[n])+2, head)
		v, y := random(t, dev, rng, elem, 1, groups, int(keys[n])+2, head)
		kOf := func(x *weft.Tensor, i int) *weft.Tensor { return mustSlice(t, x, 2, int(keys[i]), int(keys[i+1])) }
		packed := append([]ops.AttentionOption{tiles}, options...)
		allK, allV := k, v
		switch form {
		case 0:
			packed = append(packed, ops.QueryStarts(queryStarts), ops.KeyStarts(keyStarts))
		case 1, 3: // keys of all sequences have room for the longest, or pages
			each := 4
			cache := newPagedCache(rng, n, 16*each, 16)
			lengths := make([]int32, n)
			spread := func(x []float64) *weft.Tensor {
				data := make([]float64, n*groups*16*each*head)
				for i := range n {
					lengths[i] = min(keys[i+1]-keys[i], int32(16*each))
					for h := range groups {
						from := (h*(int(keys[n])+2) + int(keys[i])) * head
						copy(data[(i*groups+h)*16*each*head:], x[from:from+int(lengths[i])*head])
					}
				}
				if form == 3 {
					return cache.pool(t, dev, elem, data, n, groups, head)
				}
				all, err := weft.FromFloats(dev, elem, data, n, groups, 16*each, head)
				if err != nil {
					t.Fatal(err)
				}
				return all
			}
			allK, allV = spread(x), spread(y)
			counts, err := weft.FromSlice(dev, lengths, n)
			if err != nil {
				t.Fatal(err)
			}
			packed = append(packed, ops.QueryStarts(queryStarts), ops.KeyLengths(counts))
			if form == 3 {
				table, err := weft.FromSlice(dev, cache.table, n, each)
				if err != nil {
					t.Fatal(err)
				}
				packed = append(packed, ops.BlockTable(table))
			}
			kOf = func(x *weft.Tensor, i int) *weft.Tensor {
				return mustSlice(t, x, 2, int(keys[i]), int(keys[i]+lengths[i]))
			}
		case 2:
			q, _ = random(t, dev, rng, elem, n, heads, same, head)
			packed = append(packed, ops.KeyStarts(keyStarts))
		}
		qOf := func(x *weft.Tensor, i int) *weft.Tensor {
			if form == 2 {
				return mustSlice(t, x, 0, i, i+1)
			}
			return mustSlice(t, x, 2, int(queries[i]), int(queries[i+1]))
		}
		full := func(elem weft.DType, shape []int) *weft.Tensor {
			x, err := weft.Full(dev, elem, -77, shape...)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		out, lse := full(elem, q.Shape()), full(weft.F32, q.Shape()[:3])
		if err := ops.AttentionInto(out, q, allK, allV, append(packed, ops.LogSumExp(lse))...); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			part := qOf(q, i)
			alone := full(weft.F32, part.Shape()[:3])
			want, err := ops.Attention(part, kOf(k, i), kOf(v, i), append(append([]ops.AttentionOption{tiles}, options...), ops.LogSumExp(alone))...)
			if err != nil {
				t.Fatal(err)
			}
			if !alike(t, qOf(out, i), want) || !alike(t, qOf(lse, i), alone) {
				t.Fatalf("form %d, %v: sequence %d of queries %v and keys %v is not as alone", form, elem, i, queries, keys)
			}
		}
		if form != 2 && !bytes.Equal(bitsOf(t, mustSlice(t, out, 2, int(queries[n]), rows)), bitsOf(t, full(elem, []int{1, heads, rows - int(queries[n]), head}))) {
			t.Fatalf("form %d: rows after the last sequence, %v of %d, were written", form, queries, rows)
		}
	}
}

func mustSlice(t *testing.T, x *weft.Tensor, dim, from, to int) *weft.Tensor {
	t.Helper()
	s, err := x.Slice(dim, from, to)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// alike reports whether two tensors differ by rounding alone.
func alike(t *testing.T, a, b *weft.Tensor) bool {
	t.Helper()
	x, err := weft.ToFloats(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := weft.ToFloats(b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x {
		if x[i] != y[i] && !(math.Abs(x[i]-y[i]) <= (1e-5+4*a.DType().Epsilon())*(1+math.Abs(y[i]))) {
			return false
		}
	}
	return true
}

// Starts of any numbers read no keys but those of k: results are 1, the only value that there is, 0 for sequences without keys, or unwritten.
func TestAttentionAnyStarts(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(17, 1))
	const before, queries, keys, head, sequences = -7, 23, 37, 5, 4
	// within is a tensor [1,2,n,head] of one number in a tensor of another.
	within := func(n int, x, around float32) (part, whole *weft.Tensor) {
		whole = must(weft.Full(dev, weft.F32, around, 1, 2, n+6, head))
		part = mustSlice(t, whole, 2, 3, 3+n)
		if err := part.Fill(x); err != nil {
			t.Fatal(err)
		}
		return part, whole
	}
	nan := float32(math.NaN())
	q, _ := within(queries, 1, nan)
	k, _ := within(keys, 1, nan)
	v, _ := within(keys, 1, nan)
	draw := func(rows int) []int32 {
		list := make([]int32, sequences+1)
		for i := range list {
			list[i] = []int32{rng.Int32N(int32(rows)), rng.Int32N(int32(rows)), -3, int32(rows) + 2, math.MinInt32, math.MaxInt32}[rng.IntN(6)]
		}
		return list
	}
	for range 50 {
		ofQueries, ofKeys := draw(queries), draw(keys)
		out, whole := within(queries, before, before)
		options := []ops.AttentionOption{ops.QueryStarts(must(weft.FromSlice(dev, ofQueries, sequences+1))), ops.KeyStarts(must(weft.FromSlice(dev, ofKeys, sequences+1)))}
		if err := ops.AttentionInto(out, q, k, v, options...); err != nil {
			t.Fatal(err)
		}
		for i, x := range must(weft.ToFloats(whole)) {
			row := i / head % (queries + 6)
			if inside := row >= 3 && row < 3+queries; x != before && (!inside || x != 0 && math.Abs(x-1) > 1e-6) {
				t.Fatalf("starts %v and %v: row %d is %v", ofQueries, ofKeys, row-3, x)
			}
		}
	}
}

// A sequence whose keys end before they start has none, so that its rows are 0.
func TestAttentionFallingKeyStarts(t *testing.T) {
	dev := openCPU(t)
	const queries, keys, head = 23, 37, 5
	q, kv := must(weft.Full(dev, weft.F32, float32(1), 1, 2, queries, head)), must(weft.Full(dev, weft.F32, float32(1), 1, 2, keys, head))
	even, falling := must(weft.FromSlice(dev, []int32{0, 5, 9, 14, queries}, 5)), must(weft.FromSlice(dev, []int32{-4, 8, 2, 20, math.MaxInt32}, 5))
	for i, x := range must(weft.ToFloats(must(ops.Attention(q, kv, kv, ops.QueryStarts(even), ops.KeyStarts(falling))))) {
		want := 1.0
		if row := i / head % queries; row >= 5 && row < 9 { // of the second sequence
			want = 0
		}
		if math.Abs(x-want) > 1e-6 { // a mean of ones
			t.Fatalf("element %d is %v, want %v", i, x, want)
		}
	}
}
