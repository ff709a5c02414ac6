package lower

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// scene is a kernel with its arguments, and what is expected of its distributions.
type scene struct {
	name    string
	threads int
	build   func(k *tile.Builder)
	args    []layout.Layout
	sizes   []int // of buffers
	tol     float64
	// conversions lists the conversions on a target with shuffles: of what, its route, and between
	// whose wishes; widths the widths of the accesses to memory, in order
	conversions []string
	widths      []int
}

var (
	conversionNote = regexp.MustCompile(`a conversion of (.*) by (.*), cost \d+: from what the (.*) at \S+ wants.*? to what the (.*) at`)
	widthNote      = regexp.MustCompile(`by vectors of (\d+) `)
)

func rows(t *testing.T, m, n int) layout.Layout {
	return axistest.Strided(t, []int{m, n}, []int{n, 1}, 0)
}
func columns(t *testing.T, m, n int) layout.Layout {
	return axistest.Strided(t, []int{m, n}, []int{1, m}, 0)
}

func scenes(t *testing.T) []scene {
	f32 := dtype.F32
	transpose := func(m, n int) func(k *tile.Builder) {
		return func(k *tile.Builder) {
			x, y := k.In("x", f32, 2), k.Out("y", f32, 2)
			k.Grid(2, 2)
			i, j := k.ProgramID(0), k.ProgramID(1)
			y.Block(n, m).Store(x.Block(m, n).Load(i, j).Transpose(), j, i)
		}
	}
	return []scene{
		{name: "transpose of a square", threads: 256, build: transpose(64, 64),
			args: []layout.Layout{rows(t, 128, 128), rows(t, 128, 128)}, sizes: []int{128 * 128, 128 * 128},
			conversions: []string{"f32[64,64] by shared memory, load to store"}, widths: []int{4, 4}},
		{name: "transpose of a rectangle", threads: 256, build: transpose(32, 128),
			args: []layout.Layout{rows(t, 64, 256), rows(t, 256, 64)}, sizes: []int{64 * 256, 64 * 256},
			conversions: []string{"f32[32,128] by shared memory, load to store"}, widths: []int{4, 4}},
		{name: "transpose by strides", threads: 256, build: transpose(64, 64), // nothing to do
			args: []layout.Layout{rows(t, 128, 128), columns(t, 128, 128)}, sizes: []int{128 * 128, 128 * 128},
			widths: []int{4, 4}},
		{name: "columns added to rows", threads: 256,
			build: func(k *tile.Builder) {
				x, y, z := k.In("x", f32, 2), k.In("y", f32, 2), k.Out("z", f32, 2)
				z.Block(64, 64).Store(x.Block(64, 64).Load(0, 0).Add(y.Block(64, 64).Load(0, 0)), 0, 0)
			},
			args: []layout.Layout{columns(t, 64, 64), rows(t, 64, 64), rows(t, 64, 64)}, sizes: []int{4096, 4096, 4096},
			conversions: []string{"f32[64,64] by shared memory, load to load"}, widths: []int{4, 4, 4}},
		{name: "two tiles of one shape", threads: 256,
			build: func(k *tile.Builder) {
				x, y, u, v := k.In("x", f32, 2), k.Out("y", f32, 2), k.In("u", f32, 2), k.Out("v", f32, 2)
				y.Block(64, 64).Store(x.Block(64, 64).Load(0, 0).Exp(), 0, 0)
				v.Block(64, 64).Store(u.Block(64, 64).Load(0, 0).Exp(), 0, 0)
			},
			args:  []layout.Layout{rows(t, 64, 64), rows(t, 64, 64), columns(t, 64, 64), columns(t, 64, 64)},
			sizes: []int{4096, 4096, 4096, 4096}, tol: 1e-6, widths: []int{4, 4, 4, 4}},
		{name: "softmax", threads: 256,
			build: func(k *tile.Builder) {
				x, y := k.In("x", f32, 2), k.Out("y", f32, 2)
				v := x.Block(4, 1024).Load(0, 0)
				v = v.Sub(v.Max(1)).Exp()
				y.Block(4, 1024).Store(v.Div(v.Sum(1)), 0, 0)
			},
			args: []layout.Layout{rows(t, 4, 1024), rows(t, 4, 1024)}, sizes: []int{4096, 4096}, tol: 1e-5, widths: []int{4, 4}},
		{name: "row and column sums", threads: 256,
			build: func(k *tile.Builder) {
				x, r, c := k.In("x", f32, 2), k.Out("r", f32, 2), k.Out("c", f32, 2)
				v := x.Block(64, 64).Load(0, 0)
				r.Block(64, 1).Store(v.Sum(1), 0, 0)
				c.Block(1, 64).Store(v.Sum(0), 0, 0)
			},
			args: []layout.Layout{rows(t, 64, 64), rows(t, 64, 1), rows(t, 1, 64)}, sizes: []int{4096, 64, 64}, tol: 1e-5,
			widths: []int{4, 1, 4}},
		{name: "layernorm", threads: 256,
			build: func(k *tile.Builder) {
				x, w, b, y := k.In("x", f32, 2), k.In("w", f32, 2), k.In("b", f32, 2), k.Out("y", f32, 2)
				v := x.Block(4, 1024).Load(0, 0)
				d := v.Sub(v.Sum(1).Mul(1.0 / 1024))
				v = d.Mul(d.Mul(d).Sum(1).Mul(1.0 / 1024).Add(1e-5).Rsqrt())
				v = v.Mul(w.Block(1, 1024).Load(0, 0)).Add(b.Block(1, 1024).Load(0, 0))
				y.Block(4, 1024).Store(v, 0, 0)
			},
			args:  []layout.Layout{rows(t, 4, 1024), rows(t, 1, 1024), rows(t, 1, 1024), rows(t, 4, 1024)},
			sizes: []int{4096, 1024, 1024, 4096}, tol: 1e-5, widths: []int{4, 4, 4, 4}},
		{name: "a widening cast", threads: 256, // what is converted is what is narrower
			build: func(k *tile.Builder) {
				x, y, z := k.In("x", dtype.F16, 2), k.In("y", f32, 2), k.Out("z", f32, 2)
				z.Block(64, 64).Store(x.Block(64, 64).Load(0, 0).Cast(f32).Add(y.Block(64, 64).Load(0, 0)), 0, 0)
			},
			args: []layout.Layout{columns(t, 64, 64), rows(t, 64, 64), rows(t, 64, 64)}, sizes: []int{4096, 4096, 4096},
			conversions: []string{"f16[64,64] by shared memory, load to load"}, widths: []int{8, 4, 4}},
		{name: "a small tile for all rows", threads: 256, // what is converted is what is smaller
			build: func(k *tile.Builder) {
				x, y, z := k.In("x", f32, 2), k.In("y", f32, 2), k.Out("z", f32, 2)
				z.Block(64, 64).Store(y.Block(64, 64).Load(0, 0).Sub(x.Block(64, 64).Load(0, 0).Max(1)), 0, 0)
			},
			args: []layout.Layout{columns(t, 64, 64), rows(t, 64, 64), rows(t, 64, 64)}, sizes: []int{4096, 4096, 4096},
			conversions: []string{"f32[64,1] by shared memory, load to load"}, widths: []int{4, 4, 4}},
		{name: "before a loop", threads: 256, // see TestConversionStandsBeforeTheLoop
			build: beforeALoop,
			args:  []layout.Layout{columns(t, 64, 64), rows(t, 64, 256), rows(t, 64, 64)}, sizes: []int{4096, 4 * 4096, 4096}, tol: 1e-5,
			conversions: []string{"f32[64,64] by shared memory, load to load"}, widths: []int{4, 4, 4}},
		{name: "a mask made twice", threads: 256,
			build: func(k *tile.Builder) {
				x, y, u, v := k.In("x", f32, 2), k.Out("y", f32, 2), k.In("u", f32, 2), k.Out("v", f32, 2)
				mask := k.Iota(0, 64, 64).Ge(k.Iota(1, 64, 64).Add(3))
				zero := k.Zeros(f32, 64, 64)
				y.Block(64, 64).Store(k.Where(mask, x.Block(64, 64).Load(0, 0), zero), 0, 0)
				v.Block(64, 64).Store(k.Where(mask, u.Block(64, 64).Load(0, 0), zero), 0, 0)
			},
			args:  []layout.Layout{rows(t, 64, 64), rows(t, 64, 64), columns(t, 64, 64), columns(t, 64, 64)},
			sizes: []int{4096, 4096, 4096, 4096}, widths: []int{4, 4, 4, 4}},
		{name: "matmul with an epilogue", threads: 256,
			build: func(k *tile.Builder) {
				a, b, bias, residual, out := k.In("a", f32, 2), k.In("b", f32, 2), k.In("bias", f32, 2), k.In("residual", f32, 2), k.Out("out", f32, 2)
				acc := k.Var(k.Zeros(f32, 64, 64))
				for i := range k.Range(k.CDiv(a.Dim(1), 16)) {
					acc.Set(tile.Dot(a.Block(64, 16).Load(0, i), b.Block(16, 64).Load(i, 0), acc.Get(), tile.IEEE))
				}
				v := tile.SiLU(acc.Get().Add(bias.Block(1, 64).Load(0, 0))).Add(residual.Block(64, 64).Load(0, 0))
				out.Block(64, 64).Store(v, 0, 0)
			},
			args:  []layout.Layout{rows(t, 64, 64), rows(t, 64, 64), rows(t, 1, 64), rows(t, 64, 64), rows(t, 64, 64)},
			sizes: []int{4096, 4096, 64, 4096, 4096}, tol: 1e-4, widths: []int{1, 4, 4, 4, 4}},
		{name: "matmul with a transposed residual", threads: 256,
			build: func(k *tile.Builder) {
				a, b, residual, out := k.In("a", f32, 2), k.In("b", f32, 2), k.In("residual", f32, 2), k.Out("out", f32, 2)
				acc := k.Var(k.Zeros(f32, 64, 64))
				for i := range k.Range(k.CDiv(a.Dim(1), 16)) {
					acc.Set(tile.Dot(a.Block(64, 16).Load(0, i), b.Block(16, 64).Load(i, 0), acc.Get(), tile.IEEE))
				}
				out.Block(64, 64).Store(acc.Get().Add(residual.Block(64, 64).Load(0, 0)), 0, 0)
			},
			args:  []layout.Layout{rows(t, 64, 64), rows(t, 64, 64), columns(t, 64, 64), rows(t, 64, 64)},
			sizes: []int{4096, 4096, 4096, 4096}, tol: 1e-4, widths: []int{1, 4, 4, 4}},
		{name: "flash attention", threads: 128,
			build: func(k *tile.Builder) {
				q, kk, v, out := k.In("q", f32, 2), k.In("k", f32, 2), k.In("v", f32, 2), k.Out("out", f32, 2)
				most, sum, acc := k.Var(k.Full(f32, -1e30, 32, 1)), k.Var(k.Zeros(f32, 32, 1)), k.Var(k.Zeros(f32, 32, 64))
				queries := q.Block(32, 64).Load(0, 0)
				for i := range k.Range(k.CDiv(kk.Dim(0), 32)) {
					s := tile.Dot(queries, kk.Block(32, 64).Load(i, 0).Transpose(), k.Zeros(f32, 32, 32), tile.IEEE)
					m := most.Get().Maximum(s.Max(1))
					p, shrink := s.Sub(m).Exp(), most.Get().Sub(m).Exp()
					sum.Set(sum.Get().Mul(shrink).Add(p.Sum(1)))
					acc.Set(tile.Dot(p.Cast(dtype.F16), v.Block(32, 64).Load(i, 0).Cast(dtype.F16), acc.Get().Mul(shrink), tile.Float32Accumulate))
					most.Set(m)
				}
				out.Block(32, 64).Store(acc.Get().Div(sum.Get()), 0, 0)
			},
			args:  []layout.Layout{rows(t, 32, 64), rows(t, 64, 64), rows(t, 64, 64), rows(t, 32, 64)},
			sizes: []int{2048, 4096, 4096, 2048}, tol: 1e-3, widths: []int{4, 4, 4, 4},
			// the rows' corrections, from one register tile to the other: once an iteration and once after all
			conversions: []string{"f32[32,1] by shared memory, dot to dot", "f32[32,1] by shared memory, dot to dot"}},
	}
}

