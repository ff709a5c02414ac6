package lower

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// machine executes simt IR on the host, all threads of a workgroup in step, op
// by op. It checks what a GPU would not: that no two threads touch an element of a shared array
// without a barrier between them when one of them writes, that indices are in bounds, that
// vectors are aligned, and that loops and exits are uniform.
type machine struct {
	kernel  *simt.Kernel
	buffers [][]byte
	words   []uint32
	group   [3]int
	values  map[*simt.Value][][]uint32 // by thread and lane
	shared  map[*simt.Shared][]cell
	epoch   int // barriers passed
	broke   bool
	ordered int // barriers passed that order buffers, too
	touched map[touch]*cell
}

// touch is an element of a buffer that a kernel reads and writes.
type touch struct {
	buffer *simt.Buffer
	at     int
}

// access checks that no other thread touched an element of a buffer in a way
// that needs a barrier. Stores of one run may meet: which is last does not matter.
func (m *machine) access(op *simt.Op, t, at int) {
	if !op.Buffer.Read || !op.Buffer.Write {
		return
	}
	key := touch{op.Buffer, at}
	c := m.touched[key]
	if c == nil {
		c = &cell{}
		m.touched[key] = c
	}
	sameRun := op.Kind == simt.Store && op.Index < 0 && c.bits == uint32(op.Index)
	if op.Kind == simt.Atomic {
		sameRun = op.Index != 0 && c.bits == uint32(op.Index)
	}
	if c.writeEpoch == m.ordered && c.writer != t && !sameRun {
		m.fail(op, "thread %d touches element %d of %s, which thread %d wrote since the last barrier", t, at, op.Buffer.Name, c.writer)
	}
	if op.Kind != simt.Load {
		if c.readEpoch == m.ordered && (c.severalReaders || c.reader != t) {
			m.fail(op, "thread %d writes element %d of %s, which another thread read since the last barrier", t, at, op.Buffer.Name)
		}
		c.writer, c.writeEpoch, c.bits = t, m.ordered, uint32(op.Index)
		return
	}
	c.severalReaders = c.readEpoch == m.ordered && (c.severalReaders || c.reader != t)
	c.reader, c.readEpoch = t, m.ordered
}

// cell is an element of a shared array with who touched it last.
type cell struct {
	bits               uint32
	valid              bool
	writer, writeEpoch int
	reader, readEpoch  int
	severalReaders     bool
}

type execError struct{ msg string }

func (m *machine) fail(op *simt.Op, format string, args ...any) {
	panic(execError{fmt.Sprintf("%v at %s: %s", op.Kind, op.Line, fmt.Sprintf(format, args...))})
}

// runKernel executes every workgroup of a grid.
func runKernel(k *simt.Kernel, grid [3]int, buffers [][]byte, words []uint32) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case execError:
			err = fmt.Errorf("%s", e.msg)
		default:
			panic(e)
		}
	}()
	for z := range grid[2] {
		for y := range grid[1] {
			for x := range grid[0] {
				m := &machine{kernel: k, buffers: buffers, words: words, group: [3]int{x, y, z},
					values: map[*simt.Value][][]uint32{}, shared: map[*simt.Shared][]cell{}, epoch: 1, ordered: 1, touched: map[touch]*cell{}}
				for _, s := range k.Shared {
					m.shared[s] = make([]cell, s.Len)
				}
				active := make([]bool, k.Threads)
				for i := range active {
					active[i] = true
				}
				m.block(k.Body, active)
			}
		}
	}
	return nil
}

// block executes ops for the active threads; false means that the workgroup ended.
func (m *machine) block(b *simt.Block, active []bool) bool {
	for _, op := range b.Ops {
		switch op.Kind {
		case simt.Barrier:
			m.epoch++
			m.ordered += op.Index
		case simt.Exit:
			if m.uniform(op, op.Args[0]) != 0 {
				return false
			}
		case simt.If:
			inner := make([]bool, len(active))
			for t := range active {
				inner[t] = active[t] && m.values[op.Args[0]][t][0] != 0
			}
			m.block(op.Body, inner)
		case simt.For:
			if !m.loop(op, active) {
				return false
			}
		case simt.Branch:
			way := op.Else
			if m.uniform(op, op.Args[0]) != 0 {
				way = op.Body
			}
			if !m.block(way, active) {
				return false
			}
			for i, out := range op.Out {
				m.values[out] = m.values[way.Ops[len(way.Ops)-1].Args[i]]
			}
		case simt.While:
			if !m.while(op, active) {
				return false
			}
		case simt.Break:
			if m.uniform(op, op.Args[0]) != 0 {
				m.broke = true
				return true
			}
		case simt.Yield:
		case simt.Store, simt.SharedStore:
			m.each(active, func(t int) { m.store(op, t) })
		case simt.ShuffleXor:
			in := m.values[op.Args[0]]
			out := make([][]uint32, len(active))
			for t := range out {
				out[t] = in[t^op.Index]
			}
			m.values[op.Result()] = out
		default:
			out := make([][]uint32, len(active))
			m.each(active, func(t int) { out[t] = m.eval(op, t) })
			m.values[op.Result()] = out
		}
	}
	return true
}

