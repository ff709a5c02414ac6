// Package compile knows the whole way of a kernel to a device: facts about the
// arguments, lowering for the device's capabilities, emission in the device's
// language, the device's own compiler, loading and launching.
//
// A Compiler belongs to one device and keeps what it compiled: in memory, and between
// runs in files of the user's cache folder (disk.go). Emit is the
// pure part of the way, which needs no device.
package compile
