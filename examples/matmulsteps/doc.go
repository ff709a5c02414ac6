// Command matmulsteps makes a matrix product fast in five steps, and prints what each
// gains on this machine. What is computed stays the same: the steps are tile sizes
// and schedule, which are plain Go values of the kernel's config.
//
//	go run ./examples/matmulsteps                 the best device here
//	go run ./examples/matmulsteps -device cpu -n 512
package main
