package interp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Every element-wise op on every element type that takes it, on odd sizes and
// every form of memory.
func TestElementwise(t *testing.T) {
	for kind := tile.OpConst; kind < tile.NumKinds; kind++ {
		class := kind.Fact().Class
		if class < tile.Unary || class > tile.Ternary || kind == tile.OpCast || kind == tile.OpBitcast || kind == tile.OpSelect {
			continue
		}
		t.Run(kind.String(), func(t *testing.T) {
			makeOp, ok := builders[kind]
			if !ok {
				t.Fatal("no builder in this test")
			}
			tested := 0
			for _, e := range dtype.All() {
				if e.IsInt() && e.Size() == 8 {
					continue // the reference has float64: see TestLong
				}
				out := e
				if class == tile.Compare || kind == tile.OpIsNaN {
					out = dtype.Bool
				}
				k, err := tile.Build("op", func(k *tile.Builder) {
					args := make([]*tile.Value, kind.Fact().Arity)
					i, j := k.ProgramID(0), k.ProgramID(1)
					y := k.Out("y", out, 2)
					k.Grid(k.CDiv(y.Dim(0), 4), k.CDiv(y.Dim(1), 8))
					for n := range args {
						args[n] = k.In(fmt.Sprint("x", n), e, 2).Block(4, 8).Load(i, j)
					}
					y.Block(4, 8).Store(makeOp(args), i, j)
				})
				if err != nil {
					continue // the op does not take e
				}
				tested++
				elementwise(t, k, kind, e)
			}
			if tested == 0 {
				t.Error("no element type takes the op")
			}
		})
	}
}

func elementwise(t *testing.T, k *tile.Func, kind tile.Kind, e dtype.Type) {
	rng := rand.New(rand.NewPCG(uint64(kind), uint64(e)))
	for f := range numForms {
		rows, columns := 1+rng.IntN(13), 1+rng.IntN(21)
		outForm := f
		if f == repeated {
			outForm = padded
		}
		tensors := []*tensor{newTensor(t, rng, k.Views[0].Elem, outForm, rows, columns)}
		for range k.Views[1:] {
			tensors = append(tensors, newTensor(t, rng, e, f, rows, columns).fill(sample(rng, e)))
		}
		run(t, k, tensors)
		tensors[0].verify(t, fmt.Sprint(kind, " ", e), func(c []int) (float64, float64) {
			var x []float64
			for _, in := range tensors[1:] {
				x = append(x, in.get(0, c...))
			}
			return reference(t, kind, e, x), 0
		})
	}
}

func TestCast(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, from := range dtype.All() {
		for _, to := range dtype.All() {
			k := build(t, "cast", func(k *tile.Builder) {
				x, y := k.In("x", from, 1), k.Out("y", to, 1)
				k.Grid(k.CDiv(x.Dim(0), 16))
				y.Block(16).Store(x.Block(16).Load(k.ProgramID(0)).Cast(to), k.ProgramID(0))
			})
			x := newTensor(t, rng, from, padded, 201).fill(sample(rng, from))
			y := newTensor(t, rng, to, padded, 201)
			run(t, k, []*tensor{x, y})
			y.verify(t, fmt.Sprintf("%v to %v", from, to), func(c []int) (float64, float64) {
				return castRef(from, to, x.get(0, c...)), 0
			})
		}
	}
}

func TestSelect(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, e := range dtype.All() {
		k := build(t, "select", func(k *tile.Builder) {
			c, x, y, z := k.In("c", dtype.Bool, 2), k.In("x", e, 2), k.In("y", e, 2), k.Out("z", e, 2)
			cond := c.Block(8, 1).Load(0, 0) // one condition a row
			z.Block(8, 8).Store(k.Where(cond, x.Block(8, 8).Load(0, 0), y.Block(1, 8).Load(0, 0)), 0, 0)
		})
		c := newTensor(t, rng, dtype.Bool, dense, 7, 1).fill(sample(rng, dtype.Bool))
		x := newTensor(t, rng, e, dense, 7, 5).fill(sample(rng, e))
		y := newTensor(t, rng, e, dense, 1, 5).fill(sample(rng, e))
		z := newTensor(t, rng, e, padded, 7, 5)
		run(t, k, []*tensor{c, x, y, z})
		z.verify(t, e.String(), func(i []int) (float64, float64) {
			if c.get(0, i[0], 0) != 0 {
				return x.get(0, i...), 0
			}
			return y.get(0, 0, i[1]), 0
		})
	}
}

