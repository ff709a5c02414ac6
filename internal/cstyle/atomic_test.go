package cstyle_test

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// atomicsKernel has every atomic op, with and without mask and result, and other accesses to
// the same buffers.
func atomicsKernel() *simt.Kernel {
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
	b.Do(&simt.Op{Kind: simt.Barrier, Index: 1})
	b.Store(n, t, b.Binary(simt.Add, b.SharedUniform(shared, b.Int(0)), b.Load(n, t, nil, 1, 0)), nil)
	return b.Kernel
}
