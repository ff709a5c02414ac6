package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// LossGradConfig is what LossGrad is built for.
type LossGradConfig struct {
	LossTerms
	Elem    weft.DType
	Rank    int // dimensions after merging, 1 to 5
	Class   int // the one of the classes
	Block   [MaxRank]int
	Threads int      // of a workgroup; 0 lets the compiler choose
	DY      LossSeed // the gradient of the losses
	Counted bool     // that is divided by the sum of the weights of all rows
	Scaled  bool     // the scalar parameter "scale" multiplies it
}

// LossSeed says what the gradient of the losses is.
type LossSeed uint8

// The kinds.
const (
	SeedOne  LossSeed = iota // 1
	SeedAll                  // one number for all rows
	SeedEach                 // one for each row
)

// LossGrad is the kernel of gradients of cross-entropies: of x, or of logarithms of probabilities, from the logarithm of the sum of exponentials of each row.
// Its views are x unless cfg.Log, targets, weights and their sum as Loss has them, the logarithms unless cfg.Log, the sums of the probabilities of targets
// that are such unless cfg.Log, dy and the sum of the weights of all rows as far as there are any, and out. Its scalars are those of LossGradConfig.Scalars.
var LossGrad = weft.NewKernel("cross_entropy_grad", describeLossGrad)

// Scalars are the kernel's scalars, of which scale is the last one if it is scaled.
func (cfg LossGradConfig) Scalars(smoothing float64, classes int, ignore int32, scale float64) weft.Scalars {
	list := cfg.scalars(cfg.Elem, ReduceWhole, smoothing, classes, ignore)
	if cfg.Scaled {
		list = append(list, RealScalars(cfg.Elem, scale)...)
	}
	return list
}

// Inputs are those that LossGrad has in common with Loss.
func (cfg LossGradConfig) Inputs() LossInputs {
	return LossInputs{X: !cfg.Log, Targets: true, Weights: cfg.Weights, Total: cfg.Total() && !cfg.Log}
}

// lossGrad is the gradient of the rows of one program.
type lossGrad struct {
	lossRows
	cfg                     LossGradConfig
	logs, mass, dy, counted *tile.View
	out                     *tile.View
	scale                   *tile.Value
	e, row                  *element
}

func describeLossGrad(k *tile.Builder, cfg LossGradConfig) {
	rows := ReduceConfig{Elem: cfg.Elem, Rank: cfg.Rank, Block: cfg.Block}
	rows.Reduced[cfg.Class] = true
	g := &lossGrad{cfg: cfg, lossRows: lossRows{k: k, class: cfg.Class, cfg: LossConfig{Rows: rows, LossTerms: cfg.LossTerms}}}
	g.declare()
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	g.e = newElement(k, rows, g.out, k.ProgramTile(g.out, cfg.Block[:cfg.Rank]...))
	g.row = g.e.rows()
	var v *tile.Value
	if cfg.Index.Valid() {
		v = g.ofIndices()
	} else {
		v = g.ofProbabilities()
	}
	g.out.Block(g.e.shape...).Store(v.Cast(cfg.Elem), g.e.at...)
}

func (g *lossGrad) declare() {
	k, cfg, in := g.k, g.cfg, wide(g.cfg.Elem)
	g.declareInputs(cfg.Inputs())
	for _, v := range []struct {
		to    **tile.View
		name  string
		there bool
	}{{&g.logs, "log_sum", !cfg.Log}, {&g.mass, "mass", !cfg.Log && !cfg.Index.Valid()}, {&g.dy, "dy", cfg.DY != SeedOne}, {&g.counted, "counted", cfg.Counted}} {
		if v.there {
			*v.to = k.In(v.name, in, cfg.Rank)
		}
	}
	g.out = k.Out("out", cfg.Elem, cfg.Rank)
	g.declareScalars()
	if cfg.Scaled {
		g.scale = realParameter(k, "scale", cfg.Elem)
	}
}

// seed is the gradient of the loss of each row; nil for 1.
func (g *lossGrad) seed() (seed *tile.Value) {
	switch g.cfg.DY {
	case SeedAll:
		seed = oneOf(g.dy).Broadcast(g.row.shape...)
	case SeedEach:
		seed = g.perRow(g.dy)
	}
	if g.counted != nil {
		if seed == nil {
			seed = g.k.Full(wide(g.cfg.Elem), 1, g.row.shape...)
		}
		seed = seed.Div(oneOf(g.counted))
	}
	if g.scale != nil {
		seed = product(seed, g.scale.Splat(g.row.shape...))
	}
	return seed
}

// perRow reads a view of a number for each row.
func (g *lossGrad) perRow(v *tile.View) *tile.Value {
	return v.Block(g.row.shape...).Load(g.row.at...)
}

// product multiplies numbers of which the first one may be nil, for 1.
func product(x, y *tile.Value) *tile.Value {
	if x == nil {
		return y
	}
	return x.Mul(y)
}

// softmax is that of the tile's rows.
func (g *lossGrad) softmax() *tile.Value {
	x := g.e.load(g.x, zero).Cast(wide(g.cfg.Elem))
	return g.power(x.Sub(g.perRow(g.logs)))
}

// ofIndices is the gradient for targets that are indices: the softmax times what all classes have of the target, less what each one has.
func (g *lossGrad) ofIndices() *tile.Value {
	k, cfg := g.k, g.cfg
	classes := g.out.Dim(cfg.Class)
	t, seed := g.targetOf(g.row, classes), g.seed()
	near := t.weight // what the class of the target has
	if cfg.Smoothed {
		near = product(near, g.keep.Splat(g.row.shape...))
	}
	if near == nil {
		near = k.Full(wide(cfg.Elem), 1, g.row.shape...)
	}
	all := near // what all classes have together
	if cfg.Smoothed && !cfg.Log {
		all = g.allWeights(g.row, classes).FMA(g.even, all)
	}
	here := g.e.coordinate(cfg.Class).Eq(t.class)
	lost := k.Where(here, product(seed, near), k.Where(t.valid, k.Const(wide(cfg.Elem), 0), math.NaN()))
	if cfg.Smoothed {
		even := product(seed, g.even.Splat(g.row.shape...))
		if g.weights != nil {
			even = even.Mul(g.weightsOf(g.e))
		}
		lost = lost.Add(even)
	}
	v := lost.Neg()
	if !cfg.Log {
		v = g.softmax().FMA(product(seed, all), v)
	}
	return k.Where(t.ignored, 0, v)
}

// ofProbabilities is the gradient for targets that are probabilities.
func (g *lossGrad) ofProbabilities() *tile.Value {
	seed, v := g.seed(), g.shareOf(g.e).Neg()
	if !g.cfg.Log {
		v = g.softmax().FMA(g.perRow(g.mass), v)
	}
	return product(seed, v)
}
