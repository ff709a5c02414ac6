//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// nvrtcEnv names the file or folder of the NVRTC to use.
const nvrtcEnv = "WEFT_NVRTC"

// wheelDirs lists where NVIDIA's wheels keep NVRTC within a folder of Python
// packages; lib is "lib", or "bin" for those of Windows.
func wheelDirs(packages, lib string) []string {
	nvidia := filepath.Join(packages, "nvidia")
	dirs := []string{filepath.Join(nvidia, "cu13", lib), filepath.Join(nvidia, "cuda_nvrtc", lib)}
	if lib == "bin" {
		dirs = append([]string{filepath.Join(nvidia, "cu13", lib, "x86_64")}, dirs...)
	}
	return dirs
}

// nvrtcPaths lists what to try to load, in order.
func nvrtcPaths() []string {
	if forced := os.Getenv(nvrtcEnv); forced != "" {
		if info, err := os.Stat(forced); err == nil && info.IsDir() {
			return libraries(forced)
		}
		return []string{forced}
	}
	paths := slices.Clone(nvrtcNames)
	for _, pattern := range nvrtcDirs() {
		dirs, _ := filepath.Glob(pattern)
		slices.Reverse(dirs) // the newest toolkit or Python first
		for _, dir := range dirs {
			paths = append(paths, libraries(dir)...)
		}
	}
	return paths
}

// libraries lists the NVRTC libraries in a folder, the newest first.
func libraries(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, nvrtcPattern))
	slices.Reverse(files)
	return files
}

// builtins lists the libraries of built-in functions beside an NVRTC that was found in a folder. NVRTC loads its own by
// name, for which Windows looks in the program's folder and in PATH alone, and finds what is loaded already.
func builtins(path, pattern string) []string {
	if pattern == "" || path == filepath.Base(path) {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), pattern))
	return files
}

// openNVRTC loads the first library of paths that the driver can load binaries
// of: one whose major version is at most maxMajor. If there is none it returns
// the first that loads; maxMajor 0 stands for any.
func openNVRTC(paths []string, maxMajor int) (*nvrtcLib, error) {
	var first *nvrtcLib
	var failed []string
	for _, path := range paths {
		lib, err := loadNVRTC(path)
		switch {
		case err != nil:
			if !slices.Contains(nvrtcNames, path) { // those the loader lacks are listed anyway
				failed = append(failed, fmt.Sprintf("%s: %v", path, err))
			}
		case maxMajor == 0 || lib.major <= maxMajor:
			return lib, nil
		case first == nil:
			first = lib
		}
	}
	if first != nil {
		return first, nil
	}
	return nil, noNVRTC(failed)
}

// noNVRTC says where NVRTC was looked for.
func noNVRTC(failed []string) error {
	where := fmt.Sprintf("looked for %s in the loader's path and for %s in %s",
		strings.Join(nvrtcNames, ", "), nvrtcPattern, strings.Join(nvrtcDirs(), ", "))
	if forced := os.Getenv(nvrtcEnv); forced != "" {
		where = fmt.Sprintf("%s is %s, where no %s loads", nvrtcEnv, forced, nvrtcPattern)
	}
	if len(failed) > 0 {
		where = strings.Join(failed, "; ") + "; " + where
	}
	return fault.New(fault.ErrUnsupported, "cuda: NVRTC",
		"not found (%s); install a CUDA toolkit or the wheel nvidia-cuda-nvrtc-cu12, or set %s", where, nvrtcEnv)
}
