package chart

import (
	"testing"

	"github.com/weftgpu/weft/bench/result"
)

// A device by rule and tuned are told apart by their colours.
func TestTunedLooksOther(t *testing.T) {
	for _, who := range []string{"cuda:0", "vulkan:0", "webgpu:0", "cpu:0", "another:0"} {
		if lookOf(who).color == lookOf(who+result.TunedSuffix).color {
			t.Errorf("%s and %s%s have the same colour", who, who, result.TunedSuffix)
		}
	}
}
