package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// RandomConfig is what the kernels of Uniform, Normal and Dropout are built for.
type RandomConfig struct {
	Elem    weft.DType // of floats
	Block   int        // numbers of one program, a power of two of at least 4
	Mask    bool       // Dropout stores which elements it kept
	Threads int        // of a workgroup; 0 lets the compiler choose
	Apart   bool       // normal numbers of F64 need no fused multiplications and additions
}

// RandomProblem is what the config of N random numbers depends on.
type RandomProblem struct {
	Op   string // "uniform", "normal" or "dropout"
	Elem weft.DType
	N    int

	X, Out tune.Strides `json:",omitzero"` // where they do not begin at a multiple of the widest access
}

// RandomKernels are the kernels by their ops.
var RandomKernels = map[string]*weft.Kernel[RandomConfig]{"uniform": Uniform, "normal": Normal, "dropout": Dropout}

func (p RandomProblem) Rule(caps target.Caps) RandomConfig {
	cfg := RandomConfig{Elem: p.Elem, Block: 1 << 14}
	if !caps.WholeTiles {
		cfg.Threads, cfg.Block = 128, 1024 // 8 numbers a thread: two calls of Philox side by side
		cfg.Threads = caps.FitThreads(cfg.Threads)
	}
	cfg.Block = max(4, min(cfg.Block, pow2.Ceil(p.N)))
	cfg.Apart = p.apart(caps)
	return cfg
}

// apart reports whether the device may round products before it adds to them: the numbers are to be those of other devices.
func (p RandomProblem) apart(caps target.Caps) bool {
	return p.Op == "normal" && p.Elem == weft.F64 && caps.Language == target.SPIRV
}

func (p RandomProblem) List(caps target.Caps) []RandomConfig {
	list := []RandomConfig{p.Rule(caps)}
	for block := 256; block <= 1<<14; block *= 2 {
		for threads := 64; threads <= 512; threads *= 2 {
			cfg := RandomConfig{Elem: p.Elem, Block: block, Threads: threads, Apart: p.apart(caps)}
			if caps.WholeTiles {
				cfg.Threads = 0
			}
			fits := caps.MaxThreads == 0 || cfg.Threads <= caps.MaxThreads
			if fits && block <= max(256, pow2.Ceil(p.N)) && cfg != list[0] && cfg != list[len(list)-1] {
				list = append(list, cfg)
			}
		}
	}
	return list
}

func (p RandomProblem) Legal(caps target.Caps, cfg RandomConfig) error {
	if cfg.Elem != p.Elem || cfg.Mask {
		return fmt.Errorf("the config is for %v", cfg.Elem)
	}
	if cfg.Apart != p.apart(caps) {
		return fmt.Errorf("the config is for devices that round sums of products otherwise")
	}
	if err := checkTile(caps, cfg.Threads, cfg.Block); err != nil {
		return err
	}
	if cfg.Block < 4 || cfg.Block > 1<<16 {
		return fmt.Errorf("a program of %d numbers, want 4 to 2^16", cfg.Block)
	}
	return checkArea(caps, cfg.Block, cfg.Threads)
}

func (p RandomProblem) Bucket() RandomProblem {
	p.N = tune.Bucket(p.N)
	return p
}

func (p RandomProblem) Kernel(cfg RandomConfig) (*tile.Func, error) {
	return RandomKernels[p.Op].Build(cfg)
}
