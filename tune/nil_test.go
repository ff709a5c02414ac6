package tune

import (
	"context"
	"errors"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// nowhere is a device that is not used.
type nowhere struct{ Device }

func (nowhere) Caps() target.Caps { return target.Caps{} }

// What is nil is an error with the argument's name, and no panic.
func TestNilArguments(t *testing.T) {
	type space = Space[int, int]
	trial := func() (*Trial[int], error) { return nil, nil }
	race := func(s *space, ctx context.Context, dev Device, trial func() (*Trial[int], error)) error {
		_, err := s.Tune(ctx, dev, 0, trial, Options{})
		return err
	}
	for arg, err := range map[string]error{
		"s":     race(nil, t.Context(), nowhere{}, trial),
		"ctx":   race(&space{}, nil, nowhere{}, trial),
		"dev":   race(&space{}, t.Context(), nil, trial),
		"trial": race(&space{}, t.Context(), nowhere{}, nil),
		"w":     errors.Join(Export(nil, nil), WriteReport(nil, nil)),
	} {
		var e *fault.Error
		if !errors.As(err, &e) || !errors.Is(err, fault.ErrArgument) || e.Arg != arg {
			t.Errorf("%s: %v, want ErrArgument", arg, err)
		}
	}
	for name, f := range map[string]func() error{
		"import": func() error { _, err := Import(nil); return err },
		"merge":  func() error { _, err := Merge(nil); return err },
		"text":   func() error { return new(View).UnmarshalText(nil) },
	} {
		if f() == nil {
			t.Errorf("%s of nothing reports nothing", name)
		}
	}
}
