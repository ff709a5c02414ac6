// Command firstkernel is the first kernel of the README: softmax of the rows of a matrix, in six
// lines that run on every device.
//
//	go run ./examples/firstkernel
package main
