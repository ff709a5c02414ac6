package main

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// demos are the jobs of the table, sized to take a moment on the kind of device.
func demos(kind backend.Kind) []job {
	n, side, rows := 1<<22, 512, 2048 // of a GPU's interface in software
	switch kind {
	case backend.GPU:
		n, side, rows = 1<<26, 4096, 16384
	case backend.CPU:
		side, rows = 1024, 4096
	}
	return []job{add(n), matmul(side, weft.F32), matmul(side, weft.F16), softmax(rows, 1024)}
}

// tensors are those of a job.
type tensors struct {
	list []*weft.Tensor
	err  error // all errors
}

func (t *tensors) keep(x *weft.Tensor, err error) *weft.Tensor {
	t.err = errors.Join(t.err, err)
	t.list = append(t.list, x)
	return x
}

func (t *tensors) close() {
	for _, x := range t.list {
		x.Close()
	}
}

// uniform are random numbers between -1 and 1.
func uniform(n int, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float32, n)
	for i := range x {
		x[i] = 2*rng.Float32() - 1
	}
	return x
}

func wide(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// add adds two vectors.
func add(n int) job {
	j := job{op: "add", size: fmt.Sprint(n), elem: weft.F32, bytes: 12 * float64(n)}
	j.prepare = func(dev *weft.Device, t *tensors) (launch func() error, check checker) {
		x, y := uniform(n, 1), uniform(n, 2)
		a, b, out := t.keep(weft.FromSlice(dev, x)), t.keep(weft.FromSlice(dev, y)), t.keep(weft.Empty(dev, weft.F32, n))
		return func() error { return ops.AddInto(out, a, b) }, func() (reference.Worst, error) { return checkSum(x, y, out) }
	}
	return j
}

func checkSum(x, y []float32, out *weft.Tensor) (worst reference.Worst, err error) {
	got, err := weft.ToSlice[float32](out)
	if err != nil {
		return worst, err
	}
	const step = 1 << 16 // keeps the float64 copies small
	for at := 0; at < len(x); at += step {
		to := min(at+step, len(x))
		want := wide(x[at:to])
		floats.Add(want, wide(y[at:to]))
		part, err := reference.Compare(wide(got[at:to]), want, func(i int) float64 { return bounds.Add(weft.F32, want[i]) })
		if err != nil {
			return worst, err
		}
		part.Index += at
		if at == 0 || part.Ratio() > worst.Ratio() {
			worst = part
		}
	}
	return worst, nil
}

// matmul multiplies two square matrices.
func matmul(n int, elem weft.DType) job {
	return product(n, n, n, elem, func(dev *weft.Device, t *tensors) (a, b *weft.Tensor) {
		return t.keep(weft.FromFloats(dev, elem, wide(uniform(n*n, 3)), n, n)), t.keep(weft.FromFloats(dev, elem, wide(uniform(n*n, 4)), n, n))
	}, func(*weft.Tensor) error { return nil })
}

// product multiplies matrices that operands makes. What became of them is told to done before it is checked.
func product(m, k, n int, elem weft.DType, operands func(*weft.Device, *tensors) (a, b *weft.Tensor), done func(*weft.Tensor) error) job {
	j := job{op: "matmul", size: fmt.Sprintf("%d×%d×%d", m, n, k), elem: elem, flops: 2 * float64(m) * float64(k) * float64(n)}
	j.prepare = func(dev *weft.Device, t *tensors) (launch func() error, check checker) {
		a, b := operands(dev, t)
		out := t.keep(weft.Empty(dev, elem, m, n))
		check = func() (worst reference.Worst, err error) {
			if err := done(out); err != nil {
				return worst, err
			}
			return checkProduct(a, b, out)
		}
		return func() error { return ops.MatMulInto(out, a, b) }, check
	}
	return j
}

// checkProduct compares evenly spread rows of a product, as many as gonum does in a
// moment.
func checkProduct(a, b, c *weft.Tensor) (worst reference.Worst, err error) {
	m, k, n := a.Dim(0), a.Dim(1), b.Dim(1)
	if m == 0 || n == 0 {
		return worst, nil
	}
	step := max(1, m/max(1, (1<<30)/max(1, k*n)))
	var parts [3][]float64
	for i, t := range []*weft.Tensor{a, b, c} {
		if i != 1 {
			if t, err = t.SliceStep(0, 0, m, step); err != nil {
				return worst, err
			}
			defer t.Close()
		}
		if parts[i], err = weft.ToFloats(t); err != nil {
			return worst, err
		}
	}
	rows := (m + step - 1) / step
	want, magnitudes := reference.MatMul(rows, k, n, parts[0], parts[1])
	return reference.Compare(parts[2], want, func(i int) float64 {
		return bounds.MatMul(a.DType(), tile.IEEE, k, want[i], magnitudes[i])
	})
}

// softmax normalises the rows of a matrix.
func softmax(rows, cols int) job {
	j := job{op: "softmax", size: fmt.Sprintf("%d×%d", rows, cols), elem: weft.F32, bytes: 8 * float64(rows) * float64(cols)}
	j.prepare = func(dev *weft.Device, t *tensors) (launch func() error, check checker) {
		x := uniform(rows*cols, 5)
		for i := range x {
			x[i] *= 10
		}
		in, out := t.keep(weft.FromSlice(dev, x, rows, cols)), t.keep(weft.Empty(dev, weft.F32, rows, cols))
		check = func() (worst reference.Worst, err error) {
			got, err := weft.ToFloats(out)
			if err != nil {
				return worst, err
			}
			want, spread := reference.Softmax(wide(x), cols)
			return reference.Compare(got, want, func(i int) float64 { return bounds.Softmax(weft.F32, cols, spread, want[i]) })
		}
		return func() error { return ops.SoftmaxInto(out, in) }, check
	}
	return j
}
