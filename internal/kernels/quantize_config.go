package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// QuantizeConfig is what Quantize and Dequantize are built for.
type QuantizeConfig struct {
	Elem    weft.DType // of the real numbers
	View    QuantView  // of the integers
	Factor  bool       `json:",omitempty"` // Dequantize computes what products multiply by: see QuantView.Scaled
	BM, BN  int        // tile of the matrix that one program has, powers of two
	Threads int        // of a workgroup; 0 lets the compiler choose
}

// QuantizeProblem is what the config of quantising a matrix, or of the way back, depends on: its shape, and along which dimension
// what is read is contiguous.
type QuantizeProblem struct {
	Elem       weft.DType
	View       QuantView
	Shape      [2]int
	Fastest    int
	Back       bool // Dequantize
	Factor     bool `json:",omitempty"` // see QuantizeConfig
	Transposed bool `json:",omitempty"` // what is written is contiguous along the other dimension

	Real, Data tune.Strides `json:",omitzero"` // of the numbers and the integers, where they are not dense
}

// RealOrder is the usual order of the numbers' dimensions in memory, the fastest last.
func (p QuantizeProblem) RealOrder() []int {
	f := p.Fastest
	if p.Back && p.Transposed {
		f = 1 - f
	}
	return []int{1 - f, f}
}

// DataOrder is the usual order of the integers' dimensions in memory, the fastest last.
func (p QuantizeProblem) DataOrder() []int {
	if p.Back {
		return []int{1 - p.Fastest, p.Fastest}
	}
	return []int{0, 1}
}

// QuantizeKernels are the kernels, by whether it is the way back.
var QuantizeKernels = map[bool]*weft.Kernel[QuantizeConfig]{false: Quantize, true: Dequantize}

func (p QuantizeProblem) Rule(caps target.Caps) QuantizeConfig {
	area, threads := 1<<14, 0
	if !caps.WholeTiles {
		area, threads = quantArea(caps), caps.FitThreads(128)
	}
	if !p.Transposed && p.Back && caps.Language == target.CUDA {
		// A program that writes 8 KiB in a row takes less; other languages were not timed. (8192×8192 of 4 bits, of 8 and of NF4 on an H100, µs with 8 rows of 256 elements and with 4096 in a row: 66.4, 63.6; 77.4, 74.6; 81.5, 71.6.)
		return p.tiles(2*area, 2*area, threads)
	}
	if !p.Transposed {
		return p.tiles(area, area/8, threads)
	}
	if !caps.WholeTiles { // elements go through shared memory: rows of 128 bytes of either
		area, threads = 4*area, caps.FitThreads(2*threads)
	}
	return p.tiles(area, area*p.Elem.Size()/128, threads)
}

// tiles is a config with tiles of an area, at most run long along the runs.
func (p QuantizeProblem) tiles(area, run, threads int) QuantizeConfig {
	cfg := QuantizeConfig{Elem: p.Elem, View: p.View, Factor: p.Factor, Threads: threads}
	fast, slow := &cfg.BN, &cfg.BM
	rows, columns := p.Shape[0], p.Shape[1]
	if p.Fastest == 0 {
		fast, slow, rows, columns = slow, fast, columns, rows
	}
	*fast = min(pow2.Ceil(max(columns, 1)), run)
	*slow = min(pow2.Ceil(max(rows, 1)), area / *fast)
	along, across := &cfg.BM, &cfg.BN
	if p.View.Packed == 1 {
		along, across = across, along
	}
	if least := p.View.least(); *along < least {
		*along, *across = least, max(1, min(*across, area/least))
	}
	return cfg
}

func (p QuantizeProblem) List(caps target.Caps) []QuantizeConfig {
	list := []QuantizeConfig{p.Rule(caps)}
	area, threads := 1<<14, []int{0}
	if !caps.WholeTiles {
		area, threads = quantArea(caps), []int{64, 128, 256}
	}
	for c := range combinations(threads, []int{area / 2, area, 2 * area}, []int{16, 8, 2}) {
		if cfg := p.tiles(c[1], c[1]/c[2], c[0]); p.Legal(caps, cfg) == nil {
			list = appendNew(list, cfg)
		}
	}
	return list
}

func (p QuantizeProblem) Legal(caps target.Caps, cfg QuantizeConfig) error {
	if cfg.Elem != p.Elem || cfg.View != p.View || cfg.Factor != p.Factor {
		return fmt.Errorf("the config is for %v as %v", cfg.Elem, cfg.View)
	}
	if err := checkTile(caps, cfg.Threads, cfg.BM, cfg.BN); err != nil {
		return err
	}
	if w := cfg.View; [2]int{cfg.BM, cfg.BN}[w.Packed] < w.least() {
		return fmt.Errorf("tiles of %d×%d elements of %d bits have not at least %d along dimension %d", cfg.BM, cfg.BN, w.Bits, w.least(), w.Packed)
	}
	if area := cfg.BM * cfg.BN; area > 1<<17 {
		return fmt.Errorf("a program of %d elements, want at most 2^17", area)
	}
	return checkArea(caps, cfg.BM*cfg.BN, cfg.Threads)
}

// least is how many elements along Packed a tile has at least: whole bytes, and blocks that are interleaved.
func (v QuantView) least() int { return max(v.Interleaved, 8/max(v.Bits, 1)) }

// quantArea is how many elements one program of a GPU has at a time: 16 a thread, or 4 where registers are few.
func quantArea(caps target.Caps) int {
	if scarce(caps) {
		return 1 << 9
	}
	return 1 << 11
}

func (p QuantizeProblem) Bucket() QuantizeProblem {
	p.Shape = [2]int{tune.Bucket(p.Shape[0]), tune.Bucket(p.Shape[1])}
	return p
}

func (p QuantizeProblem) Kernel(cfg QuantizeConfig) (*tile.Func, error) {
	return QuantizeKernels[p.Back].Build(cfg)
}
