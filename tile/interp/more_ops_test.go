package interp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Bitcasts agree with what memory holds, bit by bit.
func TestBitcast(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, from := range dtype.All() {
		for _, to := range dtype.All() {
			k, err := tile.Build("bitcast", func(k *tile.Builder) {
				x, y := k.In("x", from, 1), k.Out("y", to, 1)
				y.Block(16).Store(x.Block(16).Load(0).Bitcast(to), 0)
			})
			if fits := from == to || from.Size() == to.Size() && from != dtype.Bool && to != dtype.Bool; fits != (err == nil) {
				t.Errorf("%v to %v: %v", from, to, err)
			}
			if err != nil {
				continue
			}
			x, y := newTensor(t, rng, from, dense, 16), newTensor(t, rng, to, dense, 16)
			for i := range x.data {
				x.data[i] = byte(rng.Uint32())
			}
			run(t, k, []*tensor{x, y})
			for i := range 16 {
				var bits [1]float64
				dtype.Floats(to, bits[:], x.data[i*to.Size():])
				nan := x.get(0, i) != x.get(0, i) && from.Size() == 2 // which may come out as another
				if got := y.get(0, i); got != bits[0] && got == got && !nan {
					t.Errorf("%v to %v: %v, want %v", from, to, got, bits[0])
				}
			}
		}
	}
}

// The activations agree with their formulas in float64.
func TestActivations(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for _, a := range []struct {
		name string
		make func(*tile.Value) *tile.Value
		want func(x float64) float64
	}{
		{"gelu", tile.GELU, func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }},
		{"gelu tanh", tile.GELUTanh, func(x float64) float64 {
			return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		}},
		{"silu", tile.SiLU, func(x float64) float64 { return x / (1 + math.Exp(-x)) }},
		{"clamp", func(v *tile.Value) *tile.Value { return v.Clamp(-0.5, 1.25) }, func(x float64) float64 { return min(max(x, -0.5), 1.25) }},
	} {
		for _, e := range []dtype.Type{dtype.F32, dtype.F16, dtype.BF16} {
			k := build(t, "activation", func(k *tile.Builder) {
				x, y := k.In("x", e, 1), k.Out("y", e, 1)
				y.Block(256).Store(a.make(x.Block(256).Load(0)), 0)
			})
			x := newTensor(t, rng, e, padded, 250).fill(func() float64 { return rounded(e, 4*rng.NormFloat64()) })
			y := newTensor(t, rng, e, padded, 250)
			run(t, k, []*tensor{x, y})
			y.verify(t, fmt.Sprint(a.name, " ", e), func(c []int) (float64, float64) {
				v := x.get(0, c...)
				w := a.want(v)
				return w, e.Epsilon()*math.Abs(w) + 0x1p-22*(1+math.Abs(v)) + 1e-7
			})
		}
	}
}

