package cuda_test

import (
	"testing"

	_ "github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/backend/backendtest"
)

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "cuda") }
