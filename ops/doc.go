// Package ops computes with tensors:
//
//   - Elementwise lists the functions of single elements: Add, Sub, Mul, Div, Rem, Pow, Maximum, Minimum, Neg, Abs, Clamp; Eq, Ne,
//     Lt, Le, Gt, Ge, Where; And, Or, Xor, Not, Shl, Shr; Exp, Exp2, Expm1, Log, Log2, Log1p, Sqrt, Rsqrt, Sin, Cos, Tanh, Erf;
//     Floor, Ceil, Round; ReLU, GELU, GELUTanh, SiLU, Sigmoid, Softplus
//   - Attention: FlashAttention-2
//   - Conv2D: convolution of images, by three algorithms; Im2Col, its columns
//   - Copy, Transpose, Permute: between any views
//   - Dropout
//   - LayerNorm, RMSNorm: normalisation of rows, with weight and bias
//   - Linear: x @ w.T + bias, a layer of a neural network
//   - MatMul: products of matrices, batches and vectors, with an epilogue fused behind them
//   - Quantize, QuantizeWith, Dequantize: linear, in 8 and 4 bits, with a scale for each tensor, channel, group or block
//   - QuantizedMatMul: float activations times such weights
//   - Softmax, LogSoftmax: along any dimension, of any length
//   - Sum, Mean, Prod, Max, Min, ArgMax, ArgMin, Var: reductions over any dimensions
//   - Uniform, Normal: random numbers by seed and offset
//
// # Options
//
// Axis names the dimensions of reductions, softmax and normalisations; Bias and Fuse are the epilogue of products and
// convolutions; Tiles replaces the tiles of products, convolutions and attention. Other options belong to one family of ops and are
// listed with its type: MatMulOption, Conv2DOption, AttentionOption, ReduceOption, SoftmaxOption, NormOption.
//
// # Operands and results
//
// Operands are tensors of one device in any view: transposed, sliced, broadcast, reversed. What is element by
// element takes Go numbers in place of tensors, and broadcasts as NumPy does. Results are new dense tensors; the
// form with Into writes into a given one, of any view that does not repeat elements.
//
// An op checks everything before it launches. Its error names the op, the argument and what was found, and wraps
// a sentinel of package weft: ErrShape, ErrArgument for nil, an option or element types that do not fit together,
// ErrUnsupported for an element type that the op does not take, ErrDevice, ErrClosed, ErrLimit or ErrOutOfMemory. The element-wise functions have the errors of Add.
//
// # Precision
//
// Sums of floats are in F32 at least, whatever the element type, and results are rounded once. Package
// ops/bounds says how far an element may be from the exact result; the tests hold every backend to them.
//
// # Configs
//
// Sizes of tiles, threads and the like are chosen by a rule for the device and the shape (see package ops/kernels), by
// what package tune has measured, or by the caller (Tiles). They change no result beyond the bound.
//
// Kernels, their configs and the rules that choose them are in package ops/kernels, error bounds in package ops/bounds.
//
// The package stands on package weft, through which it reaches every backend;
// it knows none of them.
package ops
