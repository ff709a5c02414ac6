package tile

import "github.com/weftgpu/weft/dtype"

// TileID declares a grid of one program for each tile of a plane of rows × columns
// tiles and returns the row and column of this program's tile, in the schedule's Order.
// rows and columns are I32 numbers known before the launch (see Grid).
func (k *Builder) TileID(rows, columns Operand) (row, column *Value) {
	at := k.programTile([]*Value{k.operand("rows", rows, dtype.I32), k.operand("columns", columns, dtype.I32)})
	return at[0], at[1]
}

// ProgramTile declares a grid of one program for each tile of a view and returns
// the coordinates of this program's tile. A dimension whose block size is 0 is not cut:
// its coordinate is 0. The last two dimensions that are cut are a plane in the
// schedule's Order; the dimensions before them vary slower, the first one slowest.
func (k *Builder) ProgramTile(v *View, block ...int) []Operand {
	at := make([]Operand, len(block))
	var cut []int
	var counts []*Value
	for d, size := range block {
		if at[d] = 0; size != 0 {
			cut, counts = append(cut, d), append(counts, k.CDiv(v.Dim(d), size))
		}
	}
	for i, x := range k.programTile(counts) {
		at[cut[i]] = x
	}
	return at
}

// programTile is ProgramTile for counts of tiles.
func (k *Builder) programTile(counts []*Value) []*Value {
	order, n := k.schedule().Order, len(counts)
	at := make([]*Value, n)
	if n == 0 {
		k.Grid(1)
		return at
	}
	dims := make([]int, n) // from the one that varies fastest to the slowest
	for i := range dims {
		dims[i] = n - 1 - i
	}
	if n < 2 {
		order = Order{}
	} else if order.Kind == ColumnMajor {
		dims[0], dims[1] = dims[1], dims[0]
	}
	var rest *Value // number of the tile among those of dims
	if fast := dims[0]; order.Grid2D {
		others := append(append([]*Value{}, counts[:fast]...), counts[fast+1:]...)
		k.Grid(counts[fast], product(others))
		rest = k.ProgramID(1)
		if order.grouped() {
			rest = rest.Mul(counts[fast]).Add(k.ProgramID(0))
		} else {
			at[fast], dims = k.ProgramID(0), dims[1:]
		}
	} else {
		k.Grid(product(counts))
		rest = k.ProgramID(0)
	}
	if order.grouped() {
		number := rest
		if n > 2 {
			plane := counts[n-2].Mul(counts[n-1])
			number, rest = rest.Rem(plane), rest.Div(plane)
		}
		at[n-2], at[n-1] = k.TileAt(number, counts[n-2], counts[n-1])
		for _, d := range dims[:2] { // no facts follow the arithmetic of groups
			k.Assume(at[d].Ge(0).And(at[d].Lt(counts[d])))
		}
		dims = dims[2:]
	}
	for i, d := range dims {
		if i == len(dims)-1 {
			at[d] = rest
		} else {
			at[d], rest = rest.Rem(counts[d]), rest.Div(counts[d])
		}
	}
	return at
}

func product(vs []*Value) *Value {
	p := vs[0]
	for _, v := range vs[1:] {
		p = p.Mul(v)
	}
	return p
}

// TileAt returns the row and column of tile number n, from 0 on, of a plane of rows × columns
// tiles in the schedule's Order. It declares no grid; persistent loops use it:
//
//	for n := range k.Persistent(rows.Mul(columns)) {
//		row, column := k.TileAt(n, rows, columns)
//		…
//	}
func (k *Builder) TileAt(n, rows, columns Operand) (row, column *Value) {
	order := k.schedule().Order
	i, r, c := k.operand("n", n, dtype.I32), k.operand("rows", rows, dtype.I32), k.operand("columns", columns, dtype.I32)
	switch order.Kind {
	case ColumnMajor:
		return i.Rem(r), i.Div(r)
	case GroupedRows:
		return grouped(i, r, c, order.Group)
	case GroupedColumns:
		column, row = grouped(i, c, r, order.Group)
		return row, column
	}
	return i.Div(c), i.Rem(c)
}

// grouped returns the coordinates of tile i where the lines of a group run in parallel: along
// is the line, across the position in it.
func grouped(i, lines, length *Value, group int) (along, across *Value) {
	perGroup := length.Mul(group)
	if k := perGroup.b; perGroup.typ.Elem.Valid() && checkHostValue(perGroup, map[*Value]bool{}) == nil {
		k.kernel.groups = append(k.kernel.groups, perGroup) // which GridAt checks
	}
	first := i.Div(perGroup).Mul(group)
	height := lines.Sub(first).Minimum(group)
	inGroup := i.Rem(perGroup)
	return first.Add(inGroup.Rem(height)), inGroup.Div(height)
}
