// Command fused writes a layer of a neural network as one kernel: a matrix product whose
// result gets a bias and an activation while it is still in registers. The activation is a Go
// function that is handed to the kernel's description. The library's product takes such functions,
// too; in three ops the same layer reads and writes the result twice more.
//
//	go run ./examples/fused -device cuda
package main
