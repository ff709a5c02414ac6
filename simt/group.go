package simt

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
)

// The matrix instructions of a warpgroup: four warps whose first thread's number is a multiple of 128, which
// target.Caps promises with WarpGroups.
//
// A GroupMMA adds to a matrix c of 64 rows and 8n columns the products of matrices a of 64 rows and b of as many columns
// as c, 32 bytes along K each. Its results are the n parts of c, its operands a and b of each product, one after the other, then the n
// parts of c as they were. Warp w of the group holds rows 16w to 16w+15, and of part j columns 8j to 8j+7, as MMA says of c. a and b
// are MatrixPlaces, or a is u32x4, each warp's 16 rows of it as MMA says of its own a, in registers; their elements are of type Elem, of which MMASums says what c is of.
//
// With Matrices above 1 that is done for so many matrices c at once: the parts of one follow those of the other, and so do their products, as many of each.
//
// A MatrixPlace is the shared-memory descriptor of a matrix, given the index of its first element, in a line whose number is a multiple of 8,
// which all threads of a group agree on. The array is in lines of 128 bytes, n elements, whose 16-byte chunks have an XOR swizzle:
// chunk j of line i is stored as its chunk j XOR i%8. Element e along a line's direction and i across it is element e%n of
// line i, beyond n elements of line i + Lead·(e/n). Lines are along K, the reduction, or with MNMajor set, for elements of 16 bits, along rows of a and
// columns of b.
//
// A GroupMMA only starts what it does. Until a GroupWait, its results can be added to by further GroupMMAs, carried by loops and nothing else, and what
// it reads must not change. A GroupWait waits for all GroupMMAs of the group but the latest Pending, among which none must be whose sums it is
// given, and its results are those sums.
//
// OrderBegin and OrderEnd enclose what the warpgroups of the one group of consumers begin one after the other (CUTLASS, OrderedSequenceBarrier).
// The nth OrderBegin of a warpgroup waits until the previous warpgroup has come to its nth OrderEnd, and that of the first warpgroup until the last
// one has come to its OrderEnd n-1. All warpgroups come to as many of each. The ops order what warpgroups begin, such as products, and not
// what they see of each other's stores.
//
// Threads that stored what is read so, or waited for copies of it, pass a Barrier in between, as they do for LoadMatrix.

// MatrixPlace appends the place of a matrix.
func (b *Builder) MatrixPlace(s *Shared, index *Value, mnMajor bool, lead int) *Value {
	return b.Emit(&Op{Kind: MatrixPlace, Shared: s, Args: []*Value{index}, MNMajor: mnMajor, Lead: lead}, Scalar(dtype.U64))
}

// GroupMMA appends products, given as pairs of a, a place or words, and b, that are added to the parts of c; it returns their next values.
func (b *Builder) GroupMMA(e dtype.Type, products [][2]*Value, c []*Value) []*Value {
	return b.GroupMMAs(e, 1, products, c)
}

// GroupMMAs appends products for several matrices.
func (b *Builder) GroupMMAs(e dtype.Type, matrices int, products [][2]*Value, c []*Value) []*Value {
	op := &Op{Kind: GroupMMA, Elem: e}
	if matrices > 1 {
		op.Matrices = matrices
	}
	for _, p := range products {
		op.Args = append(op.Args, p[0], p[1])
	}
	op.Args = append(op.Args, c...)
	return b.sums(op, c)
}

// GroupWait appends a wait for all products but the latest few; it returns the sums of some of those that it waits for.
func (b *Builder) GroupWait(latest int, sums []*Value) []*Value {
	return b.sums(&Op{Kind: GroupWait, Pending: latest, Args: sums}, sums)
}

// sums appends an op whose results are sums, of which it is given the old ones.
func (b *Builder) sums(op *Op, old []*Value) []*Value {
	for _, part := range old {
		v := b.NewValue(part.Type, "acc")
		v.Op = op
		op.Out = append(op.Out, v)
	}
	b.Do(op)
	return op.Out
}

// Products returns the pairs of a and b of a GroupMMA, and c.
func (op *Op) Products() (products [][2]*Value, c []*Value) {
	n := len(op.Args) - len(op.Out)
	for i := 0; i+1 < n; i += 2 {
		products = append(products, [2]*Value{op.Args[i], op.Args[i+1]})
	}
	return products, op.Args[n:]
}

// EachMatrix calls f for the products of each matrix and for where its n parts begin.
func (op *Op) EachMatrix(f func(first, n int, products [][2]*Value)) {
	pairs, c := op.Products()
	matrices := max(op.Matrices, 1)
	n, each := len(c)/matrices, len(pairs)/matrices
	for i := range matrices {
		f(i*n, n, pairs[i*each:(i+1)*each])
	}
}

func checkGroup(op *Op) error {
	e, matrices := op.Elem, max(op.Matrices, 1)
	m := op.Instruction()
	n, sums := len(op.Out), Vector(MMASums(e), m.C.Held())
	if sums.Elem == dtype.Invalid || n < 1 || n > m.MostColumns/m.Columns*matrices || len(op.Args) <= n || (len(op.Args)-n)%2 != 0 {
		return fmt.Errorf("%d operands and %d results of products of %v", len(op.Args), n, e)
	}
	products, c := op.Products()
	if n%matrices != 0 || len(products)%matrices != 0 {
		return fmt.Errorf("%d products and %d parts for %d matrices", len(products), n, matrices)
	}
	for i, part := range c {
		if part.Type != sums || op.Out[i].Type != sums {
			return fmt.Errorf("part %d of the sums is %v and %v", i, part.Type, op.Out[i].Type)
		}
	}
	for _, p := range products {
		if !isPlace(p[0], e) && p[0].Type != (Vector(dtype.U32, m.A.Held())) || !isPlace(p[1], e) {
			return fmt.Errorf("an operand is not a matrix of %v", e)
		}
	}
	return nil
}

// checkGroupWait verifies a wait by itself: it is given what a GroupMMA computes or what loops carry, and gives as much.
func checkGroupWait(op *Op) error {
	if op.Pending < 0 || len(op.Out) != len(op.Args) {
		return fmt.Errorf("a wait for %d of %d accumulators and all but %d products", len(op.Out), len(op.Args), op.Pending)
	}
	for i, sum := range op.Args {
		if sum.Op != nil && sum.Op.Kind != GroupMMA && sum.Op.Kind != For || sum.Type != op.Out[i].Type || sum.Type.Width != 4 {
			return fmt.Errorf("part %d is not an accumulator of a product", i)
		}
	}
	return nil
}

func isPlace(v *Value, e dtype.Type) bool {
	return v.Op != nil && v.Op.Kind == MatrixPlace && v.Op.Shared != nil && v.Op.Shared.Elem == e
}

func checkPlace(op *Op) error {
	switch {
	case op.Shared == nil:
		return errNoShared
	case op.MNMajor && op.Shared.Elem.Size() != 2 || op.Lead < 0 || op.Result().Type != Scalar(dtype.U64):
		return fmt.Errorf("place of %v with lines %d apart as %v", op.Shared.Elem, op.Lead, op.Result().Type)
	}
	return checkPlaces(op, 1)
}
