package emit

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// in is a tile in a distribution: as it was made or converted before, rematerialised if
// that is cheap, or converted now.
func (l *emitter) in(v *tile.Value, to layout.Linear) regs {
	r, made := l.tiles[v]
	if made && r.dist.Equal(to) {
		return r
	}
	for _, c := range l.copies[v] {
		if c.dist.Equal(to) {
			return c
		}
	}
	var out regs
	if l.assigned.Made[v] == nil {
		out = l.make(v, to)
	} else {
		l.noteConversion(v, to)
		if out, made = l.exchangeMatrices(v, r, to); !made {
			out = l.convert(r, to, v.Type().Elem)
		}
	}
	l.copies[v] = append(l.copies[v][:len(l.copies[v]):len(l.copies[v])], out)
	return out
}

// make rematerialises a tile that has no distribution of its own in the one that a use takes.
func (l *emitter) make(v *tile.Value, to layout.Linear) regs {
	op := v.Op()
	switch {
	case assign.Propagations[op.Kind].View:
		return l.renamed(op, to)
	case op.Kind == tile.OpConst:
		return l.splat(l.constant(op, v.Type()), to)
	case op.Kind == tile.OpSplat:
		return l.splat(l.scalars[op.Args[0]], to)
	case op.Kind == tile.OpIota:
		return l.iota(op, to)
	}
	return l.elementwiseIn(op, to)
}

// prepare converts the tiles that a loop's body takes in other distributions than theirs
// before the loop, and stages its invariant operands in shared memory.
func (l *emitter) prepare(loop *tile.Op) {
	for _, s := range l.assigned.Within(loop) {
		for _, u := range s.Uses {
			if _, before := l.tiles[u.Source]; before && l.assigned.Made[u.Source] != nil {
				_, to := assign.Source(u.Value, u.Required(l.assigned.In(s)))
				l.in(u.Source, to)
			}
		}
	}
	l.stageInvariants(loop)
}

// convert brings a tile into another distribution by the shortest way:
// by renaming registers, by shuffles within subgroups, or through shared memory.
func (l *emitter) convert(r regs, to layout.Linear, elem dtype.Type) regs {
	if r.dist.Equal(to) {
		return r
	}
	if e, ok := l.assigned.Costs.ExchangeOf(r.dist, to, elem); ok {
		return l.exchangeWords(r, to, e, elem)
	}
	m := l.assigned.Costs.ConversionOf(r.dist, to)
	if m.Shared {
		return l.redistribute(r, to, elem)
	}
	l.note("elements move by %v", m.Plan)
	held := r.elements(l.b)
	if len(m.Plan.Rounds) > 0 {
		held = l.shuffleRounds(m.Plan.Rounds, l.assigned.Costs.Lanes, held)
	}
	return l.filled(to, func(register int) *simt.Value { return held[m.Plan.Registers[register]] })
}

// shuffleRounds executes rounds: what each thread receives, by number.
func (l *emitter) shuffleRounds(rounds []layout.Round, lanes int, held []*simt.Value) []*simt.Value {
	received := make([]*simt.Value, len(rounds))
	for _, r := range rounds {
		v := held[r.Send.Const]
		if mask, _ := r.Xor(lanes); mask != 0 {
			v = l.b.Emit(&simt.Op{Kind: simt.ShuffleXor, Args: []*simt.Value{v}, LaneMask: mask}, v.Type)
		}
		if into := r.Into.Const; into < len(received) { // a copy that is not needed otherwise
			received[into] = v
		}
	}
	return received
}
