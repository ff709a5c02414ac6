package axis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// What can be known of a value, and how two of it are joined: the lattice of the analysis in analysis.go.

// Axis is what is known along one axis.
type Axis struct{ Contiguity, Divisibility, Constancy int }

// maxDivisor is the largest divisor that is kept; it is that of 0.
const maxDivisor = 1 << 30

// Span is a range of integers, ends included. The zero value says nothing.
type Span struct {
	Known  bool
	Lo, Hi int64
}

// tileBound says of a value that so many blocks start before the end of a view: value*size
// is below the view's size along the dimension. The zero value, with size 0, says nothing.
type tileBound struct {
	Dimension
	size int64
}

// Value is what is known of a value. A scalar counts as a tile with one element.
type Value struct {
	shape []int
	Axes  [5]Axis
	Span
	below   tileBound
	factors []*tile.Value // the value is at least 0 and below the product of these, which is that of a grid; nil says nothing
}

func (f Value) equal(g Value) bool {
	return f.Axes == g.Axes && f.Span == g.Span && f.below == g.below && slices.Equal(f.factors, g.factors)
}

// String prints "c=4,1 d=8,16 k=1,64 [0,255]", one number for each axis.
func (f Value) String() string {
	var c, d, k []string
	for i := range f.shape {
		a := f.Axes[i]
		c, d, k = append(c, fmt.Sprint(a.Contiguity)), append(d, fmt.Sprint(a.Divisibility)), append(k, fmt.Sprint(a.Constancy))
	}
	text := fmt.Sprintf("c=%s d=%s k=%s", strings.Join(c, ","), strings.Join(d, ","), strings.Join(k, ","))
	if f.Known {
		text += fmt.Sprintf(" [%d,%d]", f.Lo, f.Hi)
	}
	if f.below.size != 0 {
		text += fmt.Sprintf(" *%d<%s.%d", f.below.size, f.below.View.Name, f.below.Dim)
	}
	return text
}

// scalarShape is the shape that scalars count as.
var scalarShape = []int{1}

// nothing is what is known of a value of which nothing is known but its type.
func nothing(t tile.Type) Value {
	f := Value{shape: t.Shape, Span: spanOf(t.Elem)}
	if t.IsScalar() {
		f.shape = scalarShape
	}
	for d := range f.shape {
		f.Axes[d] = Axis{1, 1, 1}
	}
	return f
}

// spanOf is the range of an element type; 64-bit types and floats have none.
func spanOf(e dtype.Type) Span {
	switch e {
	case dtype.Bool:
		return Span{true, 0, 1}
	case dtype.I8:
		return Span{true, math.MinInt8, math.MaxInt8}
	case dtype.U8:
		return Span{true, 0, math.MaxUint8}
	case dtype.I16:
		return Span{true, math.MinInt16, math.MaxInt16}
	case dtype.U16:
		return Span{true, 0, math.MaxUint16}
	case dtype.I32:
		return Span{true, math.MinInt32, math.MaxInt32}
	case dtype.U32:
		return Span{true, 0, math.MaxUint32}
	}
	return Span{}
}

// within is s where a type holds all of it, else the type's own range: the value wraps.
func (s Span) within(e dtype.Type) Span {
	t := spanOf(e)
	if s.Known && t.Known && s.Lo >= t.Lo && s.Hi <= t.Hi {
		return s
	}
	return t
}

// union covers both ranges.
func (s Span) union(t Span) Span {
	if !s.Known || !t.Known {
		return Span{}
	}
	return Span{true, min(s.Lo, t.Lo), max(s.Hi, t.Hi)}
}

// NonNegative reports whether no element is below 0.
func (s Span) NonNegative() bool { return s.Known && s.Lo >= 0 }

// Constant is the one value of all elements.
func (s Span) Constant() (int64, bool) { return s.Lo, s.Known && s.Lo == s.Hi }

// divisorOf is the largest power of two that divides x.
func divisorOf(x int64) int {
	if x == 0 {
		return maxDivisor
	}
	return int(min(maxDivisor, x&-x))
}

// All is a divisor of every element.
func (f Value) All() int {
	n := 1
	for d := range f.shape {
		n = max(n, f.every(d, 1))
	}
	return n
}

// every is a divisor, told from axis d alone, of the elements whose coordinate along it is a
// multiple of step.
func (f Value) every(d, step int) int {
	a := f.Axes[d]
	if step >= a.Contiguity {
		return a.Divisibility
	}
	return min(a.Divisibility, step)
}

// divisor is the best known divisor of the elements whose coordinate along d is a multiple of step.
func (f Value) divisor(d, step int) int { return max(f.every(d, step), f.All()) }

// Aligned is the largest group along d, up to limit, that is contiguous and whose first element is
// a multiple of its size: its elements differ in their last bits alone.
func (f Value) Aligned(d, limit int) int {
	return max(1, min(f.Axes[d].Contiguity, f.Axes[d].Divisibility, limit))
}

// join is what is known of a value that is either of two.
func (f Value) join(g Value) Value {
	out := Value{shape: f.shape, Span: f.Span.union(g.Span)}
	for d := range f.shape {
		c := min(f.Axes[d].Contiguity, g.Axes[d].Contiguity)
		out.Axes[d] = Axis{c, min(f.divisor(d, c), g.divisor(d, c)), min(f.Axes[d].Constancy, g.Axes[d].Constancy)}
	}
	if f.below == g.below {
		out.below = f.below
	}
	if slices.Equal(f.factors, g.factors) {
		out.factors = f.factors
	}
	return out
}
