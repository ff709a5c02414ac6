package interp

import (
	"unsafe"

	"github.com/weftgpu/weft/tile"
)

// integer lists the classes of integers, which wrap at their size.
type integer interface {
	int32 | uint32 | int64 | uint64
}

// shiftMask is what a shift's amount is taken by: its bits below the width of T.
func shiftMask[T integer]() T { return T(8*unsafe.Sizeof(T(0)) - 1) }

// number lists the classes with an order.
type number interface{ integer | real }

// real lists the classes of floats.
type real interface{ float32 | float64 }

func add[T number](d, x, y []T) {
	for i := range d {
		d[i] = x[i] + y[i]
	}
}

func sub[T number](d, x, y []T) {
	for i := range d {
		d[i] = x[i] - y[i]
	}
}

func mul[T number](d, x, y []T) {
	for i := range d {
		d[i] = x[i] * y[i]
	}
}

func least[T number](d, x, y []T) {
	for i := range d {
		d[i] = min(x[i], y[i])
	}
}

func greatest[T number](d, x, y []T) {
	for i := range d {
		d[i] = max(x[i], y[i])
	}
}

// total keeps four sums, so that an addition need not wait for the one before.
func total[T number](x []T) T {
	var s0, s1, s2, s3 T
	for ; len(x) >= 4; x = x[4:] {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
	}
	for _, v := range x {
		s0 += v
	}
	return (s0 + s1) + (s2 + s3)
}

func product[T number](x []T) T {
	p := T(1)
	for _, v := range x {
		p *= v
	}
	return p
}

func smallest[T number](x []T) T {
	m := x[0]
	for _, v := range x[1:] {
		m = min(m, v)
	}
	return m
}

func largest[T number](x []T) T {
	m := x[0]
	for _, v := range x[1:] {
		m = max(m, v)
	}
	return m
}

func equal[T value](d []bool, x, y []T) {
	for i := range d {
		d[i] = x[i] == y[i]
	}
}

func different[T value](d []bool, x, y []T) {
	for i := range d {
		d[i] = x[i] != y[i]
	}
}

func comparison[T number](kind tile.Kind) compareFunc[T] {
	switch kind {
	case tile.OpEq:
		return equal[T]
	case tile.OpNe:
		return different[T]
	case tile.OpLt:
		return func(d []bool, x, y []T) {
			for i := range d {
				d[i] = x[i] < y[i]
			}
		}
	case tile.OpLe:
		return func(d []bool, x, y []T) {
			for i := range d {
				d[i] = x[i] <= y[i]
			}
		}
	case tile.OpGt:
		return func(d []bool, x, y []T) {
			for i := range d {
				d[i] = x[i] > y[i]
			}
		}
	case tile.OpGe:
		return func(d []bool, x, y []T) {
			for i := range d {
				d[i] = x[i] >= y[i]
			}
		}
	}
	return nil
}

func intUnary[T integer](kind tile.Kind) unaryFunc[T] {
	switch kind {
	case tile.OpNeg:
		return func(d, x []T) {
			for i := range d {
				d[i] = -x[i]
			}
		}
	case tile.OpNot:
		return func(d, x []T) {
			for i := range d {
				d[i] = ^x[i]
			}
		}
	case tile.OpAbs:
		return func(d, x []T) {
			for i := range d {
				if d[i] = x[i]; x[i] < 0 {
					d[i] = -x[i] // the least integer stays itself
				}
			}
		}
	}
	return nil
}

// numberBinary returns the binary ops that integers and floats have alike.
func numberBinary[T number](kind tile.Kind) binaryFunc[T] {
	switch kind {
	case tile.OpAdd:
		return add[T]
	case tile.OpSub:
		return sub[T]
	case tile.OpMul:
		return mul[T]
	case tile.OpMin:
		return least[T]
	case tile.OpMax:
		return greatest[T]
	}
	return nil
}

// intBinary returns the binary ops of integers; see the package comment of tile
// for division by zero and shifts.
func intBinary[T integer](kind tile.Kind) binaryFunc[T] {
	switch kind {
	case tile.OpDiv:
		return func(d, x, y []T) {
			for i := range d {
				if y[i] == 0 {
					d[i] = x[i]
				} else {
					d[i] = x[i] / y[i]
				}
			}
		}
	case tile.OpRem:
		return func(d, x, y []T) {
			for i := range d {
				if y[i] == 0 {
					d[i] = 0
				} else {
					d[i] = x[i] % y[i]
				}
			}
		}
	case tile.OpMulHi:
		return func(d, x, y []T) {
			for i := range d {
				d[i] = T(uint64(x[i]) * uint64(y[i]) >> 32) // of U32 alone
			}
		}
	}
	if f := bitBinary[T](kind); f != nil {
		return f
	}
	return numberBinary[T](kind)
}

// bitBinary returns the binary ops of integers on their bits.
func bitBinary[T integer](kind tile.Kind) binaryFunc[T] {
	switch kind {
	case tile.OpAnd:
		return func(d, x, y []T) {
			for i := range d {
				d[i] = x[i] & y[i]
			}
		}
	case tile.OpOr:
		return func(d, x, y []T) {
			for i := range d {
				d[i] = x[i] | y[i]
			}
		}
	case tile.OpXor:
		return func(d, x, y []T) {
			for i := range d {
				d[i] = x[i] ^ y[i]
			}
		}
	case tile.OpShl:
		mask := shiftMask[T]()
		return func(d, x, y []T) {
			for i := range d {
				d[i] = x[i] << (y[i] & mask)
			}
		}
	case tile.OpShr:
		mask := shiftMask[T]()
		return func(d, x, y []T) {
			for i := range d {
				d[i] = x[i] >> (y[i] & mask)
			}
		}
	}
	return nil
}
