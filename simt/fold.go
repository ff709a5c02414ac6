package simt

import "github.com/weftgpu/weft/dtype"

// ConstOf returns the number of a constant.
func ConstOf(v *Value) (x float64, ok bool) {
	if v.Op != nil && v.Op.Kind == Const {
		return v.Op.Number, true
	}
	return 0, false
}

// LaneOf finds the value, and the lane of it, that a lane of a value is taken from.
func LaneOf(v *Value, i int) (*Value, int) {
	for v.Op != nil {
		switch v.Op.Kind {
		case Compose:
			v, i = v.Op.Args[i], 0
		case Splat:
			v, i = v.Op.Args[0], 0
		case Extract:
			v, i = v.Op.Args[0], v.Op.Lane
		default:
			return v, i
		}
	}
	return v, i
}

// MaxMultiple is the largest divisor that is told of an index.
const MaxMultiple = 64

// DivisorOf is the largest power of two that divides a number, at most MaxMultiple.
func DivisorOf(n int) int {
	if n == 0 {
		return MaxMultiple
	}
	return min(MaxMultiple, n&-n)
}

// IsMultiple reports whether a term of an index is known to be a multiple of a power of two.
func IsMultiple(v *Value, k int) bool {
	if x, ok := ConstOf(v); ok {
		return DivisorOf(int(x))%k == 0
	}
	return v.Op != nil && max(1, v.Op.Multiple)%k == 0
}

// Factor splits a product, or a shift to the left, into a value and a constant.
func (op *Op) Factor() (x *Value, c int, ok bool) {
	if n, ok := ConstOf(op.Args[1]); ok {
		if op.Kind == Shl {
			return op.Args[0], 1 << (int(n) & 31), true
		}
		return op.Args[0], int(n), true
	}
	if n, ok := ConstOf(op.Args[0]); ok && op.Kind == Mul {
		return op.Args[1], int(n), true
	}
	return nil, 0, false
}

// Fold is what a binary op on two values is known to be without computing it, a
// constant or one of the operands; nil if that is not known.
func (b *Builder) Fold(kind Kind, x, y *Value) *Value {
	cx, okx := ConstOf(x)
	cy, oky := ConstOf(y)
	if x.Type.Elem == dtype.Bool {
		return foldBool(kind, x, y, cx, okx, cy, oky)
	}
	if x.Type.Elem != dtype.I32 && x.Type.Elem != dtype.I64 {
		return nil
	}
	if okx && oky {
		if r, ok := foldInts(x.Type.Elem, kind, cx, cy); ok {
			t := x.Type
			if kind.IsCompare() {
				t.Elem = dtype.Bool
			}
			return b.Const(t, r)
		}
		return nil
	}
	switch {
	case oky && cy == 0 && (kind == Add || kind == Sub || kind == Or || kind == Xor || kind == Shl || kind == Shr):
		return x
	case okx && cx == 0 && (kind == Add || kind == Or || kind == Xor):
		return y
	case oky && cy == 1 && (kind == Mul || kind == Div):
		return x
	case okx && cx == 1 && kind == Mul:
		return y
	case (oky && cy == 0 || okx && cx == 0) && (kind == Mul || kind == And):
		return b.Const(x.Type, 0)
	case oky && cy == 1 && kind == Rem:
		return b.Const(x.Type, 0)
	}
	return nil
}

func foldBool(kind Kind, x, y *Value, cx float64, okx bool, cy float64, oky bool) *Value {
	switch {
	case kind == And && (okx && cx != 0 || oky && cy == 0), kind == Or && (okx && cx == 0 || oky && cy != 0):
		return y
	case kind == And && (oky && cy != 0 || okx && cx == 0), kind == Or && (oky && cy == 0 || okx && cx != 0):
		return x
	}
	return nil
}

// foldInts computes on constants; not where the result is one that float64 does not hold.
func foldInts(e dtype.Type, kind Kind, x, y float64) (float64, bool) {
	if e == dtype.I32 {
		r, ok := foldInt(kind, int32(x), int32(y), 31)
		return float64(r), ok
	}
	r, ok := foldInt(kind, int64(x), int64(y), 63)
	return float64(r), ok && r >= -1<<53 && r <= 1<<53
}

func foldInt[T int32 | int64](kind Kind, x, y, shifts T) (T, bool) {
	truth := func(c bool) (T, bool) {
		if c {
			return 1, true
		}
		return 0, true
	}
	switch kind {
	case Add:
		return x + y, true
	case Sub:
		return x - y, true
	case Mul:
		return x * y, true
	case Div:
		if y == 0 {
			return 0, false
		}
		return x / y, true
	case Rem:
		if y == 0 {
			return 0, false
		}
		return x % y, true
	case Min:
		return min(x, y), true
	case Max:
		return max(x, y), true
	case And:
		return x & y, true
	case Or:
		return x | y, true
	case Xor:
		return x ^ y, true
	case Shl:
		return x << (y & shifts), true
	case Shr:
		return x >> (y & shifts), true
	case Eq:
		return truth(x == y)
	case Ne:
		return truth(x != y)
	case Lt:
		return truth(x < y)
	case Le:
		return truth(x <= y)
	case Gt:
		return truth(x > y)
	case Ge:
		return truth(x >= y)
	}
	return 0, false
}
