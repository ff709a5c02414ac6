package layout

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawTiled draws a layout and for each of its modes a tile that divides it: a
// dense tensor's leaf or leaves, perhaps strided.
func drawTiled(t *rapid.T) (a Nested, tiles []Nested) {
	modes := make([]Nested, rapid.IntRange(1, 3).Draw(t, "rank"))
	for k := range modes {
		inner := rapid.SampledFrom([]int{1, 2, 3, 4}).Draw(t, "inner")
		mid := rapid.SampledFrom([]int{1, 2, 3}).Draw(t, "mid")
		outer := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "outer")
		modes[k] = groupOf(leafOf(inner, rapid.IntRange(-5, 20).Draw(t, "stride")),
			leafOf(mid, rapid.IntRange(-5, 20).Draw(t, "stride")), leafOf(outer, rapid.IntRange(-5, 20).Draw(t, "stride")))
		tiles = append(tiles, rapid.SampledFrom([]Nested{
			leafOf(inner, 1), leafOf(mid, inner), leafOf(outer, inner*mid), leafOf(inner*mid, 1),
			groupOf(leafOf(mid, inner), leafOf(inner, 1)), groupOf(leafOf(outer, inner*mid), leafOf(inner, 1)),
		}).Draw(t, "tile"))
	}
	return groupOf(modes...), tiles[:rapid.IntRange(0, len(tiles)).Draw(t, "tiles")]
}

func TestLogicalDivide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, tiles := drawTiled(t)
		if len(tiles) == 0 {
			return
		}
		m, tile := a.Mode(0), tiles[0]
		d := must(m.LogicalDivide(tile))
		rest := must(tile.Complement(m.Size()))
		if d.Rank() != 2 || !d.Mode(0).Refines(tile) || !d.Mode(1).Refines(rest) {
			t.Fatalf("%v by %v is %v", m, tile, d)
		}
		met := []int{}
		for j, y := range values(rest) {
			for i, x := range values(tile) {
				met = append(met, x+y)
				if d.At(i, j) != values(m)[x+y] {
					t.Fatalf("%v by %v is %v: at %d,%d %d, want %d", m, tile, d, i, j, d.At(i, j), values(m)[x+y])
				}
			}
		}
		slices.Sort(met)
		if !slices.Equal(met, upTo(m.Size())) {
			t.Fatalf("%v by %v is %v: meets %v", m, tile, d, met)
		}
	})
}

// TestDividesRearrange checks the four shapes of a division against each other
// and against the division of each mode alone.
func TestDividesRearrange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, tiles := drawTiled(t)
		by, zipped := must(a.DivideModes(tiles...)), must(a.ZippedDivide(tiles...))
		var tile, rest []Nested
		for k := range a.Rank() {
			if k >= len(tiles) {
				rest = append(rest, a.Mode(k))
				continue
			}
			d := must(a.Mode(k).LogicalDivide(tiles[k]))
			if !by.Mode(k).Equal(d) {
				t.Fatalf("%v by %v is %v", a, tiles, by)
			}
			tile, rest = append(tile, d.Mode(0)), append(rest, d.Mode(1))
		}
		for name, pair := range map[string][2]Nested{
			"zipped": {zipped, groupOf(groupOf(tile...), groupOf(rest...))},
			"tiled":  {must(a.TiledDivide(tiles...)), groupOf(append([]Nested{groupOf(tile...)}, rest...)...)},
			"flat":   {must(a.FlatDivide(tiles...)), groupOf(append(slices.Clone(tile), rest...)...)},
		} {
			if !pair[0].Equal(pair[1]) {
				t.Fatalf("%v by %v, %s, is %v, want %v", a, tiles, name, pair[0], pair[1])
			}
		}
		if got, want := zipped.Mode(0), groupOf(must(a.ComposeModes(tiles...)).modes[:len(tiles)]...); !got.Equal(want) {
			t.Fatalf("%v by %v: tile %v, want %v", a, tiles, got, want)
		}
		if got, want := slices.Sorted(slices.Values(values(zipped))), slices.Sorted(slices.Values(values(a))); !slices.Equal(got, want) {
			t.Fatalf("%v by %v is %v: other offsets", a, tiles, zipped)
		}
	})
}

// drawFactors draws a block and a tiler whose product exists: a compact block,
// its modes in any order, and any tiler.
func drawFactors(t *rapid.T) (block, tiler Nested) {
	shape := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 2).Draw(t, "block")
	block = must(Compact(shape...))
	if rapid.Bool().Draw(t, "rowmajor") && len(shape) == 2 {
		block = groupOf(leafOf(shape[0], shape[1]), leafOf(shape[1], 1))
	}
	tiles := rapid.SliceOfN(rapid.IntRange(1, 3), 1, 2).Draw(t, "tiler")
	tiler = must(Compact(tiles...))
	for k := range tiler.modes {
		tiler.modes[k].d *= rapid.IntRange(0, 3).Draw(t, "stride")
	}
	return block, tiler
}

func TestLogicalProduct(t *testing.T) {
	injective := 0
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawFactors(t)
		if rapid.Bool().Draw(t, "any") {
			a, b = drawNested(t), drawNested(t)
		}
		p, err := a.LogicalProduct(b)
		if err != nil {
			return
		}
		room := must(a.Complement(a.Size() * b.Cosize()))
		if p.Rank() != 2 || !p.Mode(0).Equal(a) || !p.Mode(1).Refines(b) {
			t.Fatalf("%v times %v is %v", a, b, p)
		}
		for j, k := range values(b) {
			if p.Mode(1).At(j) != values(room)[k] {
				t.Fatalf("%v times %v is %v: copy %d at %d, want %d", a, b, p, j, p.Mode(1).At(j), values(room)[k])
			}
		}
		if a.IsInjective() && b.IsInjective() {
			injective++
			if all := slices.Compact(slices.Sorted(slices.Values(values(p)))); len(all) != p.Size() {
				t.Fatalf("%v times %v is %v: copies overlap", a, b, p)
			}
		}
	})
	if injective == 0 {
		t.Error("no product of injective layouts was met")
	}
}

func TestBlockedAndRakedProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawFactors(t)
		rank := max(a.Rank(), b.Rank())
		blocked, raked := must(a.BlockedProduct(b)), must(a.RakedProduct(b))
		a, b = a.padded(rank), b.padded(rank)
		p := must(a.LogicalProduct(b))
		sizes := func(n Nested) (v []int) {
			for k := range n.Rank() {
				v = append(v, n.Mode(k).Size())
			}
			return v
		}
		if blocked.Rank() != rank || raked.Rank() != rank {
			t.Fatalf("%v times %v is %v and %v", a, b, blocked, raked)
		}
		for _, x := range coords(sizes(a)) {
			for _, i := range coords(sizes(b)) {
				want := p.Mode(0).At(x...) + p.Mode(1).At(i...)
				inBlocks, interleaved := make([]int, rank), make([]int, rank)
				for k := range rank {
					inBlocks[k] = i[k]*sizes(a)[k] + x[k]
					interleaved[k] = x[k]*sizes(b)[k] + i[k]
				}
				if blocked.At(inBlocks...) != want || raked.At(interleaved...) != want {
					t.Fatalf("%v times %v: element %v of copy %v is at %d in %v and %d in %v, want %d",
						a, b, x, i, blocked.At(inBlocks...), blocked, raked.At(interleaved...), raked, want)
				}
			}
		}
	})
}
