package kernelgen

import (
	"math/rand/v2"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Known is a kernel that once found something, shrunk and written by hand or as String printed it.
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
var Corpus = []Known{}
