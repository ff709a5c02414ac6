package layout

import (
	"os"
	"testing"

	"github.com/weftgpu/weft/internal/testenv"
)

// TestMain asks for more random cases than rapid's default: each one is small.
// An eighth of them still has every kind of case that the tests look for. The flag on the command line still wins.
func TestMain(m *testing.M) {
	testenv.RapidChecks(2000)
	os.Exit(m.Run())
}
