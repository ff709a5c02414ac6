package kernels

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/tile"
)

// Attention is the kernel of Attention. Its views are q [B,Hq,Sq,D], k and v
// [B,Hkv,Sk,D], with cfg.Mask mask [B,Hq,Sq,Sk] (or its bits, see cfg.PacksMask), with cfg.Lengths lengths [B] of I32, with cfg.Page table [B,P] of I32 (see
// keysAt), with cfg.QueryStarts and cfg.KeyStarts those starts of sequences [N+1] of I32 (see attention_packed.go), then out [B,Hq,Sq,D] and with cfg.LSE lse [B,Hq,Sq]; with
// cfg.TileHeads q, out and lse have a dimension more (see attention_grouped.go). Its scalars are the scale times log2(e), from 0 to 1 unless cfg.Scaled, and the first and
// the last key of query 0, which those of the other queries follow one by one; with cfg.Folded also the queries of a head, or with cfg.QueryStarts how
// often the number of sequences is halved until it is 1. With cfg.QueryStarts the first and the last key are of a query 0 at key 0.
//
// With cfg.Split it is the first pass over keys that several programs share (Dao, Haziza, Massa and Sizov, Flash-Decoding
// for Long-Context Inference, 2023): in place of out and lse its views are results [P,B,Hq,Sq,D] and sums [P,B,Hq,Sq] of F32, what
// each part of the keys gives and the binary logarithm of its sum of exponentials.
var Attention = weft.NewKernel("attention", describeAttention)

func describeAttention(k *tile.Builder, cfg AttentionConfig) {
	a := newAttention(k, cfg)
	if cfg.ByRows {
		a.place(a.programTile())
		a.describeRows()
		return
	}
	for at := range a.tiles() {
		a.place(at)
		a.describeTile()
	}
	if cfg.Combines {
		a.combine()
	}
}

// describeTile describes the attention of the tile that place found.
func (a *attention) describeTile() {
	k, cfg := a.Builder, a.cfg
	largest := k.Var(k.Full(dtype.F32, lowest, cfg.BM, 1))
	sum := k.Var(k.Zeros(dtype.F32, cfg.BM, cfg.sumParts()))
	parts := cfg.parts()
	for i := range parts {
		parts[i].acc = k.Var(k.Zeros(dtype.F32, cfg.BM, parts[i].width))
	}
	for i := range k.RangeStep(a.begin, a.end, 1) {
		keys := a.stepKeys(i)
		s := a.scores(i, keys)
		top, near := a.top(largest.Get(), s.Max(1))
		p, shrink := a.weights(s, top), a.rescaled(largest.Get(), top, near)
		sum.Set(sum.Get().Mul(shrink).Add(a.sumOf(p)))
		largest.Set(top)
		p = p.Cast(cfg.Elem)
		for _, c := range parts {
			v := loadKeys(keys, a.v, cfg.BN, c.width, c.at/c.width)
			c.acc.Set(tile.Dot(p, v, c.acc.Get().Mul(shrink), cfg.Precision))
		}
	}
	total := sum.Get()
	if cfg.sumParts() > 1 {
		total = total.Sum(1)
	}
	switch {
	case cfg.exactApart():
		a.If(a.anyInfinite(parts), func() {
			a.storeExact(largest.Get(), total)
		}).Else(func() {
			a.store(parts, largest.Get(), total)
		})
		return
	case cfg.hides():
		a.exact(parts, largest.Get())
	}
	a.store(parts, largest.Get(), total)
}

// quad is how many threads share a row of a warpgroup's scores. Each has two neighbours of every eight columns.
const quad = 4

// sumParts are how many sums of exponentials a query has in the loop: with a producer one of each thread, which are added after the loop.
func (cfg AttentionConfig) sumParts() int {
	if cfg.Producers > 0 {
		return quad
	}
	return 1
}

