package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// RandomConfig is what the kernels of Uniform, Normal and Dropout are built for.
type RandomConfig struct {
	Elem    weft.DType // F32, F16 or BF16
	Block   int        // numbers of one program, a power of two of at least 4
	Mask    bool       // Dropout stores which elements it kept
	Threads int        // of a workgroup; 0 lets the compiler choose
}

// Uniform is the kernel of Uniform, and NormalKernel that of Normal. Their view is out [n]; their scalars are the
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

// RandomConfigFor chooses the config for n numbers.
func RandomConfigFor(caps target.Caps, elem weft.DType, n int) RandomConfig {
	cfg := RandomConfig{Elem: elem, Block: 1 << 14}
	if caps.Language != target.TileIR {
		cfg.Threads, cfg.Block = 128, 1024 // 8 numbers a thread: two calls of Philox side by side
		cfg.Threads = caps.FitThreads(cfg.Threads)
	}
	cfg.Block = max(4, min(cfg.Block, pow2.Ceil(n)))
	return cfg
}

// RandomConfigs lists the configs to choose from for n numbers, the one of RandomConfigFor first.
func RandomConfigs(caps target.Caps, elem weft.DType, n int) []RandomConfig {
	list := []RandomConfig{RandomConfigFor(caps, elem, n)}
	for block := 256; block <= 1<<14; block *= 2 {
		for threads := 64; threads <= 512; threads *= 2 {
			cfg := RandomConfig{Elem: elem, Block: block, Threads: threads}
			if caps.Language == target.TileIR {
				cfg.Threads = 0
			}
			fits := caps.MaxThreads == 0 || cfg.Threads <= caps.MaxThreads
			if fits && block <= max(256, pow2.Ceil(n)) && cfg != list[0] && cfg != list[len(list)-1] {
				list = append(list, cfg)
			}
		}
	}
	return list
}
