package simt

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

var (
	boolT = Scalar(dtype.Bool)
	i32T  = Scalar(dtype.I32)
	u32T  = Scalar(dtype.U32)
	f32T  = Scalar(dtype.F32)
	f32x4 = Vector(dtype.F32, 4)
)

// fixture is a kernel to break: two buffers, a shared array, a word.
type fixture struct {
	*Builder
	in, out *Buffer
	tile    *Shared
}

func newFixture() *fixture {
	f := &fixture{Builder: NewBuilder("k", 32)}
	f.in = &Buffer{Name: "in", Elem: dtype.F32, Read: true}
	f.out = &Buffer{Name: "out", Elem: dtype.F16, Write: true}
	f.Func.Buffers = []*Buffer{f.in, f.out}
	f.Func.Words = []Word{{Name: "n", Elem: dtype.I32}}
	f.tile = f.NewShared("tile", dtype.F32, 64)
	f.SetLine("kernel.go:7")
	return f
}

func (f *fixture) thread() *Value { return f.Emit(&Op{Kind: ThreadID}, i32T) }

// barrier is a way of a branch in which threads meet.
func (f *fixture) barrier() []*Value {
	f.Do(&Op{Kind: Barrier})
	return nil
}

func (f *fixture) float() *Value { return f.Load(f.in, f.thread(), nil, 1, 0) }

func (f *fixture) emit(kind Kind, t Type, args ...*Value) *Value {
	return f.Emit(&Op{Kind: kind, Args: args}, t)
}

// mma appends a product of given types of the sums and of the result.
func (f *fixture) mma(e dtype.Type, sums, result Type) {
	words := f.Const(Vector(dtype.U32, 4), 0)
	f.Emit(&Op{Kind: MMA, Elem: e, Args: []*Value{words, f.Const(Vector(dtype.U32, 2), 0), f.Const(sums, 0)}}, result)
}

// group appends a product of a warpgroup of given sums.
func (f *fixture) group(e dtype.Type, sums Type) {
	halves := f.NewShared("halves", dtype.F16, 4096)
	x := f.MatrixPlace(halves, f.Int(0), false, 64)
	f.GroupMMA(e, [][2]*Value{{x, x}}, []*Value{f.Const(sums, 0)})
}

// copy appends an asynchronous copy of n elements.
func (f *fixture) copy(from *Buffer, n int, args ...*Value) {
	f.Do(&Op{Kind: CopyAsync, Shared: f.tile, Buffer: from, Count: n, Args: args})
}

// brokenRow breaks a rule of the verifier.
type brokenRow struct {
	what string
	make func(f *fixture)
	want string
}