// Reshapes, permutations, joins and splits move every element to where its
// coordinates say.
func TestRearrange(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	shape := []int{4, 2, 8}
	for _, e := range dtype.All() {
		k := build(t, "rearrange", func(k *tile.Builder) {
			x := k.In("x", e, 3)
			outs := []*tile.View{k.Out("reshaped", e, 2), k.Out("permuted", e, 3), k.Out("joined", e, 4), k.Out("second", e, 3), k.Out("expanded", e, 4), k.Out("swapped", e, 3), k.Out("reordered", e, 1)}
			v := x.Block(shape...).Load(0, 0, 0)
			outs[0].Block(16, 4).Store(v.Reshape(16, 4), 0, 0)
			outs[1].Block(8, 4, 2).Store(v.Permute(2, 0, 1), 0, 0, 0)
			joined := v.Join(k.Where(v.Eq(v), v.Permute(0, 1, 2), v))
			first, second := v.Join(v.Reshape(64).Reshape(4, 2, 8)).Split()
			outs[2].Block(4, 2, 8, 2).Store(joined, 0, 0, 0, 0)
			outs[3].Block(4, 2, 8).Store(k.Where(second.Eq(first), second, first), 0, 0, 0)
			outs[4].Block(4, 1, 2, 8).Store(v.Expand(1), 0, 0, 0, 0)
			outs[5].Block(4, 8, 2).Store(v.Transpose(), 0, 0, 0)
			outs[6].Block(64).Store(v.Reshape(64).Reorder(k.Arange(64).Mul(5).Add(3)), 0)
		})
		x := newTensor(t, rng, e, padded, shape...).fill(tame(rng, e))
		sizes := [][]int{{16, 4}, {8, 4, 2}, {4, 2, 8, 2}, {4, 2, 8}, {4, 1, 2, 8}, {4, 8, 2}, {64}}
		from := []func(c []int) []int{
			func(c []int) []int { i := c[0]*4 + c[1]; return []int{i / 16, i / 8 % 2, i % 8} },
			func(c []int) []int { return []int{c[1], c[2], c[0]} },
			func(c []int) []int { return c[:3] },
			func(c []int) []int { return c },
			func(c []int) []int { return []int{c[0], c[2], c[3]} },
			func(c []int) []int { return []int{c[0], c[2], c[1]} },
			func(c []int) []int { i := (c[0] + 61) * 13 % 64; return []int{i / 16, i / 8 % 2, i % 8} }, // 5 · 13 is 1 modulo 64
		}
		tensors := []*tensor{x}
		for _, s := range sizes {
			tensors = append(tensors, newTensor(t, rng, e, padded, s...))
		}
		run(t, k, tensors)
		for i, y := range tensors[1:] {
			y.verify(t, fmt.Sprint(e, " ", k.Views[i+1].Name), func(c []int) (float64, float64) { return x.get(0, from[i](c)...), 0 })
		}
	}
	k := build(t, "iota", func(k *tile.Builder) {
		y, z := k.Out("y", dtype.I32, 1), k.Out("z", dtype.I32, 3)
		y.Block(32).Store(k.Arange(32), 0)
		z.Block(4, 2, 8).Store(k.Iota(0, 4, 2, 8).Mul(100).Add(k.Iota(1, 4, 2, 8).Mul(10)).Add(k.Iota(2, 4, 2, 8)), 0, 0, 0)
	})
	y, z := newTensor(t, rng, dtype.I32, padded, 31), newTensor(t, rng, dtype.I32, padded, shape...)
	run(t, k, []*tensor{y, z})
	y.verify(t, "arange", func(c []int) (float64, float64) { return float64(c[0]), 0 })
	z.verify(t, "iota", func(c []int) (float64, float64) { return float64(c[0]*100 + c[1]*10 + c[2]), 0 })
}

// A histogram has the sums of the weights of each bin, and leaves out elements that have none.
func TestHistogram(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for _, e := range []dtype.Type{dtype.I32, dtype.U32, dtype.F32} {
		k := build(t, "histogram", func(k *tile.Builder) {
			x, w, sums, counts := k.In("x", dtype.I32, 2), k.In("w", e, 2), k.Out("sums", e, 1), k.Out("counts", e, 1)
			bins := x.Block(8, 16).Load(0, 0)
			sums.Block(16).Store(bins.Histogram(16, w.Block(8, 16).Load(0, 0)), 0)
			counts.Block(4).Store(bins.Histogram(4, k.Const(e, 1)), 0)
		})
		x := newTensor(t, rng, dtype.I32, padded, 8, 16).fill(func() float64 { return float64(rng.IntN(24) - 4) })
		w := newTensor(t, rng, e, padded, 8, 16).fill(func() float64 { return float64(rng.IntN(9)) })
		sums, counts := newTensor(t, rng, e, padded, 16), newTensor(t, rng, e, padded, 4)
		run(t, k, []*tensor{x, w, sums, counts})
		of := func(weight func(c ...int) float64) func(c []int) (float64, float64) {
			return func(c []int) (sum, bound float64) {
				for i := range 8 {
					for j := range 16 {
						if x.get(0, i, j) == float64(c[0]) {
							sum += weight(i, j)
						}
					}
				}
				return sum, 0
			}
		}
		sums.verify(t, e.String(), of(func(c ...int) float64 { return w.get(0, c...) }))
		counts.verify(t, e.String(), of(func(...int) float64 { return 1 }))
	}
}

