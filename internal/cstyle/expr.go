package cstyle

import (
	"strconv"
	"strings"
)

// Prec is how tightly an expression's outermost operator binds.
type Prec uint8

// The levels, loosest first.
const (
	Ternary Prec = iota
	LogicalOr
	LogicalAnd
	BitOr
	BitXor
	BitAnd
	Compare
	Shift
	Additive
	Multiplicative
	Unary
	Primary // names, literals, calls, members
)

// Expr is a printed expression.
type Expr struct {
	Text string
	Prec Prec
	form form
	// overloaded: the operator is a function of the printed text, which has no "+=" to go with it
	overloaded bool
	n          int      // of an integer
	op         string   // operator, where there is one
	vars       []string // variables that are assigned to after their declaration and read here
}

// form is what is known of an expression besides its operator.
type form uint8

const (
	plain    form = iota
	named         // the name of a declaration
	integer       // a number without a suffix
	computed      // a call, an access to an array or parentheses are in it
)

// Computed is an expression with a call, an access to an array or parentheses in it, which is rather named than written twice.
func (e Expr) Computed() Expr { e.form = computed; return e }

// Named reports whether the expression is a name that was declared for it.
func (e Expr) Named() bool { return e.form == named }

// Integer returns the number that the expression is, if it is one.
func (e Expr) Integer() (n int, ok bool) { return e.n, e.form == integer }

// Integer is a number as an expression; a negative one binds as its sign does.
func Integer(n int) Expr {
	e := Literal(strconv.Itoa(n))
	e.form, e.n = integer, n
	return e
}

// Overloaded is the expression with an operator that the text itself declares.
func (e Expr) Overloaded() Expr { e.overloaded = true; return e }

// Mutable reports whether the expression reads a loop's variable, so that it
// means something else after the variable is assigned to.
func (e Expr) Mutable() bool { return len(e.vars) > 0 }

// Atom is an expression of a name, a literal or anything else that never needs
// parentheses.
func Atom(text string) Expr { return Expr{Text: text, Prec: Primary} }

// Literal is a number; a negative one binds as its sign does.
func Literal(text string) Expr {
	if strings.HasPrefix(text, "-") {
		return Expr{Text: text, Prec: Unary, op: "-"}
	}
	return Atom(text)
}

// Call is a function, or a type, applied to arguments.
func Call(name string, args ...Expr) Expr {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.Text
		// In WGSL "f(a < b, c > d)" begins with a template "a<b, c>".
		if (a.Prec == Compare || a.Prec == LogicalAnd || a.Prec == LogicalOr) && i < len(args)-1 {
			texts[i] = "(" + a.Text + ")"
		}
	}
	return Atom(name + "(" + strings.Join(texts, ", ") + ")").Computed()
}

// Index is one element of an array or a vector.
func Index(x, i Expr) Expr { return Atom(Paren(x, Primary) + "[" + i.Text + "]").Computed() }

// Member is a member of a struct or a lane of a vector.
func Member(x Expr, name string) Expr {
	e := Atom(Paren(x, Primary) + "." + name)
	if x.form == computed || x.Prec < Primary {
		return e.Computed()
	}
	return e
}

// Lane is the name of a vector's lane.
func Lane(i int) string { return "xyzw"[i : i+1] }

// Prefix is an operator before its operand.
func Prefix(op string, x Expr) Expr {
	e := Expr{Text: op + Paren(x, Unary), Prec: Unary, op: op}
	if x.Prec == Unary && x.op == op {
		e.Text = op + "(" + x.Text + ")" // "--x" is another operator
	}
	if x.form == computed || x.Prec < Unary || x.op == op {
		return e.Computed()
	}
	return e
}

// Paren prints x as an operand of an operator that binds as tightly as least.
func Paren(x Expr, least Prec) string {
	if x.Prec < least {
		return "(" + x.Text + ")"
	}
	return x.Text
}

// Infix is an operator between two operands. With wraps set, which integers
// may do, "a + (b + c)" loses its parentheses.
//
// Parentheses follow WGSL's grammar, which is C's less the combinations that
// readers of C find hard: operands of shifts and of bit operators are always
// unary, and of comparisons no shifts.
func Infix(op string, prec Prec, wraps bool, x, y Expr) Expr {
	left := operand(x, prec, op, true)
	right := operand(y, prec, op, wraps && (op == "+" && (y.op == "+" || y.op == "-") || op == "*" && y.op == "*"))
	return Expr{Text: left + " " + op + " " + right, Prec: prec, op: op}
}

// operand prints x as an operand; same tells whether it may have the
// operator's own precedence.
func operand(x Expr, prec Prec, op string, same bool) string {
	bare := x.Prec >= Unary
	switch prec {
	case Multiplicative, Additive:
		bare = x.Prec > prec || x.Prec == prec && same
	case Compare:
		bare = x.Prec > Shift
	case LogicalAnd, LogicalOr:
		bare = x.Prec == Compare || x.Prec > Shift || x.op == op
	case BitAnd, BitOr, BitXor:
		bare = bare || x.op == op
	}
	if bare {
		return x.Text
	}
	return "(" + x.Text + ")"
}
