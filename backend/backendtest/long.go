package backendtest

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

const noLong = "the device has no integers of 64 bits"

// has reports whether the device computes on an element type.
func (s *suite) has(e weft.DType) bool {
	if e == weft.F64 {
		return s.dev.Caps().Float64
	}
	return e.Size() <= 4 || s.dev.Caps().Int64
}

// andLong adds to a list of types those of 64 bits that the device computes on.
func (s *suite) andLong(types ...weft.DType) []weft.DType {
	for _, e := range []weft.DType{weft.I64, weft.U64, weft.F64} {
		if s.has(e) {
			types = append(types, e)
		}
	}
	return types
}

// types lists the element types that the device computes on.
func (s *suite) types() []weft.DType {
	return slices.DeleteFunc(dtype.All(), func(e weft.DType) bool { return !s.has(e) })
}

// testLong computes on 64-bit integers, exact in every bit, or is refused.
func testLong(s *suite) {
	kernel := weft.NewKernel("wide", func(k *tile.Builder, _ struct{}) {
		x, y, out := k.In("x", weft.I64, 1), k.In("y", weft.U64, 1), k.Out("out", weft.U64, 2)
		p := k.ProgramID(0)
		k.Grid(k.CDiv(x.Dim(0), 64))
		a, b := x.Block(64).Load(p), y.Block(64).Load(p)
		u := a.Bitcast(weft.U64)
		for i, v := range []*tile.Value{
			u.Mul(b).Add(math.MaxInt64 - 4),
			a.Div(b.Cast(weft.I64)).Bitcast(weft.U64),
			u.Rem(b),
			a.Shr(b.Bitcast(weft.I64)).Bitcast(weft.U64).Xor(u.Shl(b)),
			k.Where(a.Lt(b.Bitcast(weft.I64)), u.Maximum(b), u.Minimum(b)),
			b.Cast(weft.I32).Cast(weft.U64),
			u.Sum(0).Broadcast(64),
		} {
			out.Block(1, 64).Store(v.Reshape(1, 64), i, p)
		}
	})
	const n = 131
	x, y := make([]int64, n), make([]uint64, n)
	for i := range x {
		x[i], y[i] = int64(s.rng.Uint64())>>s.rng.IntN(64), s.rng.Uint64()>>s.rng.IntN(64)
	}
	copy(x, []int64{math.MinInt64, math.MinInt64, math.MaxInt64, -1, 0, 1<<53 + 1})
	copy(y, []uint64{math.MaxUint64, 0, 63, 64, 0, 3})
	tx, ty := s.ok(weft.FromSlice(s.dev, x)), s.ok(weft.FromSlice(s.dev, y))
	out := s.ok(weft.Empty(s.dev, weft.U64, 7, n))
	err := kernel.Launch(struct{}{}, tx, ty, out)
	if !s.has(weft.I64) {
		if !errors.Is(err, weft.ErrUnsupported) || !strings.Contains(err.Error(), "long.go:") {
			s.Errorf("on a device without integers of 64 bits: %v", err)
		}
		s.Skip(noLong)
	}
	s.try(err)
	got := must[[]uint64](s)(weft.ToSlice[uint64](out))
	for i := range n {
		for row, want := range longResults(x, y, i) {
			if got[row*n+i] != want {
				s.Fatalf("result %d of %#x and %#x is %#x, want %#x", row, x[i], y[i], got[row*n+i], want)
			}
		}
	}
}

// longResults is what the kernel computes of elements i.
func longResults(x []int64, y []uint64, i int) []uint64 {
	a, b := x[i], y[i]
	u := uint64(a)
	quotient, rest := a, uint64(0)
	if b != 0 {
		quotient, rest = a/int64(b), u%b
	}
	chosen := min(u, b)
	if a < int64(b) {
		chosen = max(u, b)
	}
	sum := uint64(0)
	for _, v := range x[i/64*64 : min(len(x), i/64*64+64)] {
		sum += uint64(v)
	}
	return []uint64{u*b + math.MaxInt64 - 4, uint64(quotient), rest, uint64(a>>(b&63)) ^ u<<(b&63), chosen, uint64(int64(int32(b))), sum}
}
