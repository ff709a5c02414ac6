package tile_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// run executes a kernel whose views are dense and have shapes, all of 32-bit elements that start as the
// bits of start, and returns what they hold then.
func run(t *testing.T, start uint32, shapes [][]int, describe func(k *tile.Builder)) (*tile.Func, [][]uint32) {
	t.Helper()
	k := build(t, "run", describe)
	p := &interp.Program{Kernel: k, Options: interp.Options{Check: true}}
	layouts, buffers := make([]layout.Layout, len(shapes)), make([][]byte, len(shapes))
	for i, shape := range shapes {
		l, err := layout.Contiguous(shape...)
		if err != nil {
			t.Fatal(err)
		}
		layouts[i], p.Buffers = l, append(p.Buffers, i)
		for range l.Len() {
			buffers[i] = binary.LittleEndian.AppendUint32(buffers[i], start)
		}
	}
	words, err := k.Words(layouts, nil)
	if err != nil {
		t.Fatal(err)
	}
	grid, err := k.GridAt(shapes, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(grid, buffers, words); err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	out := make([][]uint32, len(buffers))
	for i, b := range buffers {
		for ; len(b) > 0; b = b[4:] {
			out[i] = append(out[i], binary.LittleEndian.Uint32(b))
		}
	}
	return k, out
}

// orders lists every order of a plane with the sequence of its tiles, row*columns+column.
func orders(rows, columns int) map[tile.Order][]uint32 {
	lines := func(group int, byRow bool) (list []uint32) {
		n, length := rows, columns
		if !byRow {
			n, length = columns, rows
		}
		for first := 0; first < n; first += group {
			for place := range length {
				for line := first; line < min(first+group, n); line++ {
					row, column := line, place
					if !byRow {
						row, column = place, line
					}
					list = append(list, uint32(row*columns+column))
				}
			}
		}
		return list
	}
	all := map[tile.Order][]uint32{}
	for _, plane := range []bool{false, true} {
		all[tile.Order{Kind: tile.RowMajor, Grid2D: plane}] = lines(1, true)
		all[tile.Order{Kind: tile.ColumnMajor, Grid2D: plane}] = lines(1, false)
		for _, group := range []int{1, 3, 100} {
			all[tile.Order{Kind: tile.GroupedRows, Group: group, Grid2D: plane}] = lines(group, true)
			all[tile.Order{Kind: tile.GroupedColumns, Group: group, Grid2D: plane}] = lines(group, false)
		}
	}
	return all
}

// number is a program's place in the order in which a grid starts.
func number(k *tile.Builder) *tile.Value {
	return k.ProgramID(0).Add(k.ProgramID(1).Mul(k.NumPrograms(0)))
}

// Programs take every tile once, in the order that the schedule names, by TileID, by ProgramTile
// with a dimension before the plane, and by TileAt in a persistent loop.
func TestOrders(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 5}, {4, 1}, {7, 5}, {6, 9}} {
		rows, columns := size[0], size[1]
		for order, want := range orders(rows, columns) {
			t.Run(fmt.Sprintf("%dx%d/%v", rows, columns, order), func(t *testing.T) {
				k, got := run(t, 999, [][]int{{rows * columns}, {rows, columns, 2}}, func(k *tile.Builder) {
					k.Schedule(tile.Schedule{Order: order})
					out, view := k.Out("out", dtype.I32, 1), k.In("view", dtype.I32, 3)
					row, column := k.TileID(view.Dim(0), view.Dim(1))
					out.Block(1).Store(row.Mul(columns).Add(column).Splat(1), number(k))
				})
				if !slices.Equal(got[0], want) {
					t.Errorf("tiles %v, want %v\n%v", got[0], want, k)
				}

				const batch = 3
				k, got = run(t, 999, [][]int{{batch * rows * columns}, {batch, 2 * rows, 4 * columns, 7}}, func(k *tile.Builder) {
					k.Schedule(tile.Schedule{Order: order})
					out, view := k.Out("out", dtype.I32, 1), k.In("view", dtype.I32, 4)
					at := k.ProgramTile(view, 1, 2, 4, 0)
					v := at[0].(*tile.Value).Mul(rows).Add(at[1]).Mul(columns).Add(at[2]).Add(at[3])
					out.Block(1).Store(v.Splat(1), number(k))
				})
				for b := range batch {
					for i, tile := range want {
						if at := b*rows*columns + i; got[0][at] != tile+uint32(b*rows*columns) {
							t.Fatalf("program %d has tile %d, want %d of batch %d\n%v", at, got[0][at], tile, b, k)
						}
					}
				}

				_, got = run(t, 999, [][]int{{rows * columns}}, func(k *tile.Builder) {
					k.Schedule(tile.Schedule{Order: order})
					out := k.Out("out", dtype.I32, 1)
					k.Grid(3)
					for n := range k.Persistent(rows * columns) {
						row, column := k.TileAt(n, rows, columns)
						out.Block(1).Store(row.Mul(columns).Add(column).Splat(1), n)
					}
				})
				if !slices.Equal(got[0], want) {
					t.Errorf("persistent: tiles %v, want %v", got[0], want)
				}
			})
		}
	}
}

