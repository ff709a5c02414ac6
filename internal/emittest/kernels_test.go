package emittest

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Shorthands for the hand-built kernels.

func input(name string, e dtype.Type) *simt.Buffer {
	return &simt.Buffer{Name: name, Elem: e, Read: true}
}

func output(name string, e dtype.Type) *simt.Buffer {
	return &simt.Buffer{Name: name, Elem: e, Write: true}
}

func thread(b *simt.Builder) *simt.Value {
	return b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
}

func group(b *simt.Builder, axis int) *simt.Value {
	return b.Emit(&simt.Op{Kind: simt.WorkgroupID, Axis: axis}, simt.Scalar(dtype.I32))
}

// param is a launch parameter, declared at its first use.
func param(b *simt.Builder, name string, e dtype.Type) *simt.Value {
	for i, w := range b.Func.Words {
		if w.Name == name {
			return b.Emit(&simt.Op{Kind: simt.Param, Word: i}, simt.Scalar(e))
		}
	}
	b.Func.Words = append(b.Func.Words, simt.Word{Name: name, Elem: e})
	return b.Emit(&simt.Op{Kind: simt.Param, Word: len(b.Func.Words) - 1}, simt.Scalar(e))
}

func barrier(b *simt.Builder) { b.Do(&simt.Op{Kind: simt.Barrier}) }

func start(name string, threads int, buffers ...*simt.Buffer) *simt.Builder {
	b := simt.NewBuilder(name, threads)
	b.Func.Buffers = buffers
	return b
}

// addKernel adds vectors four elements a thread.
func addKernel() *simt.Func {
	x, y, z := input("x", dtype.F32), input("y", dtype.F32), output("z", dtype.F32)
	b := start("add", 256, x, y, z)
	b.SetLine("add.go:12")
	at := b.Binary(simt.Mul, b.Binary(simt.Add, b.Binary(simt.Mul, group(b, 0), b.Int(256)), thread(b)), b.Int(4))
	inside := b.Binary(simt.Lt, at, param(b, "n", dtype.I32))
	p := b.Load(x, at, inside, 4, 0)
	b.SetLine("add.go:13")
	q := b.Load(y, at, inside, 4, 0)
	b.SetLine("add.go:14")
	b.Store(z, at, b.Binary(simt.Add, p, q), inside)
	return b.Func
}

// matmulKernel multiplies with a 16x16 block a workgroup, 2x1 elements a thread.
func matmulKernel() *simt.Func {
	x, w, y := input("a", dtype.F32), input("b", dtype.F32), output("c", dtype.F32)
	b := start("matmul", 128, x, w, y)
	tileA, tileB := b.NewShared("tile_a", dtype.F32, 256), b.NewShared("tile_b", dtype.F32, 256)
	m, n, k := param(b, "m", dtype.I32), param(b, "n", dtype.I32), param(b, "k", dtype.I32)
	b.SetLine("matmul.go:20")
	t := thread(b)
	row, col := b.Binary(simt.Shr, t, b.Int(4)), b.Binary(simt.And, t, b.Int(15))
	row.Hint, col.Hint = "row", "col"
	row0 := b.Binary(simt.Mul, group(b, 1), b.Int(16))
	col0 := b.Binary(simt.Add, b.Binary(simt.Mul, group(b, 0), b.Int(16)), col)
	zero := b.Const(simt.Scalar(dtype.F32), 0)
	zero.Hint = "acc"
	accs := b.For(b.Int(0), k, b.Int(16), []*simt.Value{zero, zero}, false, func(k0 *simt.Value, accs []*simt.Value) []*simt.Value {
		b.SetLine("matmul.go:22")
		for i := range 2 {
			r := b.Binary(simt.Add, row, b.Int(8*i))
			gr := b.Binary(simt.Add, row0, r)
			ok := b.Binary(simt.And, b.Binary(simt.Lt, gr, m), b.Binary(simt.Lt, b.Binary(simt.Add, k0, col), k))
			v := b.Load(x, b.Binary(simt.Add, b.Binary(simt.Mul, gr, k), b.Binary(simt.Add, k0, col)), ok, 1, 0)
			b.SharedStore(tileA, 0, b.Binary(simt.Add, b.Binary(simt.Mul, r, b.Int(16)), col), v, nil)
		}
		b.SetLine("matmul.go:23")
		for i := range 2 {
			r := b.Binary(simt.Add, row, b.Int(8*i))
			kr := b.Binary(simt.Add, k0, r)
			ok := b.Binary(simt.And, b.Binary(simt.Lt, kr, k), b.Binary(simt.Lt, col0, n))
			v := b.Load(w, b.Binary(simt.Add, b.Binary(simt.Mul, kr, n), col0), ok, 1, 0)
			b.SharedStore(tileB, 0, b.Binary(simt.Add, b.Binary(simt.Mul, r, b.Int(16)), col), v, nil)
		}
		b.SetLine("matmul.go:24")
		b.Do(&simt.Op{Kind: simt.Issue, Line: "matmul.go:24"})
		barrier(b)
		accs = b.For(b.Int(0), b.Int(16), b.Int(1), accs, true, func(kk *simt.Value, accs []*simt.Value) []*simt.Value {
			bv := b.SharedLoad(tileB, b.Binary(simt.Add, b.Binary(simt.Mul, kk, b.Int(16)), col), 1)
			next := make([]*simt.Value, 2)
			for i := range next {
				av := b.SharedLoad(tileA, b.Binary(simt.Add, b.Binary(simt.Mul, b.Binary(simt.Add, row, b.Int(8*i)), b.Int(16)), kk), 1)
				next[i] = b.FMA(av, bv, accs[i])
			}
			return next
		})
		barrier(b)
		return accs
	})
	b.SetLine("matmul.go:27")
	for i, acc := range accs {
		gr := b.Binary(simt.Add, row0, b.Binary(simt.Add, row, b.Int(8*i)))
		ok := b.Binary(simt.And, b.Binary(simt.Lt, gr, m), b.Binary(simt.Lt, col0, n))
		b.Store(y, b.Binary(simt.Add, b.Binary(simt.Mul, gr, n), col0), acc, ok)
	}
	return b.Func
}

