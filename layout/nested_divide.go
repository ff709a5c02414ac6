package layout

import (
	"slices"

	"github.com/weftgpu/weft/fault"
)

// LogicalDivide splits the indices into a tile and its repetitions: a mode that
// walks through one tile and a mode that goes from tile to tile.
//
// Law: the result has two modes; D.At(i, j) == a.At(tile.At(i) + R.At(j)) with
// R = tile.Complement(a.Size()). Every index of a is met once if the tile is
// injective.
//
// Errors: fault.ErrShape if the tile does not divide the number of indices, and
// those of Complement and Compose.
func (a Nested) LogicalDivide(tile Nested) (Nested, error) {
	rest, err := tile.Complement(a.Size())
	if err != nil {
		return Nested{}, err
	}
	return a.Compose(groupOf(tile, rest))
}

// DivideModes divides mode k by tiles[k] and keeps the modes beyond the tiles:
// ((tile0,rest0),(tile1,rest1),..,mode,..).
//
// Law: mode k of the result is a.Mode(k).LogicalDivide(tiles[k]).
//
// Errors: fault.ErrShape for more tiles than modes, and those of LogicalDivide.
func (a Nested) DivideModes(tiles ...Nested) (Nested, error) {
	return a.byMode("divide", tiles, Nested.LogicalDivide)
}

// ZippedDivide divides by mode and gathers the parts: one mode for the tile and
// one for where it lies, ((tile0,tile1,..),(rest0,rest1,..,mode,..)).
//
// Law: mode 0 is ComposeModes(tiles...) without the modes beyond the tiles, and
// Z.At(i, j) adds the same offsets as DivideModes.
//
// Errors: those of DivideModes.
func (a Nested) ZippedDivide(tiles ...Nested) (Nested, error) {
	tile, rest, err := a.divided(tiles)
	return groupOf(groupOf(tile...), groupOf(rest...)), err
}

// TiledDivide is ZippedDivide with the second mode spread out:
// ((tile0,tile1,..),rest0,rest1,..,mode,..).
//
// Errors: those of DivideModes.
func (a Nested) TiledDivide(tiles ...Nested) (Nested, error) {
	tile, rest, err := a.divided(tiles)
	return groupOf(slices.Concat([]Nested{groupOf(tile...)}, rest)...), err
}

// FlatDivide is ZippedDivide with both modes spread out:
// (tile0,tile1,..,rest0,rest1,..,mode,..).
//
// Errors: those of DivideModes.
func (a Nested) FlatDivide(tiles ...Nested) (Nested, error) {
	tile, rest, err := a.divided(tiles)
	return groupOf(slices.Concat(tile, rest)...), err
}

// divided returns the tiles and the rests of DivideModes apart.
func (a Nested) divided(tiles []Nested) (tile, rest []Nested, err error) {
	by, err := a.DivideModes(tiles...)
	if err != nil {
		return nil, nil, err
	}
	for k, m := range by.modes {
		if k < len(tiles) {
			tile = append(tile, m.Mode(0))
			m = m.Mode(1)
		}
		rest = append(rest, m)
	}
	return tile, rest, nil
}

// LogicalProduct repeats a, once for every index of tiler, in the order of its
// offsets: a mode that walks through one copy and a mode that goes from copy to
// copy.
//
// Law: P.Mode(0) is a and P.Mode(1) is R.Compose(tiler), which refines tiler,
// with R = a.Complement(a.Size() * tiler.Cosize()). If a and tiler are injective,
// so is P.
//
// Errors: fault.ErrLimit if the product of the sizes overflows an int, and those
// of Complement and Compose.
func (a Nested) LogicalProduct(tiler Nested) (Nested, error) {
	target, ok := mul(int64(a.Size()), int64(tiler.Cosize()))
	if !ok {
		return Nested{}, fault.New(fault.ErrLimit, "product", "%v times %v overflows an int", a, tiler)
	}
	room, err := a.Complement(int(target))
	if err != nil {
		return Nested{}, err
	}
	copies, err := room.Compose(tiler)
	if err != nil {
		return Nested{}, err
	}
	return groupOf(a, copies).checked("product")
}

// BlockedProduct arranges copies of a block as tiler arranges its elements, mode
// by mode: ((block0,tiler0),(block1,tiler1),..). The operand of lower rank gets
// modes 1:0.
//
// Law: with P = block.LogicalProduct(tiler), the copy of the block at (i, j, ..)
// of tiler fills the coordinates (i*s+x, j*t+y, ..) of the result, where (s, t,
// ..) are the block's sizes, with the offsets P.At((x, y, ..), (i, j, ..)).
//
// Errors: those of LogicalProduct.
func (a Nested) BlockedProduct(tiler Nested) (Nested, error) {
	block, copies, err := a.product(tiler)
	return zip(block, copies), err
}

// RakedProduct is BlockedProduct with the copies interleaved instead of side by
// side, a cyclic distribution: ((tiler0,block0),(tiler1,block1),..).
//
// Law: the copy at (i, j, ..) of tiler fills the coordinates (x*m+i, y*n+j, ..),
// where (m, n, ..) are the sizes of tiler.
//
// Errors: those of LogicalProduct.
func (a Nested) RakedProduct(tiler Nested) (Nested, error) {
	block, copies, err := a.product(tiler)
	return zip(copies, block), err
}

// product returns the modes of the two modes of LogicalProduct, equally many.
func (a Nested) product(tiler Nested) (block, copies []Nested, err error) {
	rank := max(a.Rank(), tiler.Rank())
	p, err := a.padded(rank).LogicalProduct(tiler.padded(rank))
	if err != nil {
		return nil, nil, err
	}
	return p.Mode(0).modes, p.Mode(1).modes, nil
}

// padded returns a as a group of a rank, filled up with modes 1:0.
func (a Nested) padded(rank int) Nested {
	modes := a.split()
	for len(modes) < rank {
		modes = append(modes, leafOf(1, 0))
	}
	return groupOf(modes...)
}

func zip(a, b []Nested) Nested {
	modes := make([]Nested, len(a))
	for k := range a {
		modes[k] = groupOf(a[k], b[k])
	}
	return groupOf(modes...)
}
