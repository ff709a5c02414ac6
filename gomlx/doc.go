// Package gomlx runs GoMLX's computations on weft: on NVIDIA GPUs by CUDA, on any GPU by Vulkan or WebGPU, and on the CPU, from
// one static Go program without an installation.
//
// A program imports the package for its effect and names the backend:
//
//	import _ "github.com/weftgpu/weft/gomlx"
//
//	GOMLX_BACKEND=weft ./program         the best device here
//	GOMLX_BACKEND=weft:vulkan ./program  a certain one, by the names that weft.Open takes
//
// A computation is compiled in these steps:
//
//   - The builder (builder.go, build_*.go) checks each op by GoMLX's shape inference and keeps a graph.
//   - The planner (plan.go) walks the graph once. Reshapes, transpositions, slices and broadcasts become layouts over the
//     memory that they view; chains of element-wise ops become one kernel each (fuse.go); every other op becomes launches of
//     weft's ops or of the kernels here (lower_*.go). What is left is a list of steps over storages.
//   - Storages whose lifetimes do not meet share memory (memory.go), and results take the place of donated inputs.
//   - An execution (execute.go) binds the storages to tensors and runs the steps. Once the same tensors come again, as those of a
//     training loop do, the steps are captured, and replayed as one CUDA graph or command buffer (replay.go).
//
// Ops and element types that are missing are left out of Capabilities; using one is an error that names the op. Nothing panics.
package gomlx