func (m *machine) each(active []bool, f func(t int)) {
	for t, on := range active {
		if on {
			f(t)
		}
	}
}

func (m *machine) uniform(op *simt.Op, v *simt.Value) uint32 {
	x := m.values[v][0][0]
	for _, y := range m.values[v] {
		if y[0] != x {
			m.fail(op, "operand differs between threads")
		}
	}
	return x
}

func (m *machine) loop(op *simt.Op, active []bool) bool {
	lo, hi, step := int32(m.uniform(op, op.Args[0])), int32(m.uniform(op, op.Args[1])), int32(m.uniform(op, op.Args[2]))
	var now [][][]uint32
	for _, a := range op.Args[3:] {
		now = append(now, m.values[a])
	}
	for i := lo; i < hi; i += step {
		index := make([][]uint32, len(active))
		for t := range index {
			index[t] = []uint32{uint32(i)}
		}
		m.values[op.Body.Args[0]] = index
		for j, v := range now {
			m.values[op.Body.Args[1+j]] = v
		}
		if !m.block(op.Body, active) {
			return false
		}
		for j, a := range op.Body.Ops[len(op.Body.Ops)-1].Args {
			now[j] = m.values[a]
		}
	}
	for j, v := range op.Out {
		m.values[v] = now[j]
	}
	return true
}

func (m *machine) while(op *simt.Op, active []bool) bool {
	next := op.Args
	for {
		var now [][][]uint32
		for _, a := range next {
			now = append(now, m.values[a])
		}
		for j, a := range op.Body.Args {
			m.values[a] = now[j]
		}
		if !m.block(op.Body, active) {
			return false
		}
		if m.broke {
			m.broke = false
			for j, v := range op.Out {
				m.values[v] = now[j]
			}
			return true
		}
		next = op.Body.Ops[len(op.Body.Ops)-1].Args
	}
}

func (m *machine) arg(op *simt.Op, i, t int) []uint32 { return m.values[op.Args[i]][t] }

func (m *machine) eval(op *simt.Op, t int) []uint32 {
	r := op.Result().Type
	out := make([]uint32, r.Width)
	switch op.Kind {
	case simt.Const:
		for i := range out {
			out[i] = encode(r.Elem, op.Number)
		}
	case simt.Param:
		out[0] = m.words[op.Index]
	case simt.ThreadID:
		out[0] = uint32(t)
	case simt.WorkgroupID:
		out[0] = uint32(m.group[op.Index])
	case simt.Splat:
		for i := range out {
			out[i] = m.arg(op, 0, t)[0]
		}
	case simt.Extract:
		out[0] = m.arg(op, 0, t)[op.Index]
	case simt.Compose:
		for i := range out {
			out[i] = m.arg(op, i, t)[0]
		}
	case simt.Load, simt.SharedLoad:
		m.load(op, t, out)
	case simt.Atomic:
		m.atomic(op, t, out)
	default:
		for i := range out {
			args := make([]uint32, len(op.Args))
			for j := range args {
				args[j] = m.arg(op, j, t)[i]
			}
			out[i] = evalLane(op, args)
		}
	}
	return out
}

func (m *machine) masked(op *simt.Op, t int) bool {
	v := op.Mask()
	return v != nil && m.values[v][t][0] == 0
}

func (m *machine) load(op *simt.Op, t int, out []uint32) {
	if m.masked(op, t) {
		for i := range out {
			out[i] = encode(op.Result().Type.Elem, op.Number)
		}
		return
	}
	at := m.index(op, t, len(out))
	for i := range out {
		if op.Kind == simt.Load {
			m.access(op, t, at+i)
			size := op.Buffer.Elem.Size()
			var x [1]float64
			dtype.Floats(op.Buffer.Elem, x[:], m.bytes(op)[(at+i)*size:])
			out[i] = encode(op.Result().Type.Elem, x[0])
			continue
		}
		c := &m.shared[op.Shared][at+i]
		if !c.valid {
			m.fail(op, "thread %d reads element %d of %s, which nobody wrote", t, at+i, op.Shared.Name)
		}
		if c.writeEpoch == m.epoch && c.writer != t {
			m.fail(op, "thread %d reads element %d of %s, which thread %d wrote since the last barrier", t, at+i, op.Shared.Name, c.writer)
		}
		c.severalReaders = c.readEpoch == m.epoch && (c.severalReaders || c.reader != t)
		c.reader, c.readEpoch = t, m.epoch
		out[i] = c.bits
	}
}

