package layout

import (
	"os"
	"testing"

	"github.com/weftgpu/weft/internal/testenv"
)

// TestMain asks for more random cases than rapid's default: each one is small.
// The flag on the command line still wins.
func TestMain(m *testing.M) {
	testenv.RapidChecks(1000)
	os.Exit(m.Run())
}
