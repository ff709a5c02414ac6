// Package progress shows on a terminal how far races of package tune are. It is separate from tune so that programs that
// do not want it need not have it.
package progress
