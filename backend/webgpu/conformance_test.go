package webgpu_test

import (
	"testing"

	"github.com/weftgpu/weft/backend/backendtest"
	_ "github.com/weftgpu/weft/backend/webgpu"
)

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "webgpu") }
