package ops

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// trialTensors makes the tensors on which configs are raced. They have the layouts of the problem's
// and hold numbers of their own, so that no race touches, or depends on, what a user has.
type trialTensors struct {
	scratch // whose tensors are nil from the first error on
	dev     *weft.Device
	seed    uint64
	fills   []func() error // draw the contents of a tensor again
	drawn   map[*weft.Tensor][]float64
	exact   func(at []int) float64 // see exactly
	terms   int
}

// empty is a tensor with undefined contents.
func (r *trialTensors) empty(elem weft.DType, v tune.View) *weft.Tensor {
	t, _ := r.strided(elem, v)
	return t
}

// strided is a tensor with the layout of a view, and that memory as a vector.
func (r *trialTensors) strided(elem weft.DType, v tune.View) (t, memory *weft.Tensor) {
	if r.err != nil {
		return nil, nil
	}
	l, n, err := v.Layout()
	if err != nil {
		r.err = err
		return nil, nil
	}
	if l.Len() == 0 {
		r.err = fault.New(weft.ErrShape, "tune", "shape %v has no elements to measure with", v.Shape())
		return nil, nil
	}
	if memory = r.keep(weft.Empty(r.dev, elem, n)); r.err != nil {
		return nil, nil
	}
	return r.keep(memory.AsStrided(l)), memory
}

// dense is a tensor with undefined contents of a shape.
func (r *trialTensors) dense(elem weft.DType, shape ...int) *weft.Tensor {
	if r.err != nil {
		return nil
	}
	return r.keep(weft.Empty(r.dev, elem, shape...))
}

// result is a tensor with undefined contents of a shape, dense where its strides are zero.
func (r *trialTensors) result(elem weft.DType, s tune.Strides, shape ...int) *weft.Tensor {
	if s == (tune.Strides{}) {
		return r.dense(elem, shape...)
	}
	v := tune.View{Rank: int8(len(shape))}
	copy(v.Size[:], shape)
	return r.empty(elem, v.With(s))
}

// trialPeriod is after how many elements the contents repeat: drawing more takes longer than all else.
const trialPeriod = 1<<16 + 1

// filled is a tensor of random numbers from -1 to 1, or small integers.
func (r *trialTensors) filled(elem weft.DType, v tune.View) *weft.Tensor {
	return r.filledFrom(elem, v, 0)
}

// filledFrom is filled with another least number of unsigned integers.
func (r *trialTensors) filledFrom(elem weft.DType, v tune.View, least int) *weft.Tensor {
	t, memory := r.strided(elem, v)
	if r.err != nil {
		return t
	}
	fill := func() error { return r.draw(t, memory, least) }
	r.fills = append(r.fills, fill)
	r.err = fill()
	return t
}

// draw fills the memory of a tensor.
func (r *trialTensors) draw(t, memory *weft.Tensor, least int) error {
	elem := memory.DType()
	return r.drawBy(t, memory, func(rng *rand.Rand) float64 {
		switch {
		case elem.IsFloat():
			return 2*rng.Float64() - 1
		case elem == weft.Bool:
			return float64(rng.IntN(2))
		case elem.IsSigned():
			return float64(rng.IntN(16) - 8)
		}
		return float64(least + rng.IntN(16))
	})
}

// drawBy fills the memory of a tensor with what a function draws.
func (r *trialTensors) drawBy(t, memory *weft.Tensor, one func(rng *rand.Rand) float64) error {
	r.seed++
	rng := rand.New(rand.NewPCG(r.seed, 1))
	x := make([]float64, min(memory.Len(), trialPeriod))
	for i := range x {
		x[i] = one(rng)
	}
	drawn, err := weft.FromFloats(r.dev, memory.DType(), x)
	if err != nil {
		return notNow(err)
	}
	defer drawn.Close()
	if r.drawn == nil {
		r.drawn = map[*weft.Tensor][]float64{}
	}
	if r.drawn[t], err = weft.ToFloats(drawn); err != nil { // as the element type has them
		return err
	}
	return memory.CopyRepeated(drawn)
}

// notNow tells of an upload that failed since launches are being recorded, which copies from the host are no part of.
func notNow(err error) error {
	if errors.Is(err, weft.ErrUnsupported) {
		return fmt.Errorf("%w: %w", tune.ErrNotNow, err)
	}
	return err
}

// counting is a tensor of I32 whose elements are 0, 1, 2 and so on.
func (r *trialTensors) counting(shape ...int) *weft.Tensor {
	if r.err != nil {
		return nil
	}
	n := 1
	for _, size := range shape {
		n *= size
	}
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	t, err := weft.FromSlice(r.dev, list, shape...)
	return r.keep(t, notNow(err))
}

// view is a tensor as kernels see it.
func view(t *weft.Tensor) weft.TensorView {
	if t == nil { // of a trialTensors that failed
		return weft.TensorView{}
	}
	return weft.TensorView{Tensor: t, Layout: t.Layout()}
}

