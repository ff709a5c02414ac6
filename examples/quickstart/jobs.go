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
	switch kind {
	case backend.GPU:
		return []job{
			&addJob{n: 1 << 26},
			&matmulJob{n: 4096, elem: weft.F32}, &matmulJob{n: 4096, elem: weft.F16},
			&softmaxJob{rows: 16384, cols: 1024},
		}
	case backend.CPU:
		return []job{
			&addJob{n: 1 << 22},
			&matmulJob{n: 1024, elem: weft.F32}, &matmulJob{n: 1024, elem: weft.F16},
			&softmaxJob{rows: 4096, cols: 1024},
		}
	default: // a GPU's interface in software
		return []job{
			&addJob{n: 1 << 22},
			&matmulJob{n: 512, elem: weft.F32}, &matmulJob{n: 512, elem: weft.F16},
			&softmaxJob{rows: 2048, cols: 1024},
		}
	}
}

// tensors are what a job holds on a device: inputs and, last, the output.
type tensors struct {
	list []*weft.Tensor
	err  error // the first
}

func (t *tensors) keep(x *weft.Tensor, err error) {
	t.err = errors.Join(t.err, err)
	t.list = append(t.list, x)
}

func (t *tensors) close() {
	for _, x := range t.list {
		x.Close()
	}
	t.list = nil
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

// addJob adds two vectors.
type addJob struct {
	tensors
	n    int
	a, b []float32
}

func (j *addJob) work() work {
	return work{op: "add", size: fmt.Sprint(j.n), elem: weft.F32, bytes: 12 * float64(j.n)}
}

func (j *addJob) prepare(dev *weft.Device) error {
	j.a, j.b = uniform(j.n, 1), uniform(j.n, 2)
	j.keep(weft.FromSlice(dev, j.a))
	j.keep(weft.FromSlice(dev, j.b))
	j.keep(weft.Empty(dev, weft.F32, j.n))
	return j.err
}

func (j *addJob) launch() error { return ops.AddInto(j.list[2], j.list[0], j.list[1]) }

func (j *addJob) check() (worst reference.Worst, err error) {
	got, err := weft.ToSlice[float32](j.list[2])
	if err != nil {
		return worst, err
	}
	const step = 1 << 16 // keeps the float64 copies small
	for at := 0; at < j.n; at += step {
		to := min(at+step, j.n)
		want := wide(j.a[at:to])
		floats.Add(want, wide(j.b[at:to]))
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

// matmulJob multiplies two square matrices.
type matmulJob struct {
	tensors
	n    int
	elem weft.DType
}

func (j *matmulJob) work() work {
	return work{op: "matmul", size: fmt.Sprintf("%d×%d×%d", j.n, j.n, j.n), elem: j.elem, flops: 2 * float64(j.n) * float64(j.n) * float64(j.n)}
}

func (j *matmulJob) prepare(dev *weft.Device) error {
	j.keep(weft.FromFloats(dev, j.elem, wide(uniform(j.n*j.n, 3)), j.n, j.n))
	j.keep(weft.FromFloats(dev, j.elem, wide(uniform(j.n*j.n, 4)), j.n, j.n))
	j.keep(weft.Empty(dev, j.elem, j.n, j.n))
	return j.err
}

func (j *matmulJob) launch() error { return ops.MatMulInto(j.list[2], j.list[0], j.list[1]) }

func (j *matmulJob) check() (reference.Worst, error) {
	return checkProduct(j.list[0], j.list[1], j.list[2])
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

// softmaxJob normalises the rows of a matrix.
type softmaxJob struct {
	tensors
	rows, cols int
	x          []float32
}

func (j *softmaxJob) work() work {
	return work{op: "softmax", size: fmt.Sprintf("%d×%d", j.rows, j.cols), elem: weft.F32, bytes: 8 * float64(j.rows) * float64(j.cols)}
}

func (j *softmaxJob) prepare(dev *weft.Device) error {
	j.x = uniform(j.rows*j.cols, 5)
	for i := range j.x {
		j.x[i] *= 10
	}
	j.keep(weft.FromSlice(dev, j.x, j.rows, j.cols))
	j.keep(weft.Empty(dev, weft.F32, j.rows, j.cols))
	return j.err
}

func (j *softmaxJob) launch() error { return ops.SoftmaxInto(j.list[1], j.list[0]) }

func (j *softmaxJob) check() (worst reference.Worst, err error) {
	got, err := weft.ToFloats(j.list[1])
	if err != nil {
		return worst, err
	}
	want, spread := reference.Softmax(wide(j.x), j.cols)
	return reference.Compare(got, want, func(i int) float64 { return bounds.Softmax(weft.F32, j.cols, spread, want[i]) })
}
