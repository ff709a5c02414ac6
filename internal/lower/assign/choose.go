package assign

import (
	"maps"
	"slices"

	"github.com/weftgpu/weft/internal/lower/cost"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// choose gives each site the candidate with which the kernel costs the least.
//
// The problem has a variable for each site, whose states are its candidates, and one for each value
// with several uses, whose states say in which distribution it is made and in which
// one more it is kept, if any: what is converted once serves all uses.
func (a *Assignment) choose() {
	var p problem
	loads := a.tensorLoads()
	mapped := slices.Concat(slices.Collect(maps.Values(loads))...)
	for _, s := range a.Sites {
		s.Work = make([]int, len(s.Candidates))
		price := make([]int, len(s.Candidates))
		if len(s.Candidates) > 1 && !slices.Contains(mapped, s.op) { // else there is nothing to choose, and nobody asks
			for i := range s.Work {
				s.Work[i] = a.work(s, i)
				price[i] = s.Work[i] * s.weight
			}
		}
		s.variable = p.variable(price)
	}
	for _, s := range a.Sites {
		for _, u := range s.Uses {
			a.requires(u)
		}
	}
	for _, s := range a.Sites {
		for _, v := range s.values {
			a.edges(&p, s, v)
		}
	}
	for _, s := range a.Sites {
		a.matrixEdges(&p, s, loads)
	}
	for i, state := range p.solve(a.moves)[:len(a.Sites)] {
		a.Sites[i].Chosen = state
	}
}

// moves are changes of sites together: each distribution that a product or a load may have, with what follows from it at other sites.
func (a *Assignment) moves() (list []move) {
	for _, s := range a.Sites {
		if kind := s.op.Kind; kind != tile.OpDot && kind != tile.OpLoad {
			continue
		}
		for i := range s.Candidates {
			m := move{}
			a.spreadMove(s, i, m)
			list = append(list, m)
		}
	}
	return list
}

// spreadMove adds a site's candidate to a move, and those of other sites that follow from it.
func (a *Assignment) spreadMove(s *Site, candidate int, m move) {
	m[s.variable] = candidate
	a.reaches(a.Costs.Layouts[s.Candidates[candidate]], s, func(to *Site, l layout.Linear) {
		if i := slices.Index(to.Candidates, a.Costs.Number(l)); i >= 0 {
			if _, ok := m[to.variable]; !ok {
				a.spreadMove(to, i, m)
			}
		}
	})
}

// requires lists the distributions in which a use takes its source.
func (a *Assignment) requires(u *Use) {
	if a.Made[u.Source] == nil {
		return
	}
	u.Requires = make([]int, len(u.Site.Candidates))
	for i, n := range u.Site.Candidates {
		_, l := Source(u.Value, u.Required(a.Costs.Layouts[n]))
		u.Requires[i] = a.Costs.Number(l)
	}
}

// makes lists the distributions in which a site makes its values.
func (a *Assignment) makes(s *Site) []int {
	out := make([]int, len(s.Candidates))
	for i, n := range s.Candidates {
		out[i] = a.Costs.Number(s.madeIn(a.Costs.Layouts[n]))
	}
	return out
}

// often is how often a value is made, and its conversions run.
func (s *Site) often(v *tile.Value) int {
	if v.Op() == nil {
		return s.inner
	}
	return s.weight
}

// edges adds the costs of bringing a value to its uses.
func (a *Assignment) edges(p *problem, s *Site, v *tile.Value) {
	made, often := a.makes(s), s.often(v)
	var uses []*Use
	for _, u := range a.Uses[v] {
		same := slices.ContainsFunc(uses, func(w *Use) bool { return w.Site == u.Site && slices.Equal(w.Requires, u.Requires) })
		if !same && !(constant(made) && constant(u.Requires) && made[0] == u.Requires[0]) {
			uses = append(uses, u)
		}
	}
	multiplied := v.Op() != nil && v.Op().Kind == tile.OpLoad && a.Multiplied(v.Op())
	convert := func(from, to int) int {
		c := a.Costs.Convert(from, to, v.Type().Elem)
		if m, ok := a.Costs.ToMatrices(from, to, v.Type().Elem); ok && multiplied {
			c = min(c, m)
		}
		return c * often
	}
	if len(uses) == 1 {
		u := uses[0]
		p.link(s.variable, u.Site.variable, func(i, j int) int { return convert(made[i], u.Requires[j]) })
		return
	}
	if len(uses) == 0 {
		return
	}
	held, price := holdings(made, uses, convert)
	hold := p.variable(price)
	p.pair(s.variable, hold, func(i, j int) int {
		if made[i] != held[j].made {
			return cost.Impossible
		}
		return 0
	})
	for _, u := range uses {
		p.pair(hold, u.Site.variable, func(i, j int) int {
			if u.Requires[j] == held[i].also {
				return 0
			}
			return convert(held[i].made, u.Requires[j])
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
func holdings(made []int, uses []*Use, convert func(from, to int) int) (held []holding, price []int) {
	var wanted []int
	for _, u := range uses {
		for _, w := range u.Requires {
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
func (a *Assignment) work(s *Site, candidate int) int {
	l, c := a.Costs.Layouts[s.Candidates[candidate]], a.Costs
	switch kind := s.op.Kind; {
	case isControl(s.op), a.MatrixOf(s) != nil: // see matrixEdges
		return 0
	case kind == tile.OpDot && s.operand >= 0 && a.copied(s, l):
		return 0 // the copy is what the load costs
	case kind == tile.OpDot && s.operand >= 0:
		return c.Shared(l, len(s.shape)-2+s.operand, c.Owners(l)) // in vectors along the dimension that is not summed
	case kind == tile.OpDot:
		return 0
	case kind == tile.OpLoad || kind == tile.OpStore:
		return c.Memory(s.op, l)
	case kind == tile.OpScan:
		return c.Scan(s.op, l)
	case s.op.Kind.Fact().Class == tile.Memory:
		return c.Points(s.op, l)
	case kind == tile.OpJoin || kind == tile.OpSplit:
		return 0
	case reduces(kind):
		return c.Reduce(s.op, l)
	case kind == tile.OpHistogram:
		return c.Histogram(s.op, l)
	}
	return c.Elementwise(l)
}
