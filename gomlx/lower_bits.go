package gomlx

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// placeBitcast is an element-wise op for types of one size; else memory is copied as it is, in units of the smaller type.
func (p *planner) placeBitcast(n *node) (operand, error) {
	x := p.in(n, 0)
	from, to := x.elem.Size(), n.elem().Size()
	if from == to {
		return p.placeGroup(n)
	}
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	if x, err = p.contiguous(n, x); err != nil {
		return out, err
	}
	unit := map[int]weft.DType{1: weft.U8, 2: weft.U16, 4: weft.U32}[min(from, to)]
	cfg := bitsConfig{Elem: unit, Columns: min(ceilPow2(max(out.len, x.layout.Len())), 1024)}
	p.emit(n, func(out, in []*weft.Tensor) error {
		dst, err := asBits(out[0], unit)
		if err != nil {
			return err
		}
		src, err := asBits(in[0], unit)
		if err != nil {
			return err
		}
		return bitsKernel.LaunchViews(cfg, nil, src, dst)
	}, out, x)
	return out, nil
}

type bitsConfig struct {
	Elem    weft.DType
	Columns int
}

// bitsKernel copies a vector.
var bitsKernel = weft.NewKernel("copy_bits", func(k *tile.Builder, cfg bitsConfig) {
	x, out := k.In("x", cfg.Elem, 1), k.Out("out", cfg.Elem, 1)
	at := k.ProgramTile(out, cfg.Columns)
	out.Block(cfg.Columns).Store(x.Block(cfg.Columns).Load(at...), at...)
})
