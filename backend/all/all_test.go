package all

import (
	"runtime"
	"slices"
	"testing"

	"github.com/weftgpu/weft/backend"
)

// TestEveryBackendAnswers checks that each backend lists at least one candidate,
// and that every candidate can be opened or says why not.
func TestEveryBackendAnswers(t *testing.T) {
	want := []string{"cpu", "cuda", "vulkan", "webgpu"}
	if runtime.GOOS == "js" {
		want = []string{"cpu", "webgpu"}
	}
	var got []string
	for _, c := range backend.Candidates() {
		got = append(got, c.Backend)
		if (c.Refused == nil) != (c.Open != nil) || c.Refused == nil && c.Name == "" {
			t.Errorf("candidate %+v", c.Info)
		}
		if c.Refused != nil {
			t.Logf("%s:%d %s: %v", c.Backend, c.Index, c.Name, c.Refused)
		}
	}
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("backends %v, want %v", got, want)
	}
}

// TestDefaultOpens opens the device that a user gets who asks for none.
func TestDefaultOpens(t *testing.T) {
	d, err := backend.Open("")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}
