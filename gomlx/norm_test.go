package gomlx_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// batch is a batch of elements that have a feature each.
type batch struct {
	dims      []int
	axis      int // of the features
	x, dy     []float32
	statistic [4][]float32 // scale, offset, mean and variance
}

func newBatch(rng *rand.Rand, dims []int, axis int) batch {
	b, n := batch{dims: dims, axis: axis}, 1
	for _, d := range dims {
		n *= d
	}
	draw := func(n int, least float64) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = float32(math.Round(64*(least+rng.Float64())) / 64) // which F16 has, too
		}
		return list
	}
	b.x, b.dy = draw(n, -0.25), draw(n, -0.5)
	for i := range b.statistic {
		b.statistic[i] = draw(dims[axis], 0.25)
	}
	return b
}

// feature is that of an element.
func (b batch) feature(i int) int {
	for _, d := range b.dims[b.axis+1:] {
		i /= d
	}
	return i % b.dims[b.axis]
}

// forward is what BatchNormForTraining gives.
func (b batch) forward(epsilon float64) (y, mean, variance []float64) {
	features := b.dims[b.axis]
	count := float64(len(b.x) / features)
	y, mean, variance = make([]float64, len(b.x)), make([]float64, features), make([]float64, features)
	for i, v := range b.x {
		mean[b.feature(i)] += float64(v) / count
	}
	for i, v := range b.x {
		f := b.feature(i)
		variance[f] += (float64(v) - mean[f]) * (float64(v) - mean[f]) / count
	}
	for i, v := range b.x {
		f := b.feature(i)
		y[i] = (float64(v)-mean[f])/math.Sqrt(variance[f]+epsilon)*float64(b.statistic[0][f]) + float64(b.statistic[1][f])
	}
	return y, mean, variance
}

// inference is what BatchNormForInference gives.
func (b batch) inference(epsilon float64) []float64 {
	y := make([]float64, len(b.x))
	for i, v := range b.x {
		f := b.feature(i)
		y[i] = (float64(v)-float64(b.statistic[2][f]))/math.Sqrt(float64(b.statistic[3][f])+epsilon)*float64(b.statistic[0][f]) + float64(b.statistic[1][f])
	}
	return y
}

// backward is what BatchNormGradient gives.
func (b batch) backward(epsilon float64) (dx, dscale, doffset []float64) {
	features := b.dims[b.axis]
	count := float64(len(b.x) / features)
	dx, dscale, doffset = make([]float64, len(b.x)), make([]float64, features), make([]float64, features)
	normal := func(i, f int) float64 {
		return (float64(b.x[i]) - float64(b.statistic[2][f])) / math.Sqrt(float64(b.statistic[3][f])+epsilon)
	}
	for i, v := range b.dy {
		f := b.feature(i)
		dscale[f] += float64(v) * normal(i, f)
		doffset[f] += float64(v)
	}
	for i, v := range b.dy {
		f := b.feature(i)
		scale := float64(b.statistic[0][f]) / math.Sqrt(float64(b.statistic[3][f])+epsilon)
		dx[i] = scale * (float64(v) - doffset[f]/count - normal(i, f)*dscale[f]/count)
	}
	return dx, dscale, doffset
}

// Batch normalisations and their gradients are those of float64, along any axis and of any view.
func TestBatchNorm(t *testing.T) {
	const epsilon = 1e-2
	b, rng := open(t, device()), rand.New(rand.NewPCG(8, 2))
	for _, of := range []batch{newBatch(rng, []int{5, 3, 4}, 1), newBatch(rng, []int{70, 6}, 1), newBatch(rng, []int{6, 50}, 0), newBatch(rng, []int{9}, 0), newBatch(rng, []int{2, 3, 2, 1, 3, 2}, 4)} {
		for _, elem := range []dtypes.DType{dtypes.Float32, dtypes.Float16} {
			c := b.Builder("batches")
			constant := func(x []float32, dims ...int) backends.Op {
				o, err := c.Constant(x, dims...)
				check(t, err)
				o, err = c.ConvertDType(o, elem)
				check(t, err)
				return o
			}
			view := func(x []float32) backends.Op { // whose last axis is the slowest in memory
				rank := len(of.dims)
				last, order := of.dims[rank-1], make([]int, rank)
				turned := make([]float32, len(x))
				for i, v := range x {
					turned[i%last*(len(x)/last)+i/last] = v
				}
				for d := range order {
					order[d] = (d + 1) % rank
				}
				o, err := c.Transpose(constant(turned, append([]int{last}, of.dims[:rank-1]...)...), order...)
				check(t, err)
				return o
			}
			var features [4]backends.Op
			for i, s := range of.statistic {
				features[i] = constant(s, len(s))
			}
			x, dy := view(of.x), view(of.dy)
			y, mean, variance, err := c.BatchNormForTraining(x, features[0], features[1], epsilon, of.axis)
			check(t, err)
			dx, dscale, doffset, err := c.BatchNormGradient(x, features[0], features[2], features[3], dy, epsilon, of.axis)
			check(t, err)
			given, err := c.BatchNormForInference(x, features[0], features[1], features[2], features[3], epsilon, of.axis)
			check(t, err)
			results := []backends.Op{y, mean, variance, dx, dscale, doffset, given}
			for i, r := range results {
				results[i], err = c.ConvertDType(r, dtypes.Float32)
				check(t, err)
			}
			e, err := c.Compile(results, nil)
			check(t, err)
			out, err := e.Execute(nil, nil, 0)
			check(t, err)
			var want [7][]float64
			want[0], want[1], want[2] = of.forward(epsilon)
			want[3], want[4], want[5] = of.backward(epsilon)
			want[6] = of.inference(epsilon)
			bound := map[dtypes.DType]float64{dtypes.Float32: 2e-5, dtypes.Float16: 4e-3}[elem]
			for i := range results {
				s := e.Outputs()[i]
				got := flat(t, b, out[i], shapes.Make(s.DType, s.Dimensions...))
				if len(got) != len(want[i]) {
					t.Fatalf("%v: result %d has %d elements, want %d", of.dims, i, len(got), len(want[i]))
				}
				for j, w := range want[i] {
					if math.Abs(got[j]-w) > bound*(1+math.Abs(w)) {
						t.Fatalf("%v of %v along %d: result %d, element %d is %v, want %v", of.dims, elem, of.axis, i, j, got[j], w)
					}
				}
			}
		}
	}
}

// What does not fit is an error when the op is built.
func TestBatchNormErrors(t *testing.T) {
	b := open(t, device())
	c := b.Builder("errors")
	constant := func(n int, dims ...int) backends.Op {
		o, err := c.Constant(make([]float32, n), dims...)
		check(t, err)
		return o
	}
	x, three, two := constant(6, 2, 3), constant(3, 3), constant(2, 2)
	for what, call := range map[string]func() error{
		"axis":     func() error { _, _, _, err := c.BatchNormForTraining(x, three, three, 0, 2); return err },
		"features": func() error { _, _, _, err := c.BatchNormForTraining(x, three, two, 0, 1); return err },
		"epsilon":  func() error { _, _, _, err := c.BatchNormForTraining(x, three, three, -1, 1); return err },
		"gradient": func() error { _, _, _, err := c.BatchNormGradient(x, three, three, three, three, 0, 1); return err },
		"given":    func() error { _, err := c.BatchNormForInference(x, three, three, two, three, 0, 1); return err },
	} {
		if err := call(); err == nil {
			t.Errorf("a wrong %s is no error", what)
		}
	}
}
