package interp

import (
	"slices"

	"github.com/weftgpu/weft/tile"
)

// location is an element of a buffer.
type location struct{ buffer, at int }

// known is what an acquire at a location learns: how many releases of which programs came before.
type known struct{ releases map[int64]int64 }

// orders is what Check knows of the order that atomic ops which acquire and release make among programs. These run one after the other, so that no other
// changes what is known at a location while a program that has acquired there runs.
type orders struct {
	known    map[location]*known
	programs map[int64]*learned
}

// learned is how often a program has released, and what it has acquired.
type learned struct {
	releases int64
	known    []*known
}

// note notes an atomic op of a program.
func (o *orders) note(program int64, order tile.MemoryOrder, at location) {
	if order == tile.Relaxed {
		return
	}
	if o.known == nil {
		o.known, o.programs = map[location]*known{}, map[int64]*learned{}
	}
	c, l := o.known[at], o.programs[program]
	if c == nil {
		c = &known{map[int64]int64{}}
		o.known[at] = c
	}
	if l == nil {
		l = &learned{}
		o.programs[program] = l
	}
	if order != tile.Release && !slices.Contains(l.known, c) {
		l.known = append(l.known, c)
	}
	if order == tile.Acquire {
		return
	}
	for _, k := range l.known {
		if k == c {
			continue
		}
		for p, n := range k.releases {
			c.releases[p] = max(c.releases[p], n)
		}
	}
	l.releases++
	c.releases[program] = l.releases
}

// releases is how often a program has released.
func (o *orders) releases(program int64) int64 {
	if l := o.programs[program]; l != nil {
		return l.releases
	}
	return 0
}

// before reports whether a visit comes before what another program does now.
func (o *orders) before(v visit, program int64) bool {
	l := o.programs[program]
	return l != nil && slices.ContainsFunc(l.known, func(k *known) bool { return v.releases < k.releases[v.program] })
}