// Ranks and elements at computed places are those that a loop finds.
func TestRankAndTake(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for _, length := range []int{1, 8, 64} {
		k := build(t, "ranks", func(k *tile.Builder) {
			x, ranks, taken := k.In("x", dtype.I32, 2), k.Out("ranks", dtype.I32, 2), k.Out("taken", dtype.I32, 1)
			v := x.Block(4, 16).Load(0, 0)
			ranks.Block(4, 16).Store(v.Rank(length, 2), 0, 0)
			taken.Block(128).Store(v.Take(k.Arange(128).Mul(5).Sub(7)), 0)
		})
		x := newTensor(t, rng, dtype.I32, padded, 4, 16).fill(func() float64 { return float64(rng.IntN(40) - 9) })
		ranks, taken := newTensor(t, rng, dtype.I32, padded, 4, 16), newTensor(t, rng, dtype.I32, padded, 128)
		run(t, k, []*tensor{x, ranks, taken})
		at := func(i int) int { return int(x.get(0, i/16, i%16)) }
		ranks.verify(t, fmt.Sprint("runs of ", length), func(c []int) (n, bound float64) {
			here := 16*c[0] + c[1]
			for i := here / length * length; i < here; i++ {
				if at(i)&3 == at(here)&3 {
					n++
				}
			}
			return n, 0
		})
		taken.verify(t, "taken", func(c []int) (float64, float64) { return float64(at((5*c[0] - 7) & 63)), 0 })
	}
}

// Dot of bytes is exact modulo 2^32.
func TestDotInts(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, e := range []dtype.Type{dtype.I8, dtype.U8} {
		for range 10 {
			m, n, kk := 1<<rng.IntN(5), 1<<rng.IntN(5), 1<<rng.IntN(7)
			k := build(t, "dot", func(k *tile.Builder) {
				a, b, c, d := k.In("a", e, 2), k.In("b", e, 2), k.In("c", dtype.I32, 2), k.Out("d", dtype.I32, 2)
				acc := c.Block(m, n).Load(0, 0)
				d.Block(m, n).Store(tile.Dot(a.Block(m, kk).Load(0, 0), b.Block(kk, n).Load(0, 0), acc, tile.IEEE), 0, 0)
			})
			a := newTensor(t, rng, e, form(rng.IntN(int(numForms))), m, kk).fill(sample(rng, e))
			b := newTensor(t, rng, e, form(rng.IntN(int(numForms))), kk, n).fill(sample(rng, e))
			c := newTensor(t, rng, dtype.I32, dense, m, n).fill(sample(rng, dtype.I32))
			d := newTensor(t, rng, dtype.I32, padded, m, n)
			run(t, k, []*tensor{a, b, c, d})
			d.verify(t, fmt.Sprintf("%v %d×%d×%d", e, m, n, kk), func(at []int) (float64, float64) {
				sum := int64(c.get(0, at...))
				for l := range kk {
					sum += int64(a.get(0, at[0], l)) * int64(b.get(0, l, at[1]))
				}
				return wrapped(dtype.I32, sum), 0
			})
		}
	}
}

// A batched Dot is one Dot for each matrix.
func TestBatchedDot(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, e := range []dtype.Type{dtype.F32, dtype.I8} {
		out := map[dtype.Type]dtype.Type{dtype.F32: dtype.F32, dtype.I8: dtype.I32}[e]
		k := build(t, "batched", func(k *tile.Builder) {
			a, b, d := k.In("a", e, 3), k.In("b", e, 3), k.Out("d", out, 3)
			acc := k.Full(out, 3, 4, 8, 16)
			d.Block(4, 8, 16).Store(tile.Dot(a.Block(4, 8, 32).Load(0, 0, 0), b.Block(4, 32, 16).Load(0, 0, 0), acc, tile.IEEE), 0, 0, 0)
		})
		a := newTensor(t, rng, e, spread, 3, 7, 30).fill(tame(rng, e))
		b := newTensor(t, rng, e, transposed, 3, 30, 13).fill(tame(rng, e))
		d := newTensor(t, rng, out, padded, 3, 7, 13)
		run(t, k, []*tensor{a, b, d})
		d.verify(t, e.String(), func(c []int) (float64, float64) {
			sum, size := 3.0, 3.0
			for l := range 30 {
				x := a.get(0, c[0], c[1], l) * b.get(0, c[0], l, c[2])
				sum, size = sum+x, size+math.Abs(x)
			}
			if e == dtype.I8 {
				return sum, 0
			}
			return sum, 36 * 0x1p-24 * size
		})
	}
}
