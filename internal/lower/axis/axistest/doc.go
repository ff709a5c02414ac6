// Package axistest makes random programs of integers and runs them in the interpreter, for tests of what is claimed of their values and of passes that
// must not change what they compute.
package axistest
