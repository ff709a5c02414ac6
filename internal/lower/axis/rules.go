package axis

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// axisRule derives what is known of an op's result from what is known of its operands.
type axisRule func(a *Analysis, op *tile.Op, x []Value) Value

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

		tile.OpHistogram: histogramFacts, tile.OpRank: rankFacts,

		tile.OpMultipleOf: multipleFacts, tile.OpContiguous: contiguousFacts,
	}
	for k := range tile.NumKinds {
		switch class := k.Fact().Class; {
		case axisRules[k] != nil:
		case class == tile.Compare:
			axisRules[k] = compareFacts
		case class == tile.Unary || class == tile.Binary || class == tile.Ternary: // of floats
			axisRules[k] = func(_ *Analysis, op *tile.Op, x []Value) Value { return elementwise(op, x) }
		}
	}
}

// elementwise is what holds for every function of elements: where all operands are equal, so are the results.
func elementwise(op *tile.Op, x []Value) Value {
	f := nothing(op.Result().Type())
	for d := range f.shape {
		f.Axes[d].Constancy = f.shape[d]
		for _, y := range x {
			f.Axes[d].Constancy = min(f.Axes[d].Constancy, y.Axes[d].Constancy)
		}
	}
	f.settle()
	return f
}

// settle adds what follows from a value that is one constant.
func (f *Value) settle() {
	c, ok := f.Constant()
	for d := range f.shape {
		if ok {
			f.Axes[d] = Axis{1, divisorOf(c), f.shape[d]}
		}
	}
}

// divisible says that n divides every element.
func (f *Value) divisible(n int) {
	for d := range f.shape {
		if f.Axes[d].Contiguity == 1 {
			f.Axes[d].Divisibility = max(f.Axes[d].Divisibility, min(n, maxDivisor))
		}
	}
}

// run says that groups of n along d are contiguous and that divisor divides their first elements.
func (f *Value) run(d, n, divisor int) {
	if n > 1 {
		f.Axes[d] = Axis{n, divisor, 1}
	}
}

// equalRun says that groups of n along d are equal.
func (f *Value) equalRun(d, n int) { f.Axes[d].Constancy = max(f.Axes[d].Constancy, n) }

// isInt reports whether the elements of an op's result are integers.
func isInt(op *tile.Op) bool { return op.Result().Type().Elem.IsInt() }

func unknownFacts(_ *Analysis, op *tile.Op, _ []Value) Value {
	return nothing(op.Result().Type())
}

func constFacts(_ *Analysis, op *tile.Op, _ []Value) Value {
	f := elementwise(op, nil)
	if e := op.Result().Type().Elem; e == dtype.Bool || e.IsInt() && math.Abs(op.Number) < 1<<62 {
		f.Span = Span{true, int64(op.Number), int64(op.Number)}
		f.settle()
	}
	return f
}

func programFacts(a *Analysis, op *tile.Op, _ []Value) Value {
	f := nothing(op.Result().Type())
	f.Span = Span{true, 1, math.MaxInt32}
	if g := a.kernel.Grid[op.Axis]; g == nil {
		f.Hi = 1
	} else if s := a.Of(g).Span; s.Known {
		f.Hi = max(1, s.Hi)
		if op.Kind == tile.OpProgramID {
			f.below, f.factors = a.cut(g), a.factors(g)
		}
	}
	if op.Kind == tile.OpProgramID {
		f.Lo, f.Hi = 0, f.Hi-1
	}
	f.settle()
	return f
}

func dimFacts(a *Analysis, op *tile.Op, _ []Value) Value {
	f := nothing(op.Result().Type())
	f.Span = Span{true, 0, maxSize}
	f.divisible(a.facts.Views[op.View.Index].Dims[op.Axis].Size)
	return f
}

func iotaFacts(_ *Analysis, op *tile.Op, _ []Value) Value {
	f := elementwise(op, nil)
	n := f.shape[op.Axis]
	f.Span = Span{true, 0, int64(n - 1)}
	f.Axes[op.Axis] = Axis{n, maxDivisor, 1}
	f.settle()
	return f
}

// arithmeticSpan is the exact range of sums, differences and products.
var arithmeticSpan = map[tile.Kind]func(x, y Span) Span{
	tile.OpAdd: func(x, y Span) Span { return corners(x, y, func(x, y int64) int64 { return x + y }) },
	tile.OpSub: func(x, y Span) Span { return corners(x, y, func(x, y int64) int64 { return x - y }) },
	tile.OpMul: func(x, y Span) Span { return corners(x, y, func(x, y int64) int64 { return x * y }) },
}

