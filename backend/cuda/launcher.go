//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import "unsafe"

// launcher starts a program, by the newer of the driver's two functions if the program may start before the launches before it have ended.
type launcher struct {
	config *launchConfig // of cuLaunchKernelEx; nil for cuLaunchKernel
	launch []uintptr     // the function's arguments
}

// launchConfig is the CUlaunchConfig of cuda.h, with its attribute.
type launchConfig struct {
	grid, block [3]uint32
	shared      uint32
	stream      uintptr
	attributes  uintptr
	count       uint32

	attribute launchAttribute // what attributes points at
}

// launchAttribute is the CUlaunchAttribute of cuda.h.
type launchAttribute struct {
	id, _ uint32
	value [16]uint32
}

// serialization is the attribute CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION.
const serialization = 6

// newLauncher makes the launcher of a program that is loaded, for its device's stream.
func newLauncher(p *program) launcher {
	d, src := p.dev, &p.src
	if !src.Dependent || d.lib.LaunchKernelEx.addr == 0 {
		// function, grid (set by each launch), block, dynamic shared memory, stream, params, extra
		return launcher{launch: []uintptr{p.function, 0, 0, 0, uintptr(src.Threads), 1, 1, uintptr(src.Dynamic), d.queue, addr(p.params), addr(p.extra)}}
	}
	c := &launchConfig{block: [3]uint32{uint32(src.Threads), 1, 1}, shared: uint32(src.Dynamic), stream: d.queue, count: 1}
	c.attribute = launchAttribute{id: serialization, value: [16]uint32{1}}
	c.attributes = uintptr(unsafe.Pointer(&c.attribute)) // what is made in Go stays where it is
	return launcher{c, []uintptr{uintptr(unsafe.Pointer(c)), p.function, addr(p.params), addr(p.extra)}}
}

// start launches the program; the device's mu is held.
func (l *launcher) start(d *device, grid [3]int) error {
	if l.config == nil {
		for axis, n := range grid {
			l.launch[1+axis] = uintptr(n)
		}
		return d.call(&d.lib.LaunchKernel, l.launch...)
	}
	for axis, n := range grid {
		l.config.grid[axis] = uint32(n)
	}
	return d.call(&d.lib.LaunchKernelEx, l.launch...)
}
