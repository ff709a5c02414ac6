package native

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// lane is what the nodes of a loop mean for one element: the inverse of what they are made of, in Go.
func (l *Loop) lane(number int, gathered func(stream int, word uint32) uint32, in func(stream int) uint32, out func(stream int, x uint32)) {
	values := make([]uint32, len(l.nodes))
	f := func(v Value) float32 { return math.Float32frombits(values[v]) }
	truth := func(x bool) uint32 {
		if x {
			return math.MaxUint32
		}
		return 0
	}
	for i, n := range l.nodes {
		r := &values[i]
		switch n.kind {
		case constant:
			*r = n.number
		case input:
			*r = in(int(n.stream))
		case output, reduce:
			out(int(n.stream), values[n.x])
		case column:
			*r = uint32(number)
		case three:
			*r = threeInGo(n.op, values[n.x], values[n.y])
		case words:
			if *r = 0; int32(values[n.y]) < 0 {
				*r = gathered(int(n.stream), values[n.x])
			}
		case high:
			*r = uint32(uint64(values[n.x]) * uint64(values[n.y]) >> 32)
		case halves:
			*r = math.Float32bits(dtype.Float16(values[n.x]).Float32())
		case two:
			switch n.op {
			case vector.SqrtF:
				*r = math.Float32bits(float32(math.Sqrt(float64(f(n.x)))))
			case vector.AbsI:
				*r = uint32(max(int32(values[n.x]), -int32(values[n.x])))
			case vector.FloatOfI:
				*r = math.Float32bits(float32(int32(values[n.x])))
			}
		case fma:
			x := float64(f(n.x))
			if n.number == 1 {
				x = -x
			}
			*r = math.Float32bits(float32(math.FMA(x, float64(f(n.y)), float64(f(n.z))))) // exact for the small integers of the test
		case round:
			x := float64(f(n.x))
			*r = math.Float32bits(float32(map[vector.Rounding]func(float64) float64{vector.Nearest: math.RoundToEven, vector.Floor: math.Floor, vector.Ceil: math.Ceil}[vector.Rounding(n.number)](x)))
		case shift:
			x := values[n.x]
			*r = map[vector.Op]uint32{vector.ShiftLeft: x << n.number, vector.ShiftRight: x >> n.number, vector.ShiftSigned: uint32(int32(x) >> n.number)}[n.op]
		case compare:
			x, y := f(n.x), f(n.y)
			*r = truth(map[vector.Comparison]bool{vector.Eq: x == y, vector.Ne: x != y, vector.Lt: x < y, vector.Le: x <= y, vector.Unordered: x != x || y != y}[vector.Comparison(n.number)])
		case equal:
			*r = truth(values[n.x] == values[n.y])
		case greater:
			*r = truth(int32(values[n.x]) > int32(values[n.y]))
		case choose:
			if *r = values[n.y]; int32(values[n.z]) < 0 {
				*r = values[n.x]
			}
		case halve:
			*r = math.Float32bits(dtype.ToFloat16(f(n.x)).Float32())
		}
	}
}

func threeInGo(op vector.Op, a, b uint32) uint32 {
	x, y := math.Float32frombits(a), math.Float32frombits(b)
	switch op {
	case vector.AddF:
		return math.Float32bits(x + y)
	case vector.SubF:
		return math.Float32bits(x - y)
	case vector.MulF:
		return math.Float32bits(x * y)
	case vector.DivF:
		return math.Float32bits(x / y)
	case vector.MinF:
		if x < y {
			return a
		}
		return b
	case vector.MaxF:
		if x > y {
			return a
		}
		return b
	case vector.And:
		return a & b
	case vector.Or:
		return a | b
	case vector.Xor:
		return a ^ b
	case vector.AddI:
		return a + b
	case vector.SubI:
		return a - b
	case vector.MulI:
		return a * b
	case vector.MinS:
		return uint32(min(int32(a), int32(b)))
	case vector.MaxS:
		return uint32(max(int32(a), int32(b)))
	case vector.MinU:
		return min(a, b)
	case vector.MaxU:
		return max(a, b)
	case vector.ShiftLeft:
		return a << b
	case vector.ShiftRight:
		return a >> b
	case vector.ShiftSigned:
		return uint32(int32(a) >> min(b, 31))
	}
	panic("unknown operation")
}

