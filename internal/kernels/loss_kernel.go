package kernels

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// LossTerms is what a cross-entropy and its gradient have in common. A row of x has a number for each class: a logit, or the logarithm of a probability.
type LossTerms struct {
	Index    weft.DType // of targets that are the index of a class: I32, U32 or I64; invalid where targets have a probability of each class
	Log      bool       // x are logarithms of probabilities, of which no softmax is taken
	Smoothed bool       // targets are mixed with equal probabilities of all classes
	Weights  bool       // classes have weights
}

// Total reports whether the sum of all weights counts.
func (t LossTerms) Total() bool { return t.Index.Valid() && t.Smoothed && t.Weights }

// words reports whether indices are pairs of words, which are along the dimension of the classes.
func (t LossTerms) words() bool { return t.Index == dtype.I64 }

// IndexType is the element type of indices as kernels see them.
func (t LossTerms) IndexType() weft.DType {
	if t.words() {
		return dtype.U32
	}
	return t.Index
}

// LossConfig is what Loss is built for.
type LossConfig struct {
	Rows ReduceConfig // how rows, its one reduced dimension, are walked; Op and Out are left at 0
	LossTerms

	// What is stored.
	Loss    bool
	LogSum  bool // the logarithm of the sum of the exponentials of x
	Counted bool // the weight of the target's class, 0 where the target is to be ignored
	Mass    bool // the sum of a target's probabilities, times weights
}

// sums, dots and masses report which numbers a row is reduced to: its largest element and the sum of exponentials; the sum of elements times
// probabilities of the target; that of these probabilities.
func (cfg LossConfig) sums() bool { return cfg.Loss && !cfg.Log || cfg.LogSum }

func (cfg LossConfig) dots() bool { return cfg.Loss && (cfg.Smoothed || !cfg.Index.Valid()) }

func (cfg LossConfig) masses() bool { return !cfg.Index.Valid() && (cfg.Loss && !cfg.Log || cfg.Mass) }

// Walked reports whether rows are read as a whole, and not their element of the target's class alone.
func (cfg LossConfig) Walked() bool { return cfg.sums() || cfg.dots() || cfg.masses() }

// Loss is the kernel of cross-entropies. Its views are those of LossConfig.Inputs, and what is stored of each row, with size 1 in the
// dimension of the classes. If programs share rows, ReduceParts writes states and ReduceCombine reads them first. Its scalars are those of LossConfig.Scalars.
var Loss = weft.NewKernel("cross_entropy", describeLoss)

// LossInputs says which inputs a kernel has, in this order: x, targets, weights of classes, and the sum of all weights. Targets that
// are indices have size 1 in the dimension of the classes, or 2 if they are of I64; weights have size 1 in all others.
type LossInputs struct{ X, Targets, Weights, Total bool }

// Inputs are those of a pass.
func (cfg LossConfig) Inputs() LossInputs {
	if cfg.Rows.Pass == ReduceParts {
		shares := cfg.dots() || cfg.masses()
		return LossInputs{X: true, Targets: shares && !cfg.Index.Valid(), Weights: shares && cfg.Weights}
	}
	last := cfg.Rows.Pass == ReduceCombine
	indexed := cfg.Index.Valid() && (cfg.Loss || cfg.Counted)
	return LossInputs{
		X:       !last || cfg.Loss || indexed,
		Targets: indexed || !last && (cfg.dots() || cfg.masses()),
		Weights: cfg.Weights && (indexed || !last && (cfg.dots() || cfg.masses())),
		Total:   cfg.Total() && cfg.Loss && !cfg.Log,
	}
}

// States are the element types of what a row is reduced to.
func (cfg LossConfig) States() (types []weft.DType) {
	for _, s := range (&lossRows{cfg: cfg}).slots() {
		types = append(types, s.Elem)
	}
	return types
}

// Scalars are the scalars of a pass, for a smoothing over so many classes and the index that is ignored.
func (cfg LossConfig) Scalars(smoothing float64, classes int, ignore int32) weft.Scalars {
	return cfg.scalars(cfg.Rows.Elem, cfg.Rows.Pass, smoothing, classes, ignore)
}

func (t LossTerms) scalars(elem weft.DType, pass ReducePass, smoothing float64, classes int, ignore int32) (list weft.Scalars) {
	if t.Smoothed {
		list = append(RealScalars(elem, 1-smoothing), RealScalars(elem, smoothing/float64(max(classes, 1)))...)
	}
	if t.Index.Valid() && pass != ReduceParts {
		list = append(list, int(ignore))
	}
	return list
}

