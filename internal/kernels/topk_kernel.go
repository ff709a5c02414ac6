package kernels

import (
	"math"
	"math/bits"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// TopK is the first kernel of TopK, which finds the largest elements of a row, or of each part of one, and TopKOrder is the last
// one, which puts them in order. Between them is a list of candidates for each row, indices of elements in rising order, with -1 where
// there is none: each launch of TopK makes it shorter.
//
// Its views are x [...,N], with cfg.Listed the candidates from [...,M] of I32, and to [...,P,k] of I32: the parts of a row and the
// candidates of each. With cfg.Once a part is one tile of elements of x, or of candidates, that stays in registers; otherwise
// there is one part, whose tiles are read again in each step. Its scalar is k.
//
// Nothing is sorted. The key of element number k in order is found bit by bit, the highest one first, by counting
// what is not below it, until so many are as large as are wanted, or all bits are known. Elements with the last
// key are taken in the order of their indices.
var TopK = weft.NewKernel("top_k", describeTopK)

// topKeys are the elements of a row that one program looks at.
type topKeys struct {
	k      *tile.Builder
	cfg    TopKConfig
	x      *tile.View
	listed *tile.View
	at     []tile.Operand // of the row
	part   tile.Operand
	held   *topTile // with cfg.Once
}

// topTile are elements: their indices, which of them there are, and their keys.
type topTile struct{ index, valid, key *tile.Value }

func describeTopK(k *tile.Builder, cfg TopKConfig) {
	last := cfg.Rank - 1
	s := &topKeys{k: k, cfg: cfg, x: k.In("x", cfg.Elem, cfg.Rank)}
	if cfg.Listed {
		s.listed = k.In("from", dtype.I32, cfg.Rank)
	}
	to, wanted := k.Out("to", dtype.I32, cfg.Rank+1), k.Scalar("k", dtype.I32)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	for d := range last {
		k.Require(s.x.Dim(d).Eq(to.Dim(d)))
	}
	at := k.ProgramTile(to, append(slices.Repeat([]int{1}, cfg.Rank), 0)...)
	s.at, s.part = at[:last], at[last]
	if cfg.Once {
		s.held = s.load(s.part)
	}

	least := s.least(wanted)
	more := s.count(func(t *topTile) *tile.Value { return t.key.Gt(least) })
	equal := wanted.Sub(more) // of which so many are taken at most
	above, same := k.Var(k.Int(0)), k.Var(k.Int(0))
	s.each(func(t *topTile) {
		larger, like := t.valid.And(t.key.Gt(least)).Cast(dtype.I32), t.valid.And(t.key.Eq(least)).Cast(dtype.I32)
		sums := tile.Scan([]*tile.Value{larger, like}, 0, func(x, y []*tile.Value) []*tile.Value {
			return []*tile.Value{x[0].Add(y[0]), x[1].Add(y[1])}
		})
		before := same.Get().Add(sums[1])
		taken := larger.Gt(0).Or(like.Gt(0).And(before.Le(equal)))
		place := above.Get().Add(sums[0]).Add(before.Minimum(equal)).Sub(1)
		s.point(to, place).Mask(taken).Scatter(t.index)
		if !cfg.Once {
			above.Set(above.Get().Add(larger.Sum(0).At(0)))
			same.Set(same.Get().Add(like.Sum(0).At(0)))
		}
	})

	// A part of fewer than k elements leaves places.
	there := s.count(func(t *topTile) *tile.Value { return t.valid })
	k.If(there.Lt(wanted), func() {
		for i := range k.Range(k.CDiv(wanted, cfg.Tile)) {
			place := k.Arange(cfg.Tile).Add(i.Mul(cfg.Tile))
			s.point(to, place).Mask(place.Ge(there).And(place.Lt(wanted))).Scatter(k.Full(dtype.I32, -1, cfg.Tile))
		}
	})
}

// point are places in this part's candidates.
func (s *topKeys) point(to *tile.View, place *tile.Value) tile.Points {
	return to.At(append(slices.Clone(s.at), s.part, place)...)
}

// load are the elements of a tile of the row.
func (s *topKeys) load(i tile.Operand) *topTile {
	k, cfg := s.k, s.cfg
	list := append(slices.Clone(s.at), i)
	block := append(slices.Repeat([]int{1}, cfg.Rank-1), cfg.Tile)
	if cfg.Listed {
		index := s.listed.Block(block...).Fill(-1).Load(list...).Reshape(cfg.Tile)
		valid := index.Ge(0)
		v := s.x.At(append(slices.Clone(s.at), index)...).Mask(valid).Gather()
		return &topTile{index, valid, topKey(v)}
	}
	index := k.Arange(cfg.Tile).Add(k.Int(cfg.Tile).Mul(i))
	return &topTile{index, index.Lt(s.x.Dim(cfg.Rank - 1)), topKey(s.x.Block(block...).Load(list...).Reshape(cfg.Tile))}
}

// each calls f with all tiles of the part, in order.
func (s *topKeys) each(f func(*topTile)) {
	if s.held != nil {
		f(s.held)
		return
	}
	from := s.x
	if s.listed != nil {
		from = s.listed
	}
	for i := range s.k.Range(s.k.CDiv(from.Dim(s.cfg.Rank-1), s.cfg.Tile)) {
		f(s.load(i))
	}
}

// count is how many elements are so.
func (s *topKeys) count(is func(*topTile) *tile.Value) *tile.Value {
	if s.held != nil {
		return s.held.valid.And(is(s.held)).Cast(dtype.I32).Sum(0).At(0)
	}
	sum := s.k.Var(s.k.Zeros(dtype.I32, s.cfg.Tile))
	s.each(func(t *topTile) { sum.Set(sum.Get().Add(t.valid.And(is(t)).Cast(dtype.I32))) })
	return sum.Get().Sum(0).At(0)
}

// least is a key that at least as many elements as are wanted are not below, and fewer are above: 0 if there are not so many.
func (s *topKeys) least(wanted *tile.Value) *tile.Value {
	k := s.k
	least, bit := k.Var(k.Const(dtype.U32, 0)), k.Var(k.Const(dtype.U32, 1<<31))
	for range k.While(func() *tile.Value { return bit.Get().Ne(0) }) {
		try := least.Get().Or(bit.Get())
		n := s.count(func(t *topTile) *tile.Value { return t.key.Ge(try) })
		least.Set(k.Where(n.Ge(wanted), try, least.Get()))
		bit.Set(k.Where(n.Eq(wanted), 0, bit.Get().Shr(1).And(keyBits(s.cfg.Elem))))
	}
	return least.Get()
}

// keyBits are the bits of a key by which elements of a type differ.
func keyBits(elem weft.DType) uint32 {
	switch {
	case elem.Size() == 1:
		return 0xff << 24
	case elem == dtype.BF16 || elem == dtype.I16 || elem == dtype.U16:
		return 0xffff << 16
	case elem == dtype.F16: // a sign, 8 bits of the exponent and 10 of the fraction of F32
		return 0x7ffff << 13
	}
	return 1<<32 - 1
}

// topKey is a number of U32 for each element that has the elements' order: equal ones have equal keys, 0 and -0 among them, and NaN
// is above all.
func topKey(v *tile.Value) *tile.Value {
	elem := v.Type().Elem
	if elem == dtype.U32 {
		return v
	}
	key := v.OrderKey(1<<31 - 1)
	if elem.IsInt() && elem.Size() < 4 {
		key = key.Shl(32 - 8*elem.Size())
		if !elem.IsSigned() {
			return key.Bitcast(dtype.U32)
		}
	}
	return key.Bitcast(dtype.U32).Xor(1 << 31).And(keyBits(elem))
}

// TopKOrder is the second kernel of TopK. Its views are x [...,N], with cfg.Listed the candidates from [...,M] of I32, else all elements are
// candidates, and values [...,k] and indices [...,k] of I32.
//
// The place of a candidate is how many go before it, which a program counts for a block of them: their number squared is
// little for few. With cfg.Run a program sorts all candidates of a row, of which those that are not there are the last ones.
var TopKOrder = weft.NewKernel("top_k_order", describeTopKOrder)

func describeTopKOrder(k *tile.Builder, cfg TopKOrderConfig) {
	last := cfg.Rank - 1
	s := &topKeys{k: k, x: k.In("x", cfg.Elem, cfg.Rank)}
	from := s.x
	if cfg.Listed {
		s.listed = k.In("from", dtype.I32, cfg.Rank)
		from = s.listed
	}
	values, indices := k.Out("values", cfg.Elem, cfg.Rank), k.Out("indices", dtype.I32, cfg.Rank)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	for d := range cfg.Rank {
		k.Require(values.Dim(d).Eq(indices.Dim(d)))
		if d < last {
			k.Require(s.x.Dim(d).Eq(values.Dim(d)))
			k.Require(from.Dim(d).Eq(values.Dim(d)))
		}
	}
	if cfg.Run > 0 {
		s.sorted(cfg, from, values, indices)
		return
	}
	at := k.ProgramTile(from, append(slices.Repeat([]int{1}, last), cfg.Block)...)
	s.at = at[:last]
	load := func(n int, i tile.Operand) *topTile {
		s.cfg = TopKConfig{Elem: cfg.Elem, Rank: cfg.Rank, Listed: cfg.Listed, Tile: n}
		return s.load(i)
	}
	own := load(cfg.Block, at[last])
	key, index := own.key.Reshape(cfg.Block, 1), own.index.Reshape(cfg.Block, 1)
	before := k.Var(k.Zeros(dtype.I32, cfg.Block, 1))
	for i := range k.Range(k.CDiv(from.Dim(last), cfg.Others)) {
		others := load(cfg.Others, i)
		its := others.key.Reshape(1, cfg.Others)
		first := its.Gt(key).Or(its.Eq(key).And(others.index.Reshape(1, cfg.Others).Lt(index))).And(others.valid.Reshape(1, cfg.Others))
		before.Set(before.Get().Add(first.Cast(dtype.I32).Sum(1)))
	}
	place := before.Get().Reshape(cfg.Block)
	to := append(slices.Clone(s.at), place)
	inside := own.valid.And(place.Lt(values.Dim(last)))
	values.At(to...).Mask(inside).Scatter(s.x.At(append(slices.Clone(s.at), own.index)...).Mask(inside).Gather())
	indices.At(to...).Mask(inside).Scatter(own.index)
}

// sorted describes a program that sorts the candidates of a row by the bits of their keys that differ.
func (s *topKeys) sorted(cfg TopKOrderConfig, from, values, indices *tile.View) {
	last := cfg.Rank - 1
	at := s.k.ProgramTile(from, append(slices.Repeat([]int{1}, last), 0)...)
	s.at = at[:last]
	s.cfg = TopKConfig{Elem: cfg.Elem, Rank: cfg.Rank, Listed: cfg.Listed, Tile: cfg.Block}
	own := s.load(s.k.Int(0))
	order := &sorter{k: s.k, cfg: SortConfig{Elem: dtype.U32, Run: cfg.Run}, rows: 1}
	order.raw = s.k.Var(s.k.Where(own.valid, own.key.Not(), math.MaxUint32)) // the largest one first
	order.index = s.k.Var(own.index)
	low := bits.TrailingZeros32(keyBits(cfg.Elem)) / SortBits * SortBits
	order.sort(s.k.Int(low), 32-low)
	index := order.index.Get()
	place := s.k.Arange(cfg.Block)
	wanted := place.Lt(values.Dim(last))
	to := append(slices.Clone(s.at), place)
	values.At(to...).Mask(wanted).Scatter(s.x.At(append(slices.Clone(s.at), index)...).Mask(wanted).Gather())
	indices.At(to...).Mask(wanted).Scatter(index)
}

// TopKKeys and TopKTake stand for TopKOrder where comparing candidates with each other would take longer than sorting them as any numbers are, between the
// two. The views of TopKKeys are x [...,N], with cfg.Listed the candidates from [...,M] of I32, and keys [...,M] of U32, which rise from the
// largest element to the smallest; places without a candidate, which are a list's last ones, stay the last.
var TopKKeys = weft.NewKernel("top_k_keys", func(k *tile.Builder, cfg TopKMoveConfig) {
	s := newTopKMove(k, cfg)
	keys := k.Out("keys", dtype.U32, cfg.Rank)
	for d := range cfg.Rank {
		k.Require(s.from.Dim(d).Eq(keys.Dim(d)))
	}
	s.at = k.ProgramTile(keys, s.block...)
	v := s.from.Block(s.block...).Load(s.at...)
	valid := k.Full(dtype.Bool, true, s.block...)
	if cfg.Listed {
		valid = v.Ge(0)
		v = s.of(s.x, v)
	}
	keys.Block(s.block...).Store(k.Where(valid, topKey(v).Not(), math.MaxUint32), s.at...)
})

// TopKTake takes the first candidates in an order of them. Its views are those of TopKKeys but for the keys, the order [...,M] of I32, and values
// [...,k] and indices [...,k] of I32.
var TopKTake = weft.NewKernel("top_k_take", func(k *tile.Builder, cfg TopKMoveConfig) {
	s := newTopKMove(k, cfg)
	order, values, indices := k.In("order", dtype.I32, cfg.Rank), k.Out("values", cfg.Elem, cfg.Rank), k.Out("indices", dtype.I32, cfg.Rank)
	for d := range cfg.Rank {
		k.Require(s.from.Dim(d).Eq(order.Dim(d)).And(values.Dim(d).Eq(indices.Dim(d))))
		if d < cfg.Rank-1 {
			k.Require(s.from.Dim(d).Eq(values.Dim(d)))
		}
	}
	s.at = k.ProgramTile(values, s.block...)
	index := order.Block(s.block...).Load(s.at...)
	if cfg.Listed {
		index = s.of(s.from, index)
	}
	values.Block(s.block...).Store(s.of(s.x, index), s.at...)
	indices.Block(s.block...).Store(index, s.at...)
})

// topKMove is what TopKKeys and TopKTake share.
type topKMove struct {
	cfg     TopKMoveConfig
	x, from *tile.View // the elements, and what the candidates are elements of
	block   []int      // of several short rows, or of a part of one
	at      []tile.Operand
}

func newTopKMove(k *tile.Builder, cfg TopKMoveConfig) *topKMove {
	s := &topKMove{cfg: cfg, x: k.In("x", cfg.Elem, cfg.Rank)}
	if s.from = s.x; cfg.Listed {
		s.from = k.In("from", dtype.I32, cfg.Rank)
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	for d := range cfg.Rank - 1 {
		k.Require(s.x.Dim(d).Eq(s.from.Dim(d)))
	}
	s.block = slices.Repeat([]int{1}, cfg.Rank)
	s.block[cfg.Rank-1] = cfg.Cols
	if cfg.Rank > 1 {
		s.block[cfg.Rank-2] = cfg.Rows
	}
	return s
}

// of are the elements of a view at indices in the tile's rows.
func (s *topKMove) of(v *tile.View, index *tile.Value) *tile.Value {
	var at []tile.Operand
	for d := range s.cfg.Rank - 1 {
		at = append(at, v.Block(s.block...).Indices(d, s.at[d]).Broadcast(s.block...))
	}
	return v.At(append(at, index)...).Gather()
}
