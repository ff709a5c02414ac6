// Command summary runs `go test -json`, says what it is doing, prints what failed as it
// fails, and says at the end what ran on which device and what was skipped.
//
// It stands outside the flow from kernel to device; the script ./test runs it:
//
//	go run ./internal/testenv/summary -require cpu,vulkan -- go test -json -timeout=0 ./...
//
// It is the only limit of time: tests of a package that have said nothing for ten minutes (-stall)
// print their stacks and end. A machine that is slow or busy takes longer and fails nothing.
//
// It exits with 1 if a test failed, if nothing ran, or if a backend named by
// -require has no device on which a test of its conformance suite passed.
package main
