package cuda

import (
	"strings"
	"testing"
)

func TestChooseArch(t *testing.T) {
	nvrtc12 := []int{50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121}
	nvrtc11 := []int{35, 50, 60, 70, 75, 80}
	for _, c := range []struct {
		capability int
		supported  []int
		want       string // or "error: " and a part of it
	}{
		{70, nvrtc12, "sm_70"},
		{75, nvrtc12, "sm_75"},
		{80, nvrtc12, "sm_80"},
		{86, nvrtc12, "sm_86"},
		{86, nvrtc11, "sm_80"}, // a later minor version runs it
		{88, nvrtc12, "sm_87"},
		{90, nvrtc12, "sm_90a"},
		{100, nvrtc12, "sm_100a"},
		{103, nvrtc12, "sm_103a"},
		{120, nvrtc12, "sm_120a"},
		{121, []int{90, 100, 120}, "sm_120"}, // never another architecture's variant
		{90, nvrtc11, "error: cannot compile for compute capability 9.0, only for sm_35 to sm_80"},
		{72, []int{75, 80, 90}, "error: cannot compile for compute capability 7.2"},
		{61, nvrtc12, "error: compute capability 6.1 is too old"},
		{90, nil, "error: no architectures"},
	} {
		got, err := chooseArch(c.capability, c.supported)
		part, refused := strings.CutPrefix(c.want, "error: ")
		switch {
		case refused && (err == nil || !strings.Contains(err.Error(), part)):
			t.Errorf("capability %d: got %q and error %v, want an error with %q", c.capability, got, err, part)
		case !refused && (err != nil || got != c.want):
			t.Errorf("capability %d: got %q and error %v, want %q", c.capability, got, err, c.want)
		}
	}
}
