package lower

import (
	"slices"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
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
		switch kind, m := s.op.Kind, a.matrixOf(s); {
		case m != nil:
			for _, l := range a.matrixTiles(s, m) {
				dots = append(dots, proposal{s, l, 0})
			}
		case kind == tile.OpDot && s.operand < 0:
			dots = append(dots, proposal{s, accumulatorTile(s.shape, a.costs.threads), 0})
		case kind == tile.OpDot:
			for _, l := range a.operandTiles(s) {
				dots = append(dots, proposal{s, l, 0})
			}
		case kind == tile.OpLoad || kind == tile.OpStore:
			for _, l := range a.blockTiles(s) {
				n := s.op.AccessType()
				blocks = append(blocks, proposal{s, l, n.Len() * s.weight})
			}
		case kind == tile.OpScan:
			rest = append(rest, proposal{s, scanTile(s.shape, s.op.Axis, a.costs.threads), 0})
		case s.op.Kind.Fact().Class == tile.Memory:
			along, width := len(s.shape)-1, 1
			if s.op.Run > 1 {
				along, width = s.op.Axis, min(s.op.Run, maxVector(s.op.View.Elem))
			}
			rest = append(rest, proposal{s, blocked(s.shape, a.costs.threads, along, width), 0})
		case carries[kind].result != nil && kind != tile.OpJoin:
			rest = append(rest, proposal{s, blocked(s.shape, a.costs.threads, s.op.Axis, registerLanes), 0})
		}
	}
	slices.SortStableFunc(blocks, func(p, q proposal) int { return q.weight - p.weight })
	for _, p := range slices.Concat(dots, blocks, rest) {
		n := a.costs.number(p.want)
		for _, s := range a.sites { // tiles of one shape may have to meet
			if s == p.site || slices.Equal(s.shape, p.site.shape) && len(s.candidates) < maxCandidates {
				a.offer(s, n, p.site)
			}
		}
		if i := slices.Index(p.site.candidates, n); i >= 0 {
			p.site.origins[i] = p.site // even if another wished for it before
		}
	}
	a.spread()
	for _, s := range a.sites {
		if len(s.candidates) == 0 {
			a.offer(s, a.costs.number(blocked(s.shape, a.costs.threads, len(s.shape)-1, registerLanes)), s)
			a.spread()
		}
	}
}

// blockTiles are distributions of a block of memory: with the longest vectors along the
// contiguous dimension and, where the facts allow only shorter ones, with those, so that
// neighbouring threads still have neighbouring elements. What a Dot takes is left to operandTiles,
// which weigh the stores to shared memory as well.
func (a *assignment) blockTiles(s *site) []layout.Linear {
	v := a.costs.facts.Views[s.op.View.Index]
	long := blocked(s.shape, a.costs.threads, contiguousDim(v), maxVector(s.op.View.Elem))
	_, width, _ := blockVector(v, s.op.View, long, s.op.Inside)
	for _, value := range s.values {
		for _, u := range a.uses[value] {
			if u.site.operand >= 0 {
				return []layout.Linear{long}
			}
		}
	}
	if short := blocked(s.shape, a.costs.threads, contiguousDim(v), width); !short.Equal(long) {
		return []layout.Linear{long, short}
	}
	return []layout.Linear{long}
}

// operandTiles are distributions of an operand of a Dot between global and shared memory:
// for memory that is contiguous along the one dimension or the other, as it seems to be first.
func (a *assignment) operandTiles(s *site) (out []layout.Linear) {
	if len(s.shape) > 2 {
		return nil
	}
	first := a.contiguous(s.uses[0].value)
	for _, dim := range []int{first, 1 - first} {
		out = append(out, operandTile(s.shape, a.costs.threads, 1-s.operand, dim))
	}
	if single := layout.Blocked(s.shape, a.costs.threads, []int{first, 1 - first}, []int{1, 1}); !a.copied(s, out[0]) && a.copied(s, single) {
		out = append([]layout.Linear{single}, out...)
	}
	return out
}

// copied reports whether asynchronous copies bring an operand to shared memory in a distribution, see asyncCopies: of words that are stored in
// runs as they are loaded.
func (a *assignment) copied(s *site, l layout.Linear) bool {
	v := s.uses[0].value
	op := v.Op()
	if !a.costs.async || op == nil || op.Kind != tile.OpLoad || op.Number != 0 || len(a.uses[v]) != 1 || l.FreeBits(layout.Thread) != 0 || l.Rank() > 2 {
		return false
	}
	f := a.costs.facts.Views[op.View.Index]
	dim, width, _ := blockVector(f, op.View, l, op.Inside)
	if simt.PerWord(op.View.Elem) != 0 || op.View.Elem.Size() != registerBytes || a.costs.written[f.Buffer] {
		return false
	}
	return width == 1<<len(runBits(l, s.operand, registerLanes)) && (width == 1 || dim == s.operand)
}

// contiguous is the dimension of a tile along which the memory is contiguous that it was
// loaded from, the last one if it was not.
func (a *assignment) contiguous(v *tile.Value) int {
	op := v.Op()
	switch {
	case op == nil:
	case op.Kind == tile.OpLoad:
		return contiguousDim(a.costs.facts.Views[op.View.Index])
	case op.Kind == tile.OpPermute:
		return slices.Index(op.Perm, a.contiguous(op.Args[0]))
	case op.Kind.Fact().Class == tile.Unary:
		return a.contiguous(op.Args[0])
	}
	return len(v.Type().Shape) - 1
}

// takes reports whether a site can work in a distribution.
func (a *assignment) takes(s *site, l layout.Linear) bool {
	switch m := a.matrixOf(s); {
	case s.op.Kind == tile.OpScan:
		_, ok := scanOf(l, s.op.Axis)
		return ok
	case m != nil && s.operand < 0:
		return slices.ContainsFunc(m.accumulators, l.Equal)
	case s.op.Kind == tile.OpDot && s.operand < 0:
		return l.Equal(accumulatorTile(s.shape, a.costs.threads))
	}
	return true
}

// offer makes a distribution that origin proposed a candidate of a site, if it takes it.
func (a *assignment) offer(s *site, number int, origin *site) {
	if slices.Contains(s.candidates, number) || !a.takes(s, a.costs.layouts[number]) {
		return
	}
	s.candidates, s.origins = append(s.candidates, number), append(s.origins, origin)
	a.fresh = append(a.fresh, candidate{s, number, origin})
}

// candidate is one that has yet to spread.
type candidate struct {
	site   *site
	number int
	origin *site
}

// spread carries new candidates to the sites that they reach, the nearest ones first.
func (a *assignment) spread() {
	for len(a.fresh) > 0 {
		c := a.fresh[0]
		a.fresh = a.fresh[1:]
		l := a.costs.layouts[c.number]
		for _, u := range c.site.uses {
			if def := a.made[u.of]; def != nil {
				_, at := source(u.value, u.wanted(l))
				a.reach(def, at, def.fromMade, c.origin)
			}
		}
		for _, v := range c.site.values {
			for _, u := range a.uses[v] {
				if at, ok := seen(u.value, c.site.madeIn(l)); ok {
					a.reach(u.site, at, u.fromWanted, c.origin)
				}
			}
		}
	}
}

// reach offers a distribution to a site that has candidates to spare.
func (a *assignment) reach(s *site, l layout.Linear, from func(layout.Linear) (layout.Linear, bool), origin *site) {
	if len(s.candidates) >= maxCandidates {
		return
	}
	if at, ok := from(l); ok {
		a.offer(s, a.costs.number(at), origin)
	}
}
