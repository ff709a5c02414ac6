// Package suite is what the benchmark does: ops on the shapes of well-known models and on sizes that show how they
// scale, in sets that are asked for by name. It measures nothing.
//
// A Work has all that a measurement needs: operands with their contents, a function that runs the op, and one that
// says what an element of the result should be and within what. The contents follow from the work alone, so that
// other libraries can be given the same.
//
// A family of ops has a file with functions that make its works for given sizes; sets.go says which sizes. An op that
// is new gets a function there and a line in others, or a set: a test holds the list of ops to that.
package suite
