package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// ResizeConfig is what Resize and ResizeGrad are built for.
type ResizeConfig struct {
	Elem weft.DType
	Rank int           // dimensions after merging
	Taps [MaxRank]int8 // how many elements are weighted along each dimension, 0 where it stays as it is
	Wide [MaxRank]bool // along which dimensions numbers of more than 31 bits are divided
	// Reach is how many results the gradient adds up along each dimension, one after the other; 0 where a scalar says it and a loop adds them up.
	Reach [MaxRank]int32
	MoveSizes
}

// Resize is the kernel of Resize. Its views are x and out. Its scalars are, for each dimension that is resized, those of its line, and with more taps
// than one the reciprocal of its divisor. An element of out is a weighted sum of those next to its place, along each dimension by itself. Places are
// counted in integers, so that what weights are computed from is exact.
//
// An element whose weight is 0 is not read.
var Resize = weft.NewKernel("resize", describeResize)

// resizing is what the descriptions of Resize and ResizeGrad know.
type resizing struct {
	k     *tile.Builder
	cfg   ResizeConfig
	x     *tile.View
	block []int
	lines [MaxRank]line
}

// line is a dimension: the elements that are added up along it, and their weights, which are nil where there is one with a weight of 1.
type line struct {
	lineQuotient
	reciprocal *tile.Value // of the divisor of places
	index      []*tile.Value
	weight     []*tile.Value

	// of a gradient
	mul, add, div *tile.Value // of the line of the result
	count         *tile.Value // how many results are added up
	element       *tile.Value // the indices of elements
	start         *tile.Value // the first result that has a part of each
	last          *tile.Value // the index of the last element
}

func newResizing(k *tile.Builder, cfg ResizeConfig) *resizing {
	return &resizing{k: k, cfg: cfg, x: k.In("x", cfg.Elem, cfg.Rank), block: cfg.Block[:cfg.Rank]}
}

func (r *resizing) accumulator() weft.DType { return r.cfg.Elem.Accumulator() }

// places are the indices along a dimension of the elements of a program's tile.
func (r *resizing) places(d int, at []tile.Operand) *tile.Value {
	shape := slices.Repeat([]int{1}, len(r.block))
	shape[d] = r.block[d]
	return r.k.Iota(d, shape...).Add(r.k.Int(r.block[d]).Mul(at[d]))
}

func describeResize(k *tile.Builder, cfg ResizeConfig) {
	r := newResizing(k, cfg)
	out := k.Out("out", cfg.Elem, cfg.Rank)
	for d := range cfg.Rank {
		if cfg.Taps[d] == 0 {
			continue
		}
		l := &r.lines[d]
		l.lineQuotient = newQuotient(k, fmt.Sprintf("line%d", d), cfg.Wide[d])
		if cfg.Taps[d] > 1 {
			l.reciprocal = realParameter(k, fmt.Sprintf("reciprocal%d", d), cfg.Elem)
		}
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(out, r.block...)
	for d := range cfg.Rank {
		place := r.places(d, at)
		if cfg.Taps[d] == 0 {
			r.lines[d].index = []*tile.Value{r.stays(d, place)}
			continue
		}
		r.taps(d, place.Minimum(out.Dim(d).Sub(1)), r.last(d))
	}
	out.Block(r.block...).Store(r.sum(0, make([]tile.Operand, cfg.Rank)).Cast(cfg.Elem), at...)
}

// stays are the indices along a dimension that stays as it is. Those of the last dimension are as they are, so that elements next to each other are read as
// vectors.
func (r *resizing) stays(d int, place *tile.Value) *tile.Value {
	if d == r.cfg.Rank-1 {
		return place
	}
	return place.Minimum(r.last(d))
}

// last is the index of the last element along a dimension, of which there is one where a program has results. With it the compiler knows that
// indices up to it are within x.
func (r *resizing) last(d int) *tile.Value {
	n := r.x.Dim(d)
	r.k.Assume(n.Ge(1))
	return n.Sub(1)
}

// taps finds the elements next to the places of results, and their weights. Where a place is that of an element, all taps are that element, with
// equal weights whose sum is 1, so that no other one has a part in the result.
func (r *resizing) taps(d int, place, last *tile.Value) {
	k, l := r.k, &r.lines[d]
	before, rest := l.of(place)
	taps := int(r.cfg.Taps[d])
	if taps == 1 {
		l.index = []*tile.Value{before.Clamp(0, last)}
		return
	}
	if taps == 2 {
		rest = k.Where(before.Lt(last), rest, 0)
	}
	on := rest.Eq(0)
	real := func(v *tile.Value) *tile.Value { return v.Cast(r.accumulator()).Mul(l.reciprocal) }
	a, b := real(rest), real(l.by.n.Sub(rest))
	l.weight = []*tile.Value{b, a}
	first := 0
	if taps == 4 {
		first = -1
		l.weight = []*tile.Value{cubicFar(a, b), cubicNear(a, b), cubicNear(b, a), cubicFar(b, a)}
		before = before.Sub(1) // the line of four taps is one element further
	}
	for t := range taps {
		l.index = append(l.index, before.Add(k.Where(on, 0, t+first)).Clamp(0, last))
		l.weight[t] = k.Where(on, 1/float64(taps), l.weight[t])
	}
}

// cubicSlope is the parameter of the cubic convolution (Keys, Cubic Convolution Interpolation for Digital Image Processing, 1981).
const cubicSlope = -0.75

// cubicNear is the weight of an element at distance a below 1, with b = 1 - a: (s+2)·a³ - (s+3)·a² + 1 for a slope s, as a product in which nothing cancels.
func cubicNear(a, b *tile.Value) *tile.Value {
	return a.Mul(a.Mul(-(cubicSlope + 2)).Add(1)).Add(1).Mul(b)
}

// cubicFar is that of one at distance 1 + a, with b = 1 - a: s·(d³ - 5·d² + 8·d - 4) at distance d.
func cubicFar(a, b *tile.Value) *tile.Value { return a.Mul(cubicSlope).Mul(b).Mul(b) }

// sum is the weighted sum over the dimensions from d on.
func (r *resizing) sum(d int, index []tile.Operand) *tile.Value {
	if d == r.cfg.Rank {
		v := r.x.At(index...).Gather()
		if r.moves() {
			return v
		}
		return v.Cast(r.accumulator())
	}
	var sum *tile.Value
	l := &r.lines[d]
	for t, i := range l.index {
		index[d] = i
		v := r.sum(d+1, index)
		switch {
		case l.weight == nil:
			sum = v
		case sum == nil:
			sum = v.Mul(l.weight[t])
		default:
			sum = v.FMA(l.weight[t], sum)
		}
	}
	return sum
}

// moves reports whether elements stay as they are.
func (r *resizing) moves() bool {
	return !slices.ContainsFunc(r.cfg.Taps[:], func(n int8) bool { return n > 1 })
}

// Scalars are the kernel's for lines of a result.
func (p ResizeProblem) Scalars(lines []ResizeLine) (list weft.Scalars) {
	for d, l := range lines {
		taps := int(p.Taps[d])
		if taps == 0 {
			continue
		}
		if l = l.forward(taps); p.Wide[d] {
			l = l.divisible()
		}
		if list = append(list, l.scalars(p.Wide[d])...); taps > 1 {
			list = append(list, RealScalars(p.Elem, 1/float64(l.Div))...)
		}
	}
	return list
}
