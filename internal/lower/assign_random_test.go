package lower

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// bill is the cost of an assignment, counted without the solver: the work of every site, and each
// conversion of a value once.
func bill(a *assignment) (sum int) {
	for _, s := range a.sites {
		sum += a.work(s, s.chosen) * s.weight
		for _, v := range s.values {
			made := a.costs.number(s.madeIn(a.in(s)))
			var got []int
			for _, u := range a.uses[v] {
				_, l := source(u.value, u.wanted(a.in(u.site)))
				if n := a.costs.number(l); n != made && !slices.Contains(got, n) {
					got = append(got, n)
					sum += a.costs.convert(made, n, v.Type().Elem) * s.often(v)
				}
			}
		}
	}
	return sum
}

// randomTiles is a kernel of some ops on two views, one of which may lie by columns.
func randomTiles(t *rapid.T, most int) (*tile.Func, []tensor, []int) {
	shape := []int{8 << rapid.IntRange(0, 2).Draw(t, "rows"), 8 << rapid.IntRange(0, 2).Draw(t, "columns")}
	threads := rapid.SampledFrom([]int{64, 32, 128, 256}).Draw(t, "threads")
	k, err := tile.Build("random", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads})
		x, y, z := k.In("x", dtype.I32, 2), k.In("y", dtype.I32, 2), k.Out("z", dtype.I32, 2)
		pool := []*tile.Value{x.Block(shape...).Load(0, 0), y.Block(shape...).Load(0, 0)}
		step := func(v, w *tile.Value) *tile.Value {
			own := v.Type().Shape
			switch rapid.IntRange(0, 8).Draw(t, "op") {
			case 0:
				return v.Transpose().Add(1)
			case 1:
				return v.Sub(v.Sum(rapid.IntRange(0, 1).Draw(t, "axis")))
			case 2:
				return v.Add(v.Max(rapid.IntRange(0, 1).Draw(t, "axis")))
			case 3:
				return v.CumSum(rapid.IntRange(0, 1).Draw(t, "axis"))
			case 4:
				even, odd := v.Reshape(own[0], own[1]/2, 2).Split()
				return odd.Join(even).Reshape(own...)
			case 5:
				return v.Xor(k.Iota(rapid.IntRange(0, 1).Draw(t, "axis"), own...).Mul(3))
			case 6:
				return v.Reshape(own[1], own[0]).Mul(5)
			case 7:
				carried := k.Var(v)
				for i := range k.Range(2) {
					carried.Set(carried.Get().Add(v.Transpose().Reshape(own...)).Xor(i))
				}
				return carried.Get()
			}
			if slices.Equal(own, w.Type().Shape) {
				return v.Add(w)
			}
			return v.Sub(w.Reshape(own...))
		}
		for range rapid.IntRange(1, most).Draw(t, "ops") {
			pick := func(name string) *tile.Value { return pool[rapid.IntRange(0, len(pool)-1).Draw(t, name)] }
			pool = append(pool, step(pick("v"), pick("w")))
		}
		last := pool[len(pool)-1]
		z.Block(last.Type().Shape...).Store(last, 0, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	m, n := shape[0]-1, shape[1]
	forms := []func(m, n int) layout.Layout{
		func(m, n int) layout.Layout { return mustStrided(t, []int{m, n}, []int{n, 1}) },
		func(m, n int) layout.Layout { return mustStrided(t, []int{m, n}, []int{1, m}) },
		func(m, n int) layout.Layout { return mustStrided(t, []int{m, n}, []int{2 * n, 2}) },
	}
	var args []tensor
	var sizes []int
	for i, name := range []string{"x", "y", "z"} {
		l := forms[rapid.IntRange(0, 2).Draw(t, name)](m, n)
		_, end := l.Bounds()
		args, sizes = append(args, tensor{l, i}), append(sizes, end+1)
	}
	return k, args, sizes
}

func mustStrided(t *rapid.T, shape, stride []int) layout.Layout {
	l, err := layout.Strided(shape, stride, 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func drawAssignment(t *rapid.T, most int) (*tile.Func, *assignment) {
	k, args, _ := randomTiles(t, most)
	var layouts []layout.Layout
	for _, a := range args {
		layouts = append(layouts, a.layout)
	}
	caps := targets[rapid.SampledFrom([]string{"shuffles", "shared memory"}).Draw(t, "target")]
	return k, assign(k, axis.FactsOf(layouts, []int{0, 1, 2}), k.Schedule.Threads, caps, thrift{})
}

// TestAssignmentCostsNoMoreThanOnePerShape compares with the rule that it replaced.
func TestAssignmentCostsNoMoreThanOnePerShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, a := drawAssignment(t, 12)
		cost := bill(a)
		onePerShape(a, k)
		if old := bill(a); cost > old {
			t.Fatalf("costs %d, one distribution for each shape %d:\n%v", cost, old, k)
		}
	})
	for _, s := range scenes(t) {
		for name, caps := range targets {
			k := s.kernel(t)
			a := assign(k, s.facts(), s.threads, caps, thrift{})
			cost := bill(a)
			onePerShape(a, k)
			if old := bill(a); cost > old {
				t.Errorf("%s, %s: costs %d, one distribution for each shape %d", s.name, name, cost, old)
			} else {
				t.Logf("%s, %s: costs %d, one distribution for each shape %d", s.name, name, cost/unit, old/unit)
			}
		}
	}
}

// maxTried bounds the assignments that are tried for one kernel.
const maxTried = 20000

// TestAssignmentIsNearTheOptimum tries all assignments of small kernels. The solver is exact but
// for values that are wanted in three distributions or more, of which it keeps two.
func TestAssignmentIsNearTheOptimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, a := drawAssignment(t, 4)
		cost, all := bill(a), 1
		for _, s := range a.sites {
			if all *= len(s.candidates); all > maxTried {
				t.Skip("too many assignments")
			}
			s.chosen = 0
		}
		best := bill(a)
		for range all - 1 {
			for _, s := range a.sites {
				if s.chosen++; s.chosen < len(s.candidates) {
					break
				}
				s.chosen = 0
			}
			best = min(best, bill(a))
		}
		if cost < best || float64(cost) > 1.05*float64(best) {
			t.Fatalf("costs %d, the best of %d assignments %d:\n%v", cost, all, best, k)
		}
	})
}

// TestRandomAssignments runs random kernels: every op finds its operands in the distribution
// in which it works, or lowering or the results would show it.
func TestRandomAssignments(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		k, args, sizes := randomTiles(t, 8)
		differential(outer, k, sizes, args, false, 0)
	})
}
