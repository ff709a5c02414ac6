package cstyle

import "testing"

func TestParentheses(t *testing.T) {
	a, b, c := Atom("a"), Atom("b"), Atom("c")
	infix := func(op string, prec Prec, x, y Expr) Expr { return Infix(op, prec, true, x, y) }
	add := func(x, y Expr) Expr { return infix("+", Additive, x, y) }
	sub := func(x, y Expr) Expr { return infix("-", Additive, x, y) }
	mul := func(x, y Expr) Expr { return infix("*", Multiplicative, x, y) }
	div := func(x, y Expr) Expr { return infix("/", Multiplicative, x, y) }
	shl := func(x, y Expr) Expr { return infix("<<", Shift, x, y) }
	less := func(x, y Expr) Expr { return infix("<", Compare, x, y) }
	and := func(x, y Expr) Expr { return infix("&&", LogicalAnd, x, y) }
	or := func(x, y Expr) Expr { return infix("||", LogicalOr, x, y) }
	bits := func(x, y Expr) Expr { return infix("&", BitAnd, x, y) }
	xor := func(x, y Expr) Expr { return infix("^", BitXor, x, y) }
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{add(add(a, b), c), "a + b + c"},
		{add(a, add(b, c)), "a + b + c"},
		{Infix("+", Additive, false, a, add(b, c)), "a + (b + c)"}, // floats
		{add(a, sub(b, c)), "a + b - c"},
		{sub(a, add(b, c)), "a - (b + c)"},
		{sub(a, sub(b, c)), "a - (b - c)"},
		{mul(add(a, b), c), "(a + b) * c"},
		{add(mul(a, b), c), "a * b + c"},
		{mul(a, mul(b, c)), "a * b * c"},
		{mul(a, div(b, c)), "a * (b / c)"},
		{mul(div(a, b), c), "a / b * c"},
		{div(a, mul(b, c)), "a / (b * c)"},
		{add(shl(a, b), c), "(a << b) + c"},
		{shl(add(a, b), c), "(a + b) << c"},
		{shl(shl(a, b), c), "(a << b) << c"},
		{less(add(a, b), c), "a + b < c"},
		{less(a, shl(b, c)), "a < (b << c)"}, // "a < b >> c" would begin a template
		{less(less(a, b), c), "(a < b) < c"},
		{less(bits(a, b), c), "(a & b) < c"},
		{bits(less(a, b), c), "(a < b) & c"},
		{bits(bits(a, b), c), "a & b & c"},
		{bits(xor(a, b), c), "(a ^ b) & c"},
		{bits(add(a, b), c), "(a + b) & c"},
		{and(less(a, b), c), "a < b && c"},
		{and(and(a, b), c), "a && b && c"},
		{and(or(a, b), c), "(a || b) && c"},
		{or(and(a, b), c), "(a && b) || c"},
		{and(bits(a, b), c), "(a & b) && c"},
		{Prefix("-", Prefix("-", a)), "-(-a)"},
		{Prefix("-", Literal("-1")), "-(-1)"},
		{Prefix("!", and(a, b)), "!(a && b)"},
		{sub(a, Literal("-1")), "a - -1"},
		{mul(Prefix("-", a), b), "-a * b"},
		{Member(add(a, b), "x"), "(a + b).x"},
		{Index(a, add(b, c)), "a[b + c]"},
		{Call("f", less(a, b), c), "f((a < b), c)"},
		{Call("f", c, less(a, b)), "f(c, a < b)"},
		{Call("f", and(less(a, b), c), c), "f((a < b && c), c)"},
	} {
		if c.e.Text != c.want {
			t.Errorf("got %q, want %q", c.e.Text, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	n := NewNames(Reserve("for if", "x_0 copy_*"))
	for _, c := range [][2]string{
		{"x", "x"}, {"x", "x_1"}, {"x", "x_2"}, {"for", "for_0"}, {"for", "for_1"}, {"", "value"}, {"1st", "st"},
		{"__private", "private"}, {"a.b[3]", "a_b_3"}, {"a b", "a_b"}, {"a_b", "a_b_0"}, {"été", "t"}, {"Ünï", "n"}, {"_", "value_0"},
		{"copy", "copy"}, {"copy_2", "value_copy_2"},
	} {
		if got := n.Unique(c[0]); got != c[1] {
			t.Errorf("name for %q is %q, want %q", c[0], got, c[1])
		}
	}
	if n.Fits("for") || n.Fits("x") || n.Fits("a b") || n.Fits("") || n.Fits("copy_3") || !n.Fits("y") {
		t.Error("Fits is wrong of reserved, taken, broken or good names")
	}
}
