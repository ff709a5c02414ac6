package tilepass

import (
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/tile"
)

// proveMasks marks the dimensions along which blocks are certain to be within their views, and those along which their indices do not wrap.
func proveMasks(k *Kernel) {
	a := axis.Analyse(k.Func, k.Facts)
	settle(k, a)
	for op, dims := range a.Ranges {
		op.InRange = dims
	}
	for op, why := range a.Proven {
		for d, reason := range why {
			if reason != "" {
				op.Inside |= 1 << d
				k.explain(op, reason)
			}
		}
	}
}

// settle replaces choices between scalars of which facts tell how they come out.
func settle(k *Kernel, a *axis.Analysis) {
	to := map[*tile.Value]*tile.Value{}
	var visit func(r *tile.Region)
	visit = func(r *tile.Region) {
		for _, op := range r.Ops {
			for i, v := range op.Args {
				if x := to[v]; x != nil {
					op.Args[i] = x
				}
			}
			if op.Kind == tile.OpSelect && op.Result().Type().IsScalar() {
				if holds, known := a.Of(op.Args[0]).Constant(); known {
					to[op.Result()] = op.Args[2-holds]
				}
			}
			for _, body := range op.Regions() {
				visit(body)
			}
		}
	}
	visit(k.Func.Body)
	k.ReplaceGrid(to)
}
