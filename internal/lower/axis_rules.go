package lower

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// axisRule tells what is known of an op's result from what is known of its operands.
type axisRule func(a *axisFacts, op *tile.Op, x []valueFact) valueFact

// axisRules has a rule for each kind of op of whose one result something may be known; of
// the others' results nothing is. The range that a rule gives is that of exact arithmetic:
// where the result's type does not hold all of it, it is dropped.
var axisRules [tile.NumKinds]axisRule

func init() {
	axisRules = [tile.NumKinds]axisRule{
		tile.OpConst: constFacts, tile.OpProgramID: programFacts, tile.OpNumPrograms: programFacts,
		tile.OpDim: dimFacts, tile.OpArg: unknownFacts, tile.OpIota: iotaFacts,

		tile.OpNeg: negFacts, tile.OpNot: notFacts, tile.OpAbs: absFacts, tile.OpCast: castFacts, tile.OpBitcast: castFacts,

		tile.OpAdd: addFacts, tile.OpSub: subFacts, tile.OpMul: mulFacts, tile.OpDiv: divFacts, tile.OpRem: remFacts,
		tile.OpMin: minFacts, tile.OpMax: maxFacts, tile.OpAnd: andFacts, tile.OpOr: orFacts, tile.OpXor: xorFacts,
		tile.OpShl: shlFacts, tile.OpShr: shrFacts,

		tile.OpSelect: selectFacts,

		tile.OpSplat: spreadFacts, tile.OpBroadcast: spreadFacts, tile.OpReshape: reshapeFacts, tile.OpPermute: permuteFacts,
		tile.OpJoin: joinFacts, tile.OpSplit: splitFacts,

		tile.OpReduceSum: reduceFacts, tile.OpReduceMax: reduceFacts, tile.OpReduceMin: reduceFacts, tile.OpReduceProd: reduceFacts,
		tile.OpReduceAny: reduceFacts, tile.OpReduceAll: reduceFacts,

		tile.OpMultipleOf: multipleFacts, tile.OpContiguous: contiguousFacts,
	}
	for k := range tile.NumKinds {
		switch class := k.Fact().Class; {
		case axisRules[k] != nil:
		case class == tile.Compare:
			axisRules[k] = compareFacts
		case class == tile.Unary || class == tile.Binary || class == tile.Ternary: // of floats
			axisRules[k] = func(_ *axisFacts, op *tile.Op, x []valueFact) valueFact { return elementwise(op, x) }
		}
	}
}

// elementwise is what holds for every function of elements: where all operands are equal, so are the results.
func elementwise(op *tile.Op, x []valueFact) valueFact {
	f := nothing(op.Result().Type())
	for d := range f.shape {
		f.axes[d].constancy = f.shape[d]
		for _, y := range x {
			f.axes[d].constancy = min(f.axes[d].constancy, y.axes[d].constancy)
		}
	}
	f.settle()
	return f
}

// settle adds what follows from a value that is one constant.
func (f *valueFact) settle() {
	c, ok := f.constant()
	for d := range f.shape {
		if ok {
			f.axes[d] = axisFact{1, divisorOf(c), f.shape[d]}
		}
	}
}

// divisible says that n divides every element.
func (f *valueFact) divisible(n int) {
	for d := range f.shape {
		if f.axes[d].contiguity == 1 {
			f.axes[d].divisibility = max(f.axes[d].divisibility, min(n, maxDivisor))
		}
	}
}

// run says that groups of n along d are contiguous and that divisor divides their first elements.
func (f *valueFact) run(d, n, divisor int) {
	if n > 1 {
		f.axes[d] = axisFact{n, divisor, 1}
	}
}

// equalRun says that groups of n along d are equal.
func (f *valueFact) equalRun(d, n int) { f.axes[d].constancy = max(f.axes[d].constancy, n) }

// isInt reports whether the elements of an op's result are integers.
func isInt(op *tile.Op) bool { return op.Result().Type().Elem.IsInt() }

func unknownFacts(_ *axisFacts, op *tile.Op, _ []valueFact) valueFact {
	return nothing(op.Result().Type())
}

func constFacts(_ *axisFacts, op *tile.Op, _ []valueFact) valueFact {
	f := elementwise(op, nil)
	if e := op.Result().Type().Elem; e == dtype.Bool || e.IsInt() && math.Abs(op.Number) < 1<<62 {
		f.span = span{true, int64(op.Number), int64(op.Number)}
		f.settle()
	}
	return f
}

func programFacts(a *axisFacts, op *tile.Op, _ []valueFact) valueFact {
	f := nothing(op.Result().Type())
	f.span = span{true, 1, math.MaxInt32}
	if g := a.kernel.Grid[op.Axis]; g == nil {
		f.hi = 1
	} else if s := a.of(g).span; s.known {
		f.hi = max(1, s.hi)
		if op.Kind == tile.OpProgramID {
			f.below, f.factors = a.cut(g), a.factors(g)
		}
	}
	if op.Kind == tile.OpProgramID {
		f.lo, f.hi = 0, f.hi-1
	}
	f.settle()
	return f
}

