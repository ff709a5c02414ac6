// Package cpu is the backend that is always there: it launches tile IR on the
// host's cores through package tile/interp, which makes machine code of loops over elements on processors with AVX2, AVX-512
// or NEON (WEFT_CPU=avx2 leaves AVX-512 alone, WEFT_CPU=go makes no machine code). Importing it registers the driver
// "cpu", with one device.
//
// It takes sources in target.TileIR whose IR is an *interp.Program. Device memory
// is ordinary Go memory. One goroutine per device executes the queue in order;
// each launch spreads its programs over GOMAXPROCS workers. Device time is the host's clock.
package cpu
