package ops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// EinsumOption changes how Einsum and DotGeneral compute.
type EinsumOption interface{ setEinsum(*einsumCall) }

// maxEinsum is how many operands an Einsum has at most.
const maxEinsum = 6

var einsumNames = [maxEinsum]string{"a", "b", "c", "d", "e", "f"}

// einsumCall is what a call asks for.
type einsumCall struct {
	given
	spec      string // letters of the operands and of the result
	wrong     string // in place of a spec
	count     int8   // of operands that are given
	precision tile.Precision
}

func newEinsum(op, spec string, count int, options []EinsumOption) einsumCall {
	c := einsumCall{given: given{op: op}, spec: spec, count: int8(min(count, maxEinsum+1))}
	for i, o := range options {
		if o == nil {
			c.miss(i)
			continue
		}
		o.setEinsum(&c)
	}
	return c
}

var einsums = declare(declaration[einsumCall]{
	operands: func(c einsumCall, in []*weft.Tensor) (list []operand) {
		for i, t := range in[:min(int(c.count), maxEinsum)] {
			list = append(list, operand{einsumNames[i], t})
		}
		return list
	},
	check:  func(c *einsumCall, in []*weft.Tensor) ([]int, error) { _, shape, err := c.plan(in); return shape, err },
	launch: (*einsumCall).launch,
	result: func(_ einsumCall, x weft.DType) weft.DType { return dotResult(x) },
})

// dotResult is the element type of products.
func dotResult(x weft.DType) weft.DType {
	if x.IsInt() {
		return weft.I32
	}
	return x
}

// Einsum multiplies operands and adds the products up, as a specification says: each dimension of each operand has a letter, and the result has those after the
// arrow, over all others of which products are added:
//
//	Einsum("bij,bjk->bik", x, y) // products of batches of matrices
//	Einsum("ij->ji", x)          // a transposed matrix
//	Einsum("ii", x)              // a trace
//	Einsum("bhqd,bhkd->bhqk", q, k)
//
//	Einsum("...ij,...jk->...ik", x, y) // of any number of dimensions before the last two
//
// Three dots stand for the dimensions of an operand that have no letters. Those of several operands belong together from the last one on, and are broadcast: of size 1 they are
// repeated. A result after an arrow without dots adds them up; one without an arrow has them first.
//
// A letter that one operand has twice is its diagonal. Without an arrow the result has the letters that occur once, in the order of the alphabet. Operands are taken from
// left to right, the first with the second one, what they give with the third one, and so on: letters that neither the result nor a later
// operand has are added up at once. Products by matrices are those of MatMul, of permuted views whose dimensions are merged; operands are copied only where their
// strides do not allow that. Results on the way have the operands' element type.
//
// There are one to six operands, of F32, F16, BF16 or F64, in any views; two of I8 or of U8 give sums of I32, as long as all letters that are added up are
// in both. The option is Precision.
//
// Errors: ErrArgument for a specification that is none, or has another number of operands, and element types that do not fit; ErrShape for another number of
// dimensions or a letter of two sizes; ErrUnsupported for other element types and for sums over letters of an operand with more than 5 dimensions that do not
// merge; ErrDevice, ErrClosed, ErrLimit, ErrOutOfMemory.
func Einsum(spec string, operands []*weft.Tensor, options ...EinsumOption) (*weft.Tensor, error) {
	c := newEinsum("einsum", spec, len(operands), options)
	in := einsumOperands(operands)
	return einsums.new(c, in[:]...)
}

// EinsumInto writes what Einsum returns into out.
//
// Errors: as for Einsum, and ErrUnsupported if out repeats elements or overlaps an operand.
func EinsumInto(out *weft.Tensor, spec string, operands []*weft.Tensor, options ...EinsumOption) error {
	c := newEinsum("einsum", spec, len(operands), options)
	in := einsumOperands(operands)
	return einsums.into(c, out, in[:]...)
}

func einsumOperands(operands []*weft.Tensor) (in [maxEinsum]*weft.Tensor) {
	copy(in[:], operands)
	return in
}

// DotDims are the dimensions of two operands that belong together, those of the first and those of the second one: batches, and those that
// products are added up over.
type DotDims struct {
	Batch, Contract [2][]int
}

