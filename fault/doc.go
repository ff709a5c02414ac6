// Package fault holds the sentinel errors that every layer wraps and the Error
// type that carries the op, the argument and the kernel's source line.
//
// It is the lowest package of the module: it imports nothing of weft, and the
// root package re-exports the sentinels, so that a user writes
// errors.Is(err, weft.ErrShape).
package fault
