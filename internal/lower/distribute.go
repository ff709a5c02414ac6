package lower

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// distributions gives every shape of tile in a kernel one distribution, so that
// element-wise ops never move data: only ops that change shapes may have to.
type distributions struct {
	threads int
	caps    target.Caps
	facts   Facts
	byShape map[string]layout.Linear
}

func shapeKey(shape []int) string { return fmt.Sprint(shape) }

// of returns the distribution of a shape, a row-major one if nothing in the kernel chose it.
func (d *distributions) of(shape []int) layout.Linear {
	key := shapeKey(shape)
	if l, ok := d.byShape[key]; ok {
		return l
	}
	l := d.blocked(shape, len(shape)-1, registerLanes)
	d.byShape[key] = l
	return l
}

// distribute chooses the distributions of a kernel, in this order: a Dot's
// accumulator gets a register tile for each thread; shapes that are loaded or stored follow
// the memory's contiguous dimension, the largest first; shapes reached from
// those by reducing or broadcasting are their projections.
func distribute(k *tile.Kernel, facts Facts, threads int, caps target.Caps) distributions {
	d := distributions{threads: threads, caps: caps, facts: facts, byShape: map[string]layout.Linear{}}
	var ops []*tile.Op
	flatten(k.Body, &ops)
	needed := neededOps(k)
	ops = slices.DeleteFunc(ops, func(op *tile.Op) bool { return !needed[op] })
	for _, op := range ops {
		if op.Kind == tile.OpDot {
			s := op.Result().Type().Shape
			d.set(s, accumulatorTile(s, threads))
		}
	}
	d.project(ops)
	for _, op := range largestFirst(memoryOps(ops)) {
		s := accessType(op).Shape
		v := d.facts.Views[op.View.Index]
		d.set(s, d.blocked(s, contiguousDim(v), maxVector(op.View.Elem, d.caps)))
		d.project(ops)
	}
	return d
}

// set keeps the first choice for a shape.
func (d *distributions) set(shape []int, l layout.Linear) {
	if key := shapeKey(shape); !d.has(shape) {
		d.byShape[key] = l
	}
}

func (d *distributions) has(shape []int) bool {
	_, ok := d.byShape[shapeKey(shape)]
	return ok
}

// project derives distributions along reductions and broadcasts, from the
// larger shape to the smaller one, until nothing changes.
func (d *distributions) project(ops []*tile.Op) {
	for changed := true; changed; {
		changed = false
		for _, op := range ops {
			var large, small []int
			switch op.Kind.Fact().Class {
			case tile.Reduction, tile.Combine:
				if op.Kind == tile.OpScan {
					continue
				}
				large, small = op.Args[0].Type().Shape, op.Result().Type().Shape
			case tile.Shape:
				changed = d.relabel(op) || changed
				if op.Kind != tile.OpBroadcast {
					continue
				}
				large, small = op.Result().Type().Shape, op.Args[0].Type().Shape
			default:
				continue
			}
			if d.has(large) && !d.has(small) {
				d.set(small, dropTo(d.of(large), small))
				changed = true
			}
		}
	}
}

// dropTo projects away the dimensions that a smaller shape has with size 1.
func dropTo(l layout.Linear, shape []int) layout.Linear {
	for dim, n := range shape {
		if n == 1 && l.Shape()[dim] != 1 {
			l = l.Drop(dim)
		}
	}
	return l
}

// blocked spreads a tile over the threads, the contiguous dimension first, with
// up to width consecutive elements of it in each thread.
func (d *distributions) blocked(shape []int, contiguous, width int) layout.Linear {
	order := []int{contiguous}
	for dim := len(shape) - 1; dim >= 0; dim-- {
		if dim != contiguous {
			order = append(order, dim)
		}
	}
	n := 1
	for _, s := range shape {
		n *= s
	}
	vec := make([]int, len(shape))
	for dim := range vec {
		vec[dim] = 1
	}
	vec[contiguous] = max(1, min(width, n/d.threads, shape[contiguous]))
	return layout.Blocked(shape, d.threads, order, vec)
}

// contiguousDim is the dimension whose elements lie side by side, the last one
// if there is none.
func contiguousDim(v ViewFacts) int {
	for dim, f := range v.Dims {
		if f.Kind == UnitStride {
			return dim
		}
	}
	return len(v.Dims) - 1
}

