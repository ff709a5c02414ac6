package kernels

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Rotary is the kernel of Rotary. Its views are x in pairs: [B,H,S,2,R/2], or with cfg.Interleaved
// [B,H,S,R/2,2]; with cfg.Positions positions [B] of I32; with cfg.Tables cos and sin
// [Positions,R/2] of F32; then out, as x. Without tables its scalars are those of RotaryRatios.
//
// Angles are counted in revolutions, as fractions of 2^32, so that whole revolutions drop out of
// integer arithmetic however far a position is. In F32 the product of a position and a frequency
// would be off by 2^-7 radians at position 131072.
var Rotary = weft.NewKernel("rotary", describeRotary)

// rotary is one program's part of the op.
type rotary struct {
	*tile.Builder
	cfg       RotaryConfig
	positions *tile.View // nil for those from 0 on
	cos, sin  *tile.View // nil for angles by a base
	ratios    [][2]*tile.Value
}

func describeRotary(k *tile.Builder, cfg RotaryConfig) {
	r := &rotary{Builder: k, cfg: cfg}
	x := k.In("x", cfg.Elem, 5)
	if cfg.Positions {
		r.positions = k.In("positions", dtype.I32, 1)
		k.Require(r.positions.Dim(0).Eq(x.Dim(0)))
	}
	if cfg.Tables {
		r.cos, r.sin = k.In("cos", dtype.F32, 2), k.In("sin", dtype.F32, 2)
	}
	out := k.Out("out", cfg.Elem, 5)
	r.declareRatios()
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	for d := range 5 {
		k.Require(x.Dim(d).Eq(out.Dim(d)))
	}
	block := []int{1, cfg.Heads, cfg.Rows, 0, 0}
	block[r.pairAxis()] = cfg.Pairs
	tiles := k.ProgramTile(out, block...)
	at := append(tiles[:3:3], tiles[r.pairAxis()])
	cos, sin := r.direction(at[0], at[2], at[3])
	r.store(out, at, r.turn(x, at, cos, sin))
}

// declareRatios declares the scalars of angles by a base.
func (r *rotary) declareRatios() {
	for i := 0; i < r.cfg.Bits && !r.cfg.Tables; i++ {
		high, low := r.Scalar(fmt.Sprintf("ratio%d_high", i), dtype.U32), r.Scalar(fmt.Sprintf("ratio%d_low", i), dtype.U32)
		r.ratios = append(r.ratios, [2]*tile.Value{high, low})
	}
}

// pairAxis is the dimension of a view in pairs along which the pairs are.
func (r *rotary) pairAxis() int {
	if r.cfg.Interleaved {
		return 3
	}
	return 4
}

// half is a block of the first or second elements of pairs that are in the halves of a row.
func (r *rotary) half(v *tile.View) tile.Block {
	return v.Block(1, r.cfg.Heads, r.cfg.Rows, 1, r.cfg.Pairs).Squeeze(3)
}

// turn loads a tile of pairs at batch, heads, rows and pairs, and rotates it.
func (r *rotary) turn(x *tile.View, at []tile.Operand, cos, sin *tile.Value) [2]*tile.Value {
	var first, second *tile.Value
	if r.cfg.Interleaved {
		first, second = x.Block(1, r.cfg.Heads, r.cfg.Rows, r.cfg.Pairs, 2).Load(at[0], at[1], at[2], at[3], 0).Cast(dtype.F32).Split()
	} else {
		first = r.half(x).Load(at[0], at[1], at[2], 0, at[3]).Cast(dtype.F32)
		second = r.half(x).Load(at[0], at[1], at[2], 1, at[3]).Cast(dtype.F32)
	}
	first, second = turned(first, second, cos, sin)
	return [2]*tile.Value{first.Cast(r.cfg.Elem), second.Cast(r.cfg.Elem)}
}

// store writes a tile of pairs.
func (r *rotary) store(out *tile.View, at []tile.Operand, pairs [2]*tile.Value) {
	if r.cfg.Interleaved {
		out.Block(1, r.cfg.Heads, r.cfg.Rows, r.cfg.Pairs, 2).Store(pairs[0].Join(pairs[1]), at[0], at[1], at[2], at[3], 0)
		return
	}
	for i, v := range pairs {
		r.half(out).Store(v, at[0], at[1], at[2], i, at[3])
	}
}

// turned are pairs after their rotations.
func turned(first, second, cos, sin *tile.Value) (x, y *tile.Value) {
	return first.Mul(cos).Sub(second.Mul(sin)), second.Mul(cos).Add(first.Mul(sin))
}

