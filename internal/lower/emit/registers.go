package emit

import (
	"fmt"

	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// pressure is what a thread has to hold of a tile, or of all tiles that a loop carries.
type pressure struct {
	registers int       // of 32 bits
	largest   tile.Type // of the tiles
	most      int       // registers of the largest
	op        *tile.Op  // that makes the largest
}

// noteRegisters warns of a kernel whose threads have to hold more at once than a thread has registers. It counts single tiles and what
// loops carry, and not all that is live: compilers work on element-wise results one by one. What is more is spilled,
// which is slow, and takes compilers long to arrange.
func (l *emitter) noteRegisters() {
	var worst pressure
	l.eachPressure(l.kernel.Body, func(p pressure) {
		if p.registers > worst.registers {
			worst = p
		}
	})
	if l.caps.Registers == 0 || worst.registers <= l.caps.Registers {
		return
	}
	held := fmt.Sprintf("%d registers for %v", worst.most, worst.largest)
	if worst.registers > worst.most {
		held += fmt.Sprintf(" and %d for what else a loop carries", worst.registers-worst.most)
	}
	remedy := fmt.Sprintf("take smaller tiles or more threads than %d", l.threads)
	if l.caps.MaxThreads > 0 && l.threads >= l.caps.MaxThreads {
		remedy = "take smaller tiles"
	}
	l.op = worst.op
	l.note("a thread needs %s, but it has %d, so that the rest is spilled to memory: %s", held, l.caps.Registers, remedy)
}

// eachPressure visits the results of the ops of a region, and what its loops carry.
func (l *emitter) eachPressure(r *tile.Region, visit func(pressure)) {
	for _, op := range r.Ops {
		if !l.needed[op] || op.Kind.Fact().Class == tile.Leaf { // leaves are computed again where they are used
			continue
		}
		switch op.Kind {
		case tile.OpFor:
			visit(l.pressureOf(op, op.Body.Args[1:], op.Args[3:]))
		case tile.OpWhile:
			visit(l.pressureOf(op, op.Body.Args, op.Args))
		default:
			visit(l.pressureOf(op, op.Out, nil))
		}
		if op.Kind == tile.OpFor || op.Kind == tile.OpWhile || op.Kind == tile.OpIf {
			for _, body := range op.Regions() {
				l.eachPressure(body, visit)
			}
		}
	}
}

// pressureOf is that of some values together: results of an op, or what a loop carries, which has initial values.
// Registers that several elements share count once.
func (l *emitter) pressureOf(op *tile.Op, values, initial []*tile.Value) pressure {
	p := pressure{op: op}
	seen := map[*simt.Value]bool{}
	for i, v := range values {
		n := 0
		for _, x := range l.tiles[v].vecs {
			if x != nil && !seen[x] {
				seen[x] = true
				n += x.Type.Width * max(4, x.Type.Elem.Size()) / 4
			}
		}
		p.registers += n
		if n <= p.most {
			continue
		}
		if p.most, p.largest = n, v.Type(); initial != nil && initial[i].Op() != nil {
			p.op = initial[i].Op()
		}
	}
	return p
}
