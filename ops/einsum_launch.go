package ops

import (
	"errors"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
)

// lettered is a tensor with a letter for each dimension.
type lettered struct {
	t       *weft.Tensor
	letters string
}

// places are the dimensions of letters.
func (x lettered) places(letters string) []int {
	dims := make([]int, 0, len(letters))
	for _, l := range letters {
		dims = append(dims, strings.IndexRune(x.letters, l))
	}
	return dims
}

// ordered is a view with dimensions in the order of letters.
func (x lettered) ordered(made *scratch, letters string) *weft.Tensor {
	if x.letters == letters || made.err != nil {
		return x.t
	}
	return made.keep(x.t.Permute(x.places(letters)...))
}

func (c *einsumCall) launch(out *weft.Tensor, in []*weft.Tensor) error {
	t, _, err := c.plan(in)
	if err != nil {
		return err
	}
	made := scratch{}
	defer made.close()
	result, in := lettered{out, t.out}, slices.Clone(in)
	for i, dims := range t.repeated {
		for _, d := range slices.Backward(dims) {
			if in[i] = made.keep(in[i].Select(d, 0)); made.err != nil {
				return made.err
			}
		}
	}
	x := lettered{in[0], t.in[0]}
	if len(t.in) == 1 {
		return c.single(&made, x, result)
	}
	x = c.reduced(&made, x, t.later(1))
	for i := 1; i < len(t.in) && made.err == nil; i++ {
		y := c.reduced(&made, lettered{in[i], t.in[i]}, t.later(i+1)+x.letters)
		last := i == len(t.in)-1
		to := result
		x = c.reduced(&made, x, t.later(i+1)+y.letters)
		if made.err != nil {
			break
		}
		if !last {
			to = c.between(&made, x, y, t.later(i+1))
		}
		if made.err == nil {
			made.err = c.pair(&made, to, x, y, t.later(i+1))
		}
		x = to
	}
	return made.err
}

// between is a new tensor for the product of two operands.
func (c *einsumCall) between(made *scratch, x, y lettered, keep string) lettered {
	batch := only(only(x.letters, y.letters, false), keep, false)
	letters := batch + only(x.letters, y.letters, true) + only(y.letters, x.letters, true)
	shape := make([]int, 0, len(letters))
	for _, l := range letters {
		if d := strings.IndexRune(x.letters, l); d >= 0 {
			shape = append(shape, x.t.Dim(d))
		} else {
			shape = append(shape, y.t.Dim(strings.IndexRune(y.letters, l)))
		}
	}
	return lettered{made.keep(weft.Empty(x.t.Device(), x.t.DType(), shape...)), letters}
}

// diagonal is a view of an operand in which each letter is once.
func diagonal(made *scratch, x lettered) lettered {
	letters, shape, strides := "", []int(nil), []int(nil)
	l := x.t.Layout()
	for d, letter := range x.letters {
		if at := strings.IndexRune(letters, letter); at >= 0 {
			strides[at] += l.Stride(d)
			continue
		}
		letters, shape, strides = letters+string(letter), append(shape, l.Size(d)), append(strides, l.Stride(d))
	}
	if len(letters) == len(x.letters) || made.err != nil {
		return x
	}
	of, err := layout.Strided(shape, strides, l.Offset())
	if err != nil {
		made.err = err
		return x
	}
	return lettered{made.keep(x.t.AsStrided(of)), letters}
}

// reduced is an operand without diagonals, and without the letters that are not kept, which are added up.
func (c *einsumCall) reduced(made *scratch, x lettered, keep string) lettered {
	x = diagonal(made, x)
	gone := only(x.letters, keep, true)
	if gone == "" || made.err != nil {
		return x
	}
	return lettered{made.keep(Sum(x.t, Axis(x.places(gone)...))), only(x.letters, keep, false)}
}

// single writes one operand.
func (c *einsumCall) single(made *scratch, x, out lettered) error {
	x = diagonal(made, x)
	gone, kept := only(x.letters, out.letters, true), only(x.letters, out.letters, false)
	to := out.ordered(made, kept)
	switch {
	case made.err != nil:
		return made.err
	case gone == "":
		return to.CopyFrom(x.t)
	}
	return SumInto(to, x.t, Axis(x.places(gone)...))
}

