package distribution

import (
	"slices"

	"github.com/weftgpu/weft/layout"
)

// PlanConversion plans a conversion; shared says that it has to go through shared memory, or should.
func PlanConversion(from, to layout.Linear, lanes int) (plan layout.Conversion, shared bool) {
	plan, err := layout.Plan(from, to, lanes)
	return plan, err != nil || plan.Route == layout.InShared || !simpleRounds(plan.Rounds, lanes)
}

// simpleRounds reports whether all rounds of a plan are XOR shuffles of one register
// for all threads. Others would choose a register by the thread's number; what
// goes through shared memory then costs less.
func simpleRounds(rounds []layout.Round, lanes int) bool {
	return !slices.ContainsFunc(rounds, func(r layout.Round) bool {
		_, ok := r.Xor(lanes)
		return !ok || !r.Send.Uniform() || !r.Into.Uniform()
	})
}
