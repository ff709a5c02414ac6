package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// SortConfig is what the kernels of Sort are built for. A row is what is sorted.
type SortConfig struct {
	Elem       weft.DType
	Rank       int // dimensions after merging, at least 2; the last one holds a row
	Descending bool
	Values     bool // the sorted elements are wanted
	Indices    bool // their indices are wanted
	Indexed    bool // SortScatter: indices are read with the elements, not the places where elements are
	Ranks      bool // SortRows: elements are compared with all of their row, not sorted by digits
	Run        int  // elements among which equal digits of 8 bits are counted by Value.Rank; 0 where tiles are sorted by digits of 4 bits
	Rows       int  // of one tile of SortRows, a power of two
	Tile       int  // elements of a row in one tile, a power of two
	Threads    int  // of a workgroup; 0 lets the compiler choose
}

// SortRows sorts rows that fit a tile. Its views are x [...,N], values [...,N] if they are wanted, and indices [...,N] of I32 if they are.
// Its scalars are the first bit of keys, and the number of bits, that rows are sorted by; with cfg.Ranks they are sorted by all.
var SortRows = weft.NewKernel("sort_rows", describeSortRows)

// Longer rows are sorted by 8 bits of their keys at a time: SortCount counts the elements with each of the 256 digits in
// each tile of a row; a cumulative sum along the tiles, exclusive, says how many precede the tile; SortOffsets finds where the first element with each
// digit of each tile goes; and SortScatter sorts each tile by the digit and writes its elements there, runs of them with one digit.
const (
	SortBits  = 8
	SortRadix = 1 << SortBits
)

// SortCount has views x [...,N] and counts [...,P,256] of I32 for P tiles of a row. Its scalar is the number of the digit's first bit.
var SortCount = weft.NewKernel("sort_count", describeSortCount)

// SortOffsets has views counts [...,P,256], before, their exclusive sums along P, and offsets, of one shape and I32: where the first element with a digit of a tile
// goes in its row, less how many elements of the tile have lower digits.
var SortOffsets = weft.NewKernel("sort_offsets", describeSortOffsets)

// SortScatter has views x [...,N], with cfg.Indexed from [...,N] of I32, offsets [...,P,256] of I32, and values and indices as SortRows. Its scalar is the number of the
// digit's first bit.
var SortScatter = weft.NewKernel("sort_scatter", describeSortScatter)

// sorter are elements of rows of a tile in the order so far, one row after the other.
type sorter struct {
	k          *tile.Builder
	cfg        SortConfig
	rows       int
	raw, index *tile.Var // index is nil if none are wanted
}

// loadSorted are a tile's elements; what is beyond a row goes last.
func loadSorted(k *tile.Builder, cfg SortConfig, rows int, x, from *tile.View, at []tile.Operand) *sorter {
	s := &sorter{k: k, cfg: cfg, rows: rows}
	block, last := x.Block(s.block()...), cfg.Rank-1
	place := block.Indices(last, at[last]).Reshape(1, cfg.Tile).Broadcast(rows, cfg.Tile)
	raw := rawBits(block.Load(at...)).Reshape(rows, cfg.Tile)
	padding := k.Full(raw.Type().Elem, rawLast(cfg.Elem, cfg.Descending), rows, cfg.Tile)
	s.raw = k.Var(k.Where(place.Lt(x.Dim(last)), raw, padding).Reshape(rows * cfg.Tile))
	switch {
	case from != nil:
		s.index = k.Var(from.Block(s.block()...).Load(at...).Reshape(rows * cfg.Tile))
	case cfg.Indices:
		s.index = k.Var(place.Reshape(rows * cfg.Tile))
	}
	return s
}

// block is the shape of the tile in a view.
func (s *sorter) block() []int {
	block := slices.Repeat([]int{1}, s.cfg.Rank)
	block[s.cfg.Rank-2], block[s.cfg.Rank-1] = s.rows, s.cfg.Tile
	return block
}

func (s *sorter) key() *tile.Value { return sortKey(s.raw.Get(), s.cfg.Elem, s.cfg.Descending) }

// rank sorts the rows by counting what precedes each element.
func (s *sorter) rank() {
	s.move(rankPlaces(s.k, wholeKey(s.raw.Get(), s.cfg.Elem, s.cfg.Descending), s.rows, s.cfg.Tile))
}

// move moves elements to their places.
func (s *sorter) move(place *tile.Value) {
	s.raw.Set(s.raw.Get().Reorder(place))
	if s.index != nil {
		s.index.Set(s.index.Get().Reorder(place))
	}
}

// sort sorts the rows by bits of their keys from first on, as many as are given: scalars of I32, or a number.
func (s *sorter) sort(first *tile.Value, bits tile.Operand) {
	if s.cfg.Run > 0 {
		for i := range s.k.Range(s.k.CDiv(bits, SortBits)) {
			digit := digitOf(s.key(), first.Add(i.Mul(SortBits)), SortRadix-1)
			s.move(rankedPlaces(s.k, digit.Cast(dtype.I32), s.cfg.Run))
		}
		return
	}
	for i := range s.k.Range(s.k.CDiv(bits, digitBits)) {
		digit := digitOf(s.key(), first.Add(i.Mul(digitBits)), digits-1)
		s.move(digitPlaces(s.k, digit, s.rows, s.cfg.Tile))
	}
}

