//go:build cgo && (linux || (darwin && weft_moltenvk))

package vulkan

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// libraryNames lists where the Vulkan loader may be, the likeliest first.
func libraryNames() []string {
	if runtime.GOOS == "darwin" {
		return []string{"libvulkan.1.dylib", "libvulkan.dylib", "/usr/local/lib/libvulkan.1.dylib", "/opt/homebrew/lib/libvulkan.1.dylib", "libMoltenVK.dylib"}
	}
	return []string{"libvulkan.so.1", "libvulkan.so"}
}

// symbol opens a library and returns the address of a function in it. The
// library stays open for the life of the process.
func symbol(library, name string) (uintptr, error) {
	handle, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, err
	}
	return purego.Dlsym(handle, name)
}
