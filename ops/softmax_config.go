package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
)

// mergedRows brings x and out, which are not empty, into the fewest dimensions: those beside the
// rows ordered by out's strides and merged where they are one run in both, and the rows as the last
// dimension, or before the last where that runs with smaller strides.
func mergedRows(op string, axis int, x, out layout.Layout) (rows [2]layout.Layout, columns bool, err error) {
	both := []layout.Layout{x, out}
	kept := make([]layout.Layout, len(both))
	for i, l := range both {
		kept[i], _ = l.Select(axis, 0)
	}
	order := memoryOrder(kept[1])
	for i := range kept {
		kept[i], _ = kept[i].Permute(order...)
	}
	kept = layout.CoalesceTogether(kept...)
	at := kept[1].Rank()
	if err := checkMerged(op, x.Shape(), at+1); err != nil {
		return rows, false, err
	}
	size := func(stride int) int { return max(stride, -stride) }
	if columns = kept[1].Size(at-1) > 1 && size(kept[1].Stride(at-1)) < size(out.Stride(axis)); columns {
		at--
	}
	for i, l := range both {
		shape := slices.Insert(kept[i].Shape(), at, l.Size(axis))
		strides := slices.Insert(kept[i].Strides(), at, l.Stride(axis))
		if rows[i], err = layout.Strided(shape, strides, l.Offset()); err != nil {
			return rows, columns, err
		}
	}
	return rows, columns, nil
}

// softmaxWidest is the longest row that is held in one tile.
func softmaxWidest(caps target.Caps) int {
	if caps.Language == target.TileIR {
		return 1 << 16
	}
	return 8192
}

// SoftmaxConfigFor chooses the config for merged rows, and whether they are so long
// that they take SoftmaxOnlineKernel.
func SoftmaxConfigFor(caps target.Caps, elem weft.DType, rows layout.Layout) (cfg SoftmaxConfig, online bool) {
	p := softmaxPlanFor(caps, elem, rows, false)
	return p.cfg, p.online
}

// SoftmaxConfigs lists legal configs for tuning, for merged rows in the last dimension, the launch
// rule's first.
func SoftmaxConfigs(caps target.Caps, elem weft.DType, rows layout.Layout) []SoftmaxConfig {
	chosen, online := SoftmaxConfigFor(caps, elem, rows)
	list := []SoftmaxConfig{chosen}
	add := func(cfg SoftmaxConfig) {
		if !slices.Contains(list, cfg) {
			list = append(list, cfg)
		}
	}
	for _, threads := range []int{chosen.Threads / 2, chosen.Threads, min(2*chosen.Threads, max(caps.MaxThreads, chosen.Threads))} {
		for _, shift := range []int{-1, 0, 1} {
			cfg := chosen
			cfg.Threads = threads
			size := &cfg.Rows
			if online {
				size = &cfg.Cols
			}
			if *size = pow2.Floor(*size << 1 >> (shift + 1)); cfg.Rows*cfg.Cols <= softmaxWidest(caps) {
				add(cfg)
			}
		}
	}
	return list
}

// softmaxPlan is how a softmax is computed.
type softmaxPlan struct {
	cfg    SoftmaxConfig
	online bool
	parts  int // of a row, if more than 1
}

// softmaxPlanFor chooses the plan for merged rows, which lie in the last dimension or, as columns,
// before it.
func softmaxPlanFor(caps target.Caps, elem weft.DType, rows layout.Layout, columns bool) softmaxPlan {
	p := softmaxPlan{cfg: SoftmaxConfig{Elem: elem, Rank: rows.Rank(), Columns: columns}, parts: 1}
	cfg := &p.cfg
	axis := cfg.axis()
	length, beside := rows.Size(axis), pow2.Ceil(rows.Size(2*cfg.Rank-3-axis))
	widest, area := softmaxWidest(caps), 1024
	if caps.Language == target.TileIR {
		area = 1 << 15
	}
	least := 1 // rows side by side: as columns, they fill transactions of memory
	if columns {
		least = min(beside, 32)
	}
	cfg.Cols = pow2.Ceil(length)
	if p.online = cfg.Cols*least > widest; p.online {
		cfg.Cols = widest / 4 / least
	}
	cfg.Threads = softmaxThreads(caps, cfg.Cols*least)
	cfg.Rows = least
	if !p.online {
		cfg.Rows = max(least, min(area/cfg.Cols, beside))
		return p
	}
	tiles := rows.Len() / length / rows.Size(2*cfg.Rank-3-axis) * ceilDiv(rows.Size(2*cfg.Rank-3-axis), cfg.Rows)
	// Every program of the second pass reads all parts of its rows, into one tile: fewer than of a sum.
	steps := ceilDiv(length, cfg.Cols)
	if parts := min(reduceSizesFor(caps).programs/2/tiles, steps/2, widest/2/cfg.Rows); parts > 1 {
		p.parts = ceilDiv(steps, ceilDiv(steps, parts))
		cfg.Parts = pow2.Ceil(p.parts)
	}
	return p
}

// softmaxThreads are those of a workgroup that holds rows of cols elements.
func softmaxThreads(caps target.Caps, cols int) int {
	if caps.Language == target.TileIR {
		return 0
	}
	threads := min(max(cols/8, 128), 256)
	threads = caps.FitThreads(threads)
	return threads
}
