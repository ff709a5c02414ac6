package vulkan_test

import (
	"testing"

	"github.com/weftgpu/weft/backend/backendtest"
	_ "github.com/weftgpu/weft/backend/vulkan"
)

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "vulkan") }

func BenchmarkPipelines(b *testing.B) { backendtest.BenchmarkPipelines(b, "vulkan") }
