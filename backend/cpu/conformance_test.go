package cpu_test

import (
	"testing"

	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/backend/backendtest"
)

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "cpu") }
