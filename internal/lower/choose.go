package lower

import (
	"maps"
	"slices"

	"github.com/weftgpu/weft/tile"
)

// choose gives each site the candidate with which the kernel costs the least.
//
// The problem has a variable for each site, whose states are its candidates, and one for each value
// with several uses, whose states say in which distribution it is made and in which
// one more it is kept, if any: what is converted once serves all uses.
func (a *assignment) choose() {
	var p problem
	loads := a.tensorLoads()
	mapped := slices.Collect(maps.Values(loads))
	for _, s := range a.sites {
		s.work = make([]int, len(s.candidates))
		price := make([]int, len(s.candidates))
		if len(s.candidates) > 1 && !slices.Contains(mapped, s.op) { // else there is nothing to choose, and nobody asks
			for i := range s.work {
				s.work[i] = a.work(s, i)
				price[i] = s.work[i] * s.weight
			}
		}
		s.variable = p.variable(price)
	}
	for _, s := range a.sites {
		for _, u := range s.uses {
			a.wants(u)
		}
	}
	for _, s := range a.sites {
		for _, v := range s.values {
			a.edges(&p, s, v)
		}
	}
	for _, s := range a.sites {
		a.matrixEdges(&p, s, loads)
	}
	for i, state := range p.solve()[:len(a.sites)] {
		a.sites[i].chosen = state
	}
}

// wants lists the distributions in which a use wants its source.
func (a *assignment) wants(u *demand) {
	if a.made[u.of] == nil {
		return
	}
	u.wants = make([]int, len(u.site.candidates))
	for i, n := range u.site.candidates {
		_, l := source(u.value, u.wanted(a.costs.layouts[n]))
		u.wants[i] = a.costs.number(l)
	}
}

// makes lists the distributions in which a site makes its values.
func (a *assignment) makes(s *site) []int {
	out := make([]int, len(s.candidates))
	for i, n := range s.candidates {
		out[i] = a.costs.number(s.madeIn(a.costs.layouts[n]))
	}
	return out
}

// often is how often a value is made, and its conversions run.
func (s *site) often(v *tile.Value) int {
	if v.Op() == nil {
		return s.inner
	}
	return s.weight
}

// edges adds the costs of bringing a value to its uses.
func (a *assignment) edges(p *problem, s *site, v *tile.Value) {
	made, often := a.makes(s), s.often(v)
	var uses []*demand
	for _, u := range a.uses[v] {
		same := slices.ContainsFunc(uses, func(w *demand) bool { return w.site == u.site && slices.Equal(w.wants, u.wants) })
		if !same && !(constant(made) && constant(u.wants) && made[0] == u.wants[0]) {
			uses = append(uses, u)
		}
	}
	convert := func(from, to int) int { return a.costs.convert(from, to, v.Type().Elem) * often }
	if len(uses) == 1 {
		u := uses[0]
		p.link(s.variable, u.site.variable, func(i, j int) int { return convert(made[i], u.wants[j]) })
		return
	}
	if len(uses) == 0 {
		return
	}
	held, price := holdings(made, uses, convert)
	hold := p.variable(price)
	p.pair(s.variable, hold, func(i, j int) int {
		if made[i] != held[j].made {
			return impossible
		}
		return 0
	})
	for _, u := range uses {
		p.pair(hold, u.site.variable, func(i, j int) int {
			if u.wants[j] == held[i].also {
				return 0
			}
			return convert(held[i].made, u.wants[j])
		})
	}
}

// link is pair for variables that may be one: a loop that yields what it carries.
func (p *problem) link(a, b int, cost func(i, j int) int) {
	if a != b {
		p.pair(a, b, cost)
		return
	}
	own := make([]int, p.states[a])
	for i := range own {
		own[i] = cost(i, i)
	}
	p.factors = append(p.factors, &factor{[]int{a}, own})
}

// holding is where a value is: made in one distribution, and converted to another; -1 for none.
type holding struct{ made, also int }

// holdings lists what may be held of a value, and what the conversions cost.
func holdings(made []int, uses []*demand, convert func(from, to int) int) (held []holding, price []int) {
	var wanted []int
	for _, u := range uses {
		for _, w := range u.wants {
			if !slices.Contains(wanted, w) {
				wanted = append(wanted, w)
			}
		}
	}
	for _, m := range made {
		if slices.ContainsFunc(held, func(h holding) bool { return h.made == m }) {
			continue
		}
		held, price = append(held, holding{m, -1}), append(price, 0)
		for _, w := range wanted {
			if w != m {
				held, price = append(held, holding{m, w}), append(price, convert(m, w))
			}
		}
	}
	return held, price
}

func constant(list []int) bool {
	return !slices.ContainsFunc(list, func(x int) bool { return x != list[0] })
}

// work is what an op costs in one of its site's candidates.
func (a *assignment) work(s *site, candidate int) int {
	l, c := a.costs.layouts[s.candidates[candidate]], a.costs
	switch kind := s.op.Kind; {
	case isControl(s.op), a.matrixOf(s) != nil: // see matrixEdges
		return 0
	case kind == tile.OpDot && s.operand >= 0 && a.copied(s, l):
		return 0 // the copy is what the load costs
	case kind == tile.OpDot && s.operand >= 0:
		return c.shared(l, len(s.shape)-2+s.operand, c.owners(l)) // in vectors along the dimension that is not summed
	case kind == tile.OpDot:
		return 0
	case kind == tile.OpLoad || kind == tile.OpStore:
		return c.memory(s.op, l)
	case kind == tile.OpScan:
		return c.scan(s.op, l)
	case s.op.Kind.Fact().Class == tile.Memory:
		return c.points(s.op, l)
	case kind == tile.OpJoin || kind == tile.OpSplit:
		return 0
	case carries[kind].result != nil:
		return c.reduce(s.op, l)
	}
	return c.elementwise(l)
}
