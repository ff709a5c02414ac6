package lower

import (
	"slices"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// maxCandidates bounds the distributions that are weighed for one site: those that
// matter most come first.
const maxCandidates = 6

// proposal is a distribution that a site would like, and how much it moves there.
type proposal struct {
	site   *site
	want   layout.Linear
	weight int
}

// propose collects the sites' wishes and spreads them through the kernel, in the order in
// which ties are decided: a Dot's accumulator, its operands, blocks of memory by the
// bytes that they move, then the rest. What no wish reaches gets rows.
func (a *assignment) propose() {
	var dots, blocks, rest []proposal
	for _, s := range a.sites {
		switch kind := s.op.Kind; {
		case kind == tile.OpDot && s.operand < 0:
			dots = append(dots, proposal{s, accumulatorTile(s.shape, a.costs.threads), 0})
		case kind == tile.OpDot:
			for _, l := range a.operandTiles(s) {
				dots = append(dots, proposal{s, l, 0})
			}
		case kind == tile.OpLoad || kind == tile.OpStore:
			v := a.costs.facts.Views[s.op.View.Index]
			l := blocked(s.shape, a.costs.threads, contiguousDim(v), maxVector(s.op.View.Elem, a.costs.caps))
			n := accessType(s.op)
			blocks = append(blocks, proposal{s, l, n.Len() * s.weight})
		case kind == tile.OpScan:
			rest = append(rest, proposal{s, scanTile(s.shape, s.op.Axis, a.costs.threads), 0})
		case s.op.Kind.Fact().Class == tile.Memory:
			rest = append(rest, proposal{s, blocked(s.shape, a.costs.threads, len(s.shape)-1, 1), 0})
		case carries[kind].result != nil && kind != tile.OpJoin:
			rest = append(rest, proposal{s, blocked(s.shape, a.costs.threads, s.op.Axis, registerLanes), 0})
		}
	}
	slices.SortStableFunc(blocks, func(p, q proposal) int { return q.weight - p.weight })
	for _, p := range slices.Concat(dots, blocks, rest) {
		a.spread(p.site, a.costs.number(p.want))
	}
	for _, s := range a.sites {
		if len(s.candidates) == 0 {
			a.spread(s, a.costs.number(blocked(s.shape, a.costs.threads, len(s.shape)-1, registerLanes)))
		}
	}
}

// operandTiles are distributions of an operand of a Dot between global and shared memory:
// for memory that is contiguous along either dimension.
func (a *assignment) operandTiles(s *site) (out []layout.Linear) {
	if len(s.shape) > 2 {
		return nil
	}
	kDim := 1 - s.operand
	for _, contiguous := range []int{kDim, 1 - kDim} {
		out = append(out, operandTile(s.shape, a.costs.threads, kDim, contiguous))
	}
	return out
}

// takes reports whether a site can work in a distribution.
func (s *site) takes(l layout.Linear, threads int) bool {
	switch {
	case s.op.Kind == tile.OpScan:
		_, ok := scanOf(l, s.op.Axis)
		return ok
	case s.op.Kind == tile.OpDot && s.operand < 0:
		return l.Equal(accumulatorTile(s.shape, threads))
	}
	return true
}

// spread makes a distribution a candidate of a site and of all that it reaches from there.
func (a *assignment) spread(s *site, number int) {
	l := a.costs.layouts[number]
	if slices.Contains(s.candidates, number) || !s.takes(l, a.costs.threads) {
		return
	}
	s.candidates = append(s.candidates, number)
	for _, u := range s.uses {
		if def := a.made[u.of]; def != nil {
			_, at := source(u.value, u.wanted(l))
			a.reach(def, at, def.fromMade)
		}
	}
	for _, v := range s.values {
		for _, u := range a.uses[v] {
			if at, ok := seen(u.value, s.madeIn(l)); ok {
				a.reach(u.site, at, u.fromWanted)
			}
		}
	}
}

// reach spreads further to a site that has candidates to spare.
func (a *assignment) reach(s *site, l layout.Linear, from func(layout.Linear) (layout.Linear, bool)) {
	if len(s.candidates) >= maxCandidates {
		return
	}
	if at, ok := from(l); ok {
		a.spread(s, a.costs.number(at))
	}
}
