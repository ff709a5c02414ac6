package bounds

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
)

// Attention is the largest error of one element of the result over keys keys and a head
// of head elements, given the exact element; the sum of the softmax times the values' magnitudes;
// the largest sum of magnitudes of a score, which is |scale|·Σ|q·k| and that of what a mask adds; and the
// largest magnitude of a value.
//
// An error of a score is a relative one of its exponential, and counts for the sums above and
// below the line, as the rounding of both in F32 does, with a correction for each of
// few steps. The softmax is rounded to the element type, below whose normal numbers it loses more. The bound holds for scores below 10^8 in magnitude.
func Attention(elem weft.DType, keys, head int, element, magnitudes, scores, values float64) float64 {
	relative := 2*attentionScore(head, scores) + 4*RelativeSum(keys)
	if elem != weft.F32 {
		relative += elem.Epsilon()
	}
	err := magnitudes*relative + float64(keys)*Smallest(elem)*values
	return err + elem.Epsilon()*(math.Abs(element)+err) + Smallest(elem)
}

// attentionScore is the relative error of an exponential of a score: the product is
// summed in F32, differences to the largest score are rounded, and GPUs' own exponentials err the more the
// larger those are.
func attentionScore(head int, scores float64) float64 {
	return scores*RelativeSum(head) + (16+16*scores)*dtype.F32.Epsilon()
}

// AttentionLSE is the largest error of a log-sum-exp, given the exact one and what Attention is given:
// that of a score, that of the sum, and that of GPUs' own logarithms.
func AttentionLSE(keys, head int, element, scores float64) float64 {
	return attentionScore(head, scores) + 2*RelativeSum(keys) + 0x1p-20 + 4*dtype.F32.Epsilon()*math.Abs(element)
}
