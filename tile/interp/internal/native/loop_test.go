package native

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native/amd64"
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
			*r = threeInGo(n.inst, values[n.x], values[n.y])
		case words:
			if *r = 0; int32(values[n.y]) < 0 {
				*r = gathered(int(n.stream), values[n.x])
			}
		case high:
			*r = uint32(uint64(values[n.x]) * uint64(values[n.y]) >> 32)
		case halves:
			*r = math.Float32bits(dtype.Float16(values[n.x]).Float32())
		case two:
			switch n.inst {
			case amd64.SqrtPS:
				*r = math.Float32bits(float32(math.Sqrt(float64(f(n.x)))))
			case amd64.PAbsD:
				*r = uint32(max(int32(values[n.x]), -int32(values[n.x])))
			case amd64.CvtDPS:
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
			*r = math.Float32bits(float32(map[uint32]func(float64) float64{amd64.Nearest: math.RoundToEven, amd64.Floor: math.Floor, amd64.Ceil: math.Ceil}[n.number](x)))
		case shift:
			x := values[n.x]
			*r = map[Value]uint32{amd64.ShiftLeft: x << n.number, amd64.ShiftRight: x >> n.number, amd64.ShiftSigned: uint32(int32(x) >> n.number)}[n.z]
		case compare:
			x, y := f(n.x), f(n.y)
			*r = truth(map[uint32]bool{amd64.Eq: x == y, amd64.Ne: x != y, amd64.Lt: x < y, amd64.Le: x <= y, amd64.Unordered: x != x || y != y}[n.number])
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

func threeInGo(i amd64.Inst, a, b uint32) uint32 {
	x, y := math.Float32frombits(a), math.Float32frombits(b)
	switch i {
	case amd64.AddPS:
		return math.Float32bits(x + y)
	case amd64.SubPS:
		return math.Float32bits(x - y)
	case amd64.MulPS:
		return math.Float32bits(x * y)
	case amd64.DivPS:
		return math.Float32bits(x / y)
	case amd64.MinPS:
		if x < y {
			return a
		}
		return b
	case amd64.MaxPS:
		if x > y {
			return a
		}
		return b
	case amd64.PAnd:
		return a & b
	case amd64.POr:
		return a | b
	case amd64.PXor:
		return a ^ b
	case amd64.PAddD:
		return a + b
	case amd64.PSubD:
		return a - b
	case amd64.PMulLD:
		return a * b
	case amd64.PMinSD:
		return uint32(min(int32(a), int32(b)))
	case amd64.PMaxSD:
		return uint32(max(int32(a), int32(b)))
	case amd64.PMinUD:
		return min(a, b)
	case amd64.PMaxUD:
		return max(a, b)
	case amd64.PSllVD:
		return a << b
	case amd64.PSrlVD:
		return a >> b
	case amd64.PSraVD:
		return uint32(int32(a) >> min(b, 31))
	}
	panic("unknown instruction")
}

// randomLoop makes a loop of many values that live long, so that registers run out.
func randomLoop(rng *rand.Rand, steps int) *Loop {
	l := &Loop{}
	var floats, words []Value
	elems := []dtype.Type{dtype.F32, dtype.F16, dtype.BF16, dtype.I32, dtype.U32, dtype.I8, dtype.U8}
	for range 1 + rng.IntN(10) {
		e := elems[rng.IntN(len(elems))]
		v, _ := l.Input(e, rng.IntN(3) == 0)
		if words = append(words, v); e.IsFloat() {
			floats = append(floats, v)
		}
	}
	v, _ := l.Input(dtype.F32, false)
	floats = append(floats, v, l.Float(1.5), l.Float(-2))
	words = append(words, l.Bits(7), l.Column())
	pick := func(list []Value) Value { return list[rng.IntN(len(list))] }
	binary := []amd64.Inst{amd64.AddPS, amd64.SubPS, amd64.MulPS, amd64.DivPS, amd64.MinPS, amd64.MaxPS}
	integer := []amd64.Inst{amd64.PAnd, amd64.POr, amd64.PXor, amd64.PAddD, amd64.PSubD, amd64.PMulLD, amd64.PMinSD, amd64.PMaxSD, amd64.PMinUD, amd64.PMaxUD,
		amd64.PSllVD, amd64.PSrlVD, amd64.PSraVD}
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
			small := func(v Value) Value { return l.Two(amd64.CvtDPS, l.And(v, l.Bits(1023))) }
			v := l.FMA(small(a), small(b), small(c))
			if rng.IntN(2) == 0 {
				v = l.FNMA(small(a), small(b), small(c))
			}
			floats, words = append(floats, v), append(words, v)
		case 4:
			words = append(words, l.Compare([]byte{amd64.Eq, amd64.Ne, amd64.Lt, amd64.Le, amd64.Unordered}[rng.IntN(5)], x, y))
		case 5:
			words = append(words, []Value{l.Equal(a, b), l.Greater(a, b), l.MulHigh(a, b)}[rng.IntN(3)])
		case 6:
			cond := l.Greater(a, b)
			floats = append(floats, l.Select(cond, x, y))
		case 7:
			words = append(words, l.Shift([]uint8{amd64.ShiftLeft, amd64.ShiftRight, amd64.ShiftSigned}[rng.IntN(3)], a, rng.IntN(31)))
		case 8:
			floats = append(floats, []Value{l.Round(z, []byte{amd64.Nearest, amd64.Floor, amd64.Ceil}[rng.IntN(3)]), l.Abs(z), l.Sqrt(l.Abs(z)), l.RoundBF16(z)}[rng.IntN(4)])
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
			memory, steps := make([][]byte, len(l.streams)), make([]int, len(l.streams))
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
				frame.Bind(s, unsafe.Pointer(&b[guard]), steps[s])
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
					}, func(s int) uint32 { return read(l.streams[s].elem, at(s)) }, func(s int, x uint32) { write(l.streams[s].elem, at(s), x) })
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
	case dtype.BF16: // whose node that follows shifts it
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
