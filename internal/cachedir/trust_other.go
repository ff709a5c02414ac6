//go:build !unix

package cachedir

import (
	"fmt"
	"io/fs"
	"os"
)

// hasOwners says that files have no owners that Go knows of: on Windows the user's profile is closed to others.
const hasOwners = false

func owner(fs.FileInfo) (uid int, known bool) { return 0, false }

// openFile looks before it opens.
func openFile(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: its mode is %v", errForeign, info.Mode())
	}
	return os.Open(path)
}
