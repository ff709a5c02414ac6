package reference

import "math"

// Conv is a convolution of images [Images,Channels,Height,Width] with weights [Filters,Channels/Groups,Rows,Columns].
type Conv struct {
	Images, Channels, Height, Width int
	Filters, Rows, Columns          int
	Stride, Dilation                [2]int // down and across
	Padding                         [4]int // top, bottom, left, right
	Groups                          int
}

// Result is the number of rows and columns of the result: the places where the kernel fits.
func (c Conv) Result() (p, q int) {
	fits := func(n, kernel, d int) (places int) {
		for at := 0; at+c.Dilation[d]*(kernel-1) < n+c.Padding[2*d]+c.Padding[2*d+1]; at += c.Stride[d] {
			places++
		}
		return places
	}
	return fits(c.Height, c.Rows, 0), fits(c.Width, c.Columns, 1)
}

// Terms is the number of products that an element is the sum of.
func (c Conv) Terms() int { return c.Channels / c.Groups * c.Rows * c.Columns }

// Conv2D returns the convolution [Images,Filters,P,Q] of dense arrays, and the sums of the terms' magnitudes.
// bias has an element for each filter, or is nil.
func Conv2D(c Conv, x, weight, bias []float64) (out, magnitudes []float64) {
	p, q := c.Result()
	for n := range c.Images {
		for o := range c.Filters {
			for i := range p {
				for j := range q {
					sum, size := c.element(x, weight, n, o, i*c.Stride[0]-c.Padding[0], j*c.Stride[1]-c.Padding[2])
					if bias != nil {
						sum, size = sum+bias[o], size+math.Abs(bias[o])
					}
					out, magnitudes = append(out, sum), append(magnitudes, size)
				}
			}
		}
	}
	return out, magnitudes
}

// element sums the products of filter o, whose first row and column are at h and w of image n.
func (c Conv) element(x, weight []float64, n, o, h, w int) (sum, magnitude float64) {
	channels, group := c.Channels/c.Groups, o/(c.Filters/c.Groups)
	for ch := range channels {
		for r := range c.Rows {
			for s := range c.Columns {
				y, z := h+r*c.Dilation[0], w+s*c.Dilation[1]
				if y < 0 || y >= c.Height || z < 0 || z >= c.Width {
					continue
				}
				v := x[((n*c.Channels+group*channels+ch)*c.Height+y)*c.Width+z] * weight[((o*channels+ch)*c.Rows+r)*c.Columns+s]
				sum, magnitude = sum+v, magnitude+math.Abs(v)
			}
		}
	}
	return sum, magnitude
}
