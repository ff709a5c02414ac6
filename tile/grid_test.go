package tile_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

func TestGridAt(t *testing.T) {
	var at tile.Pos
	k := build(t, "grid", func(k *tile.Builder) {
		x := k.In("x", dtype.F32, 2)
		n := k.Scalar("n", dtype.I32)
		at = here(1)
		k.Grid(k.CDiv(x.Dim(0), 8).Mul(x.Dim(1)), n, k.Where(n.Gt(3), k.Int(2), 0))
	})
	for _, c := range []struct {
		rows, columns int
		n             int32
		want          [3]int
		fails         bool
	}{
		{17, 5, 4, [3]int{15, 4, 2}, false},
		{0, 5, 3, [3]int{0, 3, 0}, false},
		{1, 1, -6, [3]int{1, 0, 0}, false},
		{8 * 65536, 32767, 4, [3]int{65536 * 32767, 4, 2}, false},
		{8 * 65536, 32768, 4, [3]int{}, true}, // 2^31 programs
		{math.MaxInt32 - 7, 100, 4, [3]int{}, true},
		{math.MaxInt32, 1, 4, [3]int{}, true}, // the ceiling division overflows
		{1 << 40, 1, 4, [3]int{}, true},
	} {
		got, err := k.GridAt([][]int{{c.rows, c.columns}}, []uint32{uint32(c.n)})
		if c.fails {
			wantError(t, err, fault.ErrLimit, at)
		} else if err != nil || got != c.want {
			t.Errorf("%+v: grid %v, %v", c, got, err)
		}
	}
	if got, err := build(t, "one", func(*tile.Builder) {}).GridAt(nil, nil); err != nil || got != [3]int{1, 1, 1} {
		t.Errorf("no grid: %v, %v", got, err)
	}
}

// A grid that doubles a value 40 times has 2^40 paths; each value counts once.
func TestGridAtSharesValues(t *testing.T) {
	k := build(t, "deep", func(k *tile.Builder) {
		n := k.Int(0)
		for range 40 {
			n = n.Add(n)
		}
		k.Grid(n)
	})
	if got, err := k.GridAt(nil, nil); err != nil || got[0] != 0 {
		t.Errorf("grid %v, %v", got, err)
	}
}

