package fault

import "testing"

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"1 tensor": Count(1, "tensor"), "2 tensors": Count(2, "tensor"), "0 axes": Count(0, "axis"), "1 axis": Count(1, "axis"),
		"3 indices": Count(int64(3), "index"), "2 identities": Count(2, "identity"), "-1 bytes": Count(-1, "byte"),
	} {
		if got != want {
			t.Errorf("Count gives %q, want %q", got, want)
		}
	}
}
