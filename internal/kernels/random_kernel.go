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

// fillRandom fills out with what f makes of the words of each counter.
func fillRandom(k *tile.Builder, cfg RandomConfig, f func(k *tile.Builder, cfg RandomConfig, w [4]*tile.Value) [4]*tile.Value) {
	out := k.Out("out", cfg.Elem, 1)
	key, first := streamScalars(k)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	k.Grid(k.CDiv(out.Dim(0), cfg.Block))
	p := k.ProgramID(0)
	w := draw(k, key, first, p.Mul(cfg.Block/4), cfg.Block/4)
	out.Block(cfg.Block).Store(inOrder(f(k, cfg, w)), p)
}

// uniform takes the upper bits of each word, as many as the type holds below 1 without rounding.
func uniform(_ *tile.Builder, cfg RandomConfig, w [4]*tile.Value) [4]*tile.Value {
	bits := uniformBits(cfg.Elem)
	for i := range w {
		w[i] = w[i].Shr(32 - bits).Cast(dtype.F32).Mul(math.Ldexp(1, -bits)).Cast(cfg.Elem)
	}
	return w
}

// uniformBits is the precision of a type in bits.
func uniformBits(elem weft.DType) int { return -int(math.Log2(elem.Epsilon())) }
