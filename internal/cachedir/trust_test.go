package cachedir

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft/fault"
)

// A file that was copied to another entry's name, or to another kind's folder, is not that entry.
func TestEntriesKnowTheirNames(t *testing.T) {
	s := open(t, Kind{})
	put(t, s, "a", []byte("a's"))
	put(t, s, "b", []byte("b's"))
	copyTo := func(path string) {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(s.Dir(), "a"))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o700)
		}
		if err == nil {
			err = os.WriteFile(path, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	copyTo(filepath.Join(s.Dir(), "b"))
	copyTo(filepath.Join(filepath.Dir(s.Dir()), "others", "a"))
	text := logs(t)
	if got, ok := s.Get("b"); ok {
		t.Errorf("b is %q", got)
	}
	if got, ok := (Kind{Name: "others"}).Open().Get("a"); ok {
		t.Errorf("a of another kind is %q", got)
	}
	if n := strings.Count(text.String(), "damaged"); n != 2 {
		t.Errorf("logged %d times:\n%s", n, text)
	}
	if got, ok := s.Get("a"); !ok || string(got) != "a's" {
		t.Errorf("a itself is %q, %v", got, ok)
	}
}

// wantIgnored wants an entry to be a miss at once, with a line in the log, and to be written anew.
func wantIgnored(t *testing.T, s *Store, what string) {
	t.Helper()
	text := logs(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if got, ok := s.Get("a"); ok {
			t.Errorf("%s: got %d bytes", what, len(got))
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s: reading it hangs", what)
	}
	if !strings.Contains(text.String(), "ignored") {
		t.Errorf("%s: the log says %q", what, text)
	}
	put(t, s, "a", []byte("anew"))
	if got, ok := s.Get("a"); !ok || string(got) != "anew" {
		t.Errorf("%s: written anew it is %q, %v", what, got, ok)
	}
}

func TestLinksAndHugeFilesAreNoEntries(t *testing.T) {
	s := open(t, Kind{})
	path := filepath.Join(s.Dir(), "a")
	put(t, s, "a", []byte("x"))
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(path, elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, path); err != nil {
		t.Skip(err)
	}
	wantIgnored(t, s, "a link to what would be an entry")
	if _, err := os.Stat(elsewhere); err != nil {
		t.Errorf("the file that the link led to: %v", err)
	}

	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip(err) // no file of holes
	}
	wantIgnored(t, s, "a file of 1 TiB")
	if err := s.Put("a", bytes.Repeat([]byte{1}, maxEntry)); !errors.Is(err, fault.ErrLimit) {
		t.Errorf("an entry that could not be read: %v", err)
	}
}

func TestFoldersOfOthersAreRefused(t *testing.T) {
	if !hasOwners {
		t.Skip("folders have no owners here")
	}
	for _, below := range []string{".", "things"} {
		s := open(t, Kind{Budget: 1 << 20})
		put(t, s, "a", []byte("x"))
		dir := filepath.Join(filepath.Dir(s.Dir()), below)
		wantRefused := func(reason string) {
			t.Helper()
			text := logs(t)
			again := things.Open()
			if _, ok := again.Get("a"); ok {
				t.Error("got an entry")
			}
			if err := again.Put("b", nil); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), reason) {
				t.Errorf("put: %v, want the folder and %q", err, reason)
			}
			if err := again.Check(); err == nil {
				t.Error("Check is content")
			}
			if _, err := again.Entries(); err == nil {
				t.Error("the entries are listed")
			}
			if n := strings.Count(text.String(), "level=WARN"); n != 1 {
				t.Errorf("logged %d times:\n%s", n, text)
			}
		}
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		wantRefused("every user may write")
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.Get("a"); !ok || string(got) != "x" {
			t.Errorf("a folder that others may read: %q, %v", got, ok)
		}
		if err := os.Chmod(filepath.Join(s.Dir(), "a"), 0o666); err != nil {
			t.Fatal(err)
		}
		wantIgnored(t, s, "a file that every user may write")
		if os.Geteuid() != 0 {
			continue // only root gives folders away
		}
		if err := os.Chown(filepath.Join(s.Dir(), "a"), 12345, -1); err != nil {
			t.Fatal(err)
		}
		wantIgnored(t, s, "a file of another user")
		if err := os.Chown(dir, 12345, -1); err != nil {
			t.Fatal(err)
		}
		wantRefused("belongs to user 12345")
	}
	if err := things.Open().Check(); errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
