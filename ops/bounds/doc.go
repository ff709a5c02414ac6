// Package bounds says how far the results of package ops may be from the exact ones.
//
// Each function gives the largest error of one element, in the unit of the element, for the element type of the result,
// sizes such as the number of terms in a sum, and magnitudes that follow from the operands: an error analysis in the sense
// of Higham, Accuracy and Stability of Numerical Algorithms, from the accuracy that WGSL and CUDA promise for single
// operations. The tests hold every backend to these bounds, and the tuner refuses configs that miss them.
//
// A number of terms below 0 counts as 0, and the bounds of no element type are those without its rounding.
//
// The package is arithmetic on float64, and knows no kernel and no device.
package bounds
