package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/weftgpu/weft"
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
	case t.DType() != weft.F32 && t.DType() != weft.F64:
		err = fmt.Errorf("%s: it holds elements of %v, want float32 or float64", path, t.DType())
	case t.Rank() != 2:
		err = fmt.Errorf("%s: it holds an array of shape %v, want a matrix", path, t.Shape())
	case t.DType() == weft.F32:
		return t, nil
	default:
		rounded, err := round(t)
		return rounded, errors.Join(err, t.Close())
	}
	return nil, errors.Join(err, t.Close())
}

// round rounds a tensor of float64 on the host, since few GPUs compute with it.
func round(t *weft.Tensor) (*weft.Tensor, error) {
	long, err := weft.ToSlice[float64](t)
	if err != nil {
		return nil, err
	}
	short := make([]float32, len(long))
	for i, x := range long {
		short[i] = float32(x)
	}
	return weft.FromSlice(t.Device(), short, t.Shape()...)
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

// multiply multiplies the user's matrices, which are on the host, and brings their product there.
func multiply(a, b *weft.Tensor, result **weft.Tensor) job {
	return product(a.Dim(0), a.Dim(1), b.Dim(1), weft.F32, func(dev *weft.Device, t *tensors) (x, y *weft.Tensor) {
		return t.keep(a.To(dev)), t.keep(b.To(dev))
	}, func(out *weft.Tensor) (err error) {
		*result, err = out.To(a.Device())
		return err
	})
}
