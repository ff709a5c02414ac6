package vulkan_test

import (
	"testing"

	_ "github.com/weftgpu/weft/backend/vulkan"
	"github.com/weftgpu/weft/backend/backendtest"
)

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "vulkan") }