func TestBroadcastAndSplat(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	shape := []int{2, 4, 8}
	for _, e := range dtype.All() {
		for mask := range 8 { // the dimensions that are repeated
			from := slices.Clone(shape)
			for d := range from {
				if mask>>d&1 == 1 {
					from[d] = 1
				}
			}
			k := build(t, "broadcast", func(k *tile.Builder) {
				x, y, z := k.In("x", e, 3), k.Out("y", e, 3), k.Out("z", e, 3)
				y.Block(shape...).Store(x.Block(from...).Load(0, 0, 0), 0, 0, 0)
				z.Block(shape...).Store(k.Const(e, 1), 0, 0, 0)
			})
			x := newTensor(t, rng, e, spread, from...).fill(sample(rng, e))
			y, z := newTensor(t, rng, e, padded, shape...), newTensor(t, rng, e, padded, 2, 3, 5)
			run(t, k, []*tensor{x, y, z})
			y.verify(t, fmt.Sprint(e, from), func(c []int) (float64, float64) {
				at := slices.Clone(c)
				for d := range at {
					at[d] %= from[d]
				}
				return x.get(0, at...), 0
			})
			z.verify(t, "splat", func([]int) (float64, float64) { return 1, 0 })
		}
	}
}

// Reductions along each axis of a padded tile; the edge's fill takes part.
func TestReduce(t *testing.T) {
	type reduction struct {
		make func(v *tile.Value, axis int) *tile.Value
		fill float64
		fold func(acc, x float64) float64
	}
	kinds := map[tile.Kind]reduction{
		tile.OpReduceSum:  {(*tile.Value).Sum, 0, func(acc, x float64) float64 { return acc + x }},
		tile.OpReduceMax:  {(*tile.Value).Max, 0, math.Max},
		tile.OpReduceMin:  {(*tile.Value).Min, 3, math.Min},
		tile.OpReduceProd: {(*tile.Value).Prod, 1, func(acc, x float64) float64 { return acc * x }},
		tile.OpReduceAny:  {(*tile.Value).Any, 0, math.Max},
		tile.OpReduceAll:  {(*tile.Value).All, 1, math.Min},
	}
	shape, size := []int{4, 8, 16}, []int{3, 5, 11}
	rng := rand.New(rand.NewPCG(9, 10))
	for kind := tile.OpConst; kind < tile.NumKinds; kind++ {
		if kind.Fact().Class != tile.Reduction {
			continue
		}
		r, ok := kinds[kind]
		if !ok {
			t.Errorf("%v has no reference here", kind)
			continue
		}
		for _, e := range dtype.All() {
			for axis := range shape {
				outShape, outSize := slices.Clone(shape), slices.Clone(size)
				outShape[axis], outSize[axis] = 1, 1
				k, err := tile.Build("reduce", func(k *tile.Builder) {
					x, y := k.In("x", e, 3), k.Out("y", e, 3)
					y.Block(outShape...).Store(r.make(x.Block(shape...).Fill(r.fill).Load(0, 0, 0), axis), 0, 0, 0)
				})
				if err != nil {
					if (e == dtype.Bool) == (kind == tile.OpReduceAny || kind == tile.OpReduceAll) {
						t.Error(err)
					}
					continue
				}
				x := newTensor(t, rng, e, form(rng.IntN(int(numForms))), size...).fill(tame(rng, e))
				y := newTensor(t, rng, e, padded, outSize...)
				run(t, k, []*tensor{x, y})
				y.verify(t, fmt.Sprint(kind, " ", e, " axis ", axis), func(c []int) (float64, float64) {
					at := slices.Clone(c)
					acc, whole, total := x.get(r.fill, at...), int64(1), 0.0
					for i := range shape[axis] {
						at[axis] = i
						v := x.get(r.fill, at...)
						if whole *= int64(v); i > 0 {
							acc = r.fold(acc, v)
						}
						total += math.Abs(v)
					}
					if e.IsFloat() { // rounded once; the float64 sum has an error of its own
						return acc, e.Epsilon()*math.Abs(acc) + float64(shape[axis])*0x1p-52*(total+math.Abs(acc)) + leastStep(e)
					}
					if e == dtype.Bool {
						return acc, 0
					}
					if kind == tile.OpReduceProd { // beyond what float64 holds
						return wrapped(e, whole), 0
					}
					return wrapped(e, int64(acc)), 0
				})
			}
		}
	}
}

