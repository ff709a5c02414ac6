package emittest

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// atomicsKernel has every atomic op, with and without mask and result, and other accesses to
// the same buffers.
func atomicsKernel() *simt.Func {
	inOut := func(name string, e dtype.Type) *simt.Buffer {
		return &simt.Buffer{Name: name, Elem: e, Read: true, Write: true}
	}
	n, bits, sums := inOut("n", dtype.I32), inOut("bits", dtype.U32), inOut("sums", dtype.F32)
	b := start("atomics", 64, n, bits, sums)
	shared := b.NewShared("scalar", dtype.I32, 1)
	t := thread(b)
	b.SetLine("atomics.go:9")
	mask := b.Binary(simt.Lt, t, param(b, "limit", dtype.I32))
	old := b.Atomic(simt.RMWAdd, n, b.Int(0), mask, -1, t)
	b.SetLine("atomics.go:10")
	for r := simt.RMWMax; r < simt.RMWCompare; r++ {
		b.Atomic(r, n, b.Int(int(r)), nil, 0, old)
		b.Atomic(r, bits, b.Int(int(r)), mask, 0, b.Convert(t, dtype.U32))
	}
	b.SetLine("atomics.go:11")
	won := b.Atomic(simt.RMWCompare, n, b.Int(9), nil, 0, t, b.Int(7))
	b.Atomic(simt.RMWCompare, bits, b.Int(9), mask, 0, b.Convert(won, dtype.U32), b.Convert(t, dtype.U32))
	b.SetLine("atomics.go:12")
	x := b.Load(sums, b.Binary(simt.Mul, t, b.Int(4)), mask, 4, 1)
	before := b.Atomic(simt.RMWAdd, sums, b.Int(1), mask, 0, b.Extract(x, 2))
	b.Store(sums, b.Binary(simt.Add, t, b.Int(300)), before, nil)
	b.Store(sums, b.Binary(simt.Mul, t, b.Int(4)), x, mask)
	b.SetLine("atomics.go:13")
	b.SharedStore(shared, 1, b.Int(0), won, b.Binary(simt.Eq, t, b.Int(0)))
	b.Do(&simt.Op{Kind: simt.Barrier, Buffers: true})
	b.Store(n, t, b.Binary(simt.Add, b.SharedUniform(shared, b.Int(0)), b.Load(n, t, nil, 1, 0)), nil)
	return b.Func
}

// sharedAtomicsKernel has every atomic op on shared arrays, with and without mask, and other accesses to them.
func sharedAtomicsKernel() *simt.Func {
	x, y, out := input("x", dtype.I32), input("y", dtype.F32), output("out", dtype.F32)
	b := start("sharedatomics", 64, x, y, out)
	n, bits, sums := b.NewShared("n", dtype.I32, 64), b.NewShared("bits", dtype.U32, 64), b.NewShared("sums", dtype.F32, 64)
	t := thread(b)
	b.SetLine("sharedatomics.go:3")
	place, weight := b.Load(x, t, nil, 1, 0), b.Load(y, t, nil, 1, 0)
	mask := b.Binary(simt.Lt, t, param(b, "limit", dtype.I32))
	b.SharedStore(n, 1, t, b.Int(0), nil)
	b.SharedStore(bits, 2, t, b.Convert(t, dtype.U32), nil)
	b.SharedStore(sums, 3, t, weight, nil)
	barrier(b)
	b.SetLine("sharedatomics.go:4")
	for r := range simt.RMWExchange {
		b.SharedAtomic(r, n, 4+int(r), place, t, nil)
		b.SharedAtomic(r, bits, 4+int(r), place, b.Convert(t, dtype.U32), mask)
		barrier(b)
	}
	b.SetLine("sharedatomics.go:5")
	b.SharedAtomic(simt.RMWAdd, sums, 20, place, weight, nil)
	b.SharedAtomic(simt.RMWAdd, sums, 20, b.Binary(simt.Xor, place, b.Int(1)), weight, mask)
	barrier(b)
	b.SetLine("sharedatomics.go:6")
	counted := b.Binary(simt.Add, b.SharedLoad(n, t, 1), b.Convert(b.SharedLoad(bits, t, 1), dtype.I32))
	b.Store(out, t, b.Binary(simt.Add, b.Convert(counted, dtype.F32), b.SharedLoad(sums, t, 1)), nil)
	return b.Func
}

// controlKernel has every op of control that all threads pass alike.
func controlKernel() *simt.Func {
	x, y := input("x", dtype.I32), output("y", dtype.F32)
	b := start("control", 64, x, y)
	shared := b.NewShared("parts", dtype.F32, 64)
	t, n := thread(b), param(b, "n", dtype.I32)
	zero, one := b.Const(simt.Scalar(dtype.F32), 0), b.Const(simt.Scalar(dtype.F32), 1)
	b.SetLine("control.go:5")
	b.Do(&simt.Op{Kind: simt.Exit, Args: []*simt.Value{b.Binary(simt.Gt, group(b, 0), n)}})
	b.SetLine("control.go:6")
	out := b.While([]*simt.Value{n, zero, one}, func(now []*simt.Value) []*simt.Value {
		b.Break(b.Unary(simt.Not, b.Binary(simt.Gt, now[0], b.Int(3))))
		b.SetLine("control.go:7")
		odd := b.Binary(simt.Eq, b.Binary(simt.And, now[0], b.Int(1)), b.Int(1))
		next := b.Branch(odd, func() []*simt.Value {
			b.SharedStore(shared, 1, t, now[1], nil)
			barrier(b)
			v := b.SharedLoad(shared, b.Binary(simt.Xor, t, b.Int(1)), 1)
			barrier(b)
			return []*simt.Value{b.Binary(simt.Add, now[1], v), now[1], one}
		}, func() []*simt.Value {
			return []*simt.Value{b.Binary(simt.Mul, now[1], now[2]), b.Binary(simt.Add, now[2], one), zero}
		})
		b.SetLine("control.go:8")
		kept := b.Branch(odd, func() []*simt.Value {
			return []*simt.Value{b.Load(x, now[0], nil, 1, 0)}
		}, func() []*simt.Value { return []*simt.Value{b.Int(4)} })
		less := b.Binary(simt.Sub, now[0], b.Int(1))
		b.Branch(b.Binary(simt.Eq, now[0], b.Int(9)), func() []*simt.Value {
			b.Store(y, b.Int(100), next[0], nil)
			return nil
		}, func() []*simt.Value { b.Store(y, b.Int(101), b.Convert(kept[0], dtype.F32), nil); return nil })
		return []*simt.Value{b.Binary(simt.Div, less, b.Int(2)), next[1], next[0]}
	})
	b.SetLine("control.go:9")
	b.Store(y, t, b.Binary(simt.Add, out[1], b.Convert(out[0], dtype.F32)), nil)
	return b.Func
}
