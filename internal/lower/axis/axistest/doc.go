// Package axistest makes random programs of integers and runs them in the interpreter. Tests of
// package axis check what it claims of their values, and tests of passes that they compute the same.
package axistest
