//go:build cgo && windows

package vulkan

import "syscall"

// libraryNames lists where the Vulkan loader may be, the likeliest first.
func libraryNames() []string { return []string{"vulkan-1.dll"} }

// symbol opens a library and returns the address of a function in it. The
// library stays open for the life of the process.
func symbol(library, name string) (uintptr, error) {
	handle, err := syscall.LoadLibrary(library)
	if err != nil {
		return 0, err
	}
	return syscall.GetProcAddress(handle, name)
}
