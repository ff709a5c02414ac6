package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Uniform is the kernel of Uniform, and Normal that of Normal. Their view is out [n]; their scalars are the
// low and the high half of the seed, and those of the first counter.
var (
	Uniform = weft.NewKernel("uniform", func(k *tile.Builder, cfg RandomConfig) { fillRandom(k, cfg, uniform) })
	Normal  = weft.NewKernel("normal", func(k *tile.Builder, cfg RandomConfig) { fillRandom(k, cfg, normal) })
)

// fillRandom fills out with what f makes of the words of each counter: four numbers, or of F64 two.
func fillRandom(k *tile.Builder, cfg RandomConfig, f func(k *tile.Builder, cfg RandomConfig, w [4]*tile.Value) []*tile.Value) {
	out := k.Out("out", cfg.Elem, 1)
	key, first := streamScalars(k)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	k.Grid(k.CDiv(out.Dim(0), cfg.Block))
	p, each := k.ProgramID(0), 4
	if cfg.Elem == dtype.F64 {
		each = 2
	}
	w := draw(k, key, first, p.Mul(cfg.Block/each), cfg.Block/each)
	out.Block(cfg.Block).Store(inOrder(f(k, cfg, w)), p)
}

// uniform takes the upper bits of each word, or of F64 of two, as many as the type holds below 1 without rounding.
func uniform(_ *tile.Builder, cfg RandomConfig, words [4]*tile.Value) []*tile.Value {
	if cfg.Elem == dtype.F64 {
		var list []*tile.Value
		for _, bits := range bits53(words) {
			list = append(list, bits.Cast(dtype.F64).Mul(0x1p-53))
		}
		return list
	}
	w := words[:]
	bits := uniformBits(cfg.Elem)
	for i := range w {
		w[i] = w[i].Shr(32 - bits).Cast(dtype.F32).Mul(math.Ldexp(1, -bits)).Cast(cfg.Elem)
	}
	return w
}

// uniformBits is the precision of a type in bits.
func uniformBits(elem weft.DType) int { return -int(math.Log2(elem.Epsilon())) }
