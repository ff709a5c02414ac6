package dtype

import (
	"slices"

	"github.com/weftgpu/weft/fault"
)

// MarshalText gives the type's name, as in JSON; that of Invalid is empty.
func (t Type) MarshalText() ([]byte, error) {
	if !t.Valid() {
		return nil, nil
	}
	return []byte(t.String()), nil
}

// UnmarshalText is the way back.
// Error: fault.ErrUnsupported for what is no type's name.
func (t *Type) UnmarshalText(text []byte) error {
	i := slices.IndexFunc(infos[:], func(i info) bool { return i.name == string(text) })
	switch {
	case len(text) == 0:
		*t = Invalid
	case i <= 0:
		return fault.New(fault.ErrArgument, "element type", "%q", text)
	default:
		*t = Type(i)
	}
	return nil
}