func TestLeaves(t *testing.T) {
	k := build(t, "leaves", func(k *tile.Builder) {
		ids, args, full := k.Out("ids", dtype.I32, 4), k.Out("args", dtype.F32, 1), k.Out("full", dtype.BF16, 1)
		n, u, f := k.Scalar("n", dtype.I32), k.Scalar("u", dtype.U32), k.Scalar("f", dtype.F32)
		k.Grid(3, 5, 2)
		x, y, z := k.ProgramID(0), k.ProgramID(1), k.ProgramID(2)
		code := x.Add(y.Mul(10)).Add(z.Mul(100))
		for axis := range 3 {
			code = code.Mul(10).Add(k.NumPrograms(axis))
		}
		ids.Block(1, 1, 1, 1).Store(code, x, y, z, 0)
		ids.Block(1, 1, 1, 1).Store(ids.Dim(3), x, y, z, 1)
		k.If(x.Add(y).Add(z).Eq(0), func() { // one program, or they would race
			for i, v := range []*tile.Value{n.Cast(dtype.F32), u.Cast(dtype.F32), f} {
				args.Block(1).Store(v, i)
			}
			full.Block(8).Store(k.Full(dtype.BF16, 1.01, 8), 0)
		})
	})
	rng := rand.New(rand.NewPCG(1, 1))
	ids := newTensor(t, rng, dtype.I32, padded, 3, 5, 2, 2)
	args, full := newTensor(t, rng, dtype.F32, padded, 3), newTensor(t, rng, dtype.BF16, padded, 5)
	minus := int32(-7)
	run(t, k, []*tensor{ids, args, full}, uint32(minus), 1<<31, math.Float32bits(0.1))
	ids.verify(t, "ids", func(c []int) (float64, float64) {
		if c[3] == 1 {
			return 2, 0
		}
		return float64((c[0]+10*c[1]+100*c[2])*1000 + 352), 0
	})
	args.verify(t, "args", func(c []int) (float64, float64) { return []float64{-7, 1 << 31, float64(float32(0.1))}[c[0]], 0 })
	full.verify(t, "full", func([]int) (float64, float64) { return 1.0078125, 0 })
}

