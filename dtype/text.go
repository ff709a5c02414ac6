package dtype

import (
	"slices"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// OneOf is the types that are allowed, as errors give them: "one of f16, bf16, f32", or "u8" for a single one.
func OneOf(allowed func(Type) bool) string {
	var names []string
	for _, t := range All() {
		if allowed(t) {
			names = append(names, t.String())
		}
	}
	if len(names) == 1 {
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
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
		return fault.New(fault.ErrArgument, "element type", "%q, want %s", text, OneOf(Type.Valid))
	default:
		*t = Type(i)
	}
	return nil
}
