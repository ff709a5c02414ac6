package interp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// along lists the elements of x along an axis at the other coordinates of c.
func along(x *tensor, c []int, axis int) []float64 {
	at := slices.Clone(c)
	list := make([]float64, x.layout.Size(axis))
	for i := range list {
		at[axis] = i
		list[i] = x.get(0, at...)
	}
	return list
}

// The index of the first of the largest and smallest elements, NaN, infinities and zeros
// of both signs included.
func TestArg(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	shape := []int{4, 8, 16}
	for _, e := range dtype.All()[1:] {
		for axis := range shape {
			for round := range 4 {
				small := slices.Clone(shape)
				small[axis] = 1
				k := build(t, "arg", func(k *tile.Builder) {
					x, top, bottom := k.In("x", e, 3), k.Out("top", dtype.I32, 3), k.Out("bottom", dtype.I32, 3)
					v := x.Block(shape...).Load(0, 0, 0)
					top.Block(small...).Store(v.ArgMax(axis), 0, 0, 0)
					bottom.Block(small...).Store(v.ArgMin(axis), 0, 0, 0)
				})
				value := sample(rng, e)
				if round > 1 { // many equal elements, zeros of both signs
					value = func() float64 {
						v := float64(rng.IntN(3))
						if e.IsFloat() && rng.IntN(2) == 0 {
							v = -v
						}
						return v
					}
				}
				x := newTensor(t, rng, e, form(rng.IntN(int(numForms))), shape...).fill(value)
				top, bottom := newTensor(t, rng, dtype.I32, padded, small...), newTensor(t, rng, dtype.I32, padded, small...)
				run(t, k, []*tensor{x, top, bottom})
				check := func(y *tensor, what string, before func(x, y float64) bool) {
					y.verify(t, fmt.Sprint(what, " ", e, " axis ", axis), func(c []int) (float64, float64) {
						best, list := 0, along(x, c, axis)
						for i, v := range list {
							if list[best] == list[best] && (v != v || before(v, list[best])) {
								best = i
							}
						}
						return float64(best), 0
					})
				}
				check(top, "argmax", func(x, y float64) bool { return x > y })
				check(bottom, "argmin", func(x, y float64) bool { return x < y })
			}
		}
	}
}

// Scans along each axis, from both ends, inclusive and exclusive.
func TestCumulative(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	shape := []int{4, 8, 16}
	ops := []func(v *tile.Value, axis int, o ...tile.ScanOption) *tile.Value{
		(*tile.Value).CumSum, (*tile.Value).CumProd, (*tile.Value).CumMax, (*tile.Value).CumMin,
	}
	options := [][]tile.ScanOption{nil, {tile.Exclusive}, {tile.Reverse}, {tile.Reverse, tile.Exclusive}}
	for _, e := range dtype.All()[1:] {
		for axis := range shape {
			k := build(t, "scan", func(k *tile.Builder) {
				x := k.In("x", e, 3)
				v := x.Block(shape...).Load(0, 0, 0)
				for i, op := range ops {
					for j, o := range options {
						k.Out(string(rune('a'+len(options)*i+j)), e, 3).Block(shape...).Store(op(v, axis, o...), 0, 0, 0)
					}
				}
			})
			x := newTensor(t, rng, e, form(rng.IntN(int(numForms))), shape...).fill(tame(rng, e))
			tensors := []*tensor{x}
			for range len(ops) * len(options) {
				tensors = append(tensors, newTensor(t, rng, e, padded, shape...))
			}
			run(t, k, tensors)
			for i, y := range tensors[1:] {
				op, o := i/len(options), options[i%len(options)]
				y.verify(t, fmt.Sprint("scan ", op, o, " of ", e, " axis ", axis), func(c []int) (float64, float64) {
					list, at := along(x, c, axis), c[axis]
					if slices.Contains(o, tile.Reverse) {
						slices.Reverse(list)
						at = shape[axis] - 1 - at
					}
					if !slices.Contains(o, tile.Exclusive) {
						at++
					}
					return foldRef(e, op, list[:at])
				})
			}
		}
	}
}

// foldRef is a sum (0), product (1), maximum (2) or minimum (3) of some elements and a bound on its error.
func foldRef(e dtype.Type, op int, list []float64) (value, bound float64) {
	if e.IsInt() {
		return foldInts(e, op, list), 0
	}
	acc, size := []float64{0, 1, math.Inf(-1), math.Inf(1)}[op], 0.0
	for _, v := range list {
		switch op {
		case 0:
			acc += v
		case 1:
			acc *= v
		case 2:
			acc = max(acc, v)
		case 3:
			acc = min(acc, v)
		}
		size += math.Abs(v)
	}
	if op >= 2 {
		return acc, 0
	}
	if op == 1 {
		size = math.Abs(acc)
	}
	return acc, leastStep(e) + e.Epsilon()*math.Abs(acc) + float64(len(list))*0x1p-23*size
}

