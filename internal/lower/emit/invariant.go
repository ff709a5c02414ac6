package emit

import (
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/tile"
)

// stageInvariants stages what stays in shared memory throughout a loop.
func (l *emitter) stageInvariants(loop *tile.Op) {
	if l.assigned.InRegisters {
		return
	}
	for _, r := range l.assigned.Invariants {
		v, site := r.Dot.Args[0], l.assigned.Stages[r.Dot][0]
		m, shape := l.assigned.MatrixOf(l.assigned.At[r.Dot]), v.Type().Shape
		if _, done := l.invariants[v]; done || r.Loop != loop || !m.ByWarpgroups(l.caps, l.assigned.OpAt(r.Dot), shape[1]) {
			continue
		}
		x := l.in(v, l.assigned.In(site))
		if m.ReadsLines(shape, mma.StagedAlong(x.dist, m.Product, 1), 1) {
			l.note("operand a of the product at %s stays in shared memory", r.Dot.Pos)
			staged := l.stageMatrix("tile_a", x, m.Product, 1, true)
			staged.array.Line = r.Dot.Pos.String()
			l.invariants[v] = staged
		}
	}
}