// broken breaks one rule of the verifier in each row; with those of other files, every check has one.
var broken = []brokenRow{
	{"unknown kind", func(f *fixture) { f.emit(NumKinds, i32T) }, "no such op"},
	{"invalid kind", func(f *fixture) { f.emit(Invalid, i32T) }, "no such op"},
	{"too few operands", func(f *fixture) { f.emit(Add, i32T, f.thread()) }, "1 operands, want 2"},
	{"no result", func(f *fixture) { f.Do(&Op{Kind: Neg, Args: []*Value{f.float()}}) }, "0 results, want 1"},
	{"result of a barrier", func(f *fixture) { f.emit(Barrier, i32T) }, "1 results, want 0"},
	{"math on integers", func(f *fixture) { f.emit(Exp, i32T, f.thread()) }, "operand is i32"},
	{"high product of i32", func(f *fixture) { x := f.Int(1); f.emit(MulHi, x.Type, x, x) }, "operand is i32"},
	{"remainder of floats", func(f *fixture) { x := f.float(); f.emit(Rem, f32T, x, x) }, "operand is f32"},
	{"negative unsigned", func(f *fixture) { f.emit(Neg, u32T, f.Const(u32T, 1)) }, "operand is u32"},
	{"sum of truths", func(f *fixture) { x := f.Const(boolT, 1); f.emit(Add, boolT, x, x) }, "operand is bool"},
	{"mixed operands", func(f *fixture) { f.emit(Add, f32T, f.float(), f.thread()) }, "operands are f32 and i32"},
	{"mixed widths", func(f *fixture) { f.emit(Add, f32x4, f.Const(f32x4, 1), f.float()) }, "operands are f32x4 and f32"},
	{"wrong result", func(f *fixture) { x := f.float(); f.emit(Add, i32T, x, x) }, "result is i32, want f32"},
	{"comparison as number", func(f *fixture) { x := f.float(); f.emit(Lt, f32T, x, x) }, "result is f32, want bool"},
	{"conversion to another width", func(f *fixture) { f.emit(Convert, Vector(dtype.I32, 4), f.float()) }, "want i32"},
	{"memory type in a register", func(f *fixture) { f.emit(Convert, Scalar(dtype.F16), f.float()) }, "no register holds"},
	{"width 3", func(f *fixture) { f.emit(Splat, Vector(dtype.F32, 3), f.float()) }, "no register holds"},
	{"bits of a truth", func(f *fixture) { f.emit(Bitcast, i32T, f.Const(boolT, 1)) }, "bits of bool"},
	{"rounding to f32", func(f *fixture) { f.emit(Round16, f32T, f.float()) }, "rounds to"},
	{"rounding of f64", func(f *fixture) {
		f.Emit(&Op{Kind: Round16, Elem: dtype.F16, Args: []*Value{f.Const(Scalar(dtype.F64), 1)}}, Scalar(dtype.F64))
	}, "rounds f64"},
	{"scalar condition for a vector", func(f *fixture) {
		x := f.Const(f32x4, 1)
		f.emit(Select, f32x4, f.Binary(Lt, f.float(), f.float()), x, x)
	}, "condition is bool for f32x4"},
	{"splat of another type", func(f *fixture) { f.emit(Splat, f32x4, f.thread()) }, "splat of i32"},
	{"lane out of range", func(f *fixture) {
		f.Emit(&Op{Kind: Extract, Args: []*Value{f.Load(f.in, f.thread(), nil, 4, 0)}, Lane: 4}, f32T)
	}, "lane 4"},
	{"too few lanes", func(f *fixture) { f.emit(Compose, f32x4, f.float(), f.float()) }, "2 operands for f32x4"},
	{"lane of another type", func(f *fixture) { f.emit(Compose, Vector(dtype.F32, 2), f.float(), f.thread()) }, "operand is i32"},
	{"axis of the grid", func(f *fixture) { f.Emit(&Op{Kind: WorkgroupID, Axis: 3}, i32T) }, "axis 3"},
	{"float thread", func(f *fixture) { f.emit(ThreadID, f32T) }, "result is f32"},
	{"no such word", func(f *fixture) { f.Emit(&Op{Kind: Param, Word: 1}, i32T) }, "word 1"},
	{"word of another type", func(f *fixture) { f.Emit(&Op{Kind: Param}, f32T) }, "word 0"},
	{"float index", func(f *fixture) { x := f.float(); f.Load(f.in, x, nil, 1, 0) }, "index is f32"},
	{"vector mask", func(f *fixture) {
		f.Load(f.in, f.thread(), f.emit(Splat, Vector(dtype.Bool, 4), f.Binary(Lt, f.thread(), f.thread())), 4, 0)
	}, "mask is boolx4"},
	{"load of an output", func(f *fixture) { f.Load(f.out, f.thread(), nil, 1, 0) }, "not for this access"},
	{"store to an input", func(f *fixture) { f.Store(f.in, f.thread(), f.float(), nil) }, "not for this access"},
	{"store of another type", func(f *fixture) { f.Store(f.out, f.thread(), f.thread(), nil) }, "value is i32, memory holds f16"},
	{"bits of a float of 32 bits", func(f *fixture) { f.LoadBits(&Buffer{Name: "y", Elem: dtype.F32, Read: true}, f.thread(), nil, 0) }, "value is u32, memory holds f32"},
	{"bits of an integer", func(f *fixture) { f.LoadBits(&Buffer{Name: "y", Elem: dtype.I16, Read: true}, f.thread(), nil, 0) }, "value is u32, memory holds i16"},
	{"store without a value", func(f *fixture) { f.Do(&Op{Kind: Store, Buffer: f.out, Args: []*Value{f.thread()}}) }, "1 operands"},
	{"no shared array", func(f *fixture) { f.emit(SharedLoad, f32T, f.thread()) }, "no shared array"},
	{"buffer of another kernel", func(f *fixture) { f.Load(&Buffer{Elem: dtype.F32, Read: true}, f.thread(), nil, 1, 0) }, "memory of another kernel"},
	{"shared array of another kernel", func(f *fixture) { f.SharedLoad(&Shared{Elem: dtype.F32}, f.thread(), 1) }, "memory of another kernel"},
	{"integer condition", func(f *fixture) { f.If(f.thread(), func() {}) }, "condition is i32"},
	{"condition without a body", func(f *fixture) { f.Do(&Op{Kind: If, Args: []*Value{f.Binary(Lt, f.thread(), f.thread())}}) }, "no body"},
	{"barrier under a condition", func(f *fixture) {
		f.If(f.Binary(Lt, f.thread(), f.Int(3)), func() { f.Do(&Op{Kind: Barrier}) })
	}, "may differ between threads"},
	{"barrier in a loop under a condition", func(f *fixture) {
		f.If(f.Binary(Lt, f.thread(), f.Int(3)), func() {
			f.For(f.Int(0), f.Int(3), f.Int(1), nil, false, func(*Value, []*Value) []*Value {
				f.Do(&Op{Kind: Barrier})
				return nil
			})
		})
	}, "may differ between threads"},
	{"shuffle under a condition", func(f *fixture) {
		x := f.float()
		f.If(f.Binary(Lt, f.thread(), f.Int(3)), func() { f.Emit(&Op{Kind: ShuffleXor, LaneMask: 1, Args: []*Value{x}}, f32T) })
	}, "may differ between threads"},
	{"product of i32", func(f *fixture) { f.mma(dtype.I32, f32x4, f32x4) }, "no products of i32"},
	{"product summed in i32", func(f *fixture) { f.mma(dtype.F16, Vector(dtype.I32, 4), Vector(dtype.I32, 4)) }, "matrices are"},
	{"product to another type", func(f *fixture) { f.mma(dtype.F16, f32x4, Vector(dtype.I32, 4)) }, "matrices are"},
	{"product in half a warp", func(f *fixture) { f.Func.Threads = 16; f.mma(dtype.F16, f32x4, f32x4) }, "32 threads execute it together, the workgroup has 16"},
	{"product under a condition", func(f *fixture) {
		f.If(f.Binary(Lt, f.thread(), f.Int(3)), func() { f.mma(dtype.F16, f32x4, f32x4) })
	}, "may differ between threads"},
	{"matrix of floats", func(f *fixture) { f.Emit(&Op{Kind: LoadMatrix, Shared: f.tile, Args: []*Value{f.thread()}}, f32x4) }, "rows are f32x4"},
	{"matrix of no array", func(f *fixture) { f.Emit(&Op{Kind: LoadMatrix, Args: []*Value{f.thread()}}, u32T) }, "no shared array"},
	{"matrix at a float", func(f *fixture) { x := f.float(); f.LoadMatrix(f.tile, x, 4, false) }, "index is f32"},
	{"transposed matrix of f32", func(f *fixture) { f.LoadMatrix(f.tile, f.thread(), 4, true) }, "transposition of f32"},
	{"matrix stored of floats", func(f *fixture) { f.StoreMatrix(f.tile, 0, f.thread(), f.float(), false) }, "rows of f32 are f32"},
	{"matrix stored nowhere", func(f *fixture) { f.Do(&Op{Kind: StoreMatrix, Args: []*Value{f.thread(), f.Const(u32T, 0)}}) }, "no shared array"},
	{"matrix stored by half a warp", func(f *fixture) {
		f.Func.Threads = 16
		f.StoreMatrix(f.NewShared("halves", dtype.F16, 256), 0, f.thread(), f.Const(u32T, 0), false)
	}, "32 threads execute it together, the workgroup has 16"},
	{"matrix stored under a condition", func(f *fixture) {
		f.If(f.Binary(Lt, f.thread(), f.Int(3)), func() {
			f.StoreMatrix(f.NewShared("halves", dtype.F16, 256), 0, f.thread(), f.Const(u32T, 0), false)
		})
	}, "may differ between threads"},
	{"copy of 2 elements more than 16 bytes", func(f *fixture) { f.copy(f.in, 6, f.thread(), f.thread()) }, "copies 24 bytes"},
	{"copy of another type", func(f *fixture) { f.copy(&Buffer{Elem: dtype.I32, Read: true}, 4, f.thread(), f.thread()) }, "no buffer that is only read and holds f32"},
	{"copy to a float", func(f *fixture) { x := f.float(); f.copy(f.in, 4, f.thread(), x) }, "index is f32"},
	{"copy from nowhere", func(f *fixture) { f.copy(f.in, 4, f.thread()) }, "1 operands of a copy"},
	{"copy to no array", func(f *fixture) { f.Do(&Op{Kind: CopyAsync, Buffer: f.in, Args: []*Value{f.thread(), f.thread()}}) }, "no shared array"},
	{"wait for less than nothing", func(f *fixture) { f.Do(&Op{Kind: CopyWait, Pending: -1}) }, "waits for all but -1"},
	{"group's product of i32", func(f *fixture) { f.group(dtype.I32, f32x4) }, "results of products of i32"},
	{"group's product summed in i32", func(f *fixture) { f.group(dtype.F16, Vector(dtype.I32, 4)) }, "part 0 of the sums is i32x4"},
	{"group's product of words", func(f *fixture) {
		x := f.Const(Vector(dtype.U64, 1), 0)
		f.GroupMMA(dtype.F16, [][2]*Value{{x, x}}, []*Value{f.Const(f32x4, 0)})
	}, "an operand is not a matrix of f16"},
	{"group waits for less than nothing", func(f *fixture) { f.GroupWait(-1, []*Value{f.Const(f32x4, 0)}) }, "a wait for 1 of 1 accumulators and all but -1 products"},
	{"a sum that no group waited for", func(f *fixture) {
		f.Func.Threads = WarpgroupMMA.Threads
		x := f.MatrixPlace(f.NewShared("halves", dtype.F16, 4096), f.Int(0), false, 64)
		f.Store(f.out, f.thread(), f.Extract(f.GroupMMA(dtype.F16, [][2]*Value{{x, x}}, []*Value{f.Const(f32x4, 0)})[0], 0), nil)
	}, "an accumulator of an outstanding product"},
	{"group waits for a constant", func(f *fixture) { f.GroupWait(0, []*Value{f.Const(f32x4, 0)}) }, "part 0 is not an accumulator of a product"},
	{"group of parts for more matrices than there are parts", func(f *fixture) {
		x := f.MatrixPlace(f.NewShared("halves", dtype.F16, 4096), f.Int(0), false, 64)
		f.GroupMMAs(dtype.F16, 2, [][2]*Value{{x, x}}, []*Value{f.Const(f32x4, 0)})
	}, "1 products and 1 parts for 2 matrices"},
	{"group of one warp", func(f *fixture) { f.group(dtype.F16, f32x4) }, "128 threads execute it together, the workgroup has 32"},
	{"lines of f32 across the sums of a group", func(f *fixture) { f.MatrixPlace(f.tile, f.thread(), true, 0) }, "place of f32 with lines 0 apart"},
	{"place in no array", func(f *fixture) { f.emit(MatrixPlace, Scalar(dtype.U64), f.thread()) }, "no shared array"},
	{"words of a shared load", func(f *fixture) {
		f.Emit(&Op{Kind: SharedLoad, Shared: f.tile, Args: []*Value{f.thread()}, Packed: true}, u32T)
	}, "memory is not packed so"},
	{"words of an atomic op", func(f *fixture) {
		f.out.Read = true
		f.Atomic(RMWAdd, f.out, f.thread(), nil, 0, f.float()).Op.Packed = true
	}, "it has an attribute Packed"},
	{"shuffle beyond a subgroup", func(f *fixture) { f.Emit(&Op{Kind: ShuffleXor, LaneMask: 128, Args: []*Value{f.float()}}, f32T) }, "mask of lanes"},
	{"shuffle to another type", func(f *fixture) { f.Emit(&Op{Kind: ShuffleXor, LaneMask: 1, Args: []*Value{f.float()}}, i32T) }, "result is i32"},
	{"words of floats", func(f *fixture) { f.LoadWords(f.in, f.thread(), nil, 4, 0) }, "not packed so"},
	{"floats as words", func(f *fixture) { f.StoreWords(f.out, f.thread(), f.float(), nil) }, "words are f32"},
	{"words unpacked to a type that fills them", func(f *fixture) {
		f.Emit(&Op{Kind: Unpack, Args: []*Value{f.Const(Scalar(dtype.U32), 0)}, Elem: dtype.F32}, f32T)
	}, "do not hold f32"},
	{"pairs of another type", func(f *fixture) {
		w := f.Const(Scalar(dtype.U32), 0)
		f.PairFMA(dtype.F32, w, w, w)
	}, "pairs of f32, want f16 or bf16"},
	{"pairs in a vector", func(f *fixture) {
		w := f.Const(Vector(dtype.U32, 2), 0)
		f.PairFMA(dtype.F16, w, w, w)
	}, "u32x2 holds no pair, want u32"},
	{"bytes of a vector", func(f *fixture) {
		w := f.Const(Vector(dtype.U32, 2), 0)
		f.PickBytes(w, w, w)
	}, "bytes of u32x2, want u32"},
	{"bits of a vector", func(f *fixture) {
		w := f.Const(Vector(dtype.U32, 2), 0)
		f.AndXor(w, w, w)
	}, "bytes of u32x2, want u32"},
	{"words of another type", func(f *fixture) { f.Unpack(f.thread(), dtype.F16) }, "f32x2 in i32 as f16"},
	{"integers packed as floats", func(f *fixture) {
		f.Pack(f.Const(Vector(dtype.U32, 4), 0), dtype.BF16)
	}, "as bf16"},
	{"elements of too many words", func(f *fixture) { f.Unpack(f.Const(Vector(dtype.U32, 4), 0), dtype.F16) }, "no register holds"},
	{"atomic on an input", func(f *fixture) { f.Atomic(RMWAdd, f.in, f.thread(), nil, 0, f.float()) }, "not for this access"},
	{"atomic on halves", func(f *fixture) {
		f.out.Read = true
		f.Atomic(RMWAdd, f.out, f.thread(), nil, 0, f.float())
	}, "add on a buffer of f16"},
	{"atomic maximum of floats", func(f *fixture) {
		f.in.Write = true
		f.Atomic(RMWMax, f.in, f.thread(), nil, 0, f.float())
	}, "max on a buffer of f32"},
	{"atomic that orders floats", func(f *fixture) {
		f.in.Write = true
		f.Atomic(RMWAdd, f.in, f.thread(), nil, 0, f.float()).Op.Order = Acquire
	}, "order acquire of an atomic op on f32"},
	{"atomic without a value", func(f *fixture) {
		f.in.Write = true
		f.Emit(&Op{Kind: Atomic, Buffer: f.in, Args: []*Value{f.thread()}}, f32T)
	}, "1 operands"},
	{"shared atomic on halves", func(f *fixture) {
		f.tile.Elem = dtype.F16
		f.SharedAtomic(RMWAdd, f.tile, 1, f.thread(), f.float(), nil)
	}, "add on a shared array of f16"},
	{"shared atomic maximum of floats", func(f *fixture) { f.SharedAtomic(RMWMax, f.tile, 1, f.thread(), f.float(), nil) }, "max on a shared array of f32"},
	{"shared atomic exchange", func(f *fixture) {
		f.tile.Elem = dtype.I32
		f.SharedAtomic(RMWExchange, f.tile, 1, f.thread(), f.thread(), nil)
	}, "exchange on a shared array of i32"},
	{"shared atomic on a vector", func(f *fixture) {
		f.SharedAtomic(RMWAdd, f.tile, 1, f.thread(), f.Const(f32x4, 0), nil)
	}, "value is f32x4 for a shared atomic op"},
	{"shared atomic without an array", func(f *fixture) { f.SharedAtomic(RMWAdd, nil, 1, f.thread(), f.float(), nil) }, "no shared array"},
	{"ranks without an array", func(f *fixture) { f.SharedRank(nil, 1, f.thread(), 8) }, "no shared array"},
	{"ranks by counts of floats", func(f *fixture) { f.SharedRank(f.tile, 1, f.thread(), 8) }, "in a shared array of f32, want i32"},
	{"ranks by no bits", func(f *fixture) {
		f.tile.Elem = dtype.I32
		f.SharedRank(f.tile, 1, f.thread(), 0)
	}, "indices differ in 0 bits"},
	{"ranks by a float", func(f *fixture) {
		f.tile.Elem = dtype.I32
		f.SharedRank(f.tile, 1, f.float(), 8)
	}, "index is f32"},
	{"ballot of numbers", func(f *fixture) { f.emit(Ballot, u32T, f.thread()) }, "condition is i32"},
	{"ballot to an integer", func(f *fixture) { f.emit(Ballot, i32T, f.Const(boolT, 1)) }, "result is i32, not u32"},
	{"a branch on the thread", func(f *fixture) {
		f.Branch(f.Binary(Lt, f.thread(), f.Int(3)), f.barrier, func() []*Value { return nil })
	}, "may differ between threads"},
	{"a branch on what was carried", func(f *fixture) {
		out := f.For(f.Int(0), f.Int(9), f.Int(1), []*Value{f.Int(0)}, false, func(_ *Value, now []*Value) []*Value {
			return []*Value{f.Binary(Add, now[0], f.thread())}
		})
		f.Branch(f.Binary(Lt, out[0], f.Int(3)), f.barrier, func() []*Value { return nil })
	}, "may differ between threads"},
	{"a branch on shared memory", func(f *fixture) {
		x := f.SharedLoad(f.tile, f.Int(0), 1)
		f.Branch(f.Binary(Lt, x, x), f.barrier, func() []*Value { return nil })
	}, "may differ between threads"},
	{"a branch under a condition", func(f *fixture) {
		n := f.Emit(&Op{Kind: Param}, i32T)
		f.If(f.Binary(Lt, f.thread(), f.Int(3)), func() {
			f.Branch(f.Binary(Lt, n, f.Int(3)), func() []*Value { return nil }, func() []*Value { return nil })
		})
	}, "may differ between threads"},
	{"barrier in a loop of the thread's length", func(f *fixture) {
		f.For(f.Int(0), f.thread(), f.Int(1), nil, false, func(*Value, []*Value) []*Value {
			f.Do(&Op{Kind: Barrier})
			return nil
		})
	}, "may differ between threads"},
	{"a branch of two types", func(f *fixture) {
		n, x := f.Emit(&Op{Kind: Param}, i32T), f.float()
		f.Branch(f.Binary(Lt, n, f.Int(3)), func() []*Value { return []*Value{n} }, func() []*Value { return []*Value{x} })
	}, "changes its type"},
	{"a while without a break", func(f *fixture) {
		f.While(nil, func([]*Value) []*Value { return nil })
	}, "malformed loop"},
	{"a break elsewhere", func(f *fixture) { f.Break(f.Const(boolT, 1)) }, "not in the body of a while"},
	{"a while that yields too little", func(f *fixture) {
		f.While([]*Value{f.Int(1)}, func(now []*Value) []*Value { f.Break(f.Const(boolT, 1)); return nil })
	}, "does not yield 1"},
	{"use before definition", func(f *fixture) { f.Unary(Exp, f.NewValue(f32T, "")) }, "not defined here"},
	{"no operand", func(f *fixture) { f.Do(&Op{Kind: Exit, Args: []*Value{nil}}) }, "operand is missing"},
	{"use out of scope", func(f *fixture) {
		var inner *Value
		f.If(f.Binary(Lt, f.thread(), f.Int(3)), func() { inner = f.float() })
		f.Unary(Exp, inner)
	}, "not defined here"},
	{"loop index out of scope", func(f *fixture) {
		var index *Value
		f.For(f.Int(0), f.Int(3), f.Int(1), nil, false, func(i *Value, _ []*Value) []*Value { index = i; return nil })
		f.Binary(Add, index, f.thread())
	}, "not defined here"},
	{"float bound", func(f *fixture) {
		f.For(f.Int(0), f.float(), f.Int(1), nil, false, func(*Value, []*Value) []*Value { return nil })
	}, "bound is f32"},
	{"missing carried value", func(f *fixture) {
		f.For(f.Int(0), f.Int(3), f.Int(1), []*Value{f.float()}, false, func(*Value, []*Value) []*Value { return nil })
	}, "does not yield 1 values"},
	{"carried value of another type", func(f *fixture) {
		f.For(f.Int(0), f.Int(3), f.Int(1), []*Value{f.float()}, false, func(i *Value, _ []*Value) []*Value { return []*Value{i} })
	}, "carried value 0 changes its type"},
	{"loop without a body", func(f *fixture) { f.Do(&Op{Kind: For, Args: []*Value{f.Int(0), f.Int(1), f.Int(1)}}) }, "malformed loop"},
	{"an exit in a loop of the thread's length", func(f *fixture) {
		n := f.Emit(&Op{Kind: Param}, i32T)
		f.For(f.Int(0), f.thread(), f.Int(1), nil, false, func(*Value, []*Value) []*Value {
			f.Do(&Op{Kind: Exit, Args: []*Value{f.Binary(Lt, n, f.Int(3))}})
			return nil
		})
	}, "may differ between threads"},
	{"a barrier of one array", func(f *fixture) { f.Do(&Op{Kind: Barrier, Shared: f.tile}) }, "it has an attribute Shared"},
	{"a truth of 2", func(f *fixture) { f.Const(boolT, 2).Op.Line = "kernel.go:7" }, "2 is not a number of bool"},
	{"half an integer", func(f *fixture) { f.Const(i32T, 0.5).Op.Line = "kernel.go:7" }, "0.5 is not a number of i32"},
	{"an integer beyond 32 bits", func(f *fixture) { f.Const(i32T, 1<<31).Op.Line = "kernel.go:7" }, "2.147483648e+09 is not a number of i32"},
	{"a negative unsigned constant", func(f *fixture) { f.Const(u32T, -1).Op.Line = "kernel.go:7" }, "-1 is not a number of u32"},
	{"an infinite integer in place of a load", func(f *fixture) {
		f.Func.Buffers[0].Elem = dtype.I32
		f.Load(f.in, f.thread(), f.Binary(Lt, f.thread(), f.thread()), 1, math.Inf(1))
	}, "+Inf is not a number of i32"},
	{"a value of two ops", func(f *fixture) { f.Do(&Op{Kind: ThreadID, Out: []*Value{f.thread()}}) }, "another op's"},
	{"an op in two places", func(f *fixture) { f.Do(f.thread().Op) }, "another op's"},
	{"a body of an addition", func(f *fixture) { f.thread().Op.Body = &Block{} }, "a body that it does not take"},
	{"another way of a loop", func(f *fixture) {
		f.For(f.Int(0), f.Int(3), f.Int(1), []*Value{f.Int(1)}, false, func(_ *Value, c []*Value) []*Value { return c })[0].Op.Else = &Block{}
	}, "a body that it does not take"},
	{"a body in two places", func(f *fixture) {
		n := f.Emit(&Op{Kind: Param}, i32T)
		x := f.Branch(f.Binary(Lt, n, f.Int(3)), func() []*Value { return []*Value{n} }, func() []*Value { return []*Value{n} })[0]
		x.Op.Else = x.Op.Body
	}, "two places"},
	{"an argument of two bodies", func(f *fixture) {
		x := f.For(f.Int(0), f.Int(3), f.Int(1), []*Value{f.Int(1)}, false, func(_ *Value, c []*Value) []*Value { return c })[0]
		x.Op.Body.Args[1] = x.Op.Body.Args[0]
	}, "argument of a body"},
	{"a hole in a body", func(f *fixture) {
		f.If(f.Binary(Lt, f.thread(), f.Int(3)), func() { f.Do(&Op{Kind: Barrier}) })
		f.Func.Body.Ops[len(f.Func.Body.Ops)-1].Body.Ops[0] = nil
	}, "op of a body is missing"},
	{"a loop that counts in floats", func(f *fixture) {
		x := f.For(f.Int(0), f.Int(3), f.Int(1), []*Value{f.Int(1)}, false, func(_ *Value, c []*Value) []*Value { return c })[0]
		x.Op.Body.Args[0].Type = f32T
	}, "counts in f32"},
	{"a branch of one way", func(f *fixture) {
		n := f.Emit(&Op{Kind: Param}, i32T)
		f.Do(&Op{Kind: Branch, Args: []*Value{f.Binary(Lt, n, f.Int(3))}, Body: &Block{}})
	}, "1 bodies"},
	{"a branch into nothing", func(f *fixture) {
		n := f.Emit(&Op{Kind: Param}, i32T)
		f.Do(&Op{Kind: Branch, Args: []*Value{f.Binary(Lt, n, f.Int(3))}, Body: &Block{}, Else: &Block{}})
	}, "malformed body"},
	{"an atomic op that returns another type", func(f *fixture) {
		f.in.Write = true
		f.Emit(&Op{Kind: Atomic, Buffer: f.in, Args: []*Value{f.thread(), f.float()}}, f32x4)
	}, "value is f32x4 for an atomic op"},
	{"yield outside a loop", func(f *fixture) { f.Do(&Op{Kind: Yield}) }, "not at the end of a loop"},
}

