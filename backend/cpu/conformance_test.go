package cpu_test

import (
	"testing"

	"github.com/weftgpu/weft/backend/backendtest"
	_ "github.com/weftgpu/weft/backend/cpu"
)

func TestConformance(t *testing.T) { backendtest.RunBackend(t, "cpu") }
