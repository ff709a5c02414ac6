package gomlx_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// convCase is a convolution over some axes: x [N,…,C], weights [O,C/G,…] and the result [O,N,…].
type convCase struct {
	spatial, images, groups, batchGroups, channels, filters        int // channels and filters of a group
	size, kernel, strides, inputDilation, kernelDilation, resultOf []int
	padding                                                        [][2]int
}

func (c convCase) String() string {
	return fmt.Sprintf("%d images %v of %d×%d channels, kernel %v of %d filters, %d batch groups, strides %v, padding %v, dilations %v and %v", c.images, c.size,
		c.groups, c.channels, c.kernel, c.filters, c.batchGroups, c.strides, c.padding, c.inputDilation, c.kernelDilation)
}

// randomConv is a convolution of a kind: 0 any, 1 as the gradient of images, 2 as that of weights.
func randomConv(rng *rand.Rand, kind int) convCase {
	c := convCase{spatial: 1 + rng.IntN(3), groups: 1, batchGroups: 1, channels: 1 + rng.IntN(4), filters: 1 + rng.IntN(4)}
	switch rng.IntN(4) {
	case 0:
		c.groups = 2
	case 1:
		c.batchGroups = 2
	}
	c.images = c.batchGroups * (1 + rng.IntN(2))
	for range c.spatial {
		for {
			n, k, s, id, kd := 1+rng.IntN(6), 1+rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), 1+rng.IntN(2)
			pad := [2]int{rng.IntN(5) - 2, rng.IntN(5) - 2}
			switch kind {
			case 1:
				s, id = 1, 1+rng.IntN(3)
			case 2:
				n, k, id = 9+rng.IntN(6), 5+rng.IntN(5), 1
			}
			length := (n-1)*id + 1 + pad[0] + pad[1] - (k-1)*kd - 1
			if length < 0 || (n-1)*id+1+min(pad[0], 0)+min(pad[1], 0) < 1 {
				continue
			}
			c.size, c.kernel, c.strides = append(c.size, n), append(c.kernel, k), append(c.strides, s)
			c.inputDilation, c.kernelDilation, c.padding = append(c.inputDilation, id), append(c.kernelDilation, kd), append(c.padding, pad)
			c.resultOf = append(c.resultOf, length/s+1)
			break
		}
	}
	return c
}

// counter goes through the coordinates of a box.
func counter(dims []int, f func(at []int)) {
	n := 1
	for _, d := range dims {
		n *= d
	}
	at := make([]int, len(dims))
	for i := range n {
		for d := len(dims) - 1; d >= 0; d-- {
			at[d], i = i%dims[d], i/dims[d]
		}
		f(at)
	}
}

// place is that of an element in row-major order.
func place(dims []int, at ...int) int {
	i := 0
	for d, n := range dims {
		i = i*n + at[d]
	}
	return i
}

// dims are the sizes of x, the weights and the result.
func (c convCase) dims() (x, w, out []int) {
	x = append(append([]int{c.images}, c.size...), c.groups*c.channels)
	w = append([]int{c.groups * c.batchGroups * c.filters, c.channels}, c.kernel...)
	out = append([]int{w[0], c.images / c.batchGroups}, c.resultOf...)
	return x, w, out
}

// sum is the convolution by its definition.
func (c convCase) sum(x, w []float32) []float64 {
	xd, wd, od := c.dims()
	result := make([]float64, 0)
	counter(od, func(o []int) {
		total, filter, image := 0.0, o[0], o[1]
		perGroup := wd[0] / (c.groups * c.batchGroups)
		group := filter / perGroup
		if c.batchGroups > 1 {
			image, group = group*od[1]+image, 0
		}
		counter(wd[1:], func(k []int) {
			from := []int{image}
			for d := range c.spatial {
				p := o[2+d]*c.strides[d] + k[1+d]*c.kernelDilation[d] - c.padding[d][0]
				if p < 0 || p%c.inputDilation[d] != 0 || p/c.inputDilation[d] >= c.size[d] {
					return
				}
				from = append(from, p/c.inputDilation[d])
			}
			from = append(from, group*c.channels+k[0])
			total += float64(x[place(xd, from...)]) * float64(w[place(wd, append([]int{filter}, k...)...)])
		})
		result = append(result, total)
	})
	return result
}

// Convolutions of all kinds are the sums that define them.
func TestConvolutions(t *testing.T) {
	b := open(t, device())
	cases := 60
	if device() != "weft:cpu" {
		cases = 3
	}
	for kind := range 3 {
		rng := rand.New(rand.NewPCG(uint64(kind), 9))
		for i := range cases {
			c := randomConv(rng, kind)
			t.Run(fmt.Sprint(kind, "/", i), func(t *testing.T) {
				xd, wd, od := c.dims()
				x, w := make([]float32, shapes.Make(dtypes.Float32, xd...).Size()), make([]float32, shapes.Make(dtypes.Float32, wd...).Size())
				for _, list := range [][]float32{x, w} {
					for i := range list {
						list[i] = 2*rng.Float32() - 1
					}
				}
				g := b.Builder("convolution")
				p, err := g.Constant(x, xd...)
				check(t, err)
				k, err := g.Constant(w, wd...)
				check(t, err)
				axes := backends.ConvolveAxesConfig{InputBatch: 0, InputChannels: c.spatial + 1, KernelOutputChannels: 0, KernelInputChannels: 1, OutputChannels: 0, OutputBatch: 1}
				for d := range c.spatial {
					axes.InputSpatial, axes.KernelSpatial, axes.OutputSpatial = append(axes.InputSpatial, 1+d), append(axes.KernelSpatial, 2+d), append(axes.OutputSpatial, 2+d)
				}
				y, err := g.ConvGeneral(p, k, axes, c.strides, c.padding, c.inputDilation, c.kernelDilation, c.groups, c.batchGroups)
				if err != nil {
					t.Fatal(c, err)
				}
				e, err := g.Compile([]backends.Op{y}, nil)
				if err != nil {
					t.Fatal(c, err)
				}
				out, err := e.Execute(nil, nil, 0)
				if err != nil {
					t.Fatal(c, err)
				}
				got := flat(t, b, out[0], shapes.Make(dtypes.Float32, od...))
				for i, want := range c.sum(x, w) {
					if math.Abs(got[i]-want) > 1e-4*(1+math.Abs(want)) {
						t.Fatalf("%v: element %d is %v, want %v", c, i, got[i], want)
					}
				}
			})
		}
	}
}
