// Package npy reads and writes the headers of NumPy's .npy files, versions 1.0 to 3.0 (NumPy
// enhancement proposal 1, "A Simple File Format for NumPy Arrays", and the documentation of
// numpy.lib.format). The elements follow a header without a gap.
//
// It knows the format alone: which element types there are, and where elements go, is
// for its callers to say.
package npy