// direction is the cosine and the sine [1,1,Rows,Pairs] of the angles of a tile, given its
// coordinates.
func (r *rotary) direction(batch, rows, pairs tile.Operand) (cos, sin *tile.Value) {
	cfg, shape := r.cfg, []int{1, 1, r.cfg.Rows, r.cfg.Pairs}
	start := r.Int(cfg.Rows).Mul(rows)
	if r.positions != nil {
		start = start.Add(r.positions.At(batch).Gather())
	}
	if cfg.Tables {
		from := func(table *tile.View) *tile.Value {
			return table.Block(cfg.Rows, cfg.Pairs).LoadAt(start, r.Int(cfg.Pairs).Mul(pairs)).Reshape(shape...)
		}
		return from(r.cos), from(r.sin)
	}
	position := r.Iota(2, 1, 1, cfg.Rows, 1).Add(start).Bitcast(dtype.U32)
	high, low := r.frequency(r.Iota(3, 1, 1, 1, cfg.Pairs).Add(r.Int(cfg.Pairs).Mul(pairs)))
	revolutions := position.Mul(high).Add(position.MulHi(low))
	revolutions = revolutions.Sub(r.Where(position.Ge(1<<31), low, 0)) // of a position below 0, which is 2^32 more as U32
	return r.cosine(revolutions)
}

// frequency is how far pairs turn from one position to the next, in revolutions, as fractions of
// 2^64 in two words: that of pair 0, 1/2π, times a ratio for each bit of a pair's number.
func (r *rotary) frequency(pair *tile.Value) (high, low *tile.Value) {
	first := fraction64(new(big.Float).Quo(big.NewFloat(0.5), pi))
	shape := pair.Type().Shape
	high, low = r.Full(dtype.U32, first[0], shape...), r.Full(dtype.U32, first[1], shape...)
	for bit, ratio := range slices.Backward(r.ratios) { // the high bits first, which the pairs of a thread have in common
		h, l := r.product(high, low, ratio[0], ratio[1])
		set := pair.Shr(bit).And(1).Eq(1)
		high, low = r.Where(set, h, high), r.Where(set, l, low)
	}
	return high, low
}

// product is that of two fractions of 2^64, less 3 at most.
func (r *rotary) product(high, low, byHigh, byLow *tile.Value) (h, l *tile.Value) {
	h, l = high.MulHi(byHigh), high.Mul(byHigh)
	for _, part := range []*tile.Value{high.MulHi(byLow), low.MulHi(byHigh)} {
		l = l.Add(part)
		h = h.Add(r.Where(l.Lt(part), r.Full(dtype.U32, 1, l.Type().Shape...), 0)) // the carry
	}
	return h, l
}

// cosine is the cosine and the sine of angles in revolutions, as fractions of 2^32. Polynomials of
// the distance to the nearest quarter of a revolution are those of Moshier's Cephes library
// (sinf.c).
func (r *rotary) cosine(revolutions *tile.Value) (cos, sin *tile.Value) {
	quarter := revolutions.Add(1 << 29).Shr(30)
	x := revolutions.Sub(quarter.Shl(30)).Bitcast(dtype.I32).Cast(dtype.F32).Mul(math.Pi / (1 << 31))
	z := x.Mul(x)
	sin = z.FMA(-1.9515295891e-4, 8.3321608736e-3).FMA(z, -1.6666654611e-1).Mul(z).FMA(x, x)
	cos = z.FMA(2.443315711809948e-5, -1.388731625493765e-3).FMA(z, 4.166664568298827e-2).FMA(z, -0.5).FMA(z, 1)
	odd := quarter.And(1).Eq(1)
	cos, sin = r.Where(odd, sin, cos), r.Where(odd, cos, sin)
	negated := func(v, when *tile.Value) *tile.Value { // by bit 1 of when
		return v.Bitcast(dtype.U32).Xor(when.And(2).Shl(30)).Bitcast(dtype.F32)
	}
	return negated(cos, quarter.Add(1)), negated(sin, quarter)
}

// ratioBits is the precision in which ratios are computed.
const ratioBits = 128

var pi, _, _ = big.ParseFloat("3.14159265358979323846264338327950288419716939937511", 10, ratioBits, big.ToNearestEven)

// RotaryRatios are the kernel's scalars for a base above 1 and so many dimensions: the ratios
// base^(-2^(i+1)/dims) for each bit i of a pair's number.
func RotaryRatios(base float64, dims, bits int) weft.Scalars {
	number := func() *big.Float { return new(big.Float).SetPrec(ratioBits) }
	// The root of degree dims/2, by Newton's method from the one of float64.
	n, b := dims/2, number().SetFloat64(base)
	root := number().SetFloat64(math.Pow(base, 1/float64(n)))
	for range 2 {
		power := number().SetInt64(1) // of degree n-1
		for square, left := number().Set(root), n-1; left > 0; left /= 2 {
			if left%2 == 1 {
				power.Mul(power, square)
			}
			square.Mul(square, square)
		}
		step := number().Sub(number().Mul(power, root), b)
		step.Quo(step, power.Mul(power, number().SetInt64(int64(n))))
		root.Sub(root, step)
	}
	ratio := number().Quo(number().SetInt64(1), root)
	var scalars weft.Scalars
	for range bits {
		words := fraction64(ratio)
		scalars = append(scalars, words[0], words[1])
		ratio.Mul(ratio, ratio)
	}
	return scalars
}

// fraction64 is a number below 1 as a fraction of 2^64, in two words, the high one first.
func fraction64(x *big.Float) [2]uint32 {
	scaled := new(big.Float).SetPrec(ratioBits).SetMantExp(x, 64)
	n, _ := scaled.Add(scaled, big.NewFloat(0.5)).Uint64() // at most 2^64-1
	return [2]uint32{uint32(n >> 32), uint32(n)}
}
