package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// QuantRange finds the least and the largest element of each block of a matrix, or 0
// if that is less, or larger: what is quantised must reach 0. Its views are x [P,Q,R,C], where
// R and C are the rows and columns of one of P × Q blocks, and least and largest [Parts,P,Q] of F32.
var QuantRange = weft.NewKernel("quant_range", func(k *tile.Builder, cfg QuantRangeConfig) {
	x := k.In("x", cfg.Elem, 4)
	k.Schedule(tile.Schedule{Threads: cfg.Threads, SplitK: cfg.Parts})
	least, largest := k.Out("least", dtype.F32, 3), k.Out("largest", dtype.F32, 3)
	b := cfg.Block
	at := k.ProgramTile(least, 0, b[0], b[1])
	lo, hi := k.Var(k.Zeros(dtype.F32, b[:]...)), k.Var(k.Zeros(dtype.F32, b[:]...))
	across := k.CDiv(x.Dim(3), b[3])
	for i := range k.SplitRange(k.CDiv(x.Dim(2), b[2]).Mul(across)) {
		v := x.Block(b[:]...).Load(at[1], at[2], i.Div(across), i.Rem(across)).Cast(dtype.F32)
		lo.Set(lo.Get().Minimum(v))
		hi.Set(hi.Get().Maximum(v))
	}
	store := func(to *tile.View, v *tile.Value) {
		to.Block(1, b[0], b[1]).Store(v.Reshape(1, b[0], b[1]), k.SplitID(), at[1], at[2])
	}
	store(least, lo.Get().Min(3).Min(2))
	store(largest, hi.Get().Max(3).Max(2))
})

// QuantScales computes scales and zero points from the least and the largest element of each block, which
// QuantRange left in parts. Its views are least and largest [Parts,P,Q], scales [P,Q] of F32, or of U8 for powers of two,
// and, if asymmetric, zeros [P,Q] of U8.
var QuantScales = weft.NewKernel("quant_scales", func(k *tile.Builder, cfg QuantScalesConfig) {
	least, largest := k.In("least", dtype.F32, 3), k.In("largest", dtype.F32, 3)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	scales := k.Out("scales", cfg.ComputedScales(), 2)
	at := k.ProgramTile(scales, cfg.BM, cfg.BN)
	zero := k.Zeros(dtype.F32, 1, cfg.BM, cfg.BN)
	lo, hi := k.Var(zero), k.Var(zero)
	for p := range k.Range(least.Dim(0)) {
		lo.Set(lo.Get().Minimum(least.Block(1, cfg.BM, cfg.BN).Load(p, at[0], at[1])))
		hi.Set(hi.Get().Maximum(largest.Block(1, cfg.BM, cfg.BN).Load(p, at[0], at[1])))
	}
	most := cfg.Largest()
	l, h := lo.Get().Reshape(cfg.BM, cfg.BN), hi.Get().Reshape(cfg.BM, cfg.BN)
	if cfg.PowersOfTwo { // by the specification's rule, by which what is beyond the largest number saturates
		scales.Block(cfg.BM, cfg.BN).Store(exponent(h.Maximum(l.Neg()), math.Ilogb(most)), at...)
		return
	}
	var scale *tile.Value
	if cfg.Asymmetric {
		// h - l could overflow. Compilers that may reassociate, as NVIDIA's for Vulkan, would make it of
		// the difference of two quotients, but take no FMA apart.
		scale = h.FMA(1/most, l.Neg().Div(most))
	} else {
		scale = h.Maximum(l.Neg()).Div(most)
	}
	scale = scale.Maximum(leastScale).Minimum(math.MaxFloat32) // a book's largest number may be small
	scales.Block(cfg.BM, cfg.BN).Store(scale, at...)
	if cfg.Asymmetric {
		zeros := k.Out("zeros", dtype.U8, 2)
		zeros.Block(cfg.BM, cfg.BN).Store(l.Neg().Div(scale).Round().Minimum(most).Cast(dtype.U8), at...)
	}
})

// leastScale is the least normal number, so that a block of zeros has a scale by which one can divide.
const leastScale = 0x1p-126
