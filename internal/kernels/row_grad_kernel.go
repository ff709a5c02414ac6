package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// RowGradOp is the op whose gradient is computed.
type RowGradOp uint8

// The ops. Each element of their gradients depends on sums over its row.
const (
	GradSoftmax    RowGradOp = iota // from the result of Softmax
	GradLogSoftmax                  // from the result of LogSoftmax
	GradRMS                         // from x of a normalisation by the root mean square
	GradMoments                     // from x of a normalisation by mean and variance
)

// normalises reports whether the op is a normalisation, which may have weights.
func (op RowGradOp) normalises() bool { return op >= GradRMS }

// reducer is the reduction of rows to what their gradients depend on.
func (op RowGradOp) reducer() reducer {
	return [...]reducer{
		GradSoftmax:    summing(func(e element) *tile.Value { return e.value.Mul(e.pair) }),
		GradLogSoftmax: summing(func(e element) *tile.Value { return e.pair }),
		GradRMS:        squaringPairs,
		GradMoments:    spreadingPairs,
	}[op]
}

// RowSums says how the gradients of weights and biases are summed, which are sums over what shares a weight: of dy · x̂, where x̂ is x normalised, and of dy.
type RowSums uint8

// The ways.
const (
	NoSums     RowSums = iota
	SumsOfRows         // no weight differs within a row: each row has its sums, which follow from what its gradient depends on
	SumsFolded         // a program adds up what the rows have that it works on one after the other
	SumsApart          // mean and scale of each row are stored, from which NormSums computes them in launches of its own
)

// RowGradConfig is what RowGrad is built for.
type RowGradConfig struct {
	Op     RowGradOp
	Rows   ReduceConfig   // how rows, its reduced dimensions, are walked; Op and Out are left at 0
	Weight bool           // is there
	Along  [MaxRank]bool  // the dimensions in which weights differ
	Scaled SoftmaxScaling // what the scalar parameter "scale" multiplies: nothing, or the result once or in two steps
	Sums   RowSums
	Bias   bool // the sums of dy are stored, too
	Fold   int  // the dimension in which a program takes several tiles of rows one after the other, if sums are folded
	Parts  int  // for rows that programs share: a power of two that is at least the number of their parts
}

// WithinRows reports whether weights differ within rows. If not, they scale rows as a whole.
func (cfg RowGradConfig) WithinRows() bool {
	for d, along := range cfg.Along {
		if along && cfg.Rows.Reduced[d] {
			return true
		}
	}
	return false
}

// States are the element types of what the gradients of a row depend on.
func (cfg RowGradConfig) States() (types []weft.DType) {
	for _, s := range cfg.Op.reducer().States(cfg.Rows.Elem) {
		types = append(types, s.Elem)
	}
	return types
}

// RowGrad is the kernel of the gradients of softmax and normalisations. Its views are x, or the result y of a softmax, dy, the weight if there is one with size
// 1 where weights do not differ, what RowSums asks for, and out. Its scalar parameter is epsilon, of a scaled softmax scale. Of folded sums there is one for
// each program: their views have the size of the programs in dimensions that are summed. The other ones have size 1 in the row's dimensions.
var RowGrad = weft.NewKernel("row_grad", describeRowGrad)

// RowGradParts is the first pass over rows that several programs share: what gradients depend on, of each part of a row. Its views are x, dy, the weight if
// there is one that differs within rows, and the states, with the parts in place of the row.
var RowGradParts = weft.NewKernel("row_grad_parts", describeRowGradParts)

// RowGradSpread is the second pass: every program combines all parts, in one order, and writes its own. Its views are those of
// RowGrad, with the states after the weight.
var RowGradSpread = weft.NewKernel("row_grad_spread", describeRowGradSpread)

func describeRowGrad(k *tile.Builder, cfg RowGradConfig) {
	g := newRowGrad(k, cfg)
	g.declareOut(nil)
	if cfg.Sums == SumsFolded {
		g.fold()
		return
	}
	g.write(g.e.reduce(g.r, nil, nil), nil)
}

