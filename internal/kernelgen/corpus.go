package kernelgen

import (
	"math/rand/v2"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Known is a kernel that once found something, as small as it could be made.
type Known struct {
	Name     string
	Found    string // what it found
	Describe func(k *tile.Builder)
	Layouts  []layout.Layout // of the views; nil stands for dense ones of the sizes
	Sizes    [][]int         // of the views
	Scalars  []uint32
}

// Case makes the case, with each view in a buffer of its own, full of small integers.
func (k Known) Case() (*Case, error) {
	kernel, err := tile.Build(k.Name, k.Describe)
	if err != nil {
		return nil, err
	}
	c := &Case{Kernel: kernel, Scalars: k.Scalars}
	rng := rand.New(rand.NewPCG(1, 2))
	for i, v := range kernel.Views {
		var l layout.Layout
		if k.Layouts != nil {
			l = k.Layouts[i]
		} else if l, err = layout.Contiguous(k.Sizes[i]...); err != nil {
			return nil, err
		}
		_, hi := l.Bounds()
		x := make([]float64, hi+2)
		for j := range x {
			x[j] = float64(rng.IntN(9))
			if v.Elem == dtype.Bool {
				x[j] = float64(rng.IntN(2))
			}
		}
		raw := make([]byte, len(x)*v.Elem.Size())
		dtype.PutFloats(v.Elem, raw, x)
		c.Elems, c.Start = append(c.Elems, v.Elem), append(c.Start, raw)
		c.Args = append(c.Args, Arg{Layout: l, Buffer: i})
	}
	return c, nil
}

// Corpus lists kernels that once found something. They run before random ones.
var Corpus = []Known{
	{
		Name:  "stores_of_two_distributions",
		Found: "the threads that stored last were others than those that stored first, without a barrier between them, and the first store stayed",
		Sizes: [][]int{{256, 4}, {256, 6}},
		Describe: func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.I32, 2)
			k.Schedule(tile.Schedule{Threads: 64})
			k.Grid(1)
			v := x.Block(256, 4).Load(0, 0)
			y.Block(256, 4).Store(v.Cast(dtype.I32), 0, 0)
			y.Block(256, 4).Store(v.CumSum(1, tile.Exclusive).Cast(dtype.I32), 0, 0)
			for i := range k.Range(4) {
				y.At(k.Arange(64).Add(i), 1).Scatter(i)
			}
			y.Block(256, 2).Store(k.Full(dtype.I32, 5, 256, 2), 0, 1)
		},
	},
	{
		Name:  "vector_update_in_a_loop",
		Found: "CUDA text said carried *= … of a vector, whose operators are functions without such a form",
		Sizes: [][]int{{4, 64}, {64}},
		Describe: func(k *tile.Builder) {
			x, y := k.In("x", dtype.I32, 2), k.Out("y", dtype.I32, 1)
			k.Schedule(tile.Schedule{Threads: 32})
			k.Grid(1)
			sum := k.Var(k.Arange(64))
			for i := range k.Range(x.Dim(0)) {
				sum.Set(sum.Get().Mul(3).Add(x.Block(1, 64).Load(i, 0).Reshape(64)))
			}
			y.Block(64).Store(sum.Get(), 0)
		},
	},
	{
		Name:  "negative_byte",
		Found: "WGSL text stored u32(-3), which is an error there",
		Sizes: [][]int{{3, 5}},
		Describe: func(k *tile.Builder) {
			y := k.Out("y", dtype.I8, 2)
			k.Grid(3)
			y.At(k.ProgramID(0), 1).Scatter(-3)
		},
	},
}
