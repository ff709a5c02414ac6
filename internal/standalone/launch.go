package standalone

import (
	"errors"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// Check reports sizes that the plan does not take.
func (p *Plan) Check(sizes []int) error {
	for i, n := range sizes {
		switch name := p.Sizes[i]; {
		case n < 1:
			return fault.New(fault.ErrShape, p.Call.Op.Name, "%d, want 1 or more", n).For(name)
		case p.Fixed[i] != 0 && n != p.Fixed[i]:
			return fault.New(fault.ErrShape, p.Call.Op.Name, "%d, the kernels are for %d", n, p.Fixed[i]).For(name)
		case n%p.Times[i] != 0:
			return fault.New(fault.ErrShape, p.Call.Op.Name, "%d is no multiple of %d", n, p.Times[i]).For(name)
		}
	}
	return nil
}

// choose is the way for sizes.
func (p *Plan) choose(sizes []int) Way {
	for _, w := range p.Ways[:len(p.Ways)-1] {
		if sizes[w.Size] <= w.Most {
			return w
		}
	}
	return p.Ways[len(p.Ways)-1]
}

// Launch runs the plan on tensors of any device, as the written file does on a GPU: the plan's own test.
func (p *Plan) Launch(sizes []int, out, in []*weft.Tensor) (err error) {
	if err := p.Check(sizes); err != nil {
		return err
	}
	vars, way := p.vars(sizes), p.choose(sizes)
	tensors := append(append([]*weft.Tensor(nil), in...), out...)
	for _, w := range way.Workspace {
		elem := map[int]weft.DType{1: weft.U8, 2: weft.F16, 4: weft.U32, 8: weft.U64}[w.Bytes]
		for _, s := range way.Steps { // the type that it is written with
			for v, b := range s.Buffers {
				if b == len(tensors) {
					elem = s.Kernel.Views[v].Elem
				}
			}
		}
		t, err := weft.Empty(out[0].Device(), elem, int(w.Elements.eval(vars)))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, t.Close()) }()
		tensors = append(tensors, t)
	}
	for _, s := range way.Steps {
		if err := s.launch(vars, tensors); err != nil {
			return err
		}
	}
	return out[0].Device().Synchronize()
}

func (s Step) launch(vars []int, tensors []*weft.Tensor) error {
	var views []weft.View
	for v, words := range s.Words {
		rank, n := s.Kernel.Views[v].Rank, make([]int, len(words))
		for i, e := range words {
			n[i] = int(e.eval(vars))
		}
		l, err := layout.Strided(n[1:1+rank], n[1+rank:], n[0])
		if err != nil {
			return err
		}
		views = append(views, weft.View{Tensor: tensors[s.Buffers[v]], Layout: l})
	}
	var scalars weft.Scalars
	for i, x := range s.Scalars {
		scalars = append(scalars, scalarValue(s.Kernel.Scalars[i].Elem, x.bits(vars)))
	}
	return weft.BuiltKernel(s.Kernel).LaunchViews(struct{}{}, scalars, views...)
}

// scalarValue is the Go number of a scalar's bits.
func scalarValue(elem weft.DType, bits uint32) any {
	switch elem {
	case weft.F32:
		return math.Float32frombits(bits)
	case weft.I32:
		return int32(bits)
	}
	return bits
}
