package axis

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Rules for ops that move and combine elements, and for hints (see axisRules).

// spreadFacts: a dimension of size 1 is repeated.
func spreadFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := nothing(op.Result().Type())
	f.Span, f.below = x[0].Span, x[0].below
	for d, n := range f.shape {
		from := d
		if op.Kind == tile.OpSplat {
			from = 0
		}
		f.Axes[d] = x[0].Axes[from]
		if x[0].shape[from] == 1 && n > 1 {
			f.Axes[d] = Axis{1, x[0].All(), n}
		}
	}
	return f
}

// reshapeFacts: a dimension of the result moves as the operand's with as many elements after it does.
func reshapeFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := nothing(op.Result().Type())
	f.Span = x[0].Span
	f.divisible(x[0].All())
	inner := func(shape []int, d int) int { return tile.Type{Shape: shape[d+1:]}.Len() }
	for d, n := range f.shape {
		for from, m := range x[0].shape {
			if m > 1 && inner(f.shape, d) == inner(x[0].shape, from) {
				a := x[0].Axes[from]
				g := min(a.Contiguity, n)
				f.Axes[d] = Axis{g, x[0].divisor(from, g), min(a.Constancy, n)}
			}
		}
	}
	return f
}

func permuteFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := nothing(op.Result().Type())
	f.Span = x[0].Span
	for d := range f.shape {
		f.Axes[d] = x[0].Axes[op.Perm[d]]
	}
	return f
}

func joinFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f, both := nothing(op.Result().Type()), x[0].join(x[1])
	f.Span = both.Span
	copy(f.Axes[:], both.Axes[:len(f.shape)-1])
	f.Axes[len(f.shape)-1] = Axis{1, both.All(), 1}
	return f
}

func splitFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := nothing(op.Result().Type())
	f.Span = x[0].Span
	if !op.Result().Type().IsScalar() {
		copy(f.Axes[:], x[0].Axes[:len(f.shape)])
	}
	return f
}

// reduceFacts: equal groups along the other axes stay equal.
func reduceFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := nothing(op.Result().Type())
	for d := range f.shape {
		if d != op.Axis {
			f.Axes[d].Constancy = x[0].Axes[d].Constancy
		}
	}
	if e := op.Result().Type().Elem; !e.IsInt() && e != dtype.Bool {
		return f
	}
	n := int64(x[0].shape[op.Axis])
	switch op.Kind {
	case tile.OpReduceSum:
		f.divisible(x[0].All())
		f.Span = arithmeticSpan[tile.OpMul](x[0].Span, Span{true, n, n})
	case tile.OpReduceMax, tile.OpReduceMin:
		f.divisible(x[0].All())
		f.Span = x[0].Span
	case tile.OpReduceAny, tile.OpReduceAll:
		f.Span = x[0].Span
	}
	return f
}

// histogramFacts has a bound on sums where no weight is less than 0.
func histogramFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := nothing(op.Result().Type())
	if w := x[1].Span; w.Known && w.Lo >= 0 && op.Result().Type().Elem.IsInt() {
		f.Span = arithmeticSpan[tile.OpMul](Span{true, 0, w.Hi}, Span{true, 0, int64(op.Args[0].Type().Len())})
	}
	return f
}

// rankFacts bounds ranks by the length of a run.
func rankFacts(_ *Analysis, op *tile.Op, _ []Value) Value {
	f := nothing(op.Result().Type())
	f.Span = Span{true, 0, int64(op.Number) - 1}
	return f
}

func multipleFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := x[0]
	f.divisible(int(op.Number))
	return f
}

func contiguousFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f, last := x[0], len(x[0].shape)-1
	n := int(op.Number)
	switch a := f.Axes[last]; {
	case n > a.Contiguity:
		f.run(last, n, max(n, x[0].divisor(last, n)))
	case n > a.Divisibility: // longer runs, of which it was not known where they start
		f.run(last, a.Contiguity, n)
	}
	return f
}
