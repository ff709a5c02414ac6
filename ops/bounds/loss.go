package bounds

import (
	"math"

	"github.com/weftgpu/weft"
)

// CrossEntropy is the largest error of the cross-entropy of a row of classes, given the sum of the magnitudes of the target's probabilities, times weights, and by
// how much the largest element of the row differs from the least that counts; of logarithms of probabilities it is their largest magnitude. The sum of
// exponentials has the relative error of a softmax, which is an absolute one of its logarithm, whose own error is 3 units, and 2^-21 near 1; products of elements
// and probabilities have that of a sum.
func CrossEntropy(elem weft.DType, classes int, mass, spread float64) float64 {
	unit, relative, size := logSum(elem, classes, spread)
	e := mass * (relative + (2*relativeSum(elem, classes)+8*unit)*size)
	return e + Smallest(elem.Accumulator())
}

// CrossEntropyGrad is the largest error of one element of the gradient of a cross-entropy of rows of classes, given the exact element, the magnitudes of the two
// terms that it is the difference of, the softmax and the target, and the largest magnitude of what exponentials are taken of, before and after the logarithm of the sum of all is
// subtracted: that has the error of a logarithm, and is stored.
func CrossEntropyGrad(elem weft.DType, classes int, element, softmax, target, size float64) float64 {
	unit, relative, _ := logSum(elem, classes, size)
	e := softmax*(2*relative+8*unit*size) + (relativeSum(elem, classes)+8*unit)*(softmax+target)
	return e + elem.Epsilon()*(math.Abs(element)+e) + Smallest(elem)
}

// logSum is the error of the logarithm of a sum of exponentials of differences of up to spread, and how large it is with such a difference.
func logSum(elem weft.DType, classes int, spread float64) (unit, e, size float64) {
	unit = elem.Accumulator().Epsilon()
	size = spread + math.Log(float64(max(classes, 1)))
	e = relativeSum(elem, classes) + (24+4*size)*unit
	if elem == weft.F64 {
		return 2 * unit, 2 * e, size
	}
	return unit, e + 0x1p-20, size
}
