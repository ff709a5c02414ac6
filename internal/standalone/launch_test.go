package standalone

import (
	"errors"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// launch runs a plan on tensors of any device, as the written file does on a GPU.
func (p *Plan) launch(sizes []int, out, in []*weft.Tensor) (err error) {
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
	var views []weft.TensorView
	written := map[*weft.Tensor]*weft.Tensor{}
	for v, words := range s.Words {
		rank, n := s.Kernel.Views[v].Rank, make([]int, len(words))
		for i, e := range words {
			n[i] = int(e.eval(vars))
		}
		l, err := layout.Strided(n[1:1+rank], n[1+rank:], n[0])
		if err != nil {
			return err
		}
		t := tensors[s.Buffers[v]]
		if view := s.Kernel.Views[v]; view.Elem == weft.U32 && t.DType() == weft.F32 { // copies move bits
			bits, err := asBits(t)
			if err != nil {
				return err
			}
			defer bits.Close()
			if view.Access&tile.Out != 0 {
				written[t] = bits
			}
			t = bits
		}
		views = append(views, weft.TensorView{Tensor: t, Layout: l})
	}
	var scalars weft.Scalars
	for i, x := range s.Scalars {
		scalars = append(scalars, scalarValue(s.Kernel.Scalars[i].Elem, x.bits(vars)))
	}
	if err := tensors[0].Device().LaunchBuilt(s.Kernel, scalars, views...); err != nil {
		return err
	}
	for t, bits := range written {
		if err := fromBits(t, bits); err != nil {
			return err
		}
	}
	return nil
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

// asBits is a copy of a tensor of F32 as U32, and fromBits the way back.
func asBits(t *weft.Tensor) (*weft.Tensor, error) {
	x, err := weft.ToSlice[float32](t)
	if err != nil {
		return nil, err
	}
	bits := make([]uint32, len(x))
	for i := range x {
		bits[i] = math.Float32bits(x[i])
	}
	return weft.FromSlice(t.Device(), bits, t.Shape()...)
}

func fromBits(t, bits *weft.Tensor) error {
	list, err := weft.ToSlice[uint32](bits)
	if err != nil {
		return err
	}
	x := make([]float32, len(list))
	for i := range x {
		x[i] = math.Float32frombits(list[i])
	}
	from, err := weft.FromSlice(t.Device(), x, t.Shape()...)
	if err != nil {
		return err
	}
	defer from.Close()
	return t.CopyFrom(from)
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

// bits is the parameter's word.
func (s Scalar) bits(vars []int) uint32 {
	x := s.Expr.eval(vars)
	if s.Float {
		return math.Float32bits(float32(x))
	}
	return uint32(x)
}
