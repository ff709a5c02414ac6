package ops

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tune"
)

// exactly has the reference of a race checked against arithmetic of the host in float64, for some elements of the first output: what it and all
// configs have in common may be wrong, too. Each element takes so many terms; the function computes the one at a position.
func (r *trialTensors) exactly(terms int, want func(at []int) float64) {
	r.exact, r.terms = want, terms
}

// How many elements are computed by the host, and how many terms of all of them.
const (
	mostExact  = 24
	exactTerms = 1 << 20
	exactSlack = 4 // times the tolerance: this check is for what is wrong, the one between configs for what is imprecise
)

// checkExact compares some elements, the first and the last among them.
func (r *trialTensors) checkExact(out *weft.Tensor, t tolerance) error {
	if r.exact == nil || r.terms > exactTerms {
		return nil
	}
	rng, shape := rand.New(rand.NewPCG(r.seed, 2)), out.Shape()
	for i := range min(mostExact, max(exactTerms/max(r.terms, 1), 1), out.Len()) {
		at := make([]int, len(shape))
		for d, n := range shape {
			switch i {
			case 0:
			case 1:
				at[d] = n - 1
			default:
				at[d] = rng.IntN(n)
			}
		}
		got, err := elementAt(out, at)
		if err != nil {
			return err
		}
		if want := r.exact(at); !(math.Abs(got-want) <= exactSlack*(t.absolute+t.relative*math.Abs(want))) {
			return fmt.Errorf("%w: element %v is %v, %v by the host", tune.ErrWrong, at, got, want)
		}
	}
	return nil
}

// elementAt reads one element.
func elementAt(t *weft.Tensor, at []int) (float64, error) {
	l := t.Layout()
	for _, i := range at {
		var err error
		if l, err = l.Select(0, i); err != nil {
			return 0, err
		}
	}
	one, err := t.AsStrided(l)
	if err != nil {
		return 0, err
	}
	defer one.Close()
	return one.Item()
}

// valuesOf are the numbers of a tensor that was filled.
func (r *trialTensors) valuesOf(t *weft.Tensor) func(at ...int) float64 {
	if r.err != nil {
		return nil
	}
	l := t.Layout()
	return func(at ...int) float64 {
		x := r.drawn[t]
		return x[l.At(at...)%len(x)]
	}
}

// linesOf are the positions that differ from one along some dimensions alone.
func linesOf(shape []int, along [tune.MaxRank]bool, at []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		line := slices.Clone(at)
		for d := range shape {
			if along[d] {
				line[d] = 0
			}
		}
		for d := 0; d >= 0; {
			if !yield(line) {
				return
			}
			for d = len(shape) - 1; d >= 0; d-- { // the next one
				if !along[d] {
					continue
				}
				if line[d]++; line[d] < shape[d] {
					break
				}
				line[d] = 0
			}
		}
	}
}
