package simt

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// Builder appends ops to a kernel's blocks. It folds what is known: constants,
// neutral elements, lanes of composed vectors, and pure ops that compute what one before does.
type Builder struct {
	Func   *Func
	block  *Block
	nextID int
	line   string
	consts map[constKey]*Value // constants of the kernel's entry, shared by all uses
	known  Exprs               // of the block at hand and those around it
	ops    slab[cell]
	values slab[Value]
}

// cell is the memory of an op and of what most have: up to three operands and one result.
type cell struct {
	op   Op
	args [3]*Value
	out  [1]*Value
}

// slab allocates many objects at a time.
type slab[T any] struct {
	part []T
	used int
}

func (s *slab[T]) take() *T {
	if s.used == len(s.part) {
		s.part, s.used = make([]T, min(max(8, 2*len(s.part)), 64)), 0
	}
	s.used++
	return &s.part[s.used-1]
}

// giveBack frees what was taken last.
func (s *slab[T]) giveBack() {
	s.used--
	clear(s.part[s.used : s.used+1])
}

type constKey struct {
	t    Type
	bits uint64 // of the number: 0 and -0 are two constants
}

// NewBuilder starts a kernel with an empty body.
func NewBuilder(name string, threads int) *Builder {
	k := &Func{Name: name, Threads: threads, Body: &Block{}}
	return &Builder{Func: k, block: k.Body, consts: map[constKey]*Value{}}
}

// Edit returns a builder for a kernel that exists, for passes that add to it.
func Edit(k *Func) *Builder {
	b := &Builder{Func: k, block: k.Body, consts: map[constKey]*Value{}}
	for _, op := range k.Body.Ops {
		if op.Kind == Const {
			b.consts[constKey{op.Result().Type, math.Float64bits(op.Number)}] = op.Result()
		}
	}
	b.nextID = nextID(k.Body)
	return b
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
	if op.Kind.IsPure() {
		if same := b.known.Same(op); same != nil {
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
	return b.pure(Convert, Type{e, x.Type.Width}, x)
}

// ConstOf returns the number of a constant.
func ConstOf(v *Value) (x float64, ok bool) {
	if v.Op != nil && v.Op.Kind == Const {
		return v.Op.Number, true
	}
	return 0, false
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
	t := Type{x.Type.Elem, width}
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
	if x.Op != nil {
		switch x.Op.Kind {
		case Compose:
			return x.Op.Args[lane]
		case Splat:
			return x.Op.Args[0]
		case Const:
			return b.Const(Scalar(x.Type.Elem), x.Op.Number)
		}
	}
	c := b.ops.take()
	c.op.Kind, c.op.Lane = Extract, lane
	return b.emit(c, Scalar(x.Type.Elem), x)
}

// Compose makes a vector of scalars; one scalar is itself. Lanes that are one
// vector's lanes in order are that vector.
func (b *Builder) Compose(xs ...*Value) *Value {
	if len(xs) == 1 {
		return xs[0]
	}
	if v := wholeVector(xs); v != nil {
		return v
	}
	return b.pure(Compose, Type{xs[0].Type.Elem, len(xs)}, xs...)
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
	v := b.Emit(op, Type{Register(buf.Elem), width})
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
	v := b.Emit(&Op{Kind: SharedLoad, Shared: s, Args: []*Value{index}}, Type{Register(s.Elem), width})
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

// within appends to a block what body does.
func (b *Builder) within(block *Block, body func()) {
	outer, n := b.block, b.known.Enter()
	b.block = block
	body()
	b.block = outer
	b.known.Leave(n)
}

// For appends a loop; body gets the index and the carried values and returns
// the next ones. It returns the final ones.
func (b *Builder) For(lo, hi, step *Value, carried []*Value, unroll bool, body func(i *Value, carried []*Value) []*Value) []*Value {
	op := &Op{Kind: For, Args: append([]*Value{lo, hi, step}, carried...), Body: &Block{}, Unroll: unroll, Line: b.line}
	index := b.NewValue(Scalar(dtype.I32), "i")
	op.Body.Args = []*Value{index}
	for _, c := range carried {
		op.Body.Args = append(op.Body.Args, b.NewValue(c.Type, c.Hint))
	}
	b.within(op.Body, func() { b.Do(&Op{Kind: Yield, Args: body(index, op.Body.Args[1:])}) })
	for _, c := range carried {
		v := b.NewValue(c.Type, c.Hint)
		v.Op = op
		op.Out = append(op.Out, v)
	}
	b.Do(op)
	return op.Out
}

// If appends a condition without results.
func (b *Builder) If(cond *Value, body func()) {
	if c, ok := ConstOf(cond); ok {
		if c != 0 {
			body()
		}
		return
	}
	op := &Op{Kind: If, Args: []*Value{cond}, Body: &Block{}, Line: b.line}
	b.within(op.Body, body)
	b.Do(op)
}

// Branch appends a uniform condition; either way returns its values of the results.
func (b *Builder) Branch(cond *Value, then, otherwise func() []*Value) []*Value {
	if c, ok := ConstOf(cond); ok {
		if c != 0 {
			return then()
		}
		return otherwise()
	}
	op := &Op{Kind: Branch, Args: []*Value{cond}, Line: b.line}
	var types []*Value
	for i, way := range []func() []*Value{then, otherwise} {
		block := &Block{}
		b.within(block, func() {
			types = way()
			b.Do(&Op{Kind: Yield, Args: types})
		})
		if i == 0 {
			op.Body = block
		} else {
			op.Else = block
		}
	}
	for _, v := range types {
		out := b.NewValue(v.Type, v.Hint)
		out.Op = op
		op.Out = append(op.Out, out)
	}
	b.Do(op)
	return op.Out
}

// While appends a loop; body gets the carried values, calls Break once and
// returns the next ones. It returns those that the body got when it broke off.
func (b *Builder) While(carried []*Value, body func(carried []*Value) []*Value) []*Value {
	op := &Op{Kind: While, Args: carried, Body: &Block{}, Line: b.line}
	for _, c := range carried {
		op.Body.Args = append(op.Body.Args, b.NewValue(c.Type, c.Hint))
		out := b.NewValue(c.Type, c.Hint)
		out.Op = op
		op.Out = append(op.Out, out)
	}
	b.within(op.Body, func() { b.Do(&Op{Kind: Yield, Args: body(op.Body.Args)}) })
	b.Do(op)
	return op.Out
}

// Break leaves the While at hand if cond holds.
func (b *Builder) Break(cond *Value) { b.Do(&Op{Kind: Break, Args: []*Value{cond}}) }
