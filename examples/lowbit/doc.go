// Command lowbit holds the weights of a layer in 8 and in 4 bits and compares memory, time and accuracy
// with those of F32: what a language model's layers do to fit a GPU.
//
//	go run ./examples/lowbit -device cuda -rows 1 -side 4096
package main
