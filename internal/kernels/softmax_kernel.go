package kernels

import (
	"iter"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Softmax holds a whole row in one tile; its views are x and out.
var Softmax = weft.NewKernel("softmax", DescribeSoftmax)

// SoftmaxOnline walks rows of any length tile by tile, twice: once for the
// largest element and the sum of exponentials, and once to write. Its views are x and out.
//
// A thread keeps both for the elements that it meets, and corrects the sum whenever it meets a larger one
// (Milakov and Gimelshein, Online Normalizer Calculation for Softmax, 2018); threads meet once, at the end.
var SoftmaxOnline = weft.NewKernel("softmax_online", describeSoftmaxOnline)

// SoftmaxParts is the first pass over rows that several programs share: the largest element
// and the sum of exponentials of each part of a row. Its views are x, and top and sum of F32, or of F64 of such rows, with
// the parts in place of the row.
var SoftmaxParts = weft.NewKernel("softmax_parts", describeSoftmaxParts)

// SoftmaxSpread is the second pass: every program combines all parts, in one order, and writes
// its own. Its views are x, top, sum and out.
var SoftmaxSpread = weft.NewKernel("softmax_spread", describeSoftmaxSpread)

// lowest is where the search for a row's largest element starts. It is finite so
// that rows that begin with -infinity do not meet -inf - -inf; a row of nothing
// else has the sum 0 and becomes 0/0, NaN.
const lowest = -math.MaxFloat32

// lowest is that of the type that a softmax is computed in.
func (cfg SoftmaxConfig) lowest() float64 {
	if cfg.Elem == dtype.F64 {
		return -math.MaxFloat64
	}
	return lowest
}

// wide is the type that a softmax is computed in.
func (cfg SoftmaxConfig) wide() weft.DType { return cfg.Elem.Accumulator() }

// DescribeSoftmax describes the kernel Softmax, for those who build it anew.
func DescribeSoftmax(k *tile.Builder, cfg SoftmaxConfig) {
	s := newSoftmaxRows(k, cfg)
	s.declareOut()
	s.at = k.ProgramTile(s.out, cfg.block(0)...) // a program has whole rows
	tiles := wholeRow{cfg.Cols, cfg.Rest}.each()
	for d := range cfg.Rank {
		k.Require(s.x.Dim(d).Eq(s.out.Dim(d)))
	}
	if len(tiles) > 1 {
		k.Require(s.out.Dim(cfg.Axis()).Ge(cfg.Cols))
	}
	v, e := make([]*tile.Value, len(tiles)), make([]*tile.Value, len(tiles))
	for i, t := range tiles {
		s.at[cfg.Axis()] = t.at
		v[i] = s.load(t.cols)
	}
	top := s.over(v, (*tile.Value).Max, (*tile.Value).Maximum).Maximum(cfg.lowest())
	for i := range tiles {
		v[i] = s.relative(v[i], top)
		e[i] = s.power(v[i])
	}
	sum := s.over(e, (*tile.Value).Sum, (*tile.Value).Add)
	if cfg.Log {
		sum = logOf(sum)
	} else {
		sum = shareOf(sum)
	}
	for i, t := range tiles {
		s.at[cfg.Axis()] = t.at
		if cfg.Log {
			s.store(v[i].Sub(sum), t.cols)
		} else {
			s.store(e[i].Mul(sum), t.cols)
		}
	}
}

// over reduces the tiles of a row to one value.
func (s *softmaxRows) over(tiles []*tile.Value, reduce func(v *tile.Value, axis int) *tile.Value, join func(v *tile.Value, x tile.Operand) *tile.Value) *tile.Value {
	if len(tiles) == 1 {
		return reduce(tiles[0], s.cfg.Axis())
	}
	return overTwo(tiles, s.cfg.Axis(), reduce, join)
}

func describeSoftmaxOnline(k *tile.Builder, cfg SoftmaxConfig) {
	s := newSoftmaxRows(k, cfg)
	s.declareOut()
	s.at = k.ProgramTile(s.out, cfg.block(0)...)
	steps := k.CDiv(s.out.Dim(cfg.Axis()), cfg.Cols)
	top, sum := s.normalizer(0, steps)
	s.spread(lastFirst(k, 0, steps), top, sum)
}

func describeSoftmaxParts(k *tile.Builder, cfg SoftmaxConfig) {
	s := newSoftmaxRows(k, cfg)
	tops, sums := k.Out("top", cfg.wide(), cfg.Rank), k.Out("sum", cfg.wide(), cfg.Rank)
	part := cfg.block(1)
	s.at = k.ProgramTile(tops, part...)
	to := append([]tile.Operand{}, s.at...)
	top, sum := s.normalizer(s.run(tops))
	tops.Block(part...).Store(top, to...)
	sums.Block(part...).Store(sum, to...)
}

func describeSoftmaxSpread(k *tile.Builder, cfg SoftmaxConfig) {
	s := newSoftmaxRows(k, cfg)
	tops, sums := k.In("top", cfg.wide(), cfg.Rank), k.In("sum", cfg.wide(), cfg.Rank)
	s.declareOut()
	s.at = k.ProgramTile(tops, cfg.block(1)...)
	from, to := s.run(tops)
	s.at[cfg.Axis()] = 0
	parts := cfg.block(cfg.Parts)
	top, sum := s.combine(tops.Block(parts...).Fill(cfg.lowest()).Load(s.at...), sums.Block(parts...).Load(s.at...))
	s.spread(k.RangeStep(from, to, 1), top, sum)
}

// softmaxRows are the rows of one program.
type softmaxRows struct {
	k     *tile.Builder
	cfg   SoftmaxConfig
	x     *tile.View
	out   *tile.View
	scale *tile.Value
	at    []tile.Operand // of the tile at hand
}

// newSoftmaxRows declares what all kernels begin with.
func newSoftmaxRows(k *tile.Builder, cfg SoftmaxConfig) *softmaxRows {
	s := &softmaxRows{k: k, cfg: cfg, x: k.In("x", cfg.Elem, cfg.Rank)}
	if cfg.Scaled != Unscaled {
		s.scale = realParameter(k, "scale", cfg.Elem)
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	return s
}

func (s *softmaxRows) declareOut() { s.out = s.k.Out("out", s.cfg.Elem, s.cfg.Rank) }

// load reads the tile at hand, with cols elements of each row.
func (s *softmaxRows) load(cols int) *tile.Value {
	v := s.x.Block(s.cfg.block(cols)...).Fill(math.Inf(-1)).Load(s.at...).Cast(s.cfg.wide())
	switch s.cfg.Scaled {
	case ScaleXTwice:
		v = v.Mul(0x1p-64).Mul(s.scale)
	case ScaleX:
		v = v.Mul(s.scale)
	}
	return v
}

// relative is the difference of elements to a larger one, which is scaled if they are not yet.
func (s *softmaxRows) relative(v, top *tile.Value) *tile.Value {
	v = v.Sub(top)
	if s.cfg.Scaled == ScaleDifferences {
		v = v.Mul(s.scale)
	}
	return v
}

// power is the exponential of a difference that relative gives. Of elements of 16 bits it is a power of two, which GPUs have an instruction
// for: the rounding of its argument adds 2^-24 for each doubling, to results of which 2^-11 is lost.
func (s *softmaxRows) power(v *tile.Value) *tile.Value {
	if s.cfg.Elem.Size() == 2 {
		return v.Mul(math.Log2E).Exp2()
	}
	return v.Exp()
}

func (s *softmaxRows) store(v *tile.Value, cols int) {
	s.out.Block(s.cfg.block(cols)...).Store(v.Cast(s.cfg.Elem), s.at...)
}

// run is the run of tiles that make up the program's part of a row.
func (s *softmaxRows) run(parts *tile.View) (from, to tile.Operand) {
	axis := s.cfg.Axis()
	steps := s.k.CDiv(s.x.Dim(axis), s.cfg.Cols)
	return partOf(s.k, steps, parts.Dim(axis), s.at[axis].(*tile.Value))
}

// normalizer walks tiles for the largest element and the sum of exponentials.
func (s *softmaxRows) normalizer(from, to tile.Operand) (top, sum *tile.Value) {
	shape := s.cfg.block(s.cfg.Cols)
	tops, sums := s.k.Var(s.k.Full(s.cfg.wide(), s.cfg.lowest(), shape...)), s.k.Var(s.k.Zeros(s.cfg.wide(), shape...))
	for i := range s.k.RangeStep(from, to, 1) {
		s.at[s.cfg.Axis()] = i
		v, top, sum := s.load(s.cfg.Cols), tops.Get(), sums.Get()
		less := s.power(s.relative(v, top).Abs().Neg()) // of the two that the one exponential is of the other
		sums.Set(s.k.Where(v.Gt(top), sum.FMA(less, 1), sum.Add(less)))
		tops.Set(top.Maximum(v))
	}
	return s.combine(tops.Get(), sums.Get())
}

// combine combines largest elements and the sums that belong to them.
func (s *softmaxRows) combine(tops, sums *tile.Value) (top, sum *tile.Value) {
	axis := s.cfg.Axis()
	top = tops.Max(axis)
	return top, sums.Mul(s.power(s.relative(tops, top))).Sum(axis)
}

// shareOf is what an exponential is multiplied by to be a share of a sum. That is one division a row: a correctly rounded division takes a
// dozen instructions, and a branch more where one of the two is 0 or not a normal number, as all elements beyond the edge of x are.
func shareOf(sum *tile.Value) *tile.Value { return ofPositive(sum, sum.Builder().Div(1, sum)) }

// logOf is the logarithm of a sum of exponentials.
func logOf(sum *tile.Value) *tile.Value { return ofPositive(sum, sum.Log()) }

// ofPositive is what a sum of exponentials gives, and NaN where the sum is NaN or 0, since the row has no softmax then. Compilers of
// shaders may take the product of one exponential and its reciprocal for 1, and the difference of its logarithm and itself for 0, as if
// there were no infinities; they cannot know of bits.
func ofPositive(sum, result *tile.Value) *tile.Value {
	var positive *tile.Value
	if sum.Type().Elem == dtype.F64 { // which no shader has
		positive = sum.Gt(0).And(sum.Lt(math.Inf(1)))
	} else {
		positive = sum.Bitcast(dtype.U32).Sub(1).Lt(infinityBits - 1)
	}
	return sum.Builder().Where(positive, result, math.NaN())
}

// spread walks tiles to write the results.
func (s *softmaxRows) spread(tiles iter.Seq[*tile.Value], top, sum *tile.Value) {
	if s.cfg.Log {
		sum = logOf(sum)
	} else {
		sum = shareOf(sum)
	}
	for i := range tiles {
		s.at[s.cfg.Axis()] = i
		v := s.relative(s.load(s.cfg.Cols), top)
		if s.cfg.Log {
			s.store(v.Sub(sum), s.cfg.Cols)
		} else {
			s.store(s.power(v).Mul(sum), s.cfg.Cols)
		}
	}
}
