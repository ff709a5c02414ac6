package suite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
)

// Operand is a tensor of a work: dense, with random contents.
type Operand struct {
	Elem  weft.DType
	Shape []int
	Draw  Draw
}

// Draw is a distribution of elements, rounded to the element type afterwards: normal with variance 1 if it is
// zero, or uniform from Lo to below Hi, of integers rounded down.
type Draw struct{ Lo, Hi float64 }

// normal is an operand of normally distributed elements.
func normal(elem weft.DType, shape ...int) Operand { return Operand{Elem: elem, Shape: shape} }

// uniform is an operand of numbers from lo to below hi.
func uniform(lo, hi float64, elem weft.DType, shape ...int) Operand {
	return Operand{elem, shape, Draw{lo, hi}}
}

// Len is the number of elements.
func (o Operand) Len() int {
	n := 1
	for _, s := range o.Shape {
		n *= s
	}
	return n
}

// Bytes is what they take in memory.
func (o Operand) Bytes() float64 { return float64(o.Len()) * float64(o.Elem.Size()) }

// Values gives the elements of a tensor in row-major order.
type Values func(i int) float64

// slice is n elements from element at on.
func (v Values) slice(at, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = v(at + i)
	}
	return x
}

// period is after how many elements random contents repeat: to draw 2^28 numbers
// takes longer than all else.
const period = 1<<20 + 7

// drawn remembers what Contents drew, which the works of a run share.
var drawn sync.Map

type drawKey struct {
	elem weft.DType
	draw Draw
	seed uint64
}

// Contents are the elements of the operand as a tensor holds them, at most as many as are drawn before
// they repeat. The caller does not change them.
func (o Operand) Contents(seed uint64) []float64 {
	key := drawKey{o.Elem, o.Draw, seed}
	if x, ok := drawn.Load(key); ok && len(x.([]float64)) >= min(o.Len(), period) {
		return x.([]float64)[:min(o.Len(), period)]
	}
	x := make([]float64, min(o.Len(), period))
	rng := rand.New(rand.NewPCG(seed, 2))
	for i := range x {
		switch {
		case o.Draw == Draw{}:
			x[i] = rng.NormFloat64()
		case o.Elem.IsFloat():
			x[i] = o.Draw.Lo + (o.Draw.Hi-o.Draw.Lo)*rng.Float64()
		default:
			x[i] = math.Floor(o.Draw.Lo + (o.Draw.Hi-o.Draw.Lo)*rng.Float64())
		}
	}
	raw := make([]byte, len(x)*o.Elem.Size())
	dtype.PutFloats(o.Elem, raw, x)
	dtype.Floats(o.Elem, x, raw)
	drawn.Store(key, x)
	return x
}

// Values are the contents, over and over.
func (o Operand) Values(seed uint64) Values {
	x := o.Contents(seed)
	return func(i int) float64 { return x[i%len(x)] }
}

// Tensor makes the operand on a device, which copies the numbers drawn until the tensor is full.
func (o Operand) Tensor(dev *weft.Device, seed uint64) (*weft.Tensor, error) {
	x := o.Contents(seed)
	if o.Len() <= period {
		return weft.FromFloats(dev, o.Elem, x, o.Shape...)
	}
	short, err := weft.FromFloats(dev, o.Elem, x)
	if err != nil {
		return nil, err
	}
	defer short.Close()
	t, err := weft.Empty(dev, o.Elem, o.Shape...)
	if err != nil {
		return nil, err
	}
	if err := t.CopyRepeated(short); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// unwritten stands in the elements of a float output before it is computed. All float types hold it, no work
// on random numbers computes it, and drivers pass it on, which cannot be said of NaN.
const unwritten = -30720

// Poison fills an output with what the work does not compute, at least not everywhere.
func (o Operand) Poison(t *weft.Tensor) error {
	switch {
	case o.Elem.IsFloat():
		return t.Fill(unwritten)
	case o.Elem == weft.Bool:
		return t.Fill(true)
	}
	return t.Fill(int(math.MaxInt8))
}

// atOnce is how many elements of an output are brought to the host at a time.
const atOnce = 1 << 24

// Read brings the elements of an output that Check compares to the host. It fails if any element of
// a float output is not written or NaN.
func (w Work) Read(out *weft.Tensor) ([]float64, error) {
	flat, err := out.Reshape(out.Len())
	if err != nil {
		return nil, err
	}
	defer flat.Close()
	sample := w.Sample()
	got := make([]float64, len(sample))
	for from := 0; from < out.Len(); from += atOnce {
		part, err := readPart(flat, from, min(from+atOnce, out.Len()))
		if err != nil {
			return nil, err
		}
		if w.Output.Elem.IsFloat() {
			for i, v := range part {
				if v != v || v == unwritten {
					return nil, fmt.Errorf("element %d is NaN or was not written", from+i)
				}
			}
		}
		for j, i := range sample {
			if i >= from && i < from+len(part) {
				got[j] = part[i-from]
			}
		}
	}
	return got, nil
}

func readPart(flat *weft.Tensor, from, to int) ([]float64, error) {
	part, err := flat.Slice(0, from, to)
	if err != nil {
		return nil, err
	}
	defer part.Close()
	return weft.ToFloats(part)
}
