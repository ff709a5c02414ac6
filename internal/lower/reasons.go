package lower

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Costs are noted in wavefronts (see costs).

// noteSite notes the distribution of an op that had a choice, or a wish.
func (l *lowerer) noteSite(s *site) {
	if s == nil || !slices.Contains(s.origins, s) {
		return
	}
	text := fmt.Sprintf("distributed as %v", l.assigned.in(s))
	if origin := s.origins[s.chosen]; origin != s {
		own := slices.Index(s.origins, s)
		text += fmt.Sprintf(", which the %v wants; it costs %d, and its own best would cost %d", origin, s.work[s.chosen]/unit, s.work[own]/unit)
	} else if len(s.candidates) > 1 {
		text += fmt.Sprintf(", the cheapest of %d; it costs %d", len(s.candidates), s.work[s.chosen]/unit)
	}
	l.note("%s", text)
}

// noteConversion notes why a value is converted: what it costs, and what it would cost those
// who want the two distributions to share one.
func (l *lowerer) noteConversion(v *tile.Value, to layout.Linear) {
	a := l.assigned
	number := a.costs.number(to)
	m := a.costs.movement(l.tiles[v].dist, to)
	at := slices.IndexFunc(a.uses[v], func(u *demand) bool { return u.wants[u.site.chosen] == number })
	if at < 0 {
		return
	}
	def, use := a.made[v], a.uses[v][at].site
	from, into := def.origins[def.chosen], use.origins[use.chosen]
	l.note("a conversion of %v by %v, cost %d: from what the %v wants%s to what the %v wants%s",
		v.Type(), way(m), m.cost/unit, from, from.otherwise(into), into, into.otherwise(from))
}

func way(m movement) string {
	if m.shared {
		return layout.InShared.String()
	}
	return m.plan.String()
}

// otherwise says what it would cost a site to work as another one wants.
func (s *site) otherwise(other *site) string {
	i := slices.Index(s.origins, other)
	if i < 0 || s == other {
		return ""
	}
	return fmt.Sprintf(" (%d more otherwise)", (s.work[i]-s.work[s.chosen])/unit)
}

// String is the op and its line.
func (s *site) String() string {
	if s.operand >= 0 {
		return fmt.Sprintf("%v of %v at %v", [...]string{"left operand", "right operand"}[s.operand], s.op.Kind, s.op.Pos)
	}
	return fmt.Sprintf("%v at %v", s.op.Kind, s.op.Pos)
}