func dimFacts(a *axisFacts, op *tile.Op, _ []valueFact) valueFact {
	f := nothing(op.Result().Type())
	f.span = span{true, 0, maxSize}
	f.divisible(a.facts.Views[op.View.Index].Dims[op.Axis].Size)
	return f
}

func iotaFacts(_ *axisFacts, op *tile.Op, _ []valueFact) valueFact {
	f := elementwise(op, nil)
	n := f.shape[op.Axis]
	f.span = span{true, 0, int64(n - 1)}
	f.axes[op.Axis] = axisFact{n, maxDivisor, 1}
	f.settle()
	return f
}

// arithmeticSpan is the exact range of sums, differences and products.
var arithmeticSpan = map[tile.Kind]func(x, y span) span{
	tile.OpAdd: func(x, y span) span { return corners(x, y, func(x, y int64) int64 { return x + y }) },
	tile.OpSub: func(x, y span) span { return corners(x, y, func(x, y int64) int64 { return x - y }) },
	tile.OpMul: func(x, y span) span { return corners(x, y, func(x, y int64) int64 { return x * y }) },
}

// corners is the range of a function that is monotonic in each operand, for operands of up to 32 bits.
func corners(x, y span, f func(x, y int64) int64) span {
	if !x.known || !y.known || max(-x.lo, x.hi, -y.lo, y.hi) > math.MaxUint32 {
		return span{}
	}
	a, b, c, d := f(x.lo, y.lo), f(x.lo, y.hi), f(x.hi, y.lo), f(x.hi, y.hi)
	return span{true, min(a, b, c, d), max(a, b, c, d)}
}

func addFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := sumFacts(op, x)
	for d := range f.shape { // or the second is contiguous, and the first constant
		if n := min(x[1].axes[d].contiguity, x[0].axes[d].constancy); isInt(op) && n > f.axes[d].contiguity {
			f.run(d, n, min(x[0].divisor(d, n), x[1].divisor(d, n)))
		}
	}
	return f
}

func subFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact { return sumFacts(op, x) }

// sumFacts is what holds for sums and differences.
func sumFacts(op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	if !isInt(op) {
		return f
	}
	f.span = arithmeticSpan[op.Kind](x[0].span, x[1].span)
	f.divisible(min(x[0].all(), x[1].all()))
	for d := range f.shape {
		n := min(x[0].axes[d].contiguity, x[1].axes[d].constancy)
		f.run(d, n, min(x[0].divisor(d, n), x[1].divisor(d, n)))
	}
	return f
}

func mulFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	if !isInt(op) {
		return f
	}
	for i := range x {
		if c, ok := x[1-i].constant(); ok && c == 1 {
			return x[i]
		}
	}
	f.span = arithmeticSpan[op.Kind](x[0].span, x[1].span)
	f.divisible(x[0].all() * x[1].all())
	return f
}

// divFacts: integers are divided towards zero, by 0 to the dividend.
func divFacts(a *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	if !isInt(op) {
		return f
	}
	p, q := x[0], x[1]
	n, ok := q.constant()
	if power := ok && n > 0 && n&(n-1) == 0; power && p.all() >= int(min(n, maxDivisor)) && n <= maxDivisor {
		f.divisible(p.all() / int(n)) // exact
	}
	if ok && n == 1 {
		return p
	}
	f.span = quotientSpan(p.span, a.least(op.Args[1]))
	isDivisor := func(v *tile.Value) bool { return a.same(v) == a.same(op.Args[1]) }
	if i := slices.IndexFunc(p.factors, isDivisor); i >= 0 && f.known {
		f.factors = slices.Delete(slices.Clone(p.factors), i, i+1)
		f.lo = 0
		if len(f.factors) == 1 {
			f.below, f.hi = a.cut(f.factors[0]), min(f.hi, a.of(f.factors[0]).hi-1)
		}
	}
	for d := range f.shape {
		if ok && n > 0 && p.nonNegative() { // a group does not cross a multiple of n
			f.equalRun(d, p.aligned(d, divisorOf(n)))
		}
	}
	return f
}

func quotientSpan(x, y span) span {
	switch {
	case !x.known || !y.known:
		return span{}
	case y.lo > 0:
		return corners(x, y, func(x, y int64) int64 { return x / y })
	case x.lo >= 0 && y.lo >= 0:
		return span{true, 0, x.hi}
	}
	most := max(x.hi, -x.lo)
	return span{true, -most, most}
}

