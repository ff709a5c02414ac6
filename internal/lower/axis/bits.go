package axis

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Rules for ops on bits: and, or, exclusive or, complements and shifts (see axisRules).

func andFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	f.divisible(max(x[0].All(), x[1].All()))
	if op.Result().Type().Elem == dtype.Bool {
		f.Span = corners(x[0].Span, x[1].Span, func(x, y int64) int64 { return x & y })
		f.settle()
		return f
	}
	for i, p := range x {
		q := x[1-i]
		if p.NonNegative() && (!f.Known || f.Lo < 0 || p.Hi < f.Hi) {
			f.Span = Span{true, 0, p.Hi}
		}
		n, ok := q.Constant()
		for d := range f.shape {
			f.equalRun(d, min(p.Aligned(d, q.All()), q.Axes[d].Constancy)) // the last bits go
			if ok && n >= 0 && n < math.MaxInt32 && (n+1)&n == 0 {         // the last bits stay
				g := p.Aligned(d, int(n+1))
				f.run(d, g, min(p.divisor(d, g), maxDivisor))
			}
		}
	}
	return f
}

func orFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := joinBits(op, x)
	if x[0].NonNegative() && x[1].NonNegative() {
		f.Lo = max(x[0].Lo, x[1].Lo)
	}
	return f
}

func xorFacts(_ *Analysis, op *tile.Op, x []Value) Value { return joinBits(op, x) }

// joinBits is what holds for | and ^: where the last bits of one operand are 0 they are the other's.
func joinBits(op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	f.divisible(min(x[0].All(), x[1].All()))
	if x[0].NonNegative() && x[1].NonNegative() {
		top := int64(1)
		for top <= max(x[0].Hi, x[1].Hi) {
			top *= 2
		}
		f.Span = Span{true, 0, top - 1}
	}
	for i, p := range x {
		for d := range f.shape {
			if n := min(p.Aligned(d, x[1-i].All()), x[1-i].Axes[d].Constancy); isInt(op) && n > f.Axes[d].Contiguity {
				f.run(d, n, min(p.divisor(d, n), x[1-i].All()))
			}
		}
	}
	return f
}

// shiftAmount is by how much every element is shifted.
func shiftAmount(op *tile.Op, amount Value) (n int, ok bool) {
	c, ok := amount.Constant()
	return int(c & 31), ok && op.Result().Type().Elem.Size() <= 4
}

func shlFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	f.divisible(x[0].All())
	n, ok := shiftAmount(op, x[1])
	if !ok {
		return f
	}
	if n == 0 {
		return x[0]
	}
	f.divisible(min(maxDivisor, x[0].All()<<n))
	f.Span = arithmeticSpan[tile.OpMul](x[0].Span, Span{true, 1 << n, 1 << n})
	return f
}

// shrFacts: shifts round down, also negative numbers.
func shrFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	if x[0].NonNegative() {
		f.Span = Span{true, 0, x[0].Hi}
	}
	n, ok := shiftAmount(op, x[1])
	if !ok {
		return f
	}
	if n == 0 {
		return x[0]
	}
	f.divisible(x[0].All() >> n)
	if x[0].Known {
		f.Span = Span{true, x[0].Lo >> n, x[0].Hi >> n}
	}
	for d := range f.shape {
		f.equalRun(d, x[0].Aligned(d, 1<<min(n, 30)))
	}
	return f
}

func notFacts(_ *Analysis, op *tile.Op, x []Value) Value {
	f := elementwise(op, x)
	switch e := op.Result().Type().Elem; {
	case e == dtype.Bool:
		f.Span = arithmeticSpan[tile.OpSub](Span{true, 1, 1}, x[0].Span)
	case e.IsSigned():
		f.Span = arithmeticSpan[tile.OpSub](Span{true, -1, -1}, x[0].Span)
	}
	return f
}