func describeRowGradParts(k *tile.Builder, cfg RowGradConfig) {
	cfg.Weight = cfg.Weight && cfg.WithinRows()
	g := newRowGrad(k, cfg)
	var outs []*tile.View
	for _, s := range g.r.States(cfg.Rows.Elem) {
		outs = append(outs, k.Out(s.name, s.Elem, cfg.Rows.Rank))
	}
	k.Schedule(tile.Schedule{Threads: cfg.Rows.Threads})
	to := k.ProgramTile(outs[0], cfg.Rows.grid()...)
	g.begin(to)
	for i, v := range g.e.reduce(g.r, nil, outs[0]) {
		outs[i].Block(g.shape(false)...).Store(v, to...)
	}
}

func describeRowGradSpread(k *tile.Builder, cfg RowGradConfig) {
	g := newRowGrad(k, cfg)
	slots := g.r.States(cfg.Rows.Elem)
	var parts []*tile.View
	for _, s := range slots {
		parts = append(parts, k.In(s.name, s.Elem, cfg.Rows.Rank))
	}
	g.declareOut(parts[0])
	combined := *g.e
	combined.at, combined.shape = slices.Clone(g.e.at), g.shape(false)
	combined.at[cfg.Rows.Split], combined.shape[cfg.Rows.Split] = 0, cfg.Parts
	var states []*tile.Value
	for i, s := range slots {
		states = append(states, combined.load(parts[i], s.start))
	}
	g.write(g.r.gather(combined, states, []int{cfg.Rows.Split}), parts[0])
}

// rowGrad are the rows of one program.
type rowGrad struct {
	k                  *tile.Builder
	cfg                RowGradConfig
	r                  reducer
	x, dy, weight, out *tile.View
	sums               []*tile.View // what RowSums asks for
	scalar             *tile.Value  // epsilon or scale
	weights            *tile.Value  // of all rows, if they were read before
	raw                *tile.Value  // dy of the tile at hand, without weights
	e                  *element
}

// newRowGrad declares what all kernels begin with.
func newRowGrad(k *tile.Builder, cfg RowGradConfig) *rowGrad {
	name := "x"
	if !cfg.Op.normalises() {
		name = "y"
	}
	g := &rowGrad{k: k, cfg: cfg, r: cfg.Op.reducer()}
	g.x, g.dy = k.In(name, cfg.Rows.Elem, cfg.Rows.Rank), k.In("dy", cfg.Rows.Elem, cfg.Rows.Rank)
	if cfg.Weight {
		g.weight = k.In("weight", cfg.Rows.Elem, cfg.Rows.Rank)
	}
	return g
}

// declareOut declares the rest, and begins with a program's tile: of parts, if programs share rows.
func (g *rowGrad) declareOut(parts *tile.View) {
	k, cfg, rows := g.k, g.cfg, g.cfg.Rows
	names := []string{"dweight", "dbias"}
	switch {
	case cfg.Sums == SumsApart:
		names = []string{"row_mean", "row_scale"} // states have a mean, too
		if cfg.Op == GradRMS {
			names = names[1:]
		}
	case cfg.Sums == NoSums:
		names = nil
	case !cfg.Bias:
		names = names[:1]
	}
	for _, name := range names {
		g.sums = append(g.sums, k.Out(name, cfg.sumsType(), rows.Rank))
	}
	g.out = k.Out("out", rows.Elem, rows.Rank)
	switch {
	case cfg.Op.normalises():
		g.scalar = realParameter(k, "epsilon", rows.Elem)
	case cfg.Scaled != Unscaled:
		g.scalar = realParameter(k, "scale", rows.Elem)
	}
	k.Schedule(tile.Schedule{Threads: rows.Threads})
	for d := range rows.Rank {
		k.Require(g.x.Dim(d).Eq(g.out.Dim(d)))
		k.Require(g.dy.Dim(d).Eq(g.out.Dim(d)))
		switch {
		case g.weight == nil:
		case cfg.Along[d]:
			k.Require(g.weight.Dim(d).Eq(g.out.Dim(d)))
		default:
			k.Require(g.weight.Dim(d).Eq(1))
		}
	}
	if cfg.Sums == SumsFolded {
		g.begin(k.ProgramTile(g.sums[0], g.folded()...))
		return
	}
	if parts == nil {
		parts = g.out
	}
	g.begin(k.ProgramTile(parts, rows.grid()...))
}

