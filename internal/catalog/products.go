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
		Shape: "[Bx]MxNxK", Example: "4096x4096x4096 --dtype f16 --layout nt", Takes: []string{"layout"}, parse: parseMatMul},
	{Name: "linear", Function: "Linear", About: "y = x @ w.T + bias of x [M,K], w [N,K] and bias [N]",
		Shape: "MxNxK", Example: "2048x4096x4096 --dtype bf16", parse: parseLinear},
	{Name: "conv2d", Function: "Conv2D", About: "convolution of images x [N,C,H,W] with weights [K,C/groups,R,S]",
		Shape: "NxCxHxW,KxCxRxS", Example: "32x64x56x56,64x64x3x3 --pad 1", Takes: append([]string{"groups"}, convFlags...), parse: parseConv},
	{Name: "im2col", Function: "Im2Col", About: "columns of images x [N,C,H,W] under a kernel of R rows and S columns",
		Shape: "NxCxHxW,RxS", Example: "8x64x56x56,3x3 --pad 1", Takes: convFlags, parse: parseIm2Col},
	{Name: "attention", Function: "Attention", About: "softmax(q @ kᵀ / √D) @ v of q [B,H,Sq,D], k and v [B,H,Sk,D]",
		Shape: "BxHxSxD or BxHxSqxSkxD", Example: "4x32x4096x128 --causal --dtype f16", Takes: []string{"causal", "kv-heads"}, parse: parseAttention},
}

func parseMatMul(s Shape, o Options) (*Call, error) {
	shape, ok := s.one(3, 4)
	if !ok {
		return nil, wrong("matmul", "MxNxK or BxMxNxK", s)
	}
	if !slices.Contains([]string{"nn", "nt", "tn", "tt"}, o.Layout) {
		return nil, fault.New(weft.ErrArgument, "matmul", "--layout %s, want nn, nt, tn or tt", o.Layout)
	}
	at, bt := o.Layout[0] == 't', o.Layout[1] == 't'
	names := "M N K"
	if len(shape) == 4 {
		names = "batch " + names
	}
	return &Call{Sizes: sizesOf(names, shape...), Problem: func(sizes []int) Problem {
		batch, m, n, k := sizes[:len(sizes)-3], sizes[len(sizes)-3], sizes[len(sizes)-2], sizes[len(sizes)-1]
		out := o.Elem()
		if out.IsInt() {
			out = weft.I32
		}
		return Problem{
			In: []Operand{
				{Name: "A", Elem: o.Elem(), Shape: with(batch, m, k), Transposed: at},
				{Name: "B", Elem: o.Elem(), Shape: with(batch, k, n), Transposed: bt},
			},
			Out: []Operand{{Name: "C", Elem: out, Shape: with(batch, m, n)}},
			Run: func(out, in []*weft.Tensor) error { return weftops.MatMulInto(out[0], in[0], in[1]) },
		}
	}}, nil
}

// with is a shape of batch dimensions and more.
func with(batch []int, sizes ...int) []int { return append(append([]int(nil), batch...), sizes...) }

func parseLinear(s Shape, o Options) (*Call, error) {
	shape, ok := s.one(3)
	if !ok {
		return nil, wrong("linear", "MxNxK", s)
	}
	return &Call{Sizes: sizesOf("M N K", shape...), Problem: func(sizes []int) Problem {
		m, n, k := sizes[0], sizes[1], sizes[2]
		return Problem{
			In: []Operand{
				{Name: "x", Elem: o.Elem(), Shape: []int{m, k}},
				{Name: "w", Elem: o.Elem(), Shape: []int{n, k}},
				{Name: "bias", Elem: o.Elem(), Shape: []int{n}},
			},
			Out: []Operand{{Name: "y", Elem: o.Elem(), Shape: []int{m, n}}},
			Run: func(out, in []*weft.Tensor) error { return weftops.LinearInto(out[0], in[0], in[1], in[2]) },
		}
	}}, nil
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
			In: []Operand{
				{Name: "x", Elem: o.Elem(), Shape: o.image(n, c, h, w)},
				{Name: "weight", Elem: o.Elem(), Shape: []int{k, c / max(o.Groups, 1), kernel[0], kernel[1]}},
			},
			Out: []Operand{{Name: "y", Elem: o.Elem(), Shape: o.image(n, k, p, q)}},
			Run: func(out, in []*weft.Tensor) error {
				return weftops.Conv2DInto(out[0], in[0], in[1], append(o.Conv(), weftops.Groups(o.Groups))...)
			},
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
			In:  []Operand{{Name: "x", Elem: o.Elem(), Shape: o.image(n, c, h, w)}},
			Out: []Operand{{Name: "columns", Elem: o.Elem(), Shape: []int{n, c * kernel[0] * kernel[1], p * q}}},
			Run: func(out, in []*weft.Tensor) error {
				return weftops.Im2ColInto(out[0], in[0], kernel[0], kernel[1], o.Conv()...)
			},
		}
	}}, nil
}

func parseAttention(s Shape, o Options) (*Call, error) {
	shape, ok := s.one(4, 5)
	if !ok {
		return nil, wrong("attention", "BxHxSxD, or BxHxSqxSkxD", s)
	}
	self := len(shape) == 4
	if o.KVHeads < 0 || o.KVHeads > 0 && shape[1]%o.KVHeads != 0 {
		return nil, fault.New(weft.ErrArgument, "attention", "--kv-heads %d does not divide %s", o.KVHeads, fault.Count(shape[1], "head"))
	}
	names := "B H S D"
	if !self {
		names = "B H Sq Sk D"
	}
	group := 1 // heads that share keys
	if o.KVHeads > 0 {
		group = shape[1] / o.KVHeads
	}
	return &Call{Sizes: sizesOf(names, shape...), Problem: func(sizes []int) Problem {
		b, h, queries, keys, d := sizes[0], sizes[1], sizes[2], sizes[len(sizes)-2], sizes[len(sizes)-1]
		kv := []int{b, h / group, keys, d}
		q := []int{b, h, queries, d}
		return Problem{
			In: []Operand{
				{Name: "q", Elem: o.Elem(), Shape: q}, {Name: "k", Elem: o.Elem(), Shape: kv}, {Name: "v", Elem: o.Elem(), Shape: kv},
			},
			Out: []Operand{{Name: "out", Elem: o.Elem(), Shape: q}},
			Run: func(out, in []*weft.Tensor) error {
				var options []weftops.AttentionOption
				if o.Causal {
					options = append(options, weftops.Causal())
				}
				return weftops.AttentionInto(out[0], in[0], in[1], in[2], options...)
			},
		}
	}}, nil
}