// lossRows are the rows of one program.
type lossRows struct {
	k                          *tile.Builder
	cfg                        LossConfig
	x, targets, weights, total *tile.View
	keep, even                 *tile.Value // of smoothing: what remains of a target, and what each class gets
	ignore                     *tile.Value
	class                      int         // the dimension of the classes
	pivot                      *tile.Value // the first element of each row, from which others are counted in sums
}

func describeLoss(k *tile.Builder, cfg LossConfig) {
	l := &lossRows{k: k, cfg: cfg, class: slices.Index(cfg.Rows.Reduced[:], true)}
	slots := l.slots()
	var states, outs []*tile.View
	if cfg.Rows.Pass == ReduceCombine {
		for _, s := range slots {
			states = append(states, k.In(s.name, s.Elem, cfg.Rows.Rank))
		}
	}
	l.declareInputs(cfg.Inputs())
	for _, name := range l.results() {
		outs = append(outs, k.Out(name, wide(cfg.Rows.Elem), cfg.Rows.Rank))
	}
	if cfg.Rows.Pass == ReduceParts {
		for _, s := range slots {
			outs = append(outs, k.Out(s.name, s.Elem, cfg.Rows.Rank))
		}
	}
	l.declareScalars()
	k.Schedule(tile.Schedule{Threads: cfg.Rows.Threads})
	at := k.ProgramTile(outs[0], cfg.Rows.grid()...)
	view := l.x
	if view == nil {
		view = states[0]
	}
	e := newElement(k, cfg.Rows, view, at)
	row := e.rows()
	for i, v := range l.reduced(e, row, states, outs) {
		outs[i].Block(row.shape...).Store(v, at...)
	}
}

// results are the names of what is stored of rows.
func (l *lossRows) results() (names []string) {
	if l.cfg.Rows.Pass == ReduceParts {
		return nil
	}
	for _, r := range []struct {
		stored bool
		name   string
	}{{l.cfg.Loss, "loss"}, {l.cfg.LogSum, "log_sum"}, {l.cfg.Counted, "counted"}, {l.cfg.Mass, "mass"}} {
		if r.stored {
			names = append(names, r.name)
		}
	}
	return names
}

func (l *lossRows) declareInputs(in LossInputs) {
	rank, elem := l.cfg.Rows.Rank, l.cfg.Rows.Elem
	if in.X {
		l.x = l.k.In("x", elem, rank)
	}
	if in.Targets {
		of := elem
		if l.cfg.Index.Valid() {
			of = l.cfg.IndexType()
		}
		l.targets = l.k.In("targets", of, rank)
	}
	if in.Weights {
		l.weights = l.k.In("weights", wide(elem), rank)
	}
	if in.Total {
		l.total = l.k.In("total", wide(elem), rank)
	}
}

func (l *lossRows) declareScalars() {
	elem := l.cfg.Rows.Elem
	if l.cfg.Smoothed {
		l.keep, l.even = realParameter(l.k, "keep", elem), realParameter(l.k, "even", elem)
	}
	if l.cfg.Index.Valid() && l.cfg.Rows.Pass != ReduceParts {
		l.ignore = l.k.Scalar("ignore", dtype.I32)
	}
}

// reduced is what is stored of the rows of a program.
func (l *lossRows) reduced(e, row *element, states, outs []*tile.View) []*tile.Value {
	var values []*tile.Value
	if l.cfg.dots() && !l.cfg.Log && l.x != nil {
		l.pivot = finite(l.x.Block(row.shape...).Load(row.at...).Cast(wide(l.cfg.Rows.Elem)))
	}
	if l.cfg.Walked() {
		values = e.reduce(l.reducer(), states, outs[0])
	}
	if l.cfg.Rows.Pass == ReduceParts {
		return values
	}
	return l.finish(row, values)
}

// rows are the rows of a tile, which have one place in the dimensions that are reduced.
func (e *element) rows() *element {
	r := *e
	r.shape, r.at, r.loaded = slices.Clone(e.shape), slices.Clone(e.at), nil
	for d := range r.shape {
		if e.cfg.Reduced[d] {
			r.shape[d], r.at[d] = 1, 0
		}
	}
	return &r
}

// slots are the states of a row.
func (l *lossRows) slots() (list []slot) {
	in := wide(l.cfg.Rows.Elem)
	if l.cfg.sums() {
		list = append(list, slot{"largest", in, lowestOf}, slot{"sum", in, zero})
	}
	if l.cfg.dots() {
		list = append(list, slot{"dot", in, zero})
	}
	if l.cfg.masses() {
		list = append(list, slot{"shares", in, zero})
	}
	return list
}