// sumsType is the element type of what is stored next to the gradient.
func (cfg RowGradConfig) sumsType() weft.DType {
	if cfg.Rows.Out != dtype.Invalid {
		return cfg.Rows.Out
	}
	return wide(cfg.Rows.Elem)
}

// folded cuts the sums into the programs' tiles.
func (g *rowGrad) folded() []int {
	tiles := slices.Clone(g.cfg.Rows.Block[:g.cfg.Rows.Rank])
	for d := range tiles {
		switch {
		case g.cfg.Rows.Reduced[d]:
			tiles[d] = 0
		case !g.cfg.Along[d]:
			tiles[d] = 1
		}
	}
	return tiles
}

// begin begins with the tile of a program.
func (g *rowGrad) begin(at []tile.Operand) {
	g.e = newElement(g.k, g.cfg.Rows, g.x, at)
	g.e.prepare = func(e *element) {
		g.raw = e.load(g.dy, zero).Cast(wide(g.cfg.Rows.Elem))
		e.pair = g.raw
		switch {
		case g.weight == nil || !g.cfg.WithinRows():
		case g.weights != nil:
			e.pair = e.pair.Mul(g.weights)
		default:
			e.pair = e.pair.Mul(g.readWeights())
		}
	}
}

// shape is a tile's in the dimensions that are reduced, or in the others, and 1 elsewhere.
func (g *rowGrad) shape(reduced bool) []int {
	return g.cfg.Rows.within(func(d int) bool { return g.cfg.Rows.Reduced[d] == reduced })
}

// within is the shape of a tile in some dimensions, and 1 elsewhere.
func (cfg ReduceConfig) within(dims func(d int) bool) []int {
	shape := slices.Clone(cfg.Block[:cfg.Rank])
	for d := range shape {
		if !dims(d) {
			shape[d] = 1
		}
	}
	return shape
}

// among is where the tile at hand is in a view that has size 1 in all dimensions but some.
func (e *element) among(dims func(d int) bool) []tile.Operand {
	at := slices.Clone(e.at)
	for d := range at {
		if !dims(d) {
			at[d] = 0
		}
	}
	return at
}

// readWeights reads the weights of the tile at hand.
func (g *rowGrad) readWeights() *tile.Value {
	along := func(d int) bool { return g.cfg.Along[d] }
	return g.weight.Block(g.cfg.Rows.within(along)...).Load(g.e.among(along)...).Cast(wide(g.cfg.Rows.Elem))
}

// write writes the gradients of the program's tiles, given what they depend on.
func (g *rowGrad) write(s []*tile.Value, parts *tile.View) {
	grad := g.of(s)
	switch store := func() { g.storeRows(grad) }; {
	case g.cfg.Sums == NoSums:
	case parts == nil:
		store()
	default:
		g.k.If(g.e.at[g.cfg.Rows.Split].(*tile.Value).Eq(0), store)
	}
	g.e.walk(0, parts, func() {
		if g.cfg.Rows.Walks() {
			g.e.loadValue(g.r)
		}
		g.store(grad.element(g.e))
	})
}

func (g *rowGrad) store(v *tile.Value) {
	g.out.Block(g.e.shape...).Store(v.Cast(g.cfg.Rows.Elem), g.e.at...)
}

// storeRows stores what there is of each row next to its gradients.
func (g *rowGrad) storeRows(grad rowGradient) {
	values := []*tile.Value{grad.dot, grad.total}
	if g.cfg.Sums == SumsApart {
		values = []*tile.Value{grad.mean, grad.scale}
		if g.cfg.Op == GradRMS {
			values = values[1:]
		}
	}
	others := func(d int) bool { return !g.cfg.Rows.Reduced[d] }
	for i, to := range g.sums {
		to.Block(g.shape(false)...).Store(values[i].Cast(g.cfg.sumsType()), g.e.among(others)...)
	}
}

