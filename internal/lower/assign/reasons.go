package assign

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/cost"
	"github.com/weftgpu/weft/layout"
)

// Way is how a conversion exchanges elements, in words.
func Way(m cost.Conversion) string {
	if m.Shared {
		return layout.InShared.String()
	}
	return m.Plan.String()
}

// Otherwise says what it would cost a site to work in what another one proposed.
func (s *Site) Otherwise(other *Site) string {
	i := slices.Index(s.Origins, other)
	if i < 0 || s == other {
		return ""
	}
	return fmt.Sprintf(" (%d more otherwise)", (s.Work[i]-s.Work[s.Chosen])/cost.Unit)
}

// String is the op and its line.
func (s *Site) String() string {
	if s.operand >= 0 {
		return fmt.Sprintf("%v of %v at %v", [...]string{"left operand", "right operand"}[s.operand], s.op.Kind, s.op.Pos)
	}
	return fmt.Sprintf("%v at %v", s.op.Kind, s.op.Pos)
}
