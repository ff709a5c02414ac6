package dtype

import (
	"slices"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// List is the names of the types that are allowed, as errors give them: "f32, f16, bf16".
func List(allowed func(Type) bool) string {
	var names []string
	for _, t := range All() {
		if allowed(t) {
			names = append(names, t.String())
		}
	}
	return strings.Join(names, ", ")
}

// MarshalText gives the type's name, as in JSON; that of Invalid is empty.
func (t Type) MarshalText() ([]byte, error) {
	if !t.Valid() {
		return nil, nil
	}
	return []byte(t.String()), nil
}

// UnmarshalText is the way back.
// Error: fault.ErrArgument for what is not the name of a type.
func (t *Type) UnmarshalText(text []byte) error {
	i := slices.IndexFunc(infos[:], func(i info) bool { return i.name == string(text) })
	switch {
	case len(text) == 0:
		*t = Invalid
	case i <= 0:
		return fault.New(fault.ErrArgument, "element type", "%q, want one of %s", text, List(Type.Valid))
	default:
		*t = Type(i)
	}
	return nil
}
