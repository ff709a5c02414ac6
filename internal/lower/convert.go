package lower

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// convert brings a tile into another distribution by the shortest way that there is:
// by renaming registers, by shuffles within subgroups, or through shared memory.
func (l *lowerer) convert(r regs, to layout.Linear, elem dtype.Type) regs {
	if r.dist.Equal(to) {
		return r
	}
	lanes := max(1, l.caps.SubgroupSize)
	plan, err := layout.Plan(r.dist, to, lanes)
	if err != nil || plan.Route == layout.InShared || !simpleRounds(plan.Rounds, lanes) {
		return l.redistribute(r, to, elem)
	}
	l.note("elements change their places by %v", plan)
	held := make([]*simt.Value, r.dist.Size(layout.Register))
	for i := range held {
		held[i] = r.element(l.b, i)
	}
	if len(plan.Rounds) > 0 {
		held = l.shuffleRounds(plan.Rounds, lanes, held)
	}
	out := emptyRegs(to)
	out.fill(l.b, func(register int) *simt.Value { return held[plan.Registers[register]] })
	return out
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
