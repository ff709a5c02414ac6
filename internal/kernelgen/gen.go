package kernelgen

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"pgregory.net/rapid"
)

// Options bound what Kernel draws. Zero values stand for the defaults.
type Options struct {
	Elements  int   // of the largest tile; 16 to 1024 at random
	Ops       int   // drawn at most in one body; 12
	Threads   []int // numbers of threads of a workgroup to choose from; 0 to 256
	NoInt64   bool  // the device has no integers of 64 bits
	NoFloat64 bool  // the device has no F64
	Buffers   int   // at most; 7, since WebGPU binds 8 and one may hold the launch's words
}

// Kernel draws a case.
func Kernel(t *rapid.T, o Options) *Case {
	if o.Ops == 0 {
		o.Ops = 12
	}
	if o.Threads == nil {
		o.Threads = []int{0, 0, 1, 8, 32, 64, 128, 256}
	}
	if o.Buffers == 0 {
		o.Buffers = 7
	}
	g := &gen{t: t, o: o, c: &Case{}, used: map[*tile.Value]bool{}}
	kernel, err := tile.Build("random", g.describe)
	if err != nil {
		t.Fatalf("a kernel that should be well formed is not: %v", err)
	}
	g.c.Kernel = kernel
	return g.c
}

// gen draws one kernel.
type gen struct {
	t *rapid.T
	o Options
	c *Case
	k *tile.Builder

	shape    []int // of the tiles that most ops work on
	schedule tile.Schedule
	scope                         // what is in scope
	own      []operand            // coordinates of this program's tile of the shape
	line     operand              // this program's number
	lines    int                  // of programs, at most
	used     map[*tile.Value]bool // that other ops take
	depth    int                  // of loops and branches that may still open
	ins      []*inView            // to load and gather from
	mine     *tile.View           // [lines, mineSize], of which each program has a row; nil so far
	sums     *sumView             // that all programs change by atomic ops; nil so far
	views    int                  // so far
	writes   []int                // buffers that are written
	written0 []outView            // results so far
	need     []int                // elements of each buffer
	whole    []bool               // by buffer: its floats are small integers
}

type operand = tile.Operand

// scope is what a body sees.
type scope struct {
	pool    []val
	indices []*tile.Value // of loops
}

// val is a value with what is known of it: a bound of its magnitude, for floats, and
// whether it is exact: an integer of a magnitude that its type holds, with no rounding.
type val struct {
	v     *tile.Value
	size  float64
	exact bool
}

func (x val) elem() dtype.Type { return x.v.Type().Elem }
func (x val) shape() []int     { return x.v.Type().Shape }
func (x val) isScalar() bool   { return x.v.Type().IsScalar() }

// n draws a number from lo to hi; small ones are more likely.
func (g *gen) n(lo, hi int, label string) int { return rapid.IntRange(lo, hi).Draw(g.t, label) }

// one draws true once in n times.
func (g *gen) one(n int, label string) bool { return g.even(n, label) == n-1 }

// even draws a number from 0 to n-1, all alike likely.
func (g *gen) even(n int, label string) int {
	if n < 2 {
		return 0
	}
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return rapid.SampledFrom(list).Draw(g.t, label)
}

func draw[T any](g *gen, list []T, label string) T { return list[g.even(len(list), label)] }

// describe builds the kernel.
func (g *gen) describe(k *tile.Builder) {
	g.k = k
	if g.o.Elements == 0 {
		g.o.Elements = draw(g, []int{16, 64, 256, 256, 1024}, "elements")
	}
	g.shape = g.drawShape(1+g.even(5, "rank"), g.o.Elements)
	g.schedule = tile.Schedule{Threads: draw(g, g.o.Threads, "threads"), Stages: g.even(4, "stages")}
	k.Schedule(g.schedule)
	g.frame(func() {
		g.add(g.load(g.input(g.elem(anyElem), g.shape), g.shape))
		g.depth = 2
		for range 3 { // rapid draws about five for each
			g.ops(g.o.Ops, "op")
		}
		if g.one(4, "some results") {
			for range 1 + g.n(0, 2, "results") {
				g.store(g.pick(anyElem, nil))
			}
			return
		}
		g.storeAll()
	})
	for i := range g.c.Elems { // views were declared as they came; their contents are drawn at last
		g.fillBuffer(i)
	}
}

