package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
)

// QuantizeConfig is what Quantize and Dequantize are built for.
type QuantizeConfig struct {
	Elem    weft.DType // of the real numbers
	View    QuantView  // of the integers
	BM, BN  int        // tile of the matrix that one program has, powers of two
	Threads int        // of a workgroup; 0 lets the compiler choose
}

// QuantizeRule is the launch rule for a matrix whose elements lie in runs along a dimension.
func QuantizeRule(caps target.Caps, elem weft.DType, view QuantView, shape [2]int, fastest int) QuantizeConfig {
	area, threads := 1<<14, 0
	if !caps.WholeTiles {
		area, threads = quantArea(caps), caps.FitThreads(128)
	}
	return quantizeTiles(elem, view, shape, fastest, area, area/8, threads)
}

// quantizeTiles is a config with tiles of an area, at most run long along the runs.
func quantizeTiles(elem weft.DType, view QuantView, shape [2]int, fastest, area, run, threads int) QuantizeConfig {
	cfg := QuantizeConfig{Elem: elem, View: view, Threads: threads}
	fast, slow := &cfg.BN, &cfg.BM
	rows, columns := shape[0], shape[1]
	if fastest == 0 {
		fast, slow, rows, columns = slow, fast, columns, rows
	}
	*fast = min(pow2.Ceil(max(columns, 1)), run)
	*slow = min(pow2.Ceil(max(rows, 1)), area / *fast)
	if view.Bits == 4 { // a whole byte
		cfg.BM, cfg.BN = [2]int{max(cfg.BM, 2), cfg.BM}[view.Packed], [2]int{cfg.BN, max(cfg.BN, 2)}[view.Packed]
	}
	return cfg
}

// QuantizeSpace lists the configs to choose from for a matrix of a shape in elements, which are in runs along dimension fastest;
// that of QuantizeRule is the first.
func QuantizeSpace(caps target.Caps, elem weft.DType, view QuantView, shape [2]int, fastest int) []QuantizeConfig {
	list := []QuantizeConfig{QuantizeRule(caps, elem, view, shape, fastest)}
	area, threads := 1<<14, []int{0}
	if !caps.WholeTiles {
		area, threads = quantArea(caps), []int{64, 128, 256}
	}
	for _, t := range threads {
		for _, a := range []int{area / 2, area, 2 * area} {
			for _, run := range []int{a / 16, a / 8, a / 2} {
				cfg := quantizeTiles(elem, view, shape, fastest, a, run, t)
				if cfg.Legal(caps) == nil {
					list = appendNew(list, cfg)
				}
			}
		}
	}
	return list
}

// Legal says why a config is refused.
func (cfg QuantizeConfig) Legal(caps target.Caps) error {
	if err := checkTile(caps, cfg.Threads, cfg.BM, cfg.BN); err != nil {
		return err
	}
	if w := cfg.View; w.Bits == 4 && [2]int{cfg.BM, cfg.BN}[w.Packed] < 2 {
		return fmt.Errorf("tiles of %d×%d elements of 4 bits are not whole bytes", cfg.BM, cfg.BN)
	}
	if area := cfg.BM * cfg.BN; area > 1<<17 {
		return fmt.Errorf("a program of %d elements, want at most 2^17", area)
	}
	return checkArea(caps, cfg.BM*cfg.BN, cfg.Threads)
}

// quantArea is how many elements one program of a GPU has at a time: 16 a thread, or 4 where registers are few.
func quantArea(caps target.Caps) int {
	if scarce(caps) {
		return 1 << 9
	}
	return 1 << 11
}
