package ops

// The activation functions of neural networks as maps: for tensors by Apply and Into,
// and within a matrix product by Fuse.
var (
	ReLUMap     = elementwiseMaps["relu"]      // max(x, 0); integers too
	GELUMap     = elementwiseMaps["gelu"]      // x·Φ(x), Φ being the normal distribution
	GELUTanhMap = elementwiseMaps["gelu_tanh"] // its approximation by tanh
	SiLUMap     = elementwiseMaps["silu"]      // x·sigmoid(x), also called swish
	SigmoidMap  = elementwiseMaps["sigmoid"]
	TanhMap     = elementwiseMaps["tanh"]
	SwiGLUMap   = elementwiseMaps["swiglu"] // silu(gate)·up; in Fuse the product is the gate
)
