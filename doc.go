// Package weft runs kernels that are described once, in Go, on every GPU and
// on the CPU.
//
// It is what a program imports first. A Device is opened with Open, a Tensor
// is made from a Go slice or a gonum matrix, package ops computes with tensors,
// and NewKernel and NewMap turn a Go function into a kernel:
//
//	dev, err := weft.Open("") // the best device here; WEFT_DEVICE overrides
//	a, err := weft.FromSlice(dev, x, 1024, 512)
//	c, err := ops.MatMul(a, w.T())
//	y, err := weft.ToSlice[float32](c)
//
// Which backends exist is chosen by imports, as with database drivers:
//
//	import _ "github.com/weftgpu/weft/backend/all"
//
// # Contents
//
//   - Devices: Open, Devices, Device; SetLogger.
//   - Tensors from Go: FromSlice, FromFloats, FromNumbers, Full, Zeros, Empty, Arange, Eye; FromDense, FromBlas32,
//     FromBlas64 of gonum; ReadNpy.
//   - Tensors to Go: ToSlice, ToFloats, Tensor.At, Tensor.Item; ToDense, ToBlas32, ToBlas64; WriteNpy.
//   - Views: Tensor.T, Slices with All, From, To, Span and Index; Tensor.Reshape, Permute, Broadcast.
//   - Computing: package ops; NewMap for a function of single elements, NewKernel for any other.
//   - Launches: Kernel.Launch, Kernel.Bind for a Program, Device.Capture for a Recording, Kernel.Explain.
//   - Errors: ErrShape, ErrArgument and the other sentinels, which errors.Is finds.
//
// What only those need who write ops and tools is elsewhere: package memo remembers what the calls of an op
// launch, package elementwise has the configs of maps and copies, ops/bounds the error bounds of the ops,
// package compile the compiler without tensors, and package interp what Kernel.Debug can check.
//
// # Errors
//
// Whatever data can cause is an error that wraps one of the sentinels below and
// names the op, the argument and what was found. Nothing has been launched then.
//
// # Views
//
// A tensor is a view of memory: an element type, sizes and strides. T, Slice, Select, Permute, Broadcast, Flip and,
// where strides can say it, Reshape give other views of the same memory and move nothing. Kernels and ops take any of them;
// Contiguous makes a dense copy where one is needed.
//
// Slices keeps a range of each dimension at once, At and SetAt read and write one element, and negative dimensions and
// positions count from the end:
//
//	x, err := weft.FromNumbers(dev, weft.F16, []int{1, 2, 3, 4, 5, 6}, 2, 3)
//	last, err := x.Slices(weft.All(), weft.From(-2)) // [2,2]
//	y, err := x.At(0, -1)                            // 3
//
// # Launches
//
// The first launch of a kernel on tensors of certain layouts checks them, chooses a config, and compiles;
// a launch like it is found by kernel and layouts and costs a fraction of a microsecond in addition to the driver's own time, without
// allocating. Ops that are given their result (AddInto and the like) remember what they launched in the same way, see
// package memo. A Program is a kernel bound to its tensors; Device.Capture records what ops and kernels launch on the
// tensors of a Recorder, for Recording.Replay to start as one. Devices, tensors, kernels and maps may be used from many goroutines: what one goroutine
// starts runs in the order of its calls.
//
// # Memory
//
// Close frees a tensor's memory when no view shares it any longer. A tensor that
// is garbage-collected without a Close frees its share as well, so that
// intermediate results and views such as w.T() need no care. Freed memory is
// reused for later tensors, within a budget: see Device.SetPoolBudget. All calls return
// as soon as the work is queued; reading a tensor waits for it.
//
// # Looking inside
//
// SetLogger sets a logger for compilations and caches; WEFT_TRACE=file.json writes a trace of
// compilations, copies and kernels; Kernel.Explain tells what was chosen and why.
//
// Longer guides are in the folder docs.
package weft
