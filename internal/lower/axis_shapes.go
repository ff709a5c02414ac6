package lower

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Rules for ops that move and combine elements, and for hints (see axisRules).

// spreadFacts: a dimension of size 1 is repeated.
func spreadFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := nothing(op.Result().Type())
	f.span, f.below = x[0].span, x[0].below
	for d, n := range f.shape {
		from := d
		if op.Kind == tile.OpSplat {
			from = 0
		}
		f.axes[d] = x[0].axes[from]
		if x[0].shape[from] == 1 && n > 1 {
			f.axes[d] = axisFact{1, x[0].all(), n}
		}
	}
	return f
}

// reshapeFacts: a dimension of the result moves as the operand's with as many elements behind it does.
func reshapeFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := nothing(op.Result().Type())
	f.span = x[0].span
	f.divisible(x[0].all())
	behind := func(shape []int, d int) int { return tile.Type{Shape: shape[d+1:]}.Len() }
	for d, n := range f.shape {
		for from, m := range x[0].shape {
			if m > 1 && behind(f.shape, d) == behind(x[0].shape, from) {
				a := x[0].axes[from]
				g := min(a.contiguity, n)
				f.axes[d] = axisFact{g, x[0].divisor(from, g), min(a.constancy, n)}
			}
		}
	}
	return f
}

func permuteFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := nothing(op.Result().Type())
	f.span = x[0].span
	for d := range f.shape {
		f.axes[d] = x[0].axes[op.Perm[d]]
	}
	return f
}

func joinFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f, both := nothing(op.Result().Type()), x[0].join(x[1])
	f.span = both.span
	copy(f.axes[:], both.axes[:len(f.shape)-1])
	f.axes[len(f.shape)-1] = axisFact{1, both.all(), 1}
	return f
}

func splitFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := nothing(op.Result().Type())
	f.span = x[0].span
	if !op.Result().Type().IsScalar() {
		copy(f.axes[:], x[0].axes[:len(f.shape)])
	}
	return f
}

// reduceFacts: equal groups along the other axes stay equal.
func reduceFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := nothing(op.Result().Type())
	for d := range f.shape {
		if d != op.Axis {
			f.axes[d].constancy = x[0].axes[d].constancy
		}
	}
	if e := op.Result().Type().Elem; !e.IsInt() && e != dtype.Bool {
		return f
	}
	n := int64(x[0].shape[op.Axis])
	switch op.Kind {
	case tile.OpReduceSum:
		f.divisible(x[0].all())
		f.span = arithmeticSpan[tile.OpMul](x[0].span, span{true, n, n})
	case tile.OpReduceMax, tile.OpReduceMin:
		f.divisible(x[0].all())
		f.span = x[0].span
	case tile.OpReduceAny, tile.OpReduceAll:
		f.span = x[0].span
	}
	return f
}

func multipleFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := x[0]
	f.divisible(int(op.Number))
	return f
}

func contiguousFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f, last := x[0], len(x[0].shape)-1
	if n := int(op.Number); n > f.axes[last].contiguity {
		f.run(last, n, max(n, x[0].divisor(last, n)))
	}
	return f
}
