// Package layout says where things are: elements in memory and tile elements
// in registers and threads. It is pure integer algebra, knows no element type
// and no device, and is below everything else: tensors and views describe
// their memory with it, and the lowering from tiles to threads decides vector
// widths, distributions, reductions and conversions with it.
//
// Two kinds of layout share the work.
//
//   - [Layout] (shape:stride) is for memory. Sizes are arbitrary, strides may be
//     zero or negative, and an offset places the view within its buffer:
//
//     offset(c) = offset + sum over d of c[d]*stride[d]
//
//     Slices, transposes, broadcasts and padding are shape:stride; none of them
//     is linear over bits.
//
//   - [Linear] (over GF(2)) is for lanes and registers. Every size is a power of
//     two and every bit of an input such as "register" or "thread" owns a basis
//     vector; the coordinates of a tile element are the XOR of the basis vectors
//     of the bits that are set:
//
//     coord(x) = xor over set bits i of x of basis[i]
//
//     Which thread holds which element, who holds copies, what a reduction gives
//     and how to get from one distribution to another are then
//     questions of linear algebra, answered the same way for every tile.
//
// A linear layout cannot say padding or odd sizes, a strided one cannot say
// "bit 3 of the lane flips bit 0 of the column"; so a tile is addressed by a
// Layout where it is stored in memory and by a Linear once it is in registers, and
// tile coordinates are the meeting point of the two.
//
// Around these two stand
//
//   - [Swizzle] and [Swizzled], how a tile is stored in a shared array, and what that
//     costs: [Wavefronts] of addresses, [Swizzled.Access] of a distribution, and
//     [ConflictFree], which finds the swizzle for a writer and a reader. A
//     Swizzled whose sizes are powers of two is a Linear too; among all
//     linear arrays one without any conflict always exists ([ConflictFreeArray]).
//     [NewExchange] chooses between all of these.
//   - [Plan], the way from one distribution to another: renamed registers,
//     shuffles within a subgroup, or a shared array. [Linear.Segments] tells how
//     well a distribution reads and writes global memory.
//
// The swizzle is that of CuTe (NVIDIA CUTLASS, media/docs/cpp/cute). The linear
// layouts follow the formulation of "Linear Layouts: Robust Code Generation of
// Efficient Tensor Computation Using F2" (arXiv 2505.23819).
//
// What can meet a user's data returns errors that wrap the sentinels of package
// fault, whatever the arguments are. Functions without an error (At, Size, Stride,
// Basis, Drop, Transpose, Blocked, …) are for arguments that the program chose: they
// panic on a rank, a dimension or a value that the layout does not have, as indexing
// a slice does. All values are immutable, and zero values are the scalar, the
// tile of rank 0 and the swizzle that exchanges nothing.
package layout
