package simt

import "github.com/weftgpu/weft/dtype"

// Holds reports whether every value of v is an element of type e already, so
// that storing it rounds nothing.
func (v *Value) Holds(e dtype.Type) bool { return v.holds(e, 8) }

// holds looks at so many ops in a row.
func (v *Value) holds(e dtype.Type, depth int) bool {
	if Register(e) == e {
		return true
	}
	if v.Op == nil || depth == 0 {
		return false
	}
	op := v.Op
	fill := op.Mask() == nil || exact(op.Fill, e)
	args := op.Args
	switch op.Kind {
	case Const:
		return exact(op.Number, e)
	case Round16:
		return op.Elem == e
	case Load:
		return op.Buffer.Elem == e && fill && !op.Packed
	case Unpack:
		return op.Elem == e
	case SharedLoad:
		return op.Shared.Elem == e && fill
	case Bitcast:
		return e == dtype.BF16 && isHigh(args[0])
	case Select:
		args = args[1:]
	case Splat, Extract, Compose, Min, Max, ShuffleXor:
	default:
		return false
	}
	for _, a := range args {
		if !a.holds(e, depth-1) {
			return false
		}
	}
	return true
}

// isHigh reports whether a word's low half is 0.
func isHigh(v *Value) bool {
	if v.Op == nil || v.Op.Kind != And {
		return false
	}
	mask, ok := ConstOf(v.Op.Args[1])
	return ok && uint32(mask)<<16 == 0
}

// exact reports whether a number is an element of type e.
func exact(x float64, e dtype.Type) bool {
	var b [4]byte
	var y [1]float64
	dtype.PutFloats(e, b[:e.Size()], []float64{x})
	dtype.Floats(e, y[:], b[:e.Size()])
	return x == y[0]
}
