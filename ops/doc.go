// Package ops computes with tensors. The form with Into, such as MatMulInto, writes into a tensor that is given.
//
// Products:
//
//	MatMul           a @ b: of matrices, of batches of them and of vectors; with an epilogue
//	Einsum           products of tensors with sums over any dimensions, as letters say
//	DotGeneral       products of two tensors over dimensions that are named
//	Linear           x @ w.T + bias: a layer of a neural network
//	LinearSwiGLU     SiLU(x @ gate.T) · (x @ up.T): the first half of the MLP of a Llama
//	QuantizedMatMul  float activations times quantised weights
//	Conv2D           convolution of images, by three algorithms
//	ConvTranspose2D  transposed convolution, the gradient of Conv2D's images
//	Conv2DWeightGrad the gradient of Conv2D's weights
//	Conv             convolution of lines, images or volumes
//	ConvTranspose    the gradient of what Conv convolves
//	ConvWeightGrad   the gradient of Conv's weights
//	Im2Col           the columns whose product with the weights is the convolution
//	Attention        softmax(q @ k.T · scale + mask) @ v, without the scores in memory (FlashAttention-2)
//
// Windows of the last dimensions, of any sizes, strides, dilations and padding (Window):
//
//	ReduceWindow     sums, means, products, largest and smallest elements of windows
//	ReduceWindowGrad the gradient of ReduceWindow
//	MaxPool          the largest element of each window
//	MaxPoolIndices   the largest element of each window, and where it is
//	MaxUnpool        elements put back where they were
//	AvgPool          the mean of each window
//	AdaptivePool     reductions of parts that are as equal as can be
//	AdaptivePoolGrad the gradient of its sums and means
//	Resize           images of other sizes, by nearest elements, linearly or cubically
//	ResizeGrad       its gradient
//
// Rows:
//
//	Softmax            e^x / sum(e^x), along one dimension of any length
//	LogSoftmax         x - log(sum(e^x))
//	SoftmaxGrad        the gradient of Softmax, from its result
//	LogSoftmaxGrad     the gradient of LogSoftmax, from its result
//	CrossEntropy       losses of logits with indices of classes, or probabilities, without a softmax in memory
//	CrossEntropyGrad   the gradient of CrossEntropy
//	NLLLoss            losses of logarithms of probabilities
//	NLLLossGrad        the gradient of NLLLoss
//	LayerNorm          (x - mean) / sqrt(variance + epsilon) · weight + bias
//	RMSNorm            x / sqrt(mean(x²) + epsilon) · weight
//	LayerNormGrad      the gradients of x, weight and bias of LayerNorm
//	RMSNormGrad        the gradients of x and weight of RMSNorm
//	GroupNorm          LayerNorm of groups of channels, or of single ones
//	GroupNormGrad      the gradients of x, weight and bias of GroupNorm
//	BatchNorm          normalisation of channels over a batch, with running statistics
//	BatchNormInference by given statistics
//	BatchNormGrad      the gradients of x, weight and bias of BatchNorm
//	Rotary             rotary position embedding
//	Cumsum             the sums of the elements so far along a dimension
//	Cumprod            the products
//	Cummax             the largest elements
//	Cummin             the smallest elements
//	Sort               the elements along a dimension in order, and their indices
//	ArgSort            the indices
//	Unique             the different elements in order, how many, which one each is, and counts
//	TopK               the k largest elements along a dimension, in order, and their indices
//
// Counting:
//
//	Bincount         how often each integer is an element, or the sums of weights
//	Histogram        how many elements are in each of ranges of one size
//
// Reductions, over any dimensions:
//
//	Sum              the sum
//	Mean             the mean
//	Prod             the product
//	Var              the variance
//	Max              the largest
//	Min              the smallest
//	ArgMax           the position of the first largest, I32
//	ArgMin           the position of the first smallest, I32
//	Norm1            the sum of magnitudes
//	Norm2            the Euclidean norm
//	ReduceLogSumExp  log(sum(e^x))
//	All              whether all are true, Bool
//	Any              whether one is true, Bool
//	ReduceAnd        the conjunction of bits or Bools
//	ReduceOr         the disjunction
//	ReduceXor        the exclusive disjunction
//
// Arithmetic:
//
//	Add              a + b
//	Sub              a - b
//	Mul              a · b
//	Div              a / b; of integers truncated
//	Rem              the remainder of a / b with the sign of a
//	Mod              the remainder of a / b with the sign of b
//	Pow              a to the power of b
//	Neg              -x
//	Abs              |x|
//	Sign             -1, 0 or 1
//	Square           x·x
//	Reciprocal       1 / x
//	Maximum          the larger of a and b
//	Minimum          the smaller of a and b
//	Clamp            x, not below lo and not above hi
//
// Comparisons and choice:
//
//	Eq               a == b, Bool as those that follow
//	Ne               a != b
//	Lt               a < b
//	Le               a <= b
//	Gt               a > b
//	Ge               a >= b
//	Where            x where cond holds, else y
//	IsNaN            whether x is NaN, Bool as those that follow
//	IsInf            whether x is an infinity
//	IsFinite         whether x is neither
//
// Functions of floats:
//
//	Exp              e^x
//	Exp2             2^x
//	Expm1            e^x - 1, exact for small x
//	Log              the natural logarithm
//	Log2             the logarithm to base 2
//	Log1p            log(1 + x), exact for small x
//	Sqrt             the square root
//	Rsqrt            1 / sqrt(x)
//	Cbrt             the cube root
//	Hypot            √(a² + b²)
//	LogAddExp        log(e^a + e^b)
//	Sin              the sine, of radians
//	Cos              the cosine, of radians
//	Tan              the tangent, of radians
//	Asin             the arc sine
//	Acos             the arc cosine
//	Atan             the arc tangent
//	Atan2            the angle of the point (x, y)
//	Sinh             the hyperbolic sine
//	Cosh             the hyperbolic cosine
//	Tanh             the hyperbolic tangent
//	Asinh            the inverse hyperbolic sine
//	Acosh            the inverse hyperbolic cosine
//	Atanh            the inverse hyperbolic tangent
//	Erf              the error function
//	Floor            the next integer below or at x
//	Ceil             the next integer above or at x
//	Round            the nearest integer, halves to even
//	Trunc            the next integer toward zero
//
// Activations, and a map of each for Fuse (ReLUMap and so on):
//
//	ReLU             max(x, 0)
//	GELU             x·Φ(x), Φ being the normal distribution
//	GELUTanh         GELU approximated by tanh
//	SiLU             x·sigmoid(x), also called swish
//	SwiGLU           SiLU(gate)·up
//	Sigmoid          1 / (1 + e^-x)
//	Softplus         log(1 + e^x)
//	LogSigmoid       log(sigmoid(x))
//	HardSigmoid      x/6 + 1/2 within 0 and 1
//	HardSwish        x·HardSigmoid(x)
//	Mish             x·tanh(log(1 + e^x))
//	LeakyReLU        x, or slope·x below 0
//	ELU              x, or alpha·(e^x - 1) below 0
//
// Bits of integers:
//
//	And              a & b
//	Or               a | b
//	Xor              a ^ b
//	Not              the complement of x
//	Shl              a << b
//	Shr              a >> b
//	ShrLogical       a >> b, zeros coming in
//	BitCount         how many bits are set
//	Clz              how many bits before the first that is set are not
//
// Copies between any views:
//
//	Copy             a dense copy; CopyInto converts and broadcasts
//	Transpose        with the last two dimensions swapped
//	Permute          with the dimensions in any order
//	Concat           tensors one after the other along a dimension
//	Stack            tensors of one shape along a new dimension
//	Pad              a tensor with elements around it and between its own, or with fewer
//	Roll             a tensor whose elements are shifted, from one end of a dimension to the other
//
// Parts of tensors, by indices on the device:
//
//	IndexSelect         the slices along a dimension that indices name
//	TakeAlong           an element along a dimension for each index
//	Gather              windows of any shape, as XLA has them (Windows)
//	DynamicSlice        a part that starts where a vector says
//	IndexUpdate         updates of slices: set, added, multiplied, the smaller or the larger one
//	ScatterAlong        an update along a dimension for each index
//	Scatter             updates of windows
//	DynamicUpdateSlice  an update of a part that starts where a vector says
//
// Rows of tables and caches, by indices on the device:
//
//	Embedding        the rows of a table that ids name
//	EmbeddingGrad    the gradient of its table
//	CacheAppend      rows written into a cache of keys or values, whole or in pages
//	RotaryAppend     rotary embedding of queries and keys, and both caches' new rows, in one launch
//
// Random numbers, by seed and offset (Stream):
//
//	Uniform          uniform on [0,1)
//	Normal           of mean 0 and variance 1
//	Dropout          x / (1-p), or 0 with probability p
//	Sample           tokens by their logits, of the k largest or those with a share p
//
// Quantisation to 8 and 4 bits, with a scale for each tensor, channel, group or block. Integers, the numbers of a code book
// in 4 bits (NF4, FP4, NewCodeBook) or floats in 8 (FP8); scales may be powers of two, as of MXFP4 and MXFP8:
//
//	Quantize         the integers, scales and zero points of x
//	QuantizeWith     the integers of x for scales that are given
//	Dequantize       the floats of such integers
//
// # Options
//
// An option is an argument of every op of its family; another op does not compile with it.
//
//	Axis            the dimensions that reductions, softmax, losses and normalisations work along
//	KeepDims        a reduction keeps what it reduces as dimensions of size 1
//	Correction      Var divides by n minus this, 0 if not given
//	Temperature     softmax of x, or tokens by logits, divided by this
//	LabelSmoothing  losses: targets are mixed with equal probabilities of all classes
//	IgnoreIndex     losses: the index of targets that are ignored, -100 if not given
//	ClassWeights    losses: a tensor with a weight for each class
//	MeanLoss        losses: the mean of all rows, on the device
//	SumLoss         losses: the sum of all rows
//	Weights         counts: a tensor whose elements are added up instead
//	Exclusive       cumulative ops: without the element itself
//	Reverse         cumulative ops: from the last element on
//	Descending      sorts: the largest element first
//	SampleTopK      sampling: how many of the largest logits are kept
//	SampleSteps     sampling: a tensor that says how far each row has used the stream
//	SampleTopP      sampling: the probability that the tokens that are kept have together
//	Epsilon         what normalisations add before the root
//	Running         the mean and the variance that BatchNorm updates
//	Residual        what normalisations add first, and a tensor for the sum
//	Bias            products and convolutions: a tensor to be added to the result
//	Fuse            products and convolutions: a map of the result
//	Alpha           products: a factor of the product
//	Beta            products: a factor of what the result held before, which is added
//	Precision       products, of tensors too: the least precision for F32
//	ResultType      products: the element type of the result
//	Pack            products: whether operands are copied into aligned rows, or weights dequantised, first
//	LastWins        scatters: the last of several updates of an element wins
//	Deterministic   scatters: sums and products of floats that are the same in every run
//	PadValue        padding: what stands around a tensor, a number or a tensor
//	PadWith         padding: elements of the tensor itself: its edge, reflections, or its other end
//	AlignCorners    resizing: the first and the last element stay where they are
//	ResizeScales    resizing: by scales in place of sizes
//	Padding         convolutions: zeros around the image
//	PaddingSides    convolutions: zeros on each side
//	Stride          convolutions: steps of the window
//	Dilation        convolutions: steps within the window
//	Groups          convolutions: groups of channels
//	ChannelsLast    convolutions: images are [N,H,W,C]
//	Algorithm       convolutions: ConvImplicit, ConvIm2Col or another way
//	Causal          attention: no key after the query
//	SlidingWindow   attention: keys near the query alone
//	FromStart       attention: query 0 is aligned with key 0, instead of the last query with the last key
//	AttentionMask   attention: a tensor that hides keys or is added to scores
//	AttentionScale  attention: the factor of scores
//	KeyLengths      attention: a tensor with the number of keys of each batch
//	BlockTable      attention: a tensor with the pages of each batch, of pools of keys and values
//	QueryStarts     attention: a tensor with the starts of sequences whose queries are packed in one batch
//	KeyStarts       attention: the same of keys and values
//	LogSumExp       attention and losses: a tensor for the logarithm of each query's or row's sum
//	RotaryPositions rotary embedding: a tensor with the position of each batch
//	RotaryBase      rotary embedding: the base of the frequencies, 10000 if not given
//	RotaryDims      rotary embedding: how many elements of a row are rotated
//	RotaryTables    rotary embedding: cosines and sines in place of a base
//	Interleaved     rotary embedding: pairs are neighbours, not in the halves of a row
//	Tiles           products, convolutions and attention: fields of a config to replace what was chosen
//
// # Operands and results
//
// Operands are tensors of one device in any view: transposed, sliced, broadcast, reversed. Element-wise
// functions take Go numbers in place of tensors, and broadcast as NumPy does. Results are new dense tensors; the
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
// Sizes of tiles, threads and the like are chosen by a rule for the device and the shape, by
// what package tune has measured, or by the caller (Tiles). They change no result beyond the bound.
//
// The package builds on package weft, through which it reaches every backend;
// it knows none of them.
package ops