// pair writes the product of two operands, of which all letters are kept or in both.
func (c *einsumCall) pair(made *scratch, out, x, y lettered, keep string) error {
	both := only(x.letters, y.letters, false)
	p := dotPlan{batch: only(both, keep, false), contract: only(both, keep, true), rows: only(x.letters, y.letters, true), columns: only(y.letters, x.letters, true)}
	if p.contract == "" && x.t.DType().IsFloat() {
		return p.elementwise(made, out, x, y)
	}
	p = p.best(out, x, y)
	a, b := p.matrix(made, x, p.rows, p.contract), p.matrix(made, y, p.contract, p.columns)
	to := out.ordered(made, p.batch+p.rows+p.columns)
	if made.err != nil {
		return made.err
	}
	shape := p.shape(to.Layout(), len(p.rows), len(p.columns))
	result, err := to.Reshape(shape...)
	if errors.Is(err, weft.ErrUnsupported) {
		result, err = weft.Empty(to.Device(), to.DType(), shape...)
	}
	if made.keep(result, err); made.err != nil {
		return made.err
	}
	if err := MatMulInto(result, a, b, Precision(c.precision)); err != nil || result.Overlaps(to) {
		return err
	}
	back := made.keep(result.Reshape(to.Shape()...))
	if made.err != nil {
		return made.err
	}
	return to.CopyFrom(back)
}

// dotPlan is a product of matrices: the letters of batches, of what is added up, and of the two sides of the result.
type dotPlan struct{ batch, contract, rows, columns string }

// dotBatches is how many dimensions of batches are left as they are: MatMul merges those that it can.
const dotBatches = 3

// shape is that of a layout with the dimensions of batches, and two groups merged.
func (p dotPlan) shape(l layout.Layout, first, second int) []int {
	sizes, n := l.Shape(), len(p.batch)
	merged := func(list []int) int {
		product := 1
		for _, n := range list {
			product *= n
		}
		return product
	}
	shape := slices.Clone(sizes[:n])
	if n > dotBatches {
		shape = []int{merged(sizes[:n])}
	}
	return append(shape, merged(sizes[n:n+first]), merged(sizes[n+first:]))
}

// matrix is an operand with its dimensions merged, copied if that is not a view.
func (p dotPlan) matrix(made *scratch, x lettered, rows, columns string) *weft.Tensor {
	t := x.ordered(made, p.batch+rows+columns)
	if made.err != nil {
		return nil
	}
	shape := p.shape(t.Layout(), len(rows), len(columns))
	m, err := t.Reshape(shape...)
	if errors.Is(err, weft.ErrUnsupported) {
		if t = made.keep(t.Contiguous()); made.err != nil {
			return nil
		}
		m, err = t.Reshape(shape...)
	}
	return made.keep(m, err)
}

// merges reports whether the dimensions of a layout merge as shape says.
func (p dotPlan) merges(x lettered, rows, columns string) bool {
	l, err := x.t.Layout().Permute(x.places(p.batch + rows + columns)...)
	if err == nil {
		_, err = l.Reshape(p.shape(l, len(rows), len(columns))...)
	}
	return err == nil
}

// best orders the letters so that the fewest elements are copied: those of each group as an operand has them, or as the other or the result has.
func (p dotPlan) best(out, x, y lettered) dotPlan {
	as := func(letters string, of lettered) string { return only(of.letters, letters, false) }
	best, least := p, -1
	for _, batch := range []string{p.batch, as(p.batch, y), as(p.batch, out)} {
		for _, contract := range []string{p.contract, as(p.contract, y)} {
			for _, rows := range []string{p.rows, as(p.rows, out)} {
				for _, columns := range []string{p.columns, as(p.columns, out)} {
					q, copied := dotPlan{batch, contract, rows, columns}, 0
					if !q.merges(x, rows, contract) {
						copied += x.t.Len()
					}
					if !q.merges(y, contract, columns) {
						copied += y.t.Len()
					}
					if !q.merges(out, rows, columns) {
						copied += out.t.Len()
					}
					if least < 0 || copied < least {
						best, least = q, copied
					}
				}
			}
		}
	}
	return best
}

// elementwise writes products that are not added up.
func (p dotPlan) elementwise(made *scratch, out, x, y lettered) error {
	spread := func(x lettered) *weft.Tensor {
		l := x.t.Layout()
		shape, strides := make([]int, len(out.letters)), make([]int, len(out.letters))
		for d, letter := range out.letters {
			shape[d] = out.t.Dim(d)
			if at := strings.IndexRune(x.letters, letter); at >= 0 {
				strides[d] = l.Stride(at)
			}
		}
		of, err := layout.Strided(shape, strides, l.Offset())
		if err != nil {
			made.err = err
			return nil
		}
		return made.keep(x.t.AsStrided(of))
	}
	a, b := spread(x), spread(y)
	if made.err != nil {
		return made.err
	}
	return MulInto(out.t, a, b)
}
