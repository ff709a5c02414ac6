package lower

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Operands of matrix instructions whose rows begin at multiples of 4 or 8 bytes, but not of 16, come to shared memory by asynchronous copies of
// so many, of which neighbouring threads have neighbours: no thread holds what it copies, and shorter loads are left to rows that begin elsewhere.
func TestCopiedWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		elem    dtype.Type
		m, n, k int
	}{
		{dtype.F16, 70, 68, 74},
		{dtype.BF16, 66, 132, 100},
		{dtype.F32, 67, 66, 69},
		{dtype.F32, 66, 65, 70},
		{dtype.I8, 70, 66, 132},
		{dtype.F16, 70, 68, 75},
	} {
		for order := range 4 {
			a, b := order&1 == 0, order&2 == 0 // K-major
			t.Run(fmt.Sprintf("%v/%v,%v", c, a, b), func(t *testing.T) {
				t.Parallel()
				testenv.Sample(t)
				k := product(t, c.elem, 64, 64, 64/c.elem.Size(), tile.Schedule{Threads: 128, Stages: 3})
				args := []tensor{{lowertest.Columns(t, c.m, c.k), 0}, {lowertest.Rows(t, c.k, c.n), 1}, {lowertest.Rows(t, c.m, c.n), 2}}
				rows := [2]int{c.m, c.n} // elements of a row in memory
				if a {
					args[0].layout, rows[0] = lowertest.Rows(t, c.m, c.k), c.k
				}
				if b {
					args[1].layout, rows[1] = lowertest.Columns(t, c.k, c.n), c.k
				}
				for _, l := range cases(t, lowertest.MatrixTargets, k, []int{c.m * c.k, c.k * c.n, c.m * c.n}, args, false, matrixTolerance(c.elem, c.k)) {
					if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
						t.Fatalf("%v\n%v", err, l.kernel)
					}
					for which, kMajor := range []bool{a, b} {
						want := c.elem.Size() * min(rows[which]&-rows[which], 16/c.elem.Size())
						if want < 4 || c.elem.Size() == 1 && !kMajor {
							want = 0
						}
						if got := copiedBytes(l.kernel, k.Views[which].Name); got != want {
							t.Errorf("%s: %s by copies of %d bytes, want %d\n%v", l.target, k.Views[which].Name, got, want, l.kernel)
						}
					}
				}
			})
		}
	}
}

// The same is so where operands are matrices of a batch, and all tiles have one shape.
func TestCopiedWordsOfBatches(t *testing.T) {
	t.Parallel()
	const m, n, k, side, batch = 70, 66, 74, 64, 2
	for order := range 4 {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			t.Parallel()
			f := axistest.Build(t, "products", func(b *tile.Builder) {
				b.Schedule(tile.Schedule{Threads: 128, Stages: 3})
				x, y, out := b.In("a", dtype.F16, 3), b.In("b", dtype.F16, 3), b.Out("out", dtype.F32, 3)
				at := b.ProgramTile(out, 1, side, side)
				block := func(v *tile.View) tile.Block { return v.Block(1, side, side).Squeeze(0) }
				acc := b.Var(b.Zeros(dtype.F32, side, side))
				for i := range b.Range(b.CDiv(x.Dim(2), side)) {
					acc.Set(tile.Dot(block(x).Load(at[0], at[1], i), block(y).Load(at[0], i, at[2]), acc.Get(), tile.Float32Accumulate))
				}
				block(out).Store(acc.Get(), at...)
			})
			matrices := func(rows, columns int, kMajor bool, k int) layout.Layout {
				strides := []int{rows * columns, columns, 1}
				if kMajor != (k == 1) {
					strides[1], strides[2] = 1, rows
				}
				l, err := layout.Strided([]int{batch, rows, columns}, strides, 0)
				if err != nil {
					t.Fatal(err)
				}
				return l
			}
			args := []tensor{{matrices(m, k, order&1 == 0, 1), 0}, {matrices(k, n, order&2 == 0, 0), 1}, {matrices(m, n, true, 1), 2}}
			targets := map[string]target.Caps{"hopper": lowertest.MatrixTargets["hopper"], "groups": lowertest.MatrixTargets["groups"]}
			for _, l := range cases(t, targets, f, []int{batch * m * k, batch * k * n, batch * m * n}, args, false, matrixTolerance(dtype.F16, k)) {
				if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
					t.Fatalf("%v\n%v", err, l.kernel)
				}
				for _, name := range []string{"a", "b"} {
					if got := copiedBytes(l.kernel, name); got != 4 {
						t.Errorf("%s: %s by copies of %d bytes\n%v", l.target, name, got, l.kernel)
					}
				}
			}
		})
	}
}

// copiedBytes are those of the asynchronous copies of a buffer, 0 if there are loads of it or different ones.
func copiedBytes(k *simt.Func, name string) (bytes int) {
	simt.Walk(k.Body, func(op *simt.Op) {
		switch {
		case op.Buffer == nil || op.Buffer.Name != name:
		case op.Kind != simt.CopyAsync || bytes > 0 && bytes != op.Count*op.Buffer.Elem.Size():
			bytes = -1
		case bytes == 0:
			bytes = op.Count * op.Buffer.Elem.Size()
		}
	})
	return max(bytes, 0)
}