// drawShape draws powers of two with at most n elements.
func (g *gen) drawShape(rank, n int) []int {
	shape := make([]int, rank)
	for d := range shape {
		shape[d] = 1
	}
	for m := 1; m < n; m *= 2 {
		if d := g.even(rank+1, "grow"); d < rank {
			shape[d] *= 2
		}
	}
	return shape
}

// elem draws an element type.
func (g *gen) elem(fits func(dtype.Type) bool) dtype.Type {
	return draw(g, elements(func(e dtype.Type) bool {
		return fits(e) && !(g.o.NoInt64 && e.IsInt() && e.Size() == 8) && !(g.o.NoFloat64 && e == dtype.F64)
	}), "type")
}

// elements lists the element types that fit.
func elements(fits elems) (list []dtype.Type) {
	for _, e := range dtype.All() {
		if fits(e) {
			list = append(list, e)
		}
	}
	return list
}

// Sets of element types.
func anyElem(dtype.Type) bool    { return true }
func numbers(e dtype.Type) bool  { return e.IsInt() || e.IsFloat() }
func bitsOnly(e dtype.Type) bool { return !e.IsFloat() }
func signed(e dtype.Type) bool   { return e.IsSigned() }
func is(e dtype.Type) elems      { return func(t dtype.Type) bool { return t == e } }
func isInt(e dtype.Type) bool    { return e.IsInt() }
func isFloat(e dtype.Type) bool  { return e.IsFloat() }
func isTruth(e dtype.Type) bool  { return e == dtype.Bool }
func atomic(e dtype.Type) bool   { return wideInt(e) || e == dtype.F32 }
func wideInt(e dtype.Type) bool  { return e == dtype.I32 || e == dtype.U32 }

type elems = func(dtype.Type) bool

// safe is a magnitude up to which products of two and sums of many integers are
// exact in a float type.
func safe(e dtype.Type) float64 {
	switch e {
	case dtype.F16:
		return 32
	case dtype.BF16:
		return 8
	}
	return 1024
}

// add puts a value into the pool; floats that may be large are cut off.
func (g *gen) add(x val) {
	if e := x.elem(); e.IsFloat() && x.size > safe(e) {
		x.v, x.size = x.v.Maximum(-safe(e)).Minimum(safe(e)), safe(e)
	}
	g.pool = append(g.pool, x)
}

