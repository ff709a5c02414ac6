// Command quickstart shows what weft finds on this machine and what it can do.
//
//	go run ./examples/quickstart                  the best device
//	go run ./examples/quickstart -device all      every device, one after the other
//	go run ./examples/quickstart -a A.npy -b B.npy -o C.npy
//	go run ./examples/quickstart -dump DIR
//
// The first build compiles the bindings of all backends, in C too, for a minute or two: go run -v shows how far it
// is, and CGO_ENABLED=0 leaves the CPU and CUDA, which takes less time.
//
// It lists the devices and says why each is or is not used. On the chosen one it
// runs vector addition, matrix multiplication and softmax, checks each result
// against gonum in float64 under the bound that rounding allows, and times it by the
// device's own clock. With -a and -b it multiplies matrices of float32 or float64
// from NumPy files instead. With -dump it needs no device: it writes the tile IR,
// the thread-level IR, the WGSL and the CUDA C of each kernel.
package main
