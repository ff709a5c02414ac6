// Package ops computes with tensors:
//
//   - Elementwise lists the functions of single elements: Add, Sub, Mul, Div, Rem, Maximum, Minimum, Neg, Abs, Clamp; Eq, Ne,
//     Lt, Le, Gt, Ge, Where; And, Or, Xor, Not, Shl, Shr; Exp, Exp2, Expm1, Log, Log2, Log1p, Sqrt, Rsqrt, Sin, Cos, Tanh, Erf;
//     Floor, Ceil, Round; ReLU, GELU, GELUTanh, SiLU, Sigmoid
//   - Attention: FlashAttention-2
//   - Conv2D: convolution of images, by three algorithms; Im2Col, its columns
//   - Copy, Transpose, Permute: between any views
//   - Dropout
//   - LayerNorm, RMSNorm: normalisation of rows, with weight and bias
//   - Linear: x @ w.T + bias, a layer of a neural network
//   - MatMul: products of matrices, batches and vectors, with an epilogue fused behind them
//   - Philox: random words on tiles, for kernels of one's own
//   - Quantize, QuantizeWith, Dequantize: linear, in 8 and 4 bits, with a scale for each tensor, channel, group or block
//   - QuantizedMatMul: float activations times such weights
//   - Softmax, LogSoftmax: along any dimension, of any length
//   - Sum, Mean, Prod, Max, Min, ArgMax, ArgMin, Var: reductions over any dimensions
//   - Uniform, Normal: random numbers by seed and offset
//
// Each op is one file with its tile kernel, the rule that chooses the kernel's
// config for a device and a shape, and the bound on its rounding errors that the
// tests hold it to. An op checks everything before it launches; its error names
// the op, the argument and what was found. Results are new tensors; the form
// with Into writes into a given one.
//
// The package stands on package weft, through which it reaches every backend;
// it knows none of them.
package ops
