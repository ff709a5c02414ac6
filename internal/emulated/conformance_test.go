package emulated_test

import (
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/backend/backendtest"
	"github.com/weftgpu/weft/internal/emulated"
	"github.com/weftgpu/weft/internal/testenv"
)

func init() {
	backend.Register(emulated.New("h200", "a100", "t4", "vulkan-nvidia+spirv", "vulkan-amd+spirv", "arc-a770+spirv", "webgpu", "apple-m2", "webgpu-amd"))
}

// TestConformance runs what is drawn at random, and in the full suite all cases, which takes ten minutes for each GPU.
func TestConformance(t *testing.T) {
	backendtest.RunBackendWith(t, "emulated", backendtest.Options{Drawn: !testenv.Full()})
}
