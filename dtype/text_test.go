package dtype

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/weftgpu/weft/fault"
)

func TestTypesAsText(t *testing.T) {
	for _, want := range append(All(), Invalid) {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := F32
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, bad := range []string{"f31", "invalid", "F32", " "} {
		if err := new(Type).UnmarshalText([]byte(bad)); !errors.Is(err, fault.ErrArgument) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
