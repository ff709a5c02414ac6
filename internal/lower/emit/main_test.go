package emit

import (
	"os"
	"testing"

	"github.com/weftgpu/weft/internal/testenv"
)

func TestMain(m *testing.M) {
	testenv.RapidChecks(100)
	os.Exit(m.Run())
}