// pick draws a value of the pool that fits, recent ones more likely; one is made if there is none.
func (g *gen) pick(elem elems, fits func(val) bool) val {
	var list []val
	for _, x := range slices.Backward(g.pool) {
		if elem(x.elem()) && (fits == nil || fits(x)) {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return g.made(g.elem(elem), nil)
	}
	x := list[g.n(0, len(list)-1, "which")]
	g.used[x.v] = true
	return x
}

// made is a tile of a shape that comes from nowhere: numbers along an axis. For
// no shape it is one of the kernel's shape.
func (g *gen) made(e dtype.Type, shape []int) val {
	if shape == nil {
		shape = g.shape
	}
	axis := g.even(len(shape), "axis")
	v := g.k.Iota(axis, shape...).Mul(1 + g.n(0, 6, "step")).Add(g.n(-3, 3, "from"))
	return g.converted(val{v: v, exact: true}, e)
}

// tileLike is a value of an element type and a shape: one of the pool, moved or converted,
// or one that is loaded or made.
func (g *gen) tileLike(e dtype.Type, shape []int) val {
	var list []val
	n := tile.Type{Shape: shape}.Len()
	for _, x := range slices.Backward(g.pool) {
		if x.isScalar() || x.v.Type().Len() == n || broadcasts(x.shape(), shape) {
			list = append(list, x)
		}
	}
	if len(list) == 0 || g.one(3, "new tile") {
		if g.one(3, "made") || len(g.c.Elems) >= g.o.Buffers {
			return g.made(e, shape)
		}
		return g.load(g.input(e, shape), shape)
	}
	x := list[g.n(0, len(list)-1, "which")]
	g.used[x.v] = true
	return g.converted(g.shaped(x, shape), e)
}

// shaped gives a value a shape to which it can be brought.
func (g *gen) shaped(x val, shape []int) val {
	switch {
	case x.isScalar():
		x.v = x.v.Splat(shape...)
	case broadcasts(x.shape(), shape):
		x.v = x.v.Broadcast(shape...)
	default:
		x.v = x.v.Reshape(shape...)
	}
	return x
}

// broadcasts reports whether a shape can be broadcast to another one.
func broadcasts(from, to []int) bool {
	if len(from) != len(to) || len(from) == 0 {
		return false
	}
	for d, n := range from {
		if n != 1 && n != to[d] {
			return false
		}
	}
	return true
}

// matching is a value of x's element type whose shape broadcasts with x's.
func (g *gen) matching(x val) val {
	return g.pick(is(x.elem()), func(y val) bool {
		return y.isScalar() || x.isScalar() && !y.isScalar() || g.together(x.shape(), y.shape())
	}).or(g, x)
}

// or replaces a value that was made because there was none, if its shape does not fit.
func (y val) or(g *gen, x val) val {
	if y.isScalar() || x.isScalar() || g.together(x.shape(), y.shape()) {
		return y
	}
	return g.made(x.elem(), x.shape())
}

// together reports whether two shapes broadcast to one that is not too large.
func (g *gen) together(x, y []int) bool {
	if len(x) != len(y) {
		return false
	}
	n := 1
	for d := range x {
		if x[d] != y[d] && min(x[d], y[d]) != 1 {
			return false
		}
		n *= max(x[d], y[d])
	}
	return n <= g.o.Elements
}

// converted casts a value to an element type, most often so that it stays exact.
func (g *gen) converted(x val, to dtype.Type) val {
	from := x.elem()
	if from == to {
		return x
	}
	switch {
	case to.IsFloat() && from.IsInt():
		if g.one(6, "whole range") {
			_, hi := intRange(from)
			return val{v: x.v.Cast(to), size: hi, exact: false}
		}
		return val{v: x.v.And(7).Cast(to), size: 8, exact: x.exact}
	case to.IsFloat() && from.IsFloat():
		exact := x.exact && x.size <= safe(to)
		return val{v: x.v.Cast(to), size: x.size, exact: exact}
	case to.IsFloat():
		return val{v: x.v.Cast(to), size: 1, exact: x.exact}
	}
	return val{v: x.v.Cast(to), exact: x.exact}
}

// intRange is the least and the largest integer of a type, of 64 bits the largest that float64 holds.
func intRange(e dtype.Type) (lo, hi float64) {
	past := math.Ldexp(1, 8*e.Size())
	if e.IsSigned() {
		past /= 2
		lo = -past
	}
	if hi = past - 1; hi == past {
		hi = math.Nextafter(past, 0)
	}
	return lo, hi
}

// exactly holds for values that decisions may hang on.
func exactly(x val) bool { return x.exact }

// scalar is a scalar I32 between lo and hi (a small range of powers of two), from what there is.
func (g *gen) scalar(bits int) *tile.Value {
	x := g.pick(isInt, func(x val) bool { return x.isScalar() && x.exact })
	if !x.isScalar() {
		x = val{v: g.k.Int(g.n(0, bits, "int")), exact: true}
	}
	return x.v.Cast(dtype.I32).And(bits)
}

// condition is a scalar truth that is not left open by rounding.
func (g *gen) condition() *tile.Value {
	x := g.pick(isTruth, func(x val) bool { return x.isScalar() && x.exact })
	if !x.isScalar() {
		return g.scalar(3).Eq(g.n(0, 3, "if"))
	}
	return x.v
}

// name names the next view.
func (g *gen) name(prefix string) string {
	g.views++
	return fmt.Sprintf("%s%d", prefix, g.views)
}