func TestVerifyErrors(t *testing.T) {
	for _, c := range slices.Concat(broken, brokenRoles, brokenClusters, brokenCooperative) {
		f := newFixture()
		c.make(f)
		err := Verify(f.Func)
		switch {
		case !errors.Is(err, fault.ErrKernel):
			t.Errorf("%s: %v", c.what, err)
		case !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "kernel.go:7"):
			t.Errorf("%s: error %q, want %q at kernel.go:7", c.what, err, c.want)
		}
	}
}

// brokenKernels breaks what is no op's.
var brokenKernels = map[string]func(k *Func){
	"clusters of 3 workgroups":               func(k *Func) { k.Cluster = 3 },
	"0 threads":                              func(k *Func) { k.Threads = 0 },
	"no ops, or arguments of them":           func(k *Func) { k.Body = nil },
	"buffer of invalid":                      func(k *Func) { k.Buffers[0].Elem = dtype.Invalid },
	"a buffer that is streamed and written":  func(k *Func) { k.Buffers[1].Streamed = true },
	"word of f16":                            func(k *Func) { k.Words[0].Elem = dtype.F16 },
	"size of u32, sizes are of i32":          func(k *Func) { k.Words[0] = Word{Name: "n", Elem: dtype.U32, Size: true} },
	"shared array of 0 elements of f32":      func(k *Func) { k.Shared[0].Len = 0 },
	"shared array of 64 elements of invalid": func(k *Func) { k.Shared[0].Elem = dtype.Invalid },
}

func TestVerifyDeclarations(t *testing.T) {
	for want, change := range everyBrokenKernel() {
		k := newFixture().Func
		change(k)
		if err := Verify(k); !errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestVerifyMaps(t *testing.T) {
	for want, change := range brokenMaps {
		f := newFixture()
		f.roles(nothing, nothing)
		if err := Verify(f.Func); err != nil {
			t.Fatal(err)
		}
		change(f.Func)
		if err := Verify(f.Func); !errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestVerifyThreads(t *testing.T) {
	for threads, good := range map[int]bool{0: false, -2: false, 1: true, 3: false, 96: false, 256: true} {
		f := newFixture()
		f.Func.Threads = threads
		if err := Verify(f.Func); (err == nil) != good {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}

// TestVerifyAccepts keeps the verifier from refusing what is well formed.
func TestVerifyAccepts(t *testing.T) {
	f := everything()
	// A branch on the thread, in which no threads meet.
	x := f.float()
	f.Branch(f.Binary(Lt, f.thread(), f.Int(3)), func() []*Value { return []*Value{f.Binary(Add, x, x)} }, func() []*Value { return []*Value{x} })
	if err := Verify(f.Func); err != nil {
		t.Fatal(err)
	}
}
