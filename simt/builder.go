package simt

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// Builder appends ops to a kernel's blocks. It folds what is known: constants,
// neutral elements, lanes of composed vectors, and pure ops that compute what one before does.
type Builder struct {
	*numbering
	block    *Block
	line     string
	known    exprs // of the block at hand and those around it
	keepsAll bool  // a pure op that computes what one before does is appended, too
}

// numbering is what the builders of one kernel share.
type numbering struct {
	Func   *Func
	nextID int
	consts map[constKey]*Value // constants of the kernel's entry, shared by all uses; nil until they are looked up
	ops    slab[cell]
	values slab[Value]
}

// cell is the memory of an op and of what most have: up to three operands and one result.
type cell struct {
	op   Op
	args [3]*Value
	out  [1]*Value
}

type constKey struct {
	t    Type
	bits uint64 // of the number: 0 and -0 are two constants
}

// NewBuilder starts a kernel with an empty body.
func NewBuilder(name string, threads int) *Builder {
	k := &Func{Name: name, Threads: threads, Body: &Block{}}
	return &Builder{numbering: &numbering{Func: k, consts: map[constKey]*Value{}}, block: k.Body}
}

// read finds the numbers and the constants of a kernel that exists.
func (n *numbering) read() {
	n.nextID, n.consts = nextID(n.Func.Body), map[constKey]*Value{}
	for _, op := range n.Func.Body.Ops {
		if op.Kind == Const {
			n.consts[constKey{op.Result().Type, math.Float64bits(op.Number)}] = op.Result()
		}
	}
}

// nextID is a number above those of all values of a block.
func nextID(b *Block) (id int) {
	for _, a := range b.Args {
		id = max(id, a.ID+1)
	}
	for _, op := range b.Ops {
		for _, v := range op.Out {
			id = max(id, v.ID+1)
		}
		for _, body := range op.Blocks() {
			id = max(id, nextID(body))
		}
	}
	return id
}

// SetLine names the kernel's line for the ops that follow.
func (b *Builder) SetLine(line string) { b.line = line }

// NewValue makes a value that no op defines yet.
func (b *Builder) NewValue(t Type, hint string) *Value {
	if b.consts == nil {
		b.read()
	}
	b.nextID++
	v := b.values.take()
	*v = Value{ID: b.nextID - 1, Type: t, Hint: hint}
	return v
}

// Emit appends an op with one result of type t and returns the result; of a pure op that of the first one that computes the same.
func (b *Builder) Emit(op *Op, t Type) *Value {
	c := b.ops.take()
	c.op = *op
	return b.emit(c, t, op.Args...)
}

// pure appends an op that has no attributes.
func (b *Builder) pure(kind Kind, t Type, args ...*Value) *Value {
	c := b.ops.take()
	c.op.Kind = kind
	return b.emit(c, t, args...)
}

// emit appends the op of a cell, which was taken last.
func (b *Builder) emit(c *cell, t Type, args ...*Value) *Value {
	op, v := &c.op, b.NewValue(t, "")
	v.Op = op
	c.out[0] = v
	op.Args, op.Out = slices.Clip(append(c.args[:0], args...)), c.out[:]
	if op.Kind.IsPure() && !b.keepsAll {
		if same := b.known.same(op); same != nil {
			b.ops.giveBack()
			b.values.giveBack()
			b.nextID--
			return same
		}
	}
	b.Do(op)
	return v
}

// Do appends an op.
func (b *Builder) Do(op *Op) {
	if op.Line == "" {
		op.Line = b.line
	}
	b.block.Ops = append(b.block.Ops, op)
}

// Const is a constant with x in every lane. Constants stand at the kernel's
// entry, each once.
func (b *Builder) Const(t Type, x float64) *Value {
	if b.consts == nil {
		b.read()
	}
	key := constKey{t, math.Float64bits(x)}
	if v := b.consts[key]; v != nil {
		return v
	}
	op := &Op{Kind: Const, Number: x}
	v := b.NewValue(t, "")
	v.Op, op.Out = op, []*Value{v}
	b.Func.Body.Ops = append([]*Op{op}, b.Func.Body.Ops...)
	b.consts[key] = v
	return v
}

// Int is a constant of type I32.
func (b *Builder) Int(x int) *Value { return b.Const(Scalar(dtype.I32), float64(x)) }

// Unary appends an element-wise op whose result has its operand's type.
func (b *Builder) Unary(kind Kind, x *Value) *Value {
	return b.pure(kind, x.Type, x)
}

// Convert appends a conversion to another element type.
func (b *Builder) Convert(x *Value, e dtype.Type) *Value {
	if x.Type.Elem == e {
		return x
	}
	return b.pure(Convert, Vector(e, x.Type.Width), x)
}

// Binary appends an element-wise op of two operands, folding integer
// arithmetic on constants and neutral elements.
func (b *Builder) Binary(kind Kind, x, y *Value) *Value {
	if v := b.Fold(kind, x, y); v != nil {
		return v
	}
	t := x.Type
	if kind.IsCompare() {
		t.Elem = dtype.Bool
	}
	return b.pure(kind, t, x, y)
}

