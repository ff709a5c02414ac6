package cachedir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/weftgpu/weft/fault"
)

// errForeign is why a file is not read.
var errForeign = errors.New("it is not a file of the cache")

// Check reports whether the folder may be trusted: what is in it runs on the device. It, and the cache's root, must belong to this
// user or to root, and only they and their group may write to it. Systems without such owners are trusted, as are folders
// that are not there.
//
// Error: fault.ErrUnsupported with the reason.
func (s *Store) Check() error {
	if s.dir == "" {
		return nil
	}
	for _, dir := range []string{filepath.Dir(s.dir), s.dir} {
		info, err := os.Stat(dir)
		if err != nil {
			continue // who reads or writes it tells
		}
		if reason := distrust(info); reason != "" {
			return fault.New(fault.ErrUnsupported, "cache", "the folder %s is not used: %s", dir, reason)
		}
	}
	return nil
}

// distrust says why a file or folder is not to be trusted, "" if it is.
func distrust(info fs.FileInfo) string {
	if uid, known := owner(info); known && uid != 0 && uid != os.Geteuid() {
		return fmt.Sprintf("it belongs to user %d, not to %d", uid, os.Geteuid())
	}
	if mode := info.Mode(); hasOwners && mode.Perm()&0o002 != 0 {
		return fmt.Sprintf("every user may write to it (%v)", mode)
	}
	return ""
}

// readFile reads a regular file and says when it was last changed. It waits for nobody, as opening a pipe would, and follows no link.
func readFile(path string) ([]byte, time.Time, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	switch reason := distrust(info); {
	case !info.Mode().IsRegular():
		return nil, time.Time{}, fmt.Errorf("%w: its mode is %v", errForeign, info.Mode())
	case reason != "":
		return nil, time.Time{}, fmt.Errorf("%w: %s", errForeign, reason)
	case info.Size() > maxEntry:
		return nil, time.Time{}, fmt.Errorf("%w: it has %d bytes", errForeign, info.Size())
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) { // it became shorter
		err = nil
	}
	return data[:n], info.ModTime(), err
}
