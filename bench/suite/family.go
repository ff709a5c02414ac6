package suite

import (
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

// families group ops that are alike in what limits them, for overviews. An op without one stands for itself.
var families = func() map[string]string {
	of := map[string]string{"add": elementwiseFamily}
	for _, o := range ops.Elementwise() {
		of[o.Name] = elementwiseFamily
	}
	for _, r := range catalog.AllReductions {
		of[r.String()] = "reductions"
	}
	for family, names := range map[string][]string{
		"copies":                    {"copy", "transpose", "permute", "im2col", "concat", "stack", "pad", "roll"},
		"normalisation":             {"layernorm", "rmsnorm", "group_norm", "batch_norm", "batch_norm_inference"},
		"softmax":                   {"softmax", "log_softmax"},
		"gradients of rows":         {"softmax_grad", "log_softmax_grad", "layernorm_grad", "rmsnorm_grad", "group_norm_grad", "batch_norm_grad"},
		"losses":                    {"cross_entropy", "cross_entropy_grad", "nll_loss", "nll_loss_grad"},
		"random":                    {"uniform", "normal", "dropout", "sample"},
		"selection":                 {"top_k", "sort", "arg_sort", "bincount", "histogram", "unique"},
		"scans":                     {"cumsum", "cumprod", "cummax", "cummin"},
		"indices":                   {"index_select", "take_along", "gather", "dynamic_slice", "index_update", "scatter_along", "scatter", "dynamic_update_slice"},
		"rows by index":             {"embedding", "embedding_grad", "cache_append", "rotary_append"},
		"gradients of convolutions": {"conv_transpose2d", "conv2d_weight_grad", "conv_transpose", "conv_weight_grad"},
		"contractions":              {"einsum", "dot_general"},
		"windows":                   {"max_pool", "max_pool_indices", "max_unpool", "avg_pool", "reduce_window", "reduce_window_grad", "adaptive_pool", "adaptive_pool_grad"},
		"resizing":                  {"resize", "resize_grad"},
		"quantisation":              {"quantize", "dequantize"},
	} {
		for _, name := range names {
			of[name] = family
		}
	}
	return of
}()

const elementwiseFamily = "element-wise"

// Family is the group of the work's op.
func (w Work) Family() string {
	if f := families[w.Op]; f != "" {
		return f
	}
	return w.Op
}
