package layout

import (
	"flag"
	"os"
	"testing"
)

// TestMain asks for more random cases than rapid's default: each one is small.
// The flag on the command line still wins.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "1000"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
