package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/tile"
)

// RotaryAppendConfig is what RotaryAppend is built for. Positions are always given.
type RotaryAppendConfig struct {
	RotaryConfig
	Query bool // queries are rotated, too
	Paged bool // caches are pools of pages, which a table lists
	Cols  int  // elements of a row of values in a program's tile, a power of two
}

// Append is the config of RotaryAppend by sizes of a rotation, for rows of values of so many elements.
func (p RotaryProblem) Append(s RotarySizes, head int) RotaryAppendConfig {
	cfg := RotaryAppendConfig{RotaryConfig: p.Config(s)}
	cfg.Positions = true
	cfg.Cols = min(pow2.Ceil(max(head, 1)), 2*s.Pairs)
	return cfg
}

// RotaryAppend is the kernel of RotaryAppend. Its views are k in pairs as for Rotary, v [B,H,S,D], positions [B] of I32; with cfg.Paged
// a table [B,MaxPages] of I32; with cfg.Tables cos and sin [Positions,R/2] of F32; then the caches keys in pairs and values
// [B,H,Capacity,D], which are of [Pages,...,PageSize,...] if paged; and with cfg.Query q in pairs [B,Hq,S,...], which is rotated in place.
// Without tables its scalars are those of RotaryRatios.
//
// A program has a tile of some heads of q, of k or of v: those of q come first.
var RotaryAppend = weft.NewKernel("rotary_append", describeRotaryAppend)

// rotaryAppend is one program's part of the op.
type rotaryAppend struct {
	rotary
	query, paged            bool
	k, v, table, keys, vals *tile.View
	q                       *tile.View
	batch, row, column      *tile.Value // of the tile, in tiles
}

func describeRotaryAppend(k *tile.Builder, cfg RotaryAppendConfig) {
	r := &rotaryAppend{rotary: rotary{Builder: k, cfg: cfg.RotaryConfig}, query: cfg.Query, paged: cfg.Paged}
	r.views()
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	pairs := r.k.Dim(r.pairAxis())
	columns := k.CDiv(pairs, cfg.Pairs).Maximum(k.CDiv(r.v.Dim(3), cfg.Cols))
	rows, ofKeys, ofQueries := k.CDiv(r.k.Dim(2), cfg.Rows), k.CDiv(r.k.Dim(1), cfg.Heads), k.Int(0)
	if cfg.Query {
		ofQueries = k.CDiv(r.q.Dim(1), cfg.Heads)
	}
	heads := ofKeys.Mul(2).Add(ofQueries)
	k.Grid(columns.Mul(rows).Mul(heads).Mul(r.k.Dim(0)))
	rest := k.ProgramID(0)
	next := func(count *tile.Value) *tile.Value {
		at := rest.Rem(count)
		rest = rest.Div(count)
		return at
	}
	r.column, r.row = next(columns), next(rows)
	head := next(heads)
	r.batch = rest

	value := head.Sub(ofQueries).Sub(ofKeys)
	k.If(value.Lt(0), func() {
		cos, sin := r.direction(r.batch, r.row, r.column)
		key := head.Sub(ofQueries)
		if cfg.Query {
			k.If(key.Lt(0), func() { r.turnQueries(head, cos, sin) })
		}
		k.If(key.Ge(0), func() { r.appendKeys(key, cos, sin) })
	}).Else(func() { r.appendValues(value, cfg.Cols) })
}

// views declares the views and the scalars.
func (r *rotaryAppend) views() {
	k, elem := r.Builder, r.cfg.Elem
	r.k, r.v, r.positions = k.In("k", elem, 5), k.In("v", elem, 4), k.In("positions", dtype.I32, 1)
	if r.paged {
		r.table = k.In("table", dtype.I32, 2)
	}
	if r.cfg.Tables {
		r.cos, r.sin = k.In("cos", dtype.F32, 2), k.In("sin", dtype.F32, 2)
	}
	r.keys, r.vals = k.InOut("keys", elem, 5), k.InOut("values", elem, 4)
	if r.query {
		r.q = k.InOut("q", elem, 5)
	}
	r.declareRatios()
	k.Require(r.positions.Dim(0).Eq(r.k.Dim(0)))
	for d := range 3 {
		k.Require(r.v.Dim(d).Eq(r.k.Dim(d)))
	}
	for d := range 5 {
		if r.query && d != 1 {
			k.Require(r.q.Dim(d).Eq(r.k.Dim(d)))
		}
		if d == 1 || d > 2 {
			k.Require(r.keys.Dim(d).Eq(r.k.Dim(d)))
		}
	}
	k.Require(r.vals.Dim(1).Eq(r.v.Dim(1)))
	k.Require(r.vals.Dim(3).Eq(r.v.Dim(3)))
}

// turnQueries rotates a tile of heads in place.
func (r *rotaryAppend) turnQueries(head, cos, sin *tile.Value) {
	at := []tile.Operand{r.batch, head, r.row, r.column}
	r.store(r.q, at, r.turn(r.q, at, cos, sin))
}

// appendKeys rotates a tile of keys and writes it into their cache.
func (r *rotaryAppend) appendKeys(head, cos, sin *tile.Value) {
	cfg := r.cfg
	turned := r.turn(r.k, []tile.Operand{r.batch, head, r.row, r.column}, cos, sin)
	block := r.half(r.k)
	if cfg.Interleaved {
		block = r.k.Block(1, cfg.Heads, cfg.Rows, cfg.Pairs, 2)
	}
	first, row, inside := r.rowsOf(r.keys, block)
	heads, pairs := block.Indices(1, head), block.Indices(r.pairAxis(), r.column)
	if cfg.Interleaved {
		r.keys.At(first, heads, row, pairs, block.Indices(4, 0)).Mask(inside.Broadcast(1, cfg.Heads, cfg.Rows, cfg.Pairs, 2)).Scatter(turned[0].Join(turned[1]))
		return
	}
	for i, v := range turned {
		r.keys.At(first, heads, row, i, pairs).Mask(inside.Broadcast(1, cfg.Heads, cfg.Rows, cfg.Pairs)).Scatter(v)
	}
}

// appendValues writes a tile of values into their cache.
func (r *rotaryAppend) appendValues(head *tile.Value, cols int) {
	block := r.v.Block(1, r.cfg.Heads, r.cfg.Rows, cols)
	first, row, inside := r.rowsOf(r.vals, block)
	v := block.Load(r.batch, head, r.row, r.column)
	r.vals.At(first, block.Indices(1, head), row, block.Indices(3, r.column)).Mask(inside.Broadcast(1, r.cfg.Heads, r.cfg.Rows, cols)).Scatter(v)
}

// rowsOf are the batches or pages and the rows of a cache that the rows of a block become, and which of them there are.
func (r *rotaryAppend) rowsOf(cache *tile.View, block tile.Block) (first tile.Operand, row, inside *tile.Value) {
	row = block.Indices(2, r.row)
	inside = row.Lt(r.k.Dim(2))
	row = row.Add(r.positions.At(r.batch).Gather()) // a sum that wraps is below 0
	if !r.paged {
		return r.batch, row, inside
	}
	return pageOf(r.table, cache, r.batch, row, inside), row.Rem(cache.Dim(2)), inside
}
