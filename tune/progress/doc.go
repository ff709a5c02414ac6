// Package progress shows on a terminal how far races of package tune are. It is separate from tune so that programs that
// do not show it need not link it.
package progress
