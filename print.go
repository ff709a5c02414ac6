package weft

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// How NumPy prints arrays, by numpy.set_printoptions' defaults.
const (
	printPrecision = 8    // digits after the point at most
	printThreshold = 1000 // elements from which on only edges are shown
	printEdge      = 3    // elements of an edge
	printWidth     = 75   // of a line
	printSpan      = 1 << 20
	printMost      = 1 << 24 // elements; a view that repeats elements has any number of them
)

// String prints the elements as NumPy's str does: brackets within brackets, columns
// aligned, 8 digits after the point at most and as few as tell the values
// apart, and of more than 1000 elements the first and last three of each dimension.
// It waits for the tensor and reads what it prints. What went wrong is printed in place
// of the elements. Describe tells what the tensor is without reading it.
func (t *Tensor) String() string { return t.text(printPrecision) }

// Describe names type, shape and device: "f32[3,4] on cuda:0".
func (t *Tensor) Describe() string {
	if t.there("") != nil {
		return "nil tensor"
	}
	return fmt.Sprintf("%v%s on %v", t.elem, shapeString(t.Shape()), t.Device())
}

func shapeString(shape []int) string {
	return "[" + strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ","), "[]") + "]"
}

// Format makes %v and %s print String, with a precision such as %.3v that many digits
// after the point at most, and %+v Describe on a line before it.
func (t *Tensor) Format(s fmt.State, verb rune) {
	if t.there("") != nil {
		io.WriteString(s, "nil tensor")
		return
	}
	precision, given := s.Precision()
	if !given {
		precision = printPrecision
	}
	switch {
	case verb != 'v' && verb != 's':
		fmt.Fprintf(s, "%%!%c(%s)", verb, t.Describe())
	case verb == 'v' && s.Flag('+'):
		io.WriteString(s, t.Describe()+"\n"+t.text(precision))
	default:
		io.WriteString(s, t.text(precision))
	}
}

func (t *Tensor) text(precision int) string {
	if t.there("") != nil {
		return "nil tensor"
	}
	p := printer{elem: t.elem, shape: t.Shape(), precision: precision}
	if t.Len() == 0 {
		return "[]"
	}
	if err := p.read(t); err != nil {
		return fmt.Sprintf("%s (%v)", t.Describe(), err)
	}
	if t.Rank() == 0 {
		return p.scalar()
	}
	p.align()
	return p.nested(0, 0, " ", printWidth)
}

// printer holds the elements of a tensor that are printed.
type printer struct {
	elem      DType
	shape     []int         // of the tensor
	shown     layout.Layout // of the elements printed
	precision int
	x         []float64 // of floats, the shortest that round to them
	exact     []float64 // of floats
	text      []string  // of all
}

// cut reports whether only the edges of a dimension are printed.
func (p *printer) cut(dim int) bool { return p.shown.Size(dim) < p.shape[dim] }

// read reads the elements to be printed.
func (p *printer) read(t *Tensor) error {
	shape := t.Shape()
	if t.Len() > printThreshold {
		for d, n := range shape {
			shape[d] = min(n, 2*printEdge)
		}
	}
	shown, err := layout.Contiguous(shape...)
	if err == nil && shown.Len() > printMost {
		err = fault.New(ErrLimit, "print", "the edges of %s have more than %d elements", fault.Count(t.Rank(), "dimension"), printMost)
	}
	if err != nil {
		return err
	}
	p.shown, p.text = shown, make([]string, shown.Len())
	p.x, p.exact = make([]float64, shown.Len()), make([]float64, shown.Len())
	return p.readCorners(t, t.layout, shown, 0)
}

