// Package lower turns verified tile IR into thread-level IR for a target: a
// list of passes over tile IR, the assignment of a distribution (a
// layout.Linear) to every tile, instruction choice from facts about the arguments, and a
// list of passes over the resulting simt IR (package simtpass), each result verified.
//
// Distributions are assigned by cost: ops propose what suits them (propose.go), proposals travel
// along the kernel as the ops carry them (carry.go), and of all candidates those are
// chosen with which the work in them and the conversions between them cost the least
// together (choose.go, with the costs of cost.go and the solver of solve.go). Notes give the
// costs in wavefronts, with what the alternative would have cost.
//
// A Dot is computed by matrix instructions where target.Caps has them for its operands and
// its precision allows them (matrixOf says so, or why not), by fused multiply-adds otherwise.
// The instructions' layouts of accumulators and operands are proposals like others (matrix.go), so an operand
// that an op before leaves in registers as they take it stays there; others go through
// shared memory in their own element type (matrixdot.go). Warpgroups multiply by operands in shared memory (group.go).
// Tensor maps copy what loops load for them (tensor.go) and what programs store (tensorstore.go). Which loops are pipelined, by which copies, in how many stages and by which threads,
// is decided in package simtpass.
package lower
