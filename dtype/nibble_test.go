package dtype

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestNibbleOrder(t *testing.T) {
	if got := PackI4([]int8{1, -2, 7, -8, -1}); !bytes.Equal(got, []byte{0xe1, 0x87, 0x0f}) {
		t.Errorf("signed: % x", got)
	}
	if got := PackU4([]int8{1, 14, 100, -3}); !bytes.Equal(got, []byte{0xe1, 0x0f}) {
		t.Errorf("unsigned: % x", got)
	}
	if PackI4(nil) == nil || len(PackI4(nil)) != 0 || len(UnpackI4(nil, 0)) != 0 {
		t.Error("nothing packs to something")
	}
}

// Unpacking what was packed gives the numbers, saturated, for every length.
func TestNibblesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOf(rapid.Int8()).Draw(t, "x")
		signed, unsigned := slices.Clone(x), slices.Clone(x)
		for i, v := range x {
			signed[i], unsigned[i] = min(max(v, -8), 7), min(max(v, 0), 15)
		}
		if got := UnpackI4(PackI4(x), len(x)); !slices.Equal(got, signed) {
			t.Fatalf("signed %v, want %v", got, signed)
		}
		if got := UnpackU4(PackU4(x), len(x)); !slices.Equal(got, unsigned) {
			t.Fatalf("unsigned %v, want %v", got, unsigned)
		}
	})
}
