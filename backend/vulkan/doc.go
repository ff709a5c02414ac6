// Package vulkan is the backend for Vulkan 1.1 and newer. Importing it
// registers the driver "vulkan".
//
// It is at the end of the flow: package compile hands it WGSL or the text of a SPIR-V
// module, which Compile turns into a binary through internal/spirv or its assembler, Load
// into a pipeline, and the stream into dispatches of one compute queue. It knows no ops and
// no tiles.
//
// The files, by concept:
//
//	loader.go    finds libvulkan (by open_unix.go or open_windows.go) and makes the process's instance
//	driver.go    physical devices as candidates, their limits as Caps
//	features.go  features beyond core 1.0: which ones are turned on, and what they promise
//	language.go  the languages of kernels
//	device.go    the open device, its life and its lock
//	arena.go     device memory, sub-allocated
//	buffer.go    buffers, uploads and downloads
//	staging.go   host memory that copies pass through
//	program.go   pipelines and their descriptor sets
//	subgroup.go  which threads exchange registers
//	matrix.go    cooperative matrices that the driver enumerates
//	fragment.go  which threads hold which of their elements
//	measure.go   whether they are faster than multiply-adds
//	queue.go     batches of commands: record, submit, wait, retire
//	stream.go    launches in order, hazards, synchronisation
//	sequence.go  launches that are recorded once and executed often
//	event.go     device timestamps
//	shim.c       the few calls that the binding cannot make safely or cheaply
//	features.c   how features are found and turned on
//	none.go      the candidate where the package cannot be built
//
// # Launches
//
// A launch is recorded into the open batch, a command buffer, and costs the
// host a few microseconds. A batch goes to the device when it is full or when
// something waits for it. The first batch after a synchronisation holds one
// launch and each following one twice as many up to a maximum: the device
// starts at once, and a submission, which is dear, is shared by many launches
// once work piles up. Commands are numbered by their batch; whatever is closed
// while in use is freed when the last batch that uses it has retired.
//
// A memory barrier separates two commands only if one writes a buffer that the
// other uses, as the bindings of the kernel's Source say.
//
// # What is not promised
//
// Robust buffer access stays off: an index out of bounds is undefined, though
// a buffer's length is rounded up to 16 bytes, so that words at its tail are
// there. Workgroup memory starts undefined.
//
// # Features
//
// Caps promise 16-bit floats on devices of Vulkan 1.2 with shaderFloat16,
// storageBuffer16BitAccess and rounding to nearest even. They promise subgroups on
// devices of Vulkan 1.3 whose pipelines can insist on full ones of one size
// (subgroupSizeControl, computeFullSubgroups) and that shuffle in compute shaders.
// The specification leaves open which thread of a workgroup is which of a subgroup: the
// first open of a device asks it by a kernel, and goes without subgroups unless
// they are the workgroup's threads in order. Software devices are no exception: on
// llvmpipe kernels with shuffles compile and run no slower than those without.
//
// Devices for SPIR-V with bufferDeviceAddress and shaderInt64 promise addresses: a kernel that reaches more of a
// buffer than maxStorageBufferRange finds the addresses of its buffers after its scalars.
//
// Nor does it say which thread holds which elements of a cooperative matrix. The first open of
// a device for SPIR-V asks it by kernels, one for each type of matrix, and Caps tell the
// answer where it is linear over the bits of the numbers of components and threads. Where it is
// not, elements pass through shared memory, as matrices (simt.MatrixInstruction.Opaque). Then the
// rate of each product is measured against that of multiply-adds, but for software devices.
// Of products that are not used Caps tell why. What was found out is kept in the user's cache.
//
// A device that is opened for SPIR-V has Vulkan 1.3 with its memory model, 8- and 16-bit
// storage and integers of those sizes. Cooperative matrices, bfloat16, integers and floats of 64 bits,
// atomic sums of f32 and explicit layouts of workgroup memory are turned on where they are
// there, and Caps say so. So are the features of VK_NV_cooperative_matrix2.
//
// # Environment
//
// WEFT_VULKAN, read when a device is opened, is the language of kernels, wgsl or spirv. With spirv a device that
// lacks what SPIR-V needs is not opened. Without it a GPU whose cooperative matrices multiply faster than
// multiply-adds is opened for SPIR-V, and every other device for WGSL.
//
// WEFT_VULKAN_VALIDATION=1, read at the first use, turns on the Khronos
// validation layer with synchronisation checks; its messages become errors of
// Synchronize.
//
// The package needs cgo. Built without it, or on a system whose binding would
// have to be linked against a Vulkan library (macOS, unless built with the tag
// weft_moltenvk), its only candidate is refused.
package vulkan
