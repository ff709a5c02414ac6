package layout

import (
	"encoding/binary"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// Layout maps the coordinates of a tensor to element offsets in a buffer:
// offset + sum of coord[d]*stride[d]. Strides and the offset count elements, not
// bytes, and may be zero or negative. A Layout is immutable; the zero value is
// the scalar at offset 0 (rank 0, one element).
//
// Every Layout keeps these promises, so that no method can overflow: sizes are
// not negative; the product of the sizes that are not zero fits an int; so do
// the smallest and the largest offset and the distance between them.
type Layout struct {
	shape, stride []int64
	offset        int64
}

// Contiguous returns the dense row-major layout of a shape at offset 0.
//
// Law: Contiguous(s).At(c) is the row-major position of c in s.
//
// Errors: fault.ErrShape for a negative size, fault.ErrLimit if the number of
// elements (sizes of 0 left out) overflows an int.
func Contiguous(shape ...int) (Layout, error) {
	size := wide(shape)
	return build("contiguous", size, rowMajor(size), 0)
}

// Strided returns a layout with the given sizes, strides and offset, in elements.
//
// Errors: fault.ErrShape for a negative size or slices of different lengths,
// fault.ErrLimit if the number of elements or an offset overflows an int.
func Strided(shape, stride []int, offset int) (Layout, error) {
	if len(shape) != len(stride) {
		return Layout{}, fault.New(fault.ErrShape, "strided", "%s %v but %s %v", fault.Count(len(shape), "size"), shape, fault.Count(len(stride), "stride"), stride)
	}
	return build("strided", wide(shape), wide(stride), int64(offset))
}

// build checks the promises of a Layout; op names the caller in errors. It takes
// ownership of the slices.
func build(op string, shape, stride []int64, offset int64) (Layout, error) {
	l := Layout{shape, stride, offset}
	count, lo, hi := int64(1), offset, offset
	counted, spanned := true, true
	for d, n := range shape {
		if n < 0 {
			return Layout{}, fault.New(fault.ErrShape, op, "size %d of dimension %d, want 0 or more", n, d)
		}
		if n == 0 {
			continue
		}
		var ok, fits bool
		count, ok = mul(count, n)
		counted = counted && ok
		extent, ok := mul(n-1, stride[d])
		if extent < 0 {
			lo, fits = add(lo, extent)
		} else {
			hi, fits = add(hi, extent)
		}
		spanned = spanned && ok && fits
	}
	if !counted {
		return Layout{}, fault.New(fault.ErrLimit, op, "shape %s has more elements than an int can count", tuple(shape))
	}
	if span := hi - lo; !spanned || span < 0 || int64(int(span)) != span {
		return Layout{}, fault.New(fault.ErrLimit, op, "the offsets of %v do not fit an int", l)
	}
	return l, nil
}

// rowMajor returns dense strides; a size of 0 counts as 1. Overflow wraps: build
// refuses such shapes by their element count.
func rowMajor(shape []int64) []int64 {
	stride := make([]int64, len(shape))
	run := int64(1)
	for d := len(shape) - 1; d >= 0; d-- {
		stride[d] = run
		run *= max(shape[d], 1)
	}
	return stride
}

// Rank returns the number of dimensions.
func (l Layout) Rank() int { return len(l.shape) }

// Size returns the number of elements along dimension d.
func (l Layout) Size(d int) int { return int(l.shape[d]) }

// Stride returns the distance between neighbours along dimension d, in elements.
func (l Layout) Stride(d int) int { return int(l.stride[d]) }

// Offset returns the offset of coordinate zero, in elements.
func (l Layout) Offset() int { return int(l.offset) }

// Shape returns a copy of the sizes.
func (l Layout) Shape() []int { return narrow(l.shape) }

// Strides returns a copy of the strides, in elements.
func (l Layout) Strides() []int { return narrow(l.stride) }

// Len returns the number of elements: the product of the sizes, 1 for rank 0.
func (l Layout) Len() int {
	if l.empty() {
		return 0
	}
	n := int64(1)
	for _, s := range l.shape {
		n *= s
	}
	return int(n)
}

func (l Layout) empty() bool { return slices.Contains(l.shape, 0) }

// At returns the element offset of a coordinate. It is pure algebra: the rank
// must match (it panics otherwise), the range of the coordinate is not checked.
func (l Layout) At(coord ...int) int {
	if len(coord) != len(l.shape) {
		panic("layout: " + strconv.Itoa(len(coord)) + " coordinates for " + l.String())
	}
	at := l.offset
	for d, c := range coord {
		at += int64(c) * l.stride[d]
	}
	return int(at)
}

// Offsets yields the element offsets in row-major order of the coordinates.
//
// Law: the k-th value is At(c) for the coordinate c whose row-major position is k.
func (l Layout) Offsets() iter.Seq[int] {
	return func(yield func(int) bool) {
		if !l.empty() {
			l.walk(0, l.offset, yield)
		}
	}
}

func (l Layout) walk(d int, at int64, yield func(int) bool) bool {
	if d == len(l.shape) {
		return yield(int(at))
	}
	for range l.shape[d] {
		if !l.walk(d+1, at, yield) {
			return false
		}
		at += l.stride[d]
	}
	return true
}

// Bounds returns the smallest and the largest element offset that the layout
// touches. For an empty layout hi < lo.
//
// Law: lo <= At(c) <= hi for every coordinate in range, and both are reached.
func (l Layout) Bounds() (lo, hi int) {
	if l.empty() {
		return int(l.offset), int(l.offset) - 1
	}
	low, high := l.offset, l.offset
	for d, n := range l.shape {
		if extent := (n - 1) * l.stride[d]; extent < 0 {
			low += extent
		} else {
			high += extent
		}
	}
	return int(low), int(high)
}

// IsContiguous reports whether consecutive coordinates in row-major order are
// consecutive elements. The offset does not matter, nor do the strides of
// dimensions of size 1; an empty layout is contiguous.
func (l Layout) IsContiguous() bool {
	if l.empty() {
		return true
	}
	run := int64(1)
	for d := len(l.shape) - 1; d >= 0; d-- {
		if l.shape[d] != 1 && l.stride[d] != run {
			return false
		}
		run *= l.shape[d]
	}
	return true
}

// Divisibility returns the greatest powers of two, at most limit, that divide
// the size and the stride of a dimension and the offset of the layout. Zero is
// divisible by everything; a limit below 1 counts as 1. These are the facts from
// which vector widths and copy instructions are chosen.
func (l Layout) Divisibility(dim, limit int) (size, stride, offset int) {
	return pow2Divisor(l.shape[dim], limit), pow2Divisor(l.stride[dim], limit), pow2Divisor(l.offset, limit)
}

func pow2Divisor(n int64, limit int) int {
	p := 1
	for p <= limit/2 && n%int64(2*p) == 0 {
		p *= 2
	}
	return p
}

// Equal reports whether both layouts have the same shape, strides and offset.
func (l Layout) Equal(m Layout) bool {
	return l.offset == m.offset && slices.Equal(l.shape, m.shape) && slices.Equal(l.stride, m.stride)
}

// AppendKey appends bytes that are equal for layouts that are Equal, and that begin with their
// own length, so that keys may follow one another.
func (l Layout) AppendKey(key []byte) []byte {
	key = binary.AppendUvarint(key, uint64(len(l.shape)))
	key = binary.LittleEndian.AppendUint64(key, uint64(l.offset))
	for d, n := range l.shape {
		key = binary.LittleEndian.AppendUint64(key, uint64(n))
		key = binary.LittleEndian.AppendUint64(key, uint64(l.stride[d]))
	}
	return key
}

// String prints shape:strides and the offset if it is not zero: "(3,4):(4,1)+2".
func (l Layout) String() string {
	s := tuple(l.shape) + ":" + tuple(l.stride)
	if l.offset > 0 {
		s += "+"
	}
	if l.offset != 0 {
		s += strconv.FormatInt(l.offset, 10)
	}
	return s
}

func tuple[T int | int64](v []T) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = strconv.FormatInt(int64(x), 10)
	}
	return "(" + strings.Join(parts, ",") + ")"
}

func wide(v []int) []int64 {
	w := make([]int64, len(v))
	for i, x := range v {
		w[i] = int64(x)
	}
	return w
}

func narrow(v []int64) []int {
	n := make([]int, len(v))
	for i, x := range v {
		n[i] = int(x)
	}
	return n
}

// mul and add report whether the exact result fits an int, on 32-bit targets too.
func mul(a, b int64) (int64, bool) {
	c := a * b
	if a != 0 && (c/a != b || a == -1 && c == b && b != 0) {
		return c, false
	}
	return c, int64(int(c)) == c
}

func add(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0) && int64(int(c)) == c
}
