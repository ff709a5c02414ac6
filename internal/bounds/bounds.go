package bounds

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// ErrUndecided says that a branch, a loop or the place of a store hangs on what
// rounding leaves open, so that nothing bounds the results.
var ErrUndecided = errors.New("undecided")

// Launch is a kernel with its arguments.
type Launch struct {
	Kernel  *tile.Func
	Grid    [3]int
	Layouts []layout.Layout // of the views
	Buffers []int           // of the views; those that share one have one element type
	Scalars []uint32
	Start   [][]byte // contents of the buffers
}

// Run returns what the elements of each buffer may hold after a launch. Programs run one after
// the other; they must not race. Sums of F32 by atomic ops are taken to be exact.
// Errors: ErrUndecided; others are about kernels that are not well formed.
func Run(l Launch) (results [][]Value, err error) {
	m := &machine{Launch: l, memory: make([][]Value, len(l.Start)), elems: make([]dtype.Type, len(l.Start))}
	for i, b := range l.Buffers {
		m.elems[b] = l.Kernel.Views[i].Elem
	}
	for i, raw := range l.Start {
		m.memory[i] = Decode(m.elems[i], raw)
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			results, err = nil, r.error
		default:
			panic(r)
		}
	}()
	for z := range l.Grid[2] {
		for y := range l.Grid[1] {
			for x := range l.Grid[0] {
				m.id = [3]int{x, y, z}
				m.values = map[*tile.Value][]Value{}
				m.region(l.Kernel.Body)
			}
		}
	}
	return m.memory, nil
}

// Decode reads elements in memory, each of which is one number.
func Decode(e dtype.Type, raw []byte) []Value {
	if !e.Valid() {
		return nil
	}
	n := len(raw) / e.Size()
	values := make([]Value, n)
	if e.IsFloat() {
		x := make([]float64, n)
		dtype.Floats(e, x, raw)
		for i := range x {
			values[i] = number(e, x[i])
		}
		return values
	}
	var b [8]byte
	for i := range values {
		clear(b[:])
		copy(b[:], raw[i*e.Size():(i+1)*e.Size()])
		n := int64(binary.LittleEndian.Uint64(b[:]))
		if e == dtype.Bool && n != 0 {
			n = 1
		}
		values[i] = whole(wrap(e, n))
	}
	return values
}

// Allows reports whether an element that Decode read is among the results v of its type.
func (v Value) Allows(e dtype.Type, got Value) bool {
	switch {
	case !e.IsFloat():
		return v.Any || got.N == v.N || got.N == v.M
	case got.Lo > got.Hi:
		return v.NaN
	}
	return v.Lo <= got.Hi && got.Lo <= v.Hi
}

// machine runs one program at a time.
type machine struct {
	Launch
	memory [][]Value
	elems  []dtype.Type
	id     [3]int
	values map[*tile.Value][]Value
	steps  int
}

type failure struct{ error }

// limit is how many ops a launch may execute.
const limit = 1 << 20

func (m *machine) fail(op *tile.Op, format string, args ...any) {
	panic(failure{fmt.Errorf("%v at %v: %s", op.Kind, op.Pos, fmt.Sprintf(format, args...))})
}

func (m *machine) undecided(op *tile.Op) {
	panic(failure{fmt.Errorf("%w: %v at %v", ErrUndecided, op.Kind, op.Pos)})
}

// region executes ops up to the yield, which it returns; exit means that the program ended, and
// leave that a While did.
func (m *machine) region(r *tile.Region) (yield *tile.Op, exit, leave bool) {
	for _, op := range r.Ops {
		if m.steps++; m.steps > limit {
			m.undecided(op)
		}
		switch op.Kind {
		case tile.OpYield:
			return op, false, false
		case tile.OpExit:
			if m.decide(op, op.Args[0]) {
				return nil, true, false
			}
		case tile.OpCondition:
			if !m.decide(op, op.Args[0]) {
				return nil, false, true
			}
		default:
			m.op(op)
		}
	}
	return nil, false, false
}

// decide is a scalar truth that control flow hangs on.
func (m *machine) decide(op *tile.Op, v *tile.Value) bool {
	x := m.values[v][0]
	if !x.isKnown() {
		m.undecided(op)
	}
	return x.N != 0
}

// integer is a scalar integer that control flow or an address hangs on.
func (m *machine) integer(op *tile.Op, v *tile.Value) int {
	x := m.values[v][0]
	if !x.isKnown() {
		m.undecided(op)
	}
	return int(x.N)
}