// corners is the range of a function that is monotonic in each operand, for operands of up to 32 bits.
func corners(x, y Span, f func(x, y int64) int64) Span {
	if !x.Known || !y.Known || max(-x.Lo, x.Hi, -y.Lo, y.Hi) > math.MaxUint32 {
		return Span{}
	}
	a, b, c, d := f(x.Lo, y.Lo), f(x.Lo, y.Hi), f(x.Hi, y.Lo), f(x.Hi, y.Hi)
	return Span{true, min(a, b, c, d), max(a, b, c, d)}
}

func addFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := sumFacts(op, x)
	for d := range f.shape { // or the second is contiguous, and the first constant
		if n := min(x[1].Axes[d].Contiguity, x[0].Axes[d].Constancy); isInt(op) && n > f.Axes[d].Contiguity {
			f.run(d, n, min(x[0].divisor(d, n), x[1].divisor(d, n)))
		}
	}
	f.below = lessThanSize(op, x[1].Known && x[1].Hi <= -1)
	return f
}

func subFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := sumFacts(op, x)
	f.below = lessThanSize(op, x[1].Known && x[1].Lo >= 1)
	return f
}

// lessThanSize is the bound of a sum or a difference whose first operand is a view's size, if the result is less.
func lessThanSize(op *tile.Op, less bool) tileBound {
	if dim := op.Args[0].Op(); less && dim != nil && dim.Kind == tile.OpDim {
		return tileBound{Dimension{dim.View, dim.Axis}, 1}
	}
	return tileBound{}
}

// sumFacts is what holds for sums and differences.
func sumFacts(op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	if !isInt(op) {
		return f
	}
	f.Span = arithmeticSpan[op.Kind](x[0].Span, x[1].Span)
	f.divisible(min(x[0].All(), x[1].All()))
	for d := range f.shape {
		n := min(x[0].Axes[d].Contiguity, x[1].Axes[d].Constancy)
		f.run(d, n, min(x[0].divisor(d, n), x[1].divisor(d, n)))
	}
	return f
}

func mulFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	if !isInt(op) {
		return f
	}
	for i := range x {
		if c, ok := x[1-i].Constant(); ok && c == 1 {
			return x[i]
		}
	}
	f.Span = arithmeticSpan[op.Kind](x[0].Span, x[1].Span)
	f.divisible(x[0].All() * x[1].All())
	return f
}

// divFacts: integers are divided towards zero, by 0 to the dividend.
func divFacts(a *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	if !isInt(op) {
		return f
	}
	p, q := x[0], x[1]
	n, ok := q.Constant()
	if power := ok && n > 0 && n&(n-1) == 0; power && p.All() >= int(min(n, maxDivisor)) && n <= maxDivisor {
		f.divisible(p.All() / int(n)) // exact
	}
	if ok && n == 1 {
		return p
	}
	f.Span = quotientSpan(p.Span, a.least(op.Args[1]))
	isDivisor := func(v *tile.Value) bool { return a.same(v) == a.same(op.Args[1]) }
	if i := slices.IndexFunc(p.factors, isDivisor); i >= 0 && f.Known {
		f.factors = slices.Delete(slices.Clone(p.factors), i, i+1)
		f.Lo = 0
		if len(f.factors) == 1 {
			f.below, f.Hi = a.cut(f.factors[0]), min(f.Hi, a.Of(f.factors[0]).Hi-1)
		}
	}
	for d := range f.shape {
		if ok && n > 0 && p.NonNegative() { // a group does not cross a multiple of n
			f.equalRun(d, p.Aligned(d, divisorOf(n)))
		}
	}
	return f
}

func quotientSpan(x, y Span) Span {
	switch {
	case !x.Known || !y.Known:
		return Span{}
	case y.Lo > 0:
		return corners(x, y, func(x, y int64) int64 { return x / y })
	case x.Lo >= 0 && y.Lo >= 0:
		return Span{true, 0, x.Hi}
	}
	most := max(x.Hi, -x.Lo)
	return Span{true, -most, most}
}

// remFacts: a remainder has the dividend's sign, and by 0 it is 0.
func remFacts(a *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	p, q := x[0], x[1]
	q.Span = a.least(op.Args[1])
	n, ok := q.Constant()
	f.divisible(min(p.All(), q.All()))
	for d := range f.shape {
		if ok && n > 0 && p.NonNegative() {
			g := p.Aligned(d, divisorOf(n))
			f.run(d, g, min(p.divisor(d, g), divisorOf(n)))
		}
	}
	if p.Known {
		f.Span = Span{true, min(p.Lo, 0), max(p.Hi, 0)}
		if q.Known && q.Lo > 0 {
			f.Lo, f.Hi = max(f.Lo, 1-q.Hi), min(f.Hi, q.Hi-1)
		}
	}
	if y := op.Args[1]; p.NonNegative() && a.cuts[y] && q.NonNegative() {
		f.below, f.factors = a.cut(y), a.factors(y)
	}
	f.settle()
	return f
}

func minFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := choiceFacts(op, x, 0)
	for _, y := range x { // which the smaller one is not above
		if f.below.size == 0 && isInt(op) {
			f.below = y.below
		}
	}
	return f
}

func maxFacts(_ *Analysis, op *tile.Op, x []Value) Value { return choiceFacts(op, x, 1) }

// choiceFacts is what holds for the smaller, or the larger, of two.
func choiceFacts(op *tile.Op, x []Value, larger int) Value {
	f := elementwise(op, x)
	if !isInt(op) {
		return f
	}
	p, q := x[0], x[1]
	if p.Known && q.Known {
		if p.Hi <= q.Lo {
			return x[larger]
		}
		if q.Hi <= p.Lo {
			return x[1-larger]
		}
		f.Span = Span{true, min(p.Lo, q.Lo), min(p.Hi, q.Hi)}
		if larger == 1 {
			f.Span = Span{true, max(p.Lo, q.Lo), max(p.Hi, q.Hi)}
		}
	}
	f.divisible(min(p.All(), q.All()))
	return f
}

func selectFacts(_ *Analysis, _ *tile.Op, x []Value) Value {
	if c, ok := x[0].Constant(); ok {
		return x[2-c]
	}
	f := x[1].join(x[2])
	for d := range f.shape {
		k := x[0].Axes[d].Constancy
		n := min(f.Axes[d].Contiguity, k)
		f.Axes[d] = Axis{n, f.divisor(d, n), min(f.Axes[d].Constancy, k)}
	}
	return f
}

func negFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	if isInt(op) {
		f.divisible(x[0].All())
		f.Span = arithmeticSpan[tile.OpSub](Span{Known: true}, x[0].Span)
	}
	return f
}

func absFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	if isInt(op) {
		if x[0].NonNegative() {
			return x[0]
		}
		f.divisible(x[0].All())
		if x[0].Known {
			f.Span = Span{true, 0, max(x[0].Hi, -x[0].Lo)}
		}
	}
	return f
}

// castFacts: integers keep their last bits.
func castFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	from, to := op.Args[0].Type().Elem, op.Result().Type().Elem
	if from == dtype.Bool || from.IsInt() && to == dtype.Bool {
		f.Span = x[0].Span
		if from.IsInt() {
			f.Span = Span{true, 0, 1}
		}
		return f
	}
	if !from.IsInt() || !to.IsInt() {
		return f
	}
	f.Span = x[0].Span
	f.divisible(x[0].All())
	for d := range f.shape {
		g := x[0].Axes[d].Contiguity
		if to.Size() > from.Size() { // a run that wraps goes on elsewhere
			g = x[0].Aligned(d, g)
		}
		f.run(d, g, x[0].divisor(d, g))
	}
	return f
}

// compareFacts: two contiguous groups that start at multiples of their size compare alike.
func compareFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	if !op.Args[0].Type().Elem.IsInt() {
		return f
	}
	p, q, kind := x[0], x[1], op.Kind
	if kind == tile.OpGt || kind == tile.OpLe {
		p, q, kind = q, p, Flipped[kind]
	}
	if kind == tile.OpLt || kind == tile.OpGe { // p is contiguous, q constant
		for d := range f.shape {
			f.equalRun(d, min(p.Aligned(d, q.All()), q.Axes[d].Constancy))
		}
	}
	if holds, known := decided(op.Kind, x[0].Span, x[1].Span); known {
		f.Span = Span{true, 0, 0}
		if holds {
			f.Span = Span{true, 1, 1}
		}
		f.settle()
	}
	return f
}

// decided is the result of a comparison of values in two ranges, if it is always the same.
func decided(kind tile.Kind, x, y Span) (holds, known bool) {
	if !x.Known || !y.Known {
		return false, false
	}
	less, more, equal := x.Hi < y.Lo, x.Lo > y.Hi, x.Lo == x.Hi && x == y
	switch kind {
	case tile.OpLt:
		return less, less || x.Lo >= y.Hi
	case tile.OpLe:
		return x.Hi <= y.Lo, x.Hi <= y.Lo || more
	case tile.OpGt:
		return more, more || x.Hi <= y.Lo
	case tile.OpGe:
		return x.Lo >= y.Hi, x.Lo >= y.Hi || less
	case tile.OpEq:
		return equal, equal || less || more
	case tile.OpNe:
		return !equal, equal || less || more
	}
	return false, false
}
