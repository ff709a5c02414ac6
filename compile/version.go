package compile

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
)

const modulePath = "github.com/weftgpu/weft"

// libraryVersion names the version of the library that this program was built with, for keys
// of caches: kernels compiled by another version are other kernels. Of a working copy the
// version says nothing; there it is the executable that is named. One that is among
// temporary files, as those of go test and of a first go run do, will not be run again.
// Where a loader was started with the program, as by ld.so, nothing tells which program it is: there is no version.
var libraryVersion = sync.OnceValues(func() (version string, temporary bool) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == modulePath && m.Replace == nil && m.Sum != "" {
				return m.Version + " " + m.Sum, false
			}
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "", true
	}
	return executableVersion(path)
})

// executableVersion is libraryVersion of a working copy in a program.
func executableVersion(path string) (version string, temporary bool) {
	info, err := os.Stat(path)
	if err != nil {
		return "", true
	}
	if _, err := buildinfo.ReadFile(path); err != nil { // a loader, not a program of Go
		return "", true
	}
	version = fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
	return version, strings.HasPrefix(path, filepath.Clean(os.TempDir())+string(filepath.Separator))
}
