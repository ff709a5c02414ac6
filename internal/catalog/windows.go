package catalog

import (
	"slices"

	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// windowOps are what reduces parts of images.
func windowOps() (list []*Op) {
	for _, w := range []struct {
		name, function, about string
		into                  func(out, in []*weft.Tensor, w weftops.Window) error
	}{
		{"max_pool", "MaxPool", "largest elements of windows", func(out, in []*weft.Tensor, w weftops.Window) error {
			return weftops.MaxPoolInto(out[0], in[0], w)
		}},
		{"max_pool_indices", "MaxPoolIndices", "largest elements of windows, and where they are,", func(out, in []*weft.Tensor, w weftops.Window) error {
			return weftops.MaxPoolIndicesInto(out[0], out[1], in[0], w)
		}},
		{"avg_pool", "AvgPool", "means of windows", func(out, in []*weft.Tensor, w weftops.Window) error {
			return weftops.AvgPoolInto(out[0], in[0], w)
		}},
		{"reduce_window", "ReduceWindow", "sums of windows", func(out, in []*weft.Tensor, w weftops.Window) error {
			return weftops.ReduceWindowInto(out[0], in[0], weftops.WindowSum, w)
		}},
		{"reduce_window_grad", "ReduceWindowGrad", "gradient of the largest elements of windows", func(out, in []*weft.Tensor, w weftops.Window) error {
			return weftops.ReduceWindowGradInto(out[0], in[0], in[1], weftops.WindowMax, w)
		}},
	} {
		list = append(list, &Op{Name: w.name, Function: w.function, About: w.about + " of R rows and S columns of images x [N,C,H,W]",
			Shape: "NxCxHxW,RxS", Example: "32x64x112x112,3x3 --stride 2 --pad 1", Takes: convFlags,
			parse: func(s Shape, o Options) (*Call, error) { return parseWindow(w.name, s, o, w.into) }})
	}
	list = append(list, &Op{Name: "adaptive_pool_grad", Function: "AdaptivePoolGrad", About: "gradient of the means of P × Q equal parts of images x [N,C,H,W]",
		Shape: "NxCxHxW,PxQ", Example: "32x512x30x30,7x7", parse: func(s Shape, o Options) (*Call, error) { return parseAdaptive("adaptive_pool_grad", s, o) }})
	list = append(list, &Op{Name: "max_unpool", Function: "MaxUnpool", About: "elements of images x [N,C,H,W] put to places in planes of P × Q", Shape: "NxCxHxW,PxQ", Example: "32x64x56x56,112x112", parse: parseUnpool})
	return append(list, &Op{Name: "adaptive_pool", Function: "AdaptivePool", About: "means of P × Q equal parts of images x [N,C,H,W]",
		Shape: "NxCxHxW,PxQ", Example: "32x512x30x30,7x7", parse: func(s Shape, o Options) (*Call, error) { return parseAdaptive("adaptive_pool", s, o) }})
}

func parseWindow(op string, s Shape, o Options, into func(out, in []*weft.Tensor, w weftops.Window) error) (*Call, error) {
	if len(s.Tensors) != 2 || len(s.Tensors[0]) != 4 || len(s.Tensors[1]) != 2 {
		return nil, wrong(op, "NxCxHxW,RxS: the images and the window", s)
	}
	x, size := s.Tensors[0], s.Tensors[1]
	if err := o.checkWindow(op, x[2:], size); err != nil {
		return nil, err
	}
	w := weftops.Window{Size: slices.Clone(size), Stride: []int{o.Stride, o.Stride}, Dilation: []int{o.Dilation, o.Dilation},
		Padding: [][2]int{{o.Pad, o.Pad}, {o.Pad, o.Pad}}}
	if o.ChannelsLast {
		w.Size, w.Stride, w.Dilation, w.Padding = append(w.Size, 1), append(w.Stride, 1), append(w.Dilation, 1), append(w.Padding, [2]int{})
	}
	return &Call{Kernel: size, Sizes: sizesOf("N C H W", x...), Problem: func(sizes []int) Problem {
		n, c, h, width := sizes[0], sizes[1], sizes[2], sizes[3]
		images, results := o.image(n, c, h, width), o.image(n, c, o.Result(h, size[0]), o.Result(width, size[1]))
		p := Problem{In: []Operand{o.operand("x", images...)}, Out: []Operand{o.operand("y", results...)}}
		if op == "reduce_window_grad" {
			p = Problem{In: []Operand{o.operand("x", images...), o.operand("dy", results...)}, Out: []Operand{o.operand("dx", images...)}}
		}
		if op == "max_pool_indices" {
			p.Out = append(p.Out, Operand{Name: "indices", Elem: weft.I32, Shape: results})
		}
		p.Run = func(out, in []*weft.Tensor) error { return into(out, in, w) }
		return p
	}}, nil
}

func parseAdaptive(op string, s Shape, o Options) (*Call, error) {
	if len(s.Tensors) != 2 || len(s.Tensors[0]) != 4 || len(s.Tensors[1]) != 2 {
		return nil, wrong(op, "NxCxHxW,PxQ: the images and the sizes of the result", s)
	}
	x, parts := s.Tensors[0], s.Tensors[1]
	return &Call{Kernel: parts, Sizes: sizesOf("N C H W", x...), Problem: func(sizes []int) Problem {
		if op == "adaptive_pool_grad" {
			return Problem{
				In:  []Operand{o.operand("dy", sizes[0], sizes[1], parts[0], parts[1])},
				Out: []Operand{o.operand("dx", sizes...)},
				Run: func(out, in []*weft.Tensor) error {
					return weftops.AdaptivePoolGradInto(out[0], in[0], weftops.WindowMean, sizes[2], sizes[3])
				},
			}
		}
		return Problem{
			In:  []Operand{o.operand("x", sizes...)},
			Out: []Operand{o.operand("y", sizes[0], sizes[1], parts[0], parts[1])},
			Run: func(out, in []*weft.Tensor) error {
				return weftops.AdaptivePoolInto(out[0], in[0], weftops.WindowMean, parts...)
			},
		}
	}}, nil
}

func parseUnpool(s Shape, o Options) (*Call, error) {
	if len(s.Tensors) != 2 || len(s.Tensors[0]) != 4 || len(s.Tensors[1]) != 2 {
		return nil, wrong("max_unpool", "NxCxHxW,PxQ: the images and the sizes of the result", s)
	}
	x, planes := s.Tensors[0], s.Tensors[1]
	return &Call{Kernel: planes, Sizes: sizesOf("N C H W", x...), Problem: func(sizes []int) Problem {
		return Problem{
			In:  []Operand{o.operand("x", sizes...), {Name: "indices", Elem: weft.I32, Shape: sizes, Below: max(planes[0]*planes[1], 1)}},
			Out: []Operand{o.operand("y", sizes[0], sizes[1], planes[0], planes[1])},
			Run: func(out, in []*weft.Tensor) error { return weftops.MaxUnpoolInto(out[0], in[0], in[1], planes...) },
		}
	}}, nil
}
