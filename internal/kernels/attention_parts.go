package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// AttentionParts is the second pass of attention whose keys are cut into parts: it adds what the parts give, each by its share
// of the sum of all exponentials, in one order. Its views are results [P,B,H,S,D] and sums [P,B,H,S] as the first pass
// stores them, then out [B,H,S,D] and with cfg.LSE lse [B,H,S].
var AttentionParts = weft.NewKernel("attention_parts", describeAttentionParts)

// AttentionPartsConfig is what AttentionParts is built for.
type AttentionPartsConfig struct {
	Elem    weft.DType // of the result
	Rows    int        // queries of one program, a power of two
	Cols    int        // elements of their heads, a power of two
	AtOnce  int        // parts that are loaded before any is added, a power of two
	LSE     bool       // the logarithms of the sums of exponentials are stored, too
	Threads int        // of a workgroup; 0 lets the compiler choose
}

// AttentionPartsConfigFor chooses the config for parts of queries of a head, each of so many elements. There are few of them, since the number of parts
// changes with the number of keys.
func AttentionPartsConfigFor(caps target.Caps, elem weft.DType, parts, queries, head int) AttentionPartsConfig {
	cfg := AttentionPartsConfig{Elem: elem, Rows: 1, Cols: pow2.Ceil(max(head, 1)), AtOnce: 64}
	switch {
	case caps.WholeTiles:
	case scarce(caps):
		cfg.AtOnce, cfg.Threads = 2, caps.FitThreads(cfg.Cols)
	default: // a line of each part, and all parts at once where a program has room
		cfg.Cols, cfg.Threads = min(cfg.Cols, 32), caps.FitThreads(256)
		for cfg.AtOnce > 4 && cfg.AtOnce/4 >= parts {
			cfg.AtOnce /= 4
		}
		cfg.Rows = max(min(8*cfg.Threads/(cfg.AtOnce*cfg.Cols), pow2.Floor(max(queries, 1))), 1)
	}
	return cfg
}

func describeAttentionParts(k *tile.Builder, cfg AttentionPartsConfig) {
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	results, sums := k.In("results", dtype.F32, 5), k.In("sums", dtype.F32, 4)
	out := k.Out("out", cfg.Elem, 4)
	var lse *tile.View
	if cfg.LSE {
		lse = k.Out("lse", dtype.F32, 3)
	}
	at := k.ProgramTile(out, 1, 1, cfg.Rows, cfg.Cols)
	parts := []int{cfg.AtOnce, 1, 1, cfg.Rows, cfg.Cols}
	row := []int{1, cfg.Rows, 1}
	largest, total := k.Var(k.Full(dtype.F32, lowest, row...)), k.Var(k.Zeros(dtype.F32, row...))
	acc := k.Var(k.Zeros(dtype.F32, 1, cfg.Rows, cfg.Cols))
	for p := range k.Range(k.CDiv(results.Dim(0), cfg.AtOnce)) {
		s := sums.Block(parts[:4]...).Squeeze(1, 2).Fill(math.Inf(-1)).Load(p, at[0], at[1], at[2]).Reshape(cfg.AtOnce, cfg.Rows, 1)
		x := results.Block(parts...).Squeeze(1, 2).Load(append([]tile.Operand{p}, at...)...)
		top := largest.Get().Maximum(s.Max(0))
		weights, shrink := s.Sub(top).Exp2(), largest.Get().Sub(top).Exp2()
		total.Set(total.Get().Mul(shrink).Add(weights.Sum(0)))
		acc.Set(acc.Get().Mul(shrink).Add(x.Mul(weights).Sum(0)))
		largest.Set(top)
	}
	none := total.Get().Eq(0)
	share := k.Full(dtype.F32, 1, row...)
	share = share.Div(k.Where(none, share, total.Get()))
	rowsOf(out, cfg.Rows, cfg.Cols).Store(acc.Get().Mul(share).Cast(cfg.Elem).Reshape(cfg.Rows, cfg.Cols), at...)
	if cfg.LSE {
		k.If(at[3].(*tile.Value).Eq(0), func() {
			sum := k.Where(none, k.Full(dtype.F32, math.Inf(-1), row...), largest.Get().Add(total.Get().Log2()).Mul(math.Ln2))
			rowsOf(lse, cfg.Rows).Store(sum.Reshape(cfg.Rows), at[:3]...)
		})
	}
}
