package emit

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/cost"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Costs are noted in wavefronts (see costs).

// noteSite notes the distribution of an op that had a choice, or a candidate of its own.
func (l *emitter) noteSite(s *assign.Site) {
	if s == nil || !slices.Contains(s.Origins, s) {
		return
	}
	text := fmt.Sprintf("distributed as %v", l.assigned.In(s))
	if origin := s.Origins[s.Chosen]; origin != s {
		own := slices.Index(s.Origins, s)
		text += fmt.Sprintf(", the layout that the %v takes; it costs %d, and its own best would cost %d", origin, s.Work[s.Chosen]/cost.Unit, s.Work[own]/cost.Unit)
	} else if len(s.Candidates) > 1 {
		text += fmt.Sprintf(", the cheapest of %d; it costs %d", len(s.Candidates), s.Work[s.Chosen]/cost.Unit)
	}
	l.note("%s", text)
}

// noteConversion notes why a value is converted: what the conversion costs, and what it would cost the two
// ops to work in one distribution.
func (l *emitter) noteConversion(v *tile.Value, to layout.Linear) {
	a := l.assigned
	number := a.Costs.Number(to)
	m := a.Costs.ConversionOf(l.tiles[v].dist, to)
	at := slices.IndexFunc(a.Uses[v], func(u *assign.Use) bool { return u.Requires[u.Site.Chosen] == number })
	if at < 0 {
		return
	}
	way, price := assign.Way(m), m.Cost
	if e, ok := a.Costs.ExchangeOf(l.tiles[v].dist, to, v.Type().Elem); ok {
		way, price = "shuffles of words", e.Cost
	}
	def, use := a.Made[v], a.Uses[v][at].Site
	from, into := def.Origins[def.Chosen], use.Origins[use.Chosen]
	l.note("a conversion of %v by %v, cost %d: from the layout that the %v takes%s to the layout that the %v takes%s",
		v.Type(), way, price/cost.Unit, from, from.Otherwise(into), into, into.Otherwise(from))
}
