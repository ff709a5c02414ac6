package kernels

// Warpgroups multiply 64 rows at a time, by any number of columns. A product of fewer rows is therefore computed as its transpose, bᵀ·aᵀ, whose
// columns they are: nothing is copied, all views are transposed. So is one of F32 in the precision TF32 whose right operand lies across the sums, where
// warpgroups take the left one alone: threads load its words.

// MostSwapped is the most rows of a product that are worth it.
const MostSwapped = 32