func (m *machine) bytes(op *simt.Op) []byte {
	for i, b := range m.kernel.Buffers {
		if b == op.Buffer {
			return m.buffers[i]
		}
	}
	return nil
}

// index is the checked element index of an access of n elements.
func (m *machine) index(op *simt.Op, t, n int) int {
	at := int(int32(m.arg(op, 0, t)[0]))
	size := 0
	if op.Buffer != nil {
		size = len(m.bytes(op)) / op.Buffer.Elem.Size()
	} else {
		size = op.Shared.Len
	}
	if at < 0 || at+n > size || at%n != 0 {
		m.fail(op, "thread %d: %d elements at %d of %d", t, n, at, size)
	}
	return at
}

func (m *machine) store(op *simt.Op, t int) {
	if m.masked(op, t) {
		return
	}
	value := m.arg(op, 1, t)
	at := m.index(op, t, len(value))
	elem := op.Args[1].Type.Elem
	for i, bits := range value {
		if op.Kind == simt.Store {
			m.access(op, t, at+i)
			size := op.Buffer.Elem.Size()
			dtype.PutFloats(op.Buffer.Elem, m.bytes(op)[(at+i)*size:(at+i+1)*size], []float64{decode(elem, bits)})
			continue
		}
		c := &m.shared[op.Shared][at+i]
		if c.writeEpoch == m.epoch && c.writer != t || c.readEpoch == m.epoch && (c.severalReaders || c.reader != t) {
			m.fail(op, "thread %d writes element %d of %s, which another thread touched since the last barrier", t, at+i, op.Shared.Name)
		}
		*c = cell{bits: bits, valid: true, writer: t, writeEpoch: m.epoch, reader: c.reader, readEpoch: c.readEpoch, severalReaders: c.severalReaders}
	}
}

func (m *machine) atomic(op *simt.Op, t int, out []uint32) {
	if m.masked(op, t) {
		out[0] = encode(op.Result().Type.Elem, op.Number)
		return
	}
	at := m.index(op, t, 1)
	m.access(op, t, at)
	place := m.bytes(op)[4*at:]
	e, old, x := op.Buffer.Elem, binary.LittleEndian.Uint32(place), m.arg(op, 1, t)[0]
	next := x
	kinds := map[simt.RMW]simt.Kind{simt.RMWAdd: simt.Add, simt.RMWMax: simt.Max, simt.RMWMin: simt.Min,
		simt.RMWAnd: simt.And, simt.RMWOr: simt.Or, simt.RMWXor: simt.Xor}
	switch kind := kinds[op.RMW]; {
	case op.RMW == simt.RMWCompare && old != m.arg(op, 2, t)[0]:
		next = old
	case kind != simt.Invalid && e == dtype.F32:
		next = evalFloat(kind, []uint32{old, x})
	case kind != simt.Invalid:
		next = evalInt(kind, e, []uint32{old, x})
	}
	binary.LittleEndian.PutUint32(place, next)
	out[0] = old
}

// encode and decode move between numbers and the bits of a register.
func encode(e dtype.Type, x float64) uint32 {
	if e == dtype.Bool {
		if x != 0 {
			return 1
		}
		return 0
	}
	var b [4]byte
	dtype.PutFloats(e, b[:], []float64{x})
	return binary.LittleEndian.Uint32(b[:])
}

func decode(e dtype.Type, bits uint32) float64 {
	if e == dtype.Bool {
		return float64(bits)
	}
	var b [4]byte
	var x [1]float64
	binary.LittleEndian.PutUint32(b[:], bits)
	dtype.Floats(e, x[:], b[:])
	return x[0]
}

