// Package launchbench measures what a host spends on kernels in addition to their computation: launches of ops, of bound kernels
// and of recordings, with and without a trace (Run), and the way of a kernel from the compiler or from a file on disk to a program
// that can be launched (Load). The ops' tests use it with devices that run nothing, those of backends with their own.
package launchbench
