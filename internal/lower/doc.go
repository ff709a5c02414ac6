// Package lower turns verified tile IR into thread-level IR for a target: a
// list of passes over tile IR, the assignment of a distribution (a
// layout.Linear) to every tile, instruction choice from facts about the arguments, and a
// list of passes over the resulting simt IR, each result verified.
//
// Distributions are assigned by cost: ops propose what suits them (propose.go), proposals travel
// along the kernel as the ops carry them (carry.go), and of all candidates those are
// chosen with which the work in them and the conversions between them cost the least
// together (choose.go, with the costs of cost.go and the solver of solve.go). Notes give the
// costs in wavefronts, with what the alternative would have cost.
package lower