// DotGeneral multiplies two tensors over the dimensions that dims names, in XLA's way: the result has the batch dimensions in the order that they are named in, then the
// other dimensions of a, and then those of b. For types and the rest see Einsum.
//
// Errors: as for Einsum, and ErrArgument for dimensions that the operands do not have, that are named twice, or that are not as many in one as in the other.
func DotGeneral(a, b *weft.Tensor, dims DotDims, options ...EinsumOption) (*weft.Tensor, error) {
	return einsums.new(newDotGeneral(a, b, dims, options), a, b)
}

// DotGeneralInto writes what DotGeneral returns into out.
//
// Errors: as for DotGeneral, and ErrUnsupported if out repeats elements or overlaps a or b.
func DotGeneralInto(out, a, b *weft.Tensor, dims DotDims, options ...EinsumOption) error {
	return einsums.into(newDotGeneral(a, b, dims, options), out, a, b)
}

// newDotGeneral is the product as an Einsum.
func newDotGeneral(a, b *weft.Tensor, dims DotDims, options []EinsumOption) einsumCall {
	c := newEinsum("dot_general", "", 2, options)
	if a == nil || b == nil {
		return c // which plan refuses
	}
	letters := [2][]byte{make([]byte, a.Rank()), make([]byte, b.Rank())}
	next, result := byte('A'), []byte(nil)
	for i, pairs := range [][2][]int{dims.Batch, dims.Contract} {
		if len(pairs[0]) != len(pairs[1]) {
			c.wrong = fmt.Sprintf("%s of a, %d of b", fault.Count(len(pairs[0]), "dimension"), len(pairs[1]))
			return c
		}
		for j := range pairs[0] {
			for side, d := range []int{pairs[0][j], pairs[1][j]} {
				n := len(letters[side])
				if d < -n || d >= n || letters[side][(d+n)%n] != 0 {
					c.wrong = fmt.Sprintf("dimension %d of %s does not exist or is named twice", d, einsumNames[side])
					return c
				}
				letters[side][(d+n)%n] = next
			}
			if i == 0 {
				result = append(result, next)
			}
			next++
		}
	}
	for side := range letters {
		for d, l := range letters[side] {
			if l == 0 {
				letters[side][d] = next
				result = append(result, next)
				next++
			}
		}
	}
	c.spec = string(letters[0]) + "," + string(letters[1]) + "->" + string(result)
	return c
}

// einsumTerms are the letters of operands and of the result.
type einsumTerms struct {
	in       []string
	out      string
	repeated [maxEinsum][]int // dimensions of operands that have no letters, since they are broadcast
}

// dots stand for dimensions without letters.
const dots = "..."

// dotLetters are what stands for n of them, the last one first of all.
func dotLetters(n int) string { return "9876543210"[10-n:] }

// expandDots puts letters of their own in place of the dots, by the operands' dimensions.
func (t *einsumTerms) expandDots(x []operand, arrow bool) error {
	most := 0
	for i, letters := range t.in {
		if !strings.Contains(letters, dots) {
			continue
		}
		n := x[i].tensor.Rank() - len(letters) + len(dots)
		if n < 0 || n > 10 {
			return fault.New(weft.ErrShape, "einsum", "shape %v has %s, %q has %d, want 0 to 10 for the dots", x[i].tensor.Shape(), fault.Count(x[i].tensor.Rank(), "dimension"),
				letters, len(letters)-len(dots)).For(x[i].name)
		}
		t.in[i], most = strings.Replace(letters, dots, dotLetters(n), 1), max(most, n)
	}
	if arrow {
		t.out = strings.Replace(t.out, dots, dotLetters(most), 1)
	} else {
		t.out = dotLetters(most) + t.out
	}
	return nil
}

// isDot reports whether a letter is that of a dimension in place of dots.
func isDot(l rune) bool { return l >= '0' && l <= '9' }

