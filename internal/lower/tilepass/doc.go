// Package tilepass has the passes over tile IR, a file each, in the order of passes.go. They change a copy of the kernel and not
// what it means, which the interpreter is asked in tests.
package tilepass
