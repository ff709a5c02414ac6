package lower

import "slices"

// problem is a choice of one state for each of some variables at the least cost: the sum
// of the costs of the states and of those of pairs of states. That is partitioned boolean
// quadratic programming (PBQP), the form that Scholz and Eckstein gave register allocation
// ("Register Allocation for Irregular Architectures", LCTES 2002).
//
// It is solved by eliminating one variable after the other (Dechter, "Bucket
// Elimination", 1999), those with few neighbours first: exactly, as long as the
// tables that arise stay small, as they do for the graphs of programs.
// Where one would not, a variable is fixed to the state that looks best, and at the end
// single variables change their states while that helps.
type problem struct {
	states  []int // of each variable
	factors []*factor
}

// factor is a table of costs over some variables; the last one's state runs fastest.
type factor struct {
	vars  []int
	table []int
}

// maxTable is the most costs in a table.
const maxTable = 1 << 12

// variable adds a variable with the costs of its states.
func (p *problem) variable(costs []int) int {
	p.states = append(p.states, len(costs))
	v := len(p.states) - 1
	p.factors = append(p.factors, &factor{[]int{v}, costs})
	return v
}

// pair adds costs of pairs of states; those that are all equal cost nothing to tell apart.
func (p *problem) pair(a, b int, cost func(i, j int) int) {
	table := make([]int, 0, p.states[a]*p.states[b])
	for i := range p.states[a] {
		for j := range p.states[b] {
			table = append(table, cost(i, j))
		}
	}
	p.factors = append(p.factors, &factor{[]int{a, b}, table})
}

// at is the cost of a factor under an assignment of its variables.
func (p *problem) at(f *factor, assigned []int) int {
	i := 0
	for _, v := range f.vars {
		i = i*p.states[v] + assigned[v]
	}
	return f.table[i]
}

// total is the cost of an assignment.
func (p *problem) total(assigned []int) (sum int) {
	for _, f := range p.factors {
		sum += p.at(f, assigned)
	}
	return sum
}

// eliminated remembers how a variable follows from those that were left.
type eliminated struct {
	variable int
	best     factor // the best state, by the states of the others
}

// solve returns a state for each variable.
func (p *problem) solve() []int {
	assigned := make([]int, len(p.states))
	of := make([][]*factor, len(p.states)) // the factors that are left, by variable
	add := func(f *factor) {
		for _, v := range f.vars {
			of[v] = append(of[v], f)
		}
	}
	drop := func(f *factor) {
		for _, v := range f.vars {
			of[v] = slices.DeleteFunc(of[v], func(g *factor) bool { return g == f })
		}
	}
	var todo, fixed []int
	for v, n := range p.states {
		if n > 1 {
			todo = append(todo, v)
		} else {
			fixed = append(fixed, v)
		}
	}
	for _, f := range p.factors {
		for _, v := range fixed {
			f = p.condition(f, v, 0)
		}
		add(f)
	}
	exact := true
	var order []eliminated
	for len(todo) > 0 {
		i, neighbours := p.next(todo, of)
		v := todo[i]
		if p.size(neighbours) > maxTable {
			i, v = p.hub(todo, of)
			exact = false
			assigned[v] = p.guess(v, of[v])
			for _, f := range slices.Clone(of[v]) {
				drop(f)
				add(p.condition(f, v, assigned[v]))
			}
		} else {
			rest, best := p.eliminate(v, neighbours, of[v], assigned)
			for _, f := range slices.Clone(of[v]) {
				drop(f)
			}
			add(rest)
			order = append(order, eliminated{v, best})
		}
		todo = slices.Delete(todo, i, i+1)
	}
	for _, e := range slices.Backward(order) {
		assigned[e.variable] = p.at(&e.best, assigned)
	}
	if !exact {
		p.improve(assigned)
	}
	return assigned
}

func (p *problem) size(vars []int) int {
	n := 1
	for _, v := range vars {
		n = min(n*p.states[v], 2*maxTable)
	}
	return n
}

// next is the variable with the smallest table over its neighbours.
func (p *problem) next(todo []int, of [][]*factor) (at int, neighbours []int) {
	least := -1
	for i, v := range todo {
		var around []int
		for _, f := range of[v] {
			for _, u := range f.vars {
				if u != v && !slices.Contains(around, u) {
					around = append(around, u)
				}
			}
		}
		if n := p.size(around); least < 0 || n < least {
			least, at, neighbours = n, i, around
		}
		if least == 1 {
			break
		}
	}
	return at, neighbours
}

// hub is the variable in most factors.
func (p *problem) hub(todo []int, of [][]*factor) (at, v int) {
	for i, u := range todo {
		if len(of[u]) > len(of[todo[at]]) {
			at = i
		}
	}
	return at, todo[at]
}

// guess is the state of a variable that is best if all others follow.
func (p *problem) guess(v int, factors []*factor) (state int) {
	sums := make([]int, p.states[v])
	for _, f := range factors {
		least := make([]int, len(sums))
		for i := range least {
			least[i] = -1
		}
		stride := 1
		for _, u := range slices.Backward(f.vars) {
			if u == v {
				break
			}
			stride *= p.states[u]
		}
		for i, x := range f.table {
			if s := i / stride % len(sums); least[s] < 0 || x < least[s] {
				least[s] = x
			}
		}
		for s, x := range least {
			sums[s] += x
		}
	}
	for s, x := range sums {
		if x < sums[state] {
			state = s
		}
	}
	return state
}

// condition is a factor with a variable fixed.
func (p *problem) condition(f *factor, v, state int) *factor {
	at := slices.Index(f.vars, v)
	if at < 0 {
		return f
	}
	inner := 1
	for _, u := range f.vars[at+1:] {
		inner *= p.states[u]
	}
	out := &factor{vars: slices.Delete(slices.Clone(f.vars), at, at+1)}
	for first := state * inner; first < len(f.table); first += p.states[v] * inner {
		out.table = append(out.table, f.table[first:first+inner]...)
	}
	return out
}

// eliminate replaces a variable by its best state for all states of its neighbours.
func (p *problem) eliminate(v int, neighbours []int, factors []*factor, scratch []int) (rest *factor, best factor) {
	n := p.size(neighbours)
	rest, best = &factor{neighbours, make([]int, n)}, factor{neighbours, make([]int, n)}
	now := scratch
	for _, u := range neighbours {
		now[u] = 0
	}
	for i := range n {
		rest.table[i] = -1
		for s := range p.states[v] {
			now[v] = s
			sum := 0
			for _, f := range factors {
				sum += p.at(f, now)
			}
			if rest.table[i] < 0 || sum < rest.table[i] {
				rest.table[i], best.table[i] = sum, s
			}
		}
		for _, u := range slices.Backward(neighbours) { // the next combination
			if now[u]++; now[u] < p.states[u] {
				break
			}
			now[u] = 0
		}
	}
	return rest, best
}

// improve changes single variables while that helps, a few times over.
func (p *problem) improve(assigned []int) {
	of := make([][]*factor, len(p.states))
	for _, f := range p.factors {
		for _, v := range f.vars {
			of[v] = append(of[v], f)
		}
	}
	for changed, round := true, 0; changed && round < 4; round++ {
		changed = false
		for v, states := range p.states {
			best, least := assigned[v], -1
			was := assigned[v]
			for s := range states {
				assigned[v] = s
				sum := 0
				for _, f := range of[v] {
					sum += p.at(f, assigned)
				}
				if least < 0 || sum < least || sum == least && s == was {
					best, least = s, sum
				}
			}
			assigned[v] = best
			changed = changed || best != was
		}
	}
}