// beforeALoop adds a tile to one after another of a row of blocks that lie the other way.
func beforeALoop(k *tile.Builder) {
	x, y, z := k.In("x", dtype.F32, 2), k.In("y", dtype.F32, 2), k.Out("z", dtype.F32, 2)
	v, sum := x.Block(64, 64).Load(0, 0), k.Var(k.Zeros(dtype.F32, 64, 64))
	for i := range k.Range(k.CDiv(y.Dim(1), 64)) {
		sum.Set(sum.Get().Add(y.Block(64, 64).Load(0, i).Mul(v)))
	}
	z.Block(64, 64).Store(sum.Get(), 0, 0)
}

// TestConversionStandsBeforeTheLoop: what does not change in a loop is converted before it.
func TestConversionStandsBeforeTheLoop(t *testing.T) {
	i := slices.IndexFunc(scenes(t), func(s scene) bool { return s.name == "before a loop" })
	s := scenes(t)[i]
	r, err := Lower(s.kernel(t), s.facts(), targets["shuffles"])
	if err != nil {
		t.Fatal(err)
	}
	moves := func(b *simt.Block) (n int) {
		simt.Walk(b, func(op *simt.Op) {
			if op.Kind == simt.SharedStore {
				n++
			}
		})
		return n
	}
	all, inside := moves(r.Kernel.Body), 0
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.For {
			inside += moves(op.Body)
		}
	})
	if all == 0 || inside != 0 {
		t.Errorf("%d stores to shared memory, %d of them in the loop:\n%v", all, inside, r.Kernel)
	}
}

