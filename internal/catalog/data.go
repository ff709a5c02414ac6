package catalog

import (
	"errors"
	"math/rand/v2"

	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// Data says which numbers an operand holds.
type Data uint8

// The data.
const (
	Normal    Data = iota // normally distributed; integers from -7 to 7 or from 0 to 7
	Positive              // from 0.1 to 1, for which all functions are defined; integers from 1 to 7
	Exponents             // integers from 120 to 127, which stand for powers of two from 2^-7 to 1
)

// Make allocates the operand and fills it on the device.
func (o Operand) Make(dev *weft.Device, seed uint64) (*weft.Tensor, error) {
	shape := o.memory()
	t, err := weft.Empty(dev, o.Elem, shape...)
	if err == nil {
		err = o.fill(t, seed)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return o.View(t)
}

// Empty allocates the operand alone.
func (o Operand) Empty(dev *weft.Device) (*weft.Tensor, error) {
	t, err := weft.Empty(dev, o.Elem, o.memory()...)
	if err != nil {
		return nil, err
	}
	return o.View(t)
}

// memory is the shape as it is stored in memory.
func (o Operand) memory() []int {
	shape := append([]int(nil), o.Shape...)
	if n := len(shape); o.Transposed {
		shape[n-1], shape[n-2] = shape[n-2], shape[n-1]
	}
	return shape
}

// View is the operand seen in its dense memory.
func (o Operand) View(memory *weft.Tensor) (*weft.Tensor, error) {
	if !o.Transposed {
		return memory, nil
	}
	n := len(o.Shape)
	order := make([]int, n)
	for d := range order {
		order[d] = d
	}
	order[n-1], order[n-2] = n-2, n-1
	view, err := memory.Permute(order...)
	return view, errors.Join(err, memory.Close())
}

func (o Operand) fill(t *weft.Tensor, seed uint64) error {
	switch {
	case o.Elem.IsFloat() && o.Data == Normal:
		return weftops.NormalInto(t, weftops.Stream{Seed: seed})
	case o.Elem.IsFloat():
		if err := weftops.UniformInto(t, weftops.Stream{Seed: seed}); err != nil {
			return err
		}
		if err := weftops.MulInto(t, t, 0.9); err != nil {
			return err
		}
		return weftops.AddInto(t, t, 0.1)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	numbers := make([]float64, t.Len())
	for i := range numbers {
		switch {
		case o.Elem == weft.Bool:
			numbers[i] = float64(r.IntN(2))
		case o.Below > 0:
			numbers[i] = float64(r.IntN(o.Below))
		case o.Data == Positive:
			numbers[i] = float64(1 + r.IntN(7))
		case o.Data == Exponents:
			numbers[i] = float64(120 + r.IntN(8))
		case o.Elem.IsSigned():
			numbers[i] = float64(r.IntN(15) - 7)
		default:
			numbers[i] = float64(r.IntN(8))
		}
	}
	host, err := weft.FromFloats(t.Device(), o.Elem, numbers, t.Shape()...)
	if err != nil {
		return err
	}
	defer host.Close()
	return t.CopyFrom(host)
}

// Tensors are the operands of a problem on a device.
type Tensors struct{ In, Out []*weft.Tensor }

// Tensors makes all operands, the inputs filled with random numbers. They are to be closed.
func (p Problem) Tensors(dev *weft.Device) (Tensors, error) {
	return p.tensors(func(o Operand, i int) (*weft.Tensor, error) {
		if i >= len(p.In) {
			return o.Empty(dev)
		}
		return o.Make(dev, uint64(1+i))
	})
}

// Empty makes all operands without contents, inputs first.
func (p Problem) Empty(dev *weft.Device) (Tensors, error) {
	return p.tensors(func(o Operand, _ int) (*weft.Tensor, error) { return o.Empty(dev) })
}

func (p Problem) tensors(one func(o Operand, i int) (*weft.Tensor, error)) (t Tensors, err error) {
	for i, o := range append(append([]Operand(nil), p.In...), p.Out...) {
		x, err := one(o, i)
		if err != nil {
			t.Close()
			return Tensors{}, err
		}
		if i < len(p.In) {
			t.In = append(t.In, x)
		} else {
			t.Out = append(t.Out, x)
		}
	}
	return t, nil
}

// Close closes all tensors.
func (t Tensors) Close() error {
	var all error
	for _, x := range append(append([]*weft.Tensor(nil), t.In...), t.Out...) {
		all = errors.Join(all, x.Close())
	}
	return all
}
