package catalog

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	weftops "github.com/weftgpu/weft/ops"
)

// resizeModes are the modes by name.
var resizeModes = []weftops.ResizeMode{weftops.ResizeNearest, weftops.ResizeNearestExact, weftops.ResizeLinear, weftops.ResizeCubic}

// resizeOps are Resize and its gradient.
func resizeOps() (list []*Op) {
	for _, r := range []struct{ name, function, about string }{
		{"resize", "Resize", "images x [N,C,H,W] of other sizes P × Q"},
		{"resize_grad", "ResizeGrad", "gradient of images x [N,C,H,W], resized to P × Q"},
	} {
		list = append(list, &Op{Name: r.name, Function: r.function, About: r.about, Shape: "NxCxHxW,PxQ", Example: "32x64x56x56,112x112 --mode linear",
			Takes: []string{"mode", "align-corners", "channels-last"},
			parse: func(s Shape, o Options) (*Call, error) { return parseResize(r.name, s, o) }})
	}
	return list
}

// resizeMode is the mode that was asked for, linear if none was.
func (o Options) resizeMode(op string) (weftops.ResizeMode, error) {
	if o.Mode == "" {
		return weftops.ResizeLinear, nil
	}
	i := slices.IndexFunc(resizeModes, func(m weftops.ResizeMode) bool { return m.String() == o.Mode })
	if i < 0 {
		return 0, fault.New(weft.ErrArgument, op, "--mode %s, want nearest, nearest-exact, linear or cubic", o.Mode)
	}
	return resizeModes[i], nil
}

func parseResize(op string, s Shape, o Options) (*Call, error) {
	mode, err := o.resizeMode(op)
	if err != nil {
		return nil, err
	}
	dims := 0
	if len(s.Tensors) == 2 {
		dims = len(s.Tensors[1])
	}
	if dims < 1 || dims > 3 || len(s.Tensors[0]) != dims+2 {
		return nil, wrong(op, "NxCxHxW,PxQ: the images and the sizes of the result, of one to three dimensions", s)
	}
	x, to := s.Tensors[0], s.Tensors[1]
	var options []weftops.ResizeOption
	if o.AlignCorners {
		options = append(options, weftops.AlignCorners())
	}
	names := []string{"N C L", "N C H W", "N C D H W"}[dims-1]
	return &Call{Kernel: to, Sizes: sizesOf(names, x...), Problem: func(sizes []int) Problem {
		order := func(spatial []int) (shape, resized []int) {
			if o.ChannelsLast {
				resized = append(slices.Clone(spatial), sizes[1])
				return append([]int{sizes[0]}, resized...), resized
			}
			return append([]int{sizes[0], sizes[1]}, spatial...), slices.Clone(spatial)
		}
		from, fromSizes := order(sizes[2:])
		result, resultSizes := order(to)
		if op == "resize_grad" {
			return Problem{In: []Operand{o.operand("dy", result...)}, Out: []Operand{o.operand("dx", from...)},
				Run: func(out, in []*weft.Tensor) error {
					return weftops.ResizeGradInto(out[0], in[0], mode, fromSizes, options...)
				}}
		}
		return Problem{In: []Operand{o.operand("x", from...)}, Out: []Operand{o.operand("y", result...)},
			Run: func(out, in []*weft.Tensor) error {
				return weftops.ResizeInto(out[0], in[0], mode, resultSizes, options...)
			}}
	}}, nil
}
