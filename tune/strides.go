package tune

import (
	"strings"

	"github.com/weftgpu/weft/layout"
)

// Strides are what the accesses to a tensor depend on, but for its sizes: a View without them. A problem has them of tensors whose sizes follow from the rest
// of it. The zero value stands for what such a tensor usually is, dense for a result.
//
// Whether a kernel may store by tensor maps or by wide accesses is seen in them, so that a choice that was measured with one result's strides is not used for
// another's.
type Strides struct {
	Rank   int8
	Unit   bool
	Align  int8
	Repeat uint8
	Order  [MaxRank]int8
}

// Strides are those of a view. They are never zero.
func (v View) Strides() Strides { return Strides{v.Rank, v.Unit, v.Align, v.Repeat, v.Order} }

// Unlike are the view's strides if they are not those of another view that it usually equals, and else zero.
func (v View) Unlike(usual View) Strides {
	if v == usual {
		return Strides{}
	}
	return v.Strides()
}

// With is the view with other strides, itself where they are zero.
func (v View) With(s Strides) View {
	if s != (Strides{}) {
		v.Unit, v.Align, v.Repeat, v.Order = s.Unit, s.Align, s.Repeat, s.Order
	}
	return v
}

// MarshalText prints strides as a view's text has them after the sizes: "order=01 align=1". Zero ones are empty.
func (s Strides) MarshalText() ([]byte, error) {
	if s == (Strides{}) {
		return nil, nil
	}
	text, err := View{Rank: s.Rank}.With(s).MarshalText()
	_, rest, _ := strings.Cut(string(text), " ")
	return []byte(rest), err
}

// UnmarshalText reads what MarshalText prints.
// Error: fault.ErrArgument for anything else.
func (s *Strides) UnmarshalText(text []byte) error {
	*s = Strides{}
	if len(text) == 0 {
		return nil
	}
	order, _, _ := strings.Cut(strings.TrimPrefix(string(text), "order="), " ")
	var v View
	if err := v.UnmarshalText([]byte(strings.TrimSuffix(strings.Repeat("1x", min(len(order), MaxRank+1)), "x") + " " + string(text))); err != nil {
		return err
	}
	*s = v.Strides()
	return nil
}

// StridesOf are the strides of a layout of rank MaxRank at most, zero if it is dense: its elements are one after the other, the dimensions in the order
// given, the fastest last, or in their own, and the first of them begins at a multiple of what any access is aligned to.
func StridesOf(l layout.Layout, order ...int) Strides {
	inMemory := l
	if len(order) > 0 {
		var err error
		if inMemory, err = l.Permute(order...); err != nil {
			panic(err) // the order is that of the rank
		}
	}
	if inMemory.IsContiguous() && l.Offset()%maxAlign == 0 {
		return Strides{}
	}
	return ViewOf(l).Strides()
}
