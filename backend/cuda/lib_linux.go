//go:build !android && (amd64 || arm64)

package cuda

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/ebitengine/purego"
)

var (
	// driverNames are the driver's library; the second is where WSL puts it.
	driverNames = []string{"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"}
	// nvrtcNames are what the loader is asked for, nvrtcPattern what is looked for in a folder.
	nvrtcNames   = []string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}
	nvrtcPattern = "libnvrtc.so*"
	// builtinsPattern is what has to be loaded before NVRTC compiles: nothing, it looks in its own folder.
	builtinsPattern = ""
)

func openLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func findSymbol(handle uintptr, name string) (uintptr, error) { return purego.Dlsym(handle, name) }

// pythonPackages lists patterns of the folders where Python's packages usually are.
func pythonPackages() (patterns []string) {
	pythons := []string{"/usr", "/usr/local", "/opt/*", "/opt/*/.venv", "/opt/*/venv"}
	if home := os.Getenv("HOME"); home != "" {
		pythons = append(pythons, home+"/.local")
	}
	for _, env := range []string{"CONDA_PREFIX", "VIRTUAL_ENV"} {
		if prefix := os.Getenv(env); prefix != "" {
			pythons = append([]string{prefix}, pythons...)
		}
	}
	for _, prefix := range pythons {
		for _, packages := range []string{"site-packages", "dist-packages"} {
			patterns = append(patterns, filepath.Join(prefix, "lib/python3*", packages))
		}
	}
	return patterns
}

// nvrtcDirs lists patterns of the folders where NVRTC usually is.
func nvrtcDirs() []string {
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	platform := map[string]string{"amd64": "x86_64", "arm64": "sbsa"}[runtime.GOARCH]
	dirs := []string{
		"/usr/local/cuda*/lib64",
		"/usr/local/cuda*/targets/" + platform + "-linux/lib",
		"/opt/cuda*/lib64",
	}
	home := os.Getenv("HOME")
	for _, packages := range pythonPackages() {
		dirs = append(dirs, wheelDirs(packages, "lib")...)
	}
	if prefix := os.Getenv("CONDA_PREFIX"); prefix != "" {
		dirs = append(dirs, filepath.Join(prefix, "lib"))
	}
	dirs = append(dirs, "/usr/lib/"+machine+"-linux-gnu", "/usr/lib64", "/usr/lib/nvidia-cuda-toolkit/lib64")

	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" && home != "" {
		cache = filepath.Join(home, ".cache")
	}
	if cache != "" {
		cache = filepath.Join(cache, "weft", "nvrtc")
		dirs = append(append(dirs, cache), wheelDirs(cache, "lib")...)
	}
	return dirs
}

var versionLine = regexp.MustCompile(`\b\d{3,}\.\d+(\.\d+)?\b`)

// kernelDriver is the version of the driver's kernel module, such as
// "550.54.15"; empty if the system does not say.
func kernelDriver() string {
	for _, file := range []string{"/sys/module/nvidia/version", "/proc/driver/nvidia/version"} {
		if text, err := os.ReadFile(file); err == nil {
			if v := versionLine.Find(text); v != nil {
				return string(v)
			}
		}
	}
	return ""
}
