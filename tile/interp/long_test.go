package interp

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// longEdges are bits of 64 at which arithmetic may go wrong.
var longEdges = []uint64{0, 1, 2, 7, 31, 32, 33, 63, 64, 65, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<53 - 1, 1<<53 + 1,
	1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64}

// longs are n bits of 64: all pairs of edges first, then random ones of every length.
func longOperands(rng *rand.Rand, n, which int) []uint64 {
	x := make([]uint64, n)
	for i := range x {
		switch e := len(longEdges); {
		case i < e*e && which == 0:
			x[i] = longEdges[i/e]
		case i < e*e:
			x[i] = longEdges[i%e]
		default:
			x[i] = rng.Uint64() >> rng.UintN(64)
		}
	}
	return x
}

// exactly is the number that bits of 64 are as an integer type.
func exactly(e dtype.Type, bits uint64) *big.Int {
	if e.IsSigned() {
		return big.NewInt(int64(bits))
	}
	return new(big.Int).SetUint64(bits)
}

// longRef computes with integers without bounds; the caller wraps.
func longRef(kind tile.Kind, x, y *big.Int) *big.Int {
	z := new(big.Int)
	shift := uint(y.Uint64() & 63)
	if y.Sign() < 0 {
		shift = uint(-y.Int64()) & 63
		shift = (64 - shift) & 63
	}
	switch kind {
	case tile.OpNeg:
		return z.Neg(x)
	case tile.OpNot:
		return z.Not(x)
	case tile.OpAbs:
		return z.Abs(x)
	case tile.OpAdd:
		return z.Add(x, y)
	case tile.OpSub:
		return z.Sub(x, y)
	case tile.OpMul:
		return z.Mul(x, y)
	case tile.OpDiv:
		if y.Sign() == 0 {
			return x
		}
		return z.Quo(x, y)
	case tile.OpRem:
		if y.Sign() == 0 {
			return z
		}
		return z.Rem(x, y)
	case tile.OpMin, tile.OpMax:
		if (x.Cmp(y) < 0) == (kind == tile.OpMin) {
			return x
		}
		return y
	case tile.OpAnd:
		return z.And(x, y)
	case tile.OpOr:
		return z.Or(x, y)
	case tile.OpXor:
		return z.Xor(x, y)
	case tile.OpShl:
		return z.Lsh(x, shift)
	case tile.OpShr:
		return z.Rsh(x, shift)
	}
	c := x.Cmp(y)
	is := map[tile.Kind]bool{tile.OpEq: c == 0, tile.OpNe: c != 0, tile.OpLt: c < 0, tile.OpLe: c <= 0, tile.OpGt: c > 0, tile.OpGe: c >= 0}
	return z.SetInt64(int64(truth[int32](is[kind])))
}

// low64 are the low 64 bits in two's complement.
func low64(x *big.Int) uint64 {
	return new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}

// TestLong computes every op on 64-bit integers and compares every bit.
func TestLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 64))
	const n = 1000
	for _, e := range []dtype.Type{dtype.I64, dtype.U64} {
		for kind := tile.OpConst; kind < tile.NumKinds; kind++ {
			class, makeOp := kind.Fact().Class, builders[kind]
			if class < tile.Unary || class > tile.Compare || makeOp == nil {
				continue
			}
			out := e
			if class == tile.Compare {
				out = dtype.Bool
			}
			k, err := tile.Build("long", func(k *tile.Builder) {
				z, p := k.Out("z", out, 1), k.ProgramID(0)
				k.Grid(k.CDiv(z.Dim(0), 32))
				x, y := k.In("x", e, 1).Block(32).Load(p), k.In("y", e, 1).Block(32).Load(p)
				z.Block(32).Store(makeOp([]*tile.Value{x, y}), p)
			})
			if err != nil {
				continue // the op does not take integers
			}
			x, y := longOperands(rng, n, 0), longOperands(rng, n, 1)
			got := newTensor(t, rng, out, dense, n)
			run(t, k, []*tensor{got, longTensor(t, e, x), longTensor(t, e, y)})
			for i := range n {
				want := low64(longRef(kind, exactly(e, x[i]), exactly(e, y[i])))
				have := uint64(got.data[i*out.Size()])
				if out == e {
					have = binary.LittleEndian.Uint64(got.data[8*i:])
				}
				if have != want {
					t.Fatalf("%v of %v %#x and %#x is %#x, want %#x", kind, e, x[i], y[i], have, want)
				}
			}
		}
	}
}

