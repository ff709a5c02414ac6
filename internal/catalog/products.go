package catalog

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	weftops "github.com/weftgpu/weft/ops"
)

var convFlags = []string{"stride", "pad", "dilation", "channels-last"}

// productOps are matrix products and what is made of them.
var productOps = []*Op{
	{Name: "matmul", Function: "MatMul", About: "C = A @ B of A [M,K] and B [K,N], or batches of them",
		Shape: "[Bx]MxNxK", Example: "4096x4096x4096 --dtype f16 --layout nt", Takes: []string{"layout"},
		want: "MxNxK or BxMxNxK", sizes: []string{"M N K", "batch M N K"}, check: checkMatMul, problem: matMul},
	{Name: "linear", Function: "Linear", About: "y = x @ w.T + bias of x [M,K], w [N,K] and bias [N]",
		Shape: "MxNxK", Example: "2048x4096x4096 --dtype bf16", want: "MxNxK", sizes: []string{"M N K"}, problem: linear},
	{Name: "linear_swiglu", Function: "LinearSwiGLU", About: "y = SiLU(x @ gate.T) · (x @ up.T) of x [M,K], gate and up [N,K]",
		Shape: "MxNxK", Example: "1x14336x4096 --dtype f16", want: "MxNxK", sizes: []string{"M N K"}, problem: linearSwiGLU},
	{Name: "conv2d", Function: "Conv2D", About: "convolution of images x [N,C,H,W] with weights [K,C/groups,R,S]",
		Shape: "NxCxHxW,KxCxRxS", Example: "32x64x56x56,64x64x3x3 --pad 1", Takes: append([]string{"groups"}, convFlags...), parse: parseConv},
	{Name: "conv", Function: "Conv", About: "convolution of x [N,C,…] with weights [K,C/groups,…] of one to three spatial dimensions",
		Shape: "NxCx…,KxCx…", Example: "4x64x16x56x56,64x64x3x3x3 --pad 1", Takes: append([]string{"groups"}, convFlags...), parse: parseSpatial},
	{Name: "im2col", Function: "Im2Col", About: "columns of images x [N,C,H,W] under a kernel of R rows and S columns",
		Shape: "NxCxHxW,RxS", Example: "8x64x56x56,3x3 --pad 1", Takes: convFlags, parse: parseIm2Col},
	{Name: "attention", Function: "Attention", About: "softmax(q @ kᵀ / √D) @ v of q [B,H,Sq,D], k and v [B,H,Sk,D]",
		Shape: "BxHxSxD or BxHxSqxSkxD", Example: "4x32x4096x128 --causal --dtype f16", Takes: []string{"causal", "kv-heads"},
		want: "BxHxSxD, or BxHxSqxSkxD", sizes: []string{"B H S D", "B H Sq Sk D"}, check: checkAttention, problem: attention},
}

func checkMatMul(o Options, _ []int) error {
	if !slices.Contains([]string{"nn", "nt", "tn", "tt"}, o.Layout) {
		return fault.New(weft.ErrArgument, "matmul", "--layout %s, want nn, nt, tn or tt", o.Layout)
	}
	return nil
}

func matMul(o Options, _, sizes []int) Problem {
	d := len(sizes) - 3
	batch, m, n, k := sizes[:d:d], sizes[d], sizes[d+1], sizes[d+2]
	a, b, c := o.operand("A", append(batch, m, k)...), o.operand("B", append(batch, k, n)...), o.operand("C", append(batch, m, n)...)
	a.Transposed, b.Transposed = o.Layout[0] == 't', o.Layout[1] == 't'
	if c.Elem.IsInt() {
		c.Elem = weft.I32
	}
	return Problem{
		In:  []Operand{a, b},
		Out: []Operand{c},
		Run: func(out, in []*weft.Tensor) error { return weftops.MatMulInto(out[0], in[0], in[1]) },
	}
}

func linear(o Options, _, sizes []int) Problem {
	m, n, k := sizes[0], sizes[1], sizes[2]
	return Problem{
		In:  []Operand{o.operand("x", m, k), o.operand("w", n, k), o.operand("bias", n)},
		Out: []Operand{o.operand("y", m, n)},
		Run: func(out, in []*weft.Tensor) error { return weftops.LinearInto(out[0], in[0], in[1], in[2]) },
	}
}

