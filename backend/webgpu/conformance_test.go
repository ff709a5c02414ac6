package webgpu_test

import (
	"testing"

	_ "github.com/weftgpu/weft/backend/webgpu"
	"github.com/weftgpu/weft/backend/backendtest"
)

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "webgpu") }
