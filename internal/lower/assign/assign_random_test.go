package assign

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/cost"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/tile"
)

// bill is the cost of an assignment, counted without the solver: the work of every site, and each
// conversion of a value once.
func bill(a *Assignment) (sum int) {
	for _, s := range a.Sites {
		sum += a.work(s, s.Chosen) * s.weight
		for _, v := range s.values {
			made := a.Costs.Number(s.madeIn(a.In(s)))
			var got []int
			for _, u := range a.Uses[v] {
				_, l := Source(u.Value, u.Required(a.In(u.Site)))
				if n := a.Costs.Number(l); n != made && !slices.Contains(got, n) {
					got = append(got, n)
					sum += a.Costs.Convert(made, n, v.Type().Elem) * s.often(v)
				}
			}
		}
	}
	return sum
}

func drawAssignment(t *rapid.T, most int) (*tile.Func, *Assignment) {
	k, layouts := lowertest.RandomTiles(t, most)
	caps := lowertest.Targets[rapid.SampledFrom([]string{"shuffles", "shared memory"}).Draw(t, "target")]
	return k, New(k, axis.FactsOf(layouts, []int{0, 1, 2}), k.Schedule.Threads, caps, Fallback{})
}

// TestAssignmentCostsNoMoreThanOnePerShape compares with the rule that it replaced.
func TestAssignmentCostsNoMoreThanOnePerShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, a := drawAssignment(t, 12)
		paid := bill(a)
		onePerShape(a, k)
		if old := bill(a); paid > old {
			t.Fatalf("costs %d, one distribution for each shape %d:\n%v", paid, old, k)
		}
	})
	for _, s := range lowertest.Scenes(t) {
		for name, caps := range lowertest.Targets {
			k := s.Kernel(t)
			a := New(k, s.Facts(), s.Threads, caps, Fallback{})
			paid := bill(a)
			onePerShape(a, k)
			if old := bill(a); paid > old {
				t.Errorf("%s, %s: costs %d, one distribution for each shape %d", s.Name, name, paid, old)
			} else {
				t.Logf("%s, %s: costs %d, one distribution for each shape %d", s.Name, name, paid/cost.Unit, old/cost.Unit)
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
		paid, all := bill(a), 1
		for _, s := range a.Sites {
			if all *= len(s.Candidates); all > maxTried {
				t.Skip("too many assignments")
			}
			s.Chosen = 0
		}
		best := bill(a)
		for range all - 1 {
			for _, s := range a.Sites {
				if s.Chosen++; s.Chosen < len(s.Candidates) {
					break
				}
				s.Chosen = 0
			}
			best = min(best, bill(a))
		}
		if paid < best || float64(paid) > 1.05*float64(best) {
			t.Fatalf("costs %d, the best of %d assignments %d:\n%v", paid, all, best, k)
		}
	})
}
