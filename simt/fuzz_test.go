package simt

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
)

// FuzzVerify changes the ops of a kernel at random. Verify must not panic; what it
// accepts prints as a text that reads back as one it accepts.
func FuzzVerify(f *testing.F) {
	f.Add([]byte{3, 0, byte(Mul)})
	f.Add([]byte{9, 1, 0, 4, 12, 1, 1, 2, 30, 7, 3})
	f.Add([]byte{24, 8, 24, 26, 8, 24, 20, 9, 3})
	f.Add([]byte("c9(9\bpV\x047")) // a role in itself
	f.Add([]byte("07"))            // a result that is nil, of an op after one that is refused
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func() int {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return int(b)
		}
		f := everything()
		f.produced(TensorCopy, func(*Op, *TensorMap, *Shared, *Shared) {})
		k := f.Func
		var ops []*Op
		values, blocks := []*Value{nil}, []*Block{nil, k.Body}
		eachOp(k.Body, func(op *Op) {
			ops = append(ops, op)
			values = append(values, op.Out...)
			for _, b := range op.Blocks() {
				blocks, values = append(blocks, b), append(values, b.Args...)
			}
		})
		for len(data) > 0 {
			changeOp(k, ops[next()%len(ops)], ops, values, blocks, next)
		}
		if Verify(k) != nil {
			return
		}
		text := k.String()
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := Verify(again); err != nil || again.String() != text {
			t.Fatalf("%v: read back as\n%v\nof\n%s", err, again, text)
		}
	})
}

// changeOp does one thing to an op.
func changeOp(k *Func, op *Op, ops []*Op, values []*Value, blocks []*Block, next func() int) {
	value := func() *Value { return values[next()%len(values)] }
	block := func() *Block { return blocks[next()%len(blocks)] }
	switch next() % 16 {
	case 0:
		op.Kind = Kind(next())
	case 1:
		if len(op.Args) > 0 {
			op.Args[next()%len(op.Args)] = value()
		}
	case 2:
		op.Args = append(op.Args, value())
	case 3:
		op.Args = op.Args[:min(len(op.Args), next())]
	case 4:
		n := int(int8(next()))
		numbers := []*int{&op.Word, &op.Axis, &op.Lane, &op.LaneMask, &op.Count, &op.Pending, &op.Bytes, &op.Multicast, &op.Matrices, &op.Warpgroup}
		*numbers[next()%len(numbers)] = n
	case 5:
		op.Number = float64(int8(next())) / 2
	case 15:
		op.Fill, op.Elem = float64(int8(next()))/2, dtype.Type(next()%16)
	case 6:
		op.RMW = RMW(next())
	case 7:
		op.Out = append(op.Out, value())
	case 8:
		op.Body = block()
	case 9:
		op.Else = block()
	case 10:
		if b := block(); b != nil {
			b.Ops = append(b.Ops, ops[next()%len(ops)])
		}
	case 11:
		if b := block(); b != nil {
			b.Args = append(b.Args, value())
		}
	case 12:
		op.Buffer, op.Shared = k.Buffers[next()%len(k.Buffers)], nil
	case 14:
		op.Map, op.Shared, op.Signals = k.Maps[0], k.Shared[next()%len(k.Shared)], k.Shared[next()%len(k.Shared)]
	case 13:
		if v := value(); v != nil {
			v.Type = Vector(v.Type.Elem+1, next()%5)
		}
	}
}