func (s scene) kernel(t *testing.T) *tile.Func {
	return axistest.Build(t, "scene", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: s.threads})
		s.build(k)
	})
}

func (s scene) facts() axis.Facts {
	buffers := make([]int, len(s.args))
	for i := range buffers {
		buffers[i] = i
	}
	return axis.FactsOf(s.args, buffers)
}

// TestScenes: known kernels get the conversions that they need and no more, and compute
// what they did.
func TestScenes(t *testing.T) {
	for _, s := range scenes(t) {
		t.Run(s.name, func(t *testing.T) {
			k := s.kernel(t)
			r, err := Lower(k, s.facts(), targets["shuffles"])
			if err != nil {
				t.Fatal(err)
			}
			var conversions []string
			var widths []int
			for _, note := range r.Notes {
				if m := conversionNote.FindStringSubmatch(note); m != nil {
					conversions = append(conversions, fmt.Sprintf("%s by %s, %s to %s", m[1], m[2], m[3], m[4]))
				}
				if m := widthNote.FindStringSubmatch(note); m != nil {
					widths = append(widths, int(m[1][0]-'0'))
				}
			}
			if !slices.Equal(conversions, s.conversions) || !slices.Equal(widths, s.widths) {
				t.Errorf("conversions %q, want %q; widths %v, want %v:\n%s", conversions, s.conversions, widths, s.widths, strings.Join(r.Notes, "\n"))
			}
			args := make([]tensor, len(s.args))
			for i, l := range s.args {
				args[i] = tensor{l, i}
			}
			differential(t, k, s.sizes, args, false, s.tol)
		})
	}
}

