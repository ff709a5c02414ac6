// Package cost estimates what work costs in a distribution: accesses to memory and shared memory, conversions, reductions, and operands of matrix
// instructions. Costs are counted in parts of a wavefront, see Unit. Package assign chooses distributions by them.
package cost