func longTensor(t *testing.T, e dtype.Type, x []uint64) *tensor {
	v := newTensor(t, rand.New(rand.NewPCG(0, 0)), e, dense, len(x))
	for i, bits := range x {
		binary.LittleEndian.PutUint64(v.data[8*i:], bits)
	}
	return v
}

// TestLongCasts goes from 64-bit integers to the other integers and back.
func TestLongCasts(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 65))
	const n = 600
	for _, e := range []dtype.Type{dtype.I64, dtype.U64} {
		for _, to := range dtype.All() {
			if !to.IsInt() {
				continue
			}
			k := build(t, "casts", func(k *tile.Builder) {
				z, p := k.Out("z", dtype.I64, 1), k.ProgramID(0)
				k.Grid(k.CDiv(z.Dim(0), 32))
				z.Block(32).Store(k.In("x", e, 1).Block(32).Load(p).Cast(to).Cast(dtype.I64), p)
			})
			x := longOperands(rng, n, 1)
			got := newTensor(t, rng, dtype.I64, dense, n)
			run(t, k, []*tensor{got, longTensor(t, e, x)})
			for i, bits := range x {
				shift := 64 - 8*to.Size()
				want := bits << shift >> shift
				if to.IsSigned() {
					want = uint64(int64(bits) << shift >> shift)
				}
				if have := binary.LittleEndian.Uint64(got.data[8*i:]); have != want {
					t.Fatalf("%v %#x by way of %v is %#x, want %#x", e, bits, to, have, want)
				}
			}
		}
	}
}

// TestLongConstants keeps all bits of numbers that a description gives.
func TestLongConstants(t *testing.T) {
	for _, c := range []struct {
		e    dtype.Type
		x    tile.Operand
		want uint64
	}{
		{dtype.I64, math.MaxInt64, math.MaxInt64}, {dtype.I64, math.MinInt64, 1 << 63}, {dtype.I64, -1<<53 - 1, 0xffdfffffffffffff},
		{dtype.I64, int64(-3), 0xfffffffffffffffd}, {dtype.U64, uint64(0x9e3779b97f4a7c15), 0x9e3779b97f4a7c15},
		{dtype.U64, uint64(math.MaxUint64), math.MaxUint64}, {dtype.U64, 1 << 62, 1 << 62}, {dtype.I64, 5.0, 5},
	} {
		k := build(t, "constant", func(k *tile.Builder) {
			y := k.Out("y", c.e, 1)
			y.Block(2).Store(k.Zeros(c.e, 2).Add(c.x), 0)
		})
		y := longTensor(t, c.e, []uint64{7, 7})
		run(t, k, []*tensor{y})
		for i := range 2 {
			if got := binary.LittleEndian.Uint64(y.data[8*i:]); got != c.want {
				t.Errorf("%v as %v is %#x, want %#x", c.x, c.e, got, c.want)
			}
		}
	}
	for _, c := range []struct {
		e dtype.Type
		x tile.Operand
	}{{dtype.U64, -1}, {dtype.I64, uint64(1<<63 + 1)}, {dtype.I64, 0x1p63}, {dtype.U64, 0x1p64}, {dtype.I64, 0.5}} {
		if _, err := tile.Build("constant", func(k *tile.Builder) { k.Zeros(c.e, 2).Add(c.x) }); err == nil {
			t.Errorf("%v passes for a value of %v", fmt.Sprint(c.x), c.e)
		}
	}
}
