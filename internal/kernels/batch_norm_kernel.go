package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// BatchNormConfig is what the kernels of batch normalisation are built for.
type BatchNormConfig struct {
	Rows         ReduceConfig // how the elements of a channel, its reduced dimensions, are walked; Out is left at 0
	Weight, Bias bool         // are there
	Running      bool         // the running statistics are updated
	Steps        int          // tiles along Rows.Split, one after the other, of a program of BatchApply or BatchGradApply
}

// The kernels of batch normalisation. Statistics have an element for each channel, of the type that sums are in, and as views size 1 in all other dimensions.
// Few long channels are normalised in three launches: Reduce computes the states of parts of each channel, BatchStats combines them, and BatchApply normalises.
var (
	// BatchNorm normalises channels, each of which is a program's own: one that fits stays in registers, others are walked twice. Its views are x, as far as they
	// are there weight, bias, and the running mean and variance, then mean, variance and out. Its scalar parameters are epsilon and those of BatchStats.
	BatchNorm = weft.NewKernel("batch_norm", describeBatchNorm)

	// BatchStats computes the mean and the variance of channels, as ReduceWhole from x, as ReduceCombine from the states of ReduceVar. Its views are
	// these, the running mean and variance, if they are updated, mean and variance. Its scalar parameters are, if so, the momentum and
	// what makes the variance unbiased.
	BatchStats = weft.NewKernel("batch_norm_stats", describeBatchStats)

	// BatchApply normalises by given statistics. Its views are x, mean, variance, as far as they are there weight and bias, and out; its scalar parameter is epsilon.
	BatchApply = weft.NewKernel("batch_norm_apply", describeBatchApply)
)

// batchStats are the statistics of a program's channels and what they are kept in.
type batchStats struct {
	k              *tile.Builder
	cfg            BatchNormConfig
	running        [2]*tile.View // of mean and variance; nil for none
	mean, variance *tile.View
	momentum       *tile.Value // what of the running statistics is replaced
	unbiased       *tile.Value // n/(n-1) for n elements
}

// declareRunning declares the running statistics.
func (b *batchStats) declareRunning() {
	for i, name := range []string{"running_mean", "running_variance"} {
		if b.cfg.Running {
			b.running[i] = b.k.InOut(name, wide(b.cfg.Rows.Elem), b.cfg.Rows.Rank)
		}
	}
}

// declareResults declares the statistics.
func (b *batchStats) declareResults() {
	b.mean, b.variance = b.k.Out("mean", wide(b.cfg.Rows.Elem), b.cfg.Rows.Rank), b.k.Out("variance", wide(b.cfg.Rows.Elem), b.cfg.Rows.Rank)
}

// declareScalars declares what running statistics are updated by.
func (b *batchStats) declareScalars() {
	if b.cfg.Running {
		b.momentum, b.unbiased = realParameter(b.k, "momentum", b.cfg.Rows.Elem), realParameter(b.k, "unbiased", b.cfg.Rows.Elem)
	}
}

// store stores the statistics that channels were reduced to, and returns the variance.
func (b *batchStats) store(e *element, s []*tile.Value, count *tile.Value) *tile.Value {
	of := func(v *tile.View) (block tile.Block, at []tile.Operand) {
		return v.Block(b.cfg.Rows.within(b.cfg.Rows.ofChannels)...), e.among(b.cfg.Rows.ofChannels)
	}
	variance := s[2].Div(count)
	for i, v := range []*tile.Value{s[1], variance} {
		block, at := of([]*tile.View{b.mean, b.variance}[i])
		block.Store(v, at...)
		if b.running[i] == nil {
			continue
		}
		if i == 1 {
			v = v.Mul(b.unbiased)
		}
		block, at = of(b.running[i])
		old := block.Load(at...)
		block.Store(v.Sub(old).FMA(b.momentum, old), at...)
	}
	return variance
}

// ofChannels reports whether a dimension is that of channels.
func (cfg ReduceConfig) ofChannels(d int) bool { return !cfg.Reduced[d] }

// ofChannel reads what a view has for the channels of the tile at hand.
func (e *element) ofChannel(v *tile.View) *tile.Value {
	return v.Block(e.cfg.within(e.cfg.ofChannels)...).Load(e.among(e.cfg.ofChannels)...).Cast(wide(e.cfg.Elem))
}

// declareWeights declares what normalised elements are multiplied by and what is added to them.
func (cfg BatchNormConfig) declareWeights(k *tile.Builder) (weight, bias *tile.View) {
	if cfg.Weight {
		weight = k.In("weight", cfg.Rows.Elem, cfg.Rows.Rank)
	}
	if cfg.Bias {
		bias = k.In("bias", cfg.Rows.Elem, cfg.Rows.Rank)
	}
	return weight, bias
}

// require requires views to fit x: in all dimensions, or in that of channels, where they have size 1 in the others.
func (cfg BatchNormConfig) require(k *tile.Builder, x *tile.View, alike, channels []*tile.View) {
	for d := range cfg.Rows.Rank {
		for _, v := range alike {
			k.Require(v.Dim(d).Eq(x.Dim(d)))
		}
		for _, v := range channels {
			switch {
			case v == nil:
			case cfg.Rows.Reduced[d]:
				k.Require(v.Dim(d).Eq(1))
			default:
				k.Require(v.Dim(d).Eq(x.Dim(d)))
			}
		}
	}
}

