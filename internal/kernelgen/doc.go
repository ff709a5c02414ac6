// Package kernelgen makes random well-typed kernels over the whole tile language, with
// arguments, for tests: the generators are of pgregory.net/rapid, so that what fails shrinks.
//
// A Case says with each element what a device may leave there: see package
// internal/bounds. Kernel draws a random Case; Corpus lists the kernels that once
// found something.
//
// What Kernel draws is well formed: programs do not race, points that several
// programs change are changed by atomic ops whose order does not matter, points of one scatter
// are distinct, hints are true, and loops end. Views are of rank 1 to 5 and of odd, tiny and
// zero sizes, with transposed, padded, stepped, reversed and (for inputs) repeating and
// overlapping strides; views may share memory.
//
// Which ops there are, the tables Unary, Binary and Recipes say; a test compares them with
// the closed set of package tile, and another one looks that each op is drawn.
package kernelgen