// sumOf are the sums of a step's weights.
func (a *attention) sumOf(p *tile.Value) *tile.Value {
	n := a.cfg.sumParts()
	if n == 1 {
		return p.Sum(1)
	}
	return p.Reshape(a.cfg.BM, a.cfg.BN/(2*n), n, 2).Sum(3).Sum(1).Reshape(a.cfg.BM, n)
}

// mostGrowth is the binary logarithm of how much a weight may be, see top, and leastSums are the fewest sums of a thread that are worth a branch.
const mostGrowth, leastSums = 8, 64

// keepsTop reports whether sums are scaled only where weights would be large. The products that a warpgroup begins next wait for that.
func (cfg AttentionConfig) keepsTop() bool {
	return cfg.InFlight > 1 && cfg.BM*cfg.Head >= leastSums*cfg.Threads
}

// top is what the scores of a step are relative to, given what it was before and the greatest of them. It may stay as it was where no weight is above
// 2^mostGrowth: then near holds, and sums are not scaled. F16 and sums have room for such weights.
func (a *attention) top(largest, greatest *tile.Value) (top, near *tile.Value) {
	top = largest.Maximum(greatest)
	if !a.cfg.keepsTop() {
		return top, nil
	}
	near = a.exponent(top).Sub(a.exponent(largest)).Le(mostGrowth)
	return a.Where(near, largest, top), near
}

// store writes the results of all parts of the head, given the greatest score of each query and the sum of its exponentials.
func (a *attention) store(parts []part, largest, sum *tile.Value) {
	for _, c := range parts {
		a.storePart(c.acc.Get(), sum, c.at/c.width)
	}
	a.storeLSE(largest, sum)
}

// storePart writes the results of a block of the head.
func (a *attention) storePart(acc, sum *tile.Value, block tile.Operand) {
	share := a.Full(dtype.F32, 1, a.cfg.BM, 1)
	share = share.Div(a.Where(sum.Eq(0), share, sum)) // where every key is masked
	a.storeRows(a.out, acc.Mul(share).Cast(a.out.Elem), block)
}

// storeLSE writes the logarithms of the sums of exponentials, if there is a view for them.
func (a *attention) storeLSE(largest, sum *tile.Value) {
	cfg, none := a.cfg, sum.Eq(0)
	if cfg.LSE || cfg.Split {
		lse := a.exponent(largest).Add(sum.Log2())
		if !cfg.Split {
			lse = lse.Mul(math.Ln2)
		}
		lse = a.Where(none, a.Full(dtype.F32, math.Inf(-1), cfg.BM, 1), lse)
		a.storeRows(a.lse, lse.Reshape(cfg.BM))
	}
}

// storeRows writes a value of BM rows, and of columns from block on if it has more than one dimension, at the program's queries.
func (a *attention) storeRows(v *tile.View, x *tile.Value, block ...tile.Operand) {
	if a.queryStarts != nil {
		a.storePacked(v, x, block...)
		return
	}
	if a.cfg.TileHeads > 0 {
		a.storeGrouped(v, x, block...)
		return
	}
	shape := x.Type().Shape
	at := []tile.Operand{a.batch, a.head, a.row}
	if a.cfg.Split {
		at = append([]tile.Operand{a.part}, at...)
	}
	rowsOf(v, shape...).Store(x, append(at, block...)...)
}

// load reads a step's rows of k or v, in a block of the head.
func (at keysAt) load(v *tile.View, rows, width int, block tile.Operand) *tile.Value {
	if at.begins {
		return rowsOf(v, rows, width).LoadAt(append(at.at[:], columnAt(block, width))...)
	}
	return rowsOf(v, rows, width).Load(append(at.at[:], block)...)
}

// rowsOf are blocks of a view in its last dimensions, without those before.
func rowsOf(v *tile.View, shape ...int) tile.Block {
	others := v.Rank - len(shape)
	dims := make([]int, others)
	for d := range dims {
		dims[d] = d
	}
	return v.Block(append(slices.Repeat([]int{1}, others), shape...)...).Squeeze(dims...)
}

