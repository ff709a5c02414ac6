// Package reference computes on the host, in float64 and with gonum, what the
// ops compute on devices, and compares the two under a bound. Tests, examples and
// benchmarks use it; it is apart from the flow from kernel to device and knows
// nothing of it.
package reference
