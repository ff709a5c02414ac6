package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
)

// families lists the work there is: one function and one file for each family of ops.
var families = []func(sizes) []work{
	addWorks,
	convWorks,
	copyWorks,
	elementwiseWorks,
	attentionWorks,
	matmulWorks,
	quantizeWorks,
	randomWorks,
	softmaxWorks,
	reduceWorks,
}

// sizes say how large the work is to be.
type sizes struct {
	kind  backend.Kind
	scale int // log2 of a vector's length
	side  int // of square matrices
}

// sizesFor fills a device of a kind; what is not 0 already stays.
func sizesFor(kind backend.Kind, scale, side int) sizes {
	s := sizes{kind, 22, 512}
	switch kind {
	case backend.GPU:
		s.scale, s.side = 28, 4096
	case backend.CPU:
		s.side = 1024
	}
	if scale != 0 {
		s.scale = scale
	}
	if side != 0 {
		s.side = side
	}
	return s
}

// works is all work of given sizes.
func works(s sizes) (list []work) {
	for _, family := range families {
		list = append(list, family(s)...)
	}
	return list
}

// work is one op on one size.
type work struct {
	Op     string  // name, element type and size: the same as the peers use
	Bytes  float64 // that must move at least, or 0
	Flop   float64 // operations, or 0
	inputs []operand
	output operand
	run    func(out *weft.Tensor, in []*weft.Tensor) error
	// check compares the output, or a sample of it, with float64 arithmetic; compare helps.
	check func(out values, in []values) error
}

// operand is a tensor of a work: dense, with random contents. An op's second output is
// one more input.
type operand struct {
	elem  weft.DType
	shape []int
	draw  func(*rand.Rand) float64 // one element, rounded to elem afterwards; normally distributed if nil
}

// normal is an operand of normally distributed elements.
func normal(elem weft.DType, shape ...int) operand { return operand{elem: elem, shape: shape} }

// uniform is an operand of numbers from lo to below hi; integers are rounded.
func uniform(lo, hi float64, elem weft.DType, shape ...int) operand {
	return operand{elem, shape, func(rng *rand.Rand) float64 {
		x := lo + (hi-lo)*rng.Float64()
		if elem.IsInt() {
			x = math.Floor(x)
		}
		return x
	}}
}

// values gives the elements of a tensor in row-major order.
type values func(i int) float64

func (o operand) len() int {
	n := 1
	for _, s := range o.shape {
		n *= s
	}
	return n
}

// period is after how many elements random contents repeat: to draw 2^28 numbers
// takes longer than all else.
const period = 1<<20 + 7

// tensor makes the operand on a device, which copies the numbers drawn until the
// tensor is full.
func (o operand) tensor(dev *weft.Device, seed uint64) (*weft.Tensor, values, error) {
	n := o.len()
	x := make([]float64, min(n, period))
	rng := rand.New(rand.NewPCG(seed, 2))
	for i := range x {
		if o.draw != nil {
			x[i] = o.draw(rng)
		} else {
			x[i] = rng.NormFloat64()
		}
	}
	if n <= period {
		t, err := weft.FromFloats(dev, o.elem, x, o.shape...)
		return t, rounded(o.elem, x), err
	}
	drawn, err := weft.FromFloats(dev, o.elem, x)
	if err != nil {
		return nil, nil, err
	}
	defer drawn.Close()
	t, err := weft.Empty(dev, o.elem, o.shape...)
	if err != nil {
		return nil, nil, err
	}
	if err := repeat(t, drawn); err != nil {
		t.Close()
		return nil, nil, err
	}
	return t, rounded(o.elem, x), nil
}

// repeat fills a dense tensor with copies of a shorter vector.
func repeat(t, drawn *weft.Tensor) error {
	flat, err := t.Reshape(t.Len())
	if err != nil {
		return err
	}
	defer flat.Close()
	for at := 0; at < t.Len(); {
		n := min(drawn.Len(), t.Len()-at)
		to, err := flat.Slice(0, at, at+n)
		if err != nil {
			return err
		}
		from, err := drawn.Slice(0, 0, n)
		if err != nil {
			return err
		}
		if err := to.CopyFrom(from); err != nil {
			return err
		}
		at += n
	}
	return nil
}

// rounded is what a tensor of an element type holds of x, over and over.
func rounded(elem weft.DType, x []float64) values {
	raw := make([]byte, len(x)*elem.Size())
	dtype.PutFloats(elem, raw, x)
	dtype.Floats(elem, x, raw)
	return func(i int) float64 { return x[i%len(x)] }
}

// read brings a tensor to the host.
func read(t *weft.Tensor) (values, error) {
	if t.DType() == weft.F32 { // half the memory
		x, err := weft.ToSlice[float32](t)
		return func(i int) float64 { return float64(x[i]) }, err
	}
	x, err := weft.ToFloats(t)
	return func(i int) float64 { return x[i] }, err
}

// sampled is how many elements of an output compare looks at.
const sampled = 2000

// compare demands that elements of an output of n, chosen at random, lie within a
// bound of what they should be. Both ends are among them.
func compare(out values, n int, exact func(i int) (want, bound float64)) error {
	rng := rand.New(rand.NewPCG(5, 6))
	for s := range min(n, sampled) {
		i := rng.IntN(n)
		switch s {
		case 0:
			i = 0
		case 1:
			i = n - 1
		}
		want, bound := exact(i)
		if got := out(i); !(math.Abs(got-want) <= bound) {
			return fmt.Errorf("element %d is %v, want %v within %v", i, got, want, bound)
		}
	}
	return nil
}
