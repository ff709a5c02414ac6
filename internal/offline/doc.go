// Package offline is a device that is not there: kernels are compiled for what it would be able to do, and
// every launch is written down, not run. Whatever is called with tensors on it, an op or your own kernel,
// leaves the list of launches that it would make on that hardware.
//
// It takes the place of a backend, below package weft, but knows package compile, which
// tells it what each launch is made of. The command explains, emits and writes stand-alone files by it.
package offline