// reducer is the reduction of rows. The largest element and the sum of exponentials are found in one pass, as by SoftmaxOnline; what else there
// is are sums.
func (l *lossRows) reducer() reducer {
	sums := 0
	if l.cfg.sums() {
		sums = 2
	}
	join := func(x, y []*tile.Value) []*tile.Value {
		var out []*tile.Value
		if sums > 0 {
			top := x[0].Maximum(y[0])
			out = append(out, top, x[1].Mul(l.power(x[0].Sub(top))).Add(y[1].Mul(l.power(y[0].Sub(top)))))
		}
		return append(out, addAll(x[sums:], y[sums:])...)
	}
	return reducer{
		name: "cross_entropy", Fill: Least, atOnce: true,
		States: func(weft.DType) []slot { return l.slots() },
		lift: func(e element) (list []*tile.Value) {
			if sums > 0 {
				list = append(list, e.value, e.k.Full(wide(e.cfg.Elem), 1, e.shape...))
			}
			return append(list, l.terms(e)...)
		},
		step: func(s []*tile.Value, e element) (list []*tile.Value) {
			if sums > 0 {
				less := l.power(e.value.Sub(s[0]).Abs().Neg()) // of the two that the one exponential is of the other
				list = append(list, s[0].Maximum(e.value), e.k.Where(e.value.Gt(s[0]), s[1].FMA(less, 1), s[1].Add(less)))
			}
			return append(list, addAll(s[sums:], l.terms(e))...)
		},
		combine: join,
		gather: func(_ element, s []*tile.Value, axes []int) (list []*tile.Value) {
			if sums > 0 {
				top := over(axes, s[0], (*tile.Value).Max).Maximum(lowestIn(s[0].Type().Elem))
				list = append(list, top, over(axes, s[1].Mul(l.power(s[0].Sub(top))), (*tile.Value).Sum))
			}
			if len(s) == sums {
				return list
			}
			return append(list, sumsOver(axes, s[sums:]...)...)
		},
	}
}

// lowestIn is the least finite number of F32 or F64.
func lowestIn(elem weft.DType) float64 {
	x, _ := lowestOf.number(elem)
	return x
}

// power is the exponential; see softmaxRows.power.
func (l *lossRows) power(v *tile.Value) *tile.Value { return powerOf(l.cfg.Rows.Elem, v) }

func powerOf(elem weft.DType, v *tile.Value) *tile.Value {
	if elem.Size() == 2 {
		return v.Mul(math.Log2E).Exp2()
	}
	return v.Exp()
}

// terms are what the elements of a tile add to sums.
func (l *lossRows) terms(e element) (list []*tile.Value) {
	if !l.cfg.dots() && !l.cfg.masses() {
		return nil
	}
	here := e.inside()
	share := l.shareOf(&e)
	if l.cfg.dots() {
		v := e.value
		if l.pivot != nil {
			v = v.Sub(l.pivot)
		}
		if share != nil {
			v = v.Mul(share)
		}
		list = append(list, e.k.Where(here, v, 0))
	}
	if l.cfg.masses() {
		list = append(list, e.k.Where(here, share, 0))
	}
	return list
}

// shareOf is what the classes of a tile have of a target: its probabilities, or, of indices that are smoothed, equal ones, which are 1 here; nil for 1.
func (l *lossRows) shareOf(e *element) (share *tile.Value) {
	if !l.cfg.Index.Valid() {
		if share = e.load(l.targets, zero).Cast(wide(l.cfg.Rows.Elem)); l.cfg.Smoothed {
			share = share.FMA(l.keep, l.even)
		}
	}
	if l.weights == nil {
		return share
	}
	w := l.weightsOf(e)
	if share == nil {
		return w
	}
	return share.Mul(w)
}

// weightsOf are the weights of the classes of a tile.
func (l *lossRows) weightsOf(e *element) *tile.Value {
	classes := func(d int) bool { return d == l.class }
	shape := slices.Repeat([]int{1}, len(e.shape))
	shape[l.class] = e.shape[l.class]
	return l.weights.Block(shape...).Load(e.among(classes)...)
}

// rowTarget are the targets of rows that are indices.
type rowTarget struct {
	class   *tile.Value // below 0 or beyond the last class if there is none
	valid   *tile.Value
	ignored *tile.Value
	weight  *tile.Value // of the class; nil for 1
}

