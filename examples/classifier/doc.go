// Command classifier trains a network of two layers to read handwritten digits, and says how
// many it reads right of those that it has not seen. Forward and backward pass are
// ops on the device; only the final answers come back to the host.
//
//	go run ./examples/classifier -device cuda
//
// The pictures come with the example: see DATA.md for their origin and licence.
package main
