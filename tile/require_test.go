package tile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// What a kernel requires is checked where the grid is computed, with the numbers and the line.
func TestRequire(t *testing.T) {
	var at tile.Pos
	k := build(t, "rotate", func(k *tile.Builder) {
		x, table := k.In("x", dtype.F32, 2), k.In("table", dtype.F32, 1)
		n := k.Scalar("n", dtype.I32)
		k.Grid(n.Maximum(1))
		at = here(1)
		k.Require(x.Dim(1).Eq(table.Dim(0).Mul(2)))
		k.Require(x.Dim(0).Rem(n).Eq(0).And(n.Gt(0)))
		k.Require(n.Lt(100).Or(x.Dim(0).Sub(1).Mul(n).Eq(7)))
		k.Require(n.Mul(n).Gt(-1))
	})
	for _, c := range []struct {
		rows, columns, table, n int
		line                    int
		kind                    error
		says                    string
	}{
		{rows: 6, columns: 8, table: 4, n: 3},
		{rows: 6, columns: 9, table: 4, n: 3, kind: fault.ErrShape, says: "the kernel requires x.Dim(1) == table.Dim(0) * 2: x.Dim(1) is 9 and table.Dim(0) * 2 is 8"},
		{rows: 6, columns: 8, table: 4, n: 4, line: 1, kind: fault.ErrShape, says: "the kernel requires x.Dim(0) % n == 0: x.Dim(0) % n is 2"},
		{rows: 0, columns: 0, table: 0, n: -4, line: 1, kind: fault.ErrShape, says: "the kernel requires n > 0: n is -4"},
		{rows: 200, columns: 8, table: 4, n: 200, line: 2, kind: fault.ErrShape,
			says: "the kernel requires n < 100 or (x.Dim(0) - 1) * n == 7: n is 200 and x.Dim(0) is 200"},
		{rows: 1 << 20, columns: 8, table: 4, n: 1 << 20, line: 2, kind: fault.ErrLimit, says: "a number of the requirement n < 100 or (x.Dim(0) - 1) * n == 7 is beyond 2^31-1"},
	} {
		_, err := k.GridAt([][]int{{c.rows, c.columns}, {c.table}}, []uint32{uint32(c.n)})
		if c.kind == nil {
			if err != nil {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		wantError(t, err, c.kind, tile.Pos{File: at.File, Line: at.Line + c.line})
		if !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %q does not say %q", err, c.says)
		}
	}
	if !k.GridReadsScalars() {
		t.Error("the requirements read a scalar")
	}
	if !strings.Contains(k.String(), "require v") {
		t.Errorf("the text of the kernel lacks its requirements:\n%v", k)
	}
}

// A loop whose step the host can compute is checked with the grid, unless it may never be reached.
func TestStepsAreChecked(t *testing.T) {
	var at tile.Pos
	k := build(t, "steps", func(k *tile.Builder) {
		x := k.InOut("x", dtype.F32, 1)
		k.If(x.Dim(0).Gt(7), func() {
			for range k.RangeStep(0, 4, x.Dim(0).Sub(8)) {
			}
		})
		at = here(1)
		for range k.RangeStep(0, 4, x.Dim(0).Sub(3)) {
		}
		k.Exit(x.Dim(0).Eq(8))
		for range k.RangeStep(0, 4, x.Dim(0).Sub(8)) {
		}
	})
	for size, fails := range map[int]bool{4: false, 8: false, 3: true, 0: true} {
		_, err := k.GridAt([][]int{{size}}, nil)
		if !fails {
			if err != nil {
				t.Errorf("size %d: %v", size, err)
			}
			continue
		}
		wantError(t, err, fault.ErrKernel, at)
		if says := fmt.Sprintf("x.Dim(0) - 3 is %d", size-3); !strings.Contains(err.Error(), says) {
			t.Errorf("error %q does not say %q", err, says)
		}
	}
}
