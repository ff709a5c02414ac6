// Command sharded computes a block of a transformer on several devices, and compares it with the same block on one: the heads of
// attention and the inner columns of the MLP are cut over the devices, each of which has its part of the weights.
//
//	go run ./examples/sharded -backend cuda
//	go run ./examples/sharded -backend cpu -devices 3
package main
