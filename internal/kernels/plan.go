package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// operandOf is how a product loads a view whose dimension k is summed over.
func operandOf(elem weft.DType, v tune.View, k int) plan.Operand {
	if !v.Unit {
		return plan.Operand{}
	}
	run := int(v.Align) * elem.Size()
	return plan.Operand{KMajor: int(v.Order[v.Rank-1]) == k, Run: run, Map: plan.MapAligns(elem, int(v.Align))}
}

func dotOf(elem weft.DType, precision tile.Precision, m, n, k int) plan.Dot {
	return plan.Dot{Elem: elem, IEEE: precision == tile.IEEE, Split: precision == tile.TF32x3 && elem == dtype.F32, M: m, N: n, K: k}
}

// suitable is an operand that is as instructions and copies take it best.
var suitable = plan.Operand{KMajor: true, Run: 16, Map: true}

// suitableValues are suitable values of attention, which are contiguous along the head.
var suitableValues = plan.Operand{Run: 16, Map: true}

// dot is the product of a step.
func (cfg MatMulConfig) dot() plan.Dot {
	if cfg.Interleave > 0 {
		return cfg.interleavedDot()
	}
	dot := dotOf(cfg.Elem, cfg.Precision, cfg.BM, cfg.BN, cfg.BK)
	dot.Columns = max(cfg.MostColumns, cfg.ColumnPitch)
	return dot
}

// plan is Plan for operands that suit the instructions.
func (cfg MatMulConfig) plan(caps target.Caps) plan.Plan { return cfg.Plan(caps, suitable, suitable) }

// Plan is what a config with such operands takes of a device. Where tensor maps copy, results go through two parts of a swizzle row for each row, of
// ping-pong consumers one each.
func (cfg MatMulConfig) Plan(caps target.Caps, a, b plan.Operand) plan.Plan {
	switch {
	case cfg.Interleave > 0:
		a, b = plan.Operand{Source: plan.Held}, plan.Operand{KMajor: true, Run: 16, Map: true}
	case cfg.Weights.Bits != 0:
		b.Source = plan.Computed
	}
	k := plan.Kernel{Threads: cfg.Threads, Stages: cfg.Stages, Producers: cfg.Producers, Consumers: cfg.Consumers, Products: []plan.Product{{Dot: cfg.dot(), A: a, B: b}}}
	switch {
	case cfg.Producers > 0 && cfg.Interleave > 0: // a part of 64 columns for each warpgroup, of half the rows if these are many
		k.Rest = cfg.Threads / warpgroup * min(cfg.BM, 128) * ProducerStep
	case cfg.Producers > 0 && cfg.ClusterK:
		k.Late = cfg.exchangedBytes() + cfg.resultBytes()/clusterPrograms
	case cfg.Producers > 0:
		k.Rest = max(cfg.Consumers, 2) * cfg.BM * ProducerStep
	}
	planned := k.Of(caps)
	if cfg.Producers > 0 && cfg.Interleave == 0 && cfg.Consumers <= 1 && cfg.Threads > warpgroup { // all parts at once, where there is room
		planned.Spare += max(cfg.resultBytes()-k.Rest, 0)
	}
	return planned
}

// resultBytes is the size of a tile of the result.
func (cfg MatMulConfig) resultBytes() int {
	if cfg.Partial() {
		return cfg.BM * cfg.BN * cfg.SumType().Size()
	}
	return cfg.BM * cfg.BN * cfg.Out.Size()
}

func (p MatMulProblem) Plan(caps target.Caps, cfg MatMulConfig) plan.Plan {
	r := int(p.A.Rank)
	return cfg.Plan(p.capsFor(caps), operandOf(p.Elem, p.A, r-1), operandOf(p.Elem, p.B, r-2))
}

func (p QuantizedProblem) Plan(caps target.Caps, cfg MatMulConfig) plan.Plan {
	return cfg.Plan(caps, operandOf(p.Elem, p.A, 1), plan.Operand{Source: plan.Computed, KMajor: p.Fastest == 0})
}

