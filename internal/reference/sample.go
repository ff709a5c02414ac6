package reference

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Sampling is a draw of a token by its logits as package ops does it, in the same integers.
type Sampling struct {
	Temperature float64 // 0 for 1
	K           int     // 0 for all
	P           float64 // 0 for all
}

// SampleScale is the number of steps of weight that a difference of logits of 1 is.
func SampleScale(temperature float64) float32 {
	return float32(min(math.Log2E*0x1p20/temperature, 0x1p126))
}

// SampleShare is a share in steps of 2^-32, 0 for all.
func SampleShare(p float64) uint32 {
	if p >= 1 {
		return 0
	}
	return uint32(min(max(math.RoundToEven(p*0x1p32), 1), math.MaxUint32))
}

// Weights are those of a row of logits as F32 has them; nil if it has no distribution.
func (s Sampling) Weights(logits []float64) []uint64 {
	top := math.Inf(-1)
	for _, x := range logits {
		if math.IsNaN(x) || math.IsInf(x, 1) {
			return nil
		}
		top = max(top, x)
	}
	if math.IsInf(top, -1) {
		return nil
	}
	w, scale := make([]uint64, len(logits)), SampleScale(cmp.Or(s.Temperature, 1))
	for i, x := range logits {
		w[i] = weight(float64((float32(top) - float32(x)) * scale))
	}
	return w
}

// weight is 2^31 less a number of steps of 2^-20 octaves, in the kernel's polynomial.
func weight(steps float64) uint64 {
	if steps >= 0x1p25 {
		return 0
	}
	n := uint64(steps)
	z, sum := n<<12&math.MaxUint32, uint64(234782)
	for _, c := range []uint64{2739202, 20572593, 119165869, 515877823, 1488521945, 2147483645} {
		sum = c - sum*z>>32
	}
	return sum >> (n >> 20)
}

// Kept says which tokens a draw is among.
func (s Sampling) Kept(logits []float64) []bool {
	w, kept := s.Weights(logits), make([]bool, len(logits))
	if w == nil {
		return kept
	}
	order := make([]int, len(logits)) // by falling logits
	total := uint64(0)
	for i := range order {
		order[i] = i
		total += w[i]
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(logits[j], logits[i]) })
	limit := uint64(math.MaxUint64)
	if share := uint64(SampleShare(cmp.Or(s.P, 1))); share != 0 {
		hi, lo := bits.Mul64(total, share)
		limit = hi<<32 | lo>>32
		if lo<<32 != 0 {
			limit++
		}
	}
	above, mass := 0, uint64(0)
	for i := 0; i < len(order); {
		if s.K > 0 && above >= s.K || mass >= limit {
			break
		}
		for first := logits[order[i]]; i < len(order) && logits[order[i]] == first; i++ { // all that are alike
			kept[order[i]] = true
			above, mass = above+1, mass+w[order[i]]
		}
	}
	return kept
}

// Draw is the token of a row of a number, -1 if it has no distribution.
func (s Sampling) Draw(logits []float64, seed, offset uint64, row int) int {
	w := s.Weights(logits)
	if w == nil {
		return -1
	}
	kept, counter := s.Kept(logits), offset/4+uint64(row)
	for round := uint32(0); ; round++ {
		words := Philox([4]uint32{uint32(counter), uint32(counter >> 32), round}, [2]uint32{uint32(seed), uint32(seed >> 32)})
		i := find(w, uint64(words[0])<<32|uint64(words[1]))
		if kept[i] {
			return i
		}
		for j, x := range logits { // those that are not above it are left out
			if x <= logits[i] && j != i {
				w[j] = 0
			}
		}
		w[i] = 0
	}
}

// find is the token at a random number: in the order of the number modulo 1024, and then of the number.
func find(w []uint64, random uint64) int {
	const lanes = 1024
	total := uint64(0)
	for _, w := range w {
		total += w
	}
	target, _ := bits.Mul64(random, total)
	for lane := range lanes {
		for i := lane; i < len(w); i += lanes {
			if target < w[i] {
				return i
			}
			target -= w[i]
		}
	}
	return -1
}

// Probabilities are those of the tokens that are kept, in float64: see Sampling.Kept.
func (s Sampling) Probabilities(logits []float64) []float64 {
	p, kept, top := make([]float64, len(logits)), s.Kept(logits), slices.Max(logits)
	sum := 0.0
	for i, x := range logits {
		if kept[i] {
			p[i] = math.Exp((x - top) / cmp.Or(s.Temperature, 1))
			sum += p[i]
		}
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// Judge compares how often tokens were drawn with their probabilities by Pearson's chi-square, in which
// those that are expected less than 8 times count as one. It is wrong once in 10^6 times, by the
// approximation of Wilson and Hilferty.
func (s Sampling) Judge(logits, counts []float64) error {
	draws := 0.0
	for _, n := range counts {
		draws += n
	}
	square, degrees, few, fewExpected := 0.0, -1.0, 0.0, 0.0
	add := func(n, expected float64) {
		square, degrees = square+(n-expected)*(n-expected)/expected, degrees+1
	}
	for i, p := range s.Probabilities(logits) {
		switch expected := draws * p; {
		case p == 0 && counts[i] > 0:
			return fmt.Errorf("token %d was drawn %v times, though it is not kept", i, counts[i])
		case expected < 8:
			few, fewExpected = few+counts[i], fewExpected+expected
		default:
			add(counts[i], expected)
		}
	}
	if fewExpected >= 8 {
		add(few, fewExpected)
	}
	const deviations = 4.75 // of a normal distribution, which more than that has once in 10^6 times
	v := 2 / (9 * max(degrees, 1))
	if limit := max(degrees, 1) * math.Pow(1-v+deviations*math.Sqrt(v), 3); square > limit {
		return fmt.Errorf("chi-square of %v draws is %.1f at %v degrees of freedom, want at most %.1f", draws, square, degrees, limit)
	}
	return nil
}