// Blocks at any coordinate, within, across and beyond the edges, in 1 to 5
// dimensions: what is outside loads as the fill and is not stored.
func TestLoadStore(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, e := range dtype.All() {
		for range 60 {
			rank := 1 + rng.IntN(5)
			shape, size := make([]int, rank), make([]int, rank)
			for d := range shape {
				shape[d], size[d] = 1<<rng.IntN(4), 1+rng.IntN(11)
			}
			fill := tame(rng, e)()
			k := build(t, "copy", func(k *tile.Builder) {
				x, y, z := k.In("x", e, rank), k.Out("y", e, rank), k.Out("z", e, rank)
				var at, zero []tile.Operand
				for d := range rank {
					at = append(at, k.Scalar(fmt.Sprint("c", d), dtype.I32))
					zero = append(zero, 0)
				}
				v := x.Block(shape...).Fill(fill).Load(at...)
				y.Block(shape...).Store(v, zero...) // the whole tile
				z.Block(shape...).Store(v, at...)   // what is inside
			})
			start, scalars := make([]int, rank), make([]uint32, rank)
			for d := range start {
				c := int32(rng.IntN(size[d]/shape[d]+3) - 1)
				if rng.IntN(20) == 0 {
					c = []int32{math.MaxInt32, math.MinInt32}[rng.IntN(2)] // c * size overflows 32 bits
				}
				start[d], scalars[d] = int(c)*shape[d], uint32(c)
			}
			x := newTensor(t, rng, e, form(rng.IntN(int(numForms))), size...).fill(sample(rng, e))
			y := newTensor(t, rng, e, form(rng.IntN(int(repeated))), shape...)
			z := newTensor(t, rng, e, form(rng.IntN(int(repeated))), size...)
			before := z.fill(func() float64 { return 1 }).clone()
			run(t, k, []*tensor{x, y, z}, scalars...)
			y.verify(t, fmt.Sprint(e, " loaded"), func(c []int) (float64, float64) {
				at := slices.Clone(c)
				for d := range at {
					at[d] += start[d]
				}
				return x.get(fill, at...), 0
			})
			z.verify(t, fmt.Sprint(e, " stored"), func(c []int) (float64, float64) {
				for d := range c {
					if c[d] < start[d] || c[d] >= start[d]+shape[d] {
						return before.get(0, c...), 0
					}
				}
				return x.get(0, c...), 0
			})
		}
	}
}

func (x *tensor) clone() *tensor {
	y := *x
	y.data = slices.Clone(x.data)
	return &y
}

// Dot for all float types and block shapes; operands through transposed and strided views.
func TestDot(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, e := range []dtype.Type{dtype.F32, dtype.F16, dtype.BF16, dtype.F64} {
		precisions, sums := []tile.Precision{tile.Float32Accumulate}, e.Accumulator()
		switch e {
		case dtype.F32:
			precisions = []tile.Precision{tile.IEEE, tile.TF32, tile.TF32x3}
		case dtype.F64:
			precisions = []tile.Precision{tile.IEEE}
		}
		for _, precision := range precisions {
			for range 40 {
				m, n, kk := 1<<rng.IntN(6), 1<<rng.IntN(7), 1<<rng.IntN(7)
				k := build(t, "dot", func(k *tile.Builder) {
					a, b, c, d := k.In("a", e, 2), k.In("b", e, 2), k.In("c", sums, 2), k.Out("d", sums, 2)
					acc := c.Block(m, n).Load(0, 0)
					r := tile.Dot(a.Block(m, kk).Load(0, 0), b.Block(kk, n).Load(0, 0), acc, precision)
					d.Block(m, n).Store(r.Add(acc).Sub(acc.Mul(2)), 0, 0) // acc stays what it was
				})
				rows, columns, depth := 1+rng.IntN(m), 1+rng.IntN(n), 1+rng.IntN(kk)
				a := newTensor(t, rng, e, form(rng.IntN(int(numForms))), rows, depth).fill(tame(rng, e))
				b := newTensor(t, rng, e, form(rng.IntN(int(numForms))), depth, columns).fill(tame(rng, e))
				c := newTensor(t, rng, sums, dense, rows, columns).fill(tame(rng, sums))
				d := newTensor(t, rng, sums, padded, rows, columns)
				run(t, k, []*tensor{a, b, c, d})
				d.verify(t, fmt.Sprintf("%v %d×%d×%d", e, m, n, kk), func(at []int) (float64, float64) {
					acc := c.get(0, at...)
					sum, size := 0.0, 4*math.Abs(acc)
					for l := range depth {
						x := a.get(0, at[0], l) * b.get(0, l, at[1])
						sum, size = sum+x, size+math.Abs(x)
					}
					return sum, float64(kk+4) * sums.Epsilon() * size
				})
			}
		}
	}
}