// attention is one program's part of the op: a tile of the queries of one head.
type attention struct {
	*tile.Builder
	cfg                     AttentionConfig
	q, k, v, mask, out, lse *tile.View
	lengths, table          *tile.View
	queryStarts, keyStarts  *tile.View
	scale                   *tile.Value
	period                  *tile.Value // queries of a head, of which the rows are several, or heads of a packed query; nil if rows are of one head
	halvings                *tile.Value // of the number of sequences

	arrived               *tile.View // with cfg.Combines, what combine needs: how many parts of a tile of queries are there
	combined, combinedLSE *tile.View // and the results

	part                    tile.Operand  // of the keys
	batch, head, row, group tile.Operand  // the coordinates of the queries, and the head of their keys
	rows, first, last       *tile.Value   // the first query, and the keys of query 0 that band is given
	keys                    *tile.Value   // how many there are
	queriesFrom, queriesOf  *tile.Value   // where the sequence's queries begin in q, and how many it has; nil without starts
	keysFrom                *tile.Value   // where its keys begin in k; nil without starts
	resident                []*tile.Value // the queries by parts of the head, nil if each step loads them
	begin, end              *tile.Value   // steps in which there are keys to see
	wholeFrom, wholeTo      *tile.Value   // and those in which all queries see all of them
	from, to                *tile.Value   // keys that each query sees, [BM,1]; from is nil where it is the first
}

func newAttention(k *tile.Builder, cfg AttentionConfig) *attention {
	a := &attention{Builder: k, cfg: cfg}
	var order tile.Order
	if cfg.Heads > 0 {
		order = tile.Order{Kind: tile.GroupedRows, Group: cfg.Heads}
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads, Stages: cfg.Stages, Producers: cfg.Producers, InFlight: cfg.InFlight, Resident: cfg.Workgroups, Order: order})
	rank := cfg.queryRank()
	a.q, a.k, a.v = k.In("q", cfg.Elem, rank), k.In("k", cfg.Elem, 4), k.In("v", cfg.Elem, 4)
	switch {
	case cfg.PacksMask():
		a.mask = k.In("mask", dtype.U32, 4)
	case cfg.Mask != dtype.Invalid:
		a.mask = k.In("mask", cfg.Mask, 4)
	}
	if cfg.Lengths {
		a.lengths = k.In("lengths", dtype.I32, 1)
	}
	if cfg.Page > 0 {
		a.table = k.In("table", dtype.I32, 2)
		k.Require(a.k.Dim(2).Eq(cfg.Page))
	}
	if cfg.Producers > 0 && cfg.Head != pow2.Ceil(cfg.Head) { // of the tiles' columns, some are zeros
		for _, v := range []*tile.View{a.q, a.k, a.v} {
			k.Require(v.Dim(v.Rank - 1).Le(cfg.Head))
		}
	}
	a.packedViews()
	switch {
	case cfg.Combines:
		a.out, a.lse = k.InOut("results", dtype.F32, 5), k.InOut("sums", dtype.F32, 4)
		a.arrived, a.combined = k.InOut("arrived", dtype.I32, 3), k.Out("out", cfg.Elem, 4)
		if cfg.LSE {
			a.combinedLSE = k.Out("lse", dtype.F32, 3)
		}
	case cfg.Split:
		a.out, a.lse = k.Out("results", dtype.F32, 5), k.Out("sums", dtype.F32, 4)
	case cfg.LSE:
		a.out, a.lse = k.Out("out", cfg.Elem, rank), k.Out("lse", dtype.F32, rank-1)
	default:
		a.out = k.Out("out", cfg.Elem, rank)
	}
	a.scale = k.Scalar("scale", dtype.F32)
	a.first, a.last = k.Scalar("first", dtype.I32), k.Scalar("last", dtype.I32)
	switch {
	case cfg.Folded && cfg.QueryStarts:
		a.period = a.q.Dim(1).Div(a.k.Dim(1))
	case cfg.Folded:
		a.period = k.Scalar("period", dtype.I32)
	}
	if cfg.QueryStarts {
		a.halvings = k.Scalar("halvings", dtype.I32)
	}
	return a
}