// readCorners reads the part of the tensor at l to the part of what is shown at to, whose
// dimensions before dim are of one size already.
func (p *printer) readCorners(t *Tensor, l, to layout.Layout, dim int) error {
	for dim < l.Rank() && l.Size(dim) == to.Size(dim) {
		dim++
	}
	if dim == l.Rank() {
		return p.readPart(t.view(l), to)
	}
	n := l.Size(dim)
	for _, end := range []struct{ from, to int }{{0, 0}, {n - printEdge, printEdge}} {
		part, err := l.Slice(dim, end.from, end.from+printEdge, 1)
		if err != nil {
			return err
		}
		place, err := to.Slice(dim, end.to, end.to+printEdge, 1)
		if err != nil {
			return err
		}
		if err := p.readCorners(t, part, place, dim+1); err != nil {
			return err
		}
	}
	return nil
}

// readPart reads a tensor, and closes it. If its elements are far apart, the device brings
// them together before they are copied, unless they are farther apart than its kernels reach.
func (p *printer) readPart(t *Tensor, to layout.Layout) (err error) {
	defer t.Close()
	if lo, hi := t.layout.Bounds(); hi-lo > printSpan && hi-lo > 4*t.Len() {
		dense, err := t.Contiguous()
		if errors.Is(err, ErrLimit) {
			return p.readApart(t, to)
		}
		if err != nil {
			return err
		}
		defer dense.Close()
		t = dense
	}
	var texts []string
	var x []float64
	switch p.elem {
	case I64:
		texts, err = readTexts(t, func(x int64) string { return strconv.FormatInt(x, 10) })
	case U64:
		texts, err = readTexts(t, func(x uint64) string { return strconv.FormatUint(x, 10) })
	case Bool:
		texts, err = readTexts(t, func(x bool) string { return map[bool]string{true: "True", false: "False"}[x] })
	default:
		x, err = ToFloats(t)
	}
	if err != nil {
		return err
	}
	i := 0
	for at := range to.Offsets() {
		switch {
		case texts != nil:
			p.text[at] = texts[i]
		case p.elem.IsInt():
			p.text[at] = strconv.FormatFloat(x[i], 'f', 0, 64)
		default:
			p.x[at], p.exact[at] = shortest(p.elem, x[i]), x[i]
		}
		i++
	}
	return nil
}

// readApart reads each index of the dimension whose elements are the farthest apart by itself.
func (p *printer) readApart(t *Tensor, to layout.Layout) error {
	widest, span := 0, 0
	for d := range t.Rank() {
		if n := max(t.layout.Stride(d), -t.layout.Stride(d)) * (t.Dim(d) - 1); n > span {
			widest, span = d, n
		}
	}
	for i := range t.Dim(widest) {
		part, err := t.layout.Select(widest, i)
		if err != nil {
			return err
		}
		place, err := to.Select(widest, i)
		if err != nil {
			return err
		}
		if err := p.readPart(t.view(part), place); err != nil {
			return err
		}
	}
	return nil
}

func readTexts[T Element](t *Tensor, text func(T) string) ([]string, error) {
	x, err := ToSlice[T](t)
	texts := make([]string, len(x))
	for i, v := range x {
		texts[i] = text(v)
	}
	return texts, err
}

// shortest is the number of the fewest decimal digits that rounds to x, a value of elem.
func shortest(elem DType, x float64) float64 {
	if math.IsInf(x, 0) || x != x {
		return x
	}
	if elem == F32 {
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', -1, 32), 64)
		return x
	}
	if elem == F64 {
		return x
	}
	for digits := 0; ; digits++ {
		short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits, 64), 64)
		if float64(dtype.Round(elem, short)) == x || digits == 17 {
			return short
		}
	}
}

// scalar is the one element of a tensor of rank 0.
func (p *printer) scalar() string {
	if !p.elem.IsFloat() {
		return p.text[0]
	}
	p.align()
	if s := strings.TrimSpace(p.text[0]); !strings.HasSuffix(s, ".") {
		return s
	} else {
		return s + "0"
	}
}