// splitSum is a matrix's row sums by tiles of 2 × 4 in a number of parts; the partial form stores each part.
func splitSum(k *tile.Builder, splits int, partial bool) {
	x, out := k.In("x", dtype.F32, 2), (*tile.View)(nil)
	k.Schedule(tile.Schedule{SplitK: splits, Order: tile.Order{Kind: tile.ColumnMajor}})
	if partial {
		out = k.Out("out", dtype.F32, 3)
	} else {
		out = k.Out("out", dtype.F32, 2)
	}
	row, _ := k.TileID(k.CDiv(x.Dim(0), 2), 1)
	sum := k.Var(k.Zeros(dtype.F32, 2, 1))
	for i := range k.SplitRange(k.CDiv(x.Dim(1), 4)) {
		sum.Set(sum.Get().Add(x.Block(2, 4).Load(row, i).Sum(1)))
	}
	if partial {
		out.Block(1, 2, 1).Store(sum.Get().Expand(0), k.SplitID(), row, 0)
	} else {
		out.Block(2, 1).Accumulate(sum.Get(), row, 0)
	}
}

// splitSumInto stores as many parts of row sums as the result has.
func splitSumInto(k *tile.Builder) {
	x, out := k.In("x", dtype.F32, 2), k.Out("out", dtype.F32, 3)
	k.Schedule(tile.Schedule{Order: tile.Order{Kind: tile.ColumnMajor}})
	k.SplitInto(out.Dim(0))
	row, _ := k.TileID(k.CDiv(x.Dim(0), 2), 1)
	sum := k.Var(k.Zeros(dtype.F32, 2, 1))
	for i := range k.SplitRange(k.CDiv(x.Dim(1), 4)) {
		sum.Set(sum.Get().Add(x.Block(2, 4).Load(row, i).Sum(1)))
	}
	out.Block(1, 2, 1).Store(sum.Get().Expand(0), k.SplitID(), row, 0)
}

// However a reduction is split, more often than it has steps included, its parts add up to
// the whole; what the result held before is gone.
func TestSplits(t *testing.T) {
	one := math.Float32bits(1)
	for _, columns := range []int{0, 1, 4, 5, 23, 64} {
		for _, splits := range []int{0, 1, 2, 3, 7, 40} {
			k, got := run(t, one, [][]int{{5, columns}, {5, 1}}, func(k *tile.Builder) { splitSum(k, splits, false) })
			for i, bits := range got[1] {
				if x := math.Float32frombits(bits); x != float32(columns) {
					t.Errorf("%d columns in %d parts: row %d is %v\n%v", columns, splits, i, x, k)
				}
			}
			if k.Reproducible() != (splits <= 1) {
				t.Errorf("%d parts: reproducible is %v", splits, k.Reproducible())
			}
			parts := max(1, splits)
			k, got = run(t, math.Float32bits(7), [][]int{{5, columns}, {parts, 5, 1}}, func(k *tile.Builder) { splitSum(k, splits, true) })
			for row := range 5 {
				sum := float32(0)
				for p := range parts {
					sum += math.Float32frombits(got[1][p*5+row])
				}
				if sum != float32(7*columns) {
					t.Errorf("%d columns in %d stored parts: row %d is %v\n%v", columns, splits, row, sum, k)
				}
			}
			if !k.Reproducible() {
				t.Errorf("%d stored parts are not reproducible", splits)
			}
			into, atLaunch := run(t, math.Float32bits(7), [][]int{{5, columns}, {parts, 5, 1}}, splitSumInto)
			if !slices.Equal(atLaunch[1], got[1]) {
				t.Errorf("%d columns in %d parts that the launch tells: %v, want %v\n%v", columns, splits, atLaunch[1], got[1], into)
			}
		}
	}
}