func linearSwiGLU(o Options, _, sizes []int) Problem {
	m, n, k := sizes[0], sizes[1], sizes[2]
	return Problem{
		In:  []Operand{o.operand("x", m, k), o.operand("gate", n, k), o.operand("up", n, k)},
		Out: []Operand{o.operand("y", m, n)},
		Run: func(out, in []*weft.Tensor) error { return weftops.LinearSwiGLUInto(out[0], in[0], in[1], in[2]) },
	}
}

// Result is the length of a convolution's result, of n elements under a kernel of so many.
func (o Options) Result(n, kernel int) int {
	return (n+2*o.Pad-o.Dilation*(kernel-1)-1)/max(o.Stride, 1) + 1
}

// ResultC is Result of a variable in C.
func (o Options) ResultC(n string, kernel int) string {
	return fmt.Sprintf("(%s + %d) / %d + 1", n, 2*o.Pad-o.Dilation*(kernel-1)-1, max(o.Stride, 1))
}

// image is a shape of images in the order asked for.
func (o Options) image(n, c, h, w int) []int {
	if o.ChannelsLast {
		return []int{n, h, w, c}
	}
	return []int{n, c, h, w}
}

func parseConv(s Shape, o Options) (*Call, error) {
	if len(s.Tensors) != 2 || len(s.Tensors[0]) != 4 || len(s.Tensors[1]) != 4 {
		return nil, wrong("conv2d", "NxCxHxW,KxCxRxS: the images and the weights", s)
	}
	x, w := s.Tensors[0], s.Tensors[1]
	if w[1] != x[1] && w[1]*o.Groups != x[1] {
		return nil, fault.New(weft.ErrShape, "conv2d", "weights of %s, the images have %d", fault.Count(w[1], "channel"), x[1])
	}
	kernel := w[2:]
	if err := o.checkWindow("conv2d", x[2:], kernel); err != nil {
		return nil, err
	}
	return &Call{Kernel: kernel, Sizes: sizesOf("N C H W K", x[0], x[1], x[2], x[3], w[0]), Problem: func(sizes []int) Problem {
		n, c, h, w, k := sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]
		p, q := o.Result(h, kernel[0]), o.Result(w, kernel[1])
		return Problem{
			In:  []Operand{o.operand("x", o.image(n, c, h, w)...), o.operand("weight", k, c/max(o.Groups, 1), kernel[0], kernel[1])},
			Out: []Operand{o.operand("y", o.image(n, k, p, q)...)},
			Run: func(out, in []*weft.Tensor) error {
				return weftops.Conv2DInto(out[0], in[0], in[1], append(o.Conv(), weftops.Groups(o.Groups))...)
			},
		}
	}}, nil
}

func parseSpatial(s Shape, o Options) (*Call, error) {
	const usage = "NxCx…,KxCx… of one to three spatial dimensions each: x and the weights"
	if len(s.Tensors) != 2 || len(s.Tensors[0]) < 3 || len(s.Tensors[0]) > 5 || len(s.Tensors[1]) != len(s.Tensors[0]) {
		return nil, wrong("conv", usage, s)
	}
	x, w := s.Tensors[0], s.Tensors[1]
	if w[1] != x[1] && w[1]*o.Groups != x[1] {
		return nil, fault.New(weft.ErrShape, "conv", "weights of %s, x has %d", fault.Count(w[1], "channel"), x[1])
	}
	kernel := slices.Clone(w[2:])
	if err := o.checkWindow("conv", x[2:], kernel); err != nil {
		return nil, err
	}
	names := map[int]string{3: "N C L K", 4: "N C H W K", 5: "N C D H W K"}[len(x)]
	options := []weftops.Conv2DOption{weftops.Stride(o.Stride), weftops.Padding(o.Pad), weftops.Dilation(o.Dilation), weftops.Groups(o.Groups)}
	if o.ChannelsLast {
		options = append(options, weftops.ChannelsLast())
	}
	return &Call{Kernel: kernel, Sizes: sizesOf(names, append(slices.Clone(x), w[0])...), Problem: func(sizes []int) Problem {
		last := len(sizes) - 1
		n, c, spatial, k := sizes[0], sizes[1], sizes[2:last], sizes[last]
		var results []int
		for d, size := range spatial {
			results = append(results, o.Result(size, kernel[d]))
		}
		of := func(channels int, spatial []int) []int {
			if o.ChannelsLast {
				return slices.Concat([]int{n}, spatial, []int{channels})
			}
			return slices.Concat([]int{n, channels}, spatial)
		}
		return Problem{
			In:  []Operand{o.operand("x", of(c, spatial)...), o.operand("weight", slices.Concat([]int{k, c / max(o.Groups, 1)}, kernel)...)},
			Out: []Operand{o.operand("y", of(k, results)...)},
			Run: func(out, in []*weft.Tensor) error { return weftops.ConvInto(out[0], in[0], in[1], options...) },
		}
	}}, nil
}

