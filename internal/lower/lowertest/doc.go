// Package lowertest has what the tests of several packages of the compiler share: targets, kernels of random ops, kernels whose distributions
// are known, and a check of what accesses to shared memory say they cost.
package lowertest