// Every kind compiles; the tests above say that it computes the right thing.
func TestEveryKindIsKnown(t *testing.T) {
	k := build(t, "all", func(k *tile.Builder) {
		x, b := k.InOut("x", dtype.F32, 2), k.InOut("b", dtype.Bool, 2)
		n := k.Scalar("n", dtype.I32)
		k.Grid(1)
		k.Require(x.Dim(0).Ge(0))
		v := x.Block(4, 4).Load(k.ProgramID(0), k.NumPrograms(0))
		whole := v.Cast(dtype.I32)
		acc := k.Var(v)
		for range k.Range(x.Dim(0)) {
			acc.Set(tile.Dot(v, v.Sum(0).Add(v.Max(1)).Add(v.Min(1)).Add(v.Prod(1)), acc.Get(), tile.IEEE))
		}
		acc.Set(k.Where(acc.Get().Gt(n.Cast(dtype.F32)), acc.Get(), 0))
		keep := func(v *tile.Value) {
			if v.Type().Elem == dtype.Bool {
				b.Block(4, 4).Store(v, 0, 0)
			} else {
				x.Block(4, 4).Store(v.Cast(dtype.F32), 0, 0)
			}
		}
		keep(v.Bitcast(dtype.I32))
		keep(v.Gt(0).Any(0).And(v.Gt(0).All(1)))
		keep(v.CumSum(0).Add(v.ArgMax(1).Cast(dtype.F32)))
		first, _ := v.Join(v.Reshape(2, 8).Reshape(4, 4).Transpose()).Split()
		keep(v.Reorder(k.Iota(0, 4, 4).Mul(4).Add(k.Iota(1, 4, 4)).Xor(5)))
		keep(v.Cast(dtype.I32).Histogram(16, v).Reshape(4, 4).Take(v.Cast(dtype.I32).Rank(8, 4)))
		keep(first.Add(k.Iota(1, 4, 4).Cast(dtype.F32)))
		for kind, op := range builders {
			args := []*tile.Value{acc.Get(), acc.Get(), acc.Get()}
			switch kind {
			case tile.OpRem, tile.OpNot, tile.OpAnd, tile.OpOr, tile.OpXor, tile.OpShl, tile.OpShr:
				args = []*tile.Value{whole, whole}
			case tile.OpMulHi:
				args = []*tile.Value{whole.Bitcast(dtype.U32), whole.Bitcast(dtype.U32)}
			}
			keep(op(args))
		}
		i := k.Iota(0, 4, 1)
		x.At(i, i).AtomicAdd(1)
		x.At(i, i.At(2, n)).AtomicAdd(1)
		k.Exit(n.Gt(5))
		count := k.Var(n)
		k.Assert(n.Lt(100), "n", n)
		k.Print("n", n, n.Gt(3))
		k.Break()
		k.Assume(n.MultipleOf(4).Ge(0))
		k.Arange(8).Contiguous(8)
		for range k.While(func() *tile.Value { return count.Get().Gt(0) }) {
			k.If(count.Get().Eq(3), func() { count.Set(k.Int(1)) })
			count.Set(count.Get().Sub(1))
		}
		x.At(i, 2).Scatter(x.At(0, i).Gather())
	})
	if err := (&Program{Kernel: k, Buffers: []int{0, 0}}).Compile(); err != nil {
		t.Error(err)
	}
	found := map[tile.Kind]bool{}
	var walk func(r *tile.Region)
	walk = func(r *tile.Region) {
		for _, op := range r.Ops {
			found[op.Kind] = true
			if op.Body != nil {
				walk(op.Body)
			}
		}
	}
	walk(k.Body)
	walk(clusterSums(t, 2).Body)
	for kind := tile.Invalid + 1; kind < tile.NumKinds; kind++ {
		if !found[kind] {
			t.Errorf("no test covers %v", kind)
		}
	}
}
