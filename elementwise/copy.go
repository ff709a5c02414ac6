package elementwise

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// DescribeCopy is the kernel that moves elements between any two views, and converts them where
// the element types differ. See weft.Tensor.CopyFrom.
func DescribeCopy(k *tile.Builder, cfg Config) {
	block := cfg.Block[:cfg.Rank]
	src, out := k.In("src", cfg.Elem, cfg.Rank), k.Out("out", cfg.Out, cfg.Rank)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(out, block...)
	out.Block(block...).Store(src.Block(block...).Load(at...).Cast(cfg.Out), at...)
}

// Words is a layout of elements, n to a word along dimension run, as one of words. Where it consists of no such words, it is returned as it
// is, with false.
func Words(l layout.Layout, run, n int) (layout.Layout, bool) {
	switch {
	case n == 1:
		return l, true
	case n < 1 || run < 0 || run >= l.Rank():
		return l, false
	}
	shape, strides := l.Shape(), l.Strides()
	if strides[run] != 1 || shape[run]%n != 0 || l.Offset()%n != 0 {
		return l, false
	}
	shape[run] /= n
	for d := range strides {
		if d == run {
			continue
		}
		if strides[d]%n != 0 {
			return l, false
		}
		strides[d] /= n
	}
	words, err := layout.Strided(shape, strides, l.Offset()/n)
	return words, err == nil
}

// Halves is a layout of elements of two words each as one of words.
func Halves(l layout.Layout) (layout.Layout, bool) {
	strides := l.Strides()
	for d := range strides {
		strides[d] *= 2
	}
	words, err := layout.Strided(append(l.Shape(), 2), append(strides, 1), 2*l.Offset())
	return words, err == nil
}

// DescribeCopySquares is the kernel that moves narrow elements whose runs cross: squares of 2 × 2 elements of 16 bits or 4 × 4 of 8. Its
// views are of words, of one shape: along the dimension of src's runs and that of out's each word stands
// for as many elements, and the last dimension are the rows of a square in src, its columns in out. A config is one
// of a map of U32; the last dimension's block is the side.
func DescribeCopySquares(k *tile.Builder, cfg Config) {
	src, out := k.In("src", dtype.U32, cfg.Rank), k.Out("out", dtype.U32, cfg.Rank)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	block, last := slices.Clone(cfg.Block[:cfg.Rank]), cfg.Rank-1
	side := block[last]
	block[last] = 0 // one program has all rows
	at := k.ProgramTile(out, block...)
	block[last] = 1
	rows := make([]*tile.Value, side)
	for i := range rows {
		at[last] = k.Int(i)
		rows[i] = src.Block(block...).Load(at...)
	}
	for i, column := range turned(rows) {
		at[last] = k.Int(i)
		out.Block(block...).Store(column, at...)
	}
}

// turned transposes a square of 2 or 4 rows, a word each, exchanging halves of the square and then halves of those.
func turned(rows []*tile.Value) []*tile.Value {
	if len(rows) == 2 {
		return swapped(rows[0], rows[1], 16, 0xffff)
	}
	a, b := swapped(rows[0], rows[2], 16, 0xffff), swapped(rows[1], rows[3], 16, 0xffff)
	upper, lower := swapped(a[0], b[0], 8, 0xff00ff), swapped(a[1], b[1], 8, 0xff00ff)
	return []*tile.Value{upper[0], upper[1], lower[0], lower[1]}
}

// swapped exchanges the upper parts of x with the lower ones of y; low are the bits of lower parts.
func swapped(x, y *tile.Value, shift, low int) []*tile.Value {
	return []*tile.Value{
		x.And(low).Or(y.And(low).Shl(shift)),
		x.Shr(shift).And(low).Or(y.And(low << shift)),
	}
}

// shortRun is how many words a run has at least that is worth it: a sector of memory.
const shortRun = 8

// Squares sees layouts of narrow elements as DescribeCopySquares takes them; ok is false where they do not cross or
// consist of no whole squares, and on the CPU.
func Squares(caps target.Caps, elem dtype.Type, layouts []layout.Layout) (cfg Config, views [2]layout.Layout, ok bool) {
	if len(layouts) != 2 || caps.WholeTiles { // the interpreter moves elements of every size
		return cfg, views, false
	}
	from, to := layouts[0], layouts[1]
	side, last, across := dtype.U32.Size()/max(elem.Size(), 1), to.Rank()-1, Crossing(layouts)
	if side < 2 || across < 0 || to.Rank() >= MaxRank || to.Stride(last) != 1 {
		return cfg, views, false
	}
	src, okSrc := squares(from, across, last, side)
	out, okOut := squares(to, last, across, side)
	if !okSrc || !okOut || src.Size(across) < shortRun || out.Size(last) < shortRun {
		return cfg, views, false
	}
	cfg = squaresConfig(caps, side, src, out)
	return cfg, [2]layout.Layout{src, out}, true
}

// squares is a layout in words along dimension run, with a last dimension for the rows of squares, which
// dimension cut gives.
func squares(l layout.Layout, run, cut, side int) (layout.Layout, bool) {
	words, ok := Words(l, run, side)
	if !ok || words.Size(cut)%side != 0 {
		return l, false
	}
	shape, strides := append(words.Shape(), side), append(words.Strides(), words.Stride(cut))
	shape[cut] /= side
	strides[cut] *= side
	rows, err := layout.Strided(shape, strides, words.Offset())
	return rows, err == nil
}

// squaresConfig is the config for words without rows, with tiles that hold less of them.
func squaresConfig(caps target.Caps, side int, src, out layout.Layout) Config {
	rows := [2]layout.Layout{src, out}
	for i, l := range rows {
		rows[i], _ = l.Select(l.Rank()-1, 0)
	}
	cfg := ConfigFor(caps, dtype.U32, dtype.U32, rows[:]...)
	size := 1
	for _, n := range cfg.Block[:cfg.Rank] {
		size *= n
	}
	cfg.fill(rows[1], Crossing(rows[:]), max(size/side, 1), 0)
	cfg.Block[cfg.Rank] = side
	cfg.Rank++
	return cfg
}
