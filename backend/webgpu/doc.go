// Package webgpu runs WGSL kernels through WebGPU: through wgpu-native where
// cgo is available, and through the browser on GOOS=js.
//
// It is at the end of the flow: package compile hands it a
// backend.Source in WGSL, and it loads and launches that. Importing the package
// registers the driver "webgpu". Built without cgo the driver still exists and
// lists one candidate, refused, that says why.
//
// # How it works
//
// Everything that touches a device runs under one lock. Launches are recorded
// into an open batch, one compute pass, which is submitted when it is full or
// when anything needs its result: an upload, a download, an event, Synchronize.
// Scalar parameters of a batch travel in one uniform buffer, written once a
// batch. WebGPU itself orders the dispatches of a pass and makes the memory
// effects of each visible to the next.
//
// Errors that arise after a call has returned are kept. Launch, Upload,
// Download and Record then return the first of them until Synchronize reports
// and clears it. That a device is lost is not cleared.
//
// # Limits of wgpu-native
//
// Bindings are capped at 2 GiB on most drivers. New buffers read as zero,
// which costs one pass over their memory at first use. A device that is lost
// while work is in flight ends the process: the library aborts and gives no
// way to prevent it.
//
// # Extensions of WGSL
//
// wgpu-native knows none. Browsers have 16-bit floats where the adapter lists
// "shader-f16"; WGSL leaves the direction of rounding open, so kernels round by
// integer arithmetic there. Subgroups stay unused: WebGPU promises neither their size nor
// which thread of a workgroup is which of a subgroup.
//
// # Browsers
//
// Browsers offer no timestamps through the binding: there events take the
// host's time. The tests also run as wasm, see testdata/dawn/exec.
//
// The binding is used in gpu.go, gpu_native.go, log_native.go and gpu_js.go alone, and the
// C interface in glue_native.go and log_native.go. docs/backends.md says why it is this one
// and not its successor.
package webgpu
