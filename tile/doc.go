// Package tile is the kernel language: a Go function describes, through a
// Builder, what one program of a grid computes on tiles, and Build makes
// verified tile IR of that description.
//
// Tile IR is an SSA form over scalars and tiles (an element type and a static
// power-of-two shape) with structured loops and views of global tensors. It
// knows no threads, no shared memory and no vendor. Package tile/interp executes it
// on the host and so defines its meaning; internal/lower translates it
// to thread-level code for GPUs.
//
// # Meaning
//
// A kernel runs as a grid of independent programs. A View is a tensor of any
// size; a Block of it is loaded or stored at tile coordinates, so that
// coordinate c of dimension d with block size s covers the elements c*s to
// c*s+s-1. Elements beyond the view's size read as the block's fill value and
// are not written. The product does not wrap: the elements of a coordinate for which
// it leaves 32 bits do not exist either.
//
// Require states what must hold of sizes and scalars; a launch checks it before anything runs.
//
// LoadAt and StoreAt place a block by offsets that count elements: it covers the elements from
// the offset on, which may be any number, also below 0. Squeeze drops dimensions of size 1 from a
// block's tiles, though not from its coordinates. Indices and Inside are the indices of a block's
// elements and which of them the view has.
//
// Points of a View are elements at computed indices. A point with an index
// outside of the view's sizes, or whose mask does not hold, is left out: it reads
// as the fill value and is not written. Where points of one scatter are one
// element, one of the values is written, whichever. The ops of one program
// appear to happen in order; the programs of a launch run in
// any order and at the same time.
//
// Atomic ops change an element in one step and return what it held. They order no
// other access, unless Points.Acquire, Points.Release or Points.AcquireRelease asks for it, and a program that waits for another may wait for ever. Sums
// of F32 by atomic ops are not reproducible bit by bit: Func.Reproducible says so.
//
// # Control
//
// Loops and conditions are by scalars: For over a counted range, While, If with
// Else, Exit. A For ends where its index would leave 32 bits. Its step must be positive: where
// the step is computed from sizes and scalars a launch checks it, as it does a requirement; where it
// is computed on the device the interpreter fails and GPUs make no iteration. A While whose condition
// always holds never ends, and nothing finds it before it runs. Variables carry values through them. A loop over Go numbers, in Go
// alone, is a static loop: its body is described, and so compiled, once for each
// iteration, with its numbers as constants:
//
//	for i := range 4 {
//		sum.Set(sum.Get().Add(x.Block(64).Load(i)))
//	}
//
// # Schedule
//
// A Schedule holds what steers the mapping to a machine and leaves the meaning alone: Threads,
// Stages, Order, SplitK, and Producers with their options. It is in the printed kernel and among the choices that Explain
// lists. A kernel sets it before what it acts on, usually from its config.
//
// Order is the order in which programs take tiles. TileID(rows, columns) declares the grid and
// returns this program's row and column in that order, ProgramTile does so for the tiles of a
// view of any rank, and TileAt(n, rows, columns) numbers tiles for persistent loops. So
// a kernel says what a tile needs, and its schedule which tile comes next:
//
//	row-major  0 1 2 3    column-major  0 3 6 9    grouped by 2 rows  0 2 4 6
//	           4 5 6 7                  1 4 7 10                      1 3 5 7
//	           8 9 10 11                2 5 8 11                      8 9 10 11
//
// SplitK lets several programs share the reduction of each tile of a result that has few
// tiles. SplitRange is this program's part of the loop. Where the parts come together, either
// Accumulate adds them by atomic ops to a result that the launch clears before, or
// each program stores its part under SplitID in a workspace for a second kernel to add. With one part
// both are as if there were no split.
//
// The caveat: rounding depends on the order of sums, and so on the split. Stored parts give the same bits in
// every run with one SplitK. Atomic sums of F32 give other bits from run to run, which Func.Reproducible tells;
// sums of I32 and U32 are exact, and other types have no atomic sums: Accumulate
// refuses them where there is more than one part.
//
// Where programs run in clusters, those of one may share a reduction instead: ClusterRange is a program's part of the loop, and ClusterSum adds the parts
// and gives each program a part of the sums to store.
//
// # Aids and hints
//
// Assert, Print and Break act in the interpreter, and so on the cpu device and by weft's Kernel.Debug; GPUs
// drop them, and Explain says so. Within an If on ProgramID they act in the programs
// that it chooses; Print takes such a condition itself. Package interp has a mode that looks for
// races, reads of what nothing wrote, elements of outputs that no program wrote, points out of bounds and the first NaN.
// Assume, MultipleOf and Contiguous are promises that the compiler may rely on.
// View.Streamed is a hint for what is read once.
//
// # Arithmetic
//
// Integer arithmetic wraps. Arithmetic on F16 and BF16 is done at least at the
// precision of the type; a backend may keep intermediate results in F32. At the
// edges every device gives:
//
//	x / 0, x % 0 of integers              x, 0
//	MinInt32 / -1, MinInt32 % -1          MinInt32, 0; of 64 bits MinInt64, 0
//	shift by n                            shift by n modulo 32, of I64 and U64 modulo 64
//	-MinInt32, |MinInt32|                 MinInt32; of 64 bits MinInt64
//	integer to a narrower one             its low bits
//	float to integer out of range         the nearest integer of the type; NaN gives 0
//	F32 to F16 beyond 65504               infinity from 65520 on, else 65504
//	infinities, x / 0 of floats           as in IEEE 754, each op by itself, and x-x, x/x, x*0
//	max, min with one NaN                 the other operand or NaN; of numbers and NaNs, one of them
//	Sin, Cos of an infinity               NaN; of all other numbers within 2^-22, of F64 2^-51
//	IsNaN, ArgMax, ArgMin                 NaN by its bits
//	==, <, ... with NaN                   not promised: WGSL lets devices assume that there are no NaNs
//	subnormal numbers                     kept or flushed to 0
//
// The conformance suite checks the table on every backend. Compilers of WGSL may simplify expressions of several
// ops as if there were neither infinities nor NaN, such as (x+y)-x or log(exp(x)); where it matters, look at the bits.
//
// F64 takes all ops on floats, with sums and products in F64, where the target has it (target.Caps.Float64).
// I64 and U64 take all integer arithmetic, comparisons, casts, loads and stores, reductions
// and scans, where the target has them (target.Caps.Int64). The cpu and cuda backends have both, the vulkan backend
// what its driver has of them in SPIR-V; WGSL has neither, and a kernel that needs them there is fault.ErrUnsupported with the op's line.
// Atomic ops, scalar parameters and coordinates have 32 bits. A Go integer of any size stands
// for a constant without loss.
//
// Round takes ties to even. Exp, Sigmoid, Expm1 and their like give 0, 1, -1 or an
// infinity beyond the range of the type; Erf is -1 or 1 from |x| = 4 on, of F64 from 6 on. IsNaN looks at
// the bits and so is exact everywhere. A Bitcast keeps the bits of what the type holds;
// devices may flush denormals, and a NaN may come out as another one.
//
// Packed integers of 4 bits travel as U8 or U32, as package dtype lays them out: Unpack4 and
// Pack4 go between those words and tiles of I8 or U8.
//
// An axis below 0 counts from the last one, -1, wherever a tile's or a view's axis is named.
//
// Reshape, Permute, Join and Split move elements without touching them; Reorder moves them to computed places, a permutation. Value.At is one element
// as a scalar, its computed indices taken modulo the sizes. Reshape
// keeps their row-major order; Join puts its operands at 0 and 1 of a new last dimension.
//
// Histogram adds up weights by bins, which the elements of a tile say, or counts: GPUs do so by atomic ops in shared memory.
// Rank counts the elements before each that are equal to it, which warps do by ballots. Take picks the elements of a tile at computed places.
//
// Sum, Prod, Max, Min and Reduce combine the elements along an axis in an order and in
// pairs that are not defined, so that a combine must be associative and commutative
// up to rounding; all elements of a result are computed in one way. Scans keep the
// order: the earlier one is the combine's first operand, and only the pairing is
// not defined. (The interpreter goes from the first element to the last; sums and
// products of floats accumulate in float64 there and in F32 on devices, those of a
// Reduce or a Scan in what its combine says.) ArgMax and ArgMin take the first of
// equal elements and the first NaN if there is one; 0 and -0 are equal.
package tile