// place finds the queries of a tile at coordinates, and the keys that these see.
func (a *attention) place(at []tile.Operand) {
	cfg := a.cfg
	if cfg.Split {
		a.part, at = at[0], at[1:]
	}
	a.batch, a.head = at[0], at[1]
	row := at[2].(*tile.Value)
	if cfg.QueryStarts {
		a.batch, row = a.sequenceOf(row)
		a.queriesFrom, a.queriesOf = rangeOf(a.queryStarts, a.batch, a.q.Dim(2))
	}
	if a.row, a.group = row, a.head; !cfg.Folded || !cfg.QueryStarts {
		a.group = at[1].(*tile.Value).Div(a.q.Dim(1).Div(a.k.Dim(1)))
	}
	a.rows = row.Mul(cfg.tileQueries())
	a.countKeys()
	a.band(a.rows, a.first, a.last)
	if cfg.QueryStarts { // a block more than the sequence needs has nothing to do
		a.end = a.Where(a.packedQuery(a.rows).Lt(a.queriesOf), a.end, a.begin)
	}
	if cfg.Split {
		each := a.CDiv(a.end.Sub(a.begin).Maximum(0), a.out.Dim(0))
		a.begin = a.begin.Add(each.Mul(a.part))
		a.end = a.begin.Add(each).Minimum(a.end)
	}
	a.keepQueries()
}

// countKeys finds how many keys there are, and lets the last query stand at the last of them.
func (a *attention) countKeys() {
	cfg, all := a.cfg, a.k.Dim(2)
	if a.table != nil {
		all = a.table.Dim(1).Mul(cfg.Page)
	}
	a.keys = all
	if cfg.KeyStarts {
		a.keysFrom, a.keys = rangeOf(a.keyStarts, a.batch, all)
	}
	if cfg.Lengths {
		a.keys = a.lengths.At(a.batch).Gather().Maximum(0).Minimum(a.keys) // a scalar, on which the copies of a producer may depend
	}
	var less *tile.Value
	switch {
	case cfg.Start:
		return
	case cfg.QueryStarts:
		less = a.keys.Sub(a.queriesOf)
	case cfg.Lengths || cfg.KeyStarts:
		less = a.keys.Sub(all)
	default:
		return
	}
	a.first, a.last = a.first.Add(less), a.last.Add(less)
}

// band finds what the queries from number row on see: query i the keys from first+i to last+i.
func (a *attention) band(row, first, last *tile.Value) {
	keys, rows := a.keys, a.rowQueries().Add(row)
	top, bottom := row, row.Add(a.cfg.tileQueries()-1) // the first and the last query, each with its own first and last key
	switch {
	case a.queryStarts != nil:
		rows, top, bottom = a.packedQuery(rows), a.packedQuery(top), a.packedQuery(bottom)
	case a.period != nil:
		rows, top, bottom = rows.Rem(a.period), a.Int(0), a.period.Sub(1)
	}
	a.begin, a.wholeFrom = a.Int(0), a.Int(0)
	a.end, a.wholeTo = a.CDiv(keys, a.cfg.BN), keys.Div(a.cfg.BN)
	a.to = keys
	if a.cfg.First {
		a.from = rows.Add(first)
		a.begin = top.Add(first).Maximum(0).Div(a.cfg.BN)
		a.wholeFrom = a.CDiv(bottom.Add(first).Maximum(0), a.cfg.BN)
	}
	if a.cfg.Last {
		after := last.Add(1)
		a.to = rows.Add(after).Minimum(keys)
		a.end = a.CDiv(bottom.Add(after).Minimum(keys).Maximum(0), a.cfg.BN)
		a.wholeTo = top.Add(after).Minimum(keys).Maximum(0).Div(a.cfg.BN)
	}
}