// foldInts is foldRef for integers, which wrap.
func foldInts(e dtype.Type, op int, list []float64) float64 {
	if len(list) == 0 {
		least, bits := 0.0, 8*e.Size()
		if e.IsSigned() {
			bits--
			least = -math.Ldexp(1, bits)
		}
		return []float64{0, 1, least, math.Ldexp(1, bits) - 1}[op]
	}
	acc := int64(list[0])
	for _, v := range list[1:] {
		switch op {
		case 0:
			acc += int64(v)
		case 1:
			acc *= int64(v)
		case 2:
			acc = max(acc, int64(v))
		case 3:
			acc = min(acc, int64(v))
		}
	}
	return wrapped(e, acc)
}

// leastStep is the distance of subnormal numbers.
func leastStep(e dtype.Type) float64 {
	return map[dtype.Type]float64{dtype.F32: 0x1p-149, dtype.F16: 0x1p-24, dtype.BF16: 0x1p-133}[e]
}

// A combine of two values that is not commutative, with a scalar from outside: the
// affine maps x ↦ a·x + b, applied one after the other, modulo 2^32.
func TestScanOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	for axis := range 2 {
		k := build(t, "affine", func(k *tile.Builder) {
			x, y, z := k.In("x", dtype.U32, 2), k.Out("y", dtype.U32, 2), k.Out("z", dtype.U32, 2)
			one := k.Scalar("one", dtype.U32)
			v := x.Block(8, 16).Load(0, 0)
			after := func(x, y []*tile.Value) []*tile.Value {
				return []*tile.Value{x[0].Mul(y[0]).Mul(one), y[0].Mul(x[1]).Add(y[1])}
			}
			y.Block(8, 16).Store(tile.Scan([]*tile.Value{v, v.Xor(99)}, axis, after)[1], 0, 0)
			z.Block(8, 16).Store(tile.ScanExclusive([]*tile.Value{v, v.Xor(99)}, []tile.Operand{1, one}, axis, after)[1], 0, 0)
		})
		x := newTensor(t, rng, dtype.U32, padded, 8, 16).fill(func() float64 { return float64(rng.Uint32()) })
		y, z := newTensor(t, rng, dtype.U32, padded, 8, 16), newTensor(t, rng, dtype.U32, padded, 8, 16)
		run(t, k, []*tensor{x, y, z}, 1)
		want := func(n int) func(c []int) (float64, float64) {
			return func(c []int) (float64, float64) {
				list := along(x, c, axis)[:c[axis]+n]
				if len(list) == 0 {
					return 1, 0
				}
				b := uint32(list[0]) ^ 99
				for _, v := range list[1:] {
					b = uint32(v)*b + (uint32(v) ^ 99)
				}
				return float64(b), 0
			}
		}
		y.verify(t, "inclusive", want(1))
		z.verify(t, "exclusive", want(0))
	}
}

// A combine that trades places, uses its operands twice and ignores one, in Go: it depends on the order, which machine code does not keep.
func TestReduceTrades(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	k := build(t, "trades", func(k *tile.Builder) {
		x, y := k.In("x", dtype.I32, 2), k.Out("y", dtype.I32, 2)
		v := x.Block(4, 8).Load(0, 0)
		r := tile.Reduce([]*tile.Value{v, v.Neg(), v.Mul(3)}, 1, func(x, y []*tile.Value) []*tile.Value {
			return []*tile.Value{x[1], y[0], x[1]}
		})
		for i := range r {
			y.Block(4, 1).Store(r[i], 0, i)
		}
	})
	x, y := newTensor(t, rng, dtype.I32, dense, 4, 8).fill(tame(rng, dtype.I32)), newTensor(t, rng, dtype.I32, dense, 4, 3)
	p := &Program{Kernel: k, Buffers: []int{0, 1}}
	grid, words := launchOf(t, p, []layout.Layout{x.layout, y.layout})
	if err := p.Run(grid, [][]byte{x.data, y.data}, words); err != nil {
		t.Fatal(err)
	}
	y.verify(t, "trades", func(c []int) (float64, float64) {
		var a [3]int32
		for i, f := range along(x, []int{c[0], 0}, 1) {
			v := [3]int32{int32(f), -int32(f), 3 * int32(f)}
			if i == 0 {
				a = v
				continue
			}
			a = [3]int32{a[1], v[0], a[1]}
		}
		return float64(a[c[1]]), 0
	})
}

