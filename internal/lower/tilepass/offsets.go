package tilepass

import (
	"math/bits"

	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/tile"
)

// placeBlocks rewrites blocks at offsets that count elements. Where all offsets are known to be multiples of
// the block's sizes it is a block at tile coordinates, with all that those have: whole masks, copies, tensor maps.
// Elsewhere it is points, of which findRuns finds those that vectors cover. Indices of points do not
// wrap into the view: views end so far below 2^31 that an offset within one leaves room for a tile.
func placeBlocks(k *Kernel) {
	if !has(k.Func.Body, func(op *tile.Op) bool { return op.ByElement }) {
		return
	}
	p := &placer{Kernel: k, axes: axis.Analyse(k.Func, k.Facts)}
	p.region(k.Func.Body)
}

type placer struct {
	*Kernel
	axes *axis.Analysis
}

func (p *placer) region(r *tile.Region) {
	var out []*tile.Op
	for _, op := range r.Ops {
		for _, body := range op.Regions() {
			p.region(body)
		}
		if op.ByElement && p.err == nil {
			out = append(out, p.place(op)...)
		}
		out = append(out, op)
	}
	r.Ops = out
}

// place rewrites an op and returns the ops that go before it.
func (p *placer) place(op *tile.Op) []*tile.Op {
	shape, offsets := op.AccessType().Shape, op.Args[len(op.Args)-op.View.Rank:]
	whole := true
	for d, x := range offsets {
		whole = whole && p.axes.Of(x).All()%shape[d] == 0
	}
	at := make([]*tile.Value, len(offsets))
	ops, err := p.Describe(op.Pos, func(k *tile.Builder) {
		for d, x := range offsets {
			if at[d] = x; whole && shape[d] > 1 {
				at[d] = x.Shr(bits.TrailingZeros(uint(shape[d])))
			} else if !whole {
				unit := make([]int, len(shape))
				for i := range unit {
					unit[i] = 1
				}
				unit[d] = shape[d]
				at[d] = k.Iota(d, unit...).Add(x).Broadcast(shape...)
			}
		}
	})
	if err != nil {
		p.err = err
		return nil
	}
	op.ByElement = false
	op.Args = append(op.Args[:len(op.Args)-len(at):len(op.Args)-len(at)], at...)
	if whole {
		p.explain(op, "offsets are multiples of the block")
		return ops
	}
	op.OfBlock = true
	if op.Kind == tile.OpLoad {
		op.Kind = tile.OpGather
	} else {
		op.Kind = tile.OpScatter
	}
	return ops
}
