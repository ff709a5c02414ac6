package tile

import (
	"math"
	"runtime"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Builder collects the ops of one kernel. It keeps the first error, which Build returns;
// after an error the methods go on returning values, so that a kernel needs no error handling.
type Builder struct {
	kernel *Func
	region *Region // where ops are appended
	vars   []*Var  // loop-carried variables, in order of creation
	depth  int     // nesting of loops
	nextID int
	pos    Pos // of all ops, if it is set: those of an Editor
	grid   Pos // where the grid was declared
	split  splitting
	shares clusterShares
	err    error
}

// Build runs a description and verifies what it built. The error names the line of the description that is at fault: the
// innermost one outside of this library.
//
// An error of Go's runtime in the description, such as a nil value or an index out of range, is an ErrKernel with its line
// and its text. Other panics of a description are not recovered.
func Build(name string, describe func(k *Builder)) (*Func, error) {
	k := &Builder{kernel: &Func{Name: name, Body: &Region{}}}
	if describe == nil {
		return nil, fault.New(fault.ErrArgument, name, "the description is nil").For("describe").At(callerPos().String())
	}
	k.region = k.kernel.Body
	k.run(describe)
	k.finishSplit()
	k.finishClusters()
	k.complete()
	kernel := k.kernel
	k.kernel = &Func{Name: name, Body: &Region{}} // for ops that come too late
	k.region = k.kernel.Body
	if k.err != nil {
		return nil, k.err
	}
	if err := Verify(kernel); err != nil {
		return nil, err
	}
	return kernel, nil
}

// run calls a description. An error of Go's runtime in it, such as a nil value or an index out of range, is an error of the kernel;
// other panics are not recovered.
//
//go:noinline
func (k *Builder) run(describe func(k *Builder)) {
	defer func() {
		if r := recover(); r != nil {
			err, ok := r.(runtime.Error)
			if !ok {
				panic(r)
			}
			advice := ""
			if strings.Contains(err.Error(), "nil pointer") {
				if op := panickedOp(); op != "" {
					k.fail(fault.New(fault.ErrKernel, op, "a value, a view or a function that it takes is nil"))
					return
				}
				advice = "; a value, a view or a function is nil"
			}
			k.fail(fault.New(fault.ErrKernel, k.kernel.Name, "the description panicked: %v%s", err, advice)) // unless an earlier error is the cause
		}
	}()
	describe(k)
}

// fail keeps the first error, with the line of the caller outside this package.
func (k *Builder) fail(err error) {
	if k.err != nil {
		return
	}
	if e, ok := err.(*fault.Error); ok {
		if e.Pos == "" {
			e.Pos = callerPos().String()
		}
		if e.Op == "" {
			e.Op = calledOp()
		}
	}
	k.err = err
}

// failOp is fail for an error of an op that was appended, which then has the name by which the description called for it: "where" and not "select",
// "sum" and not "reduce.sum".
func (k *Builder) failOp(err error) {
	if e, ok := err.(*fault.Error); ok && k.err == nil && k.pos == (Pos{}) {
		if op := calledOp(); op != "" && op != e.Op {
			e.Op = op
		}
	}
	k.fail(err)
}

// Fail makes the description fail with ErrKernel, an op's name and a message, at the user's line that is being described. A
// function that consists of several ops calls it for operands that it does not take: the error of one of its ops would
// name one that the user never wrote. The first error of a description counts.
func (k *Builder) Fail(op, format string, args ...any) {
	k.fail(fault.New(fault.ErrKernel, op, format, args...))
}

// named calls a function that consists of several ops, whose errors then name one op.
func (k *Builder) named(op string, f func() *Value) *Value {
	before := k.err
	v := f()
	if e, ok := k.err.(*fault.Error); ok && before == nil {
		e.Op = op
	}
	return v
}

// owns reports whether v is a value of this kernel. If not, both kernels fail,
// since either may be the one that the caller means to build. op is the name that errors have, "" for that of the op that was called.
func (k *Builder) owns(op string, v *Value) bool {
	if v.b == k {
		return true
	}
	for _, b := range []*Builder{k, v.b} {
		b.fail(fault.New(fault.ErrKernel, op, "%v of kernel %s belongs to another kernel than %s", v, v.b.kernel.Name, k.kernel.Name))
	}
	return false
}

func (k *Builder) newValue(t Type, op *Op) *Value {
	v := &Value{id: k.nextID, typ: t, op: op, b: k}
	k.nextID++
	return v
}

// emit checks an op, appends it and returns its result. Invalid ops and ops
// on the results of invalid ops leave a value without a type.
func (k *Builder) emit(op *Op, want Type) *Value {
	if op.Pos = k.pos; op.Pos == (Pos{}) {
		op.Pos = callerPos()
	}
	for i, a := range op.Args {
		if a != nil && !k.owns("", a) {
			return k.newValue(Type{}, nil)
		}
		if a == nil || a.typ.Elem == dtype.Invalid {
			k.failOp(fault.New(fault.ErrKernel, op.Kind.String(), "the value is nil").For(op.argument(i))) // unless it is the result of an earlier error
			return k.newValue(Type{}, nil)
		}
	}
	t, err := op.Kind.Fact().rule(op, want)
	if err != nil {
		k.failOp(err)
		return k.newValue(Type{}, nil)
	}
	k.region.Ops = append(k.region.Ops, op)
	if t.Elem == dtype.Invalid {
		return nil
	}
	v := k.newValue(t, op)
	op.Out = []*Value{v}
	return v
}

// In declares a view that the kernel reads.
func (k *Builder) In(name string, elem dtype.Type, rank int) *View {
	return k.view(name, elem, rank, In)
}

// Out declares a view that the kernel writes as a whole: elements that no program stores to are undefined after a launch. The checking
// interpreter finds such elements. A view that keeps some of its elements is an InOut.
func (k *Builder) Out(name string, elem dtype.Type, rank int) *View {
	return k.view(name, elem, rank, Out)
}

// InOut declares a view that the kernel reads and writes, or writes in part.
func (k *Builder) InOut(name string, elem dtype.Type, rank int) *View {
	return k.view(name, elem, rank, InOut)
}

func (k *Builder) view(name string, elem dtype.Type, rank int, access Access) *View {
	v := &View{Name: name, Elem: elem, Rank: rank, Access: access, Index: len(k.kernel.Views), Pos: callerPos(), b: k}
	if rank < 1 || rank > 5 || !elem.Valid() {
		k.fail(fault.New(fault.ErrKernel, "view "+name, "rank %d of %v, want 1 to 5 dimensions of an element type", rank, elem))
	}
	k.checkName("view", name)
	k.kernel.Views = append(k.kernel.Views, v)
	return v
}

// Scalar declares a scalar parameter of type I32, U32 or F32 and returns its value.
func (k *Builder) Scalar(name string, elem dtype.Type) *Value {
	if elem.Size() != 4 {
		k.fail(fault.New(fault.ErrKernel, "scalar "+name, "%v, want i32, u32 or f32", elem))
	}
	k.checkName("scalar", name)
	s := &Scalar{Name: name, Elem: elem, Index: len(k.kernel.Scalars), Pos: callerPos()}
	k.kernel.Scalars = append(k.kernel.Scalars, s)
	return k.emit(&Op{Kind: OpArg, Scalar: s}, Type{})
}

// checkName checks that a parameter's name is valid in every language that is emitted.
func (k *Builder) checkName(what, name string) {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			name = ""
			break
		}
	}
	if name == "" {
		k.fail(fault.New(fault.ErrKernel, what, "the name is not valid, want a letter and then letters, digits and underscores"))
		return
	}
	for _, v := range k.kernel.Views {
		if v.Name == name {
			k.fail(fault.New(fault.ErrKernel, what+" "+name, "the name is declared twice"))
		}
	}
	for _, s := range k.kernel.Scalars {
		if s.Name == name {
			k.fail(fault.New(fault.ErrKernel, what+" "+name, "the name is declared twice"))
		}
	}
}

