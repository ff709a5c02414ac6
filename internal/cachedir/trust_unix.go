//go:build unix

package cachedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// hasOwners says that files have owners, and permissions of others.
const hasOwners = true

func owner(info fs.FileInfo) (uid int, known bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}

func openFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK) || errors.Is(err, syscall.ENXIO) { // a link, a socket
		return nil, fmt.Errorf("%w: %v", errForeign, err)
	}
	return f, err
}
