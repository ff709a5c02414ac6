package lower

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Rules for ops on bits: and, or, exclusive or, complements and shifts (see axisRules).

func andFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	f.divisible(max(x[0].all(), x[1].all()))
	if op.Result().Type().Elem == dtype.Bool {
		f.span = corners(x[0].span, x[1].span, func(x, y int64) int64 { return x & y })
		f.settle()
		return f
	}
	for i, p := range x {
		q := x[1-i]
		if p.nonNegative() && (!f.known || f.lo < 0 || p.hi < f.hi) {
			f.span = span{true, 0, p.hi}
		}
		n, ok := q.constant()
		for d := range f.shape {
			f.equalRun(d, min(p.aligned(d, q.all()), q.axes[d].constancy)) // the last bits go
			if ok && n >= 0 && n < math.MaxInt32 && (n+1)&n == 0 {         // the last bits stay
				g := p.aligned(d, int(n+1))
				f.run(d, g, min(p.divisor(d, g), maxDivisor))
			}
		}
	}
	return f
}

func orFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := joinBits(op, x)
	if x[0].nonNegative() && x[1].nonNegative() {
		f.lo = max(x[0].lo, x[1].lo)
	}
	return f
}

func xorFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact { return joinBits(op, x) }

// joinBits is what holds for | and ^: where the last bits of one operand are 0 they are the other's.
func joinBits(op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	f.divisible(min(x[0].all(), x[1].all()))
	if x[0].nonNegative() && x[1].nonNegative() {
		top := int64(1)
		for top <= max(x[0].hi, x[1].hi) {
			top *= 2
		}
		f.span = span{true, 0, top - 1}
	}
	for i, p := range x {
		for d := range f.shape {
			if n := min(p.aligned(d, x[1-i].all()), x[1-i].axes[d].constancy); isInt(op) && n > f.axes[d].contiguity {
				f.run(d, n, min(p.divisor(d, n), x[1-i].all()))
			}
		}
	}
	return f
}

// shiftAmount is by how much every element is shifted.
func shiftAmount(op *tile.Op, amount valueFact) (n int, ok bool) {
	c, ok := amount.constant()
	return int(c & 31), ok && op.Result().Type().Elem.Size() <= 4
}

func shlFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	f.divisible(x[0].all())
	n, ok := shiftAmount(op, x[1])
	if !ok {
		return f
	}
	if n == 0 {
		return x[0]
	}
	f.divisible(min(maxDivisor, x[0].all()<<n))
	f.span = arithmeticSpan[tile.OpMul](x[0].span, span{true, 1 << n, 1 << n})
	return f
}

// shrFacts: shifts round down, also negative numbers.
func shrFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	if x[0].nonNegative() {
		f.span = span{true, 0, x[0].hi}
	}
	n, ok := shiftAmount(op, x[1])
	if !ok {
		return f
	}
	if n == 0 {
		return x[0]
	}
	f.divisible(x[0].all() >> n)
	if x[0].known {
		f.span = span{true, x[0].lo >> n, x[0].hi >> n}
	}
	for d := range f.shape {
		f.equalRun(d, x[0].aligned(d, 1<<min(n, 30)))
	}
	return f
}

func notFacts(_ *axisFacts, op *tile.Op, x []valueFact) valueFact {
	f := elementwise(op, x)
	switch e := op.Result().Type().Elem; {
	case e == dtype.Bool:
		f.span = arithmeticSpan[tile.OpSub](span{true, 1, 1}, x[0].span)
	case e.IsSigned():
		f.span = arithmeticSpan[tile.OpSub](span{true, -1, -1}, x[0].span)
	}
	return f
}