// TestConversionsYieldToTheLimit: where shared memory is short, tiles stay in distributions that take
// more time, and a kernel is not refused for a conversion.
func TestConversionsYieldToTheLimit(t *testing.T) {
	f32 := dtype.F32
	for _, c := range []struct {
		name  string
		build func(k *tile.Builder)
	}{
		{"the tile alone", func(k *tile.Builder) {
			x, y := k.In("x", f32, 2), k.Out("y", f32, 2)
			y.Block(64, 64).Store(x.Block(64, 64).Load(0, 0).Transpose(), 0, 0)
		}},
		{"beside the operands of a dot", func(k *tile.Builder) {
			x, y := k.In("x", f32, 2), k.Out("y", f32, 2)
			v := x.Block(64, 64).Load(0, 0)
			for range 2 { // two arrays each
				v = tile.Dot(v, v, k.Zeros(f32, 64, 64), tile.IEEE)
			}
			y.Block(64, 64).Store(v.Reshape(16, 4, 64).Permute(1, 2, 0).Reshape(64, 64), 0, 0)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := axistest.Build(t, "limit", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: 256})
				c.build(k)
			})
			facts := axis.FactsOf([]layout.Layout{rows(t, 64, 64), rows(t, 64, 64)}, []int{0, 1})
			caps := targets["shuffles"]
			caps.SharedBytes = 0
			r, err := Lower(k, facts, caps)
			if err != nil {
				t.Fatal(err)
			}
			need := r.Kernel.SharedBytes()
			if !conversionNote.MatchString(strings.Join(r.Notes, "\n")) {
				t.Fatalf("no conversion with all the memory of the world:\n%s", strings.Join(r.Notes, "\n"))
			}
			caps.SharedBytes = need - 1
			if r, err = Lower(k, facts, caps); err != nil {
				t.Fatal(err)
			}
			if got := r.Kernel.SharedBytes(); got >= need {
				t.Errorf("takes %d bytes of %d", got, need-1)
			}
		})
	}
}