// align gives all texts one width.
func (p *printer) align() {
	if p.elem.IsFloat() {
		p.alignFloats()
		return
	}
	width := 0
	for _, s := range p.text {
		width = max(width, len(s))
	}
	if p.elem == Bool {
		width = len("False")
	}
	for i, s := range p.text {
		p.text[i] = strings.Repeat(" ", width-len(s)) + s
	}
}

// alignFloats writes floats with their points in one column: all with an exponent if one is 1e8 or
// more, less than 1e-4, or if they differ by more than a factor of 1000, and no digits that none needs.
func (p *printer) alignFloats() {
	format, digits, written := byte('f'), 0, p.x
	if p.scientific() {
		format, written = 'e', p.exact // digits after the shortest number's are those of the element
	}
	for _, x := range p.x {
		digits = max(digits, fraction(x, format, p.precision))
	}
	left, right := 0, 0
	for i, x := range written {
		p.text[i] = float(x, format, digits)
		if point := strings.IndexByte(p.text[i], '.'); point >= 0 {
			left, right = max(left, point), max(right, len(p.text[i])-point)
		}
	}
	width := left + right
	for _, s := range p.text {
		width = max(width, len(s))
	}
	for i, s := range p.text {
		if point := strings.IndexByte(s, '.'); point >= 0 {
			s += strings.Repeat(" ", right-(len(s)-point))
		}
		p.text[i] = strings.Repeat(" ", width-len(s)) + s
	}
}

func (p *printer) scientific() bool {
	least, most := math.Inf(1), 0.0
	for _, x := range p.x {
		if x = math.Abs(x); x != 0 && x < math.Inf(1) {
			least, most = min(least, x), max(most, x)
		}
	}
	return most >= 1e8 || least < 1e-4 || most > 1000*least
}

// float writes x with a point after it in any case; without an exponent, trailing zeros are left out.
func float(x float64, format byte, digits int) string {
	switch {
	case x != x:
		return "nan"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64)), "+")
	case format == 'e':
		s := strconv.FormatFloat(x, 'e', digits, 64)
		if digits == 0 {
			s = strings.Replace(s, "e", ".e", 1)
		}
		return s
	}
	s := strconv.FormatFloat(x, 'f', fraction(x, 'f', digits), 64)
	if !strings.Contains(s, ".") {
		s += "."
	}
	return s
}

// fraction is how many digits, at most limit, after the point x needs.
func fraction(x float64, format byte, limit int) int {
	if math.IsInf(x, 0) || x != x {
		return 0
	}
	s := strconv.FormatFloat(x, format, -1, 64)
	mantissa, _, _ := strings.Cut(s, "e")
	if _, digits, _ := strings.Cut(mantissa, "."); len(digits) <= limit {
		return len(digits)
	}
	s = strconv.FormatFloat(x, format, limit, 64)
	mantissa, _, _ = strings.Cut(s, "e")
	_, digits, _ := strings.Cut(mantissa, ".")
	return len(strings.TrimRight(digits, "0"))
}

// nested prints a dimension and those below it: at is where its elements begin among
// those shown, indent stands before lines but the first, and lines end before width.
func (p *printer) nested(dim, at int, indent string, width int) string {
	if dim == p.shown.Rank() {
		return p.text[at]
	}
	var words []string
	for i := range p.shown.Size(dim) {
		if p.cut(dim) && i == printEdge {
			words = append(words, "...")
		}
		words = append(words, p.nested(dim+1, at+i*p.shown.Stride(dim), indent+" ", width-1))
	}
	if dim < p.shown.Rank()-1 {
		return "[" + strings.Join(words, strings.Repeat("\n", p.shown.Rank()-1-dim)+indent) + "]"
	}
	var lines strings.Builder
	line := indent
	for _, word := range words {
		if len(line)+len(word) > width-1 && len(line) > len(indent) {
			lines.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line += word + " "
	}
	lines.WriteString(strings.TrimSuffix(line, " "))
	return "[" + lines.String()[len(indent):] + "]"
}
