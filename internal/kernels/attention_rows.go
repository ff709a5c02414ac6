package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// A few queries leave most of a tile of products empty, and reading keys and values takes longest. Then each query is multiplied with keys
// element by element, as they come from memory. Threads that have one key's elements add them up; those of different keys,
// a slot each, keep a greatest score, a sum and a row of results of their own through the loop, and meet once after it.

// mostRows are the queries that one program takes so, which all stay in its registers.
const mostRows = 4

// slots are the keys that the threads of a program have at a time.
func (cfg AttentionConfig) slots() int {
	lanes := max(cfg.BD*cfg.Elem.Size()/16, 1) // of one key, with 16 bytes each
	return max(min(cfg.Threads/lanes, cfg.BN), 1)
}

// query is one of a program's queries by rows.
type query struct {
	*attention             // of a tile of one query
	row                    *tile.Value
	largest, sum, products *tile.Var // [1,slots,1], and [1,slots,BD]
}

// describeRows is Attention by rows.
func (a *attention) describeRows() {
	cfg, slots := a.cfg, a.cfg.slots()
	queries := make([]query, cfg.BM)
	for r := range queries {
		queries[r] = a.query(a.rows.Add(r), slots)
	}
	shape := []int{cfg.BN / slots, slots, cfg.BD}
	for i := range a.RangeStep(a.begin, a.end, 1) {
		at := a.keysAt(i)
		keys := at.load(a.k, cfg.BN, cfg.BD, 0).Cast(dtype.F32).Reshape(shape...)
		values := at.load(a.v, cfg.BN, cfg.BD, 0).Cast(dtype.F32).Reshape(shape...)
		for _, q := range queries {
			q.add(i, keys, values)
		}
	}
	for _, q := range queries {
		q.finish()
	}
}

func (a *attention) query(number *tile.Value, slots int) query {
	one := *a
	one.cfg.BM, one.row = 1, number
	one.band(number, a.first, a.last)
	if a.cfg.First {
		one.from = one.from.Reshape(1, 1, 1)
	}
	if a.cfg.Last {
		one.to = one.to.Reshape(1, 1, 1)
	}
	return query{&one, one.queries(a.cfg.BD, 0).Cast(dtype.F32).Reshape(1, 1, a.cfg.BD),
		a.Var(a.Full(dtype.F32, lowest, 1, slots, 1)), a.Var(a.Zeros(dtype.F32, 1, slots, 1)), a.Var(a.Zeros(dtype.F32, 1, slots, a.cfg.BD))}
}

// add adds the keys and values of step i, [n,slots,BD].
func (q query) add(i, keys, values *tile.Value) {
	shape := keys.Type().Shape
	s, seen := q.hide(i, keys.Mul(q.row).Sum(2), shape[0], shape[1])
	top := q.largest.Get().Maximum(s.Max(0))
	p, shrink := q.weights(s, top), q.weights(q.largest.Get(), top)
	products := values.Mul(p)
	if q.cfg.hides() { // 0 times a value that is not finite is NaN
		products = q.Where(seen, products, q.Zeros(dtype.F32, shape...))
	}
	q.sum.Set(q.sum.Get().Mul(shrink).Add(p.Sum(0)))
	q.products.Set(q.products.Get().Mul(shrink).Add(products.Sum(0)))
	q.largest.Set(top)
}

// hide scales the scores of step i, [n,slots,1], adds the mask and hides the keys that the query does not see; seen are the others.
func (q query) hide(i, s *tile.Value, n, slots int) (scores, seen *tile.Value) {
	cfg := q.cfg
	if q.scaled() {
		s = s.Mul(q.scale)
	}
	columns := q.Iota(0, n, 1, 1).Mul(slots).Add(q.Iota(1, 1, slots, 1)).Add(i.Mul(cfg.BN))
	seen = columns.Lt(q.to)
	if q.from != nil {
		seen = seen.And(columns.Ge(q.from))
	}
	if q.mask != nil {
		m := rowsOf(q.mask, 1, cfg.BN).Load(q.batch, q.head, q.attention.row, i).Reshape(n, slots, 1)
		if cfg.Mask == dtype.Bool {
			seen = seen.And(m)
		} else {
			m = m.Cast(dtype.F32)
			seen = seen.And(m.Ge(lowest).Or(m.Ne(m)))
			s = m.FMA(math.Log2E, s)
		}
	}
	return q.Where(seen, s, q.Full(dtype.F32, math.Inf(-1), n, slots, 1)), seen
}

// finish combines the slots and stores the result.
func (q query) finish() {
	largest := q.largest.Get().Max(1)
	share := q.weights(q.largest.Get(), largest)
	sum := q.sum.Get().Mul(share).Sum(1).Reshape(1, 1)
	result := q.Var(q.products.Get().Mul(share).Sum(1).Reshape(1, q.cfg.BD))
	q.store([]part{{width: q.cfg.BD, acc: result}}, largest.Reshape(1, 1), sum)
}

// attentionRows are the tiles by rows. A thread has two vectors of keys and of values at a time for the most queries, and more for fewer, whose registers are free.
func attentionRows(caps target.Caps, elem weft.DType, queries, head int) AttentionConfig {
	t := AttentionConfig{ByRows: true, BM: min(pow2.Ceil(queries), mostRows), BD: pow2.Ceil(head), Stages: 1, Threads: caps.FitThreads(256)}
	t.BV = t.BD
	t.Elem, t.BN = elem, t.Threads
	t.BN = t.slots() * 2 * mostRows / t.BM
	return t
}