// EvalInt computes what Go does, but for x/0, x%0 and wide shifts.
func TestEvalInt(t *testing.T) {
	goOps := map[tile.Kind]func(x, y int32) int64{
		tile.OpAdd: func(x, y int32) int64 { return int64(x) + int64(y) },
		tile.OpSub: func(x, y int32) int64 { return int64(x) - int64(y) },
		tile.OpMul: func(x, y int32) int64 { return int64(x) * int64(y) },
		tile.OpMin: func(x, y int32) int64 { return int64(min(x, y)) },
		tile.OpMax: func(x, y int32) int64 { return int64(max(x, y)) },
		tile.OpAnd: func(x, y int32) int64 { return int64(x & y) },
		tile.OpOr:  func(x, y int32) int64 { return int64(x | y) },
		tile.OpXor: func(x, y int32) int64 { return int64(x ^ y) },
		tile.OpShl: func(x, y int32) int64 { return int64(x) << (uint32(y) % 32) },
		tile.OpShr: func(x, y int32) int64 { return int64(x >> (uint32(y) % 32)) },
		tile.OpDiv: func(x, y int32) int64 {
			if y == 0 {
				return int64(x)
			}
			return int64(x) / int64(y)
		},
		tile.OpRem: func(x, y int32) int64 {
			if y == 0 {
				return 0
			}
			return int64(x) % int64(y)
		},
		tile.OpMulHi: func(x, y int32) int64 { return int64(uint64(uint32(x)) * uint64(uint32(y)) >> 32) },
		tile.OpEq:    func(x, y int32) int64 { return truth(x == y) },
		tile.OpNe:    func(x, y int32) int64 { return truth(x != y) },
		tile.OpLt:    func(x, y int32) int64 { return truth(x < y) },
		tile.OpLe:    func(x, y int32) int64 { return truth(x <= y) },
		tile.OpGt:    func(x, y int32) int64 { return truth(x > y) },
		tile.OpGe:    func(x, y int32) int64 { return truth(x >= y) },
	}
	values := []int32{0, 1, -1, 2, 7, -7, 31, 32, 33, -32, math.MaxInt32, math.MinInt32, math.MinInt32 + 1}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		values = append(values, int32(rng.Uint32()), int32(rng.IntN(100)))
	}
	for kind := tile.Invalid; kind < tile.NumKinds; kind++ {
		op, ok := goOps[kind]
		class := kind.Fact().Class
		if !ok {
			if class == tile.Binary || class == tile.Compare {
				t.Errorf("%v has no reference here", kind)
			}
			continue
		}
		for _, x := range values {
			for _, y := range values {
				if got, want := tile.EvalInt(kind, int64(x), int64(y)), op(x, y); got != want {
					t.Errorf("%v %d, %d is %d, want %d", kind, x, y, got, want)
				}
			}
		}
	}
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func strided(t *testing.T, shape, stride []int, offset int) layout.Layout {
	t.Helper()
	l, err := layout.Strided(shape, stride, offset)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestWords(t *testing.T) {
	k := build(t, "words", func(k *tile.Builder) {
		k.In("x", dtype.F32, 2)
		k.Scalar("alpha", dtype.F32)
		k.InOut("y", dtype.F32, 1)
		k.Scalar("n", dtype.I32)
	})
	x, y := strided(t, []int{3, 4}, []int{-8, 1}, 16), strided(t, []int{1}, []int{1 << 40}, 5)
	got, err := k.Words([]layout.Layout{x, y}, []uint32{111, 222})
	if err != nil {
		t.Fatal(err)
	}
	minus8 := int32(-8)
	want := []uint32{16, 3, 4, uint32(minus8), 1, 5, 1, 0, 111, 222}
	if len(got) != k.WordCount() || len(got) != len(want) {
		t.Fatalf("words %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("word %d is %d, want %d", i, got[i], want[i])
		}
	}
	if got[k.ViewWord(k.Views[1])] != 5 || got[k.ScalarWord(k.Scalars[1])] != 222 || got[k.ScalarWord(k.Scalars[0])] != 111 {
		t.Error("ViewWord or ScalarWord points elsewhere")
	}
}

func TestWordsErrors(t *testing.T) {
	k := build(t, "words", func(k *tile.Builder) { k.In("x", dtype.F32, 1) })
	const limit = math.MaxInt32 - tile.MaxTileElements
	for name, c := range map[string]struct {
		layouts []layout.Layout
		scalars []uint32
		kind    error
	}{
		"no view":      {nil, nil, fault.ErrArgument},
		"scalars":      {[]layout.Layout{strided(t, []int{1}, []int{1}, 0)}, []uint32{1}, fault.ErrArgument},
		"rank":         {[]layout.Layout{strided(t, []int{1, 1}, []int{1, 1}, 0)}, nil, fault.ErrShape},
		"negative":     {[]layout.Layout{strided(t, []int{3}, []int{-1}, 1)}, nil, fault.ErrShape},
		"far":          {[]layout.Layout{strided(t, []int{2}, []int{limit}, 1)}, nil, fault.ErrLimit},
		"long":         {[]layout.Layout{strided(t, []int{limit + 2}, []int{1}, 0)}, nil, fault.ErrLimit},
		"long, narrow": {[]layout.Layout{strided(t, []int{limit + 1}, []int{0}, 0)}, nil, fault.ErrLimit},
	} {
		_, err := k.Words(c.layouts, c.scalars)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		wantError(t, err, c.kind, tile.Pos{})
	}
	for name, l := range map[string]layout.Layout{
		"at the limit":    strided(t, []int{2}, []int{limit}, 0),
		"longest":         strided(t, []int{limit}, []int{1}, 0),
		"empty, far":      strided(t, []int{0}, []int{1 << 40}, 0),
		"single, strided": strided(t, []int{1}, []int{1 << 40}, 0),
	} {
		if _, err := k.Words([]layout.Layout{l}, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A group with more tiles than 32 bits count is refused before the launch, at the line that asks for tiles in the schedule's order.
func TestHugeGroups(t *testing.T) {
	var at tile.Pos
	describe := func(kind tile.OrderKind, group int) func(k *tile.Builder) {
		return func(k *tile.Builder) {
			x := k.InOut("x", dtype.I32, 2)
			k.Schedule(tile.Schedule{Order: tile.Order{Kind: kind, Group: group}})
			at = here(1)
			row, column := k.TileID(x.Dim(0), x.Dim(1))
			x.At(row, column).Scatter(1)
		}
	}
	for _, c := range []struct {
		kind       tile.OrderKind
		group      int
		rows, cols int
		ok         bool
	}{
		{tile.GroupedRows, 8, 3, 1<<28 - 1, true},
		{tile.GroupedRows, 8, 3, 1 << 28, false},
		{tile.GroupedRows, 1<<31 - 1, 100, 1, true},
		{tile.GroupedRows, 1<<31 - 1, 100, 2, false},
		{tile.GroupedRows, 1<<31 - 1, 0, 2, true}, // nothing runs
		{tile.GroupedColumns, 8, 1 << 28, 3, false},
		{tile.GroupedColumns, 8, 3, 1 << 28, true},
	} {
		k := build(t, "huge", describe(c.kind, c.group))
		_, err := k.GridAt([][]int{{c.rows, c.cols}}, nil)
		switch {
		case c.ok && err != nil:
			t.Errorf("%+v: %v", c, err)
		case !c.ok:
			wantError(t, err, fault.ErrLimit, at)
		}
	}
}

// The tiles of a persistent kernel's groups may follow from scalars, which a launch then checks.
func TestHugeGroupsOfScalars(t *testing.T) {
	k := build(t, "persistent", func(k *tile.Builder) {
		x := k.InOut("x", dtype.I32, 2)
		columns := k.Scalar("columns", dtype.I32)
		k.Schedule(tile.Schedule{Order: tile.Order{Kind: tile.GroupedRows, Group: 16}})
		k.Grid(4)
		for n := range k.Persistent(columns) {
			row, column := k.TileAt(n, 1, columns)
			x.At(row, column).Scatter(1)
		}
	})
	if !k.GridReadsScalars() {
		t.Error("what a launch checks depends on a scalar")
	}
	for columns, want := range map[uint32]error{1<<27 - 1: nil, 1 << 27: fault.ErrLimit} {
		if _, err := k.GridAt([][]int{{1, 1}}, []uint32{columns}); !errors.Is(err, want) {
			t.Errorf("%d columns: %v, want %v", columns, err, want)
		}
	}
}
