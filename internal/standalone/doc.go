// Package standalone writes an op as one CUDA C++ file: the kernels, and host code that launches them for any sizes
// at run time.
//
// It is above package ops and has no code for what ops do on the host. It lets them launch on an offline
// device at several sizes, and finds each launch's sizes, strides and scalars as products of the sizes of the
// problem (fit.go): a Plan, which is right for all sizes for which the op launches the same kernels. What an op
// has to be asked for, so that its kernels hold for any sizes, is a recipe (recipe.go).
//
// Each kernel is compiled twice: relying on nothing but what the plan implies, and relying on what holds for
// the sizes that were asked for, as far as it changes the code, after a test at run time (facts.go).
package standalone
