package vulkan_test

import (
	"testing"

	"github.com/weftgpu/weft/backend/backendtest"
	_ "github.com/weftgpu/weft/backend/vulkan"
	"github.com/weftgpu/weft/internal/launchbench"
)

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "vulkan") }

// BenchmarkOps is the host's time for launches of ops, bound kernels and recordings.
func BenchmarkOps(b *testing.B) { launchbench.Run(b, launchbench.Open("vulkan")) }

// BenchmarkDiskHit is the time until a kernel from the disk cache, or from the compiler, can be launched.
func BenchmarkDiskHit(b *testing.B) { launchbench.Load(b, launchbench.Open("vulkan")(b)) }
