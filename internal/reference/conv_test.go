package reference

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The same by other means: the padding is written into the images, the dilation as zeros into the kernel and
// the groups as zeros into weights between all channels; every place of the kernel is a column of a matrix, by which
// the weights are multiplied, and of its results a stride keeps every so many.
func convByColumns(c Conv, x, weight, bias []float64) []float64 {
	height, width := c.Height+c.Padding[0]+c.Padding[1], c.Width+c.Padding[2]+c.Padding[3]
	rows, columns := c.Dilation[0]*(c.Rows-1)+1, c.Dilation[1]*(c.Columns-1)+1
	k := c.Channels * rows * columns
	matrix := make([]float64, c.Filters*k)
	in, per := c.Channels/c.Groups, c.Filters/c.Groups
	for i, v := range weight {
		s, r, ch, o := i%c.Columns, i/c.Columns%c.Rows, i/c.Columns/c.Rows%in, i/c.Columns/c.Rows/in
		matrix[o*k+((o/per*in+ch)*rows+r*c.Dilation[0])*columns+s*c.Dilation[1]] = v
	}
	var out []float64
	for n := range c.Images {
		padded := make([]float64, c.Channels*height*width)
		for i, v := range x[n*c.Channels*c.Height*c.Width : (n+1)*c.Channels*c.Height*c.Width] {
			padded[(i/c.Width/c.Height*height+i/c.Width%c.Height+c.Padding[0])*width+i%c.Width+c.Padding[2]] = v
		}
		p, q := height-rows+1, width-columns+1
		places := make([]float64, k*p*q)
		for i := range places {
			at, r := i%(p*q), i/(p*q)
			h, w := at/q+r/columns%rows, at%q+r%columns
			places[i] = padded[(r/columns/rows*height+h)*width+w]
		}
		all, _ := MatMul(c.Filters, k, p*q, matrix, places)
		for i, v := range all {
			if i/q%p%c.Stride[0] == 0 && i%q%c.Stride[1] == 0 {
				if bias != nil {
					v += bias[i/q/p]
				}
				out = append(out, v)
			}
		}
	}
	return out
}

func TestConv2DByColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 300 {
		groups := 1 + rng.IntN(3)
		c := Conv{Images: rng.IntN(3), Channels: groups * (1 + rng.IntN(3)), Height: 1 + rng.IntN(9), Width: 1 + rng.IntN(9),
			Filters: groups * (1 + rng.IntN(3)), Rows: 1 + rng.IntN(4), Columns: 1 + rng.IntN(4), Groups: groups,
			Stride: [2]int{1 + rng.IntN(3), 1 + rng.IntN(3)}, Dilation: [2]int{1 + rng.IntN(3), 1 + rng.IntN(3)}}
		for i := range c.Padding {
			c.Padding[i] = rng.IntN(4)
		}
		draw := func(n int) []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = float64(rng.IntN(19) - 9) // sums are exact
			}
			return x
		}
		x, w, bias := draw(c.Images*c.Channels*c.Height*c.Width), draw(c.Filters*c.Terms()), draw(c.Filters)
		got, magnitudes := Conv2D(c, x, w, bias)
		p, q := c.Result()
		if p == 0 || q == 0 {
			if len(got) != 0 {
				t.Errorf("%+v: %d elements, want none", c, len(got))
			}
			continue
		}
		if want := convByColumns(c, x, w, bias); !slices.Equal(got, want) {
			t.Errorf("%+v:\n%v, want\n%v", c, got, want)
		}
		if all, _ := Conv2D(c, abs(x), abs(w), abs(bias)); !slices.Equal(magnitudes, all) {
			t.Errorf("%+v: magnitudes %v, want %v", c, magnitudes, all)
		}
	}
}
