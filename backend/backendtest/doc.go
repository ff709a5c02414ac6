// Package backendtest is the conformance suite: one call proves that a backend
// computes what the kernel language means.
//
// It runs ops on random data of odd sizes through every kind of view and compares
// with float64 on the host under stated bounds; it runs kernels that cover every
// op of the language, and random ones, and compares with tile/interp. Inputs are in
// memory full of NaN, outputs in memory full of a sentinel, so that a read or a
// write outside of a view shows.
//
// A backend calls RunBackend from its tests and imports itself for its registration.
// The environment variable WEFT_FULL=1 asks for more and larger cases, and WEFT_MATRIX=FOLDER
// for a file of what was right: by case, or by the op that a case names (suite.op), the
// element types and layouts of the tensors that the suite made for a comparison
// (input, output, tensor). The command matrix makes docs/conformance.md of such files.
package backendtest