// tolerance is how far results of two configs may be apart: each may be wrong by its op's bound.
type tolerance struct{ absolute, relative float64 }

// within is the tolerance for results of an element type with a bound on their error before they are rounded.
func within(elem weft.DType, bound float64) tolerance {
	if !elem.IsFloat() {
		return tolerance{}
	}
	return tolerance{2*bound + 2*bounds.Smallest(elem), 4 * elem.Epsilon()}
}

// newTrial is a trial of what run does, which is right where the outputs are those of the
// reference config within a tolerance. Integers must be equal.
func newTrial[C comparable](r *trialTensors, reference C, run func(C) error, t tolerance, outs ...*weft.Tensor) (*tune.Trial[C], error) {
	if r.err != nil {
		return nil, r.err
	}
	want := make([]*weft.Tensor, len(outs))
	for i, out := range outs {
		want[i] = r.keep(weft.Empty(r.dev, out.DType(), out.Shape()...))
	}
	if r.err != nil {
		return nil, r.err
	}
	start := func(c C, poison func(weft.DType) any) error {
		for _, out := range outs {
			if err := out.Fill(poison(out.DType())); err != nil {
				return err
			}
		}
		return run(c)
	}
	check := func(c C, poison func(weft.DType) any) error {
		if err := start(c, poison); err != nil {
			return err
		}
		return compare(outs, want, t)
	}
	// expect runs the reference on one poison and once more on another: what it does not write differs.
	expect := func() error {
		if err := start(reference, poison); err != nil {
			return err
		}
		for i, out := range outs {
			if err := want[i].CopyFrom(out); err != nil {
				return err
			}
		}
		err := r.checkExact(outs[0], t)
		if err == nil {
			err = check(reference, otherPoison)
		}
		if err != nil {
			return fmt.Errorf("the reference of the race, %+v: %w", reference, err)
		}
		return nil
	}
	renew := func() error {
		for _, fill := range r.fills {
			if err := fill(); err != nil {
				return err
			}
		}
		return expect()
	}
	return &tune.Trial[C]{Run: run, Check: func(c C) error { return check(c, poison) }, Renew: renew}, expect()
}

// compare compares outputs with what they should be.
func compare(outs, want []*weft.Tensor, t tolerance) error {
	for i, out := range outs {
		wrong, err := differing(out, want[i], t)
		if err != nil {
			return err
		}
		if wrong > 0 {
			return fmt.Errorf("%w: %d of %s differ", tune.ErrWrong, wrong, fault.Count(out.Len(), "element"))
		}
	}
	return nil
}

// poison is what outputs hold before a check. (No NaN, with which GPUs do not compare as they should.)
func poison(elem weft.DType) any {
	switch {
	case elem == weft.Bool:
		return true
	case elem.IsFloat():
		return 57344.0
	case elem.IsSigned():
		return -77
	}
	return 77
}

// otherPoison is another one.
func otherPoison(elem weft.DType) any {
	switch {
	case elem == weft.Bool:
		return false
	case elem.IsFloat():
		return -49152.0
	case elem.IsSigned():
		return 78
	}
	return 78
}

// differMap marks elements that are not what they should be. Floats that are not finite are wrong, which is
// seen by their bits.
var differMap = weft.NewMap("differ", []string{"x", "want", "absolute", "relative"},
	func(in []*tile.Value) *tile.Value {
		x, want := in[0], in[1]
		if !x.Type().Elem.IsFloat() {
			return x.Ne(want)
		}
		x, want = x.Cast(weft.F32), want.Cast(weft.F32)
		near := x.Sub(want).Abs().Le(want.Abs().FMA(in[3], in[2]))
		finite := x.Bitcast(weft.U32).And(0x7fffffff).Lt(0x7f800000)
		return near.And(finite).Not()
	}).InputTypes(dtype.Invalid, dtype.Invalid, weft.F32, weft.F32).Returns(weft.I32)

// differing counts the elements of x that are not what they should be.
func differing(x, want *weft.Tensor, t tolerance) (int, error) {
	marks, err := differMap.Apply(x, want, min(t.absolute, math.MaxFloat32), t.relative)
	if err != nil {
		return 0, err
	}
	defer marks.Close()
	sum, err := Sum(marks)
	if err != nil {
		return 0, err
	}
	defer sum.Close()
	n, err := sum.Item()
	return int(n), err
}

// flusher empties a GPU's caches; nil for other devices, and where there is no memory for it.
func (r *trialTensors) flusher() func() error {
	if r.dev.Info().Kind != backend.GPU {
		return nil
	}
	t, err := weft.Empty(r.dev, weft.F32, tune.FlushBytes/4)
	if err != nil {
		return nil
	}
	r.tensors = append(r.tensors, t)
	return func() error { return t.Fill(0) }
}
