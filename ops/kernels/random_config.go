package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
)

// RandomConfig is what the kernels of Uniform, Normal and Dropout are built for.
type RandomConfig struct {
	Elem    weft.DType // F32, F16 or BF16
	Block   int        // numbers of one program, a power of two of at least 4
	Mask    bool       // Dropout stores which elements it kept
	Threads int        // of a workgroup; 0 lets the compiler choose
}

// RandomConfigFor chooses the config for n numbers.
func RandomConfigFor(caps target.Caps, elem weft.DType, n int) RandomConfig {
	cfg := RandomConfig{Elem: elem, Block: 1 << 14}
	if !caps.WholeTiles {
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
			if caps.WholeTiles {
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

// Legal says why a config is refused.
func (cfg RandomConfig) Legal(caps target.Caps) error {
	if err := checkTile(caps, cfg.Threads, cfg.Block); err != nil {
		return err
	}
	if cfg.Block < 4 || cfg.Block > 1<<16 {
		return fmt.Errorf("a program of %d numbers, want 4 to 2^16", cfg.Block)
	}
	return checkArea(caps, cfg.Block, cfg.Threads)
}
