// Package assign chooses the number of threads of a workgroup and the distribution of every tile of a kernel.
//
// Ops propose what suits them (propose.go, and matrix.go for matrix instructions). Proposals are candidates wherever the ops of the kernel propagate
// them (propagate.go). Of all candidates those are chosen with which the work and the conversions cost the least together (choose.go, with the solver of solve.go). Operands
// that a loop does not change may be staged before it (invariant.go). Reasons in notes give the costs in wavefronts, with what the alternative would have cost.
package assign
