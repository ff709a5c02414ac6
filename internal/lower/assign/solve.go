package assign

import (
	"container/heap"
	"slices"
)

// problem is a choice of one state for each of some variables at the least cost: the sum
// of the costs of the states and of those of pairs of states. That is partitioned boolean
// quadratic programming (PBQP), the form that Scholz and Eckstein gave register allocation
// ("Register Allocation for Irregular Architectures", LCTES 2002).
//
// It is solved by eliminating one variable after the other (Dechter, "Bucket
// Elimination", 1999), those with few neighbours first: exactly, as long as the
// tables that arise stay small, as they do for the graphs of programs.
// Where one would not, a variable is fixed to the state that looks best, and at the end
// single variables, and some together, change their states while that helps.
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

// move is states of some variables, which change together.
type move map[int]int

// solve returns a state for each variable. Moves are what to try where the elimination is not exact.
func (p *problem) solve(moves func() []move) []int {
	e := newElimination(p)
	exact := true
	for e.queue.Len() > 0 {
		next := heap.Pop(&e.queue).(queued)
		switch v := next.variable; {
		case e.done[v] || next.size != p.size(e.around(v)): // it was queued again since
		case next.size <= maxTable:
			e.eliminate(v)
		default:
			exact = false
			e.fix(e.hub())
			if !e.done[v] {
				e.push(v)
			}
		}
	}
	for _, f := range slices.Backward(e.order) {
		e.assigned[f.variable] = p.at(&f.best, e.assigned)
	}
	if exact {
		return e.assigned
	}
	p.improve(e.assigned, nil)
	least := p.total(e.assigned)
	for _, m := range moves() {
		trial := slices.Clone(e.assigned)
		for v, s := range m {
			trial[v] = s
		}
		p.improve(trial, m) // the others follow
		p.improve(trial, nil)
		if cost := p.total(trial); cost < least {
			least, e.assigned = cost, trial
		}
	}
	return e.assigned
}

// elimination is the state of solving a problem.
type elimination struct {
	*problem
	of       [][]*factor // the factors that are left, by variable
	done     []bool
	queue    queue // variables to eliminate, by the size of the table that this takes
	order    []eliminated
	assigned []int
}

// eliminated remembers how a variable follows from those that were left.
type eliminated struct {
	variable int
	best     factor // the best state, by the states of the others
}

func newElimination(p *problem) *elimination {
	n := len(p.states)
	e := &elimination{problem: p, of: make([][]*factor, n), done: make([]bool, n), assigned: make([]int, n)}
	for v, states := range p.states {
		e.done[v] = states == 1 // nothing to choose
	}
	for _, f := range p.factors {
		for _, v := range f.vars {
			if e.done[v] {
				f = p.condition(f, v, 0)
			}
		}
		e.add(f)
	}
	for v := range n {
		if !e.done[v] {
			e.push(v)
		}
	}
	return e
}

func (e *elimination) add(f *factor) {
	for _, v := range f.vars {
		e.of[v] = append(e.of[v], f)
	}
}

func (e *elimination) drop(f *factor) {
	for _, v := range f.vars {
		e.of[v] = slices.DeleteFunc(e.of[v], func(g *factor) bool { return g == f })
	}
}

func (e *elimination) push(v int) { heap.Push(&e.queue, queued{v, e.size(e.around(v))}) }

// around lists the variables that share factors with one.
func (e *elimination) around(v int) (neighbours []int) {
	for _, f := range e.of[v] {
		for _, u := range f.vars {
			if u != v && !slices.Contains(neighbours, u) {
				neighbours = append(neighbours, u)
			}
		}
	}
	return neighbours
}

// queued is a variable in the queue.
type queued struct{ variable, size int }

// queue is a heap: the smallest tables first, then the first variables.
type queue []queued

func (q queue) Len() int { return len(q) }

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(x any) { *q = append(*q, x.(queued)) }

