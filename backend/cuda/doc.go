// Package cuda runs kernels on NVIDIA GPUs through the CUDA driver API. Of the
// packages of weft it knows backend, target and fault alone.
//
// It takes CUDA C++ (target.CUDA), compiles it with NVRTC to a cubin for the
// device's own architecture and launches that. Both libraries, libcuda and
// libnvrtc, are loaded at run time without cgo, so that the package builds
// everywhere; where one is missing the driver returns a refused candidate that
// says which one and where it was looked for.
//
// NVRTC needs neither a GPU nor a driver: CompileNVRTC compiles on any machine
// that has the library. It is looked for in this order: the file or folder that
// the environment variable WEFT_NVRTC names (and then nowhere else), the
// loader's own path, CUDA toolkits, Python environments with NVIDIA's wheel,
// the distribution's library folders, and weft/nvrtc in the user's cache folder.
//
// A device has one stream, on which launches and copies run in order. The
// workgroups of a kernel that waits for the launches before it by itself
// (backend.Source.Dependent) may start before those have ended, from compute
// capability 9.0 and driver 520 on (programmatic dependent launch). Within a
// graph they may, too, from CUDA 12.3 on, if all that they run after is kernels.
// That is all that overlaps: copies, events, other kernels and graphs wait for a
// whole kernel, which cannot end before those before it have. To see whether an
// error comes from it set CUDA_LAUNCH_BLOCKING=1, with which the driver ends
// every launch in the stream before the next.
//
// Every call into the driver locks its goroutine to its thread and makes the
// device's primary context current there, which costs a fraction of a
// microsecond and makes every method safe to call from any goroutine.
//
// Several GPUs of a process reach each other's memory where the machine lets them (backend.Peers). Collectives run by NCCL (backend.Collectives), which is
// loaded at run time from where WEFT_NCCL says, by the loader, or from NVIDIA's wheel; NCCL_NVLS_ENABLE is 0 unless it is set. A captured collective is
// a graph within the graph of each device.
//
// The tensor maps of a launch (backend.TensorMap) are encoded by the driver, kept, and passed as the first parameters.
package cuda