// fold writes the gradients of one tile of rows after the other, and at last their sums.
func (g *rowGrad) fold() {
	k, e, f := g.k, g.e, g.cfg.Fold
	if g.weight != nil {
		g.weights = g.readWeights()
	}
	at := slices.Clone(e.at)
	sums := make([]*tile.Var, len(g.sums))
	for i := range sums {
		sums[i] = k.Var(k.Zeros(wide(g.cfg.Rows.Elem), e.shape...))
	}
	from, to := partOf(k, k.CDiv(g.x.Dim(f), e.shape[f]), g.sums[0].Dim(f), at[f].(*tile.Value))
	e.at[f] = from
	ahead := []*tile.Var{k.Var(e.load(g.x, zero)), k.Var(e.load(g.dy, zero))}
	for i := range k.RangeStep(from, to, 1) {
		// The next tiles are loaded while threads meet over these. After the last ones they are these again.
		now := map[*tile.View]*tile.Value{g.x: ahead[0].Get(), g.dy: ahead[1].Get()}
		e.at[f], e.loaded = i.Add(1).Minimum(to.Sub(1)), nil
		ahead[0].Set(e.load(g.x, zero))
		ahead[1].Set(e.load(g.dy, zero))
		e.at[f], e.loaded = i, now
		grad := g.of(e.reduce(g.r, nil, nil))
		g.store(grad.element(e))
		terms := []*tile.Value{grad.normal(e.value).Mul(g.raw), g.raw}
		for j, sum := range sums {
			sum.Set(sum.Get().Add(g.ofRows(terms[j])))
		}
	}
	var axes []int
	for d, n := range e.shape {
		if !g.cfg.Along[d] && n > 1 {
			axes = append(axes, d)
		}
	}
	for d := range at {
		if g.cfg.Rows.Reduced[d] {
			at[d] = 0
		}
	}
	along := g.cfg.Rows.within(func(d int) bool { return g.cfg.Along[d] })
	for j, sum := range sums {
		g.sums[j].Block(along...).Store(over(axes, sum.Get(), (*tile.Value).Sum), at...)
	}
}

// ofRows is 0 in rows that are beyond the last one: they have no scale if epsilon is 0.
func (g *rowGrad) ofRows(v *tile.Value) *tile.Value {
	for d, n := range g.e.shape {
		if !g.cfg.Rows.Reduced[d] && n > 1 {
			v = g.k.Where(g.e.coordinate(d).Lt(g.x.Dim(d)), v, 0)
		}
	}
	return v
}

// rowGradient is what the gradients of a tile's rows are computed from.
type rowGradient struct {
	element     func(e *element) *tile.Value // the gradient of the tile at hand
	mean, scale *tile.Value                  // by which a normalisation maps x; nil for a mean of 0
	dot, total  *tile.Value                  // the sums of dy · x̂ and of dy; the second is nil of root mean squares
}

// normal is x normalised.
func (r rowGradient) normal(x *tile.Value) *tile.Value {
	if r.mean != nil {
		x = x.Sub(r.mean)
	}
	return x.Mul(r.scale)
}

// of is what gradients are computed from, of what a row was reduced to.
func (g *rowGrad) of(s []*tile.Value) (r rowGradient) {
	switch g.cfg.Op {
	case GradSoftmax:
		r.element = func(e *element) *tile.Value { return g.scaled(e.value.Mul(e.pair.Sub(s[0]))) }
		return r
	case GradLogSoftmax:
		r.element = func(e *element) *tile.Value { return g.scaled(e.pair.Sub(e.value.Exp().Mul(s[0]))) }
		return r
	}
	count := g.e.count()
	one := g.k.Div(1, count)
	squares, product := s[0], s[1]
	var slope *tile.Value
	if g.cfg.Op == GradMoments {
		r.mean, squares, slope, product = s[1], s[2], s[3], s[4]
		r.total = slope.Mul(count)
	}
	r.scale = squares.Mul(one).Add(g.scalar).Rsqrt()
	r.dot = product.Mul(r.scale)
	part, scale := r.dot.Mul(one), r.scale
	if g.weight != nil && !g.cfg.WithinRows() {
		scale = scale.Mul(g.readWeights())
	}
	r.element = func(e *element) *tile.Value {
		v := e.pair
		if slope != nil {
			v = v.Sub(slope)
		}
		return v.Sub(r.normal(e.value).Mul(part)).Mul(scale)
	}
	return r
}

// scaled multiplies the gradient of a softmax by its scale.
func (g *rowGrad) scaled(v *tile.Value) *tile.Value {
	switch g.cfg.Scaled {
	case ScaleXTwice:
		return v.Mul(0x1p-64).Mul(g.scalar)
	case ScaleX:
		return v.Mul(g.scalar)
	}
	return v
}
