package interp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// TestNestsKeepOrder runs kernels that load and store parts of one buffer which overlap, in a single program: what machine code leaves there is what the
// ops do one after the other.
func TestNestsKeepOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for _, elem := range []dtype.Type{dtype.F32, dtype.F16, dtype.U8} {
		for _, copies := range []bool{false, true} {
			for shift := -3; shift <= 3; shift++ {
				k := build(t, "overlap", func(k *tile.Builder) {
					x, y := k.In("x", elem, 1), k.Out("y", elem, 1)
					k.Grid(1)
					v := x.Block(64).Load(0)
					if !copies {
						v = v.Add(v)
					}
					y.Block(64).Store(v, 0)
					y.Block(64).Store(v, 1)
				})
				memory := make([]byte, 300*elem.Size())
				for i := range 300 {
					dtype.PutFloats(elem, memory[i*elem.Size():], []float64{float64(rng.IntN(100))})
				}
				var layouts []layout.Layout
				for _, at := range []int{8, 8 + shift} {
					l, err := layout.Strided([]int{100}, []int{1}, at)
					if err != nil {
						t.Fatal(err)
					}
					layouts = append(layouts, l)
				}
				var got [2][]byte
				for i, native := range []bool{false, true} {
					p := &Program{Kernel: k, Buffers: []int{0, 0}, Options: Options{Native: native}}
					grid, words := launchOf(t, p, layouts)
					got[i] = append([]byte{}, memory...)
					if err := p.Run(grid, [][]byte{got[i]}, words); err != nil {
						t.Fatal(err)
					}
				}
				nearly(t, elem, got[1], got[0], false)
			}
		}
	}
}

// TestGroupsOfTwoShapes: what is loaded in a second shape, before the first one's group stores to the same memory, is what was there before; and a loop of
// one shape takes what is made in the other between its ops.
func TestGroupsOfTwoShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 8 {
		k := build(t, "shapes", func(k *tile.Builder) {
			x, y := k.InOut("x", dtype.F32, 1), k.Out("y", dtype.F32, 2)
			k.Grid(1)
			v := x.Block(64).Load(0).Mul(2)
			u := x.Block(32).Load(0).Add(1)
			if round&1 == 0 {
				x.Block(64).Store(v, 0)
			}
			w := x.Block(16).Load(1).Sub(3)
			if round&2 == 0 {
				x.Block(32).Store(u.Exp(), 1)
			}
			rows := v.Reshape(2, 32).Add(u.Reshape(1, 32))
			if round&4 == 0 {
				rows = rows.Add(w.Reshape(16, 1).Sum(0))
			}
			y.Block(2, 32).Store(rows.Mul(rows), 0, 0)
		})
		x := newTensor(t, rng, dtype.F32, dense, 64).fill(func() float64 { return float64(rng.IntN(9)) })
		y := newTensor(t, rng, dtype.F32, dense, 2, 32)
		run(t, k, []*tensor{x, y})
	}
}

// TestGroups: ops that take nothing of each other may stand between those of a group, which ends before an op that needs what it makes.
func TestGroups(t *testing.T) {
	k := build(t, "groups", func(k *tile.Builder) {
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		k.Grid(1)
		v := x.Block(4, 16).Load(0, 0)
		n := k.ProgramID(0).Add(k.NumPrograms(0)) // scalars between
		v = v.Exp().Add(n.Cast(dtype.F32))
		s := v.Sum(1)
		y.Block(4, 16).Store(v.Sub(s), 0, 0)
	})
	l := lifeOf(k, inMachineCode)
	o := l.order(k.Body)
	var sizes []int
	for _, op := range o.ops {
		if g := o.first[op]; g != nil {
			sizes = append(sizes, len(g.ops))
		}
	}
	// load, exp, splat, add, sum; then broadcast, sub, store
	if len(sizes) != 2 || sizes[0] != 5 || sizes[1] != 3 {
		t.Errorf("groups of %v ops:\n%v", sizes, k)
	}
}

