package codes

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Field is an integer of some bits of a word of U32, a lane of From, from bit At on; some of them are inverted.
type Field struct {
	From      *simt.Value
	Lane      int
	At, Width int
	Flip      uint32
	Extended  bool // the highest bit is that of all bits above it, too
}

// Word is a lane of a value as a constant.
func Word(v *simt.Value, i int) (uint32, bool) {
	v, _ = simt.LaneOf(v, i)
	x, ok := simt.ConstOf(v)
	return uint32(int64(x)), ok
}

// FieldOf is a lane of integers as bits of a word, if it is that.
func FieldOf(v *simt.Value, i int) (f Field, ok bool) {
	v, i = simt.LaneOf(v, i)
	if v.Op == nil {
		return f, false
	}
	switch op := v.Op; op.Kind {
	case simt.Unpack:
		n := simt.PerWord(op.Elem)
		return Field{From: op.Args[0], Lane: i / n, At: i % n * 8, Width: 8, Extended: op.Elem == dtype.I8}, op.Elem.Size() == 1
	case simt.Convert, simt.Bitcast:
		from := op.Args[0].Type.Elem
		if !from.IsInt() || !v.Type.Elem.IsInt() {
			return f, false
		}
		return FieldOf(op.Args[0], i)
	case simt.And:
		mask, isConst := Word(op.Args[1], i)
		if f, ok = FieldOf(op.Args[0], i); !ok || !isConst || mask&(mask+1) != 0 {
			return f, false
		}
		if f.Extended && mask>>f.Width != 0 {
			return f, false
		}
		for f.Width > 0 && mask>>(f.Width-1) == 0 {
			f.Width--
		}
		f.Flip, f.Extended = f.Flip&mask, false
		return f, true
	case simt.Shr:
		by, isConst := Word(op.Args[1], i)
		if f, ok = FieldOf(op.Args[0], i); !ok || !isConst || int(by) >= f.Width || f.Flip != 0 || f.Extended {
			return f, false
		}
		f.At, f.Width = f.At+int(by), f.Width-int(by)
		return f, true
	case simt.Xor:
		by, isConst := Word(op.Args[1], i)
		if f, ok = FieldOf(op.Args[0], i); !ok || !isConst || by>>f.Width != 0 || f.Extended {
			return f, false
		}
		f.Flip ^= by
		return f, true
	}
	return f, false
}
