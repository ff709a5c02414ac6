// Command summary reads the output of `go test -json`, prints what failed as it
// fails, and says at the end what ran on which device and what was skipped.
//
// It stands outside the flow from kernel to device; the script ./test runs it:
//
//	go test -json ./... | go run ./internal/testenv/summary -require cpu,vulkan
//
// It exits with 1 if a test failed, if nothing ran, or if a backend named by
// -require has no device on which a test of its conformance suite passed.
package main
