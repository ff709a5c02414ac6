//go:build amd64 || arm64

package cuda

import (
	"os"
	"path/filepath"
	"syscall"
)

var (
	// driverNames are the driver's library.
	driverNames = []string{"nvcuda.dll"}
	// nvrtcNames are what the loader is asked for, nvrtcPattern what is looked for in a folder.
	nvrtcNames   = []string{"nvrtc64_130_0.dll", "nvrtc64_120_0.dll"}
	nvrtcPattern = "nvrtc64_*_0.dll"
	// builtinsPattern is what has to be loaded before NVRTC compiles.
	builtinsPattern = "nvrtc-builtins64_*.dll"
)

func openLibrary(path string) (uintptr, error) {
	handle, err := syscall.LoadLibrary(path)
	return uintptr(handle), err
}

func findSymbol(handle uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(handle), name)
}

// nvrtcDirs lists patterns of the folders where NVRTC usually is.
func nvrtcDirs() []string {
	var dirs []string
	if toolkit := os.Getenv("CUDA_PATH"); toolkit != "" {
		dirs = append(dirs, filepath.Join(toolkit, "bin"), filepath.Join(toolkit, "bin", "x64"))
	}
	for _, env := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := os.Getenv(env); prefix != "" {
			dirs = append(dirs, wheelDirs(filepath.Join(prefix, "Lib", "site-packages"), "bin")...)
		}
	}
	if cache, err := os.UserCacheDir(); err == nil {
		cache = filepath.Join(cache, "weft", "nvrtc")
		dirs = append(append(dirs, cache), wheelDirs(cache, "bin")...)
	}
	return dirs
}

// kernelDriver is the version of the kernel driver, which Windows does not
// offer without a further library.
func kernelDriver() string { return "" }