// randomLoop makes a loop of many values that live long, so that registers run out.
func randomLoop(rng *rand.Rand, steps int) *Loop {
	l := &Loop{}
	var floats, words []Value
	elems := []dtype.Type{dtype.F32, dtype.F16, dtype.BF16, dtype.I32, dtype.U32, dtype.I8, dtype.U8, dtype.I16, dtype.U16}
	for range 1 + rng.IntN(10) {
		e := elems[rng.IntN(len(elems))]
		v, stream := l.Input(e, rng.IntN(3) == 0)
		if words = append(words, v); e.IsFloat() {
			floats = append(floats, v)
		}
		if rng.IntN(2) == 0 {
			bits := math.Float32bits(2.5)
			if e == dtype.U8 {
				bits = 200
			}
			l.Beyond(stream, bits)
		}
	}
	v, _ := l.Input(dtype.F32, false)
	floats = append(floats, v, l.Float(1.5), l.Float(-2))
	words = append(words, l.Bits(7), l.Column())
	pick := func(list []Value) Value { return list[rng.IntN(len(list))] }
	binary := []vector.Op{vector.AddF, vector.SubF, vector.MulF, vector.DivF, vector.MinF, vector.MaxF}
	integer := []vector.Op{vector.And, vector.Or, vector.Xor, vector.AddI, vector.SubI, vector.MulI, vector.MinS, vector.MaxS, vector.MinU, vector.MaxU,
		vector.ShiftLeft, vector.ShiftRight, vector.ShiftSigned}
	for range steps {
		x, y, z := pick(floats), pick(floats), pick(floats)
		a, b, c := pick(words), pick(words), pick(words)
		switch rng.IntN(9) {
		case 0, 1:
			floats = append(floats, l.Three(binary[rng.IntN(len(binary))], x, y))
		case 2:
			words = append(words, l.Three(integer[rng.IntN(len(integer))], a, b))
		case 3:
			// Integers of few bits, so that FMA is exact.
			small := func(v Value) Value { return l.Two(vector.FloatOfI, l.And(v, l.Bits(1023))) }
			v := l.FMA(small(a), small(b), small(c))
			if rng.IntN(2) == 0 {
				v = l.FNMA(small(a), small(b), small(c))
			}
			floats, words = append(floats, v), append(words, v)
		case 4:
			words = append(words, l.Compare([]vector.Comparison{vector.Eq, vector.Ne, vector.Lt, vector.Le, vector.Unordered}[rng.IntN(5)], x, y))
		case 5:
			words = append(words, []Value{l.Equal(a, b), l.Greater(a, b), l.MulHigh(a, b)}[rng.IntN(3)])
		case 6:
			cond := l.Greater(a, b)
			floats = append(floats, l.Select(cond, x, y))
		case 7:
			words = append(words, l.Shift([]vector.Op{vector.ShiftLeft, vector.ShiftRight, vector.ShiftSigned}[rng.IntN(3)], a, rng.IntN(31)))
		case 8:
			floats = append(floats, []Value{l.Round(z, []vector.Rounding{vector.Nearest, vector.Floor, vector.Ceil}[rng.IntN(3)]), l.Abs(z), l.Sqrt(l.Abs(z)), l.RoundBF16(z)}[rng.IntN(4)])
		}
	}
	for range rng.IntN(4) { // of the first 64 elements
		e := elems[rng.IntN(len(elems))]
		v, _ := l.Gather(e, l.And(pick(words), l.Bits(63)), l.Greater(pick(words), pick(words)))
		if words = append(words, v); e.IsFloat() {
			floats = append(floats, v)
		}
	}
	for range 1 + rng.IntN(6) {
		e := elems[rng.IntN(len(elems))]
		if e.IsFloat() {
			l.Output(e, pick(floats))
		} else {
			l.Output(e, pick(words))
		}
	}
	return l
}