// checkWindow refuses windows that cannot move over an image.
func (o Options) checkWindow(op string, image, kernel []int) error {
	for d, n := range image {
		switch size := o.Dilation*(kernel[d]-1) + 1; {
		case o.Stride < 1 || o.Dilation < 1 || o.Groups < 1 || o.Pad < 0 || max(o.Stride, o.Dilation, o.Groups, o.Pad) > 1<<20:
			return fault.New(weft.ErrArgument, op, "stride %d, dilation %d, groups %d and padding %d, want 1 to 2^20 (padding 0 to 2^20)",
				o.Stride, o.Dilation, o.Groups, o.Pad)
		case kernel[d] < 1 || size > n+2*o.Pad:
			return fault.New(weft.ErrShape, op, "a kernel of size %d does not fit an image of size %d with its padding", size, n+2*o.Pad)
		}
	}
	return nil
}

func parseIm2Col(s Shape, o Options) (*Call, error) {
	if len(s.Tensors) != 2 || len(s.Tensors[0]) != 4 || len(s.Tensors[1]) != 2 {
		return nil, wrong("im2col", "NxCxHxW,RxS: the images and the kernel", s)
	}
	x, kernel := s.Tensors[0], s.Tensors[1]
	if err := o.checkWindow("im2col", x[2:], kernel); err != nil {
		return nil, err
	}
	return &Call{Kernel: kernel, Sizes: sizesOf("N C H W", x...), Problem: func(sizes []int) Problem {
		n, c, h, w := sizes[0], sizes[1], sizes[2], sizes[3]
		p, q := o.Result(h, kernel[0]), o.Result(w, kernel[1])
		return Problem{
			In:  []Operand{o.operand("x", o.image(n, c, h, w)...)},
			Out: []Operand{o.operand("columns", n, c*kernel[0]*kernel[1], p*q)},
			Run: func(out, in []*weft.Tensor) error {
				return weftops.Im2ColInto(out[0], in[0], kernel[0], kernel[1], o.Conv()...)
			},
		}
	}}, nil
}

func checkAttention(o Options, typed []int) error {
	if o.KVHeads < 0 || o.KVHeads > 0 && typed[1]%o.KVHeads != 0 {
		return fault.New(weft.ErrArgument, "attention", "--kv-heads %d does not divide %s", o.KVHeads, fault.Count(typed[1], "head"))
	}
	return nil
}

func attention(o Options, typed, sizes []int) Problem {
	group := 1 // heads that share keys
	if o.KVHeads > 0 {
		group = typed[1] / o.KVHeads
	}
	b, h, queries, keys, d := sizes[0], sizes[1], sizes[2], sizes[len(sizes)-2], sizes[len(sizes)-1]
	var options []weftops.AttentionOption
	if o.Causal {
		options = append(options, weftops.Causal())
	}
	return Problem{
		In:  []Operand{o.operand("q", b, h, queries, d), o.operand("k", b, h/group, keys, d), o.operand("v", b, h/group, keys, d)},
		Out: []Operand{o.operand("out", b, h, queries, d)},
		Run: func(out, in []*weft.Tensor) error {
			return weftops.AttentionInto(out[0], in[0], in[1], in[2], options...)
		},
	}
}
