package kernels

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// combineLoads are the elements of results that a thread of the last program has outstanding at a time, eight loads of 16 bytes, and combineRows the rows that it
// adds at once: those beyond the tensor, which matrix instructions take, cost nothing.
const combineLoads, combineRows = 32, 4

// combination is how the last program of a tile of queries adds what the parts of the keys give: rows and columns at a time, by slots of threads that have a part
// each, which load several of their parts at once.
type combination struct {
	rows, cols, slots, parts int
}

// combination chooses it for the threads of a config.
func (cfg AttentionConfig) combination() combination {
	c := combination{cols: pow2.Ceil(cfg.Head)}
	c.rows = min(cfg.BM, combineRows)
	c.slots = max(4*cfg.Threads/(c.rows*c.cols), 1)
	c.parts = max(combineLoads*cfg.Threads/(c.slots*c.rows*c.cols), 1)
	return c
}

// CombinesOn reports whether the last program of each tile of queries should combine the parts of the keys: the device orders accesses of different programs, and
// one program takes less time for it than a second pass takes to start. Queries of packed sequences have a second pass.
func (cfg AttentionConfig) CombinesOn(caps target.Caps, queries, parts int) bool {
	if !caps.DeviceOrder || caps.WholeTiles || cfg.QueryStarts || cfg.Threads == 0 {
		return false
	}
	m := caps.Facts()
	second := secondPass(m)
	if caps.Language == target.CUDA { // a launch starts while the one before it ends
		second -= m.Launch
	}
	return cfg.combineTime(m, queries, parts) < second
}

// secondPass is what the pass takes that adds the parts, besides reading them.
func secondPass(m *target.Machine) float64 { return m.Launch + startLoads*m.Latency }

// combineTime is how long the last program of a tile takes: it waits for its stores, counts itself, and then waits for the loads of one block of rows and parts after
// the other. (32 heads, 8 of keys, of 128 elements of F16, 1024 keys by Vulkan on an H200, µs in one launch and in two: with 16 parts, one block, 11.9 and 12.8; with
// 32 parts, two blocks, 14.0 and 13.8.)
func (cfg AttentionConfig) combineTime(m *target.Machine, queries, parts int) float64 {
	c, rows := cfg.combination(), min(queries, cfg.BM)
	waits := 3 + CeilDiv(rows, c.rows)*CeilDiv(parts, c.slots*c.parts)
	bytes := float64(4 * parts * rows * cfg.Head)
	return float64(waits)*m.Latency + bytes*float64(m.Units)/m.Cache
}

// combine has the last program of a tile of queries add the results of all parts of the keys, each by its share of the sum of all exponentials, in one order,
// whichever program it is. Programs count themselves in a word of the tile, which is 0 before and after the kernel.
func (a *attention) combine() {
	count := a.arrived.At(a.batch, a.head, a.row)
	last := count.AcquireRelease().AtomicAdd(1).Eq(a.out.Dim(0).Sub(1))
	a.If(last, func() {
		c := a.cfg.combination()
		if blocks := a.cfg.BM / c.rows; blocks > 1 {
			first := a.row.(*tile.Value).Mul(blocks)
			a.upTo(first, a.CDiv(a.out.Dim(3), c.rows).Minimum(first.Add(blocks)), func(i *tile.Value) { a.combineRows(c, i) })
		} else {
			a.combineRows(c, a.row)
		}
		count.AtomicExchange(0)
	})
}

// upTo is a loop from a number to below another one whose loads do not run ahead: those of an iteration are as many as there are registers for.
func (a *attention) upTo(from, to *tile.Value, body func(i *tile.Value)) {
	i := a.Var(from)
	for range a.While(func() *tile.Value { return i.Get().Lt(to) }) {
		body(i.Get())
		i.Set(i.Get().Add(1))
	}
}

// combineRows adds the results of a block of rows.
func (a *attention) combineRows(c combination, block tile.Operand) {
	row := []int{c.slots, c.rows, 1}
	at := []tile.Operand{a.batch, a.head, block}
	largest, total := a.Var(a.Full(dtype.F32, lowest, row...)), a.Var(a.Zeros(dtype.F32, row...))
	acc := a.Var(a.Zeros(dtype.F32, c.slots, c.rows, c.cols))
	a.upTo(a.Int(0), a.CDiv(a.out.Dim(0), c.slots*c.parts), func(p *tile.Value) {
		sums, results := make([]*tile.Value, c.parts), make([]*tile.Value, c.parts)
		top := largest.Get()
		for i := range c.parts {
			from := append([]tile.Operand{p.Mul(c.parts).Add(i)}, at...)
			sums[i] = a.lse.Block(c.slots, 1, 1, c.rows).Squeeze(1, 2).Fill(math.Inf(-1)).Load(from...).Reshape(row...)
			results[i] = a.out.Block(c.slots, 1, 1, c.rows, c.cols).Squeeze(1, 2).Load(append(from, 0)...)
			top = top.Maximum(sums[i])
		}
		shrink := largest.Get().Sub(top).Exp2()
		sum, x := total.Get().Mul(shrink), acc.Get().Mul(shrink)
		for i := range c.parts {
			weight := sums[i].Sub(top).Exp2()
			sum, x = sum.Add(weight), results[i].FMA(weight, x)
		}
		total.Set(sum)
		acc.Set(x)
		largest.Set(top)
	})
	top := largest.Get().Max(0)
	share := largest.Get().Sub(top).Exp2()
	sum := total.Get().Mul(share).Sum(0)
	none := sum.Eq(0)
	one := a.Full(dtype.F32, 1, 1, c.rows, 1)
	x := acc.Get().Mul(share).Sum(0).Mul(one.Div(a.Where(none, one, sum)))
	rowsOf(a.combined, c.rows, c.cols).Store(x.Cast(a.combined.Elem).Reshape(c.rows, c.cols), append(at, 0)...)
	if a.cfg.LSE {
		lse := a.Where(none, a.Full(dtype.F32, math.Inf(-1), 1, c.rows, 1), top.Add(sum.Log2()).Mul(math.Ln2))
		rowsOf(a.combinedLSE, c.rows).Store(lse.Reshape(c.rows), at...)
	}
}