// TestMatmulKeepsItsTiles: the tiles that were measured for products on GPUs, of operands by rows and by
// columns, are those that the costs choose.
func TestMatmulKeepsItsTiles(t *testing.T) {
	for _, c := range [][4]int{{64, 64, 16, 256}, {128, 128, 16, 128}, {128, 128, 8, 256}, {64, 128, 16, 128}, {32, 32, 16, 64}} {
		k := axistest.Build(t, "matmul", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: c[3]})
			a, b, out := k.In("a", dtype.F32, 2), k.In("b", dtype.F32, 2), k.Out("out", dtype.F32, 2)
			acc := k.Var(k.Zeros(dtype.F32, c[0], c[1]))
			for i := range k.Range(k.CDiv(a.Dim(1), c[2])) {
				acc.Set(tile.Dot(a.Block(c[0], c[2]).Load(0, i), b.Block(c[2], c[1]).Load(i, 0), acc.Get(), tile.IEEE))
			}
			out.Block(c[0], c[1]).Store(acc.Get(), 0, 0)
		})
		for _, forms := range [][2]layout.Layout{
			{rows(t, 1024, 1024), rows(t, 1024, 1024)}, {columns(t, 1024, 1024), columns(t, 1024, 1024)},
			{rows(t, 1023, 1023), columns(t, 1023, 1023)}, {columns(t, 1024, 1024), rows(t, 1024, 1024)},
		} {
			facts := axis.FactsOf([]layout.Layout{forms[0], forms[1], rows(t, 1024, 1024)}, []int{0, 1, 2})
			a := assign(k, facts, c[3], targets["shuffles"], thrift{})
			got := make([]layout.Linear, len(a.sites))
			for i, s := range a.sites {
				got[i] = a.in(s)
			}
			onePerShape(a, k)
			for i, s := range a.sites {
				if want := a.in(s); !got[i].Equal(want) {
					t.Errorf("%v, %v by %v: %v is in %v, want %v", c, forms[0], forms[1], s, got[i], want)
				}
			}
		}
	}
}
