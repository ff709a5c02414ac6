package lower

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// in is a tile in a distribution: as it was made or brought there before, made again if
// that is cheap, or converted.
func (l *lowerer) in(v *tile.Value, to layout.Linear) regs {
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
	if l.assigned.made[v] == nil {
		out = l.make(v, to)
	} else {
		l.noteConversion(v, to)
		out = l.convert(r, to, v.Type().Elem)
	}
	l.copies[v] = append(l.copies[v][:len(l.copies[v]):len(l.copies[v])], out)
	return out
}

// make is a tile that has no distribution of its own in the one in which it is wanted.
func (l *lowerer) make(v *tile.Value, to layout.Linear) regs {
	op := v.Op()
	switch {
	case carries[op.Kind].rename:
		return l.renamed(op, to)
	case op.Kind == tile.OpConst:
		return l.splat(l.constant(op, v.Type()), to)
	case op.Kind == tile.OpSplat:
		return l.splat(l.scalars[op.Args[0]], to)
	case op.Kind == tile.OpIota:
		return l.iota(to, op.Axis)
	}
	return l.elementwiseIn(op, to)
}

// prepare brings the tiles that a loop's body wants in other distributions than theirs there
// before the loop, and its residents to shared memory.
func (l *lowerer) prepare(loop *tile.Op) {
	for _, s := range l.assigned.within(loop) {
		for _, u := range s.uses {
			if _, before := l.tiles[u.of]; before && l.assigned.made[u.of] != nil {
				_, to := source(u.value, u.wanted(l.assigned.in(s)))
				l.in(u.of, to)
			}
		}
	}
	l.stageResidents(loop)
}

// convert brings a tile into another distribution by the shortest way that there is:
// by renaming registers, by shuffles within subgroups, or through shared memory.
func (l *lowerer) convert(r regs, to layout.Linear, elem dtype.Type) regs {
	if r.dist.Equal(to) {
		return r
	}
	m := l.assigned.costs.movement(r.dist, to)
	if m.shared {
		return l.redistribute(r, to, elem)
	}
	l.note("elements change their places by %v", m.plan)
	held := make([]*simt.Value, r.dist.Size(layout.Register))
	for i := range held {
		held[i] = r.element(l.b, i)
	}
	if len(m.plan.Rounds) > 0 {
		held = l.shuffleRounds(m.plan.Rounds, l.assigned.costs.lanes, held)
	}
	out := emptyRegs(to)
	out.fill(l.b, func(register int) *simt.Value { return held[m.plan.Registers[register]] })
	return out
}

// route plans a conversion; shared says that it has to go through shared memory, or should.
func route(from, to layout.Linear, lanes int) (plan layout.Conversion, shared bool) {
	plan, err := layout.Plan(from, to, lanes)
	return plan, err != nil || plan.Route == layout.InShared || !simpleRounds(plan.Rounds, lanes)
}

// simpleRounds reports whether all rounds of a plan are XOR shuffles of one register
// for all threads. Others would choose a register by the thread's number; what
// goes through shared memory then costs less.
func simpleRounds(rounds []layout.Round, lanes int) bool {
	for _, r := range rounds {
		if _, ok := r.Xor(lanes); !ok || !r.Send.Uniform() || !r.Into.Uniform() {
			return false
		}
	}
	return true
}

// shuffleRounds executes rounds: what each thread receives, by number.
func (l *lowerer) shuffleRounds(rounds []layout.Round, lanes int, held []*simt.Value) []*simt.Value {
	received := make([]*simt.Value, len(rounds))
	for _, r := range rounds {
		v := held[r.Send.Const]
		if mask, _ := r.Xor(lanes); mask != 0 {
			v = l.b.Emit(&simt.Op{Kind: simt.ShuffleXor, Args: []*simt.Value{v}, Index: mask}, v.Type)
		}
		if into := r.Into.Const; into < len(received) { // a copy that nobody needs otherwise
			received[into] = v
		}
	}
	return received
}
