package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Quantize divides by the scales, rounds, adds the zero points, or finds the codes of a book, and packs. Its views are x [R,C],
// scales, zeros if asymmetric, and data.
var Quantize = weft.NewKernel("quantize", func(k *tile.Builder, cfg QuantizeConfig) {
	x := k.In("x", cfg.Elem, 2)
	w := cfg.View.parameters(k, true)
	w.data = k.Out("data", w.Stored(), 2)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at, size := k.ProgramTile(x, cfg.BM, cfg.BN), [2]int{cfg.BM, cfg.BN}
	var q *tile.Value
	if w.PowersOfTwo || w.Codes != (CodeBook{}) {
		q = w.rounded(x.Block(cfg.BM, cfg.BN).Load(at...).Cast(dtype.F32), size, at)
	} else {
		q = x.Block(cfg.BM, cfg.BN).Load(at...).Cast(dtype.F32).Div(w.scale(size, at)).Round()
	}
	if w.Codes == (CodeBook{}) {
		least, most := w.Range()
		if w.Asymmetric {
			q = q.Add(w.zero(size, at))
		} else {
			least-- // scales that come from elsewhere may use all numbers
		}
		q = q.Clamp(float64(least), float64(most)).Cast(w.element())
	}
	if along := w.Packed; w.Bits == 4 {
		within := w.index(size, at, along).Lt(x.Dim(along)) // beyond, the last half of a byte is 0
		q = k.Where(within, q, 0).Pack4(along, dtype.U8)
	}
	block := w.block(size)
	w.data.Block(block[:]...).Store(q, at...)
})

// rounded is the codes of a tile of numbers, or the integers next to them in F32 if there is no code book.
func (w *quantTiles) rounded(x *tile.Value, size [2]int, at []tile.Operand) *tile.Value {
	if w.PowersOfTwo {
		x = x.Mul(w.parameter(w.scales, size, at, inverse))
	} else {
		x = unscaled(x, w.scale(size, at))
	}
	if w.Codes == (CodeBook{}) {
		return x.Round()
	}
	return w.Codes.encode(w.k, x).Cast(w.element())
}

// unscaled is x / scale. Vulkan and WebGPU divide by numbers up to 2^126 alone: larger scales, which code books of small numbers have, and x with them are
// taken by a quarter.
func unscaled(x, scale *tile.Value) *tile.Value {
	k, large := x.Builder(), scale.Gt(0x1p125)
	return k.Where(large, x.Mul(0.25), x).Div(k.Where(large, scale.Mul(0.25), scale))
}

// Dequantize computes the real numbers, the largest of its type for what is beyond them. Its views are data, scales, zeros if asymmetric, and out [R,C].
// For a Factor, numbers beyond the largest are infinite, and without scales where View.Scaled says that the sums are to be scaled.
var Dequantize = weft.NewKernel("dequantize", func(k *tile.Builder, cfg QuantizeConfig) {
	scaled := !cfg.Factor || cfg.View.Scaled()
	w := cfg.View.declare(k, scaled)
	out := k.Out("out", cfg.Elem, 2)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at, size := k.ProgramTile(out, cfg.BM, cfg.BN), [2]int{cfg.BM, cfg.BN}
	x := w.numbers(size, at)
	if scaled {
		x = x.Mul(w.scale(size, at))
	}
	if !cfg.Factor {
		top := largestOf(cfg.Elem)
		x = k.Where(x.IsNaN(), x, x.Clamp(-top, top)) // scales may be NaN, or infinite
	}
	out.Block(cfg.BM, cfg.BN).Store(w.natural(x.Cast(cfg.Elem)), at...)
})

// largestOf is the largest finite number of a float type.
func largestOf(elem weft.DType) float64 {
	switch elem {
	case weft.F16:
		return 65504
	case weft.BF16:
		return 0x1.fep127
	}
	return math.MaxFloat32
}
