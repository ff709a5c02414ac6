package ops_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/recent"
	"github.com/weftgpu/weft/ops"
)

// repeated is an op with its operands, which tests fill with other numbers for each call.
type repeated struct {
	name    string
	inputs  []*weft.Tensor
	outputs []*weft.Tensor
	run     func(call int) error
}

// repeatedOps lists calls of ops that remember what they launched, with the options that launches depend on.
func repeatedOps(t *testing.T, dev *weft.Device) []repeated {
	made := func(elem weft.DType, shape ...int) *weft.Tensor {
		x, err := weft.Empty(dev, elem, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	f32 := func(shape ...int) *weft.Tensor { return made(weft.F32, shape...) }
	view := func(x *weft.Tensor, err error) *weft.Tensor {
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	q, k, v := f32(2, 4, 33, 24), f32(2, 2, 41, 24), f32(2, 2, 41, 24)
	mask, attended, lse := made(weft.Bool, 33, 41), f32(2, 4, 33, 24), f32(2, 4, 33)
	images, filters, bias := f32(3, 6, 11, 9), f32(4, 3, 3, 3), f32(4)
	pooled, spread, joined := f32(3, 6, 5, 4), f32(3, 6, 11, 9), f32(3, 4)
	sixth, means := f32(6), [2]*weft.Tensor{f32(6), f32(6)}
	maps, last, columns := f32(3, 4, 6, 5), f32(3, 6, 5, 4), f32(3, 54, 99)
	w := &ops.Quantized{QuantScheme: ops.QuantScheme{Bits: 4, Asymmetric: true, Block: [2]int{1, 16}}, Shape: [2]int{32, 48}, Packed: 1,
		Data: made(weft.U8, 32, 24), Scales: f32(32, 3), Zeros: made(weft.U8, 32, 3)}
	weights, a, product, residual := f32(32, 48), f32(7, 48), f32(7, 32), f32(7, 32)
	noise, wide := f32(13, 21), f32(13, 42)
	every := view(wide.SliceStep(1, 0, 42, 2))
	kept, x := made(weft.Bool, 13, 21), f32(13, 21)
	largest, places, sorted := f32(3, 21), made(weft.I32, 3, 21), made(weft.I32, 13, 21)
	few, shares := made(weft.I32, 7), f32(7)
	found := made(weft.I32, 3, 6, 5, 4)
	labels, lost, mean, logs, weighing := made(weft.I32, 13), f32(13), f32(), f32(13), f32(21)
	few15, which, places15, counts15 := made(weft.I32, 15), made(weft.I32, 1), made(weft.I32, 3, 5), made(weft.I32, 15)
	both, around, one := f32(13, 42), f32(28, 19), f32(1)
	sums := f32(150, 20)
	table, ids, embedded := f32(150, 20), made(weft.I32, 3, 5), f32(3, 5, 20)
	cosines := f32(210, 12)
	step, at, pages, cache := f32(2, 3, 4, 8), made(weft.I32, 2), made(weft.I32, 2, 5), f32(200, 3, 40, 8)
	cache = view(cache.Slice(0, 0, 2))
	lastStep, otherCache, turned, turns := f32(2, 3, 4, 8), f32(2, 3, 40, 8), f32(2, 6, 4, 8), f32(210, 4)
	stream := func(call int) ops.Stream { return ops.Stream{Seed: uint64(call) << 33, Offset: 400 * uint64(call)} }
	list := func(t ...*weft.Tensor) []*weft.Tensor { return t }
	channelsLast := view(images.Permute(0, 2, 3, 1))
	conv := []ops.Conv2DOption{ops.Groups(2), ops.Padding(1, 1), ops.Stride(2, 2), ops.Bias(bias), ops.Fuse(ops.ReLUMap)}
	return []repeated{
		{"attention", list(q, k, v), list(attended), func(int) error { return ops.AttentionInto(attended, q, k, v) }},
		{"attention, options", list(q, k, v, mask), list(attended, lse), func(int) error {
			return ops.AttentionInto(attended, q, k, v, ops.Causal(), ops.AttentionMask(mask), ops.LogSumExp(lse), ops.AttentionScale(0.3))
		}},
		{"attention, other options", list(q, k, v, mask), list(attended), func(int) error {
			return ops.AttentionInto(attended, q, k, v, ops.SlidingWindow(5, 2), ops.FromStart(), ops.AttentionMask(mask))
		}},
		{"conv2d", list(images, filters, bias), list(maps), func(int) error { return ops.Conv2DInto(maps, images, filters, conv...) }},
		{"conv2d, columns", list(images, filters, bias), list(maps), func(int) error {
			return ops.Conv2DInto(maps, images, filters, append(conv, ops.Algorithm(ops.ConvIm2Col))...)
		}},
		{"conv2d, channels last", list(images, filters, bias), list(last), func(int) error {
			return ops.Conv2DInto(last, channelsLast, filters, append(conv, ops.ChannelsLast(), ops.Algorithm(ops.ConvImplicit))...)
		}},
		{"im2col", list(images), list(columns), func(int) error { return ops.Im2ColInto(columns, images, 3, 3, ops.Padding(1, 1)) }},
		{"quantize", list(weights), list(w.Data, w.Scales, w.Zeros), func(int) error { return ops.QuantizeInto(w, weights) }},
		{"dequantize", list(w.Data, w.Scales, w.Zeros), list(weights), func(int) error { return ops.DequantizeInto(weights, w) }},
		{"quantized_matmul", list(a, w.Data, w.Scales, w.Zeros, residual), list(product), func(int) error {
			return ops.QuantizedMatMulInto(product, a, w.T(), ops.Bias(residual), ops.Fuse(ops.GELUMap))
		}},
		{"cache_append", list(step, at), list(cache), func(int) error { return ops.CacheAppend(cache, step, at, nil) }},
		{"cache_append, pages", list(step, at, pages), list(cache), func(int) error { return ops.CacheAppend(cache, step, at, pages) }},
		{"rotary", list(q, at), list(attended), func(int) error {
			return ops.RotaryInto(attended, q, ops.RotaryPositions(at), ops.RotaryDims(20), ops.RotaryBase(500))
		}},
		{"rotary, tables", list(q, at, cosines), list(attended), func(int) error {
			return ops.RotaryInto(attended, q, ops.RotaryPositions(at), ops.Interleaved(), ops.RotaryTables(cosines, cosines))
		}},
		{"rotary in place", nil, list(attended), func(int) error { return ops.RotaryInto(attended, attended, ops.RotaryDims(20)) }},
		{"rotary_append", list(step, lastStep, at), list(cache, otherCache, turned), func(int) error {
			return ops.RotaryAppend(cache, otherCache, turned, step, lastStep, at, nil, ops.RotaryBase(500))
		}},
		{"rotary_append, pages and tables", list(step, lastStep, at, pages, turns), list(cache, otherCache), func(int) error {
			return ops.RotaryAppend(cache, otherCache, nil, step, lastStep, at, pages, ops.RotaryTables(turns, turns), ops.Interleaved())
		}},
		{"embedding", list(table, ids), list(embedded), func(int) error { return ops.EmbeddingInto(embedded, table, ids) }},
		{"linear_swiglu", list(a, weights), list(product), func(int) error { return ops.LinearSwiGLUInto(product, a, weights, weights) }},
		{"top_k", list(x), list(largest, places), func(int) error { return ops.TopKInto(largest, places, x, 3, 0) }},
		{"softmax_grad", list(x, noise), list(noise), func(int) error { return ops.SoftmaxGradInto(noise, noise, x) }},
		{"batch_norm", list(images, sixth), list(spread, means[0], means[1]), func(int) error {
			return ops.BatchNormInto(spread, nil, nil, images, sixth, nil, 1, ops.Running(means[0], means[1], 0.5))
		}},
		{"batch_norm_inference", list(images, sixth), list(spread), func(int) error { return ops.BatchNormInferenceInto(spread, images, nil, sixth, sixth, sixth, 1) }},
		{"batch_norm_grad", list(images, sixth), list(spread, means[0], means[1]), func(int) error {
			return ops.BatchNormGradInto(spread, means[0], means[1], images, images, nil, sixth, sixth, 1)
		}},
		{"cross_entropy", list(x, labels), list(lost), func(int) error { return ops.CrossEntropyInto(lost, x, labels, ops.LabelSmoothing(0.1)) }},
		{"cross_entropy, mean", list(x, labels, weighing), list(mean, logs), func(int) error {
			return ops.CrossEntropyInto(mean, x, labels, ops.MeanLoss(), ops.ClassWeights(weighing), ops.LogSumExp(logs))
		}},
		{"cross_entropy_grad", list(x, labels, lost), list(noise), func(int) error { return ops.CrossEntropyGradInto(noise, x, labels, lost) }},
		{"nll_loss", list(x, labels), list(lost), func(int) error { return ops.NLLLossInto(lost, x, labels) }},
		{"sort", list(x), list(noise, sorted), func(int) error { return ops.SortInto(noise, sorted, x, 0, ops.Descending()) }},
		{"arg_sort", list(x), list(sorted), func(int) error { return ops.ArgSortInto(sorted, x, 1) }},
		{"unique", list(ids), list(few15, which, places15, counts15), func(int) error { return ops.UniqueInto(few15, which, places15, counts15, ids) }},
		{"bincount", list(ids), list(few), func(int) error { return ops.BincountInto(few, ids, 7) }},
		{"histogram", list(x, noise), list(shares), func(int) error { return ops.HistogramInto(shares, x, -1, 1, 7, ops.Weights(noise)) }},
		{"cumsum", list(x), list(noise), func(int) error { return ops.CumsumInto(noise, x, 0, ops.Reverse()) }},
		{"index_select", list(table, ids), list(embedded), func(int) error { return ops.IndexSelectInto(embedded, table, 0, ids) }},
		{"gather", list(table, ids), list(embedded), func(int) error {
			return ops.GatherInto(embedded, table, ids, ops.Windows{Vector: 2, Map: []int{0}, Dims: []int{2}, Dropped: []int{0}, Sizes: []int{1, 20}})
		}},
		{"dynamic_slice", list(x, at), list(largest), func(int) error { return ops.DynamicSliceInto(largest, x, at, 3, 21) }},
		{"index_update", list(table, ids, embedded), list(sums), func(int) error {
			return ops.IndexUpdateInto(sums, table, 0, ids, embedded, ops.ScatterMax)
		}},
		{"index_update, last", list(table, ids, embedded), list(sums), func(int) error {
			return ops.IndexUpdateInto(sums, table, 0, ids, embedded, ops.ScatterSet, ops.LastWins())
		}},
		{"index_update, deterministic", list(table, ids, embedded), list(sums), func(int) error {
			return ops.IndexUpdateInto(sums, table, 0, ids, embedded, ops.ScatterAdd, ops.Deterministic())
		}},
		{"dynamic_update_slice", list(x, at, largest), list(noise), func(int) error { return ops.DynamicUpdateSliceInto(noise, x, largest, at) }},
		{"concat", list(x, noise), list(both), func(int) error { return ops.ConcatInto(both, 1, x, noise) }},
		{"pad", list(x, one), list(around), func(int) error {
			return ops.PadInto(around, x, []ops.PadSize{{Low: 3, Interior: 1}, {High: -2}}, ops.PadValue(one))
		}},
		{"pad by another number", list(x), list(around), func(call int) error {
			return ops.PadInto(around, x, []ops.PadSize{{Low: 3, Interior: 1}, {High: -2}}, ops.PadValue(call%2))
		}},
		{"roll", list(x), list(noise), func(call int) error { return ops.RollInto(noise, x, []int{call}, 1) }},
		{"einsum", list(images, filters), list(joined), func(int) error {
			return ops.EinsumInto(joined, "nchw,fdpq->nf", []*weft.Tensor{images, filters})
		}},
		{"resize", list(images), list(pooled), func(int) error { return ops.ResizeInto(pooled, images, ops.ResizeLinear, []int{5, 4}) }},
		{"resize_grad", list(pooled), list(spread), func(int) error {
			return ops.ResizeGradInto(spread, pooled, ops.ResizeCubic, []int{11, 9}, ops.AlignCorners())
		}},
		{"max_pool", list(images), list(pooled), func(int) error { return ops.MaxPoolInto(pooled, images, ops.Window{Size: []int{2, 2}}) }},
		{"max_pool_indices", list(images), list(pooled, found), func(int) error {
			return ops.MaxPoolIndicesInto(pooled, found, images, ops.Window{Size: []int{2, 2}})
		}},
		{"max_unpool", list(pooled, found), list(spread), func(int) error { return ops.MaxUnpoolInto(spread, pooled, found, 11, 9) }},
		{"reduce_window_grad", list(images, pooled), list(spread), func(int) error {
			return ops.ReduceWindowGradInto(spread, images, pooled, ops.WindowMax, ops.Window{Size: []int{2, 2}})
		}},
		{"uniform", nil, list(noise), func(call int) error { return ops.UniformInto(noise, stream(call)) }},
		{"uniform of a view", nil, list(wide), func(call int) error { return ops.UniformInto(every, stream(call)) }},
		{"normal", nil, list(noise), func(call int) error { return ops.NormalInto(noise, stream(call)) }},
		{"dropout", list(x), list(noise), func(call int) error {
			return ops.DropoutInto(noise, x, 0.2*float64(call), stream(call), nil)
		}},
		{"dropout, mask", list(x), list(noise, kept), func(call int) error {
			return ops.DropoutInto(noise, every, 0.3, stream(call), kept)
		}},
	}
}

// A call that launches what one before did gives the same bits as one that chooses anew, whatever the operands hold now and
// whatever numbers it gets.
func TestCallsLikeOneBefore(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for _, op := range repeatedOps(t, dev) {
		t.Run(op.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for call := range 4 {
				fillAll(t, r, op.inputs)
				remembered := results(t, op, call)
				recent.Forget()
				anew := results(t, op, call)
				for i := range anew {
					if !bytes.Equal(remembered[i], anew[i]) {
						t.Errorf("call %d: output %d differs", call, i)
					}
				}
				results(t, op, call+1) // with other numbers, so that there is a call before the next
			}
		})
	}
}

// fillAll writes numbers into tensors that are whole.
func fillAll(t *testing.T, r *rand.Rand, tensors []*weft.Tensor) {
	for _, x := range tensors {
		write(t, x, func() float64 {
			switch x.DType() {
			case weft.F32:
				return r.NormFloat64()
			case weft.Bool:
				return float64(r.IntN(2))
			}
			return float64(r.IntN(200))
		})
	}
}

func write(t *testing.T, x *weft.Tensor, number func() float64) {
	data := make([]float64, x.Len())
	for i := range data {
		data[i] = number()
	}
	from, err := weft.FromFloats(x.Device(), x.DType(), data, x.Shape()...)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	if x.Rank() == 0 { // FromFloats takes "no shape" for one dimension
		if from, err = from.Reshape(); err != nil {
			t.Fatal(err)
		}
		defer from.Close()
	}
	if err := x.CopyFrom(from); err != nil {
		t.Fatal(err)
	}
}

// results are what the outputs hold, in which there was something else before.
func results(t *testing.T, op repeated, call int) (list [][]byte) {
	for _, out := range op.outputs {
		write(t, out, func() float64 { return 1 })
	}
	if err := op.run(call); err != nil {
		t.Fatal(err)
	}
	for _, out := range op.outputs {
		x, err := weft.ToFloats(out)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Append(nil, x))
	}
	return list
}
