package ops

import (
	"cmp"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/recent"
)

// The descriptions, for benchmarks that build a kernel anew each time.
var (
	DescribeMatMul  = kernels.DescribeMatMul
	DescribeSoftmax = kernels.DescribeSoftmax
)

// SmallParts makes convolutions take few images at a time until restore is called.
func SmallParts(bytes, pixels int) (restore func()) {
	workspace, atOnce := maxWorkspace, pixelsAtOnce
	set := func(bytes, pixels int) {
		maxWorkspace, pixelsAtOnce = bytes, pixels
		recent.Forget()
	}
	set(bytes, pixels)
	return func() { set(workspace, atOnce) }
}

// Swap makes a product compute its transpose.
var Swap MatMulOption = matMulOption(func(c *productCall) { c.swap = true })

// PackConfig is the config of a copy of rows to longer ones.
var PackConfig = packConfig

// Declared is what an op's declaration says of its tensors.
type Declared struct {
	Inputs, More []string
	Needed       int
	Alike        int // of the inputs, those of one element type
	Output       string
	InPlace      bool
	Takes        func(weft.DType) bool
}

func declared[O callOptions](d *declaration[O], o O) Declared {
	return Declared{d.inputs, d.more, d.needed, cmp.Or(d.alike, len(d.inputs)), cmp.Or(d.output, "out"), d.inPlace, d.takes(o)}
}

// Declarations are those of the ops by name; those of products and of Dequantize name no inputs, which follow from the call.
func Declarations() map[string]Declared {
	all := map[string]Declared{
		"attention": declared(attentions, attentionOptions{}), "conv2d": declared(convolutions, convolution{}), "conv": declared(convolutions, convolution{}), "im2col": declared(im2cols, convolution{}),
		"layernorm": declared(norms, normOptions{}), "rmsnorm": declared(norms, normOptions{}),
		"layernorm_grad": declared(normGrads, normOptions{}), "rmsnorm_grad": declared(normGrads, normOptions{}),
		"softmax_grad": declared(softmaxGrads, softmaxOptions{}), "log_softmax_grad": declared(softmaxGrads, softmaxOptions{}),
		"group_norm": declared(groupNorms, normOptions{}), "group_norm_grad": declared(groupNormGrads, normOptions{}),
		"batch_norm": declared(batchNorms, normOptions{}), "batch_norm_inference": declared(givenNorms, normOptions{}), "batch_norm_grad": declared(batchNormGrads, normOptions{}),
		"cross_entropy": declared(losses, lossOptions{}), "nll_loss": declared(losses, lossOptions{}),
		"cross_entropy_grad": declared(lossGrads, lossOptions{}), "nll_loss_grad": declared(lossGrads, lossOptions{}),
		"softmax": declared(softmaxes, softmaxOptions{}), "log_softmax": declared(softmaxes, softmaxOptions{}),
		"uniform": declared(numbers, given{}), "normal": declared(numbers, given{}), "dropout": declared(dropouts, given{}),
		"quantize":      declared(quantizing, quantOptions{}),
		"linear_swiglu": declared(gatedLayers, given{}),
		"top_k":         declared(topKs, topKOptions{}),
		"cumsum":        declared(scans, newScan("cumsum", kernels.ReduceSum, 0, nil)), "cumprod": declared(scans, newScan("cumprod", kernels.ReduceProd, 0, nil)),
		"cummax": declared(scans, newScan("cummax", kernels.ReduceMax, 0, nil)), "cummin": declared(scans, newScan("cummin", kernels.ReduceMin, 0, nil)),
		"sort": declared(sortings, newSort("sort", 0, nil)), "arg_sort": declared(argSorts, newSort("arg_sort", 0, nil)),
		"bincount": declared(bincounts, countOptions{}), "unique": declared(uniques, given{}), "histogram": declared(histograms, countOptions{ranges: true}),
		"sample":       declared(samples, sampleOptions{}),
		"index_select": declared(gathers, indexedOptions{}), "take_along": declared(gathers, indexedOptions{}),
		"gather": declared(gathers, indexedOptions{}), "dynamic_slice": declared(dynamicSlices, indexedOptions{}),
		"index_update": declared(scatters, indexedOptions{}), "scatter_along": declared(scatters, indexedOptions{}),
		"scatter": declared(scatters, indexedOptions{}), "dynamic_update_slice": declared(sliceUpdates, indexedOptions{}),
		"concat": declared(concats, concatOptions{}), "stack": declared(concats, concatOptions{}),
		"pad": declared(pads, padOptions{}), "roll": declared(pads, padOptions{}),
		"embedding": declared(embeddings, given{}), "embedding_grad": declared(embeddingGrads, embeddingGrad{}),
		"cache_append":     declared(appends, given{}),
		"rotary":           declared(rotaries, rotaryOptions{}),
		"rotary_append":    declared(rotaryAppends, rotaryOptions{}),
		"conv_transpose2d": declared(transposedConvs, convGrad{}), "conv2d_weight_grad": declared(weightGrads, convGrad{}),
		"conv_transpose": declared(transposedConvs, convGrad{}), "conv_weight_grad": declared(weightGrads, convGrad{}),
		"reduce_window": declared(windows, windowCall{}), "max_pool": declared(windows, windowCall{}), "avg_pool": declared(windows, windowCall{}),
		"max_pool_indices": declared(indexedPools, windowCall{}), "max_unpool": declared(unpools, unpoolCall{}),
		"adaptive_pool": declared(windows, windowCall{}), "adaptive_pool_grad": declared(adaptiveGrads, windowCall{}), "reduce_window_grad": declared(windowGrads, windowCall{}),
		"resize": declared(resizes, resizeCall{}), "resize_grad": declared(resizeGrads, resizeCall{}),
	}
	for i := range kernels.Reducers {
		r := kernels.ReduceOp(i)
		all[r.String()] = declared(reductions, newReduction(r, nil))
	}
	return all
}
