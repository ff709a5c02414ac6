package interp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// rearranger describes random kernels whose ops reshape, permute, broadcast, join and split tiles of small integers between ops on elements.
type rearranger struct {
	*rand.Rand
	k       *tile.Builder
	tensors []*tensor
	t       *testing.T
	elems   []dtype.Type
}

// view is a new view for tiles of a shape, some of which are partly outside of it.
func (r *rearranger) view(in bool, elem dtype.Type, shape []int) *tile.View {
	size := slices.Clone(shape)
	for d := range size {
		if r.IntN(4) == 0 {
			size[d] = max(1, size[d]-r.IntN(size[d]))
		}
	}
	f := form(r.IntN(int(numForms)))
	name := string(rune('a' + len(r.tensors)))
	if in {
		r.tensors = append(r.tensors, newTensor(r.t, r.Rand, elem, f, size...).fill(func() float64 { return float64(r.IntN(16)) }))
		return r.k.In(name, elem, len(shape))
	}
	if f == repeated {
		f = dense
	}
	r.tensors = append(r.tensors, newTensor(r.t, r.Rand, elem, f, size...))
	return r.k.Out(name, elem, len(shape))
}

func (r *rearranger) load(shape []int) *tile.Value {
	v := r.view(true, r.elems[r.IntN(len(r.elems))], shape).Block(shape...).Load(zeros(len(shape))...).Cast(dtype.I32)
	if r.IntN(3) == 0 {
		return v.Mul(3)
	}
	return v
}

func zeros(n int) []tile.Operand {
	list := make([]tile.Operand, n)
	for i := range list {
		list[i] = 0
	}
	return list
}

// shape is a random shape of so many elements.
func (r *rearranger) shape(n int) []int {
	shape := slices.Repeat([]int{1}, 1+r.IntN(4))
	for ; n > 1; n /= 2 {
		shape[r.IntN(len(shape))] *= 2
	}
	return shape
}

// step makes another value.
func (r *rearranger) step(v *tile.Value) *tile.Value {
	shape := v.Type().Shape
	switch n := v.Type().Len(); r.IntN(9) {
	case 0:
		return v.Reshape(r.shape(n)...)
	case 1:
		return v.Permute(r.Perm(len(shape))...)
	case 2:
		to := slices.Clone(shape)
		for d, m := range to {
			if m == 1 && n < 1<<11 {
				to[d] = 1 << r.IntN(4)
				n *= to[d]
			}
		}
		return v.Broadcast(to...)
	case 3:
		if n < 1<<11 && len(shape) < 5 {
			return v.Join(v.Xor(5))
		}
	case 4:
		if shape[len(shape)-1] == 2 && len(shape) > 1 {
			x, y := v.Split()
			return x.Add(y.Mul(2))
		}
	case 5:
		d := r.IntN(len(shape))
		return v.Add(r.k.Iota(d, shape...))
	case 6: // of a part of the dimensions, broadcast
		part := slices.Clone(shape)
		for d := range part {
			if r.IntN(2) == 0 {
				part[d] = 1
			}
		}
		return v.Sub(r.load(part))
	case 7:
		return v.Maximum(r.load(shape))
	}
	return v.Mul(3).Add(1)
}

// TestRearranged: machine code of groups that rearrange elements does what the ops do in Go.
func TestRearranged(t *testing.T) {
	loops := 0
	for seed := range uint64(400) {
		r := &rearranger{Rand: rand.New(rand.NewPCG(seed, 8)), t: t, elems: []dtype.Type{dtype.U8, dtype.I8, dtype.U16, dtype.I16, dtype.F16, dtype.BF16, dtype.F32, dtype.I32}}
		k := build(t, "rearranged", func(k *tile.Builder) {
			k.Grid(1)
			r.k = k
			v := r.load(r.shape(1 << (4 + r.IntN(7))))
			for range 2 + r.IntN(8) {
				v = r.step(v)
				if r.IntN(5) == 0 {
					r.store(v)
				}
			}
			r.store(v)
		})
		run(t, k, r.tensors)
		for _, g := range loopsOf(k) {
			if g.mixed != nil {
				loops++
			}
		}
	}
	if t.Logf("%d loops", loops); loops < 100 {
		t.Errorf("%d loops, want at least 100", loops)
	}
}

func (r *rearranger) store(v *tile.Value) {
	shape := v.Type().Shape
	elem := []dtype.Type{dtype.U8, dtype.I32, dtype.F32}[r.IntN(3)]
	if v = v.And(127); elem != dtype.I32 {
		v = v.Cast(elem)
	}
	r.view(false, elem, shape).Block(shape...).Store(v, zeros(len(shape))...)
}

// TestNibblesLoop: unpacking and packing of integers of 4 bits is a loop or two, along either dimension.
func TestNibblesLoop(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for axis := range 2 {
		for _, elem := range []dtype.Type{dtype.I8, dtype.U8} {
			shape := []int{32, 64}
			packed := slices.Clone(shape)
			packed[axis] /= 2
			unpack := build(t, "unpack", func(k *tile.Builder) {
				k.Grid(1)
				x, y := k.In("x", dtype.U8, 2), k.Out("y", dtype.F32, 2)
				y.Block(shape...).Store(x.Block(packed...).Load(0, 0).Unpack4(axis, elem).Cast(dtype.F32).Mul(2), 0, 0)
			})
			pack := build(t, "pack", func(k *tile.Builder) {
				k.Grid(1)
				x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.U8, 2)
				y.Block(packed...).Store(x.Block(shape...).Load(0, 0).Round().Cast(elem).Pack4(axis, dtype.U8), 0, 0)
			})
			for f := dense; f < numForms; f++ {
				in := newTensor(t, rng, dtype.U8, f, packed...).fill(func() float64 { return float64(rng.IntN(256)) })
				run(t, unpack, []*tensor{in, newTensor(t, rng, dtype.F32, f%repeated, shape...)})
				in = newTensor(t, rng, dtype.F32, f, shape...).fill(func() float64 { return float64(rng.IntN(16) - 8) })
				run(t, pack, []*tensor{in, newTensor(t, rng, dtype.U8, f%repeated, packed...)})
			}
			for _, k := range []*tile.Func{unpack, pack} {
				most := 1
				if k == pack && axis == 0 {
					most = 2 // what is packed is in different rows
				}
				if n := len(loopsOf(k)); n > most {
					t.Errorf("%s along %d: %d loops, want at most %d\n%v", k.Name, axis, n, most, k)
				}
			}
		}
	}
}

// loopsOf are the groups of a kernel without control.
func loopsOf(k *tile.Func) map[*tile.Op]*group {
	l := lifeOf(k, inMachineCode)
	return l.order(k.Body).first
}
