//go:build unix

package cachedir

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Opening a pipe would wait for a writer, and a device could answer without end.
func TestPipesAndDevicesAreNoEntries(t *testing.T) {
	s := open(t, Kind{})
	path := filepath.Join(s.Dir(), "a")
	put(t, s, "other", nil)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	wantIgnored(t, s, "a pipe")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", path); err != nil {
		t.Fatal(err)
	}
	wantIgnored(t, s, "a link to a device")
}