// Grid declares how many programs run, in up to three dimensions, as integers
// computed from the views' sizes, scalar parameters and numbers. It is
// called once, outside loops; TileID and ProgramTile call it.
func (k *Builder) Grid(dims ...Operand) {
	if len(dims) < 1 || len(dims) > 3 {
		k.fail(fault.New(fault.ErrKernel, "", "%s, want 1 to 3", fault.Count(len(dims), "dimension")))
		return
	}
	if k.depth > 0 {
		k.fail(fault.New(fault.ErrKernel, "", "the grid is declared within a loop or a branch"))
	}
	if k.grid != (Pos{}) {
		k.fail(fault.New(fault.ErrKernel, "", "the grid is declared at %v already; TileID and ProgramTile declare it, too", k.grid))
		return
	}
	k.grid = callerPos()
	for i, d := range dims {
		v := k.operandAt("dimension", i, d, dtype.I32)
		if v.typ.Elem != dtype.Invalid {
			if err := checkGrid(i, v); err != nil {
				k.failOp(err)
			}
		}
		k.kernel.Grid[i] = v
	}
}

// ProgramID is this program's coordinate along an axis of the grid.
func (k *Builder) ProgramID(axis int) *Value {
	return k.emit(&Op{Kind: OpProgramID, Axis: axis}, Type{})
}

// NumPrograms is the number of programs along an axis of the grid.
func (k *Builder) NumPrograms(axis int) *Value {
	return k.emit(&Op{Kind: OpNumPrograms, Axis: axis}, Type{})
}

// Int is a constant of type I32.
func (k *Builder) Int(x int) *Value { return k.constant(ScalarOf(dtype.I32), float64(x)) }

// Float is a constant of type F32, to which the number is rounded once.
func (k *Builder) Float(x Number) *Value { return k.Const(dtype.F32, x) }

// Const is a scalar constant. A float type rounds the number once, to nearest even; an integer type
// and Bool must hold it.
func (k *Builder) Const(elem dtype.Type, x Number) *Value {
	return k.number("const", ScalarOf(elem), x)
}

// Full is a tile of equal elements, rounded as by Const.
func (k *Builder) Full(elem dtype.Type, x Number, shape ...int) *Value {
	return k.number("full", TileOf(elem, shape...), x)
}

// constant is a constant that float64 holds, or rounds to as its type does.
func (k *Builder) constant(t Type, x float64) *Value {
	return k.emit(&Op{Kind: OpConst, Number: x}, t)
}

// Zeros is a tile of zeros.
func (k *Builder) Zeros(elem dtype.Type, shape ...int) *Value { return k.Full(elem, 0, shape...) }

// Inf is +infinity, for fills and constants.
var Inf = math.Inf(1)
