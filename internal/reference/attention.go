package reference

import "math"

// Attention is scaled dot-product attention of q [B,Hq,Sq,D] with k and v [B,Hkv,Sk,D],
// dense in row-major order.
//
// A key that a query does not see has no part in its result, whatever k and v hold there. Of the keys
// that it sees, a score of NaN or +Inf makes the whole result NaN. Elsewhere weights are greater than 0: an element of the
// result is NaN if one of v is NaN or two are infinities of both signs, and infinite if v has infinities of one sign.
type Attention struct {
	B, Hq, Hkv, Sq, Sk, D int
	Scale                 float64
	// Mask is what is added to a score, -Inf where the query does not see the key; nil for nothing.
	Mask func(b, h, i, j int) float64
}

// AttentionResult holds the output and what its rounding errors are bounded by.
type AttentionResult struct {
	Out        []float64 // [B,Hq,Sq,D]; 0 for a query that sees no key
	LSE        []float64 // [B,Hq,Sq]; -Inf for a query that sees no key
	Magnitudes []float64 // like Out: the softmax times the finite values' magnitudes
	Scores     []float64 // like LSE: the largest |Scale|·Σ|q·k| + |mask| of the keys that the query sees
	Values     float64   // the largest finite magnitude in v
}

// Compute computes query by query.
func (a Attention) Compute(q, k, v []float64) AttentionResult {
	queries := a.B * a.Hq * a.Sq
	r := AttentionResult{Out: make([]float64, queries*a.D), LSE: make([]float64, queries),
		Magnitudes: make([]float64, queries*a.D), Scores: make([]float64, queries)}
	for _, x := range v {
		if isFinite(x) {
			r.Values = max(r.Values, math.Abs(x))
		}
	}
	for n := range queries {
		b, h, i := n/(a.Hq*a.Sq), n/a.Sq%a.Hq, n%a.Sq
		from := (b*a.Hkv + h/(a.Hq/a.Hkv)) * a.Sk * a.D // of the keys
		part := a.D * n
		scores := a.scores(q[part:part+a.D], k[from:], b, h, i, &r.Scores[n])
		r.LSE[n] = logSumExp(scores)
		if math.IsInf(r.LSE[n], -1) {
			continue
		}
		for j, s := range scores {
			if math.IsInf(s, -1) { // without weight, as if hidden
				continue
			}
			w := math.Exp(s - r.LSE[n])
			for d := range a.D {
				x := v[from+j*a.D+d]
				if isFinite(x) || math.IsNaN(w) {
					r.Out[part+d] += w * x
					r.Magnitudes[part+d] += w * math.Abs(x)
				} else { // times a weight that is greater than 0 even where w is not
					r.Out[part+d] += x
				}
			}
		}
	}
	return r
}

// scores are those of one query.
func (a Attention) scores(q, k []float64, b, h, i int, largest *float64) []float64 {
	out := make([]float64, a.Sk)
	for j := range out {
		terms, mask := 0.0, 0.0
		if a.Mask != nil {
			mask = a.Mask(b, h, i, j)
		}
		if math.IsInf(mask, -1) { // whatever k holds
			out[j] = mask
			continue
		}
		for d, x := range q {
			out[j] += a.Scale * x * k[j*a.D+d]
			terms += math.Abs(a.Scale * x * k[j*a.D+d])
		}
		out[j] += mask
		*largest = max(*largest, terms+math.Abs(mask))
	}
	return out
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// logSumExp is log(Σ exp(x)), -Inf for nothing.
func logSumExp(x []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, v := range x {
		top = max(top, v)
	}
	if math.IsInf(top, -1) {
		return top
	}
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}