// softmaxKernel normalises one row of up to 256 columns a workgroup.
func softmaxKernel() *simt.Func {
	x, y := input("x", dtype.F32), output("y", dtype.F32)
	b := start("softmax_rows", 256, x, y)
	partial := b.NewShared("partial", dtype.F32, 256)
	b.SetLine("softmax.go:30")
	row, t, cols := group(b, 0), thread(b), param(b, "cols", dtype.I32)
	b.Do(&simt.Op{Kind: simt.Exit, Args: []*simt.Value{b.Binary(simt.Ge, row, param(b, "rows", dtype.I32))}})
	at := b.Binary(simt.Add, b.Binary(simt.Mul, row, cols), t)
	inside := b.Binary(simt.Lt, t, cols)
	v := b.Load(x, at, inside, 1, math.Inf(-1))
	reduce := func(v *simt.Value, kind simt.Kind) *simt.Value {
		barrier(b)
		b.SharedStore(partial, 0, t, v, nil)
		barrier(b)
		for s := 128; s > 0; s /= 2 {
			b.If(b.Binary(simt.Lt, t, b.Int(s)), func() {
				other := b.SharedLoad(partial, b.Binary(simt.Add, t, b.Int(s)), 1)
				b.SharedStore(partial, 0, t, b.Binary(kind, b.SharedLoad(partial, t, 1), other), nil)
			})
			barrier(b)
		}
		return b.SharedLoad(partial, b.Int(0), 1)
	}
	b.SetLine("softmax.go:31")
	e := b.Unary(simt.Exp, b.Binary(simt.Sub, v, reduce(v, simt.Max)))
	b.SetLine("softmax.go:32")
	sum := reduce(e, simt.Add)
	b.Store(y, at, b.Binary(simt.Div, e, sum), inside)
	return b.Func
}

// loopsKernel carries values in every way that asks for care: swapped, started
// from another loop's result, handed to an inner loop, and not needed at all.
func loopsKernel() *simt.Func {
	x := input("x", dtype.I32)
	out := &simt.Buffer{Name: "out", Elem: dtype.I32, Read: true, Write: true}
	b := start("loops", 32, x, out)
	t, p := thread(b), param(b, "p", dtype.I32)
	count := func(n int, carried []*simt.Value, body func(i *simt.Value, c []*simt.Value) []*simt.Value) []*simt.Value {
		return b.For(b.Int(0), b.Int(n), b.Int(1), carried, false, body)
	}
	store := func(slot int, v *simt.Value) {
		b.Store(out, b.Binary(simt.Add, b.Binary(simt.Mul, t, b.Int(8)), b.Int(slot)), v, nil)
	}
	b.SetLine("loops.go:1")
	fib := count(7, []*simt.Value{t, p, p}, func(_ *simt.Value, c []*simt.Value) []*simt.Value {
		return []*simt.Value{c[1], b.Binary(simt.Add, c[0], c[1]), b.Binary(simt.Sub, c[2], b.Int(1))}
	})
	store(0, fib[0])
	b.SetLine("loops.go:2")
	swapped := count(5, []*simt.Value{t, p}, func(_ *simt.Value, c []*simt.Value) []*simt.Value {
		return []*simt.Value{c[1], c[0]}
	})
	store(1, b.Binary(simt.Sub, swapped[0], b.Binary(simt.Sub, swapped[1], t)))
	b.SetLine("loops.go:3")
	first := count(3, []*simt.Value{t}, func(i *simt.Value, c []*simt.Value) []*simt.Value {
		return []*simt.Value{b.Binary(simt.Xor, c[0], i)}
	})
	second := count(3, first, func(i *simt.Value, c []*simt.Value) []*simt.Value {
		return []*simt.Value{b.Binary(simt.Add, c[0], b.Load(x, i, nil, 1, 0))}
	})
	b.SetLine("loops.go:4")
	nested := count(4, []*simt.Value{p, t}, func(i *simt.Value, c []*simt.Value) []*simt.Value {
		again := count(2, []*simt.Value{second[0], c[0]}, func(j *simt.Value, c []*simt.Value) []*simt.Value {
			return []*simt.Value{b.Binary(simt.Add, c[0], j), b.Binary(simt.Mul, c[1], b.Int(3))}
		})
		return []*simt.Value{again[1], b.Binary(simt.Add, c[1], again[0])}
	})
	store(2, nested[0])
	store(3, nested[1])
	return b.Func
}

