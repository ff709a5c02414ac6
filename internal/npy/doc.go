// Package npy reads and writes the headers of NumPy's .npy files, versions 1.0 to 3.0 (NumPy
// enhancement proposal 1, "A Simple File Format for NumPy Arrays", and the documentation of
// numpy.lib.format). The elements follow a header without a gap.
//
// It knows the format alone: which element types there are, and where elements go, is
// for its callers to say.
//
// It is not github.com/sbinet/npyio because that package panics on malformed headers, allocates as much as a header claims,
// and requires the keys in one order; also it has no version 3.0 and reads only whole arrays. Tests of the quickstart example
// read and write files by it, as another implementation of the format.
package npy