// Reductions by functions of two values, one of which decides, and of a scalar from outside, along each axis of tiles of all shapes: the element with the
// least distance to the scalar, and of those at one distance the greatest number.
func TestReduceBy(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 50))
	for _, e := range []dtype.Type{dtype.F32, dtype.F16, dtype.I32, dtype.U8} {
		for round := range 40 {
			shape := []int{1 << rng.IntN(4), 1 << rng.IntN(7), 1 << rng.IntN(5)}
			axis := round % 3
			small := slices.Clone(shape)
			small[axis] = 1
			k := build(t, "nearest", func(k *tile.Builder) {
				x, y, z := k.In("x", e, 3), k.Out("y", e, 3), k.Out("z", dtype.I32, 3)
				to := k.Scalar("to", dtype.I32)
				v := x.Block(shape...).Fill(3).Load(0, 0, 0)
				r := tile.Reduce([]*tile.Value{v, v.Cast(dtype.I32)}, axis, func(x, y []*tile.Value) []*tile.Value {
					a, b := x[1].Sub(to).Abs(), y[1].Sub(to).Abs()
					second := b.Lt(a).Or(b.Eq(a).And(y[1].Gt(x[1])))
					return []*tile.Value{k.Where(second, y[0], x[0]), k.Where(second, y[1], x[1])}
				})
				y.Block(small...).Store(r[0], 0, 0, 0)
				z.Block(small...).Store(r[1], 0, 0, 0)
			})
			size := slices.Clone(shape)
			for d := range size {
				size[d] -= rng.IntN((size[d] + 1) / 2)
			}
			x := newTensor(t, rng, e, form(rng.IntN(int(numForms))), size...).fill(func() float64 { return float64(rng.IntN(100)) })
			size[axis] = 1
			y, z := newTensor(t, rng, e, padded, size...), newTensor(t, rng, dtype.I32, padded, size...)
			run(t, k, []*tensor{x, y, z}, 50)
			want := func(c []int) (float64, float64) {
				list := along(x, c, axis)
				for len(list) < shape[axis] {
					list = append(list, 3)
				}
				best := list[0]
				for _, v := range list {
					if a, b := math.Abs(best-50), math.Abs(v-50); b < a || b == a && v > best {
						best = v
					}
				}
				return best, 0
			}
			y.verify(t, fmt.Sprint(e, shape, axis), want)
			z.verify(t, fmt.Sprint(e, shape, axis), want)
		}
	}
}

// Scans of tiles of all shapes by a combine of two values that is not commutative, with a scalar from outside, from both ends, inclusive and exclusive: as
// TestScanOrder, and Go's steps say what is right.
func TestScansOfAllShapes(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(51, seed))
		shape := []int{1 << rng.IntN(3), 1 << rng.IntN(6), 1 << rng.IntN(6)}
		axis := rng.IntN(3)
		var options []tile.ScanOption
		if rng.IntN(2) == 0 {
			options = append(options, tile.Reverse)
		}
		k := build(t, "affine", func(k *tile.Builder) {
			x, y, z, b := k.In("x", dtype.U32, 3), k.Out("y", dtype.U32, 3), k.Out("z", dtype.U32, 3), k.Out("b", dtype.Bool, 3)
			one := k.Scalar("one", dtype.U32)
			v := x.Block(shape...).Load(0, 0, 0)
			after := func(x, y []*tile.Value) []*tile.Value {
				return []*tile.Value{x[0].Mul(y[0]).Mul(one), y[0].Mul(x[1]).Add(y[1]), x[2].Xor(y[2])}
			}
			list := []*tile.Value{v, v.Xor(99), v.And(1).Eq(1)}
			y.Block(shape...).Store(tile.Scan(list, axis, after, options...)[1], 0, 0, 0)
			r := tile.ScanExclusive(list, []tile.Operand{1, one, true}, axis, after, options...)
			z.Block(shape...).Store(r[1], 0, 0, 0)
			b.Block(shape...).Store(r[2], 0, 0, 0)
		})
		x := newTensor(t, rng, dtype.U32, dense, shape...).fill(func() float64 { return float64(rng.Uint32()) })
		y, z, b := newTensor(t, rng, dtype.U32, dense, shape...), newTensor(t, rng, dtype.U32, dense, shape...), newTensor(t, rng, dtype.Bool, dense, shape...)
		run(t, k, []*tensor{x, y, z, b}, 1)
	}
}

// Scans and reductions by functions of lanes are machine code, where there is any.
func TestCombinesInMachineCode(t *testing.T) {
	if Instructions() == "Go" {
		t.Skip("there is no machine code for the processor, or it was not asked for")
	}
	k := build(t, "combines", func(k *tile.Builder) {
		x, y, z := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2), k.Out("z", dtype.F32, 2)
		v := x.Block(8, 64).Load(0, 0)
		larger := func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{x[0].Maximum(y[0])} }
		y.Block(8, 64).Store(tile.Scan([]*tile.Value{v}, 1, larger)[0], 0, 0)
		z.Block(8, 1).Store(tile.Reduce([]*tile.Value{v}, 1, larger)[0], 0, 0)
	})
	notes := (&Program{Kernel: k, Buffers: []int{0, 1, 2}, Options: Options{Native: true}}).Notes()
	for _, kind := range []tile.Kind{tile.OpScan, tile.OpReduce} {
		if !slices.ContainsFunc(notes, func(note string) bool {
			return strings.Contains(note, ": "+kind.String()+" of ") && strings.Contains(note, "in pairs")
		}) {
			t.Errorf("%v is not in machine code:\n%s", kind, strings.Join(notes, "\n"))
		}
	}
}
