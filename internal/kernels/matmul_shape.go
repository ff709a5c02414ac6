package kernels

// MaxBatch is the most batch dimensions of the kernel, whose views have two dimensions more.
const MaxBatch = 3

// mostSwapped is the most rows of a product that is computed as its transpose, bᵀ·aᵀ.
//
// Warpgroups multiply 64 rows at a time, by any number of columns. Of a product of fewer rows the rows become columns:
// nothing is copied, all views are transposed. So is a product of F32 in the precision TF32 whose right operand is MN-major, where
// warpgroups take the left one alone: threads load its words.
const mostSwapped = 32
