package backendtest

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var convGradCases = []testCase{
	{"ConvTranspose2D", func(s *suite) { convGradients(s, "ConvTranspose2D") }},
	{"Conv2DWeightGrad", func(s *suite) { convGradients(s, "Conv2DWeightGrad") }},
}

// products calls f for each product of a convolution: the elements of x, of the weight and of the result.
func products(c reference.Conv, f func(x, w, y int)) {
	p, q := c.Result()
	inner, filters := c.Channels/c.Groups, c.Filters/c.Groups
	positions([]int{c.Images, c.Filters, p, q, inner, c.Rows, c.Columns}, func(_ int, at []int) {
		n, o, ch, i, j := at[0], at[1], at[4], at[5], at[6]
		row := at[2]*c.Stride[0] - c.Padding[0] + i*c.Dilation[0]
		column := at[3]*c.Stride[1] - c.Padding[2] + j*c.Dilation[1]
		if row < 0 || row >= c.Height || column < 0 || column >= c.Width {
			return
		}
		channel := o/filters*inner + ch
		f(((n*c.Channels+channel)*c.Height+row)*c.Width+column, ((o*inner+ch)*c.Rows+i)*c.Columns+j, ((n*c.Filters+o)*p+at[2])*q+at[3])
	})
}

// convGradients checks gradients of convolutions with all options.
func convGradients(s *suite, op string) {
	s.op(op)
	uneven := reference.Conv{Images: 2, Channels: 4, Height: 11, Width: 10, Filters: 6, Rows: 3, Columns: 4,
		Stride: [2]int{3, 2}, Dilation: [2]int{2, 2}, Padding: [4]int{2, 1, 0, 3}, Groups: 1}
	sparse := reference.Conv{Images: 1, Channels: 2, Height: 9, Width: 9, Filters: 3, Rows: 1, Columns: 2,
		Stride: [2]int{3, 4}, Dilation: [2]int{1, 2}, Groups: 1} // with places that no kernel reaches
	crop := reference.Conv{Images: 1, Channels: 3, Height: 6, Width: 7, Filters: 2, Rows: 2, Columns: 2,
		Stride: [2]int{1, 2}, Dilation: [2]int{1, 1}, Padding: [4]int{3, 2, 4, 3}, Groups: 1} // results within padding alone
	list := []reference.Conv{everyOption, uneven, sparse, crop, depthwise, plain, onePixel, patches}
	for i, c := range list[:either(s, 5, len(list))] {
		p, q := c.Result()
		elem := s.real(i)
		shapes := [][]int{{c.Images, c.Channels, c.Height, c.Width}, {c.Filters, c.Channels / c.Groups, c.Rows, c.Columns}, {c.Images, c.Filters, p, q}}
		x, w, y := s.random(elem, shapes[0]...), s.random(elem, shapes[1]...), s.random(elem, shapes[2]...)
		to, terms := 0, c.Filters/c.Groups*c.Rows*c.Columns
		if op == "Conv2DWeightGrad" {
			to, terms = 1, c.Images*p*q
		}
		want, magnitudes := make([]float64, size(shapes[to])), make([]float64, size(shapes[to]))
		products(c, func(xi, wi, yi int) {
			at, v := xi, w.x[wi]*y.x[yi]
			if to == 1 {
				at, v = wi, x.x[xi]*y.x[yi]
			}
			want[at], magnitudes[at] = want[at]+v, magnitudes[at]+math.Abs(v)
		})
		options := []ops.Conv2DOption{ops.Stride(c.Stride[0], c.Stride[1]), ops.Dilation(c.Dilation[0], c.Dilation[1]), ops.Groups(c.Groups),
			ops.PaddingSides(c.Padding[0], c.Padding[1], c.Padding[2], c.Padding[3])}
		out := s.output(forms[(i+1)%4], elem, shapes[to]...)
		if to == 1 {
			s.try(ops.Conv2DWeightGradInto(out.Tensor, s.input(forms[i%len(forms)], x), s.input(forms[(i+2)%len(forms)], y), options...))
		} else {
			s.try(ops.ConvTranspose2DInto(out.Tensor, s.input(forms[i%len(forms)], y), s.input(forms[(i+2)%len(forms)], w), options...))
		}
		if err := out.verify(want, func(i int) float64 { return bounds.Conv2D(elem, terms, want[i], magnitudes[i]) }); err != nil {
			s.Error(fmt.Errorf("%s of %+v of %v: %w", op, c, elem, err))
		}
	}
}