func (p ConvProblem) Plan(caps target.Caps, cfg Conv2DConfig) plan.Plan {
	run, runs := runOf(cfg.Elem, p.Shape.Terms()), plan.Operand{KMajor: cfg.AlongK, Run: cfg.Elem.Size(), Viewed: true}
	if cfg.ChannelBlocks > 0 || cfg.Channels > 0 {
		run = runOf(cfg.Elem, cfg.groupChannels(p.Shape))
		if p.Shape.ChannelsLast || cfg.Repacked {
			runs = plan.Operand{KMajor: true, Run: run, Viewed: true}
		}
	}
	product := MatMulConfig{Elem: cfg.Elem, Precision: cfg.precision(), BM: cfg.BO, BN: cfg.BP, BK: cfg.BK, Threads: cfg.Threads, Stages: cfg.Stages}
	weights := plan.Operand{KMajor: true, Run: run, Viewed: true}
	if cfg.PixelsFirst {
		product.BM, product.BN = cfg.BP, cfg.BO
		return product.Plan(caps, runs, weights)
	}
	return product.Plan(caps, weights, runs)
}

// runOf is the run of rows of n elements.
func runOf(elem weft.DType, n int) int { return min(n*elem.Size()&-(n*elem.Size()), 16) }

func (p AttentionProblem) Plan(caps target.Caps, cfg AttentionConfig) plan.Plan {
	return cfg.Plan(p.capsFor(caps), p.rows(), operandOf(p.Elem, p.K, 3), operandOf(p.Elem, p.K, 2))
}

// plan is Plan for operands that suit the instructions.
func (cfg AttentionConfig) plan(caps target.Caps) plan.Plan {
	return cfg.Plan(caps, suitable, suitable, suitableValues)
}

// Plan is what a config with such operands takes of a device.
func (cfg AttentionConfig) Plan(caps target.Caps, queries, keys, values plan.Operand) plan.Plan {
	k := plan.Kernel{Threads: cfg.Threads, Stages: cfg.Stages, Producers: cfg.Producers}
	if cfg.ByRows { // slots meet after the loop
		k.Rest = 4 * cfg.slots() * cfg.BD
		return k.Of(caps)
	}
	keys.Viewed = true
	if cfg.Resident && cfg.whole() {
		queries.Source = plan.Invariant
	}
	for _, part := range cfg.scoreParts() {
		k.Products = append(k.Products, plan.Product{Dot: dotOf(cfg.Elem, cfg.Precision, cfg.BM, cfg.BN, part.width), A: queries, B: keys})
	}
	for _, part := range cfg.parts() {
		k.Products = append(k.Products, plan.Product{Dot: dotOf(cfg.Elem, cfg.Precision, cfg.BM, part.width, cfg.BN), A: plan.Operand{Source: plan.Held}, B: values})
	}
	k.Rest = cfg.restBytes(caps)
	return k.Of(caps)
}

// restBytes is the shared memory apart from the operands: a number for each query goes from one product's threads to the other's, and without shuffles reductions
// need some for each thread. Where tensor maps copy, parts of the result are there, too; the room is for all of it, for which the tiles were measured.
func (cfg AttentionConfig) restBytes(caps target.Caps) int {
	if cfg.isMatrix(caps) {
		n := min(cfg.Producers, 1) * cfg.BM * min(cfg.BV, 64) * cfg.Elem.Size()
		if caps.Cooperative.Multiplies() { // whether a sum of any thread is not finite
			n += 4 * max(cfg.Threads/max(caps.Subgroup(cfg.Threads), 1), 1)
		}
		return n
	}
	n := cfg.BM
	if caps.Language == target.WGSL { // the second pass stores its weights in the memory of the keys
		n += max(0, cfg.BM*cfg.exactKeys()-cfg.BN*cfg.BD)
	}
	if caps.Subgroup(cfg.Threads) == 0 {
		n += 4 * cfg.Threads
	}
	return 4 * n
}

// isMatrix reports whether matrix instructions multiply elements of a type.
func isMatrix(caps target.Caps, elem weft.DType, precision tile.Precision) bool {
	return dotOf(elem, precision, 0, 0, 0).NoInstruction(caps) == ""
}

// takesMap reports whether a tensor map may take a view: one whose lines begin at multiples of its bytes.
func takesMap(elem weft.DType, v tune.View) bool { return v.Unit && plan.MapAligns(elem, int(v.Align)) }
