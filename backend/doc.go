// Package backend defines what every backend offers: drivers that find
// devices, and devices that allocate buffers, turn source into binaries, load
// them and launch them in order.
//
// A backend knows no ops and no tiles. It registers a Driver in its init
// function; a program chooses what it links by importing backend/cpu,
// backend/cuda, backend/vulkan, backend/webgpu or backend/all. Package compile
// produces the Source that a device compiles, and the root package weft opens
// devices through Open.
package backend