// TestGroupsOfBroadcasts: a tile that is broadcast twice, first to a tile of as many elements as a loop has at least, is no register of the loop that begins with it.
func TestGroupsOfBroadcasts(t *testing.T) {
	k := build(t, "broadcasts", func(k *tile.Builder) {
		x, one, rows, y := k.In("x", dtype.F32, 2), k.In("one", dtype.F32, 2), k.In("rows", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		k.Grid(1)
		seed := one.Block(1, 1).Load(0, 0).Broadcast(16, 1)
		v := x.Block(16, 8).Load(0, 0)
		v = v.FMA(rows.Block(16, 1).Load(0, 0), v)
		y.Block(16, 8).Store(seed.Mul(v), 0, 0)
	})
	rng := rand.New(rand.NewPCG(5, 6))
	var tensors []*tensor
	for _, shape := range [][]int{{16, 8}, {1, 1}, {16, 1}} {
		tensors = append(tensors, newTensor(t, rng, dtype.F32, dense, shape...).fill(func() float64 { return float64(1 + rng.IntN(9)) }))
	}
	run(t, k, append(tensors, newTensor(t, rng, dtype.F32, dense, 16, 8)))
}

// TestGroupsOfParts: what is left of a group of a small tile, whose parts weight the rows of a larger one, precedes the group of those.
func TestGroupsOfParts(t *testing.T) {
	split := func(v *tile.Value) []*tile.Value { // along the last dimension
		list := []*tile.Value{v}
		shape := v.Type().Shape
		for n := shape[1]; n > 1; n /= 2 {
			m := len(list)
			list = append(list, list...)
			for i := range m {
				list[i], list[m+i] = list[i].Reshape(shape[0], n/2, 2).Split()
			}
		}
		return list
	}
	rng := rand.New(rand.NewPCG(3, 11))
	for round := range 32 {
		rows, columns, parts := 8<<rng.IntN(3), 8<<rng.IntN(2), 2<<rng.IntN(3)
		k := build(t, "parts", func(k *tile.Builder) {
			x, w, shown, y := k.In("x", dtype.F32, 2), k.In("w", dtype.F32, 2), k.In("shown", dtype.Bool, 2), k.Out("y", dtype.F32, 3)
			k.Grid(1)
			values := x.Block(rows, columns).Load(0, 0)
			seen := shown.Block(rows, parts).Load(0, 0)
			weights := w.Block(rows, parts).Load(0, 0).Mul(2)
			shrink := split(weights.Sub(1))
			weight := split(k.Where(seen, weights, k.Zeros(dtype.F32, rows, parts)))
			var hidden []*tile.Value
			for _, s := range split(seen) {
				hidden = append(hidden, k.Where(s.Reshape(rows, 1), values, k.Zeros(dtype.F32, rows, columns)))
			}
			for i := range parts {
				sum := k.Var(k.Zeros(dtype.F32, rows, columns))
				sum.Set(values.Mul(shrink[i].Reshape(rows, 1)))
				sum.Set(hidden[i].FMA(weight[i].Reshape(rows, 1), sum.Get()))
				y.Block(1, rows, columns).Store(sum.Get().Reshape(1, rows, columns), i, 0, 0)
			}
		})
		small := func() float64 { return float64(rng.IntN(9) - 4) }
		x, w := newTensor(t, rng, dtype.F32, form(round%2), rows, columns).fill(small), newTensor(t, rng, dtype.F32, dense, rows, parts).fill(small)
		shown := newTensor(t, rng, dtype.Bool, dense, rows, parts).fill(func() float64 { return float64(rng.IntN(2)) })
		run(t, k, []*tensor{x, w, shown, newTensor(t, rng, dtype.F32, dense, parts, rows, columns)})
	}
}

// TestGathersBeyondReach: buffers that are too large for gathers in machine code are read by other code.
func TestGathersBeyondReach(t *testing.T) {
	k := build(t, "gather", func(k *tile.Builder) {
		x, y := k.In("x", dtype.F16, 1), k.Out("y", dtype.F32, 1)
		k.Grid(1)
		i := k.Iota(0, 64)
		y.Block(64).Store(x.At(k.Where(i.Lt(50), i.Mul(3), k.Full(dtype.I32, -1, 64))).Gather().Cast(dtype.F32).Exp(), 0)
	})
	defer func(was int) { reach = was }(reach)
	for _, reach = range []int{200, 199} {
		x := newTensor(t, rand.New(rand.NewPCG(1, 2)), dtype.F16, dense, 200)
		n := 0.0
		x.fill(func() float64 { n += 1. / 64; return n })
		x.data = x.data[:400]
		p := &Program{Kernel: k, Buffers: []int{0, 1}, Options: Options{Native: true}}
		y := newTensor(t, rand.New(rand.NewPCG(1, 2)), dtype.F32, dense, 64)
		grid, words := launchOf(t, p, []layout.Layout{x.layout, y.layout})
		if err := p.Run(grid, [][]byte{x.data, y.data}, words); err != nil {
			t.Fatal(err)
		}
		if other := p.farCode != nil; other != (reach == 199) && Instructions() != "Go" {
			t.Errorf("buffers of 200 elements with a reach of %d: other code is %v", reach, other)
		}
		run(t, k, []*tensor{x, y})
		for i := range 64 {
			want := 1.0
			if i < 50 {
				want = math.Exp(x.get(0, 3*i))
			}
			if got := y.get(0, i); math.Abs(got-want) > 1e-5*want {
				t.Errorf("element %d is %v, want %v", i, got, want)
			}
		}
	}
}
