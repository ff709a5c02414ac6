package cstyle_test

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
	return b.Emit(&simt.Op{Kind: simt.WorkgroupID, Index: axis}, simt.Scalar(dtype.I32))
}

// param is a launch parameter, declared at its first use.
func param(b *simt.Builder, name string, e dtype.Type) *simt.Value {
	for i, w := range b.Kernel.Words {
		if w.Name == name {
			return b.Emit(&simt.Op{Kind: simt.Param, Index: i}, simt.Scalar(e))
		}
	}
	b.Kernel.Words = append(b.Kernel.Words, simt.Word{Name: name, Elem: e})
	return b.Emit(&simt.Op{Kind: simt.Param, Index: len(b.Kernel.Words) - 1}, simt.Scalar(e))
}

func barrier(b *simt.Builder) { b.Do(&simt.Op{Kind: simt.Barrier}) }

func start(name string, threads int, buffers ...*simt.Buffer) *simt.Builder {
	b := simt.NewBuilder(name, threads)
	b.Kernel.Buffers = buffers
	return b
}

// addKernel adds vectors four elements a thread.
func addKernel() *simt.Kernel {
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
	return b.Kernel
}

// matmulKernel multiplies with a 16x16 block a workgroup, 2x1 elements a thread.
func matmulKernel() *simt.Kernel {
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
	return b.Kernel
}

// softmaxKernel normalises one row of up to 256 columns a workgroup.
func softmaxKernel() *simt.Kernel {
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
	return b.Kernel
}
