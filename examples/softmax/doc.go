// Command softmax normalises the rows of a matrix by a kernel that reads each row once:
// maximum, exponentials, sum and quotient happen in registers and shared memory.
//
//	go run ./examples/softmax -device cuda -rows 4096 -cols 1000
package main