// targetOf reads targets that are indices, of rows of so many classes.
func (l *lossRows) targetOf(row *element, classes *tile.Value) (t rowTarget) {
	k := l.k
	load := func(i int) *tile.Value {
		at := slices.Clone(row.at)
		at[l.class] = i
		return l.targets.Block(row.shape...).Load(at...)
	}
	switch l.cfg.Index {
	case dtype.I64: // two words
		low, high := load(0).Bitcast(dtype.I32), load(1).Bitcast(dtype.I32)
		t.class = k.Where(high.Eq(low.Shr(31)), low, k.Where(high.Lt(0), math.MinInt32, math.MaxInt32))
	case dtype.U32:
		t.class = load(0).Minimum(math.MaxInt32).Bitcast(dtype.I32)
	default:
		t.class = load(0)
	}
	t.ignored = t.class.Eq(l.ignore)
	t.valid = t.class.Ge(0).And(t.class.Lt(classes))
	if l.weights != nil {
		at := slices.Repeat([]tile.Operand{0}, len(row.shape))
		at[l.class] = t.class
		t.weight = l.weights.At(at...).Mask(t.valid).Gather()
	}
	return t
}

// of is x of the target's class.
func (t rowTarget) of(l *lossRows, row *element) *tile.Value {
	at := make([]tile.Operand, len(row.shape))
	for d := range at {
		at[d] = row.coordinate(d)
	}
	at[l.class] = t.class
	return l.x.At(at...).Mask(t.valid).Gather().Cast(wide(l.cfg.Rows.Elem))
}

// finish is what is stored of rows, of what they were reduced to.
func (l *lossRows) finish(row *element, s []*tile.Value) (stored []*tile.Value) {
	cfg := l.cfg
	var r rowSums
	if cfg.sums() {
		r.top, r.log = s[0], logOfSum(s[1])
		s = s[2:]
	}
	if cfg.dots() {
		r.dot, s = s[0], s[1:]
	}
	if cfg.masses() {
		r.mass = s[0]
	}
	var t rowTarget
	if l.targets != nil && cfg.Index.Valid() {
		classes := l.k.Int(0)
		if l.x != nil {
			classes = l.x.Dim(l.class)
		}
		t = l.targetOf(row, classes)
	}
	if cfg.Loss {
		if cfg.Index.Valid() {
			stored = append(stored, l.ofIndex(row, t, r))
		} else {
			stored = append(stored, l.ofShares(r))
		}
	}
	if cfg.LogSum {
		stored = append(stored, r.top.Add(r.log))
	}
	if cfg.Counted {
		w := l.k.Full(wide(cfg.Rows.Elem), 1, row.shape...)
		if t.weight != nil {
			w = t.weight
		}
		stored = append(stored, l.k.Where(t.ignored, 0, w))
	}
	if cfg.Mass {
		stored = append(stored, r.mass)
	}
	return stored
}

// rowSums are what rows were reduced to: their largest element, the logarithm of the sum of exponentials of differences to it, and sums.
type rowSums struct{ top, log, dot, mass *tile.Value }

// ofShares is the loss of targets that are probabilities.
func (l *lossRows) ofShares(r rowSums) *tile.Value {
	if l.cfg.Log {
		return r.dot.Neg()
	}
	return r.mass.Mul(r.top.Sub(l.pivot).Add(r.log)).Sub(r.dot)
}

// ofIndex is the loss of targets that are indices.
func (l *lossRows) ofIndex(row *element, t rowTarget, r rowSums) *tile.Value {
	k, cfg := l.k, l.cfg
	loss := t.of(l, row).Neg()
	if !cfg.Log {
		loss = r.top.Add(loss).Add(r.log)
	}
	if t.weight != nil {
		loss = loss.Mul(t.weight)
	}
	if cfg.Smoothed {
		rest := r.dot.Neg()
		if !cfg.Log {
			rest = r.top.Sub(l.pivot).Add(r.log).FMA(l.allWeights(row, l.x.Dim(l.class)), rest)
		}
		loss = loss.Mul(l.keep).Add(rest.Mul(l.even))
	}
	return k.Where(t.ignored, 0, k.Where(t.valid, loss, math.NaN()))
}

// allWeights is the sum of the weights of all classes.
func (l *lossRows) allWeights(row *element, classes *tile.Value) *tile.Value {
	if l.total == nil {
		return classes.Cast(wide(l.cfg.Rows.Elem)).Splat(row.shape...)
	}
	return oneOf(l.total).Broadcast(row.shape...)
}

// oneOf is the one element of a view.
func oneOf(v *tile.View) *tile.Value {
	ones := slices.Repeat([]int{1}, v.Rank)
	return v.Block(ones...).Load(slices.Repeat([]tile.Operand{0}, v.Rank)...)
}

// logOfSum is the logarithm of a sum of exponentials, of F32 or F64, and NaN where the sum is NaN or 0; see ofPositive.
func logOfSum(sum *tile.Value) *tile.Value {
	elem := sum.Type().Elem
	bits := sum.Bitcast(integerOf(elem))
	return sum.Builder().Where(bits.Gt(0).And(bits.Lt(infinityOf(elem))), sum.Log(), math.NaN())
}
