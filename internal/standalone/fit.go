package standalone

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Expr is an integer made of variables: Factor times the product of Vars, and Plus; less the variable Less
// if that is not negative.
type Expr struct {
	Factor int64
	Vars   []int // indices of the plan's variables
	Less   int
	Plus   int64
}

func constant(x int64) Expr { return Expr{Factor: x, Less: -1} }

// isConst reports an expression without variables.
func (e Expr) isConst() bool { return len(e.Vars) == 0 && e.Less < 0 }

// eval computes the expression.
func (e Expr) eval(vars []int) int64 {
	x := e.Factor
	for _, v := range e.Vars {
		x *= int64(vars[v])
	}
	if e.Less >= 0 {
		x -= int64(vars[e.Less])
	}
	return x + e.Plus
}

// c prints the expression in C.
func (e Expr) c(names []string) string {
	var factors []string
	if e.Factor != 1 || len(e.Vars) == 0 {
		factors = append(factors, fmt.Sprint(e.Factor))
	}
	for _, v := range e.Vars {
		factors = append(factors, names[v])
	}
	text := strings.Join(factors, " * ")
	if e.Less >= 0 {
		text += " - " + names[e.Less]
	}
	if e.Plus != 0 {
		text += fmt.Sprintf(" + %d", e.Plus)
	}
	return text
}

// fit finds an expression for a value that is known at several places, given the variables there. same says
// what counts as the value at a place.
func fit(first int64, vars [][]int, same func(x int64, place int) bool) (Expr, bool) {
	fits := func(e Expr) bool {
		for i := range vars {
			if !same(e.eval(vars[i]), i) {
				return false
			}
		}
		return true
	}
	if e := constant(first); fits(e) {
		return e, true
	}
	n := len(vars[0])
	for size := 1; size <= min(n, 5); size++ { // the fewest variables first
		for set := range 1 << n {
			if bits.OnesCount(uint(set)) != size {
				continue
			}
			e := Expr{Factor: 1, Less: -1}
			for v := range n {
				if set>>v&1 != 0 {
					e.Vars = append(e.Vars, v)
				}
			}
			if x := e.eval(vars[0]); x != 0 {
				e.Factor = first / x
			}
			if e.Factor != 0 && fits(e) {
				return e, true
			}
		}
	}
	for v := range n {
		for less := range n {
			e := Expr{Factor: 1, Vars: []int{v}, Less: less}
			if e.Plus = first - e.eval(vars[0]); fits(e) {
				return e, true
			}
		}
	}
	return Expr{}, false
}

// fitValues is fit for integers.
func fitValues(values []int64, vars [][]int) (Expr, bool) {
	return fit(values[0], vars, func(x int64, place int) bool { return x == values[place] })
}

// Scalar is a scalar parameter of a launch: a number of a size, or bits that are always the same.
type Scalar struct {
	Float bool // the expression as an F32
	Expr  Expr
}

// fitScalar finds an expression for a scalar's words.
func fitScalar(words []uint32, float bool, vars [][]int) (s Scalar, ok bool) {
	s.Expr, ok = fit(int64(int32(words[0])), vars, func(x int64, place int) bool { return uint32(x) == words[place] })
	if ok && (!float || s.Expr.isConst()) {
		return s, true
	}
	s.Float = true
	s.Expr, ok = fit(int64(math.Float32frombits(words[0])), vars, func(x int64, place int) bool {
		return math.Float32bits(float32(x)) == words[place]
	})
	return s, ok && float
}
