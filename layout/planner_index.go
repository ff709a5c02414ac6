package layout

import "slices"

// byIndex chooses G in general. Lane bits whose element the values of a round, or
// other lane bits, have too follow from those. Of the others, elements are
// compared up to what the source's registers hold, since those are equally far
// from a lane: lane bits that are independent in that sense come from different
// source lanes anyway. What is left are crowded combinations of lane bits, whose
// elements are further registers of lanes that are asked for one already.
func (p *planner) byIndex() {
	c := crowd{planner: p, own: spanOf(p.src.register...)}
	c.spare = c.copies()
	p.lane = make([]column, len(p.dst.lane))
	known, n := spanOf(p.values...), len(p.values)
	crowded := make([]int, len(p.dst.lane)) // the combination that a bit completes, or 0
	follows := make([]int, len(p.dst.lane)) // the values, then lane bits, that a bit follows from, or 0
	var repeated []int
	for i, v := range p.dst.lane {
		if !known.add(v, 1<<(n+i)) {
			_, follows[i] = known.reduce(v)
			repeated = append(repeated, i)
		} else if _, with := c.far.reduce(c.apart(v)); c.far.add(c.apart(v), 1<<i) {
			p.lane[i] = p.find(v)
		} else {
			crowded[i] = with ^ 1<<i
		}
	}
	for i, set := range crowded {
		if set != 0 {
			others := sum(p.lane, set&^(1<<i)) // none of these is crowded
			p.lane[i] = others.plus(c.fetch(combine(p.dst.lane, set)))
		}
	}
	for _, i := range repeated {
		p.lane[i] = sum(p.lane, follows[i]>>n).plus(column{into: follows[i] & (1<<n - 1)})
	}
}

// crowd is the state of byIndex.
type crowd struct {
	*planner
	own   span  // the source's registers
	far   span  // the elements that the columns so far fetch, up to registers
	spare []int // sets of source lane bits over which the source holds copies
}

// apart returns an element up to what the source's registers hold.
func (c *crowd) apart(element int) int {
	rest, _ := c.own.reduce(element)
	return rest
}

// copies returns the independent sets of lane bits that lead to lanes whose
// registers hold the same elements.
func (c *crowd) copies() (sets []int) {
	var lanes span
	for i, v := range c.src.lane {
		if _, with := lanes.reduce(c.apart(v)); !lanes.add(c.apart(v), 1<<i) {
			sets = append(sets, with^1<<i)
		}
	}
	return sets
}

// fetch returns the column of a crowded combination with the given element, in
// the cheapest way that is left.
func (c *crowd) fetch(element int) column {
	k := slices.IndexFunc(c.value, func(v column) bool { return !c.far.has(c.apart(c.element(v))) })
	if k < 0 && len(c.spare) > 0 {
		// Lanes with copies offer it.
		lane := c.spare[0]
		c.spare = c.spare[1:]
		_, register := c.own.reduce(element ^ combine(c.src.lane, lane))
		return column{register: register, lane: lane}
	}
	if k < 0 {
		// One value more, from lanes that nothing came from yet: twice as many
		// rounds. Half of what is received is dropped.
		k = len(c.value)
		lane := slices.IndexFunc(c.src.lane, func(v int) bool { return !c.far.has(c.apart(v)) })
		c.value = append(c.value, column{into: 1 << k, lane: 1 << lane})
	}
	// Another value comes from other lanes: these receive it first.
	other := c.element(c.value[k])
	c.far.add(c.apart(other), 0)
	v := c.find(element ^ other)
	v.into = 1 << k
	return v
}

// element returns what the source holds at the place of a column.
func (p *planner) element(c column) int {
	return combine(p.src.register, c.register) ^ combine(p.src.lane, c.lane)
}