// A split into one is the kernel as if nothing could be split.
func TestSplitIntoOne(t *testing.T) {
	for _, splits := range []int{0, 1} {
		got := build(t, "sum", func(k *tile.Builder) { splitSum(k, splits, false) }).String()
		want := build(t, "sum", func(k *tile.Builder) {
			x, out := k.In("x", dtype.F32, 2), k.Out("out", dtype.F32, 2)
			k.Schedule(tile.Schedule{SplitK: splits, Order: tile.Order{Kind: tile.ColumnMajor}})
			row, _ := k.TileID(k.CDiv(x.Dim(0), 2), 1)
			sum := k.Var(k.Zeros(dtype.F32, 2, 1))
			for i := range k.Range(k.CDiv(x.Dim(1), 4)) {
				sum.Set(sum.Get().Add(x.Block(2, 4).Load(row, i).Sum(1)))
			}
			out.Block(2, 1).Store(sum.Get(), row, 0)
		}).String()
		if withoutLines(got) != withoutLines(want) {
			t.Errorf("split into %d:\n%s\nwant\n%s", splits, got, want)
		}
	}
}

// withoutLines drops the comments with source positions.
func withoutLines(ir string) string {
	lines := strings.Split(ir, "\n")
	for i, l := range lines {
		l, _, _ = strings.Cut(l, "//")
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// A view that is streamed says so in the printed kernel, and is only read.
func TestStreamed(t *testing.T) {
	copies := func(access func(k *tile.Builder) *tile.View) func(k *tile.Builder) {
		return func(k *tile.Builder) {
			x, out := access(k), k.Out("out", dtype.F32, 1)
			x.Streamed = true
			at := k.ProgramTile(out, 64)
			out.Block(64).Store(x.Block(64).Load(at...), at...)
		}
	}
	k := build(t, "copy", copies(func(k *tile.Builder) *tile.View { return k.In("x", dtype.F32, 1) }))
	if want := "view x in streamed : f32 rank 1"; !strings.Contains(k.String(), want) {
		t.Errorf("%q is not in\n%v", want, k)
	}
	if _, err := tile.Build("copy", copies(func(k *tile.Builder) *tile.View { return k.InOut("x", dtype.F32, 1) })); !errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), "streamed") {
		t.Errorf("a view that is written: %v", err)
	}
}

// The schedule is in the printed kernel.
func TestSchedulePrinted(t *testing.T) {
	k := build(t, "sum", func(k *tile.Builder) { splitSum(k, 4, false) })
	for _, want := range []string{"schedule threads=0 stages=0 order=column_major split_k=4", "view out inout cleared : f32 rank 2"} {
		if !strings.Contains(k.String(), want) {
			t.Errorf("%q is not in\n%v", want, k)
		}
	}
	order := tile.Order{Kind: tile.GroupedColumns, Group: 3, Grid2D: true}
	if got := order.String(); got != "grouped_columns(3)/2d" {
		t.Error(got)
	}
}

// Kernels that differ in any number of their schedule differ in their text, by which they are found again.
func TestSchedulesDiffer(t *testing.T) {
	texts := map[string]tile.Schedule{}
	fields := []func(s *tile.Schedule) *int{
		func(s *tile.Schedule) *int { return &s.Threads }, func(s *tile.Schedule) *int { return &s.Stages },
		func(s *tile.Schedule) *int { return &s.Producers }, func(s *tile.Schedule) *int { return &s.InFlight },
	}
	for _, field := range fields {
		for n := 1; n <= 2; n++ {
			var s tile.Schedule
			*field(&s) = n
			if other, found := texts[s.String()]; found {
				t.Errorf("%+v and %+v are both %q", s, other, s)
			}
			texts[s.String()] = s
		}
	}
	if other, found := texts[tile.Schedule{}.String()]; found {
		t.Errorf("%+v is as the default", other)
	}
}
