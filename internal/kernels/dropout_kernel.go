package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Dropout is the kernel of Dropout. Its views are x [n], out [n] and with cfg.Mask
// mask [n] of Bool; its scalars are those of Uniform, the word from which on an element is kept, and the
// factor of those that are.
var Dropout = weft.NewKernel("dropout", describeDropout)

func describeDropout(k *tile.Builder, cfg RandomConfig) {
	x, out := k.In("x", cfg.Elem, 1), k.Out("out", cfg.Elem, 1)
	var mask *tile.View
	if cfg.Mask {
		mask = k.Out("mask", dtype.Bool, 1)
	}
	key, first := streamScalars(k)
	threshold, scale := k.Scalar("threshold", dtype.U32), realParameter(k, "scale", cfg.Elem)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	k.Grid(k.CDiv(out.Dim(0), cfg.Block))
	p := k.ProgramID(0)
	words := draw(k, key, first, p.Mul(cfg.Block/4), cfg.Block/4)
	keep := inOrder(words[:]).Ge(threshold)
	v := x.Block(cfg.Block).Load(p).Cast(cfg.Elem.Accumulator()).Mul(scale)
	out.Block(cfg.Block).Store(k.Where(keep, v, 0).Cast(cfg.Elem), p)
	if cfg.Mask {
		mask.Block(cfg.Block).Store(keep, p)
	}
}