// TestRandomLoops runs loops on rows of all lengths, and compares every bit with what their nodes mean. Memory around the outputs must not change.
func TestRandomLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	for n := range 300 {
		l := randomLoop(rng, 1+n)
		for _, set := range sets(t) {
			rows, columns := 1+rng.IntN(3), rng.IntN(90)
			code, err := l.compile(set)
			if err != nil {
				t.Fatal(err)
			}
			const guard = 64
			frame := code.NewFrame()
			memory, steps, widths := make([][]byte, len(l.streams)), make([]int, len(l.streams)), make([]int, len(l.streams))
			for s, st := range l.streams {
				size := st.elem.Size()
				if steps[s] = size * (columns + rng.IntN(3)); st.repeat {
					steps[s] = size
				}
				b := make([]byte, 2*guard+steps[s]*rows+size*columns+256)
				for i := range b {
					b[i] = byte(rng.Uint32())
				}
				if st.elem == dtype.F32 && rng.IntN(2) == 0 {
					for i := 0; i+4 <= len(b); i += 4 {
						binary.LittleEndian.PutUint32(b[i:], math.Float32bits(float32(rng.NormFloat64())))
					}
				}
				memory[s] = b
				if widths[s] = columns; rng.IntN(3) == 0 && !st.repeat {
					widths[s] = rng.IntN(columns + 20)
				}
				frame.BindPart(s, unsafe.Pointer(&b[guard]), steps[s], widths[s])
			}
			want := make([][]byte, len(memory))
			for s := range memory {
				want[s] = slices.Clone(memory[s])
			}
			for r := range rows {
				for c := range columns {
					at := func(s int) []byte {
						i := guard + r*steps[s]
						if !l.streams[s].repeat {
							i += c * l.streams[s].elem.Size()
						}
						return want[s][i:]
					}
					l.lane(c, func(s int, word uint32) uint32 {
						return binary.LittleEndian.Uint32(want[s][guard+r*steps[s]+4*int(word):])
					}, func(s int) uint32 {
						if !l.streams[s].repeat && c >= widths[s] {
							return l.streams[s].beyond
						}
						return read(l.streams[s].elem, at(s))
					}, func(s int, x uint32) {
						if c < widths[s] {
							write(l.streams[s].elem, at(s), x)
						}
					})
				}
			}
			frame.Run(rows, columns)
			for s := range memory {
				if !sameBits(l.streams[s].elem, memory[s], want[s]) {
					size := l.streams[s].elem.Size()
					for i := 0; i+size <= len(memory[s]); i += size {
						if !sameBits(l.streams[s].elem, memory[s][i:i+size], want[s][i:i+size]) {
							t.Logf("element %d is %x, want %x", (i-guard)/size, memory[s][i:i+size], want[s][i:i+size])
						}
					}
					t.Fatalf("loop %d of %d nodes, %v, %d×%d: stream %d of %v differs", n, len(l.nodes), set, rows, columns, s, l.streams[s].elem)
				}
			}
		}
	}
}

// sameBits compares elements; NaNs are alike.
func sameBits(e dtype.Type, a, b []byte) bool {
	if slices.Equal(a, b) {
		return true
	}
	if !e.IsFloat() {
		return false
	}
	n := len(a) / e.Size()
	x, y := make([]float64, n), make([]float64, n)
	dtype.Floats(e, x, a)
	dtype.Floats(e, y, b)
	for i := range x {
		if x[i] != y[i] && (x[i] == x[i] || y[i] == y[i]) {
			return false
		}
	}
	return true
}

func read(e dtype.Type, b []byte) uint32 {
	switch e {
	case dtype.F16:
		return math.Float32bits(dtype.Float16(binary.LittleEndian.Uint16(b)).Float32())
	case dtype.BF16, dtype.I16, dtype.U16: // the nodes that follow shift the first two
		return uint32(binary.LittleEndian.Uint16(b))
	case dtype.I8:
		return uint32(int8(b[0]))
	case dtype.U8:
		return uint32(b[0])
	}
	return binary.LittleEndian.Uint32(b)
}

func write(e dtype.Type, b []byte, x uint32) {
	switch e.Size() {
	case 1:
		b[0] = byte(x)
	case 2:
		if e == dtype.F16 {
			x = uint32(dtype.ToFloat16(math.Float32frombits(x)))
		}
		binary.LittleEndian.PutUint16(b, uint16(x))
	default:
		binary.LittleEndian.PutUint32(b, x)
	}
}
