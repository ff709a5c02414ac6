package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// NormConfig is what NormKernel is built for.
type NormConfig struct {
	Rows         ReduceConfig // how rows, its reduced dimensions, are walked; Op, Out, Pass and Split are left at 0
	RMS          bool         // of RMSNorm, not LayerNorm
	Weight, Bias bool         // are there
}

// Norm is the kernel of LayerNorm and RMSNorm. A row that fits stays in registers between its
// statistics and the result; longer ones are walked twice. Its views are x, weight and bias as far
// as they are there, with size 1 in dimensions beside the row, and out; its scalar parameter is
// epsilon.
var Norm = weft.NewKernel("normalise", describeNorm)

func describeNorm(k *tile.Builder, cfg NormConfig) {
	rows := cfg.Rows
	x := k.In("x", rows.Elem, rows.Rank)
	var weight, bias *tile.View
	if cfg.Weight {
		weight = k.In("weight", rows.Elem, rows.Rank)
	}
	if cfg.Bias {
		bias = k.In("bias", rows.Elem, rows.Rank)
	}
	out := k.Out("out", rows.Elem, rows.Rank)
	epsilon := k.Scalar("epsilon", dtype.F32)
	k.Schedule(tile.Schedule{Threads: rows.Threads})

	e := newElement(k, rows, x, k.ProgramTile(out, rows.grid()...))
	r := spreading
	if cfg.RMS {
		r = squaring
	}
	s := e.reduce(r, []*tile.View{x}, nil)
	scale := r.finish(s).Div(e.count()).Add(epsilon).Rsqrt()
	part := slices.Clone(e.shape) // of weight and bias
	for d := range part {
		if !rows.Reduced[d] {
			part[d] = 1
		}
	}
	beside := func(v *tile.View) *tile.Value {
		at := slices.Clone(e.at)
		for d := range at {
			if !rows.Reduced[d] {
				at[d] = 0
			}
		}
		return v.Block(part...).Load(at...).Cast(dtype.F32)
	}
	e.walk(0, nil, func() {
		v := e.value
		if rows.Walks() {
			v = e.load(x, zero).Cast(dtype.F32)
		}
		if !cfg.RMS {
			v = v.Sub(s[1])
		}
		v = v.Mul(scale)
		if weight != nil {
			v = v.Mul(beside(weight))
		}
		if bias != nil {
			v = v.Add(beside(bias))
		}
		out.Block(e.shape...).Store(v.Cast(rows.Elem), e.at...)
	})
}

// squaring is the reduction to the sum of squares.
var squaring = reducer{
	Fill:   zero,
	States: func(weft.DType) []slot { return []slot{{"squares", weft.F32, zero}} },
	lift:   func(e element) []*tile.Value { return []*tile.Value{e.value.Mul(e.value)} },
	step: func(s []*tile.Value, e element) []*tile.Value {
		return []*tile.Value{e.value.FMA(e.value, s[0])}
	},
	gather: func(_ element, s []*tile.Value, axes []int) []*tile.Value {
		return []*tile.Value{over(axes, s[0], (*tile.Value).Sum)}
	},
	finish: first,
}

// NormSizes are what is chosen for a device; the rest of a config follows from them.
type NormSizes struct {
	Area    int // elements of a tile
	Threads int // of a workgroup
}

// NormConfigFor chooses how rows of merged dimensions of x are normalised; which norm it is, is the
// caller's to add.
func NormConfigFor(caps target.Caps, elem weft.DType, x layout.Layout, row [MaxRank]bool) NormConfig {
	return NormSizesFor(caps, x, row).ConfigFor(elem, x, row)
}

// NormLength is the number of elements of a row, rounded up in each dimension.
func NormLength(x layout.Layout, row [MaxRank]bool) int {
	length := 1
	for d := range x.Rank() {
		if row[d] {
			length *= pow2.Ceil(x.Size(d))
		}
	}
	return length
}

// NormSizesFor is the launch rule.
func NormSizesFor(caps target.Caps, x layout.Layout, row [MaxRank]bool) NormSizes {
	length := NormLength(x, row)
	area, sizes := 2048, reduceSizesFor(caps)
	if caps.Language == target.TileIR || sizes.Area < area {
		area = sizes.Area
	}
	area = min(area, pow2.Floor(x.Len()/sizes.Programs))
	if length <= SoftmaxWidest(caps) {
		area = max(area, length)
	} else {
		area = sizes.Area / 2 // of which the statistics take three times as many registers
	}
	return NormSizes{max(area, 32), normThreads(caps, length)}
}

// normThreads gives each thread up to 32 elements of a row: they stay in registers, and the two sums over a row meet in fewer warps.
func normThreads(caps target.Caps, length int) int {
	if caps.Language == target.TileIR {
		return 0
	}
	return caps.FitThreads(min(max(length/32, 128), 256))
}

// NormSpace lists the sizes to choose from, the launch rule's first.
func NormSpace(caps target.Caps, x layout.Layout, row [MaxRank]bool) []NormSizes {
	chosen := NormSizesFor(caps, x, row)
	list := []NormSizes{chosen}
	for _, threads := range slices.Compact([]int{chosen.Threads / 4, chosen.Threads / 2, chosen.Threads, 2 * chosen.Threads}) {
		for _, area := range []int{512, 1024, 2048, 4096, 8192, chosen.Area / 2, chosen.Area, 2 * chosen.Area} {
			if s := (NormSizes{area, threads}); !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list
}

// Legal says why sizes are refused.
func (s NormSizes) Legal(caps target.Caps) error {
	if err := checkThreads(caps, s.Threads); err != nil {
		return err
	}
	if err := checkPowers(s.Area); err != nil {
		return err
	}
	if most := SoftmaxWidest(caps); s.Area > most {
		return fmt.Errorf("a tile of %d elements, want at most %d", s.Area, most)
	}
	return checkArea(caps, s.Area, s.Threads)
}

func (s NormSizes) ConfigFor(elem weft.DType, x layout.Layout, row [MaxRank]bool) NormConfig {
	cfg := ReduceConfig{Elem: elem, Rank: x.Rank(), Reduced: row, Threads: s.Threads}
	cfg.fill(s.Area, x)
	return NormConfig{Rows: cfg}
}

// NormConfigs lists legal configs for tuning, the launch rule's first.
func NormConfigs(caps target.Caps, elem weft.DType, x layout.Layout, row [MaxRank]bool) []NormConfig {
	var list []NormConfig
	for _, s := range NormSpace(caps, x, row) {
		if cfg := s.ConfigFor(elem, x, row); s.Legal(caps) == nil && !slices.Contains(list, cfg) {
			list = append(list, cfg)
		}
	}
	return list
}