// accumulatorTile distributes the accumulator of a Dot: the matrices of a batch over
// groups of threads, as far as there are threads, each as registerTile does.
func accumulatorTile(shape []int, threads int) layout.Linear {
	if len(shape) == 2 {
		return registerTile(shape[0], shape[1], threads)
	}
	groups := min(shape[0], threads)
	inner := registerTile(shape[1], shape[2], threads/groups)
	ins := []layout.Input{{Name: layout.Register}, {Name: layout.Thread}}
	for i, in := range ins {
		for bit := range inner.Bits(in.Name) {
			ins[i].Bases = append(ins[i].Bases, append([]int{0}, inner.Basis(in.Name, bit)...))
		}
	}
	for batch := 1; batch < shape[0]; batch *= 2 {
		i := 0
		if batch < groups {
			i = 1
		}
		ins[i].Bases = append(ins[i].Bases, []int{batch, 0, 0})
	}
	l, err := layout.NewLinear(shape, ins)
	if err != nil {
		panic(err) // the bases lie in the tile by construction
	}
	return l
}

// registerTile distributes the [m,n] accumulator of a Dot: each thread owns a
// nearly square block of elements, in chunks of 4 along both dimensions that
// are spread over the tile, so that the threads of a subgroup read adjacent
// vectors of the operands.
func registerTile(m, n, threads int) layout.Linear {
	mBits, nBits := bits.Len(uint(m))-1, bits.Len(uint(n))-1
	tBits := bits.Len(uint(threads)) - 1
	free := max(0, tBits-mBits-nBits)
	regBits := mBits + nBits + free - tBits
	nReg := min(nBits, (regBits+1)/2)
	mReg := min(mBits, regBits-nReg)
	nReg = regBits - mReg
	mNext, nNext := 0, 0
	takeM := func() []int { mNext++; return []int{1 << (mNext - 1), 0} }
	takeN := func() []int { nNext++; return []int{0, 1 << (nNext - 1)} }
	var reg, thr [][]int
	for range min(2, nReg) {
		reg = append(reg, takeN())
	}
	for range min(2, mReg) {
		reg = append(reg, takeM())
	}
	nThr, mThr := nBits-nReg, mBits-mReg
	for i := 0; nThr+mThr > 0; i++ { // a subgroup of 32 covers 8 columns and 4 rows of chunks
		if nThr > 0 && (i < 3 || i >= 5 || mThr == 0) {
			thr = append(thr, takeN())
			nThr--
		} else {
			thr = append(thr, takeM())
			mThr--
		}
	}
	for range free {
		thr = append(thr, []int{0, 0})
	}
	for nNext < nBits {
		reg = append(reg, takeN())
	}
	for mNext < mBits {
		reg = append(reg, takeM())
	}
	l, err := layout.NewLinear([]int{m, n}, []layout.Input{{Name: layout.Register, Bases: reg}, {Name: layout.Thread, Bases: thr}})
	if err != nil {
		panic(err) // the bases are units of the tile by construction
	}
	return l
}

// operandTile distributes an operand of a Dot on its way from global to shared
// memory. It is [m,k] or [k,n] with the given dimension k; shared memory holds
// it with the other dimension contiguous. Each thread gets a block with
// vectors along memory's contiguous dimension to load and along the other dimension
// to store.
func (d *distributions) operandTile(shape []int, kDim, contiguous int) layout.Linear {
	free := 1 - kDim
	perThread := max(1, shape[0]*shape[1]/d.threads)
	vec := []int{1, 1}
	vec[free] = min(registerLanes, perThread, shape[free])
	if contiguous == kDim {
		vec[kDim] = min(registerLanes, max(1, perThread/vec[free]), shape[kDim])
		return layout.Blocked(shape, d.threads, []int{kDim, free}, vec)
	}
	return layout.Blocked(shape, d.threads, []int{free, kDim}, vec)
}

func flatten(r *tile.Region, out *[]*tile.Op) {
	for _, op := range r.Ops {
		*out = append(*out, op)
		for _, body := range op.Regions() {
			flatten(body, out)
		}
	}
}

func memoryOps(ops []*tile.Op) (out []*tile.Op) {
	for _, op := range ops {
		if op.Kind == tile.OpLoad || op.Kind == tile.OpStore {
			out = append(out, op)
		}
	}
	return out
}

// accessType is the type of the tile that a Load or Store moves.
func accessType(op *tile.Op) tile.Type {
	if op.Kind == tile.OpStore {
		return op.Args[0].Type()
	}
	return op.Result().Type()
}

func largestFirst(ops []*tile.Op) []*tile.Op {
	slices.SortStableFunc(ops, func(a, b *tile.Op) int { return accessType(b).Len() - accessType(a).Len() })
	return ops
}
