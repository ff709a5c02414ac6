// Package compile knows the whole way of a kernel to a device: facts about the
// arguments, lowering for the device's capabilities, emission in the device's
// language, the device's own compiler, loading and launching.
//
// A Compiler belongs to one device and keeps what it compiled: in memory, and between
// runs in files of the user's cache folder (disk.go). Emit is the
// pure part of the way, which needs no device.
//
// A launch goes from Find, which knows a kernel that was launched on such layouts before, or else from Prepare, which
// checks the arguments, collects facts, compiles and works out grid and words, to Prepared.Launch, which puts buffers and
// scalars in their places and hands the launch to a queue. The first and the last allocate nothing. Begin is Prepare that does not wait
// for the device's compiler: of several kernels, each is compiled while the next is lowered. Kernels whose
// sources are equal, although the facts are not, share a program.
package compile
