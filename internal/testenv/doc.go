// Package testenv is what tests say about the machine they run on: which
// device served them, and what they had to skip. Importing it has the compiler verify
// kernels after every pass.
//
// It stands outside the flow from kernel to device; only tests import it. The
// script ./test pipes what they say through testenv/summary, which prints it at
// the end.
package testenv
