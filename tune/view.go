package tune

import (
	"slices"

	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
)

// MaxRank is the largest rank of a View, and of a kernel's view.
const MaxRank = 5

// View is what a choice of config depends on of how a tensor is stored in memory. It is a part
// of problems, comparable, and holds no strides: tensors that differ only in
// what does not matter have equal views.
type View struct {
	Rank   int8
	Unit   bool          // elements along the fastest dimension are neighbours
	Align  int8          // greatest power of two, at most 16, that divides the offset and all other strides, in elements
	Repeat uint8         // bit d: dimension d repeats elements
	Order  [MaxRank]int8 // dimensions, the fastest last; those that repeat or have one element come first
	Size   [MaxRank]int
}

// maxAlign is where divisors stop to matter: the elements of the widest access.
const maxAlign = 16

// ViewOf is the view of a layout of rank MaxRank at most; of a larger one its last dimensions.
func ViewOf(l layout.Layout) View {
	first := max(l.Rank()-MaxRank, 0)
	v := View{Rank: int8(l.Rank() - first)}
	var stride [MaxRank]int // 0 where no stride is ever stepped along
	together := l.Offset()  // of which the lowest bit counts
	for d := range int(v.Rank) {
		v.Size[d] = l.Size(first + d)
		if step := l.Stride(first + d); v.Size[d] > 1 {
			stride[d] = max(step, -step)
			if step == 0 {
				v.Repeat |= 1 << d
			}
		}
		at := d
		for ; at > 0 && slower(stride[d], stride[v.Order[at-1]]); at-- {
			v.Order[at] = v.Order[at-1]
		}
		v.Order[at] = int8(d)
	}
	v.Unit = true
	for i, d := range v.Order[:v.Rank] {
		if i == int(v.Rank)-1 && stride[d] <= 1 {
			break
		}
		v.Unit = i < int(v.Rank)-1
		together |= stride[d]
	}
	v.Align = int8(divisor(together))
	return v
}

// Transpose is the view of the transposed layout, whose last two dimensions are exchanged. The view has two dimensions at least.
func (v View) Transpose() View {
	i, j := v.Rank-2, v.Rank-1
	v.Size[i], v.Size[j] = v.Size[j], v.Size[i]
	for at, d := range v.Order[:v.Rank] {
		switch d {
		case i:
			v.Order[at] = j
		case j:
			v.Order[at] = i
		}
	}
	if first, second := v.Repeat>>i&1, v.Repeat>>j&1; first != second {
		v.Repeat ^= 1<<i | 1<<j
	}
	return v
}

// slower reports whether a dimension of one stride goes before one of another.
func slower(stride, other int) bool { return other != 0 && (stride == 0 || stride > other) }

// divisor is the greatest power of two, at most maxAlign, that divides n.
func divisor(n int) int {
	if n &= maxAlign - 1; n == 0 {
		return maxAlign
	}
	return n & -n
}

// Shape is the view's sizes.
func (v View) Shape() []int { return slices.Clone(v.Size[:v.Rank]) }

// Layout is a layout with the view's properties, and the number of elements of the memory
// that it needs: what races run on.
//
// Law: ViewOf(v.Layout()) == v for the view v of a layout.
func (v View) Layout() (l layout.Layout, elements int, err error) {
	stride, offset, next := make([]int, v.Rank), 0, 1
	if !v.Unit {
		next = int(v.Align)
		if next == 1 {
			next = 3 // neither neighbours nor aligned
		}
	}
	inner := true
	for i := int(v.Rank) - 1; i >= 0; i-- {
		d := v.Order[i]
		if v.Size[d] <= 1 || v.Repeat>>d&1 != 0 {
			continue
		}
		stride[d] = next
		next *= v.Size[d]
		if inner && v.Unit { // the next stride has the divisor of all
			next = aligned(next, int(v.Align))
		}
		inner = false
	}
	if v.Unit && v.Align < maxAlign {
		offset = int(v.Align)
	}
	if l, err = layout.Strided(v.Shape(), stride, offset); err != nil {
		return l, 0, err
	}
	_, hi := l.Bounds()
	return l, hi + 1, nil
}

// aligned is the least number that is at least n and a multiple of a power of two.
func aligned(n, align int) int { return (n + align - 1) / align * align }

// Bucket is the view with its sizes in buckets.
func (v View) Bucket() View {
	for d := range v.Size {
		v.Size[d] = Bucket(v.Size[d])
	}
	return v
}

// Bucket is the size that stands for a size n and others like it: those up to a quarter of an octave apart
// that have the same divisors among the powers of two up to 16. Sizes up to 16 stand for
// themselves.
//
// Laws: n ≤ Bucket(n) < 5/4·n, Bucket(Bucket(n)) = Bucket(n), and 2, 4, 8 and 16 divide both or neither.
func Bucket(n int) int {
	if n <= maxAlign {
		return n
	}
	step, class := pow2.Floor(n)/4, divisor(n)
	top := aligned(n, step) / class
	if class < maxAlign && top%2 == 0 {
		top-- // or it would have a greater divisor
	}
	return top * class
}

// Elements is how many elements a view has in memory: those that it repeats count once.
func (v View) Elements() int {
	n := 1
	for d, size := range v.Shape() {
		if v.Repeat>>d&1 == 0 {
			n *= size
		}
	}
	return n
}