// sortViews declares what a kernel reads and writes, of one shape.
func sortViews(k *tile.Builder, cfg SortConfig, indexed bool, more func()) (x, from, values, indices *tile.View) {
	x = k.In("x", cfg.Elem, cfg.Rank)
	if indexed {
		from = k.In("from", dtype.I32, cfg.Rank)
	}
	if more != nil {
		more()
	}
	if cfg.Values {
		values = k.Out("values", cfg.Elem, cfg.Rank)
	}
	if cfg.Indices {
		indices = k.Out("indices", dtype.I32, cfg.Rank)
	}
	for _, v := range []*tile.View{from, values, indices} {
		for d := 0; v != nil && d < cfg.Rank; d++ {
			k.Require(v.Dim(d).Eq(x.Dim(d)))
		}
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	return x, from, values, indices
}

func describeSortRows(k *tile.Builder, cfg SortConfig) {
	x, _, values, indices := sortViews(k, cfg, false, nil)
	low, bits := k.Scalar("low", dtype.I32), k.Scalar("bits", dtype.I32)
	block := slices.Repeat([]int{1}, cfg.Rank)
	block[cfg.Rank-2], block[cfg.Rank-1] = cfg.Rows, cfg.Tile
	at := k.ProgramTile(x, block...)
	s := loadSorted(k, cfg, cfg.Rows, x, nil, at)
	if cfg.Ranks {
		s.rank()
	} else {
		s.sort(low, bits)
	}
	if cfg.Values {
		values.Block(block...).Store(fromRaw(s.raw.Get(), cfg.Elem).Reshape(block...), at...)
	}
	if cfg.Indices {
		indices.Block(block...).Store(s.index.Get().Reshape(block...), at...)
	}
}

// passTile is the grid of a pass over tiles of rows.
func passTile(k *tile.Builder, cfg SortConfig, x *tile.View) []tile.Operand {
	return k.ProgramTile(x, append(slices.Repeat([]int{1}, cfg.Rank-1), cfg.Tile)...)
}

func describeSortCount(k *tile.Builder, cfg SortConfig) {
	x, counts := k.In("x", cfg.Elem, cfg.Rank), k.Out("counts", dtype.I32, cfg.Rank+1)
	shift := k.Scalar("shift", dtype.I32)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at, last := passTile(k, cfg, x), cfg.Rank-1
	block := x.Block(append(slices.Repeat([]int{1}, last), cfg.Tile)...)
	raw := rawBits(block.Load(at...)).Reshape(cfg.Tile)
	digit := digitOf(sortKey(raw, cfg.Elem, cfg.Descending), shift, SortRadix-1).Cast(dtype.I32)
	inside := block.Indices(last, at[last]).Reshape(cfg.Tile).Lt(x.Dim(last))
	row := append(slices.Repeat([]int{1}, cfg.Rank), SortRadix)
	counts.Block(row...).Store(k.Where(inside, digit, -1).Histogram(SortRadix, 1).Reshape(row...), append(slices.Clone(at), 0)...)
}

func describeSortOffsets(k *tile.Builder, cfg SortConfig) {
	rank := cfg.Rank + 1
	counts, before, offsets := k.In("counts", dtype.I32, rank), k.In("before", dtype.I32, rank), k.Out("offsets", dtype.I32, rank)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	for d := range rank {
		k.Require(before.Dim(d).Eq(counts.Dim(d)))
		k.Require(offsets.Dim(d).Eq(counts.Dim(d)))
	}
	shape := append(slices.Repeat([]int{1}, rank-2), cfg.Rows, SortRadix)
	at := k.ProgramTile(counts, shape...)
	final := slices.Clone(at)
	final[rank-2] = counts.Dim(rank - 2).Sub(1)
	row := append(slices.Repeat([]int{1}, rank-1), SortRadix)
	totals := before.Block(row...).Load(final...).Add(counts.Block(row...).Load(final...))
	base := totals.CumSum(rank-1, tile.Exclusive)
	lower := counts.Block(shape...).Load(at...).CumSum(rank-1, tile.Exclusive)
	offsets.Block(shape...).Store(before.Block(shape...).Load(at...).Add(base).Sub(lower), at...)
}

func describeSortScatter(k *tile.Builder, cfg SortConfig) {
	var offsets *tile.View
	x, from, values, indices := sortViews(k, cfg, cfg.Indexed, func() { offsets = k.In("offsets", dtype.I32, cfg.Rank+1) })
	shift := k.Scalar("shift", dtype.I32)
	at, last := passTile(k, cfg, x), cfg.Rank-1
	s := loadSorted(k, cfg, 1, x, from, at)
	s.sort(shift, SortBits)
	digit := digitOf(s.key(), shift, SortRadix-1).Cast(dtype.I32)
	place := k.Arange(cfg.Tile)
	inside := place.Lt(x.Dim(last).Sub(at[last].(*tile.Value).Mul(cfg.Tile)))
	place = offsets.At(append(slices.Clone(at), digit)...).Mask(inside).Gather().Add(place)
	to := append(slices.Clone(at[:last]), place)
	if cfg.Values {
		values.At(to...).Mask(inside).Scatter(fromRaw(s.raw.Get(), cfg.Elem))
	}
	if cfg.Indices {
		indices.At(to...).Mask(inside).Scatter(s.index.Get())
	}
}
