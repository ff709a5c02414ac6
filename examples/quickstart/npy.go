package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
)

// readMatrix reads a matrix of float32 or float64, which is rounded, to a device.
func readMatrix(dev *weft.Device, path string) (*weft.Tensor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := weft.ReadNpy(bufio.NewReader(f), dev)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case t.DType() != weft.F32:
		err = fmt.Errorf("%s: it holds elements of %v, want float32 or float64", path, t.DType())
	case t.Rank() != 2:
		err = fmt.Errorf("%s: it holds an array of shape %v, want a matrix", path, t.Shape())
	default:
		return t, nil
	}
	return nil, errors.Join(err, t.Close())
}

// writeMatrix writes a matrix to a file.
func writeMatrix(path string, t *weft.Tensor) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	if err := weft.WriteNpy(w, t); err != nil {
		return err
	}
	return w.Flush()
}

// matrixJob multiplies the user's matrices, which lie on the host.
type matrixJob struct {
	tensors
	a, b    *weft.Tensor
	product *weft.Tensor // on the host again
}

func (j *matrixJob) work() work {
	m, k, n := j.a.Dim(0), j.a.Dim(1), j.b.Dim(1)
	return work{op: "matmul", size: fmt.Sprintf("%d×%d×%d", m, n, k), elem: weft.F32, flops: 2 * float64(m) * float64(k) * float64(n)}
}

func (j *matrixJob) prepare(dev *weft.Device) error {
	j.keep(j.a.To(dev))
	j.keep(j.b.To(dev))
	j.keep(weft.Empty(dev, weft.F32, j.a.Dim(0), j.b.Dim(1)))
	return j.err
}

func (j *matrixJob) launch() error { return ops.MatMulInto(j.list[2], j.list[0], j.list[1]) }

func (j *matrixJob) check() (worst reference.Worst, err error) {
	if j.product, err = j.list[2].To(j.a.Device()); err != nil {
		return worst, err
	}
	return checkProduct(j.list[0], j.list[1], j.list[2])
}