// halvesKernel stores 16-bit types in pairs and, of another buffer, one by one.
func halvesKernel() *simt.Func {
	x, y, z := input("x", dtype.F16), output("y", dtype.BF16), output("z", dtype.F16)
	b := start("halves", 64, x, y, z)
	tile := b.NewShared("tile", dtype.F16, 64)
	t := thread(b)
	b.SetLine("halves.go:5")
	v := b.Load(x, b.Binary(simt.Mul, t, b.Int(4)), nil, 4, 0)
	b.SharedStore(tile, 0, t, b.Unary(simt.Exp, b.Extract(v, 0)), nil)
	barrier(b)
	b.SetLine("halves.go:6")
	b.Store(y, b.Binary(simt.Mul, t, b.Int(4)), b.Unary(simt.Tanh, v), nil)
	b.Store(z, t, b.SharedLoad(tile, b.Binary(simt.Xor, t, b.Int(1)), 1), b.Binary(simt.Lt, t, param(b, "n", dtype.I32)))
	return b.Func
}

// vectorsKernel computes on lanes, with numbers that need care in print.
func vectorsKernel() *simt.Func {
	x, y, flags := input("x", dtype.F32), output("y", dtype.F32), output("flags", dtype.Bool)
	b := start("vectors", 64, x, y, flags)
	f4 := simt.Vector(dtype.F32, 4)
	at := b.Binary(simt.Mul, thread(b), b.Int(4))
	v := b.Load(x, at, nil, 4, 0)
	scale := param(b, "scale", dtype.F32)
	b.SetLine("vectors.go:9")
	low := b.Binary(simt.Lt, v, b.Const(f4, math.Copysign(0, -1)))
	high := b.Binary(simt.Ge, v, b.Const(f4, math.MaxFloat32))
	v = b.Select(b.Binary(simt.Or, low, high), b.Const(f4, 0x1p-149), b.Binary(simt.Mul, v, b.Splat(scale, 4)))
	v.Hint = "clean"
	b.SetLine("vectors.go:10")
	sum := b.Binary(simt.Add, b.Binary(simt.Add, b.Extract(v, 0), b.Extract(v, 1)), b.Binary(simt.Add, b.Extract(v, 2), b.Extract(v, 3)))
	b.Store(y, at, b.FMA(v, b.Splat(sum, 4), b.Const(f4, 1e-7)), nil)
	b.Store(flags, at, low, nil)
	return b.Func
}

// namesKernel has names that no language accepts, or that are taken.
func namesKernel() *simt.Func {
	x, y, z := input("float", dtype.F32), input("fn", dtype.F32), output("x.y[0]", dtype.F32)
	b := start("names", 32, x, y, z)
	tile := b.NewShared("float", dtype.F32, 32)
	b.Func.Words = []simt.Word{{Name: "fn", Elem: dtype.I32}, {Name: "loop", Elem: dtype.I32}, {Name: "2nd size", Elem: dtype.I32}}
	t := thread(b)
	t.Hint = "int"
	at := b.Binary(simt.Add, t, param(b, "2nd size", dtype.I32))
	at.Hint = "für alle"
	p, q := b.Load(x, at, nil, 1, 0), b.Load(y, at, nil, 1, 0)
	q.Hint = "max"
	b.SharedStore(tile, 0, t, p, nil)
	p = b.SharedLoad(tile, t, 1)
	b.Store(z, at, b.Binary(simt.Max, p, q), nil)
	return b.Func
}
