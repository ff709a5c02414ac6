// Package distribution has the distributions of tiles that the compiler chooses from. A distribution is a layout.Linear from
// registers and threads to the elements of a tile: of blocks of memory (blocked.go), of the operands and the accumulator of a Dot (dot.go), of
// scans (scan.go). registers.go answers which registers hold neighbours, convert.go how elements get from one distribution to another, and
// swizzle.go where the elements of a matrix are in shared memory.
package distribution
