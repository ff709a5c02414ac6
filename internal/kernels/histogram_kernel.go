package kernels

import (
	"math"
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
//
// With cfg.Local a program counts the elements of its tiles by itself, by the tile's Histogram, and adds these counts to memory at the end.
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
	h := &histogram{k: k, cfg: cfg, x: x, weights: weights, counts: counts}
	if cfg.Ranges {
		h.ranges = newBinRanges(k, counts.Dim(1))
	}
	h.shape = slices.Repeat([]int{1}, cfg.Rank)
	h.shape[cfg.Rank-2], h.shape[cfg.Rank-1] = cfg.Rows, cfg.Cols
	if cfg.Local > 0 {
		h.countLocally()
	} else {
		h.countInMemory()
	}
}

// histogram describes the kernel.
type histogram struct {
	k                  *tile.Builder
	cfg                HistogramConfig
	x, weights, counts *tile.View // weights is nil for none
	ranges             *binRanges // nil where elements are the numbers of their bins
	shape              []int      // of a tile
}

// runs are a tile's elements in rows of those that are added up before.
func (h *histogram) runs(v *tile.Value) *tile.Value {
	run := min(max(h.cfg.Run, 1), h.cfg.Rows*h.cfg.Cols)
	return v.Reshape(h.cfg.Rows*h.cfg.Cols/run, run)
}

// load is the bins of a tile's elements, and which of them have one.
func (h *histogram) load(at []tile.Operand) (bin, inside *tile.Value) {
	block := h.x.Block(h.shape...)
	v := h.runs(block.Load(at...))
	if h.ranges != nil {
		bin, inside = h.ranges.bin(v)
	} else {
		bin, inside = numberedBin(v, h.counts.Dim(1))
	}
	return bin, inside.And(h.runs(block.Inside(at...)))
}

// loadBins is the bins of a tile's elements, for those without one a number below 0 or, where elements are numbers of bins, one that counts do not have.
func (h *histogram) loadBins(at []tile.Operand) *tile.Value {
	block, elem := h.x.Block(h.shape...), h.cfg.Elem
	switch {
	case h.ranges != nil && elem.IsFloat(): // which minus infinity is not within
		bin, inside := h.ranges.bin(h.runs(block.Fill(math.Inf(-1)).Load(at...)))
		return h.k.Where(inside, bin, -1)
	case h.ranges == nil && elem == dtype.U32:
		return h.runs(block.Fill(math.MaxUint32).Load(at...)).Bitcast(dtype.I32)
	case h.ranges == nil && elem.IsSigned() && elem.Size() <= 4:
		return h.runs(block.Fill(-1).Load(at...)).Cast(dtype.I32)
	}
	bin, inside := h.load(at)
	return h.k.Where(inside, bin, -1)
}

// loadWeights is the weights of a tile's elements.
func (h *histogram) loadWeights(at []tile.Operand) *tile.Value {
	if h.weights == nil {
		return h.runs(h.k.Full(h.cfg.sum(), 1, h.cfg.Rows, h.cfg.Cols))
	}
	return h.runs(h.weights.Block(h.shape...).Load(at...).Cast(h.cfg.sum()))
}

// same is the bin of the first element of each run, -1 where it has none, which elements are in it, and the sum of their weights.
func (h *histogram) same(bin, inside, weight *tile.Value) (first, same, sum *tile.Value) {
	run := bin.Type().Shape[1]
	first = h.k.Where(h.k.Iota(1, 1, run).Eq(0).And(inside), bin, -1).Max(1)
	same = bin.Eq(first).And(inside)
	return first, same, h.k.Where(same, weight, 0).Sum(1)
}

// countInMemory adds the elements of a program's tile to a row of counts. Elements that are in the bin of the first one of their run are added up before: atomic ops
// on one element wait for each other.
func (h *histogram) countInMemory() {
	k := h.k
	at := k.ProgramTile(h.x, h.shape...)
	bin, inside := h.load(at)
	weight, part := h.loadWeights(at), k.ProgramID(0).Rem(h.counts.Dim(0))
	if h.cfg.Run > 1 {
		first, same, sum := h.same(bin, inside, weight)
		h.counts.At(part, first).Mask(first.Ge(0)).AtomicAdd(sum)
		inside = inside.And(same.Not())
	}
	h.counts.At(part, bin).Mask(inside).AtomicAdd(weight)
}

// countLocally counts the elements of a program's tiles and adds the counts to memory at the end. The first element of a run stands for those in its bin.
func (h *histogram) countLocally() {
	k, total, sizes := h.k, h.k.Int(1), make([]*tile.Value, h.cfg.Rank)
	for d, n := range h.shape {
		sizes[d] = k.CDiv(h.x.Dim(d), n)
		total = total.Mul(sizes[d])
	}
	k.Grid(total.Minimum(h.cfg.Programs))
	counts := k.Var(k.Zeros(h.cfg.sum(), h.cfg.Local))
	for t := range k.Persistent(total) {
		at := make([]tile.Operand, h.cfg.Rank)
		for d := h.cfg.Rank - 1; d > 0; d-- {
			at[d], t = t.Rem(sizes[d]), t.Div(sizes[d])
		}
		at[0] = t
		bin, weight := h.loadBins(at), h.loadWeights(at)
		if h.cfg.Run > 1 {
			first, same, sum := h.same(bin, bin.Ge(0), weight)
			head := k.Iota(1, 1, bin.Type().Shape[1]).Eq(0)
			bin = k.Where(head, first, k.Where(same, -1, bin))
			weight = k.Where(head, sum, weight)
		}
		counts.Set(counts.Get().Add(bin.Histogram(h.cfg.Local, weight)))
	}
	sum, to := counts.Get(), h.counts.At(0, k.Arange(h.cfg.Local))
	if h.cfg.sum().IsInt() { // a sum that is NaN may be equal to 0
		to = to.Mask(sum.Ne(0))
	}
	to.AtomicAdd(sum)
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
