package emulated_test

import (
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/backend/backendtest"
	"github.com/weftgpu/weft/internal/emulated"
)

func init() {
	backend.Register(emulated.New("h200", "a100", "t4", "vulkan-nvidia+spirv", "vulkan-amd+spirv", "arc-a770+spirv", "webgpu"))
}

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "emulated") }
