package assign

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawProblem is a problem of some variables, in which each pair of variables has costs with a
// probability of density in 8.
func drawProblem(t *rapid.T, variables, states, density int) *problem {
	p := &problem{}
	costs := func(n int) []int { return rapid.SliceOfN(rapid.IntRange(0, 9), n, n).Draw(t, "costs") }
	for range variables {
		p.variable(costs(rapid.IntRange(1, states).Draw(t, "states")))
	}
	for a := range variables {
		for b := range a {
			if rapid.IntRange(0, 7).Draw(t, "pair") < density {
				table := costs(p.states[a] * p.states[b])
				p.pair(a, b, func(i, j int) int { return table[i*p.states[b]+j] })
			}
		}
	}
	return p
}

// TestSolveFindsTheLeast tries all states of small problems.
func TestSolveFindsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, rapid.IntRange(0, 6).Draw(t, "variables"), 3, rapid.IntRange(0, 8).Draw(t, "density"))
		got := p.total(p.solve(noMoves))
		now := make([]int, len(p.states))
		least := p.total(now)
		for v := 0; v < len(now); {
			if now[v]++; now[v] == p.states[v] {
				now[v] = 0
				v++
				continue
			}
			least, v = min(least, p.total(now)), 0
		}
		if got != least {
			t.Fatalf("found %d, the least is %d", got, least)
		}
	})
}

func noMoves() []move { return nil }

// TestSolveWithoutRoomForTables: where all hangs together and no table has room, no change of a
// single variable is better, nor one of several that are moved together.
func TestSolveWithoutRoomForTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 12, 6, 8)
		together := move{}
		for v := range rapid.IntRange(2, 12).Draw(t, "together") {
			together[v] = rapid.IntRange(0, p.states[v]-1).Draw(t, "state")
		}
		got := p.solve(func() []move { return []move{together} })
		least := p.total(got)
		moved := slices.Clone(got)
		for v, s := range together {
			moved[v] = s
		}
		if other := p.total(moved); other < least {
			t.Fatalf("%d together cost %d, without them %d", len(together), other, least)
		}
		for v := range got {
			was := got[v]
			for got[v] = range p.states[v] {
				if other := p.total(got); other < least {
					t.Fatalf("variable %d in state %d costs %d, in %d %d", v, was, least, got[v], other)
				}
			}
			got[v] = was
		}
	})
}
