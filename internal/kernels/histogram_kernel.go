package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// HistogramConfig is what Histogram is built for.
type HistogramConfig struct {
	Elem   weft.DType
	Weight weft.DType // of weights; Invalid for none
	Ranges bool       // bins are ranges of numbers; else elements are the numbers of their bins
	Rank   int        // dimensions after merging, at least 2
	HistogramSizes
}

// Histogram counts elements, or adds up their weights, by bins. Its views are x, weights of the same shape if there are any, and counts [P,B] of
// I32, or of F32 for weights of floats: programs add to one of the P rows each, in turn, so that those that count at the same time mostly use
// memory of their own. Where bins are ranges its scalars are the least number, the largest one, one divided by the size of a bin, that size in two parts, and
// the least number less B times the second part, all of F32.
var Histogram = weft.NewKernel("histogram", describeHistogram)

// sum is the type of counts.
func (cfg HistogramConfig) sum() weft.DType { return HistogramSum(cfg.Weight) }

// HistogramSum is the type of counts by weights of a type, which is Invalid for none.
func HistogramSum(weight weft.DType) weft.DType {
	if weight.IsFloat() {
		return dtype.F32
	}
	return dtype.I32
}

func describeHistogram(k *tile.Builder, cfg HistogramConfig) {
	x := k.In("x", cfg.Elem, cfg.Rank)
	var weights *tile.View
	if cfg.Weight.Valid() {
		weights = k.In("weights", cfg.Weight, cfg.Rank)
		for d := range cfg.Rank {
			k.Require(weights.Dim(d).Eq(x.Dim(d)))
		}
	}
	counts := k.InOut("counts", cfg.sum(), 2)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	bins := counts.Dim(1)
	binOf := func(v *tile.Value) (bin, inside *tile.Value) { return numberedBin(v, bins) }
	if cfg.Ranges {
		r := newBinRanges(k, bins)
		binOf = r.bin
	}

	shape := slices.Repeat([]int{1}, cfg.Rank)
	shape[cfg.Rank-2], shape[cfg.Rank-1] = cfg.Rows, cfg.Cols
	at := k.ProgramTile(x, shape...)
	block, area := x.Block(shape...), cfg.Rows*cfg.Cols
	run := min(max(cfg.Run, 1), area)
	flat := func(v *tile.Value) *tile.Value { return v.Reshape(area/run, run) }
	bin, inside := binOf(flat(block.Load(at...)))
	inside = inside.And(flat(block.Inside(at...)))
	weight := k.Full(cfg.sum(), 1, area/run, run)
	if weights != nil {
		weight = flat(weights.Block(shape...).Load(at...).Cast(cfg.sum()))
	}
	part := k.ProgramID(0).Rem(counts.Dim(0))
	if cfg.Run > 1 {
		// Elements that are in the bin of the first one of their run are added up before: atomic ops on one element wait for each other.
		first := k.Where(k.Iota(1, 1, run).Eq(0).And(inside), bin, -1).Max(1)
		same := bin.Eq(first).And(inside)
		counts.At(part, first).Mask(first.Ge(0)).AtomicAdd(k.Where(same, weight, 0).Sum(1))
		inside = inside.And(same.Not())
	}
	counts.At(part, bin).Mask(inside).AtomicAdd(weight)
}

// numberedBin are the bins of elements that are the numbers of them.
func numberedBin(v, bins *tile.Value) (bin, inside *tile.Value) {
	if elem := v.Type().Elem; elem.Size() < 4 {
		v = v.Cast(dtype.I32)
	}
	elem := v.Type().Elem
	inside = v.Lt(bins.Cast(elem))
	if elem.IsSigned() {
		inside = inside.And(v.Ge(0))
	}
	return v.Cast(dtype.I32), inside
}

// binRanges are bins of one size between two numbers. Edge i is start + (i+B)·rest + i·step, where the size of a bin is step + rest and products by
// step are exact; with one factor for both, compilers of shaders would add step and rest up, which rounds.
type binRanges struct {
	bins                                 *tile.Value
	least, most, rate, step, rest, start *tile.Value
}

func newBinRanges(k *tile.Builder, bins *tile.Value) *binRanges {
	scalar := func(name string) *tile.Value { return k.Scalar(name, dtype.F32) }
	return &binRanges{bins: bins, least: scalar("least"), most: scalar("most"), rate: scalar("rate"), step: scalar("step"), rest: scalar("rest"), start: scalar("start")}
}

// bin finds the bin by a product, which may be off by one, and then by the edges of the bin.
func (r *binRanges) bin(v *tile.Value) (bin, inside *tile.Value) {
	v = v.Cast(dtype.F32)
	shape := v.Type().Shape
	inside = v.Ge(r.least).And(v.Le(r.most)) // NaN is not
	last := r.bins.Sub(1)
	guess := v.Sub(r.least).Mul(r.rate).Cast(dtype.I32).Maximum(0).Minimum(last)
	edge := func(i *tile.Value) *tile.Value {
		rest := i.Add(r.bins).Cast(dtype.F32).FMA(r.rest.Splat(shape...), r.start.Splat(shape...))
		return i.Cast(dtype.F32).FMA(r.step.Splat(shape...), rest)
	}
	below := v.Lt(edge(guess)).And(guess.Gt(0))
	above := v.Ge(edge(guess.Add(1))).And(guess.Lt(last))
	return guess.Sub(below.Cast(dtype.I32)).Add(above.Cast(dtype.I32)), inside
}
