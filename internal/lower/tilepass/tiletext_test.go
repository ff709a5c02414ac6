package tilepass

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

var update = flag.Bool("update", false, "rewrite the kernels in testdata/tile")

var lines = regexp.MustCompile(` *//.*`)

// What passes over tile IR make of a kernel, before and after all of them, in testdata/tile.
func TestTileTexts(t *testing.T) {
	product := func(k *tile.Builder) {
		a, b, out := k.In("a", dtype.F32, 2), k.In("b", dtype.F32, 2), k.Out("out", dtype.F32, 2)
		k.Grid(k.CDiv(out.Dim(0), 32), k.CDiv(out.Dim(1), 32))
		row, column := k.ProgramID(0), k.ProgramID(1)
		sum := k.Var(k.Zeros(dtype.F32, 32, 32))
		for i := range k.Range(k.CDiv(a.Dim(1), 16)) {
			sum.Set(tile.Dot(a.Block(32, 16).Load(row, i), b.Block(16, 32).Load(i, column), sum.Get(), tile.IEEE))
		}
		out.Block(32, 32).Store(sum.Get(), row, column)
	}
	square := func(n int) []layout.Layout {
		l := axistest.Strided(t, []int{n, n}, []int{n, 1}, 0)
		return []layout.Layout{l, l, l}
	}
	vector := func(n int) []layout.Layout {
		l := axistest.Strided(t, []int{n}, []int{1}, 0)
		return []layout.Layout{l, l}
	}
	twice := func(k *tile.Builder) {
		x, out := k.In("x", dtype.F32, 1), k.Out("out", dtype.F32, 1)
		k.Grid(k.CDiv(out.Dim(0), 1024))
		p := k.ProgramID(0)
		out.Block(1024).Store(x.Block(1024).Load(p).Mul(2), p)
	}
	device := lowertest.Targets["shuffles"]
	host := device
	host.Registers = target.SoftwareRegisters
	for _, c := range []struct {
		name     string
		describe func(k *tile.Builder)
		layouts  []layout.Layout
		caps     target.Caps
	}{
		{"product_odd", product, square(99), device},
		{"product_aligned", product, square(96), device},
		{"product_on_the_host", product, square(99), host},
		{"map_odd", twice, vector(5001), device},
		{"map_aligned", twice, vector(5000), device},
		{"expressions", func(k *tile.Builder) {
			x, out := k.In("x", dtype.I32, 1), k.Out("out", dtype.I32, 1)
			k.Grid(4)
			p := k.ProgramID(0)
			v, f := x.Block(16).Load(p.Add(0)), x.Block(16).Load(k.Int(1).Mul(p)).Cast(dtype.F32)
			i := k.Full(dtype.I32, 3, 16).Add(v).Sub(5).Add(4)                  // v + 2
			wraps := v.Add(1 << 30).Add(1 << 30).Add(-2147483648)               // v
			kept := f.Add(0).Mul(1).Cast(dtype.I32)                             // -0 + 0 is 0, but x * 1 is x
			chosen := k.Where(v.Lt(7).Not(), v, 1)                              // v >= 7
			flipped := k.Where(k.Int(4).Splat(16).Gt(v).Not(), i, wraps)        // v >= 4
			wide := v.Cast(dtype.I8).Cast(dtype.I32).Cast(dtype.I8)             // v as i8
			gone := v.Sub(v).Maximum(v.Minimum(v)).And(-1).Mul(k.Int(3).Sub(2)) // max(0, v)
			all := i.Add(kept).Add(chosen).Add(flipped).Add(wide.Cast(dtype.I32)).Add(gone)
			out.Block(16).Store(all.Div(1).Rem(k.Int(8).Div(2).Shl(1)), p)
		}, vector(64), device},
		{"points", func(k *tile.Builder) {
			x, out := k.In("x", dtype.I32, 1), k.Out("out", dtype.I32, 1)
			k.Grid(4)
			i := k.ProgramID(0).Mul(16).Add(k.Arange(16))
			page := x.At(i.Div(8)).Gather().Mul(8).Add(i.Rem(8)).Contiguous(8)
			out.At(page).Mask(i.Lt(60)).Scatter(x.At(page).Gather())
		}, vector(64), device},
		{"offsets", func(k *tile.Builder) {
			x, out := k.In("x", dtype.F32, 2), k.Out("out", dtype.F32, 2)
			k.Grid(6, 6)
			row, column := k.ProgramID(0).Mul(16), k.ProgramID(1).Mul(16)
			v := x.Block(16, 16).LoadAt(row, column)                           // a block at tile coordinates
			left := x.Block(16, 16).Fill(1).LoadAt(row, column.Sub(1))         // points, one by one
			above := x.Block(16, 16).Fill(2).LoadAt(row.Sub(1), column.Add(8)) // points by vectors
			out.Block(16, 16).StoreAt(v.Add(left).Add(above), row, column.Sub(4))
		}, square(96), device},
	} {
		k := axistest.Build(t, c.name, c.describe)
		index := []int{0, 1, 2}[:len(c.layouts)]
		passed, err := Run(k, axis.FactsOf(c.layouts, index), c.caps, 128, &pass.Dump{})
		if err != nil {
			t.Fatal(err)
		}
		got := lines.ReplaceAllString(k.String()+"\n"+passed.Func.String(), "")
		path := filepath.Join("testdata", "tile", c.name+".txt")
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got); rewrite it with -update if that is meant:\n%s", c.name, d)
		}
	}
}