// terms reads a specification for operands.
func (c *einsumCall) terms(x []operand) (t einsumTerms, err error) {
	fail := func(format string, args ...any) (einsumTerms, error) {
		return t, fault.New(weft.ErrArgument, c.op, format, args...).For("spec")
	}
	if c.wrong != "" {
		return t, fault.New(weft.ErrArgument, c.op, "%s", c.wrong).For("dims")
	}
	spec := strings.ReplaceAll(c.spec, " ", "")
	left, out, arrow := strings.Cut(spec, "->")
	t.in, t.out = strings.Split(left, ","), out
	letter := func(l rune) bool { return l < 'A' || l > 'z' }
	if c.op == "einsum" {
		letter = func(l rune) bool { return (l < 'a' || l > 'z') && (l < 'A' || l > 'Z') }
	}
	for _, term := range append(slices.Clone(t.in), out) {
		if c.op == "einsum" {
			term = strings.Replace(term, dots, "", 1)
		}
		if strings.IndexFunc(term, letter) >= 0 {
			return fail("%q has something other than letters", c.spec)
		}
	}
	if int(c.count) != len(t.in) || c.count > maxEinsum {
		return fail("%q is for %s, %d are given, want at most %d", c.spec, fault.Count(len(t.in), "operand"), c.count, maxEinsum)
	}
	if !arrow {
		for l := 'A'; l <= 'z'; l++ {
			if strings.Count(left, string(l)) == 1 {
				t.out += string(l)
			}
		}
	}
	if strings.Contains(spec, dots) {
		if err := t.expandDots(x, arrow); err != nil {
			return t, err
		}
		left = strings.Join(t.in, ",")
	}
	for i, l := range t.out {
		if strings.ContainsRune(t.out[:i], l) {
			return fail("%q has %c twice in the result", c.spec, l)
		}
		if !strings.ContainsRune(left, l) {
			return fail("%q has %c in the result, which no operand has", c.spec, l)
		}
	}
	return t, nil
}

// plan checks the operands and finds the shape of the result.
func (c *einsumCall) plan(in []*weft.Tensor) (t einsumTerms, shape []int, err error) {
	var list []operand
	for i, x := range in[:min(max(int(c.count), 1), maxEinsum)] {
		list = append(list, operand{einsumNames[i], x})
	}
	if err := checkOperands(c.op, dotTakes, list...); err != nil {
		return t, nil, err
	}
	if err := checkPrecision(c.op, "precision", c.precision, in[0].DType()); err != nil {
		return t, nil, err
	}
	if t, err = c.terms(list); err != nil {
		return t, nil, err
	}
	sizes := map[rune]int{}
	for i, letters := range t.in {
		x := list[i].tensor
		if x.Rank() != len(letters) {
			return t, nil, fault.New(weft.ErrShape, c.op, "shape %v has %s, %q has %d", x.Shape(), fault.Count(x.Rank(), "dimension"), letters, len(letters)).For(list[i].name)
		}
		for d, l := range letters {
			n := x.Dim(d)
			known, ok := sizes[l]
			if isDot(l) && ok && n == 1 {
				continue
			}
			if ok && known != n && !(isDot(l) && known == 1) {
				return t, nil, fault.New(weft.ErrShape, c.op, "dimension %d of shape %v, %c, has size %d, want %d", d, x.Shape(), l, n, known).For(list[i].name)
			}
			sizes[l] = n
		}
	}
	t.leaveRepeated(list, sizes)
	for _, l := range t.out {
		shape = append(shape, sizes[l])
	}
	if shape == nil {
		shape = []int{}
	}
	if list[0].tensor.DType().IsInt() && !t.isProduct() {
		return t, nil, fault.New(weft.ErrUnsupported, c.op, "%q of %v, want floats but for products of two operands that add up what both have", c.spec, list[0].tensor.DType()).For("spec")
	}
	return t, shape, nil
}

// leaveRepeated takes the letters of dimensions that are broadcast away from their operands.
func (t *einsumTerms) leaveRepeated(x []operand, sizes map[rune]int) {
	for i, letters := range t.in {
		kept := ""
		for d, l := range letters {
			if isDot(l) && x[i].tensor.Dim(d) != sizes[l] {
				t.repeated[i] = append(t.repeated[i], d)
				continue
			}
			kept += string(l)
		}
		t.in[i] = kept
	}
}

func dotTakes(t weft.DType) bool {
	return t.IsFloat() || t == weft.I8 || t == weft.U8
}

// isProduct reports whether MatMul alone computes it, of diagonals where an operand has a letter twice.
func (t einsumTerms) isProduct() bool {
	if len(t.in) != 2 {
		return false
	}
	for i, letters := range t.in {
		for _, l := range letters {
			if !strings.ContainsRune(t.out, l) && !strings.ContainsRune(t.in[1-i], l) {
				return false
			}
		}
	}
	return true
}

// later are the letters of the result and of operands from i on.
func (t einsumTerms) later(i int) string { return t.out + strings.Join(t.in[i:], "") }

// only are the letters of a list that are in another one, or with not that are not.
func only(letters, of string, not bool) string {
	return string(slices.DeleteFunc([]rune(letters), func(l rune) bool { return strings.ContainsRune(of, l) == not }))
}
