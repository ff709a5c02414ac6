package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// ResultType sets the element type of a new result: F32, F16 or BF16, and I32 for operands of I8 and U8. With the forms
// that write into a tensor, the tensor's type decides, and another one is refused with ErrShape.
func ResultType(elem weft.DType) MatMulOption {
	return matMulOption(func(p *product) { p.result = elem })
}

// Alpha multiplies the product by a number, before anything is added to it. For a result of I32 it must be an I32, too.
func Alpha(x float64) MatMulOption { return matMulOption(func(p *product) { p.alpha = x }) }

// Beta adds to the product the elements that the result had before, times a number; if that is 0 they are not
// read. It is for MatMulInto. For a result of I32 it must be an I32, too.
func Beta(x float64) MatMulOption { return matMulOption(func(p *product) { p.beta = x }) }

// Precision sets the least precision of the products of F32 operands: tile.IEEE,
// which is the default, tile.TF32x3 or tile.TF32, for which devices with matrix instructions use those; MatMulBound
// says how large errors are. Products of F16 and BF16 are always exact,
// with sums in F32.
func Precision(x tile.Precision) MatMulOption {
	return matMulOption(func(p *product) { p.precision = x })
}

// merge takes over the fields of t that are set.
func (cfg *MatMulConfig) merge(t MatMulConfig) {
	for _, f := range []struct{ to, from *int }{
		{&cfg.BM, &t.BM}, {&cfg.BN, &t.BN}, {&cfg.BK, &t.BK}, {&cfg.Persistent, &t.Persistent},
		{&cfg.SplitK, &t.SplitK}, {&cfg.Threads, &t.Threads}, {&cfg.Stages, &t.Stages},
		{&cfg.Producers, &t.Producers}, {&cfg.Consumers, &t.Consumers}, {&cfg.InFlight, &t.InFlight}, {&cfg.Cluster, &t.Cluster},
	} {
		if *f.from != 0 {
			*f.to = *f.from
		}
	}
	if t.BM != 0 {
		cfg.RowByRow, cfg.Producers, cfg.Consumers, cfg.InFlight, cfg.Cluster = t.RowByRow, t.Producers, t.Consumers, t.InFlight, t.Cluster
	}
	if t.BM != 0 || t.SplitK > 1 { // neither goes with programs that were chosen for other tiles
		cfg.Persistent = t.Persistent
	}
	if (cfg.Persistent == 0 || t.BN != 0) && cfg.Consumers > 1 && t.Consumers == 0 { // groups that were chosen have no such tiles to take turns with
		if cfg.Consumers = 0; t.Threads == 0 {
			cfg.Threads = min(2*cfg.BM, 256)
		}
	}
	if t.Order != (tile.Order{}) {
		cfg.Order = t.Order
	}
	cfg.Atomic = cfg.Atomic || t.Atomic
}