// keepQueries loads the program's queries, if they are to stay.
func (a *attention) keepQueries() {
	if !a.cfg.Resident || !a.cfg.whole() || a.cfg.ByRows {
		return
	}
	a.resident = nil
	for _, c := range a.cfg.scoreParts() {
		a.resident = append(a.resident, a.queries(c.width, c.at/c.width))
	}
}

// queries are the program's, in a block of the head, [BM,width].
func (a *attention) queries(width int, block tile.Operand) *tile.Value {
	switch {
	case a.queryStarts != nil:
		return a.packedQueries(width, block)
	case a.cfg.TileHeads > 0:
		return a.groupedQueries(width, block)
	}
	return rowsOf(a.q, a.cfg.BM, width).Load(a.batch, a.head, a.row, block)
}

// scaled reports whether scores are scaled as they come, and not with what is subtracted from them: where something else is added to them, and
// where their order would change or the least of them leave the range of F32.
func (a *attention) scaled() bool {
	return a.cfg.Scaled || a.cfg.Mask.Valid() && a.cfg.Mask != dtype.Bool
}

// exponent is a score as an exponent of 2.
func (a *attention) exponent(s *tile.Value) *tile.Value {
	if a.scaled() {
		return s
	}
	return s.Mul(a.scale)
}

// weights are what scores weigh relative to a greatest one, [BM,1]. (The lowest number relative to itself, where no key was seen yet, weighs 1 or 0: times a
// scale up to 1 it rounds towards 0, so that what is left of it in the sum is not above 0.)
func (a *attention) weights(s, top *tile.Value) *tile.Value {
	if a.scaled() {
		return s.Sub(top).Exp2()
	}
	return s.FMA(a.scale, a.exponent(top).Neg()).Exp2()
}

// rescaled is what sums relative to a greatest score are multiplied by to be relative to another, [BM,1]: 1 where it is the same, so that they do not drift away in many steps, which weights would not be. near,
// if not nil, tells where it is (see top).
func (a *attention) rescaled(from, to, near *tile.Value) *tile.Value {
	if near != nil {
		return a.Where(near, a.Full(dtype.F32, 1, a.cfg.BM, 1), a.weights(from, to))
	}
	return a.exponent(from).Sub(a.exponent(to)).Exp2()
}

// scores are those of step i, [BM,BN], times log2(e) if they are scaled; -infinity where a query does not see a key.
func (a *attention) scores(i *tile.Value, keys []keysAt) *tile.Value {
	cfg := a.cfg
	var bits *tile.Value
	if cfg.PacksMask() { // before the products, which hide the loads
		bits = a.bitsOf(i)
	}
	s := a.Var(a.Zeros(dtype.F32, cfg.BM, cfg.BN))
	product := func(q *tile.Value, width int, block tile.Operand) {
		k := loadKeys(keys, a.k, cfg.BN, width, block)
		s.Set(tile.Dot(q, k.Transpose(), s.Get(), cfg.Precision))
	}
	switch {
	case a.resident != nil:
		for n, c := range cfg.scoreParts() {
			product(a.resident[n], c.width, c.at/c.width)
		}
	case cfg.whole():
		product(a.queries(cfg.BD, 0), cfg.BD, 0)
	default:
		for d := range a.Range(a.CDiv(a.q.Dim(a.q.Rank-1), cfg.BD)) {
			product(a.queries(cfg.BD, d), cfg.BD, d)
		}
	}
	hidden := a.Full(dtype.F32, math.Inf(-1), cfg.BM, cfg.BN)
	a.addMask(s, i, bits, hidden)
	edge := i.Ge(a.wholeTo)
	if a.from != nil {
		edge = edge.Or(i.Lt(a.wholeFrom))
	}
	a.If(edge, func() {
		columns := a.Iota(1, 1, cfg.BN).Add(i.Mul(cfg.BN))
		seen := columns.Lt(a.to)
		if a.from != nil {
			seen = seen.And(columns.Ge(a.from))
		}
		s.Set(a.Where(seen, s.Get(), hidden))
	})
	return s.Get()
}
