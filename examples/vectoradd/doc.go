// Command vectoradd is the smallest kernel there is: out = a + b.
//
//	go run ./examples/vectoradd                   the best device here
//	go run ./examples/vectoradd -device vulkan -n 1000003
package main