func (m *machine) op(op *tile.Op) {
	switch op.Kind.Fact().Class {
	case tile.Leaf:
		m.values[op.Result()] = m.leaf(op)
	case tile.Unary, tile.Binary, tile.Compare, tile.Ternary:
		m.elementwise(op)
	case tile.Shape:
		m.values[op.Result()] = m.shape(op)
	case tile.Reduction:
		m.values[op.Result()] = m.reduce(op)
	case tile.Combine:
		m.combine(op)
	case tile.Matrix:
		m.values[op.Result()] = m.dot(op)
	case tile.Memory:
		m.access(op)
	case tile.Control:
		m.control(op)
	case tile.Debug:
		if op.Kind == tile.OpAssert {
			for _, v := range m.values[op.Args[0]] {
				if v == whole(0) {
					m.fail(op, "%s", op.Text)
				}
			}
		}
	case tile.Hint:
		m.hint(op)
	default:
		m.fail(op, "the op is not of a known class")
	}
}

// runs checks that a tile's elements come in the runs that are promised.
func (m *machine) runs(op *tile.Op) {
	list, n := m.values[op.Args[0]], int(op.Number)
	for i, x := range list {
		switch before := list[max(i-1, 0)]; {
		case !x.isKnown():
		case i%n == 0 && x.N%int64(n) != 0, i%n != 0 && before.isKnown() && x.N != before.N+1:
			m.fail(op, "element %d is %d, which breaks the promised runs of %d", i, x.N, n)
		}
	}
	m.values[op.Result()] = list
}

func (m *machine) hint(op *tile.Op) {
	x := m.values[op.Args[0]][0]
	if op.Kind == tile.OpAssume || op.Kind == tile.OpRequire {
		if x == whole(0) {
			m.fail(op, "the promise is broken")
		}
		return
	}
	if op.Kind == tile.OpContiguous {
		m.runs(op)
		return
	}
	if x.isKnown() && x.N%int64(op.Number) != 0 {
		m.fail(op, "%d is not the promised multiple of %v", x.N, op.Number)
	}
	m.values[op.Result()] = m.values[op.Args[0]]
}

func (m *machine) leaf(op *tile.Op) []Value {
	t := op.Result().Type()
	out := make([]Value, t.Len())
	for i := range out {
		switch op.Kind {
		case tile.OpConst:
			out[i] = constant(t.Elem, op.Number)
		case tile.OpProgramID:
			out[i] = whole(int64(m.id[op.Axis]))
		case tile.OpNumPrograms:
			out[i] = whole(int64(m.Grid[op.Axis]))
		case tile.OpDim:
			out[i] = whole(int64(m.Layouts[op.View.Index].Size(op.Axis)))
		case tile.OpArg:
			out[i] = m.argument(op.Scalar)
		case tile.OpIota:
			out[i] = whole(int64(coordinate(t.Shape, i, op.Axis)))
		default:
			m.fail(op, "the op is not a known leaf")
		}
	}
	return out
}

// constant is a number of an element type; of a float, it is rounded to nearest.
func constant(e dtype.Type, x float64) Value {
	if !e.IsFloat() {
		return whole(int64(dtype.Integer(e, x)))
	}
	return number(e, dtype.Nearest(e, x))
}

func (m *machine) argument(s *tile.Scalar) Value {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], m.Scalars[s.Index])
	return Decode(s.Elem, b[:])[0]
}

// elementwise applies an op to each element.
func (m *machine) elementwise(op *tile.Op) {
	args := make([][]Value, len(op.Args))
	for i, a := range op.Args {
		args[i] = m.values[a]
	}
	out := make([]Value, op.Result().Type().Len())
	var at [3]Value
	for i := range out {
		for j := range args {
			at[j] = args[j][i]
		}
		out[i] = element(op, at)
	}
	m.values[op.Result()] = out
}

// element is one element of an element-wise op.
func element(op *tile.Op, a [3]Value) Value {
	from, to := op.Args[0].Type().Elem, op.Result().Type().Elem
	switch op.Kind {
	case tile.OpCast:
		return cast(from, to, a[0])
	case tile.OpBitcast:
		return bitcast(from, to, a[0])
	case tile.OpSelect:
		switch a[0] {
		case truth(true):
			return a[1]
		case truth(false):
			return a[2]
		}
		return hull(to, a[1], a[2])
	case tile.OpFMA:
		return fma(to, a[0], a[1], a[2])
	}
	class := op.Kind.Fact().Class
	switch {
	case class == tile.Unary && from.IsFloat():
		return floatUnary(op.Kind, from, a[0])
	case class == tile.Unary:
		return intUnary(op.Kind, from, a[0])
	case class == tile.Compare && from.IsFloat():
		return compareFloats(op.Kind, a[0], a[1])
	case class == tile.Compare:
		return compareInts(op.Kind, from, a[0], a[1])
	case from.IsFloat():
		return floatBinary(op.Kind, from, a[0], a[1])
	}
	return intBinary(op.Kind, from, a[0], a[1])
}
