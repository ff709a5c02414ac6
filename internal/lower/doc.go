// Package lower translates verified tile IR to thread-level IR for a target. Its packages each decide one thing; each result is
// verified. In the order in which a kernel passes them:
//
//	tilepass      passes over tile IR: canonical expressions, masks proven needless, loops split at edges
//	assign        the number of threads, and the distribution of each tile over registers, lanes and warps
//	emit          thread-level IR, by the distributions
//	simtpass      passes over thread-level IR: pipelining and its stages, warp roles, barriers, shared memory
//
// They use the packages below:
//
//	distribution  distributions: layouts of tiles over registers and threads, and of matrices in shared memory
//	axis          facts about values: contiguity, divisibility, constancy, range
//	memory        how a block is accessed: vector widths, unaligned rows, tensor maps and why one is refused
//	plan          what a kernel of products takes of a device, by sizes alone
//	mma           matrix instructions: which one computes a Dot, and the layouts of its operands
//	codes         bits of words, and numbers that 4 of them stand for
//	cost          what accesses, conversions and copies cost
//	pass          what both lists of passes share: order, dumps, verification
//
// This package runs them. Where a kernel needs more shared memory than there is, it is lowered again with less, see assign.Fallback; and again
// without tensor maps if those are refused.
package lower