// remFacts: a remainder has the dividend's sign, and by 0 it is 0.
func remFacts(a *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	p, q := x[0], x[1]
	q.span = a.least(op.Args[1])
	n, ok := q.constant()
	f.divisible(min(p.all(), q.all()))
	for d := range f.shape {
		if ok && n > 0 && p.nonNegative() {
			g := p.aligned(d, divisorOf(n))
			f.run(d, g, min(p.divisor(d, g), divisorOf(n)))
		}
	}
	if p.known {
		f.span = span{true, min(p.lo, 0), max(p.hi, 0)}
		if q.known && q.lo > 0 {
			f.lo, f.hi = max(f.lo, 1-q.hi), min(f.hi, q.hi-1)
		}
	}
	if y := op.Args[1]; p.nonNegative() && a.cuts[y] && q.nonNegative() {
		f.below, f.factors = a.cut(y), a.factors(y)
	}
	f.settle()
	return f
}

func minFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact { return choiceFacts(op, x, 0) }
func maxFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact { return choiceFacts(op, x, 1) }

// choiceFacts is what holds for the smaller, or the larger, of two.
func choiceFacts(op *tile.Op, x []valueFact, larger int) valueFact {
	f := elementwise(op, x)
	if !isInt(op) {
		return f
	}
	p, q := x[0], x[1]
	if p.known && q.known {
		if p.hi <= q.lo {
			return x[larger]
		}
		if q.hi <= p.lo {
			return x[1-larger]
		}
		f.span = span{true, min(p.lo, q.lo), min(p.hi, q.hi)}
		if larger == 1 {
			f.span = span{true, max(p.lo, q.lo), max(p.hi, q.hi)}
		}
	}
	f.divisible(min(p.all(), q.all()))
	return f
}

func selectFacts(_ *axisFacts, _ *tile.Op, x []valueFact) valueFact {
	if c, ok := x[0].constant(); ok {
		return x[2-c]
	}
	f := x[1].join(x[2])
	for d := range f.shape {
		k := x[0].axes[d].constancy
		n := min(f.axes[d].contiguity, k)
		f.axes[d] = axisFact{n, f.divisor(d, n), min(f.axes[d].constancy, k)}
	}
	return f
}

func negFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	if isInt(op) {
		f.divisible(x[0].all())
		f.span = arithmeticSpan[tile.OpSub](span{known: true}, x[0].span)
	}
	return f
}

func absFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	if isInt(op) {
		if x[0].nonNegative() {
			return x[0]
		}
		f.divisible(x[0].all())
		if x[0].known {
			f.span = span{true, 0, max(x[0].hi, -x[0].lo)}
		}
	}
	return f
}

// castFacts: integers keep their last bits.
func castFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	from, to := op.Args[0].Type().Elem, op.Result().Type().Elem
	if from == dtype.Bool || from.IsInt() && to == dtype.Bool {
		f.span = x[0].span
		if from.IsInt() {
			f.span = span{true, 0, 1}
		}
		return f
	}
	if !from.IsInt() || !to.IsInt() {
		return f
	}
	f.span = x[0].span
	f.divisible(x[0].all())
	for d := range f.shape {
		g := x[0].axes[d].contiguity
		if to.Size() > from.Size() { // a run that wraps goes on elsewhere
			g = x[0].aligned(d, g)
		}
		f.run(d, g, x[0].divisor(d, g))
	}
	return f
}

// compareFacts: two contiguous groups that start at multiples of their size compare alike.
func compareFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	if !op.Args[0].Type().Elem.IsInt() {
		return f
	}
	p, q, kind := x[0], x[1], op.Kind
	if kind == tile.OpGt || kind == tile.OpLe {
		p, q, kind = q, p, flipped[kind]
	}
	if kind == tile.OpLt || kind == tile.OpGe { // p is contiguous, q constant
		for d := range f.shape {
			f.equalRun(d, min(p.aligned(d, q.all()), q.axes[d].constancy))
		}
	}
	if holds, known := decided(op.Kind, x[0].span, x[1].span); known {
		f.span = span{true, 0, 0}
		if holds {
			f.span = span{true, 1, 1}
		}
		f.settle()
	}
	return f
}

// decided tells how a comparison of values in two ranges comes out, if it always does.
func decided(kind tile.Kind, x, y span) (holds, known bool) {
	if !x.known || !y.known {
		return false, false
	}
	less, more, equal := x.hi < y.lo, x.lo > y.hi, x.lo == x.hi && x == y
	switch kind {
	case tile.OpLt:
		return less, less || x.lo >= y.hi
	case tile.OpLe:
		return x.hi <= y.lo, x.hi <= y.lo || more
	case tile.OpGt:
		return more, more || x.hi <= y.lo
	case tile.OpGe:
		return x.lo >= y.hi, x.lo >= y.hi || less
	case tile.OpEq:
		return equal, equal || less || more
	case tile.OpNe:
		return !equal, equal || less || more
	}
	return false, false
}
