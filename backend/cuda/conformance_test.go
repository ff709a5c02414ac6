package cuda_test

import (
	"testing"

	"github.com/weftgpu/weft/backend/backendtest"
	_ "github.com/weftgpu/weft/backend/cuda"
)

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "cuda") }
