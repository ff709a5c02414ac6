// Package bounds executes tile IR on sets of numbers: it says which results of a
// kernel are allowed on a device that keeps to the meaning that package tile
// promises, element by element.
//
// A float is an interval, which holds every result that rounding, flushed subnormal
// numbers, fused products and the errors of elementary functions may give; it is
// one number where the operands are and the result is representable. An integer or a
// truth is one number, or two where a decision hangs on what rounding left open, or
// any. What control flow or the place of a store would hang on makes the kernel
// undecided: see ErrUndecided.
//
// It is written against the documentation of package tile and shares no code with
// tile/interp, whose results have to be among those allowed, too.
package bounds
