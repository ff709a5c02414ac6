package mesh

import (
	"errors"
	"slices"

	"github.com/weftgpu/weft"
)

// densities are dense tensors that stand for those of a call that are not.
type densities struct {
	temporary []*weft.Tensor
	back      []struct{ to, from *weft.Tensor }
}

func (d *densities) close() {
	for _, t := range d.temporary {
		t.Close()
	}
}

// input is a dense tensor with the elements of t.
func (d *densities) input(t *weft.Tensor) (*weft.Tensor, error) {
	if t == nil || t.Layout().IsContiguous() {
		return t, nil
	}
	dense, err := t.Contiguous()
	if err == nil {
		d.temporary = append(d.temporary, dense)
	}
	return dense, err
}

// output is a dense tensor whose elements copyBack copies to t.
func (d *densities) output(t *weft.Tensor) (*weft.Tensor, error) {
	if t == nil || t.Layout().IsContiguous() {
		return t, nil
	}
	dense, err := weft.Empty(t.Device(), t.DType(), t.Shape()...)
	if err == nil {
		d.temporary = append(d.temporary, dense)
		d.back = append(d.back, struct{ to, from *weft.Tensor }{t, dense})
	}
	return dense, err
}

func (d *densities) inputs(list []*weft.Tensor) ([]*weft.Tensor, error) { return each(list, d.input) }
func (d *densities) outputs(list []*weft.Tensor) ([]*weft.Tensor, error) {
	return each(list, d.output)
}

// each is a list of what f makes of the tensors.
func each(list []*weft.Tensor, f func(*weft.Tensor) (*weft.Tensor, error)) ([]*weft.Tensor, error) {
	list = slices.Clone(list)
	for i, t := range list {
		var err error
		if list[i], err = f(t); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (d *densities) copyBack() error {
	var errs []error
	for _, b := range d.back {
		errs = append(errs, b.to.CopyFrom(b.from))
	}
	return errors.Join(errs...)
}
