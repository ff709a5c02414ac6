package vulkan_test

import (
	"testing"

	"github.com/weftgpu/weft/backend/backendtest"
	_ "github.com/weftgpu/weft/backend/vulkan"
)

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "vulkan") }