// Select appends a choice between two values.
func (b *Builder) Select(cond, x, y *Value) *Value {
	if c, ok := ConstOf(cond); ok {
		if c != 0 {
			return x
		}
		return y
	}
	return b.pure(Select, x.Type, cond, x, y)
}

// FMA appends x*y + z.
func (b *Builder) FMA(x, y, z *Value) *Value {
	return b.pure(FMA, x.Type, x, y, z)
}

// Splat repeats a scalar in a vector of some width; width 1 is the scalar itself.
func (b *Builder) Splat(x *Value, width int) *Value {
	if width == 1 {
		return x
	}
	t := Vector(x.Type.Elem, width)
	if c, ok := ConstOf(x); ok {
		return b.Const(t, c)
	}
	return b.pure(Splat, t, x)
}

// Extract is one lane of a vector; a scalar is its own lane 0.
func (b *Builder) Extract(x *Value, lane int) *Value {
	if x.Type.Width == 1 {
		return x
	}
	if e := x.Type.Elem; x.Op != nil && (Register(e) == e || x.Op.Kind == Const) { // matrices may round what they are composed of
		switch x.Op.Kind {
		case Compose:
			return x.Op.Args[lane]
		case Splat:
			return x.Op.Args[0]
		case Const:
			return b.Const(Scalar(Register(x.Type.Elem)), x.Op.Number)
		}
	}
	c := b.ops.take()
	c.op.Kind, c.op.Lane = Extract, lane
	return b.emit(c, Scalar(Register(x.Type.Elem)), x)
}

// Compose makes a vector of scalars; one scalar is itself. Lanes that are one
// vector's lanes in order are that vector.
func (b *Builder) Compose(xs ...*Value) *Value {
	if len(xs) == 1 {
		return xs[0]
	}
	t := Vector(xs[0].Type.Elem, len(xs))
	if v := wholeVector(xs); v != nil && v.Type == t {
		return v
	}
	return b.pure(Compose, t, xs...)
}

func wholeVector(xs []*Value) *Value {
	var from *Value
	for i, x := range xs {
		if x.Op == nil || x.Op.Kind != Extract || x.Op.Lane != i || from != nil && x.Op.Args[0] != from {
			return nil
		}
		from = x.Op.Args[0]
	}
	if from.Type.Width != len(xs) {
		return nil
	}
	return from
}

// Load appends a masked (mask may be nil) load of width elements.
func (b *Builder) Load(buf *Buffer, index, mask *Value, width int, fill float64) *Value {
	op := &Op{Kind: Load, Buffer: buf, Args: []*Value{index}}
	op.mask(mask, fill)
	v := b.Emit(op, Vector(Register(buf.Elem), width))
	v.Hint = buf.Name
	return v
}

// Store appends a masked (mask may be nil) store and returns it.
func (b *Builder) Store(buf *Buffer, index, value, mask *Value) *Op {
	op := &Op{Kind: Store, Buffer: buf, Args: appendMask([]*Value{index, value}, mask)}
	b.Do(op)
	return op
}

// SharedLoad appends a load of width elements from a shared array.
func (b *Builder) SharedLoad(s *Shared, index *Value, width int) *Value {
	v := b.Emit(&Op{Kind: SharedLoad, Shared: s, Args: []*Value{index}}, Vector(Register(s.Elem), width))
	v.Hint = s.Name
	return v
}

// SharedUniform appends a load of one element that is the same for all threads,
// which all arrive at it, so that the result is uniform.
func (b *Builder) SharedUniform(s *Shared, index *Value) *Value {
	v := b.SharedLoad(s, index, 1)
	v.Op.Uniform = true
	return v
}

// SharedStore appends a masked (mask may be nil) store to a shared array. Stores of one
// disjoint write set, a number above 0, write distinct elements, whichever threads execute
// them, so that no barrier is needed between them. It returns the store.
func (b *Builder) SharedStore(s *Shared, disjoint int, index, value, mask *Value) *Op {
	op := &Op{Kind: SharedStore, Shared: s, Disjoint: disjoint, Args: appendMask([]*Value{index, value}, mask)}
	b.Do(op)
	return op
}

// mask adds the mask of a load, which may be nil, and what it gives where that is false.
func (op *Op) mask(mask *Value, fill float64) {
	n := len(op.Args)
	if op.Args = appendMask(op.Args, mask); len(op.Args) > n {
		op.Fill = fill
	}
}

func appendMask(args []*Value, mask *Value) []*Value {
	if mask == nil {
		return args
	}
	if c, ok := ConstOf(mask); ok && c != 0 {
		return args
	}
	return append(args, mask)
}

// NewShared declares a shared array.
func (b *Builder) NewShared(name string, elem dtype.Type, n int) *Shared {
	s := &Shared{Name: name, Elem: elem, Len: n}
	b.Func.Shared = append(b.Func.Shared, s)
	return s
}

// Last is the op that was appended last to the block at hand, nil if there is none.
func (b *Builder) Last() *Op {
	if n := len(b.block.Ops); n > 0 {
		return b.block.Ops[n-1]
	}
	return nil
}