func (q queue) Less(i, j int) bool {
	return q[i].size < q[j].size || q[i].size == q[j].size && q[i].variable < q[j].variable
}

func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (p *problem) size(vars []int) int {
	n := 1
	for _, v := range vars {
		n = min(n*p.states[v], 2*maxTable)
	}
	return n
}

// hub is the variable in most factors.
func (e *elimination) hub() (v int) {
	for u := range e.of {
		if len(e.of[u]) > len(e.of[v]) {
			v = u
		}
	}
	return v
}

// fix gives a variable the state that looks best.
func (e *elimination) fix(v int) {
	neighbours := e.around(v)
	e.done[v], e.assigned[v] = true, e.guess(v, e.of[v])
	for _, f := range slices.Clone(e.of[v]) {
		e.drop(f)
		e.add(e.condition(f, v, e.assigned[v]))
	}
	for _, u := range neighbours {
		e.push(u)
	}
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
func (e *elimination) eliminate(v int) {
	neighbours, factors := e.around(v), slices.Clone(e.of[v])
	n := e.size(neighbours)
	rest, best := &factor{neighbours, make([]int, n)}, factor{neighbours, make([]int, n)}
	at := newWalk(e.problem, v, neighbours, factors)
	for i := range n {
		rest.table[i], best.table[i] = at.least()
		at.next()
	}
	for _, f := range factors {
		e.drop(f)
	}
	e.add(rest)
	e.done[v] = true
	e.order = append(e.order, eliminated{v, best})
	for _, u := range neighbours {
		e.push(u)
	}
}

// walk goes through all states of a variable's neighbours, the last one's varying first, and keeps where each factor's table is.
type walk struct {
	factors []*factor
	states  []int // of the neighbours
	now     []int // their states
	at      []int // index of each factor's table, for state 0 of the variable
	own     []int // by how much the variable's next state moves it
	strides []int // by how much a neighbour's next state moves it, factor after factor for each neighbour
	sums    []int // of the factors, by the variable's state
}

func newWalk(p *problem, v int, neighbours []int, factors []*factor) *walk {
	w := &walk{factors: factors, now: make([]int, len(neighbours)), at: make([]int, len(factors)), own: make([]int, len(factors)),
		strides: make([]int, len(neighbours)*len(factors)), sums: make([]int, p.states[v])}
	for _, u := range neighbours {
		w.states = append(w.states, p.states[u])
	}
	for i, f := range factors {
		stride := 1
		for _, u := range slices.Backward(f.vars) {
			if u == v {
				w.own[i] = stride
			} else {
				w.strides[slices.Index(neighbours, u)*len(factors)+i] = stride
			}
			stride *= p.states[u]
		}
	}
	return w
}

// least is the lowest sum over the variable's states, and the first state that has it.
func (w *walk) least() (sum, state int) {
	clear(w.sums)
	for i, f := range w.factors {
		at, own := w.at[i], w.own[i]
		for s := range w.sums {
			w.sums[s] += f.table[at]
			at += own
		}
	}
	for s, x := range w.sums {
		if x < w.sums[state] {
			state = s
		}
	}
	return w.sums[state], state
}

// next is the next combination of the neighbours' states.
func (w *walk) next() {
	for u := len(w.now) - 1; u >= 0; u-- {
		strides := w.strides[u*len(w.at):][:len(w.at)]
		if w.now[u]++; w.now[u] < w.states[u] {
			for i, by := range strides {
				w.at[i] += by
			}
			return
		}
		for i, by := range strides {
			w.at[i] -= by * (w.states[u] - 1)
		}
		w.now[u] = 0
	}
}

// improve changes single variables, but for fixed ones, while that helps.
func (p *problem) improve(assigned []int, fixed move) {
	of := make([][]*factor, len(p.states))
	for _, f := range p.factors {
		for _, v := range f.vars {
			of[v] = append(of[v], f)
		}
	}
	for changed := true; changed; {
		changed = false
		for v, states := range p.states {
			if _, ok := fixed[v]; ok {
				continue
			}
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