// evalLane computes one lane of an element-wise op.
func evalLane(op *simt.Op, a []uint32) uint32 {
	from, to := op.Args[0].Type.Elem, op.Result().Type.Elem
	switch op.Kind {
	case simt.Bitcast:
		return a[0]
	case simt.Convert:
		if from.IsInt() && to.IsInt() {
			return a[0] // integers keep their bits
		}
		return encode(to, decode(from, a[0]))
	case simt.Round16:
		return math.Float32bits(dtype.Round(dtype.Type(op.Index), math.Float32frombits(a[0])))
	case simt.Select:
		if a[0] != 0 {
			return a[1]
		}
		return a[2]
	}
	if from == dtype.F32 {
		return evalFloat(op.Kind, a)
	}
	return evalInt(op.Kind, from, a)
}

var floatUnary = map[simt.Kind]func(float64) float64{
	simt.Neg: func(x float64) float64 { return -x }, simt.Abs: math.Abs, simt.Exp: math.Exp, simt.Exp2: math.Exp2,
	simt.Log: math.Log, simt.Log2: math.Log2, simt.Sqrt: math.Sqrt, simt.Rsqrt: func(x float64) float64 { return 1 / math.Sqrt(x) },
	simt.Sin: math.Sin, simt.Cos: math.Cos, simt.Tanh: math.Tanh, simt.Floor: math.Floor, simt.Ceil: math.Ceil,
	simt.Round: math.RoundToEven, simt.Erf: math.Erf, simt.Log1p: math.Log1p, simt.Expm1: math.Expm1,
}

var floatBinary = map[simt.Kind]func(x, y float64) float64{
	simt.Add: func(x, y float64) float64 { return x + y }, simt.Sub: func(x, y float64) float64 { return x - y },
	simt.Mul: func(x, y float64) float64 { return x * y }, simt.Div: func(x, y float64) float64 { return x / y },
	simt.Min: math.Min, simt.Max: math.Max,
}

func truth(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func evalFloat(kind simt.Kind, a []uint32) uint32 {
	x := float64(math.Float32frombits(a[0]))
	if f := floatUnary[kind]; f != nil {
		return math.Float32bits(float32(f(x)))
	}
	y := float64(math.Float32frombits(a[1]))
	if f := floatBinary[kind]; f != nil {
		return math.Float32bits(float32(f(x, y)))
	}
	switch kind {
	case simt.FMA:
		return math.Float32bits(float32(math.FMA(x, y, float64(math.Float32frombits(a[2])))))
	case simt.Eq:
		return truth(x == y)
	case simt.Ne:
		return truth(x != y)
	case simt.Lt:
		return truth(x < y)
	case simt.Le:
		return truth(x <= y)
	case simt.Gt:
		return truth(x > y)
	case simt.Ge:
		return truth(x >= y)
	}
	panic(execError{"no float " + kind.String()})
}

func evalInt(kind simt.Kind, e dtype.Type, a []uint32) uint32 {
	x := int64(decode(e, a[0]))
	switch kind {
	case simt.Neg:
		return uint32(-x)
	case simt.Abs:
		return uint32(max(x, -x))
	case simt.Not:
		if e == dtype.Bool {
			return a[0] ^ 1
		}
		return ^a[0]
	}
	y := int64(decode(e, a[1]))
	f := intBinary[kind]
	if f == nil {
		panic(execError{"no integer " + kind.String()})
	}
	return uint32(f(x, y))
}

// intBinary computes on the values of I32, U32 and Bool operands.
var intBinary = map[simt.Kind]func(x, y int64) int64{
	simt.Add: func(x, y int64) int64 { return x + y }, simt.Sub: func(x, y int64) int64 { return x - y },
	simt.Mul: func(x, y int64) int64 { return x * y }, simt.Div: func(x, y int64) int64 { return x / y },
	simt.Rem: func(x, y int64) int64 { return x % y }, simt.Min: func(x, y int64) int64 { return min(x, y) },
	simt.Max: func(x, y int64) int64 { return max(x, y) }, simt.And: func(x, y int64) int64 { return x & y },
	simt.Or: func(x, y int64) int64 { return x | y }, simt.Xor: func(x, y int64) int64 { return x ^ y },
	simt.Shl: func(x, y int64) int64 { return x << y }, simt.Shr: func(x, y int64) int64 { return x >> y },
	simt.Eq: func(x, y int64) int64 { return int64(truth(x == y)) }, simt.Ne: func(x, y int64) int64 { return int64(truth(x != y)) },
	simt.Lt: func(x, y int64) int64 { return int64(truth(x < y)) }, simt.Le: func(x, y int64) int64 { return int64(truth(x <= y)) },
	simt.Gt: func(x, y int64) int64 { return int64(truth(x > y)) }, simt.Ge: func(x, y int64) int64 { return int64(truth(x >= y)) },
}
