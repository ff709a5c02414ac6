package lower

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// What can be known of a value, and how two of it are joined: the lattice of the analysis in axis.go.

// axisFact is what is known along one axis.
type axisFact struct{ contiguity, divisibility, constancy int }

// maxDivisor is the largest divisor that is kept; it is that of 0.
const maxDivisor = 1 << 30

// span is a range of integers, ends included. The zero value says nothing.
type span struct {
	known  bool
	lo, hi int64
}

// tileBound says of a value that so many blocks start before the end of a view: value*size
// is below the view's size along dim. The zero value, with size 0, says nothing.
type tileBound struct {
	view *tile.View
	dim  int
	size int64
}

// valueFact is what is known of a value. A scalar counts as a tile with one element.
type valueFact struct {
	shape []int
	axes  [5]axisFact
	span
	below   tileBound
	factors []*tile.Value // the value is at least 0 and below the product of these, which is that of a grid; nil says nothing
}

func (f valueFact) equal(g valueFact) bool {
	return f.axes == g.axes && f.span == g.span && f.below == g.below && slices.Equal(f.factors, g.factors)
}

// String prints "c=4,1 d=8,16 k=1,64 [0,255]", one number for each axis.
func (f valueFact) String() string {
	var c, d, k []string
	for i := range f.shape {
		a := f.axes[i]
		c, d, k = append(c, fmt.Sprint(a.contiguity)), append(d, fmt.Sprint(a.divisibility)), append(k, fmt.Sprint(a.constancy))
	}
	text := fmt.Sprintf("c=%s d=%s k=%s", strings.Join(c, ","), strings.Join(d, ","), strings.Join(k, ","))
	if f.known {
		text += fmt.Sprintf(" [%d,%d]", f.lo, f.hi)
	}
	if f.below.size != 0 {
		text += fmt.Sprintf(" *%d<%s.%d", f.below.size, f.below.view.Name, f.below.dim)
	}
	return text
}

// scalarShape is the shape that scalars count as.
var scalarShape = []int{1}

// nothing is what is known of a value of which nothing is known but its type.
func nothing(t tile.Type) valueFact {
	f := valueFact{shape: t.Shape, span: spanOf(t.Elem)}
	if t.IsScalar() {
		f.shape = scalarShape
	}
	for d := range f.shape {
		f.axes[d] = axisFact{1, 1, 1}
	}
	return f
}

// spanOf is the range of an element type; 64-bit types and floats have none.
func spanOf(e dtype.Type) span {
	switch e {
	case dtype.Bool:
		return span{true, 0, 1}
	case dtype.I8:
		return span{true, math.MinInt8, math.MaxInt8}
	case dtype.U8:
		return span{true, 0, math.MaxUint8}
	case dtype.I32:
		return span{true, math.MinInt32, math.MaxInt32}
	case dtype.U32:
		return span{true, 0, math.MaxUint32}
	}
	return span{}
}

// within is s where a type holds all of it, else the type's own range: the value wraps.
func (s span) within(e dtype.Type) span {
	t := spanOf(e)
	if s.known && t.known && s.lo >= t.lo && s.hi <= t.hi {
		return s
	}
	return t
}

// union covers both ranges.
func (s span) union(t span) span {
	if !s.known || !t.known {
		return span{}
	}
	return span{true, min(s.lo, t.lo), max(s.hi, t.hi)}
}

// nonNegative reports whether no element is below 0.
func (s span) nonNegative() bool { return s.known && s.lo >= 0 }

// constant is the one value of all elements.
func (s span) constant() (int64, bool) { return s.lo, s.known && s.lo == s.hi }

// divisorOf is the largest power of two that divides x.
func divisorOf(x int64) int {
	if x == 0 {
		return maxDivisor
	}
	return int(min(maxDivisor, x&-x))
}

// all is a divisor of every element.
func (f valueFact) all() int {
	n := 1
	for d := range f.shape {
		n = max(n, f.every(d, 1))
	}
	return n
}

// every is a divisor, told from axis d alone, of the elements whose coordinate along it is a
// multiple of step.
func (f valueFact) every(d, step int) int {
	a := f.axes[d]
	if step >= a.contiguity {
		return a.divisibility
	}
	return min(a.divisibility, step)
}

// divisor is the best known divisor of the elements whose coordinate along d is a multiple of step.
func (f valueFact) divisor(d, step int) int { return max(f.every(d, step), f.all()) }

// aligned is the largest group along d, up to limit, that is contiguous and whose first element is
// a multiple of its size: its elements differ in their last bits alone.
func (f valueFact) aligned(d, limit int) int {
	return max(1, min(f.axes[d].contiguity, f.axes[d].divisibility, limit))
}

// join is what is known of a value that is either of two.
func (f valueFact) join(g valueFact) valueFact {
	out := valueFact{shape: f.shape, span: f.span.union(g.span)}
	for d := range f.shape {
		c := min(f.axes[d].contiguity, g.axes[d].contiguity)
		out.axes[d] = axisFact{c, min(f.divisor(d, c), g.divisor(d, c)), min(f.axes[d].constancy, g.axes[d].constancy)}
	}
	if f.below == g.below {
		out.below = f.below
	}
	if slices.Equal(f.factors, g.factors) {
		out.factors = f.factors
	}
	return out
}