func describeBatchNorm(k *tile.Builder, cfg BatchNormConfig) {
	rows, b := cfg.Rows, batchStats{k: k, cfg: cfg}
	x := k.In("x", rows.Elem, rows.Rank)
	weight, bias := cfg.declareWeights(k)
	b.declareRunning()
	b.declareResults()
	out := k.Out("out", rows.Elem, rows.Rank)
	epsilon := realParameter(k, "epsilon", rows.Elem)
	b.declareScalars()
	k.Schedule(tile.Schedule{Threads: rows.Threads})
	cfg.require(k, x, []*tile.View{out}, []*tile.View{weight, bias, b.running[0], b.running[1], b.mean, b.variance})
	e := newElement(k, rows, x, k.ProgramTile(out, rows.grid()...))
	s := e.reduce(spreading, []*tile.View{x}, nil)
	variance := b.store(e, s, e.count())
	n := newNormaliser(e, s[1], variance, epsilon, weight, bias)
	e.walk(0, nil, func() {
		if rows.Walks() {
			e.value = e.read(zero)
		}
		n.store(out)
	})
}

// normaliser normalises tiles of one program's channels.
type normaliser struct {
	e                 *element
	mean, scale, bias *tile.Value
}

func newNormaliser(e *element, mean, variance, epsilon *tile.Value, weight, bias *tile.View) normaliser {
	n := normaliser{e: e, mean: mean, scale: variance.Add(epsilon).Rsqrt()}
	if weight != nil {
		n.scale = n.scale.Mul(e.ofChannel(weight))
	}
	if bias != nil {
		n.bias = e.ofChannel(bias)
	}
	return n
}

// store normalises the tile at hand.
func (n normaliser) store(out *tile.View) {
	v := n.e.value.Sub(n.mean)
	if n.bias != nil {
		v = v.FMA(n.scale, n.bias)
	} else {
		v = v.Mul(n.scale)
	}
	out.Block(n.e.shape...).Store(v.Cast(n.e.cfg.Elem), n.e.at...)
}

func describeBatchStats(k *tile.Builder, cfg BatchNormConfig) {
	rows, b := cfg.Rows, batchStats{k: k, cfg: cfg}
	var ins []*tile.View
	if rows.Pass == ReduceWhole {
		ins = append(ins, k.In("x", rows.Elem, rows.Rank))
	} else {
		for _, s := range spreading.States(rows.Elem) {
			name := s.name
			if name == "mean" { // which is a result's
				name = "part_mean"
			}
			ins = append(ins, k.In(name, s.Elem, rows.Rank))
		}
	}
	b.declareRunning()
	b.declareResults()
	b.declareScalars()
	k.Schedule(tile.Schedule{Threads: rows.Threads})
	cfg.require(k, ins[0], nil, []*tile.View{b.running[0], b.running[1], b.mean, b.variance})
	e := newElement(k, rows, ins[0], k.ProgramTile(b.mean, rows.grid()...))
	s := e.reduce(spreading, ins, b.mean)
	count := s[0]
	if rows.Pass == ReduceWhole {
		count = e.count()
	}
	b.store(e, s, count)
}

func describeBatchApply(k *tile.Builder, cfg BatchNormConfig) {
	rows := cfg.Rows
	x, mean, variance := k.In("x", rows.Elem, rows.Rank), k.In("mean", wide(rows.Elem), rows.Rank), k.In("variance", wide(rows.Elem), rows.Rank)
	weight, bias := cfg.declareWeights(k)
	out := k.Out("out", rows.Elem, rows.Rank)
	epsilon := realParameter(k, "epsilon", rows.Elem)
	k.Schedule(tile.Schedule{Threads: rows.Threads})
	cfg.require(k, x, []*tile.View{out}, []*tile.View{mean, variance, weight, bias})
	cfg.steps(k, x, out, func(e *element) func() {
		n := newNormaliser(e, e.ofChannel(mean), e.ofChannel(variance), epsilon, weight, bias)
		return func() {
			e.value = e.read(zero)
			n.store(out)
		}
	})
}

// steps describes programs that work on several tiles one after the other, along cfg.Rows.Split. begin reads what is the same for
// all of them, and returns what is done with each.
func (cfg BatchNormConfig) steps(k *tile.Builder, x, out *tile.View, begin func(e *element) (tile func())) {
	rows, split := cfg.Rows, cfg.Rows.Split
	tiles := append([]int(nil), rows.Block[:rows.Rank]...)
	tiles[split] *= cfg.Steps
	e := newElement(k, rows, x, k.ProgramTile(out, tiles...))
	do := begin(e)
	if cfg.Steps == 1 {
		do()
		return
	}
	from := e.at[split].(*tile.Value).Mul(cfg.Steps)
	k.Assume(from.Ge(0))
	to := from.Add(cfg.Steps).Minimum(k.CDiv(x.Dim(split), rows.Block[split]))
	for i := range k.RangeStep(from, to, 1) {
		e.at[split] = i
		do()
	}
}

// narrow reports whether sums are of another type than the elements.
func (cfg BatchNormConfig) narrow() bool { return wide(cfg.Rows.Elem) != cfg.Rows.Elem }
